// Package siteapi is the Site API: it makes the areas of use cases and the engines over
// some ports, and the table of operations that publishes the use cases. It knows no
// transport.
package siteapi

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/engine/locate"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/kernel/follow"
	"github.com/vitrine-crm/vitrine/core/search/memory"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/alerts"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/history"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Service is the Site API over some ports. It is safe for concurrent use.
//
// Its use cases are grouped by area and called as functions:
//
//	created, err := service.People.CreateCustomer(ctx, caller, people.CreateCustomer{…})
//
// They check pack, permission and right of the caller; those of
// service.People.Unchecked() do not. Identify returns the Caller of a bearer token,
// IdentifyKey that of an API key, and Admit that of a grant which an embedding system
// has authenticated.
type Service struct {
	// Office has sites, agencies, users and the vocabulary of a site.
	Office *office.Service
	// Tokens has tokens and the clients that may have them.
	Tokens *tokens.Service
	// Listing has products, their search, pictures and actions.
	Listing *listing.Service
	// People has customers, their search requests, leads and matches.
	People *people.Service
	// Deals has offers, sale agreements and leases. Its FollowClock stores the transitions
	// that are due, until its context ends.
	Deals *deals.Service
	// Agenda has calendar events, working time, duty rosters and online booking. Its
	// FollowClock emits the events of reminders, until its context ends.
	Agenda *agenda.Service
	// Hooks has webhooks, the log of their deliveries, and the ledger.
	Hooks *hooks.Service
	// History has what happened to records.
	History *history.Service
	// Requests has the log of requests and their counts.
	Requests *requests.Service
	// Transfer has provisioning, import and export.
	Transfer *transfer.Service
	// Imports runs imports in the background until its context ends.
	Imports *transfer.Imports
	// Sources imports the files of import sources until its context ends.
	Sources *transfer.Sources
	// Portals hands listings over to publication targets until its context ends.
	Portals *portals.Service
	// Alerts tells operators of what stands until its context ends.
	Alerts *alerts.Service
	// Deliver delivers events to webhooks, Locate geocodes addresses. Both run until their
	// context ends.
	Deliver *deliver.Service
	Locate  *locate.Service
	// Follow calls an embedding system with every event after a position.
	Follow *follow.Service

	kernel     *kernel.Kernel
	operations []kernel.Operation
}

// New returns a service, or an error that names the port or option that is missing.
func New(p kernel.Ports, o kernel.Options) (*Service, error) {
	k, err := kernel.NewKernel(p, o)
	if err != nil {
		return nil, fmt.Errorf("siteapi: %w", err)
	}
	s := &Service{
		Office: office.New(k), Tokens: tokens.New(k), People: people.New(k), Deals: deals.New(k), Agenda: agenda.New(k), Hooks: hooks.New(k),
		Deliver: deliver.New(k), Locate: locate.New(k), Follow: follow.New(k), kernel: k,
	}
	s.Listing = s.People.Listing()
	s.Transfer = transfer.New(k, s.Listing)
	s.Imports = transfer.NewImports(k, s.Transfer)
	s.Sources = transfer.NewSources(k, s.Imports)
	s.Portals, s.Alerts = portals.New(k, s.Transfer), alerts.New(k)
	s.History = history.New(k, s.others())
	s.Requests = requests.New(k, slices.Concat(s.others(), s.History.Operations(), s.TokenOperations()))
	s.operations = s.table()
	return s, nil
}

// Kernel returns what the areas share, for use cases outside the Site API, such as those
// of operators.
func (s *Service) Kernel() *kernel.Kernel { return s.kernel }

// Identify returns the caller of a bearer token. It fails as Unauthenticated when the
// token is unknown, revoked or expired, and as Forbidden when the site or the credential
// is disabled or reaches no agency.
func (s *Service) Identify(ctx context.Context, bearer string) (kernel.Caller, error) {
	return s.Tokens.Identify(ctx, bearer)
}

// IdentifyKey returns the caller of an API key that was sent from an address; see
// tokens.Service.IdentifyKey.
func (s *Service) IdentifyKey(ctx context.Context, key string, from netip.Addr) (kernel.Caller, error) {
	return s.Tokens.IdentifyKey(ctx, key, from)
}

// Admit returns the caller of a grant that an embedding system has authenticated by its
// own means. It fails as Forbidden when the site is disabled or reaches no agency.
func (s *Service) Admit(ctx context.Context, g access.Grant) (kernel.Caller, error) {
	return s.kernel.Admit(ctx, g)
}

// Once returns the caller for one request with an idempotency key; see kernel.Kernel.Once.
func (s *Service) Once(ctx context.Context, c kernel.Caller, k kernel.IdempotencyKey) (kernel.Caller, error) {
	return s.kernel.Once(ctx, c, k)
}

// CountRequests adds to the counts of requests of credentials on a day and returns the
// sums; see kernel.Kernel.CountRequests.
func (s *Service) CountRequests(ctx context.Context, day time.Time, more map[access.CredentialID]int64) (map[access.CredentialID]int64, error) {
	return s.kernel.CountRequests(ctx, day, more)
}

// Purge removes records that are older than their retention, at most n of each kind, and
// returns how many. Run it regularly.
func (s *Service) Purge(ctx context.Context, r kernel.Retention, n int) (int, error) {
	return s.kernel.Purge(ctx, r, n)
}

// Cached returns the use of the memory for sites by kind, such as "catalogue" and
// "settings".
func (s *Service) Cached() map[string]memory.Usage { return s.kernel.Cached() }

// HasRoom reports whether a tenth of the memory for sites is free.
func (s *Service) HasRoom() bool { return s.kernel.HasRoom() }
