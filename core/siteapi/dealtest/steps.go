package dealtest

import (
	"cmp"

	"pgregory.net/rapid"
)

// Step is something that an agent does, or that time does. What its numbers stand
// for depends on what is done, and on what there is.
type Step struct {
	Do string
	// By is the agent.
	By int
	// On is what it is done to, With what else it is about.
	On, With, Days int
	// Way is how it is done.
	Way int
}

// Advance and Store are steps of the clock.
const (
	Advance = "clock.advance"
	Store   = "clock.store"
)

// likely are the steps, the likely ones several times.
func likely() []string {
	often := map[string]int{
		"offer.create": 8, "offer.counter": 3, "offer.accept": 6, "agreement.create": 6, "agreement.sign": 8, "agreement.notify": 8,
		"agreement.lift": 6, "agreement.notarise": 5, "lease.create": 7, "lease.sign": 8, "lease.notice": 4, "lease.cancel-notice": 4, Advance: 8,
		"customer.delete": 1, "customer.anonymize": 1, "product.delete": 1, "product.status": 4,
	}
	var all []string
	for _, name := range names() {
		for range cmp.Or(often[name], 2) {
			all = append(all, name)
		}
	}
	return all
}

// Program draws what two agents do, one after the other.
func Program(least, most int) *rapid.Generator[[]Step] { return rapid.SliceOfN(Any(), least, most) }

// Any draws one step.
func Any() *rapid.Generator[Step] {
	all := likely()
	return rapid.Custom(func(t *rapid.T) Step {
		return Step{
			Do: all[evenly(t, len(all))], By: evenly(t, 2), On: evenly(t, 6), With: evenly(t, 6), Days: evenly(t, 31), Way: evenly(t, 16),
		}
	})
}

// evenly draws one of the first so many numbers, all of them equally likely: rapid
// itself prefers the small ones, and would hardly get anywhere.
func evenly(t *rapid.T, n int) (drawn int) {
	for bit := 1; bit < 8*n; bit *= 2 {
		if rapid.Bool().Draw(t, "bit") {
			drawn += bit
		}
	}
	return drawn % n
}
