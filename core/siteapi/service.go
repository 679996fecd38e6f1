// Package siteapi is the Site API: the areas of use cases and the engines behind
// them, put together over some ports, and the table of operations that publishes
// the use cases. It decides and it asks its ports; it speaks no transport.
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
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
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
// service.People.Unchecked() do not. A Caller comes from Identify, for the bearer
// of a token, from IdentifyKey, for who sends an API key, or from Admit, for whoever
// an embedding system has authenticated.
type Service struct {
	// Office is sites, agencies, users and the vocabulary of a site.
	Office *office.Service
	// Tokens is tokens and the clients that may have them.
	Tokens *tokens.Service
	// Listing is products, their search, pictures and actions.
	Listing *listing.Service
	// People is customers, what they look for, leads and matches.
	People *people.Service
	// Deals is offers, sale agreements and leases. Its FollowClock stores what the
	// clock makes of them, until its context ends.
	Deals *deals.Service
	// Agenda is calendar events, working time, duty rosters and online booking. Its
	// FollowClock tells of reminders, until its context ends.
	Agenda *agenda.Service
	// Hooks is webhooks, their deliveries as a log, and the ledger.
	Hooks *hooks.Service
	// Requests is what became of requests, and how many there were.
	Requests *requests.Service
	// Transfer is provisioning, import and export.
	Transfer *transfer.Service
	// Imports is imports that run in the background. It carries them out until its
	// context ends.
	Imports *transfer.Imports
	// Deliver is the engine that delivers to webhooks, Locate the one that looks up
	// addresses. Both run until their context ends.
	Deliver *deliver.Service
	Locate  *locate.Service
	// Follow tells an embedding system of what happened, from where it was told before.
	Follow *follow.Service

	kernel     *kernel.Kernel
	operations []kernel.Operation
}

// New makes a service, or says which port or option is missing.
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
	s.Requests = requests.New(k, slices.Concat(s.others(), s.TokenOperations()))
	s.operations = s.table()
	return s, nil
}

// Kernel is what the areas share, for use cases that are not of the Site API, such as
// those of operators.
func (s *Service) Kernel() *kernel.Kernel { return s.kernel }

// Identify finds out whom a bearer token speaks for. It fails as
// Unauthenticated when the token is unknown, revoked or expired, and as
// Forbidden when the site or the credential is disabled or reaches no agency.
func (s *Service) Identify(ctx context.Context, bearer string) (kernel.Caller, error) {
	return s.Tokens.Identify(ctx, bearer)
}

// IdentifyKey finds out whom an API key speaks for that was sent from an address;
// see tokens.Service.IdentifyKey.
func (s *Service) IdentifyKey(ctx context.Context, key string, from netip.Addr) (kernel.Caller, error) {
	return s.Tokens.IdentifyKey(ctx, key, from)
}

// Admit makes a caller of a grant that an embedding system has authenticated by
// its own means. It is Forbidden when the site is disabled or reaches no agency.
func (s *Service) Admit(ctx context.Context, g access.Grant) (kernel.Caller, error) {
	return s.kernel.Admit(ctx, g)
}

// Once is the caller for one request with an idempotency key; see kernel.Kernel.Once.
func (s *Service) Once(ctx context.Context, c kernel.Caller, k kernel.IdempotencyKey) (kernel.Caller, error) {
	return s.kernel.Once(ctx, c, k)
}

// CountRequests adds to the requests that credentials sent on a day; see
// kernel.Kernel.CountRequests.
func (s *Service) CountRequests(ctx context.Context, day time.Time, more map[access.CredentialID]int64) (map[access.CredentialID]int64, error) {
	return s.kernel.CountRequests(ctx, day, more)
}

// Purge removes what is older than its retention, at most n records of each kind,
// and reports how many went. Run it now and then.
func (s *Service) Purge(ctx context.Context, r kernel.Retention, n int) (int, error) {
	return s.kernel.Purge(ctx, r, n)
}

// Cached tells what is kept of sites in memory, by kind such as "catalogue" and
// "settings", and what became of it.
func (s *Service) Cached() map[string]memory.Usage { return s.kernel.Cached() }

// HasRoom reports whether a tenth of the memory for what is kept of sites is free.
func (s *Service) HasRoom() bool { return s.kernel.HasRoom() }
