package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// asking is an index whose products have addresses and nothing else, which is asked
// for phrases between changes.
type asking struct {
	x     *Index
	kept  *texts
	model map[uint32]string
}

func newAsking(t tuning) *asking {
	x := newIndex(Options{}, t)
	x.slots = windowSlots + 100
	return &asking{x, &x.criterion("Adresse").texts, map[uint32]string{}}
}

// change makes one of the changes that there are.
func (a *asking) change(t *rapid.T) {
	slot := uint32(rapid.IntRange(0, int(a.x.slots)-1).Draw(t, "slot"))
	switch rapid.IntRange(0, 19).Draw(t, "what") {
	case 0, 1, 2:
		a.kept.drop(slot)
		delete(a.model, slot)
	case 3:
		a.x.open(slot)
		a.model = opened(a.model, slot)
	case 4:
		gone := slot % 7
		var from []uint32
		arranged := map[uint32]string{}
		for old := range a.x.slots {
			if old%7 == gone {
				continue
			}
			if text, some := a.model[old]; some {
				arranged[uint32(len(from))] = text
			}
			from = append(from, old)
		}
		a.x.arrange(from)
		a.model = arranged
	default:
		text := rapid.SampledFrom(addressed).Draw(t, "text")
		a.kept.put(slot, text)
		a.model[slot] = text
	}
}

// find fails unless the slots with a phrase are those whose texts have it now.
func (a *asking) find(t *rapid.T, sought string) {
	var want []uint32
	for _, slot := range slices.Sorted(maps.Keys(a.model)) {
		if strings.Contains(a.model[slot], sought) {
			want = append(want, slot)
		}
	}
	found := a.x.slotsOf(a.x.written(a.kept, phrase{sought, anywhere}, estimate{slots: 100, wanted: 100}))
	if !slices.Equal(found, want) {
		t.Fatalf("%q is in %v, want %v", sought, found, want)
	}
}

// TestRememberedPhrasesAreWhereTheyWouldBeFound asks for a few phrases again and
// again, in a small memory, while texts come, change and go.
func TestRememberedPhrasesAreWhereTheyWouldBeFound(t *testing.T) {
	recalled := 0
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{64, 3}).Draw(t, "most")
		a := newAsking(tuning{
			trigramsFrom: 1024, rememberMost: most, verifyRatio: rapid.SampledFrom([]float64{0, 2}).Draw(t, "verify ratio"),
		})
		phrases := []string{drawPhrase(t), drawPhrase(t), "rue", "paix"}
		for range 100 {
			a.change(t)
			sought := rapid.SampledFrom(phrases).Draw(t, "sought")
			if a.x.phrases.recall(&a.kept.rest, phrase{sought, anywhere}) != nil {
				recalled++
			}
			a.find(t, sought)
			if known := len(a.x.phrases.known); known > most {
				t.Fatalf("%d phrases are remembered, %d are to be at most", known, most)
			}
		}
	})
	if recalled < 1000 {
		t.Errorf("a phrase was remembered %d times: too few to tell anything", recalled)
	}
}

// streets are so many texts, every tenth of them about a park.
func streets(a *asking, n int) {
	for i := range n {
		kind := "rue"
		if i%10 == 0 {
			kind = "parc"
		}
		a.kept.put(uint32(i), fmt.Sprintf("%d %s numero %d", i, kind, i))
	}
}

func TestAPhraseIsRememberedFromItsSecondUseOn(t *testing.T) {
	a := newAsking(New().tuning)
	streets(a, 500)
	before, sought := a.x.Bytes(), phrase{"parc", anywhere}
	for range 2 {
		a.x.phrasePredicate(&a.kept.rest, sought, estimate{slots: 1000, wanted: 1000})
	}
	slots := a.x.phrases.recall(&a.kept.rest, sought)
	if slots == nil || slots.size() != 50 {
		t.Fatalf("%v is remembered", slots)
	}
	if now := a.x.Bytes(); now <= before {
		t.Errorf("%d bytes with what is remembered, %d without", now, before)
	}
}

// TestASearchWithLittleBeforeItVerifiesThat: what others have verified in vain
// decides when all texts are worth it.
func TestASearchWithLittleBeforeItVerifiesThat(t *testing.T) {
	a := newAsking(New().tuning)
	streets(a, 2000)
	sought := phrase{"e", anywhere}
	for i, want := range []string{"one by one", "one by one", "one by one", "one by one", "all", "all"} {
		got := "all"
		if _, lazy := a.x.phrasePredicate(&a.kept.rest, sought, estimate{slots: 100, wanted: everything}).(textTest); lazy {
			got = "one by one"
		}
		if got != want {
			t.Fatalf("search %d verifies %s, want %s", i+1, got, want)
		}
	}
	if a.x.phrasePredicate(&a.kept.rest, phrase{"u", anywhere}, estimate{slots: 10, wanted: everything}); len(a.x.phrases.known) != 1 {
		t.Error("a phrase that took ten verifications was noted")
	}
}

// TestWhatSavesMostIsRememberedLongest asks for a phrase that takes much, now and
// then among more that take little than are remembered.
func TestWhatSavesMostIsRememberedLongest(t *testing.T) {
	a := newAsking(New().tuning)
	l, large := &a.kept.rest, phrase{"large", anywhere}
	a.x.phrases.keep(l, large, new(set), 10_000)
	for i := range 130 {
		a.x.phrases.keep(l, phrase{fmt.Sprint(i), anywhere}, new(set), 65)
	}
	if a.x.phrases.recall(l, large) == nil || len(a.x.phrases.known) != 64 {
		t.Errorf("of %d phrases the one that saves most is not one", len(a.x.phrases.known))
	}
	for i := range 64 * 200 {
		a.x.phrases.keep(l, phrase{fmt.Sprint(i), anywhere}, new(set), 65)
	}
	if a.x.phrases.recall(l, large) != nil {
		t.Error("a phrase nobody asks for any more is remembered for good")
	}
}
