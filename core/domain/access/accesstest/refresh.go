// Package accesstest says in a small model what becomes of refresh tokens (A8), and
// holds others against it: the pure rule, the use cases over every store.
package accesstest

import (
	"slices"
	"time"

	"pgregory.net/rapid"
)

// maxWorkers is how many share one refresh token in a trial.
const maxWorkers = 10

// Family is one family of tokens, somewhere.
type Family interface {
	// Refresh presents the refresh token of a pair, and reports whether it was
	// exchanged for the next pair. Pairs are counted from 0, that of the token call.
	Refresh(pair int) bool
	// Use presents the access token of a pair, and reports whether it is good.
	Use(pair int) bool
	// Advance lets time pass.
	Advance(d time.Duration)
}

// model is the rule in its own words: it remembers what was exchanged when, and
// draws from that what may be exchanged now.
type model struct {
	now       time.Duration
	exchanges []exchange
	revoked   bool
}

// exchange is one that was granted: its pair is the one after those before it.
type exchange struct {
	of int
	at time.Duration
}

func (m *model) pairs() int { return len(m.exchanges) + 1 }

// of are the exchanges of the refresh token of a pair.
func (m *model) of(pair int) (own []exchange) {
	for _, e := range m.exchanges {
		if e.of == pair {
			own = append(own, e)
		}
	}
	return own
}

// successorExchanged reports whether a refresh token that came from that of a pair was
// exchanged.
func (m *model) successorExchanged(pair int) bool {
	for i, e := range m.exchanges {
		if e.of == pair && len(m.of(i+1)) > 0 {
			return true
		}
	}
	return false
}

func (m *model) refresh(pair int) (granted bool) {
	before := m.of(pair)
	switch {
	case m.revoked:
		return false
	case len(before) > 0 && (m.now-before[0].at > time.Minute || len(before) >= 10 || m.successorExchanged(pair)):
		m.revoked = true
		return false
	}
	m.exchanges = append(m.exchanges, exchange{pair, m.now})
	return true
}

// CheckRefresh has up to ten workers who share a refresh token refresh, lose
// answers, use what they hold and present what they held before, in any order, and
// demands of each step what the model says.
func CheckRefresh(t *rapid.T, f Family) {
	m := &model{}
	held := make([][]int, rapid.IntRange(1, maxWorkers).Draw(t, "workers"))
	for worker := range held {
		held[worker] = []int{0}
	}
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		worker := rapid.IntRange(0, len(held)-1).Draw(t, "worker")
		pairs := held[worker]
		last := pairs[len(pairs)-1]
		switch rapid.IntRange(0, 9).Draw(t, "step") {
		case 0:
			d := rapid.SampledFrom([]time.Duration{time.Second, 20 * time.Second, time.Minute}).Draw(t, "time")
			f.Advance(d)
			m.now += d
		case 1, 2:
			use(t, f, m, last)
		case 3:
			refresh(t, f, m, last) // its answer is lost
		case 4:
			refresh(t, f, m, rapid.SampledFrom(pairs).Draw(t, "old"))
		default:
			if refresh(t, f, m, last) {
				held[worker] = append(pairs, m.pairs()-1)
			}
		}
	}
	for pair := range m.pairs() {
		use(t, f, m, pair)
	}
}

func refresh(t *rapid.T, f Family, m *model, pair int) bool {
	before := slices.Clone(m.exchanges)
	want := m.refresh(pair)
	if got := f.Refresh(pair); got != want {
		t.Fatalf("the refresh token of pair %d is exchanged: %t, want %t, at %s after %v", pair, got, want, m.now, before)
	}
	return want
}

func use(t *rapid.T, f Family, m *model, pair int) {
	if got := f.Use(pair); got == m.revoked {
		t.Fatalf("the access token of pair %d is good: %t, at %s after %v", pair, got, m.now, m.exchanges)
	}
}
