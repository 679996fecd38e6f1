package operator_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// TestAtMostTenFailuresAMinute holds the lockout against a list of all that ever
// failed: an attempt may be made exactly if each of its names failed fewer than ten
// times in the minute before.
func TestAtMostTenFailuresAMinute(t *testing.T) {
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
			names := []string{
				rapid.SampledFrom([]string{"account a", "account b"}).Draw(t, "account"), rapid.SampledFrom([]string{"peer x", "peer y"}).Draw(t, "peer"),
			}
			may := true
			for _, name := range names {
				recent := 0
				for _, f := range all {
					if f.name == name && now.Sub(f.at) < operator.FailureWindow {
						recent++
					}
				}
				may = may && recent < operator.MaxFailures
			}
			if l.Try(now, names...) != may {
				t.Fatalf("%v at %s: may %v", names, now.Sub(start), may)
			}
			if !may {
				continue
			}
			for _, name := range names {
				all = append(all, failure{name, now})
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
		if l.Try(start, "account a") {
			tried++
		}
	}
	if tried != operator.MaxFailures {
		t.Errorf("%d attempts, want %d", tried, operator.MaxFailures)
	}
}

func TestTheLockoutForgets(t *testing.T) {
	var l operator.Lockout
	for i := range 50_000 {
		l.Try(start, fmt.Sprint("account ", i))
	}
	for range operator.MaxFailures {
		l.Try(start, "account a")
	}
	if l.Try(start.Add(operator.FailureWindow-1), "account a") || !l.Try(start.Add(operator.FailureWindow), "account a") {
		t.Error("a failure counts for a minute")
	}
}
