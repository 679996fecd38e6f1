package product_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

func TestP9_PatternsGiveEveryNumberItsReference(t *testing.T) {
	for _, p := range []product.ReferencePattern{"{agency}-{number}", "{number}", "R{number}/{agency}", "{agency}{agency}-{number}"} {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
	}
	for _, p := range []product.ReferencePattern{"", "{agency}", "R-", "{number}{number}", "{Number}", "{ number }"} {
		if err := p.Validate(); err == nil {
			t.Errorf("%q is accepted", p)
		}
	}
	for want, got := range map[string]string{
		"11-1042":   product.ReferencePattern("{agency}-{number}").Format(11, 1042),
		"7":         product.ReferencePattern("{number}").Format(11, 7),
		"V7/11/11!": product.ReferencePattern("V{number}/{agency}/{agency}!").Format(11, 7),
	} {
		if got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestP9_ReferencesThatAreOfThePatternOrNot(t *testing.T) {
	const p = product.ReferencePattern("{agency}-{number}")
	for reference, want := range map[string]int64{"11-1": 1, "11-1042": 1042, "11-0042": 42, "11-0": 0, "11-999999999999999": 999_999_999_999_999} {
		if n, ok := p.Number(11, reference); !ok || n != want {
			t.Errorf("%q is %d, %t", reference, n, ok)
		}
	}
	for _, reference := range []string{
		"", "11-", "11", "-1", "12-1", "111-1", "11-1a", "11--1", "11-+1", "11- 1", "11-1 ", "11-1-1", "11-1000000000000000", "11-99999999999999999999", "11-١",
	} {
		if n, ok := p.Number(11, reference); ok {
			t.Errorf("%q is %d", reference, n)
		}
	}
	for _, reference := range []string{"A", "AA", "7A", "A7", "7", "a7A"} {
		if n, ok := product.ReferencePattern("A{number}A").Number(1, reference); ok {
			t.Errorf("%q is %d", reference, n)
		}
	}
}

func TestP9_NumbersComeBackOutOfTheirReference(t *testing.T) {
	text := rapid.StringOfN(rapid.SampledFrom([]rune("AéZ-/. 019")), 0, 4, -1)
	rapid.Check(t, func(t *rapid.T) {
		pattern := text.Draw(t, "before")
		if rapid.Bool().Draw(t, "agency first") {
			pattern += "{agency}" + text.Draw(t, "between")
		}
		pattern += "{number}" + text.Draw(t, "after")
		if rapid.Bool().Draw(t, "agency last") {
			pattern += "{agency}"
		}
		p := product.ReferencePattern(pattern)
		agency := site.AgencyID(rapid.Int64Range(1, 1000).Draw(t, "agency"))
		n := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, 999_999_999_999_999)).Draw(t, "number")
		reference := p.Format(agency, n)
		if again, ok := p.Number(agency, reference); p.Validate() != nil || !ok || again != n {
			t.Fatalf("%q makes %q of %d, which reads as %d, %t", pattern, reference, n, again, ok)
		}
		m := rapid.OneOf(rapid.Just(n+1), rapid.Int64Range(0, 20)).Draw(t, "another number")
		if other := p.Format(agency, m); (other == reference) != (m == n) {
			t.Fatalf("%q makes %q of %d, %q of %d", pattern, reference, n, other, m)
		}
	})
}
