package sender

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// play is what receivers will answer: by webhook and delivery, the statuses of
// the attempts; the last one repeats.
type play [][][]int

func plays(resources bool) *rapid.Generator[play] {
	statuses := rapid.SliceOfN(rapid.SampledFrom([]int{500, 500, 500, 503, 404, 422, 200}), 1, 5)
	deliveries := rapid.SliceOfN(statuses, 1, 6)
	if resources {
		deliveries = rapid.SliceOfN(statuses, 8, 16) // enough for a breaker to open
	}
	return rapid.Custom(func(t *rapid.T) play { return rapid.SliceOfN(deliveries, 1, 3).Draw(t, "play") })
}

// seen is what receivers saw of one delivery: the statuses they answered, in
// order.
type seen struct {
	order     []string      // hook/delivery/attempt=status, as they came
	attempts  map[int][]int // by delivery of the hook
	statuses  map[int]webhook.Status
	suspended bool
	deferred  int
}

// perform runs a play: webhooks of one site whose deliveries are sent as those
// who use the sender send them, four lanes at a time, each settled by the state
// machine, until nothing is pending.
func perform(script play, breakers time.Duration, oneResource bool) []*seen {
	policy := webhook.DefaultPolicy()
	results := make([]*seen, len(script))
	var all sync.WaitGroup
	for h, deliveries := range script {
		got := &seen{attempts: map[int][]int{}, statuses: map[int]webhook.Status{}}
		results[h] = got
		hook := webhook.Webhook{Site: 1, ID: webhook.ID(h), Epoch: 1}
		pending := make([]webhook.Delivery, len(deliveries))
		for i := range pending {
			pending[i] = webhook.Delivery{ID: webhook.DeliveryID(i), Site: 1, Hook: hook.ID, Type: event.ProductUpdate, Epoch: 1, Due: time.Now()}
			if !oneResource {
				pending[i].Resource = int64(i)
			}
		}
		var mu sync.Mutex
		s := fake(Options{BreakerTimeout: breakers}, func(r request) (int, error) {
			time.Sleep(20 * time.Millisecond)
			id, _ := strconv.Atoi(r.url[strings.LastIndexByte(r.url, '/')+1:])
			mu.Lock()
			defer mu.Unlock()
			n := len(got.attempts[id])
			status := deliveries[id][min(n, len(deliveries[id])-1)]
			got.attempts[id] = append(got.attempts[id], status)
			got.order = append(got.order, fmt.Sprintf("%d/%d/%d=%d", h, id, n+1, status))
			return status, nil
		})
		all.Go(func() {
			for {
				open := slices.DeleteFunc(slices.Clone(pending), func(d webhook.Delivery) bool { return d.Status != webhook.Pending })
				if len(open) == 0 {
					break
				}
				lanes := webhook.Lanes(open, time.Now())
				if len(lanes) == 0 {
					// Those that are due are held back by one that is not.
					later := slices.DeleteFunc(open, func(d webhook.Delivery) bool { return !d.Due.After(time.Now()) })
					time.Sleep(time.Until(slices.MinFunc(later, func(a, b webhook.Delivery) int { return a.Due.Compare(b.Due) }).Due))
					continue
				}
				var under sync.WaitGroup
				for _, lane := range lanes[:min(4, len(lanes))] {
					under.Go(func() {
						d := lane[0]
						answer := s.Send(context.Background(), webhook.Request{
							Site: 1, Hook: webhook.ID(h), Epoch: 1, URL: fmt.Sprintf("https://portal.example/%d", d.ID),
						})
						mu.Lock()
						defer mu.Unlock()
						if answer.Verdict == webhook.Deferred {
							got.deferred++
						}
						before := hook.State
						hook, pending[d.ID] = policy.Settle(hook, pending[d.ID], webhook.Outcome{
							Verdict: answer.Verdict, Epoch: 1, Reason: answer.Reason, RetryAfter: answer.RetryAfter,
						}, time.Now())
						if hook.State != before {
							for i := range pending {
								pending[i] = pending[i].Cancel("suspended")
							}
						}
					})
				}
				under.Wait()
			}
			got.suspended = hook.State == webhook.Suspended
			for i, d := range pending {
				got.statuses[i] = d.Status
			}
		})
	}
	all.Wait()
	return results
}

// Breakers move attempts in time and nothing else. Where deliveries go one
// after the other they must not even do that: one that fails alone has fewer
// failures than open a breaker.
func TestBreakersChangeNothingForOneResource(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		script := plays(false).Draw(r, "play")
		var with, without []*seen
		synctest.Test(t, func(*testing.T) { with = perform(script, 0, true) })
		synctest.Test(t, func(*testing.T) { without = perform(script, -1, true) })
		if diff := cmp.Diff(without, with, cmp.AllowUnexported(seen{})); diff != "" {
			r.Fatal(diff)
		}
	})
}

// With many resources at once a breaker does delay some. Each delivery still
// sees the same attempts end the same way, and the same webhooks are suspended;
// only how far the others came by then may differ.
func TestBreakersChangeNothingButTheTime(t *testing.T) {
	opened := 0
	rapid.Check(t, func(r *rapid.T) {
		script := plays(true).Draw(r, "play")
		var with, without []*seen
		synctest.Test(t, func(*testing.T) { with = perform(script, 0, false) })
		synctest.Test(t, func(*testing.T) { without = perform(script, -1, false) })
		for h := range script {
			a, b := with[h], without[h]
			if a.suspended != b.suspended {
				r.Fatalf("webhook %d is suspended with breakers: %t, without: %t", h, a.suspended, b.suspended)
			}
			if a.deferred > 0 {
				opened++
			}
			for id := range script[h] {
				if !a.suspended && (!slices.Equal(a.attempts[id], b.attempts[id]) || a.statuses[id] != b.statuses[id]) {
					r.Fatalf("delivery %d of webhook %d sees %v with breakers, %v without", id, h, a.attempts[id], b.attempts[id])
				}
				if n := min(len(a.attempts[id]), len(b.attempts[id])); !slices.Equal(a.attempts[id][:n], b.attempts[id][:n]) {
					r.Fatalf("delivery %d of webhook %d sees %v with breakers, %v without", id, h, a.attempts[id], b.attempts[id])
				}
			}
		}
	})
	t.Logf("breakers put off attempts of %d webhooks", opened)
	if opened == 0 {
		t.Error("no breaker ever opened")
	}
}
