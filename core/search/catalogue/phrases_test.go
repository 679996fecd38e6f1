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

// TestPhrasesAreFoundWhileTextsChange asks for a few phrases again and again, while texts
// come, change and go.
func TestPhrasesAreFoundWhileTextsChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := newAsking(tuning{trigramsFrom: 1024, verifyRatio: rapid.SampledFrom([]float64{0, 2}).Draw(t, "verify ratio")})
		phrases := []string{drawPhrase(t), drawPhrase(t), "rue", "paix"}
		for range 100 {
			a.change(t)
			a.find(t, rapid.SampledFrom(phrases).Draw(t, "sought"))
		}
	})
}

// TestASearchWithLittleBeforeItVerifiesThat: all texts are verified only for a search that
// reads many.
func TestASearchWithLittleBeforeItVerifiesThat(t *testing.T) {
	a := newAsking(New().tuning)
	for i := range 2000 {
		a.kept.put(uint32(i), fmt.Sprintf("%d rue numero %d", i, i))
	}
	for slots, want := range map[float64]bool{100: true, 2000: false} {
		_, oneByOne := a.x.phrasePredicate(&a.kept.rest, phrase{"e", anywhere}, estimate{slots: slots, wanted: everything}).(textTest)
		if oneByOne != want {
			t.Errorf("with %v slots before it, texts are verified one by one: %t", slots, oneByOne)
		}
	}
}
