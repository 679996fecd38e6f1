package backoffice

import (
	"context"
	"errors"
	"reflect"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// UseCase is the one shape of the use cases of operators.
type UseCase[In, Out any] func(context.Context, Actor, In) (Out, error)

// Operation is one line of the table of what operators do.
type Operation struct {
	ID, Summary string
	// Powers are those of which the role must have one; 0 is any operator.
	Powers operator.Powers
	// Reauthenticate requires that the operator gave the password or a passkey a moment ago.
	Reauthenticate bool
	// Audited reports that it leaves an entry in the audit: it changes something, or
	// hands out a secret or what is kept about somebody.
	Audited bool
	// In and Out are the types of request and answer.
	In, Out reflect.Type

	call func(context.Context, Actor, any) (any, error)
}

// Call checks the actor and carries the operation out; in must be of type o.In, the
// result is of type o.Out.
func (o Operation) Call(ctx context.Context, a Actor, in any) (any, error) { return o.call(ctx, a, in) }

// At is a request about one site.
type At[In any] struct {
	Site int64
	In   In
}

func (a At[In]) onSite() site.ID { return site.ID(a.Site) }

// sited is a request about one site, which the operator's role must hold for.
type sited interface{ onSite() site.ID }

// ErrNotProved is the cause of a refusal that goes away when the operator shows again
// who they are; see Confirm.
var ErrNotProved = errors.New("the operator has not shown for a while who they are")

// admit checks an actor against a line of the table.
func (s *Service) admit(a Actor, o Operation, in any) error {
	switch {
	case a.Operator.ID == 0 && !a.local:
		return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "sign in first")
	case !a.Operator.Role.Powers().Any(o.Powers):
		return fault.New(fault.Forbidden, fault.CodeForbidden, "your role does not allow this")
	}
	if in, about := in.(sited); about && !a.Operator.Reaches(in.onSite()) {
		return outOfReach()
	}
	if o.Reauthenticate && !a.local && !a.Session.IsProved(s.k.Moment()) {
		return fault.New(fault.Forbidden, fault.CodeForbidden, "give your password again first").Because(ErrNotProved)
	}
	return nil
}

func outOfReach() error {
	return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "your role does not hold for this site")
}

// op makes a line of the table, and puts the use case with its checks into the field
// of the API. subject says what a request is about, for the audit: a kind and a name,
// or a kind alone of what is created.
func op[In, Out any](s *Service, field *UseCase[In, Out], o Operation, subject func(In) string, use UseCase[In, Out]) Operation {
	*field = func(ctx context.Context, a Actor, in In) (Out, error) {
		var none Out
		if err := s.admit(a, o, in); err != nil {
			return none, err
		}
		if !o.Audited {
			return use(ctx, a, in)
		}
		a.note = kernel.NewNote(a.entry(o.ID, in, subject(in)))
		out, err := use(ctx, a, in)
		if err == nil {
			err = s.leave(ctx, a.note)
		}
		if err != nil {
			return none, err
		}
		return out, nil
	}
	o.In, o.Out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	o.call = func(ctx context.Context, a Actor, in any) (any, error) { return (*field)(ctx, a, in.(In)) }
	return o
}

// entry returns what the audit says of an operation that the actor is about to carry out.
func (a Actor) entry(operation string, in any, subject string) operator.Entry {
	e := operator.Entry{Operator: a.Operator.ID, Peer: a.Peer, Operation: operation, Subject: subject}
	if in, about := in.(sited); about {
		e.Site = in.onSite()
	}
	return e
}

// leave stores the entry of what had no unit of work of its own, such as reading a
// secret, before the answer is handed out.
func (s *Service) leave(ctx context.Context, note *kernel.Note) error {
	if note.Stored() {
		return nil
	}
	_, err := write(ctx, s, note, func(unit) (kernel.None, error) { return kernel.None{}, nil })
	return err
}

// through returns a use case of the Site API, carried out by an operator on a site, with
// the grant of their role.
func through[In, Out any](s *Service, use kernel.UseCase[In, Out]) UseCase[At[In], Out] {
	return func(ctx context.Context, a Actor, in At[In]) (Out, error) {
		c, err := s.Enter(ctx, a, site.ID(in.Site))
		if err != nil {
			var none Out
			return none, err
		}
		return use(ctx, c, in.In)
	}
}
