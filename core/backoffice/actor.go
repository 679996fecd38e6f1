package backoffice

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Actor is the operator of a request. Identify and CommandLine return one.
type Actor struct {
	Operator operator.Operator
	Session  operator.Session
	// Peer is the address of this request.
	Peer string
	// LacksPasskey reports that the operator has to add a passkey before anything else.
	LacksPasskey bool

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
// them itself.
func (a Actor) May(powers operator.Powers) bool { return a.Operator.Role.Powers().Any(powers) }

// Enter returns the caller that reads a site on behalf of an operator, with the grant of their
// role. It fails as Forbidden when the operator does not reach the site, and when the site is
// disabled or reaches no agency.
func (s *Service) Enter(ctx context.Context, a Actor, id site.ID) (kernel.Caller, error) {
	if a.LacksPasskey {
		return kernel.Caller{}, passkeyFirst()
	}
	if !a.Operator.Reaches(id) {
		return kernel.Caller{}, outOfReach()
	}
	c, err := s.k.Admit(ctx, a.Operator.Role.Grant(id))
	if err != nil {
		return kernel.Caller{}, kernel.AbsentIs(err, kernel.Unknown("there is no such site"))
	}
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
