package trace_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

func TestAClientFailsThatIsRefusedOftenAndMostly(t *testing.T) {
	for _, c := range []struct {
		by                access.CredentialID
		answered, refused int64
		fails             bool
	}{{"a", 0, 20, true}, {"a", 0, 19, false}, {"a", 30, 31, true}, {"a", 30, 30, false}, {"", 0, 99, false}} {
		b := trace.Balance{Credential: c.by, Answered: c.answered, Refused: c.refused}
		if b.Failing() != c.fails {
			t.Errorf("%+v: %v", b, b.Failing())
		}
	}
}

func TestBalancesAddUpWhatWasAnsweredAndRefused(t *testing.T) {
	count := func(by access.CredentialID, class int, n int64) trace.Count {
		return trace.Count{Kind: trace.Kind{Credential: by, Class: class}, Tally: trace.Tally{N: n}}
	}
	got := trace.Balances([]trace.Count{count("b", 2, 1), count("a", 4, 2), count("b", 5, 3), count("a", 4, 4), count("b", 3, 5)})
	if fmt.Sprint(got) != "[{a 0 6} {b 6 3}]" {
		t.Error(got)
	}
}

// A client fails to sign in when it was not answered since, or again and again; one that refreshes
// a token that has expired does not.
func TestWhoFailsToSignIn(t *testing.T) {
	from := time.Date(2026, 9, 16, 12, 0, 0, 0, time.UTC)
	minute := func(m int) time.Time { return from.Add(time.Duration(m) * time.Minute) }
	counts := func(class int, minutes ...int) (all []trace.Count) {
		for _, m := range minutes {
			all = append(all, trace.Count{Kind: trace.Kind{Credential: "shop", Class: class}, Start: minute(m), Tally: trace.Tally{N: 1}})
		}
		return all
	}
	for name, c := range map[string]struct {
		at []trace.Count
		// answered is the minute in which a request to the site was answered last, or -1.
		answered    int
		n, sinceMin int
	}{
		"never":                    {nil, -1, 0, 0},
		"twice":                    {counts(4, 2, 3), -1, 0, 0},
		"three times":              {counts(4, 2, 3, 3), -1, 3, 2},
		"answered before":          {counts(4, 5, 5, 6), 4, 3, 5},
		"answered since":           {counts(4, 5, 5, 6), 7, 0, 0},
		"signed in since":          {append(counts(4, 5, 5, 6), counts(2, 8)...), -1, 0, 0},
		"again and again, of two":  {append(counts(4, 1, 11, 21, 31, 41), counts(2, 50)...), 59, 5, 1},
		"failed with what it sent": {counts(5, 1, 1, 1, 1), -1, 0, 0},
	} {
		answered := map[access.CredentialID]time.Time{}
		if c.answered >= 0 {
			trace.LastAnswered(answered, counts(2, c.answered))
		}
		got := trace.FailingSignIns(c.at, answered)
		if c.n == 0 && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0].N != int64(c.n) || !got[0].Since.Equal(minute(c.sinceMin)) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
