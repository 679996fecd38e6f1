package main

import (
	"maps"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

func TestOnlyTheRightEndIsAGoodEnd(t *testing.T) {
	const lost = "lost"
	for name, c := range map[string]struct {
		breaks  string
		figures []figure
		good    bool
		verdict string
	}{
		"the product loses nothing":             {"", []figure{count(lost, 0).none(), count("seen", 7)}, true, "PROVED"},
		"the product loses something":           {"", []figure{count(lost, 1).none()}, false, "FAILED: lost"},
		"a sabotage is noticed":                 {lost, []figure{count(lost, 3).none()}, true, "RED"},
		"a sabotage is not noticed":             {lost, []figure{count(lost, 0).none()}, false, "NOT NOTICED"},
		"a sabotage breaks something else":      {lost, []figure{count(lost, 0).none(), count("late", 1).none()}, false, "NOT NOTICED"},
		"a sabotage breaks one of two figures":  {lost + ",late", []figure{count(lost, 3).none(), count("late", 0).none()}, false, "NOT NOTICED"},
		"a sabotage breaks both":                {lost + ",late", []figure{count(lost, 3).none(), count("late", 1).none()}, true, "RED"},
		"a sabotage whose figure is not there":  {lost, nil, false, "NOT NOTICED"},
		"a figure above its bound":              {"", []figure{count("late", 3).atMost(2)}, false, "FAILED: late"},
		"a figure below its bound":              {"", []figure{count("kills", 1).atLeast(2)}, false, "FAILED: kills"},
		"figures that just keep to their bound": {"", []figure{count("late", 2).atMost(2), count("kills", 2).atLeast(2)}, true, "PROVED"},
	} {
		t.Run(name, func(t *testing.T) {
			tried := &trial{}
			if c.breaks != "" {
				tried.sabotage, tried.breaks = "a mistake", strings.Split(c.breaks, ",")
			}
			good, verdict := tried.judge(c.figures)
			if good != c.good || !strings.HasPrefix(verdict, c.verdict) {
				t.Errorf("good is %t, the verdict %q", good, verdict)
			}
		})
	}
}

// A proof that nothing can break proves nothing, and one that the page leaves out is not told.
func TestEachProofHasASabotageAndIsOnThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range proofs() {
		if len(p.sabotages) == 0 {
			t.Errorf("nothing breaks %s", p.name)
		}
		name := strings.TrimSuffix(strings.TrimSuffix(p.name, " sqlite"), " postgres")
		if !strings.Contains(string(page), "\n| `"+name+"` | ") {
			t.Errorf("the page does not say what happens in %s", p.name)
		}
	}
}

func TestWhatTheReceiverNotices(t *testing.T) {
	fails := map[int64]bool{}
	r := &receiver{hooks: map[string]*inbox{}, answer: func(_ *inbox, got *receipt) rig.Reply {
		if fails[got.event] {
			return rig.Reply{Status: http.StatusInternalServerError}
		}
		return rig.Reply{Status: http.StatusOK}
	}}
	arrive := func(event, resource int64, attempt int) {
		header := http.Header{"X-Delivery-Attempt": {strconv.Itoa(attempt)}}
		header.Set("webhook-id", "evt_1_"+strconv.FormatInt(event, 10))
		r.take(rig.Delivery{Path: "hook", Header: header, Type: "PRODUCT_UPDATE", Resource: resource})
	}
	arrive(1, 7, 1)
	arrive(3, 8, 1) // of another resource
	fails[2] = true
	arrive(2, 7, 1)
	fails[2] = false
	arrive(4, 7, 1) // overtakes the one that failed
	arrive(2, 7, 2)
	arrive(4, 7, 1) // again
	d := arrivals{}
	ledger := map[int64]entry{}
	for id, resource := range map[int64]int64{1: 7, 2: 7, 3: 8, 5: 7} {
		ledger[id] = entry{id, "PRODUCT_UPDATE", resource}
	}
	d.add(r.inbox("hook"), 1, ledger, &load{changed: []*changed{{site: 1, id: 7, acked: 5}}})
	want := arrivals{accepted: 4, requests: 6, failed: 1, repeated: 1, attempt: 2, unheard: 2, lost: 1, phantoms: 1, inversions: 1}
	if d != want {
		t.Errorf("it notices %+v, want %+v", d, want)
	}
}

// What a kill repeats is counted by the run it was accepted in, and held against what may have
// been under way then.
func TestRepetitionsAreThoseOfTheKillBefore(t *testing.T) {
	r := &receiver{hooks: map[string]*inbox{}, answer: func(*inbox, *receipt) rig.Reply { return rig.Reply{Status: http.StatusOK} }}
	arrive := func(from, to int) {
		for event := from; event < to; event++ {
			header := http.Header{"X-Delivery-Attempt": {"1"}}
			header.Set("webhook-id", "evt_1_"+strconv.Itoa(event))
			r.take(rig.Delivery{Path: "hook", Header: header, Type: "PRODUCT_UPDATE", Resource: int64(event)})
		}
	}
	arrive(0, 10)
	arrive(0, 3) // nobody was killed: a lease was lost
	r.killed()
	arrive(4, 10) // six again
	arrive(4, 10)
	r.killed()
	arrive(6, 700) // four again
	r.killed()
	arrive(693, 700) // seven again, of a hundred times as many
	in := r.inbox("hook")
	if want := map[int]int{0: 6, 1: 4, 2: 7}; !maps.Equal(in.repeated, want) {
		t.Errorf("repeated are %v, want %v", in.repeated, want)
	}
	for webhooks, want := range map[int]int{1: 2 + 1, 3: 1, 100: 0} {
		if got := in.beyond(webhooks); got != want {
			t.Errorf("beyond what %d webhooks have under way are %d, want %d", webhooks, got, want)
		}
	}
}
