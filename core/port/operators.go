package port

import (
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Operators holds who may sign in to the console.
type Operators struct {
	InstallationTable[operator.ID, operator.Operator]
	emails InstallationTable[string, operatorEmail]
}

// operatorEmail says whose an e-mail is: no two operators have the same one.
type operatorEmail struct {
	Email    string
	Operator operator.ID
}

// ByEmail returns the operator with an e-mail, as operator.ParseEmail writes it.
func (o Operators) ByEmail(email string) (operator.Operator, error) {
	return o.first(Query{Where: []Condition{{Field: "email", Is: Equal, Value: email}}})
}

// Add stores a new operator. On ErrTaken, there is an operator with the id or the e-mail, the
// unit of work is still good and nothing was written.
func (o Operators) Add(added operator.Operator) error {
	if err := o.add(added); err != nil {
		return err
	}
	err := o.emails.add(operatorEmail{added.Email, added.ID})
	if errors.Is(err, ErrTaken) {
		if failed := o.Delete(added.ID); failed != nil {
			return failed
		}
	}
	return err
}

// Replace stores a new state of an operator, whose e-mail stays as it is.
func (o Operators) Replace(changed operator.Operator) error {
	before, err := o.Get(changed.ID)
	if err != nil {
		return err
	}
	changed.Email = before.Email
	return o.Put(changed)
}

// Sessions holds who has signed in, by the hash of the secret of the session.
type Sessions struct {
	InstallationTable[access.Hash, operator.Session]
}

// Of lists the sessions of an operator, the first that was started first.
func (s Sessions) Of(id operator.ID) ([]operator.Session, error) {
	return inTime(func(s operator.Session) time.Time { return s.Started })(s.find(ofOperator(id)))
}

func ofOperator(id operator.ID) Query {
	return Query{Where: []Condition{{Field: "operator_id", Is: Equal, Value: int64(id)}}, Limit: All}
}

// inTime sorts records by a moment.
func inTime[T any](at func(T) time.Time) func([]T, error) ([]T, error) {
	return func(found []T, err error) ([]T, error) {
		slices.SortStableFunc(found, func(a, b T) int { return at(a).Compare(at(b)) })
		return found, err
	}
}

// Purge removes at most n sessions that were last seen before the given moment, and
// reports how many.
func (s Sessions) Purge(before time.Time, n int) (int, error) { return s.purge("seen_at", before, n) }

// Invitations holds who may become an operator, by the hash of the secret in the
// link.
type Invitations struct {
	InstallationTable[access.Hash, operator.Invitation]
}

// All lists the invitations, the first that was added first.
func (i Invitations) All() ([]operator.Invitation, error) {
	return inTime(func(i operator.Invitation) time.Time { return i.Added })(i.InstallationTable.All())
}

// Purge removes at most n invitations that expired before the given moment, and
// reports how many.
func (i Invitations) Purge(before time.Time, n int) (int, error) {
	return i.purge("expires_at", before, n)
}

// Audit holds what operators did. Entries are never changed, and go only by their
// age.
type Audit struct {
	entries InstallationTable[operator.EntryID, operator.Entry]
	ids     Sequencer
}

// Append adds an entry, whose id it draws.
func (a Audit) Append(e operator.Entry) error {
	ids, err := a.ids.NextIDs(AuditIDs, 1)
	if err != nil {
		return err
	}
	e.ID = operator.EntryID(ids[0])
	return a.entries.Put(e)
}

// List finds entries, latest first.
func (a Audit) List(q AuditQuery) ([]operator.Entry, error) {
	var where conditions
	where.add(q.Sites != nil, AmongIDs("about", q.Sites))
	where.add(q.Operations != nil, AmongTexts("operation", q.Operations))
	where.add(q.Operator != 0, Condition{Field: "operator_id", Is: Equal, Value: int64(q.Operator)})
	where.add(!q.From.IsZero(), Condition{Field: "done_at", Is: AtLeast, Value: q.From})
	where.add(!q.To.IsZero(), Condition{Field: "done_at", Is: Below, Value: q.To})
	where.add(q.Before != 0, Condition{Field: "id", Is: Below, Value: int64(q.Before)})
	return a.entries.find(Query{Where: where, Desc: true, Limit: max(q.Limit, 0)})
}

// Purge removes at most n entries older than the given moment, the oldest first,
// and reports how many.
func (a Audit) Purge(before time.Time, n int) (int, error) {
	return a.entries.purge("done_at", before, n)
}

// AuditQuery says which entries of the audit are wanted.
type AuditQuery struct {
	// Sites are those the entries are about; 0 is no site in particular. Nil is every
	// site, and none.
	Sites []site.ID
	// Operations are their names in the table of operations; nil is every one.
	Operations []string
	// Operator is who did it; 0 is anybody.
	Operator operator.ID
	// From and To bound when it was done, From included; zero is no bound.
	From, To time.Time
	// Before is the entry after which to go on; 0 is the beginning.
	Before operator.EntryID
	Limit  int
}

// Passwords turns passwords into hashes that are slow to try, and checks them. What
// it costs does not depend on the password.
type Passwords interface {
	// Hash makes a hash, with everything that Verify needs to know. It takes noticeable
	// time and memory.
	Hash(password string) (string, error)
	// Verify reports whether a hash was made of a password, at the price of Hash. The
	// empty hash is that of no password, at the same price.
	Verify(hash, password string) (bool, error)
	// IsCommon reports whether a password is one that many people have.
	IsCommon(password string) bool
}
