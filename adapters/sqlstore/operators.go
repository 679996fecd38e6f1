package sqlstore

import (
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

var operators = mapping[operator.Operator]{
	table: "operator",
	keys:  []string{"id"},
	row: func(o *operator.Operator) row {
		return row{
			{"id", whole(&o.ID)}, {"email", text(&o.Email)}, {"name", text(&o.Name)}, {"role", text(&o.Role)}, {"sites", document(&o.Sites)},
			{"everywhere", &o.Everywhere}, {"password", text(&o.Password)}, {"disabled", &o.Disabled}, {"added_at", instant(&o.Added)},
			{"signed_in_at", instant(&o.SignedIn)},
		}
	},
}

type operatorRole struct{ tx *tx }

// holding is the statement of a read, which in a unit that writes holds what it finds.
func (t *tx) holding(find squirrel.SelectBuilder) string {
	if t.writes {
		find = find.Suffix(t.store.dialect.Held)
	}
	return t.store.text(find)
}

func (r operatorRole) Get(id operator.ID) (operator.Operator, error) {
	return one(r.tx, operators, r.tx.holding(operators.find("id = ?")), int64(id))
}

func (r operatorRole) ByEmail(email string) (operator.Operator, error) {
	return one(r.tx, operators, r.tx.store.text(operators.find("email = ?")), email)
}

func (r operatorRole) All() ([]operator.Operator, error) {
	return list(r.tx, operators, r.tx.store.text(operators.find("1 = 1").OrderBy("id")))
}

func (r operatorRole) Add(o operator.Operator) error {
	n, err := write(r.tx, operators, r.tx.store.text(operators.insert().Suffix("ON CONFLICT DO NOTHING")), o)
	if err == nil && n == 0 {
		err = port.ErrOperatorTaken
	}
	return err
}

func (r operatorRole) Replace(o operator.Operator) error {
	before, err := r.Get(o.ID)
	if err != nil {
		return err
	}
	o.Email = before.Email
	return put(r.tx, operators, o)
}

var sessions = mapping[operator.Session]{
	table: "operator_session",
	keys:  []string{"hash"},
	row: func(s *operator.Session) row {
		return row{
			{"hash", text(&s.Hash)}, {"operator_id", whole(&s.Operator)}, {"started_at", instant(&s.Started)}, {"seen_at", instant(&s.Seen)},
			{"proved_at", instant(&s.Proved)}, {"peer", text(&s.Peer)}, {"agent", text(&s.Agent)},
		}
	},
}

type sessionRole struct{ tx *tx }

func (r sessionRole) Get(hash access.Hash) (operator.Session, error) {
	return one(r.tx, sessions, r.tx.holding(sessions.find("hash = ?")), string(hash))
}

func (r sessionRole) Of(id operator.ID) ([]operator.Session, error) {
	return list(r.tx, sessions, r.tx.store.text(sessions.find("operator_id = ?").OrderBy("started_at", "hash")), int64(id))
}

func (r sessionRole) Put(s operator.Session) error { return put(r.tx, sessions, s) }

func (r sessionRole) Delete(hash access.Hash) error {
	_, err := r.tx.exec(r.tx.store.text(squirrel.Delete(sessions.table).Where("hash = ?")), string(hash))
	return err
}

func (r sessionRole) Purge(before time.Time, n int) (int, error) {
	return purge(r.tx, sessions, "seen_at", before, n)
}

var invitations = mapping[operator.Invitation]{
	table: "operator_invitation",
	keys:  []string{"hash"},
	row: func(i *operator.Invitation) row {
		return row{
			{"hash", text(&i.Hash)}, {"operator_id", whole(&i.Operator)}, {"email", text(&i.Email)}, {"name", text(&i.Name)}, {"role", text(&i.Role)},
			{"sites", document(&i.Sites)}, {"everywhere", &i.Everywhere}, {"invited_by", whole(&i.By)}, {"added_at", instant(&i.Added)},
			{"expires_at", instant(&i.Expires)},
		}
	},
}

type invitationRole struct{ tx *tx }

func (r invitationRole) Get(hash access.Hash) (operator.Invitation, error) {
	return one(r.tx, invitations, r.tx.holding(invitations.find("hash = ?")), string(hash))
}

func (r invitationRole) All() ([]operator.Invitation, error) {
	return list(r.tx, invitations, r.tx.store.text(invitations.find("1 = 1").OrderBy("added_at", "hash")))
}

func (r invitationRole) Put(i operator.Invitation) error { return put(r.tx, invitations, i) }

func (r invitationRole) Delete(hash access.Hash) error {
	n, err := r.tx.exec(r.tx.store.text(squirrel.Delete(invitations.table).Where("hash = ?")), string(hash))
	if err == nil && n == 0 {
		err = fault.NotFound
	}
	return err
}

func (r invitationRole) Purge(before time.Time, n int) (int, error) {
	return purge(r.tx, invitations, "expires_at", before, n)
}

var auditEntries = mapping[operator.Entry]{
	table: "audit",
	keys:  []string{"id"},
	row: func(e *operator.Entry) row {
		return row{
			{"id", whole(&e.ID)}, {"done_at", instant(&e.At)}, {"operator_id", whole(&e.Operator)}, {"peer", text(&e.Peer)},
			{"operation", text(&e.Operation)}, {"site_id", whole(&e.Site)}, {"subject", text(&e.Subject)}, {"changes", document(&e.Changes)},
		}
	},
}

type auditRole struct{ tx *tx }

func (r auditRole) Append(e operator.Entry) error {
	ids, err := r.tx.NextIDs(port.AuditIDs, 1)
	if err != nil {
		return err
	}
	e.ID = operator.EntryID(ids[0])
	_, err = write(r.tx, auditEntries, r.tx.store.text(auditEntries.insert()), e)
	return err
}

func (r auditRole) List(q port.AuditQuery) ([]operator.Entry, error) {
	if q.Operations != nil && len(q.Operations) == 0 {
		return nil, r.tx.reading()
	}
	s := searchOf(auditEntries, "1 = 1")
	s.narrow(q.Before != 0, "id < ?", int64(q.Before))
	s.narrow(q.Operator != 0, "operator_id = ?", int64(q.Operator))
	s.narrow(!q.From.IsZero(), "done_at >= ?", micros(q.From))
	s.narrow(!q.To.IsZero(), "done_at < ?", micros(q.To))
	if q.Sites != nil {
		sites := make([]int64, len(q.Sites))
		for i, id := range q.Sites {
			sites[i] = int64(id)
		}
		s.narrow(true, "site_id "+r.tx.store.dialect.Among, r.tx.store.dialect.Numbers(sites))
	}
	s.among("operation", q.Operations)
	s.order(true, "id")
	return s.page(r.tx, q.Limit, 0)
}

func (r auditRole) Purge(before time.Time, n int) (int, error) {
	return purge(r.tx, auditEntries, "done_at", before, n)
}
