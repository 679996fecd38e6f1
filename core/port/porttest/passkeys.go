package porttest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

func passkeyExamples() []example {
	return []example{
		{"PasskeysComeBackAsTheyWere", passkeysComeBack},
		{"ChallengesAreTakenOnce", challengesAreTaken},
		{"OldChallengesArePurged", oldChallengesGo},
	}
}

func passkeyRaces() []example {
	return []example{
		{"NoUseOfAPasskeyIsLost", noLostPasskey},
		{"OneOfManyTakesAChallenge", oneTakesTheChallenge},
	}
}

func passkeyNamed(id string, of operator.ID, added time.Time) operator.Passkey {
	return operator.Passkey{ID: id, Operator: of, Name: awkward, Record: `{"key":"` + awkward, Added: added, Used: instant(9), Copied: true}
}

func challengeNamed(hash string, expires time.Time) operator.Challenge {
	return operator.Challenge{Hash: access.Hash(hash), Purpose: operator.ToSignIn, Operator: 1 << 40, State: "{}" + awkward, Expires: expires}
}

func passkeysComeBack(t *testing.T, w *world) {
	of := operator.ID(w.id())
	name := func(s string) string { return fmt.Sprint(s, " of ", of) }
	late, upper, lower := passkeyNamed(name("a"), of, instant(2)), passkeyNamed(name("Z"), of, instant(1)), passkeyNamed(name("b"), of, instant(1))
	bare := operator.Passkey{ID: name("bare"), Operator: of}
	w.update(t, func(tx port.Tx) error {
		return each(tx.Passkeys().Put, late, lower, upper, bare, passkeyNamed(name("theirs"), operator.ID(w.id()), instant(1)))
	})
	check := func(tx port.Tx) error {
		read, err := tx.Passkeys().Get(late.ID)
		same(t, "by id", late, read)
		all, err2 := tx.Passkeys().Of(of)
		same(t, "by time", []operator.Passkey{bare, upper, lower, late}, all)
		none, err3 := tx.Passkeys().Of(operator.ID(1 << 50))
		same(t, "of nobody", 0, len(none))
		return errors.Join(err, err2, err3)
	}
	w.view(t, check)
	w.update(t, check)
	late.Name, late.Copied, late.Used = "another", false, time.Time{}
	for range 2 {
		w.update(t, func(tx port.Tx) error {
			return try(func() error { return tx.Passkeys().Put(late) }, func() error { return tx.Passkeys().Delete(lower.ID) })
		})
	}
	w.view(t, func(tx port.Tx) error {
		all, err := tx.Passkeys().Of(of)
		same(t, "after a change", []operator.Passkey{bare, upper, late}, all)
		return err
	})
	w.notFound(t, "a passkey that was removed", func(tx port.Tx) error { return second(tx.Passkeys().Get(lower.ID)) })
}

func challengesAreTaken(t *testing.T, w *world) {
	asked := challengeNamed(fmt.Sprint("asked ", w.id()), instant(1))
	w.update(t, func(tx port.Tx) error { return tx.Challenges().Put(asked) })
	w.update(t, func(tx port.Tx) error {
		taken, err := tx.Challenges().Take(asked.Hash)
		same(t, "what was asked", asked, taken)
		if _, again := tx.Challenges().Take(asked.Hash); !errors.Is(again, fault.NotFound) {
			t.Errorf("taken again in the unit: %v", again)
		}
		return err
	})
	err := w.Update(t.Context(), func(tx port.Tx) error { return second(tx.Challenges().Take(asked.Hash)) })
	if !errors.Is(err, fault.NotFound) {
		t.Errorf("taken again: %v", err)
	}
}

func oldChallengesGo(t *testing.T, w *world) {
	name := fmt.Sprint("old ", w.id(), " ")
	w.update(t, func(tx port.Tx) error {
		return each(tx.Challenges().Put, challengeNamed(name+"3", old(30)), challengeNamed(name+"1", old(10)), challengeNamed(name+"2", old(20)))
	})
	gone := func(before time.Time, n, want int) {
		t.Helper()
		w.update(t, func(tx port.Tx) error {
			went, err := tx.Challenges().Purge(before, n)
			same(t, "challenges that went", want, went)
			return err
		})
	}
	gone(old(10), 9, 0)
	gone(old(30), 1, 1)
	w.update(t, func(tx port.Tx) error { return second(tx.Challenges().Take(access.Hash(name + "2"))) })
	gone(old(31), 9, 1)
}

func noLostPasskey(t *testing.T, w *world) {
	id := fmt.Sprint("shared ", w.id())
	w.update(t, func(tx port.Tx) error { return tx.Passkeys().Put(passkeyNamed(id, 1, instant(1))) })
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		p, err := tx.Passkeys().Get(id)
		return p.Used.UnixMicro(), err
	}, func(tx port.Tx) error {
		p, err := tx.Passkeys().Get(id)
		if err != nil {
			return err
		}
		p.Used = p.Used.Add(time.Microsecond)
		return tx.Passkeys().Put(p)
	})
}

func oneTakesTheChallenge(t *testing.T, w *world) {
	for range 5 {
		asked := challengeNamed(fmt.Sprint("wanted ", w.id()), instant(1))
		w.update(t, func(tx port.Tx) error { return tx.Challenges().Put(asked) })
		var won drawn
		together(t, workers, func(ctx context.Context, worker int) error {
			err := w.Update(ctx, func(tx port.Tx) error { return second(tx.Challenges().Take(asked.Hash)) })
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
