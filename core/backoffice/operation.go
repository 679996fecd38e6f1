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

// UseCase is the signature of the use cases of operators.
type UseCase[In, Out any] func(context.Context, Actor, In) (Out, error)

// Operation is one line of the table of use cases of operators.
type Operation struct {
	ID, Summary string
	// Powers are the powers of which the role must have one; 0 admits any operator.
	Powers operator.Powers
	// Clients reports that clients of the API do it too, to what is their own.
	Clients bool
	// Reauthenticate requires that the operator gave the password or a passkey a moment ago.
	Reauthenticate bool
	// WithoutPasskey reports that it can be done where passkeys are required, and before the
	// operator has one.
	WithoutPasskey bool
	// Audited stores an entry in the audit: the operation changes something, or returns a
	// secret or personal data.
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

// sited is a request about one site, which the operator must reach.
type sited interface{ onSite() site.ID }

// ErrNotProved is the cause of a refusal until the operator reauthenticates; see Confirm.
var ErrNotProved = errors.New("the operator has not shown for a while who they are")

// admit checks an actor against a line of the table.
func (s *Service) admit(a Actor, o Operation, in any) error {
	switch {
	case a.Operator.ID == 0 && a.client == nil && !a.local:
		return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "sign in first")
	case a.LacksPasskey && !o.WithoutPasskey:
		return passkeyFirst()
	case a.client != nil && !o.Clients:
		return fault.New(fault.Forbidden, fault.CodeForbidden, "only operators do this")
	case !a.May(o.Powers):
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

// op returns a line of the table, and stores the use case with its checks in the field of the
// API. subject returns the subject of a request for the audit: a kind and a name, or only a
// kind if the use case creates a record.
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

// entry returns the entry of the audit for an operation of the actor.
func (a Actor) entry(operation string, in any, subject string) operator.Entry {
	e := operator.Entry{Operator: a.Operator.ID, Client: a.Client(), Peer: a.Peer, Operation: operation, Subject: subject}
	if in, about := in.(sited); about {
		e.Site = in.onSite()
	}
	return e
}

// leave stores the entry of an operation without a unit of work of its own, such as reading a
// secret, before the answer is returned.
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
