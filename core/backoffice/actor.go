package backoffice

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Actor is the operator of a request, or a client of the API in its portal. Identify and CommandLine return one.
type Actor struct {
	Operator operator.Operator
	Session  operator.Session
	// Peer is the address of this request.
	Peer string
	// LacksPasskey reports that the operator has to add a passkey before anything else.
	LacksPasskey bool

	// client is nil for an operator. Operator has its name and sites then, and no id.
	client *access.Credential
	// local marks the command line next to the database.
	local bool
	// note is nil unless the operation is audited.
	note *kernel.Note
}

// CommandLine is the actor of the command line next to the database: its user could change
// it as they like.
func CommandLine() Actor {
	return Actor{Operator: operator.Operator{Role: operator.Administrator, Everywhere: true}, local: true}
}

// May reports whether the actor's role has one of some powers, for menus: each use case checks
// them itself. A client manages webhooks if it does so through the API.
func (a Actor) May(powers operator.Powers) bool {
	own := a.Operator.Role.Powers()
	if a.client != nil && kernel.Needs(access.Webhooks, access.HookWrite, "").Check(a.client.Grant(0)) != nil {
		own &^= operator.ManageHooks
	}
	return own.Any(powers)
}

// Client returns the client of the API that acts in its portal; empty for an operator.
func (a Actor) Client() access.CredentialID {
	if a.client == nil {
		return ""
	}
	return a.client.ID
}

// Grant returns what the actor's role stands for on a site, or what the client may do there.
func (a Actor) Grant(id site.ID) access.Grant {
	if a.client != nil {
		return a.client.Grant(id)
	}
	return a.Operator.Role.Grant(id)
}

// Enter returns the caller that reads a site on behalf of an actor, with their grant. It fails as
// Forbidden when the actor does not reach the site, and when the site is disabled or reaches no agency.
func (s *Service) Enter(ctx context.Context, a Actor, id site.ID) (kernel.Caller, error) {
	if a.LacksPasskey {
		return kernel.Caller{}, passkeyFirst()
	}
	if !a.Operator.Reaches(id) {
		return kernel.Caller{}, outOfReach()
	}
	c, err := s.k.Admit(ctx, a.Grant(id))
	if err != nil {
		return kernel.Caller{}, kernel.AbsentIs(err, kernel.Unknown("there is no such site"))
	}
	c.OwnHooks = a.client != nil
	if a.local {
		c = c.On(event.ActorOf(event.BySystem, "command"))
	}
	if a.note != nil {
		c = c.Audited(a.note)
	}
	return c, nil
}

// Sites lists the sites that the actor reaches, by id.
func (s *Service) Sites(ctx context.Context, a Actor) ([]site.Site, error) {
	if a.LacksPasskey {
		return nil, nil
	}
	every, err := view(ctx, s, func(u unit) ([]site.Site, error) { return u.Sites().All() })
	return slices.DeleteFunc(every, func(known site.Site) bool { return !a.Operator.Reaches(known.ID) }), err
}
