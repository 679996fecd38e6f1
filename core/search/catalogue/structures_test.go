package catalogue

import (
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// The structures are compared with maps. Slots spread over several windows, and
// come in clusters, so that sets are now lists and now bitsets.

func drawSlot(t *rapid.T) uint32 {
	cluster := rapid.SampledFrom([]int{0, 1, 64, 4000, 4096, 9000}).Draw(t, "cluster")
	return uint32(cluster + rapid.IntRange(0, 150).Draw(t, "slot"))
}

// opened is the model of open: what is at n and above moves up by one.
func opened[V any](model map[uint32]V, n uint32) map[uint32]V {
	moved := map[uint32]V{}
	for slot, value := range model {
		if slot >= n {
			slot++
		}
		moved[slot] = value
	}
	return moved
}

func TestSetIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s set
		model := map[uint32]bool{}
		for range 300 {
			n := drawSlot(t)
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1:
				s.remove(n)
				delete(model, n)
			case 2:
				s.open(n)
				model = opened(model, n)
			case 3:
				for member := n; member < n+40; member++ {
					s.add(member)
					model[member] = true
				}
			default:
				s.add(n)
				model[n] = true
			}
			if s.has(n) != model[n] || s.size() != len(model) {
				t.Fatalf("%d is in: %v, of %d; want %v, of %d", n, s.has(n), s.size(), model[n], len(model))
			}
		}
		want := slices.Sorted(maps.Keys(model))
		if got := slices.Collect(s.all()); !slices.Equal(got, want) {
			t.Fatalf("members %v, want %v", got, want)
		}
		var inWindow words
		s.unite(&inWindow, 1)
		for slot := uint32(windowSlots); slot < 2*windowSlots; slot++ {
			if got := inWindow[slot/64%windowWords]>>(slot%64)&1 != 0; got != model[slot] {
				t.Fatalf("%d is in the window: %v, want %v", slot, got, model[slot])
			}
		}
	})
}

func TestColumnIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c column[int]
		model := map[uint32]int{}
		for i := range 300 {
			slot := drawSlot(t)
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1:
				c.drop(slot)
				delete(model, slot)
			case 2:
				c.open(slot)
				model = opened(model, slot)
			default:
				c.put(slot, i)
				model[slot] = i
			}
			got, ok := c.at(slot)
			if want, exists := model[slot]; got != want || ok != exists {
				t.Fatalf("slot %d has %d, %v; want %d, %v", slot, got, ok, want, exists)
			}
		}
		for slot, want := range model {
			if got, ok := c.at(slot); got != want || !ok {
				t.Fatalf("slot %d has %d, %v; want %d", slot, got, ok, want)
			}
		}
		var want []int
		for _, slot := range slices.Sorted(maps.Keys(model)) {
			want = append(want, model[slot])
		}
		if got := slices.Collect(c.from(0)); !slices.Equal(got, want) {
			t.Fatalf("values %v, want %v", got, want)
		}
	})
}

func TestLexiconFindsEveryText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := lexicon{trigramsFrom: 20}
		model := map[uint32]string{}
		for range 300 {
			slot := drawSlot(t)
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0, 1, 2:
				l.drop(slot)
				delete(model, slot)
			case 3:
				l.open(slot)
				model = opened(model, slot)
			default:
				text := strconv.Itoa(rapid.IntRange(0, 200).Draw(t, "text") * 7919)
				l.put(slot, text)
				model[slot] = text
			}
			l.indexTrigrams()
		}
		holders := map[string][]uint32{}
		for _, slot := range slices.Sorted(maps.Keys(model)) {
			holders[model[slot]] = append(holders[model[slot]], slot)
		}
		if l.size() != len(holders) {
			t.Fatalf("%d texts, want %d", l.size(), len(holders))
		}
		for n := range 201 {
			text := strconv.Itoa(n * 7919)
			if got := slices.Collect(l.exactly(text).all()); !slices.Equal(got, holders[text]) {
				t.Fatalf("%q is in %v, want %v", text, got, holders[text])
			}
			token, held := l.table.find(&l.texts, text)
			if held && l.trigrams != nil && len(text) >= trigramSize && !l.trigrams.candidates(text).has(token) {
				t.Fatalf("the trigrams of %q do not lead to it", text)
			}
		}
	})
}

func TestSortedColumnStaysInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := map[uint32]int{}
		r := sortedColumn[int]{value: func(slot uint32) int { return values[slot] }}
		for range 300 {
			slot, value := drawSlot(t), rapid.IntRange(0, 20).Draw(t, "value")
			some := rapid.IntRange(0, 9).Draw(t, "some") > 1
			joins := r.detach(slot, value, some)
			delete(values, slot)
			if some {
				values[slot] = value
			}
			if joins {
				r.attach(slot)
			}
		}
		slot := drawSlot(t)
		r.open(slot)
		values = opened(values, slot)
		want := slices.SortedFunc(maps.Keys(values), func(a, b uint32) int {
			if values[a] != values[b] {
				return values[a] - values[b]
			}
			return int(a) - int(b)
		})
		low, high := rapid.IntRange(-1, 21).Draw(t, "low"), rapid.IntRange(-1, 21).Draw(t, "high")
		for _, bounds := range [][2]int{{math.MinInt, math.MaxInt}, {low, math.MaxInt}, {math.MinInt, high}, {low, high}} {
			checkWithin(t, &r, bounds[0], bounds[1], want)
		}
	})
}

// checkWithin compares both walks of a sorted column within bounds with the whole order.
func checkWithin(t *rapid.T, r *sortedColumn[int], low, high int, order []uint32) {
	want := slices.DeleteFunc(slices.Clone(order), func(slot uint32) bool { return r.value(slot) < low || r.value(slot) > high })
	along := r.within(low, high)
	if got := slices.Collect(along.walk(false)); !slices.Equal(got, want) || along.size() != len(want) {
		t.Fatalf("from %d to %d: %d slots %v, want %v", low, high, along.size(), got, want)
	}
	slices.Reverse(want)
	if got := slices.Collect(along.walk(true)); !slices.Equal(got, want) {
		t.Fatalf("from %d to %d backward: %v, want %v", low, high, got, want)
	}
}

func TestWindowListsItsSlotsBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := window{number: 2}
		for range 20 {
			w.words[rapid.IntRange(0, windowWords-1).Draw(t, "word")] = rapid.Uint64().Draw(t, "bits")
		}
		first := 2*windowSlots + uint32(rapid.IntRange(0, windowSlots+10).Draw(t, "first"))
		var want []uint32
		for i, word := range w.words {
			for ; word != 0; word &= word - 1 {
				if slot := uint32(2*windowSlots + i*wordSize + bits.TrailingZeros64(word)); slot >= first {
					want = append(want, slot)
				}
			}
		}
		w.cut(first)
		forward, backward := slices.Collect(w.slots(false)), slices.Collect(w.slots(true))
		slices.Reverse(backward)
		if !slices.Equal(forward, want) || !slices.Equal(backward, want) || w.size() != len(want) {
			t.Fatalf("%d slots forward %v, backward %v, want %v", w.size(), forward, backward, want)
		}
	})
}

// TestRunsLieBetweenTheirPlaces cuts every run out of a few short chunks.
func TestRunsLieBetweenTheirPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s sequence
		slots := uint32(0)
		for _, size := range rapid.SliceOfN(rapid.IntRange(1, 4), 0, 5).Draw(t, "sizes") {
			chunk := make([]uint32, size)
			for i := range chunk {
				chunk[i] = slots
				slots++
			}
			s.chunks = append(s.chunks, chunk)
		}
		place := func(n uint32) (chunk, at int) { return s.seek(func(slot uint32) bool { return slot < n }) }
		for first := range slots + 1 {
			for end := range slots + 1 {
				firstChunk, firstAt := place(first)
				endChunk, endAt := place(end)
				var want []uint32
				for slot := first; slot < end; slot++ {
					want = append(want, slot)
				}
				r := s.run(firstChunk, firstAt, endChunk, endAt)
				forward, backward := slices.Collect(r.walk(false)), slices.Collect(r.walk(true))
				slices.Reverse(backward)
				if !slices.Equal(forward, want) || !slices.Equal(backward, want) || r.size() != len(want) {
					t.Fatalf("from %d to %d: %d slots %v, backward %v", first, end, r.size(), forward, backward)
				}
			}
		}
	})
}
