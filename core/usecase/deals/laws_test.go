package deals_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/siteapi/dealtest"
)

func TestWhateverTwoAgentsDoTheLawsHold(t *testing.T) {
	done := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		p := dealtest.New(apitest.New(t))
		before := p.State()
		for n, s := range dealtest.Program(35, 45).Draw(rt, "program") {
			s = p.Aim(s)
			out := p.Do(s)
			after := p.State()
			if why := p.Broken(before, after, s, out); why != "" {
				rt.Fatalf("step %d, %+v, %+v: %s", n, s, out, why)
			}
			if out.Err == nil {
				done[s.Do]++
			}
			before = after
		}
	})
	t.Logf("steps that succeeded: %v", done)
}
