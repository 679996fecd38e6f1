package httpapi

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// ledgerOf counts in memory, unless it is out of order.
type ledgerOf struct {
	days   map[time.Time]map[access.CredentialID]int64
	broken error
}

func newLedger() *ledgerOf { return &ledgerOf{days: map[time.Time]map[access.CredentialID]int64{}} }

func (l *ledgerOf) CountRequests(_ context.Context, day time.Time, more map[access.CredentialID]int64) (map[access.CredentialID]int64, error) {
	if l.broken != nil {
		return nil, l.broken
	}
	if l.days[day] == nil {
		l.days[day] = map[access.CredentialID]int64{}
	}
	counts := map[access.CredentialID]int64{}
	for of, n := range more {
		l.days[day][of] += n
	}
	for of, n := range l.days[day] {
		counts[of] = n
	}
	return counts, nil
}

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func TestM1_TheRequestsOfADayAreBounded(t *testing.T) {
	now := noon
	r := newRig(Options{Rate: Rate{PerSecond: 1, Burst: 3}, Quota: NewQuota(4, newLedger(), func() time.Time { return now })})
	r.now = now
	request := "GET " + base + "/things/1"
	w := r.ask("full", request, "")
	if w.Header().Get("RateLimit-Policy") != `"default";q=3;w=3, "day";q=4;w=86400` || w.Header().Get("RateLimit") != `"default";r=2;t=1, "day";r=3;t=43200` {
		t.Error(w.Header())
	}
	r.ask("full", request, "")
	r.ask("full", request, "")
	check(t, "above the rate", r.ask("full", request, ""), 429, "rate_limited") // and does not count towards the day
	r.now = r.now.Add(3 * time.Second)
	check(t, "the fourth", r.ask("full", request, ""), 200, "")
	w = r.ask("full", "PATCH "+base+"/things/404", "{") // before anything is looked at
	check(t, "the fifth", w, 429, "daily_quota_exceeded")
	if w.Header().Get("Retry-After") != "43197" || w.Header().Get("RateLimit") != `"default";r=1;t=2, "day";r=0;t=43197` {
		t.Error(w.Header())
	}
	check(t, "another credential", r.ask("other", request, ""), 200, "")
	r.now = time.Date(2026, 11, 1, 23, 59, 59, 0, time.UTC)
	check(t, "the end of the day", r.ask("full", request, ""), 429, "daily_quota_exceeded")
	r.now = r.now.Add(time.Second)
	check(t, "the next day", r.ask("full", request, ""), 200, "")
}

func TestM1_NoQuotaBoundsNothing(t *testing.T) {
	if q := NewQuota(0, newLedger(), time.Now); q != nil {
		t.Error(q)
	}
	w := newRig(Options{}).ask("full", "GET "+base+"/things/1", "")
	if w.Code != 200 || w.Header().Get("RateLimit-Policy") != `"default";q=200;w=2` {
		t.Error(w.Code, w.Header())
	}
}

// taking takes so many requests and reports how many were allowed.
func taking(q *Quota, of access.CredentialID, now time.Time, n int) (allowed int64) {
	for range n {
		if _, _, ok := q.take(of, now); ok {
			allowed++
		}
	}
	return allowed
}

func TestM1_ARestartDoesNotGiveTheDayAnew(t *testing.T) {
	counts, at := newLedger(), func() time.Time { return noon }
	first := NewQuota(5, counts, at)
	taking(first, "a", noon, 3)
	if err := first.Tell(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := NewQuota(5, counts, at)
	if err := second.Tell(t.Context()); err != nil {
		t.Fatal(err)
	}
	if allowed := taking(second, "a", noon, 9); allowed != 2 {
		t.Errorf("after the restart %d more were allowed, want 2", allowed)
	}
}

// TestM1_NoRequestWaitsForTheCounts: they are read and written beside the
// requests, also when that takes for ever.
func TestM1_NoRequestWaitsForTheCounts(t *testing.T) {
	asked, answer := make(chan struct{}), make(chan struct{})
	q := NewQuota(5, slowly(func() { close(asked); <-answer }), func() time.Time { return noon })
	done := make(chan error)
	go func() { done <- q.Tell(t.Context()) }()
	<-asked
	if allowed := taking(q, "a", noon, 9); allowed != 5 {
		t.Errorf("%d were allowed, want 5", allowed)
	}
	close(answer)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// slowly counts nothing, after a while.
type slowly func()

func (s slowly) CountRequests(context.Context, time.Time, map[access.CredentialID]int64) (map[access.CredentialID]int64, error) {
	s()
	return map[access.CredentialID]int64{}, nil
}

// TestM1_ProcessesShareTheQuota: whatever several processes allow, tell, fail to
// tell and hear, nothing is forgotten, and once all have told and heard, what is
// left is the same for each.
func TestM1_ProcessesShareTheQuota(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most = 20
		now, counts := noon, newLedger()
		processes := make([]*Quota, rapid.IntRange(1, 3).Draw(t, "processes"))
		for i := range processes {
			processes[i] = NewQuota(most, counts, func() time.Time { return now })
		}
		allowed := map[access.CredentialID]int64{}
		tell := func(q *Quota, broken error) {
			counts.broken = broken
			if err := q.Tell(context.Background()); !errors.Is(err, broken) {
				t.Fatal(err)
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			q := rapid.SampledFrom(processes).Draw(t, "process")
			of := rapid.SampledFrom([]access.CredentialID{"a", "b"}).Draw(t, "credential")
			switch rapid.SampledFrom([]string{"take", "take", "take", "tell", "fail", "midnight"}).Draw(t, "step") {
			case "take":
				allowed[of] += taking(q, of, now, rapid.IntRange(1, 9).Draw(t, "requests"))
			case "tell":
				tell(q, nil)
			case "fail":
				tell(q, errors.New("no connection"))
			case "midnight":
				now, allowed = kernel.Day(now).AddDate(0, 0, 1), map[access.CredentialID]int64{}
			}
		}
		for range 2 {
			for _, q := range processes {
				tell(q, nil)
			}
		}
		for _, of := range []access.CredentialID{"a", "b"} {
			if counted := counts.days[kernel.Day(now)][of]; counted != allowed[of] || counted > most*int64(len(processes)) {
				t.Fatalf("%d were counted of %s, and %d allowed by %d processes", counted, of, allowed[of], len(processes))
			}
			for _, q := range processes {
				if left, _, ok := q.take(of, now); ok != (allowed[of] < most) || ok && left != most-allowed[of]-1 {
					t.Fatalf("%d are left of %d after %d", left, most, allowed[of])
				}
			}
		}
	})
}
