package porttest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

func TestAnEmailAndAnIDAreOneOperators(t *testing.T) {
	w := &world{Store: memstore.New()}
	ada := operator.Operator{ID: 1, Email: "ada@example.org", Name: "Ada"}
	w.update(t, func(tx port.Tx) error { return tx.Operators().Add(ada) })
	w.update(t, func(tx port.Tx) error {
		for _, taken := range []operator.Operator{{ID: 2, Email: ada.Email}, {ID: 1, Email: "eve@example.org"}} {
			if err := tx.Operators().Add(taken); !errors.Is(err, port.ErrTaken) {
				t.Errorf("adding an operator who is there: %v", err)
			}
		}
		return tx.Operators().Add(operator.Operator{ID: 3, Email: "eve@example.org"}) // the unit is still good
	})
	w.update(t, func(tx port.Tx) error {
		return tx.Operators().Replace(operator.Operator{ID: 1, Email: "another@example.org", Name: "Ada L."})
	})
	ada.Name = "Ada L."
	w.view(t, func(tx port.Tx) error {
		kept, err := tx.Operators().ByEmail(ada.Email)
		same(t, "by e-mail", ada, kept)
		all, err2 := tx.Operators().All()
		same(t, "all", []operator.Operator{ada, {ID: 3, Email: "eve@example.org"}}, all)
		return errors.Join(err, err2)
	})
	w.notFound(t, "an unknown e-mail", func(tx port.Tx) error { _, err := tx.Operators().ByEmail("another@example.org"); return err })
	w.notFound(t, "an unknown operator", func(tx port.Tx) error { return tx.Operators().Replace(operator.Operator{ID: 2}) })
}

func TestSessionsInvitationsAndPasskeysAreListedInTime(t *testing.T) {
	w := &world{Store: memstore.New()}
	w.update(t, func(tx port.Tx) error {
		for n, hash := range []access.Hash{"c", "B", "a"} {
			at := instant(10 - n)
			if err := try(
				func() error {
					return tx.Sessions().Put(operator.Session{Hash: hash, Operator: 1, Started: at, Seen: at})
				},
				func() error { return tx.Invitations().Put(operator.Invitation{Hash: hash, Added: at, Expires: at}) },
				func() error { return tx.Passkeys().Put(operator.Passkey{ID: string(hash), Operator: 1, Added: at}) },
				func() error { return tx.Challenges().Put(operator.Challenge{Hash: hash, Expires: at}) },
			); err != nil {
				return err
			}
		}
		return errors.Join(tx.Sessions().Put(operator.Session{Hash: "d", Operator: 2, Seen: instant(99)}), tx.Passkeys().Put(operator.Passkey{ID: "d", Operator: 2}))
	})
	listed := func(want ...string) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			var ids [3][]string
			sessions, err := tx.Sessions().Of(1)
			for _, s := range sessions {
				ids[0] = append(ids[0], string(s.Hash))
			}
			invitations, err2 := tx.Invitations().All()
			for _, i := range invitations {
				ids[1] = append(ids[1], string(i.Hash))
			}
			passkeys, err3 := tx.Passkeys().Of(1)
			for _, p := range passkeys {
				ids[2] = append(ids[2], p.ID)
			}
			same(t, "sessions, invitations and passkeys", [3][]string{want, want, want}, ids)
			return errors.Join(err, err2, err3)
		})
	}
	listed("a", "B", "c")
	w.update(t, func(tx port.Tx) error {
		for what, purge := range map[string]func(time.Time, int) (int, error){
			"sessions": tx.Sessions().Purge, "invitations": tx.Invitations().Purge, "challenges": tx.Challenges().Purge,
		} {
			none, err := purge(instant(8), 9)
			one, err2 := purge(instant(10), 1)
			same(t, what+" that went", []int{0, 1}, []int{none, one})
			if err := errors.Join(err, err2); err != nil {
				return err
			}
		}
		return errors.Join(tx.Passkeys().Discard("a"), tx.Passkeys().Discard("a"), tx.Sessions().Discard("a"))
	})
	listed("B", "c")
	w.update(t, func(tx port.Tx) error {
		taken, err := tx.Challenges().Take("B")
		same(t, "what was asked", operator.Challenge{Hash: "B", Expires: instant(9)}, taken)
		if _, again := tx.Challenges().Take("B"); !errors.Is(again, fault.NotFound) {
			t.Errorf("taken again: %v", again)
		}
		return err
	})
}

func TestAnIdentityIsOneOperators(t *testing.T) {
	w := &world{Store: memstore.New()}
	first := operator.Identity{ID: operator.IdentityID("https://id.example.org", "ada"), Operator: 1, Added: instant(2)}
	second := operator.Identity{ID: operator.IdentityID("https://id.example.org", "Ada"), Operator: 1, Added: instant(1)}
	w.update(t, func(tx port.Tx) error { return errors.Join(tx.Identities().Add(first), tx.Identities().Add(second)) })
	w.update(t, func(tx port.Tx) error {
		if err := tx.Identities().Add(operator.Identity{ID: first.ID, Operator: 2}); !errors.Is(err, port.ErrTaken) {
			t.Errorf("adding an identity that is there: %v", err)
		}
		return nil // the unit is still good
	})
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Identities().Of(1)
		same(t, "those of an operator", []operator.Identity{second, first}, found)
		none, err2 := tx.Identities().Of(2)
		same(t, "those of another one", 0, len(none))
		return errors.Join(err, err2)
	})
}

// The ids of entries are drawn, and say in which order they were added.
func TestTheAuditIsNarrowed(t *testing.T) {
	w := &world{Store: memstore.New()}
	entry := func(id operator.EntryID, of site.ID, by operator.ID, operation string, at int) operator.Entry {
		return operator.Entry{ID: id, At: instant(at), Operator: by, Operation: operation, Site: of, Changes: []edit.Edit{{Field: "Name"}}}
	}
	// The clock of another process may be behind.
	a, b, c := entry(1, 7, 1, "a", 3), entry(2, 8, 1, "b", 2), entry(3, 7, 2, "b", 1)
	w.update(t, func(tx port.Tx) error { return each(tx.Audit().Append, a, b, c) })
	for name, e := range map[string]struct {
		query port.AuditQuery
		want  []operator.Entry
	}{
		"everything":    {port.AuditQuery{}, []operator.Entry{c, b, a}},
		"sites":         {port.AuditQuery{Sites: []site.ID{7, 9}}, []operator.Entry{c, a}},
		"no site":       {port.AuditQuery{Sites: []site.ID{}}, nil},
		"an operation":  {port.AuditQuery{Operations: []string{"b", "z"}}, []operator.Entry{c, b}},
		"no operation":  {port.AuditQuery{Operations: []string{}}, nil},
		"an operator":   {port.AuditQuery{Operator: 1}, []operator.Entry{b, a}},
		"since":         {port.AuditQuery{From: instant(2)}, []operator.Entry{b, a}},
		"until":         {port.AuditQuery{To: instant(3)}, []operator.Entry{c, b}},
		"before":        {port.AuditQuery{Before: 3}, []operator.Entry{b, a}},
		"all at a time": {port.AuditQuery{Sites: []site.ID{8}, Operations: []string{"b"}, Operator: 1, From: instant(1), To: instant(9), Before: 9}, []operator.Entry{b}},
	} {
		w.view(t, func(tx port.Tx) error {
			for limit := range 4 {
				e.query.Limit = limit
				found, err := tx.Audit().List(e.query)
				same(t, fmt.Sprint(name, ", at most ", limit), e.want[:min(limit, len(e.want))], found)
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	w.update(t, func(tx port.Tx) error {
		gone, err := tx.Audit().Purge(instant(3), 1)
		left, err2 := tx.Audit().List(port.AuditQuery{Limit: 9})
		same(t, "what is left when the oldest went", []operator.Entry{b, a}, left)
		same(t, "what went", 1, gone)
		return errors.Join(err, err2)
	})
}

func TestTheApplicationLogGrows(t *testing.T) {
	w := &world{Store: memstore.New()}
	w.update(t, func(tx port.Tx) error {
		for n := range 3 {
			if err := tx.Log().Append(port.LogEntry{ID: 1, Site: 7, At: instant(3 - n), Message: fmt.Sprint(n)}); err != nil {
				return err
			}
		}
		return tx.Log().Append(port.LogEntry{Site: 8, At: instant(9)})
	})
	after := func(id int64, want ...string) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			var messages []string
			found, err := tx.Log().After(7, id, 2)
			for _, e := range found {
				messages = append(messages, e.Message)
			}
			same(t, fmt.Sprint("entries after ", id), want, messages)
			return err
		})
	}
	after(0, "0", "1")
	after(1, "1", "2")
	w.update(t, func(tx port.Tx) error {
		gone, err := tx.Log().Purge(instant(3), 1)
		same(t, "entries that went", 1, gone)
		return err
	})
	after(1, "1")
}
