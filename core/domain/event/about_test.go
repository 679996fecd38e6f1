package event_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
)

func TestAnEventIsACreationAnUpdateOrADeletion(t *testing.T) {
	for _, kind := range event.Types() {
		creates := strings.HasSuffix(string(kind), "_CREATE")
		is := map[bool]int{}
		for _, b := range []bool{creates, kind.IsUpdate(), kind.IsDelete()} {
			is[b]++
		}
		if is[true] != 1 {
			t.Errorf("%s: creation %t, update %t, deletion %t", kind, creates, kind.IsUpdate(), kind.IsDelete())
		}
	}
	if event.HookTest.IsUpdate() || event.HookTest.IsDelete() {
		t.Error("a test tells of a change")
	}
}

// Whoever may not see people must not hear of these; each kind of the catalogue is on one
// side.
func TestWhichResourcesArePeople(t *testing.T) {
	personal := map[string]bool{}
	for _, kind := range event.Types() {
		personal[kind.Resource()] = event.IsPersonal(kind.Resource())
	}
	want := map[string]bool{
		"CUSTOMER": true, "SEARCH": true, "FOLLOWUP": true, "LEAD": true, "OFFER": true, "AGREEMENT": true, "LEASE": true, "APPOINTMENT": true, "REMINDER": true,
		"PRODUCT": false, "ACTION": false, "PERMANENCE": false, "WORKTIME": false, "MANDATE": false, "USER": false, "AGENCY": false, "CRITERIA": false,
	}
	if !maps.Equal(personal, want) {
		t.Errorf("%v", personal)
	}
	for _, none := range []string{"", "customer", "HOOK"} {
		if event.IsPersonal(none) {
			t.Errorf("%q is a person", none)
		}
	}
}

func TestResourcesOfAKindAreListedOnceInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []event.Event
		for range rapid.IntRange(0, 12).Draw(t, "events") {
			events = append(events, event.Event{Type: rapid.SampledFrom(event.Types()).Draw(t, "type"), Resource: rapid.Int64Range(1, 4).Draw(t, "id")})
		}
		like := rapid.SampledFrom(event.Types()).Draw(t, "like")
		there := map[int64]bool{}
		for _, e := range events {
			if strings.Split(string(e.Type), "_")[0] == strings.Split(string(like), "_")[0] {
				there[e.Resource] = true
			}
		}
		if got, want := event.About[int64](events, like), slices.Sorted(maps.Keys(there)); !slices.Equal(got, want) {
			t.Fatalf("%s of %v: %v, want %v", like, events, got, want)
		}
	})
}

func TestAnEventNamesFortyChangesAndSaysThatThereAreMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching(`[A-Za-z]{1,8}`), 0, 90).Draw(t, "names")
		given := slices.Clone(names)
		got := event.Event{Changed: event.ChangeOf(names)}.Changes()
		want := given
		if len(given) > 40 {
			want = append(slices.Clone(given[:40]), "…")
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d names are told as %q", len(given), got)
		}
		if !slices.Equal(names, given) {
			t.Fatalf("the names of the caller have become %q", names)
		}
	})
}
