package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// searching is a request that hydrates or not.
type searching struct {
	Fetch string `query:"fetch"`
}

// Weight implements kernel.Weighed.
func (s searching) Weight() kernel.Weight {
	if s.Fetch == "" {
		return kernel.Light
	}
	return kernel.Hydrated
}

// workshop has a search that works until it is told to finish, a heavy list, and
// a light read.
type workshop struct {
	*rig
	begun  chan string
	finish chan struct{}
}

func newWorkshop(opts Options) *workshop {
	w := &workshop{begun: make(chan string, 100), finish: make(chan struct{})}
	work := func(ctx context.Context, c kernel.Caller) (thingOut, error) {
		w.begun <- string(c.Grant.Credential)
		select {
		case <-w.finish:
			return thingOut{1, "a"}, nil
		case <-ctx.Done():
			return thingOut{}, ctx.Err()
		}
	}
	search := line("work.search", "POST", "/work/search", 200, access.Rule{}, func(ctx context.Context, c kernel.Caller, in searching) (thingOut, error) {
		if in.Fetch == "" {
			return thingOut{1, "a"}, nil
		}
		return work(ctx, c)
	})
	search.Weight = kernel.Hydrated
	list := line("work.list", "GET", "/work", 200, access.Rule{}, func(ctx context.Context, c kernel.Caller, _ kernel.Nothing) (thingOut, error) { return work(ctx, c) })
	list.Weight = kernel.Heavy
	w.rig = newRig(opts, search, list)
	return w
}

const (
	hydrated = "POST " + base + "/work/search?fetch=rooms"
	heavy    = "GET " + base + "/work"
)

// asks sends a request beside others.
func (w *workshop) asks(asking *sync.WaitGroup, token, request string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	asking.Go(func() { *answer = *w.ask(token, request, "") })
	return answer
}

func TestM1_SomeSearchesWithFetchAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkshop(Options{Searches: 2, HeavyReads: -1})
		var asking sync.WaitGroup
		one, two := w.asks(&asking, "full", hydrated), w.asks(&asking, "full", hydrated)
		synctest.Wait()
		third := w.ask("full", hydrated, "")
		check(t, "the third", third, 429, "too_many_searches")
		if h := third.Header(); h.Get("Retry-After") != "1" || h.Get("RateLimit-Policy") != `"default";q=200;w=2, "searches";q=2;qu="concurrent-requests"` ||
			h.Get("RateLimit") != `"default";r=197;t=1, "searches";r=0;t=1` {
			t.Error(h)
		}
		check(t, "ids only", w.ask("full", "POST "+base+"/work/search", ""), 200, "")
		if w.ask("full", "GET "+base+"/things/1", "").Header().Get("RateLimit-Policy") != `"default";q=200;w=2` {
			t.Error("a read is told of the bound of searches")
		}
		lists, others := w.asks(&asking, "full", heavy), w.asks(&asking, "other", hydrated)
		synctest.Wait()
		close(w.finish)
		asking.Wait()
		for what, answer := range map[string]*httptest.ResponseRecorder{"one": one, "two": two, "a list": lists, "another's": others} {
			check(t, what, answer, 200, "")
		}
		check(t, "when the others are answered", w.ask("full", hydrated, ""), 200, "")
		if len(w.admission.places.counted) != 0 {
			t.Errorf("still counted: %v", w.admission.places.counted)
		}
	})
}

func TestM1_TheBoundOfSearchesCanBeOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkshop(Options{Searches: -1, HeavyReads: -1})
		var asking sync.WaitGroup
		for range 20 {
			w.asks(&asking, "full", hydrated)
		}
		synctest.Wait()
		if len(w.begun) != 20 {
			t.Errorf("%d searches are under way, want 20", len(w.begun))
		}
		close(w.finish)
		asking.Wait()
	})
}

// TestABurstOfOneDelaysOthersByATurn: the requests of a credential that sent many
// wait for each other; whoever comes later waits for one turn, and reads that
// are light for none.
func TestABurstOfOneDelaysOthersByATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkshop(Options{Searches: -1, HeavyReads: 1})
		var asking sync.WaitGroup
		for range 10 {
			w.asks(&asking, "full", hydrated)
		}
		synctest.Wait()
		w.asks(&asking, "other", heavy)
		synctest.Wait()
		check(t, "a light read", w.ask("other", "GET "+base+"/things/1", ""), 200, "")
		var order []string
		for range 11 {
			order = append(order, <-w.begun)
			w.finish <- struct{}{}
			synctest.Wait()
		}
		asking.Wait()
		if !slices.Equal(order[:3], []string{"full", "full", "other"}) && !slices.Equal(order[:3], []string{"full", "other", "full"}) {
			t.Errorf("worked on in the order %v", order)
		}
	})
}

func TestWhoWaitsTooLongIsToldToComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkshop(Options{HeavyReads: 1})
		var asking sync.WaitGroup
		first := w.asks(&asking, "full", heavy)
		synctest.Wait()
		began := time.Now()
		late := w.ask("other", heavy, "")
		check(t, "late", late, 503, "unavailable")
		if late.Header().Get("Retry-After") != "2" || time.Since(began) != placeWithin {
			t.Error(late.Header(), time.Since(began))
		}
		close(w.finish)
		asking.Wait()
		check(t, "the first", first, 200, "")
		check(t, "after it", w.ask("other", heavy, ""), 200, "")
	})
}

// TestPlacesAreSharedOut: whatever comes, leaves and gives up, there are never
// more at work than places, nobody waits while a place is free, and those who
// wait take turns by credential and, within one, by age.
func TestPlacesAreSharedOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const number = 2
		p := newPlaces(number)
		type guest struct {
			who  access.CredentialID
			turn chan struct{}
		}
		var inside []access.CredentialID
		var lines [][]guest // by credential, in the order of their turns
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			who := access.CredentialID(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "who"))
			switch rapid.SampledFrom([]string{"come", "come", "leave", "give up"}).Draw(t, "step") {
			case "come":
				turn := p.take(who)
				if turn == nil {
					inside = append(inside, who)
					break
				}
				i := slices.IndexFunc(lines, func(l []guest) bool { return l[0].who == who })
				if i < 0 {
					lines = append(lines, []guest{{who, turn}})
				} else {
					lines[i] = append(lines[i], guest{who, turn})
				}
			case "leave":
				if len(inside) == 0 {
					break
				}
				inside = inside[1:]
				p.pass()
				if len(lines) == 0 {
					break
				}
				next := lines[0]
				if lines = lines[1:]; len(next) > 1 {
					lines = append(lines, next[1:])
				}
				select {
				case <-next[0].turn:
					inside = append(inside, next[0].who)
				default:
					t.Fatalf("it is not the turn of %s", next[0].who)
				}
			case "give up":
				i := slices.IndexFunc(lines, func(l []guest) bool { return l[0].who == who })
				if i < 0 {
					break
				}
				at := rapid.IntRange(0, len(lines[i])-1).Draw(t, "place in line")
				if !p.quit(who, lines[i][at].turn) || p.quit(who, lines[i][at].turn) {
					t.Fatal("somebody cannot give up, or can twice")
				}
				if lines[i] = slices.Delete(lines[i], at, at+1); len(lines[i]) == 0 {
					lines = slices.Delete(lines, i, i+1)
				}
			}
			if len(inside)+p.free != number || p.free > 0 && len(lines) > 0 || len(lines) != len(p.lines) {
				t.Fatalf("%d inside, %d free, %d lines and %d", len(inside), p.free, len(lines), len(p.lines))
			}
		}
	})
}

// TestPlacesComeBack: however requests end, all places are free afterwards.
func TestPlacesComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlaces(3)
		var asking sync.WaitGroup
		for i := range 200 {
			asking.Go(func() {
				ctx, stop := context.WithTimeout(t.Context(), time.Duration(i%7)*time.Second)
				defer stop()
				leave, err := p.enter(ctx, access.CredentialID(fmt.Sprint(i%5)), 30)
				switch {
				case err == nil:
					time.Sleep(time.Duration(i%3) * time.Second)
					leave()
				case !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, fault.Unavailable) && !errors.Is(err, fault.Limited):
					t.Error(err)
				}
			})
		}
		asking.Wait()
		if p.free != 3 || len(p.lines) != 0 || len(p.counted) != 0 {
			t.Errorf("%d free, %d lines, counted %v", p.free, len(p.lines), p.counted)
		}
	})
}
