package catalogue

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// addressed are texts that are cut in any way there is, or look as if they were.
var addressed = []string{
	"12 rue de la paix", "12 bis rue de la paix", "rue de la paix", "12", "12 bis", "1 2 3 soleil", "bis rue", "3 b avenue de la paix",
	"8 mai 1945", "place du 8 mai 1945", "14-16 rue", "a 12 rue", "", "12  rue", " 12 rue", "12 ", "12 rue ", "2 r",
}

// drawPhrase draws a phrase that is in one of the texts, most of the time.
func drawPhrase(t *rapid.T) string {
	text := rapid.SampledFrom(addressed).Draw(t, "in")
	from := rapid.IntRange(0, len(text)).Draw(t, "from")
	to := rapid.IntRange(from, len(text)).Draw(t, "to")
	return text[from:to] + rapid.SampledFrom([]string{"", "", "", " ", "x"}).Draw(t, "and")
}

// slotsOf lists the slots that meet a demand.
func (x *Index) slotsOf(p predicate) []uint32 {
	var slots []uint32
	for number := range x.windows() {
		w := window{number: number}
		for i := range w.words {
			w.words[i] = ^uint64(0)
		}
		p.narrow(&w)
		slots = slices.AppendSeq(slots, w.slots(false))
	}
	return slots
}

// TestACutTextIsFoundAsAWhole puts addresses into slots, in pieces, and compares what is
// found in them with the addresses.
func TestACutTextIsFoundAsAWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := newIndex(Options{}, tuning{
			trigramsFrom: rapid.SampledFrom([]int{1, 1024}).Draw(t, "trigrams from"),
			verifyRatio:  rapid.SampledFrom([]float64{0, 2, 1e9}).Draw(t, "verify ratio"),
		})
		x.slots = 2 * windowSlots
		kept, model := &x.criterion("Adresse").texts, map[uint32]string{}
		for range 60 {
			slot := uint32(rapid.IntRange(0, 5000).Draw(t, "slot"))
			if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
				kept.drop(slot)
				delete(model, slot)
				continue
			}
			text := rapid.SampledFrom(addressed).Draw(t, "text")
			kept.put(slot, text)
			model[slot] = text
			other := rapid.SampledFrom(addressed).Draw(t, "other")
			if kept.hasText(slot, other) != (text == other) || !kept.hasText(slot, text) {
				t.Fatalf("slot %d with %q holds %q: %t", slot, text, other, kept.hasText(slot, other))
			}
		}
		kept.indexTrigrams()
		found := func(what string, p predicate, holds func(text string) bool) {
			var want []uint32
			for slot, text := range model {
				if holds(text) {
					want = append(want, slot)
				}
			}
			slices.Sort(want)
			if got := x.slotsOf(p); !slices.Equal(got, want) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
		for range 30 {
			sought := drawPhrase(t)
			work := estimate{slots: 100, wanted: 100}
			found("contains "+sought, x.written(kept, phrase{sought, anywhere}, work), func(text string) bool { return strings.Contains(text, sought) })
			found("starts with "+sought, x.written(kept, phrase{sought, atStart}, work), func(text string) bool { return text != "" && strings.HasPrefix(text, sought) })
			found("ends with "+sought, x.written(kept, phrase{sought, atEnd}, work), func(text string) bool { return text != "" && strings.HasSuffix(text, sought) })
			found("is "+sought, kept.exactly(sought), func(text string) bool { return text == sought })
		}
	})
}

func TestTheNumberOfAHouseIsCutOff(t *testing.T) {
	kept := texts{numbered: true}
	for text, want := range map[string]string{
		"12 rue de la paix": "12", "12 bis rue de la paix": "12 bis", "3 b avenue": "3 b", "14-16 rue": "14-16", "2, quai": "2,",
		"rue de la paix": "", "bis rue": "", "12": "", "12 bis": "12", "place du 8 mai": "", "": "",
	} {
		if number, rest := kept.cut(text); number != want || strings.TrimPrefix(number+" "+rest, " ") != text {
			t.Errorf("%q: %q and %q", text, number, rest)
		}
	}
}
