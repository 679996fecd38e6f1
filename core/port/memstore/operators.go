package memstore

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

type operators struct{ *unit }

func (r operators) Get(id operator.ID) (operator.Operator, error) {
	return one(r.unit, r.state.operators, key(int64(id)), "operator", id, deep)
}

func (r operators) ByEmail(email string) (operator.Operator, error) {
	every, err := r.All()
	if err != nil {
		return operator.Operator{}, err
	}
	for _, o := range every {
		if o.Email == email {
			return o, nil
		}
	}
	return operator.Operator{}, absent("operator", "")
}

func (r operators) All() ([]operator.Operator, error) {
	return all(r.unit, r.state.operators, "", deep)
}

func (r operators) Add(added operator.Operator) error {
	if err := r.writing(); err != nil {
		return err
	}
	for _, o := range r.state.operators.from("") {
		if o.ID == added.ID || o.Email == added.Email {
			return port.ErrOperatorTaken
		}
	}
	return put(r.unit, &r.state.operators, key(int64(added.ID)), added, deep)
}

func (r operators) Replace(changed operator.Operator) error {
	before, err := r.Get(changed.ID)
	if err != nil {
		return err
	}
	changed.Email = before.Email
	return put(r.unit, &r.state.operators, key(int64(changed.ID)), changed, deep)
}

type sessions struct{ *unit }

func (r sessions) Get(hash access.Hash) (operator.Session, error) {
	return one(r.unit, r.state.sessions, string(hash), "session", "", same)
}

func (r sessions) Of(id operator.ID) ([]operator.Session, error) {
	found, err := all(r.unit, r.state.sessions, "", same)
	found = slices.DeleteFunc(found, func(s operator.Session) bool { return s.Operator != id })
	slices.SortStableFunc(found, func(a, b operator.Session) int { return a.Started.Compare(b.Started) })
	return found, err
}

func (r sessions) Put(s operator.Session) error {
	return put(r.unit, &r.state.sessions, string(s.Hash), s, same)
}

func (r sessions) Delete(hash access.Hash) error {
	if err := r.writing(); err != nil {
		return err
	}
	r.state.sessions = r.state.sessions.without(string(hash))
	return nil
}

func (r sessions) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.sessions, before, n, func(s operator.Session) time.Time { return s.Seen })
	return len(gone), err
}

type invitations struct{ *unit }

func (r invitations) Get(hash access.Hash) (operator.Invitation, error) {
	return one(r.unit, r.state.invitations, string(hash), "invitation", "", deep)
}

func (r invitations) All() ([]operator.Invitation, error) {
	found, err := all(r.unit, r.state.invitations, "", deep)
	slices.SortStableFunc(found, func(a, b operator.Invitation) int { return a.Added.Compare(b.Added) })
	return found, err
}

func (r invitations) Put(i operator.Invitation) error {
	return put(r.unit, &r.state.invitations, string(i.Hash), i, deep)
}

func (r invitations) Delete(hash access.Hash) error {
	return drop(r.unit, &r.state.invitations, string(hash), "invitation", "")
}

func (r invitations) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.invitations, before, n, func(i operator.Invitation) time.Time { return i.Expires })
	return len(gone), err
}

type audit struct{ *unit }

func (r audit) Append(e operator.Entry) error {
	if err := r.writing(); err != nil {
		return err
	}
	e.ID = operator.EntryID(r.store.drawn[port.AuditIDs].Add(1))
	return put(r.unit, &r.state.audit, key(int64(e.ID)), e, deep)
}

func (r audit) List(q port.AuditQuery) ([]operator.Entry, error) {
	every, err := all(r.unit, r.state.audit, "", deep)
	slices.Reverse(every)
	var found []operator.Entry
	for _, e := range every {
		if len(found) < q.Limit && wanted(e, q) {
			found = append(found, e)
		}
	}
	return found, err
}

// wanted reports whether an entry is one of those a query is about.
func wanted(e operator.Entry, q port.AuditQuery) bool {
	switch {
	case q.Before != 0 && e.ID >= q.Before,
		q.Sites != nil && !slices.Contains(q.Sites, e.Site),
		q.Operations != nil && !slices.Contains(q.Operations, e.Operation),
		q.Operator != 0 && e.Operator != q.Operator,
		!q.From.IsZero() && e.At.Before(q.From),
		!q.To.IsZero() && !e.At.Before(q.To):
		return false
	}
	return true
}

func (r audit) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.audit, before, n, func(e operator.Entry) time.Time { return e.At })
	return len(gone), err
}
