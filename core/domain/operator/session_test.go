package operator_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

var start = time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)

// TestASessionIsGoodAsLongAsItIsUsed: at every moment, a session that is used at some
// moments is good exactly if its last use, to the minute, is less than half an hour
// ago, and its start less than twelve hours.
func TestASessionIsGoodAsLongAsItIsUsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := operator.Session{Started: start, Seen: start, Proved: start}
		now, seen := start, start
		for _, pause := range rapid.SliceOfN(rapid.Int64Range(0, 40*60), 1, 60).Draw(t, "pauses") {
			now = now.Add(time.Duration(pause) * time.Second)
			good := now.Sub(seen) < operator.Idle && now.Sub(start) < operator.Longest
			if s.Valid(now) != good {
				t.Fatalf("%s after the start, %s after the last use: %v", now.Sub(start), now.Sub(seen), s.Valid(now))
			}
			if !good {
				return
			}
			used, changed := s.Used(now)
			if late := now.Sub(seen) >= operator.SeenEvery; changed != late || changed && !used.Seen.Equal(now) {
				t.Fatalf("used %s after it was: stored %v, as %s", now.Sub(seen), changed, used.Seen)
			}
			if s = used; changed {
				seen = now
			}
			if s.IsProved(now) != (now.Sub(start) < operator.Recent) {
				t.Fatalf("%s after the password", now.Sub(start))
			}
		}
	})
}

func TestLinksExpire(t *testing.T) {
	link := operator.SetUp("hash", start)
	for after, good := range map[time.Duration]bool{0: true, operator.SetUpFor - 1: true, operator.SetUpFor: false, 100 * time.Hour: false} {
		if link.Valid(start.Add(after)) != good {
			t.Errorf("after %s: %v", after, !good)
		}
	}
	if !link.IsSetUp() || link.Role != operator.Administrator || !link.Everywhere {
		t.Errorf("the link is %+v", link)
	}
	for _, other := range []operator.Invitation{{Email: "a@b"}, {Operator: 3}, {Email: "a@b", Operator: 3}} {
		if other.IsSetUp() {
			t.Errorf("%+v sets up", other)
		}
	}
}
