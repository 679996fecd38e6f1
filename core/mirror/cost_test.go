package mirror_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// live plays a mirror of a few products until it is live.
func live(t *rapid.T, offers mirror.Abilities) *play {
	p := newPlay(t, none)
	p.server.offers, p.server.finds = offers, offers.Hooks
	for id := range int64(pageSize) {
		p.server.write(id+1, true, false)
	}
	p.start()
	p.rest()
	if mode := p.state().Mode(); mode != mirror.Live {
		t.Fatalf("the mirror is %s", mode)
	}
	clear(p.server.asked)
	return p
}

// A day on which nothing changes costs at most 300 requests, and an hour at most 30 searches.
func TestMirror_AQuietDayCostsAtMost300Requests(t *testing.T) {
	for name, offers := range map[string]mirror.Abilities{
		"all":               {Events: true, Hooks: true},
		"the contract only": {},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := live(t, offers)
				searches := func() int {
					return p.server.asked["mirror.ReadProducts"] + p.server.asked["mirror.ReadIDs"]
				}
				end := p.server.now.Add(24 * time.Hour)
				for hour, before := p.server.now, 0; p.server.now.Before(end); {
					p.server.now = p.rest()
					if p.server.now.Sub(hour) >= time.Hour {
						if searches()-before > 30 {
							t.Fatalf("%d searches in an hour", searches()-before)
						}
						hour, before = p.server.now, searches()
					}
				}
				all := 0
				for _, n := range p.server.asked {
					all += n
				}
				if all > 300 || all < 5 {
					t.Fatalf("%d requests: %v", all, p.server.asked)
				}
			})
		})
	}
}

// However often a product is told of while it is being read, it is read once more.
func TestMirror_ManyDeliveriesDuringAReadCostOneMoreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := live(t, mirror.Abilities{Events: true})
		p.server.write(1, true, false)
		p.deliver(0, false)
		p.beginRead()
		for range rapid.IntRange(1, 20).Draw(t, "writes") {
			p.server.write(1, true, false)
			p.deliver(0, false)
		}
		p.rest()
		if n := p.server.asked["read"]; n != 2 {
			t.Fatalf("%d reads", n)
		}
	})
}

func TestBackoff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tries, draw := rapid.IntRange(0, 5000).Draw(t, "tries"), rapid.Float64Range(0, 1).Draw(t, "draw")
		if wait := mirror.Backoff(tries, draw, 0); wait < 0 || wait > 5*time.Minute || tries == 0 && wait > time.Second {
			t.Fatal(wait)
		}
		if wait := mirror.Backoff(tries, draw, time.Hour); wait != time.Hour {
			t.Fatal(wait)
		}
	})
}

// An hour in which the server knows no cursor, or refuses searches, costs few requests.
func TestMirror_AServerThatRefusesSearchesIsAskedLess(t *testing.T) {
	for name, seen := range map[string]mirror.Failed{"no cursor is known": {Refused: true}, "searching is taken away": {Lacking: true}} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := live(t, mirror.Abilities{Events: true, Hooks: true})
				p.observe(mirror.Doubted{Rebuild: true})
				asked := 0
				for end := p.server.now.Add(time.Hour); p.server.now.Before(end); asked++ {
					switch task := p.task().(type) {
					case mirror.Wait:
						p.server.now = task.Until
					case mirror.ReadProducts:
						if seen.Refused && task.Cursor == "" {
							p.observe(mirror.ProductsRead{Page: mirror.Page{Next: "2", Date: p.server.now}, Asked: task.Asked})
						} else {
							p.observe(seen)
						}
					default:
						p.observe(p.server.answer(task))
					}
				}
				if asked > 150 {
					t.Fatalf("%d tasks", asked)
				}
			})
		})
	}
}

// A page without ids that is not the last says nothing about what is shown.
func TestMirror_AnEmptyPageOfIDsMarksNothing(t *testing.T) {
	s := mirror.State{Read: true, Kept: true, Known: true, Stage: mirror.IDs}
	c := s.After(mirror.DefaultPolicy(func(after time.Time) time.Time { return after.Add(time.Hour) }), mirror.IDsRead{Page: mirror.IDPage{Next: "2"}}, time.Unix(0, 0))
	if c.Compare != nil || c.State.Cursor != "2" {
		t.Errorf("%+v", c)
	}
}
