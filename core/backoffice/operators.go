package backoffice

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// OperatorPath names an operator.
type OperatorPath struct{ ID int64 }

// OperatorRecord is an operator as an administrator sees them.
type OperatorRecord struct {
	ID          int64
	Email, Name string
	Role        operator.Role
	Sites       []site.ID
	Everywhere  bool
	Disabled    bool
	Added       kernel.Instant
	SignedIn    *kernel.Instant
	// Managed reports that the actor may change this operator.
	Managed bool
}

// InvitationRecord is an invitation that was not accepted yet.
type InvitationRecord struct {
	ID             string
	Email, Name    string
	Role           operator.Role
	Sites          []site.ID
	Everywhere     bool
	By             int64
	Added, Expires kernel.Instant
}

// OperatorList is who may sign in, and who is invited.
type OperatorList struct {
	Operators   []OperatorRecord
	Invitations []InvitationRecord
}

func (s *Service) listOperators(ctx context.Context, a Actor, _ kernel.Nothing) (OperatorList, error) {
	return view(ctx, s, func(u unit) (OperatorList, error) {
		l := OperatorList{Operators: []OperatorRecord{}, Invitations: []InvitationRecord{}}
		everybody, err := u.Operators().All()
		if err != nil {
			return l, err
		}
		for _, o := range everybody {
			l.Operators = append(l.Operators, OperatorRecord{
				ID: int64(o.ID), Email: o.Email, Name: o.Name, Role: o.Role, Sites: o.Sites, Everywhere: o.Everywhere, Disabled: o.Disabled,
				Added: kernel.Instant{Time: o.Added}, SignedIn: kernel.When(o.SignedIn), Managed: a.Operator.Outranks(o.Role, o.Sites, o.Everywhere),
			})
		}
		invited, err := u.Invitations().All()
		for _, i := range invited {
			if i.Valid(u.Now) && !i.IsSetUp() {
				l.Invitations = append(l.Invitations, InvitationRecord{
					ID: string(i.Hash), Email: i.Email, Name: i.Name, Role: i.Role, Sites: i.Sites, Everywhere: i.Everywhere, By: int64(i.By),
					Added: kernel.Instant{Time: i.Added}, Expires: kernel.Instant{Time: i.Expires},
				})
			}
		}
		return l, err
	})
}

// managed reads an operator whom the actor may change; they are locked until the unit
// ends.
func (u unit) managed(a Actor, id operator.ID) (operator.Operator, error) {
	known, err := u.Operators().Get(id)
	if err != nil {
		return known, kernel.AbsentIs(err, kernel.Unknown("there is no such operator"))
	}
	if !a.Operator.Outranks(known.Role, known.Sites, known.Everywhere) {
		return known, notYours()
	}
	return known, nil
}

func notYours() error {
	return fault.New(fault.Forbidden, fault.CodeForbidden, "the operator has more than you have yourself")
}

// ChangeOperator gives an operator another name or post.
type ChangeOperator struct {
	ID   int64
	Name string
	Post
}

func (s *Service) changeOperator(ctx context.Context, a Actor, in ChangeOperator) (kernel.None, error) {
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) {
		if err := u.holdAll(); err != nil {
			return kernel.None{}, err
		}
		before, err := u.managed(a, operator.ID(in.ID))
		if err != nil {
			return kernel.None{}, err
		}
		var problems fault.Problems
		after := before
		_, after.Name = checkPerson(before.Email, in.Name, &problems)
		if after.Role, after.Sites, err = u.read(in.Post, a.Operator, &problems); err != nil {
			return kernel.None{}, err
		}
		after.Everywhere = in.Everywhere
		if err := problems.Err(); err != nil {
			return kernel.None{}, err
		}
		return kernel.None{}, u.replace(before, after)
	})
}

// DisableOperator keeps an operator out, or lets them in again.
type DisableOperator struct {
	ID       int64
	Disabled bool
}

// disableOperator ends every session of the operator.
func (s *Service) disableOperator(ctx context.Context, a Actor, in DisableOperator) (kernel.None, error) {
	return write(ctx, s, a.note, func(u unit) (kernel.None, error) {
		if err := u.holdAll(); err != nil {
			return kernel.None{}, err
		}
		before, err := u.managed(a, operator.ID(in.ID))
		if err != nil {
			return kernel.None{}, err
		}
		after := before
		after.Disabled = in.Disabled
		return kernel.None{}, kernel.FirstError(u.replace(before, after), u.endAll(before.ID, ""))
	})
}

// holdAll locks every operator, in the order of their ids: whether there is
// another administrator is decided in turns.
func (u unit) holdAll() error {
	everybody, err := u.Operators().All()
	if err != nil {
		return err
	}
	for _, o := range everybody {
		if _, err := u.Operators().Get(o.ID); err != nil {
			return err
		}
	}
	return nil
}

// replace stores a new state of an operator. Somebody must be left who can do
// everything.
func (u unit) replace(before, after operator.Operator) error {
	if before.CanAll() && !after.CanAll() {
		everybody, err := u.Operators().All()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(everybody, func(o operator.Operator) bool { return o.ID != before.ID && o.CanAll() }) {
			return fault.New(fault.Conflict, fault.CodeConflict, "nobody else could manage operators everywhere")
		}
	}
	u.Changed(stateOf(before), stateOf(after))
	return u.Operators().Replace(after)
}

// operatorState is what the audit says of an operator.
type operatorState struct {
	Name       string
	Role       string `trace:"keep"`
	Sites      []site.ID
	Everywhere bool
	Disabled   bool
}

func stateOf(o operator.Operator) operatorState {
	return operatorState{o.Name, string(o.Role), o.Sites, o.Everywhere, o.Disabled}
}
