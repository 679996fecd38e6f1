package sqlstore_test

import (
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/siteapi/dealtest"
)

// What two agents do comes to the same on every store, step by step.
func TestTransactionsAgreeWithTheModel(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		model, stored := dealtest.New(apitest.New(t)), dealtest.New(apitest.Over(t, p.migrated(t)))
		for n, s := range dealtest.Program(200, 200).Example(1) {
			s = model.Aim(s)
			want, got := model.Do(s), stored.Do(s)
			if got.Made != want.Made || got.Refused != want.Refused {
				t.Fatalf("step %d, %+v: %+v, and in memory %+v", n, s, got, want)
			}
			if n%10 != 9 {
				continue
			}
			if diff := dealtest.Difference(model.State(), stored.State()); diff != "" {
				t.Fatalf("after step %d, %+v:\n%s", n, s, diff)
			}
		}
	})
}

// What two agents do at once comes to what it would be if one were after the other.
func TestTransactionsAtOnceAreOneAfterTheOther(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		stored := dealtest.New(apitest.Over(t, p.migrated(t)))
		var history []dealtest.Step
		replay := func(more ...dealtest.Step) (*dealtest.Play, []dealtest.Outcome) {
			model := dealtest.New(apitest.New(t))
			var out []dealtest.Outcome
			for _, s := range append(history, more...) {
				out = append(out, model.Do(s))
			}
			return model, out[len(history):]
		}
		for seed := range 60 {
			one, other := stored.Aim(dealtest.Any().Example(2*seed)), dealtest.Any().Example(2*seed+1)
			if seed%3 != 0 {
				other.On, other.With = one.On, one.With // the same record, mostly
			}
			if other.By = 1 - one.By; seed%2 == 0 {
				other.Do = one.Do
			} else {
				other = stored.Aim(other)
			}
			if one.Do == dealtest.Advance || other.Do == dealtest.Advance {
				stored.Do(one)
				history = append(history, one)
				continue
			}
			first, second := stored.Race(one, other)
			state := stored.State()
			if why := stored.Stands(state); why != "" {
				t.Fatalf("pair %d, %+v and %+v: %s", seed, one, other, why)
			}
			agrees := func(steps []dealtest.Step, want ...dealtest.Outcome) string {
				model, got := replay(steps...)
				for n := range want {
					if got[n].Made != want[n].Made || got[n].Refused != want[n].Refused {
						return fmt.Sprintf("another answer: %+v", got[n])
					}
				}
				return dealtest.Difference(model.State(), state)
			}
			forth := []dealtest.Step{one, other}
			why := agrees(forth, first, second)
			if why == "" {
				history = append(history, forth...)
				continue
			}
			back := []dealtest.Step{other, one}
			if or := agrees(back, second, first); or != "" {
				t.Fatalf("pair %d, %+v and %+v at once: %+v and %+v.\nOne after the other: %s\nThe other way: %s", seed, one, other, first, second, why, or)
			}
			history = append(history, back...)
		}
	})
}
