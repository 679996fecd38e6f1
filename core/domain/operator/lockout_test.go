package operator_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

func bounds(most int, names ...string) (all []operator.Bound) {
	for _, name := range names {
		all = append(all, operator.Bound{Name: name, Most: most})
	}
	return all
}

// TestSoManyFailuresAMinute holds the lockout against a list of all that ever failed:
// an attempt may be made exactly if each of its names failed fewer times than its bound
// in the minute before, and else after the wait that is told, not sooner.
func TestSoManyFailuresAMinute(t *testing.T) {
	type failure struct {
		name string
		at   time.Time
	}
	rapid.Check(t, func(t *rapid.T) {
		var l operator.Lockout
		var all []failure
		now := start
		for range rapid.IntRange(1, 150).Draw(t, "attempts") {
			now = now.Add(time.Duration(rapid.Int64Range(1, 9000).Draw(t, "pause")) * time.Millisecond)
			names := []operator.Bound{
				{Name: rapid.SampledFrom([]string{"account a", "account b"}).Draw(t, "account"), Most: 20},
				{Name: rapid.SampledFrom([]string{"peer x", "peer y"}).Draw(t, "peer"), Most: operator.MaxFailures},
			}
			may := func(at time.Time) bool {
				for _, b := range names {
					recent := 0
					for _, f := range all {
						if f.name == b.Name && at.Sub(f.at) < operator.FailureWindow {
							recent++
						}
					}
					if recent >= b.Most {
						return false
					}
				}
				return true
			}
			wait := l.Try(now, names...)
			if (wait == 0) != may(now) {
				t.Fatalf("%v at %s: wait %s", names, now.Sub(start), wait)
			}
			if wait != 0 {
				if !may(now.Add(wait)) || may(now.Add(wait-1)) {
					t.Fatalf("%v at %s: %s is not when the next one may be made", names, now.Sub(start), wait)
				}
				continue
			}
			for _, b := range names {
				all = append(all, failure{b.Name, now})
			}
			if rapid.IntRange(0, 3).Draw(t, "right") == 0 {
				l.Succeeded(now, names...)
				all = slices.DeleteFunc(all, func(f failure) bool { return f.at.Equal(now) })
			}
		}
	})
}

// TestAttemptsSideBySideAllCount: whoever sends many at once has no more than who
// sends them one by one.
func TestAttemptsSideBySideAllCount(t *testing.T) {
	var l operator.Lockout
	tried := 0
	for range 1000 {
		if l.Try(start, bounds(operator.MaxFailures, "account a")...) == 0 {
			tried++
		}
	}
	if tried != operator.MaxFailures {
		t.Errorf("%d attempts, want %d", tried, operator.MaxFailures)
	}
}

func TestTheLockoutForgets(t *testing.T) {
	var l operator.Lockout
	a := bounds(operator.MaxFailures, "account a")
	for i := range 50_000 {
		l.Try(start, bounds(operator.MaxFailures, fmt.Sprint("account ", i))...)
	}
	for range operator.MaxFailures {
		l.Try(start, a...)
	}
	if l.Try(start.Add(operator.FailureWindow-1), a...) != 1 || l.Try(start.Add(operator.FailureWindow), a...) != 0 {
		t.Error("a failure counts for a minute")
	}
}
