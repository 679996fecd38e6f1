package porttest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func operatorExamples() []example {
	return []example{
		{"OperatorsComeBackAsTheyWere", operatorsComeBack},
		{"AnEmailAndAnIdAreOneOperators", emailsAreTaken},
		{"SessionsComeBackAsTheyWere", sessionsComeBack},
		{"InvitationsComeBackAsTheyWere", invitationsComeBack},
		{"TheAuditIsListedLatestFirst", auditIsListed},
		{"TheAuditIsNarrowed", auditIsNarrowed},
		{"OldSessionsInvitationsAndEntriesArePurged", oldOperatorsGo},
	}
}

func operatorRaces() []example {
	return []example{
		{"NoChangeOfAnOperatorIsLost", noLostOperator},
		{"NoUseOfASessionIsLost", noLostSession},
		{"OneOfManyTakesAnEmail", oneTakesTheEmail},
		{"OneOfManySpendsAnInvitation", oneSpendsTheInvitation},
	}
}

func operatorNamed(id operator.ID) operator.Operator {
	return operator.Operator{
		ID: id, Email: fmt.Sprintf("o%d@example.org", id), Name: awkward, Role: operator.Reader, Sites: []site.ID{1 << 40, 2}, Everywhere: true,
		Password: "$argon2id$" + awkward, Disabled: true, Added: instant(1), SignedIn: instant(2),
	}
}

func sessionNamed(hash string, of operator.ID, at time.Time) operator.Session {
	return operator.Session{
		Hash: access.Hash(hash), Operator: of, Started: at, Seen: at.Add(time.Second), Proved: at.Add(2 * time.Second), Peer: "2001:db8::1", Agent: awkward,
	}
}

func invitationNamed(hash string, at time.Time) operator.Invitation {
	return operator.Invitation{
		Hash: access.Hash(hash), Operator: 1 << 40, Email: "new@example.org", Name: awkward, Role: operator.Privacy, Sites: []site.ID{7}, Everywhere: true,
		By: 1 << 41, Added: at, Expires: at.Add(time.Hour),
	}
}

func entryOf(s site.ID, of operator.ID, operation string, at time.Time) operator.Entry {
	return operator.Entry{
		At: at, Operator: of, Peer: "192.0.2.7", Operation: operation, Site: s, Subject: awkward,
		Changes: []operator.Change{{Field: "Name", Before: awkward, After: ""}, {Field: "Packs", After: "leads"}},
	}
}

func operatorsComeBack(t *testing.T, w *world) {
	id := operator.ID(w.id())
	o, plain := operatorNamed(id), operator.Operator{ID: operator.ID(w.id()), Email: fmt.Sprintf("plain%d@example.org", id)}
	w.update(t, func(tx port.Tx) error { return each(tx.Operators().Add, plain, o) })
	w.view(t, func(tx port.Tx) error {
		read, err := tx.Operators().Get(id)
		same(t, "by id", o, read)
		byEmail, err2 := tx.Operators().ByEmail(plain.Email)
		same(t, "by e-mail", plain, byEmail)
		return errors.Join(err, err2)
	})
	changed := operator.Operator{ID: id, Email: "another@example.org", Name: "changed", Role: operator.Integrator}
	w.update(t, func(tx port.Tx) error { return tx.Operators().Replace(changed) })
	changed.Email = o.Email
	w.view(t, func(tx port.Tx) error {
		all, err := tx.Operators().All()
		found := []operator.Operator{}
		for _, known := range all {
			if known.ID == id || known.ID == plain.ID {
				found = append(found, known)
			}
		}
		same(t, "all, by id", []operator.Operator{changed, plain}, found)
		for _, absent := range []error{
			second(tx.Operators().Get(math.MaxInt64)), second(tx.Operators().ByEmail("another@example.org")), second(tx.Operators().ByEmail("")),
		} {
			if !errors.Is(absent, fault.NotFound) {
				t.Errorf("an operator who is not there: %v", absent)
			}
		}
		return err
	})
	err := w.Update(t.Context(), func(tx port.Tx) error { return tx.Operators().Replace(operatorNamed(math.MaxInt64)) })
	if !errors.Is(err, fault.NotFound) {
		t.Errorf("to replace an operator who is not there: %v", err)
	}
}

// second is the error of a call that answers something as well.
func second[T any](_ T, err error) error { return err }

func emailsAreTaken(t *testing.T, w *world) {
	o := operatorNamed(operator.ID(w.id()))
	w.update(t, func(tx port.Tx) error { return tx.Operators().Add(o) })
	sameEmail, sameID := o, o
	sameEmail.ID, sameID.Email = operator.ID(w.id()), fmt.Sprintf("same%d@example.org", w.id())
	other := operatorNamed(operator.ID(w.id()))
	w.update(t, func(tx port.Tx) error {
		for _, taken := range []operator.Operator{sameEmail, sameID} {
			if err := tx.Operators().Add(taken); !errors.Is(err, port.ErrOperatorTaken) {
				t.Errorf("to add an operator who is there: %v", err)
			}
		}
		return tx.Operators().Add(other) // the unit is still good
	})
	w.view(t, func(tx port.Tx) error {
		kept, err := tx.Operators().ByEmail(o.Email)
		same(t, "the first", o, kept)
		_, err2 := tx.Operators().Get(other.ID)
		return errors.Join(err, err2)
	})
}

func sessionsComeBack(t *testing.T, w *world) {
	of := operator.ID(w.id())
	name := func(i int) string { return fmt.Sprintf("session %d of %d", i, of) }
	later, first := sessionNamed(name(1), of, instant(5)), sessionNamed(name(2), of, instant(3))
	w.update(t, func(tx port.Tx) error {
		return each(tx.Sessions().Put, later, first, sessionNamed(name(3), operator.ID(w.id()), instant(1)))
	})
	list := func() (found []operator.Session) {
		w.view(t, func(tx port.Tx) (err error) {
			found, err = tx.Sessions().Of(of)
			return err
		})
		return found
	}
	same(t, "by time", []operator.Session{first, later}, list())
	later.Seen, later.Proved = instant(7), instant(8)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Sessions().Put(later) },
			func() error { return tx.Sessions().Delete(first.Hash) },
			func() error { return tx.Sessions().Delete("nobody's") },
		)
	})
	same(t, "what is left", []operator.Session{later}, list())
	w.view(t, func(tx port.Tx) error {
		read, err := tx.Sessions().Get(later.Hash)
		same(t, "by hash", later, read)
		if _, err := tx.Sessions().Get(first.Hash); !errors.Is(err, fault.NotFound) {
			t.Errorf("a session that was removed: %v", err)
		}
		return err
	})
}

func invitationsComeBack(t *testing.T, w *world) {
	n := w.id()
	name := func(i int) string { return fmt.Sprintf("invitation %d of %d", i, n) }
	later, first := invitationNamed(name(1), instant(5)), invitationNamed(name(2), instant(3))
	w.update(t, func(tx port.Tx) error { return each(tx.Invitations().Put, later, first) })
	later.Role = operator.Reader
	w.update(t, func(tx port.Tx) error { return tx.Invitations().Put(later) })
	w.view(t, func(tx port.Tx) error {
		read, err := tx.Invitations().Get(later.Hash)
		same(t, "by hash", later, read)
		all, err2 := tx.Invitations().All()
		found := []operator.Invitation{}
		for _, i := range all {
			if i.Hash == later.Hash || i.Hash == first.Hash {
				found = append(found, i)
			}
		}
		same(t, "by time", []operator.Invitation{first, later}, found)
		return errors.Join(err, err2)
	})
	w.update(t, func(tx port.Tx) error { return tx.Invitations().Delete(first.Hash) })
	err := w.Update(t.Context(), func(tx port.Tx) error { return tx.Invitations().Delete(first.Hash) })
	if !errors.Is(err, fault.NotFound) {
		t.Errorf("to remove an invitation again: %v", err)
	}
}

// listed are the entries that a query finds, without their ids.
func (w *world) listed(t *testing.T, q port.AuditQuery) (found []operator.Entry) {
	t.Helper()
	w.view(t, func(tx port.Tx) (err error) {
		found, err = tx.Audit().List(q)
		return err
	})
	for i := range found {
		if i > 0 && found[i].ID != 0 && found[i].ID >= found[i-1].ID && found[i-1].ID != 0 {
			t.Errorf("entry %d comes after entry %d", found[i].ID, found[i-1].ID)
		}
	}
	plain := make([]operator.Entry, len(found))
	for i, e := range found {
		plain[i], plain[i].ID = e, 0
	}
	return plain
}

func auditIsListed(t *testing.T, w *world) {
	id := w.site(t)
	// The clock of another process may be behind.
	first, then := entryOf(id, 1<<40, "a", instant(5)), operator.Entry{At: instant(4), Operation: "b", Site: id}
	w.update(t, func(tx port.Tx) error { return each(tx.Audit().Append, first, then) })
	q := port.AuditQuery{Sites: []site.ID{id}, Limit: 10}
	same(t, "latest first", []operator.Entry{then, first}, w.listed(t, q))
	q.Limit = 1
	same(t, "one", []operator.Entry{then}, w.listed(t, q))
	w.view(t, func(tx port.Tx) error {
		page, err := tx.Audit().List(q)
		q.Before = page[0].ID
		return err
	})
	same(t, "the next", []operator.Entry{first}, w.listed(t, q))
	q.Limit = 0
	same(t, "none", []operator.Entry{}, w.listed(t, q))
}

func auditIsNarrowed(t *testing.T, w *world) {
	one, other, nobody := w.site(t), w.site(t), operator.ID(w.id())
	a, b, c := entryOf(one, nobody, "a", instant(1)), entryOf(other, nobody, "b", instant(2)), entryOf(one, operator.ID(w.id()), "b", instant(3))
	w.update(t, func(tx port.Tx) error { return each(tx.Audit().Append, a, b, c) })
	both := []site.ID{one, other}
	for name, e := range map[string]struct {
		query port.AuditQuery
		want  []operator.Entry
	}{
		"sites":         {port.AuditQuery{Sites: both}, []operator.Entry{c, b, a}},
		"one site":      {port.AuditQuery{Sites: both[:1]}, []operator.Entry{c, a}},
		"no site":       {port.AuditQuery{Sites: []site.ID{}}, nil},
		"an operation":  {port.AuditQuery{Sites: both, Operations: []string{"b", "z"}}, []operator.Entry{c, b}},
		"no operation":  {port.AuditQuery{Sites: both, Operations: []string{}}, nil},
		"an operator":   {port.AuditQuery{Operator: nobody}, []operator.Entry{b, a}},
		"since":         {port.AuditQuery{Sites: both, From: instant(2)}, []operator.Entry{c, b}},
		"until":         {port.AuditQuery{Sites: both, To: instant(3)}, []operator.Entry{b, a}},
		"all at a time": {port.AuditQuery{Sites: both, Operations: []string{"b"}, Operator: nobody, From: instant(1), To: instant(9)}, []operator.Entry{b}},
	} {
		e.query.Limit = 10
		same(t, name, e.want, w.listed(t, e.query))
	}
}

func oldOperatorsGo(t *testing.T, w *world) {
	of, id := operator.ID(w.id()), w.site(t)
	name := func(i int) string { return fmt.Sprintf("old %d of %d", i, of) }
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error {
				return each(tx.Sessions().Put, sessionNamed(name(3), of, old(30)), sessionNamed(name(1), of, old(10)), sessionNamed(name(2), of, old(20)))
			},
			func() error {
				return each(tx.Invitations().Put, invitationNamed(name(3), old(30)), invitationNamed(name(1), old(10)), invitationNamed(name(2), old(20)))
			},
			func() error {
				return each(tx.Audit().Append, entryOf(id, of, "c", old(30)), entryOf(id, of, "a", old(10)), entryOf(id, of, "b", old(20)))
			},
		)
	})
	purge := func(what string, purge func(port.Tx, time.Time, int) (int, error), margin time.Duration, left func() int) {
		t.Helper()
		gone := func(before time.Time, n, want int) {
			t.Helper()
			w.update(t, func(tx port.Tx) error {
				went, err := purge(tx, before.Add(margin), n)
				same(t, what+" that went", want, went)
				return err
			})
		}
		gone(old(10), 9, 0)
		gone(old(30), 1, 1)
		gone(old(30), 9, 1)
		same(t, what+" that are left", 1, left())
		gone(old(31), 9, 1)
	}
	purge("sessions", func(tx port.Tx, at time.Time, n int) (int, error) { return tx.Sessions().Purge(at, n) }, time.Second, func() (n int) {
		w.view(t, func(tx port.Tx) error {
			found, err := tx.Sessions().Of(of)
			n = len(found)
			return err
		})
		return n
	})
	purge("invitations", func(tx port.Tx, at time.Time, n int) (int, error) { return tx.Invitations().Purge(at, n) }, time.Hour, func() (n int) {
		w.view(t, func(tx port.Tx) error {
			all, err := tx.Invitations().All()
			for _, i := range all {
				if i.Expires.Before(old(100_000)) {
					n++
				}
			}
			return err
		})
		return n
	})
	purge("entries", func(tx port.Tx, at time.Time, n int) (int, error) { return tx.Audit().Purge(at, n) }, 0, func() int {
		return len(w.listed(t, port.AuditQuery{Operator: of, Limit: 10}))
	})
}

func noLostOperator(t *testing.T, w *world) {
	id := operator.ID(w.id())
	w.update(t, func(tx port.Tx) error { return tx.Operators().Add(operatorNamed(id)) })
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		o, err := tx.Operators().Get(id)
		return o.SignedIn.UnixMicro(), err
	}, func(tx port.Tx) error {
		o, err := tx.Operators().Get(id)
		if err != nil {
			return err
		}
		o.SignedIn = o.SignedIn.Add(time.Microsecond)
		return tx.Operators().Replace(o)
	})
}

func noLostSession(t *testing.T, w *world) {
	hash := fmt.Sprint("shared ", w.id())
	w.update(t, func(tx port.Tx) error { return tx.Sessions().Put(sessionNamed(hash, 1, instant(1))) })
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		s, err := tx.Sessions().Get(access.Hash(hash))
		return s.Seen.UnixMicro(), err
	}, func(tx port.Tx) error {
		s, err := tx.Sessions().Get(access.Hash(hash))
		if err != nil {
			return err
		}
		s.Seen = s.Seen.Add(time.Microsecond)
		return tx.Sessions().Put(s)
	})
}

func oneTakesTheEmail(t *testing.T, w *world) {
	for range 5 {
		email := fmt.Sprintf("wanted%d@example.org", w.id())
		var won drawn
		together(t, workers, func(ctx context.Context, _ int) error {
			o := operator.Operator{ID: operator.ID(w.id()), Email: email}
			err := w.Update(ctx, func(tx port.Tx) error { return tx.Operators().Add(o) })
			if err == nil {
				won.add(int64(o.ID))
			} else if errors.Is(err, port.ErrOperatorTaken) {
				err = nil
			}
			return err
		})
		won.distinct(t, 1)
	}
}

func oneSpendsTheInvitation(t *testing.T, w *world) {
	for range 5 {
		i := invitationNamed(fmt.Sprint("wanted ", w.id()), instant(1))
		w.update(t, func(tx port.Tx) error { return tx.Invitations().Put(i) })
		var won drawn
		together(t, workers, func(ctx context.Context, worker int) error {
			err := w.Update(ctx, func(tx port.Tx) error {
				if _, err := tx.Invitations().Get(i.Hash); err != nil {
					return err
				}
				return tx.Invitations().Delete(i.Hash)
			})
			if err == nil {
				won.add(int64(worker))
			} else if errors.Is(err, fault.NotFound) {
				err = nil
			}
			return err
		})
		won.distinct(t, 1)
	}
}

// operators of a place, for what a unit that fails leaves behind: each under names of
// the place's own.
func (p place) operator() operator.ID { return operator.ID(p.site) }

func (p place) operatorSeeds(tx port.Tx) error {
	return try(
		func() error { return tx.Operators().Add(operatorNamed(p.operator())) },
		func() error { return tx.Sessions().Put(sessionNamed(string(p.hash), p.operator(), instant(1))) },
		func() error { return tx.Sessions().Put(sessionNamed(string(p.stale), p.operator(), old(0))) },
		func() error { return tx.Invitations().Put(invitationNamed(string(p.hash), instant(1))) },
		func() error { return tx.Invitations().Put(invitationNamed(string(p.stale), old(0))) },
		func() error { return tx.Audit().Append(entryOf(p.site, p.operator(), "seeded", old(0))) },
		func() error { return tx.Passkeys().Put(passkeyNamed(string(p.hash), p.operator(), instant(1))) },
		func() error { return tx.Challenges().Put(challengeNamed(string(p.hash), instant(1))) },
		func() error { return tx.Challenges().Put(challengeNamed(string(p.stale), old(0))) },
	)
}

func (p place) operatorWrites(tx port.Tx) map[string]func() error {
	changed := operatorNamed(p.operator())
	changed.Name = "changed"
	return map[string]func() error{
		"add operator":      func() error { return tx.Operators().Add(operatorNamed(p.operator() + 1<<40)) },
		"replace operator":  func() error { return tx.Operators().Replace(changed) },
		"session":           func() error { return tx.Sessions().Put(sessionNamed(string(p.hash), p.operator(), instant(9))) },
		"end session":       func() error { return tx.Sessions().Delete(p.hash) },
		"purge sessions":    func() error { _, err := tx.Sessions().Purge(old(10_000), 1000); return err },
		"invitation":        func() error { return tx.Invitations().Put(invitationNamed(string(p.hash), instant(9))) },
		"spend invitation":  func() error { return tx.Invitations().Delete(p.hash) },
		"purge invitations": func() error { _, err := tx.Invitations().Purge(old(10_000), 1000); return err },
		"audit":             func() error { return tx.Audit().Append(entryOf(p.site, p.operator(), "done", instant(1))) },
		"passkey":           func() error { return tx.Passkeys().Put(passkeyNamed(string(p.hash), p.operator(), instant(9))) },
		"remove passkey":    func() error { return tx.Passkeys().Delete(string(p.hash)) },
		"challenge":         func() error { return tx.Challenges().Put(challengeNamed(string(p.hash), instant(9))) },
		"take challenge":    func() error { return second(tx.Challenges().Take(p.hash)) },
		"purge challenges":  func() error { _, err := tx.Challenges().Purge(old(1), 1000); return err },
		"purge audit":       func() error { _, err := tx.Audit().Purge(old(10_000), 1000); return err },
	}
}

// operatorPicture is what can be read of the operators of a place.
type operatorPicture struct {
	Operator    operator.Operator
	Added       bool
	Sessions    []operator.Session
	Invitations [2]operator.Invitation
	Audit       []operator.Entry
	Passkeys    []operator.Passkey
	Challenges  [2]operator.Challenge // as whoever takes them then finds them
}

func (w *world) operatorPicture(t *testing.T, p place) (c operatorPicture) {
	t.Helper()
	w.view(t, func(tx port.Tx) (err error) {
		_, added := tx.Operators().Get(p.operator() + 1<<40)
		c.Added = added == nil
		c.Invitations[0], _ = tx.Invitations().Get(p.hash)
		c.Invitations[1], _ = tx.Invitations().Get(p.stale)
		return try(
			func() error { c.Operator, err = tx.Operators().Get(p.operator()); return err },
			func() error { c.Sessions, err = tx.Sessions().Of(p.operator()); return err },
			func() error { c.Passkeys, err = tx.Passkeys().Of(p.operator()); return err },
			func() error {
				c.Audit, err = tx.Audit().List(port.AuditQuery{Sites: []site.ID{p.site}, Limit: 100})
				return err
			},
		)
	})
	undone := errors.New("undone")
	err := w.Update(t.Context(), func(tx port.Tx) error {
		c.Challenges[0], _ = tx.Challenges().Take(p.hash)
		c.Challenges[1], _ = tx.Challenges().Take(p.stale)
		return undone
	})
	if !errors.Is(err, undone) {
		t.Fatal(err)
	}
	return c
}
