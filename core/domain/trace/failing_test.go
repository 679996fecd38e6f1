package trace_test

import (
	"fmt"
	"testing"

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
