package catalogue

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// TestArcsAgreeWithTheExactRule compares an area with the rule that it is made of.
func TestArcsAgreeWithTheExactRule(t *testing.T) {
	latitude := rapid.OneOf(rapid.Float64Range(-90, 90), rapid.SampledFrom([]float64{90, -90, 89.99, 45.75, 45.749999, 0}))
	longitude := rapid.OneOf(rapid.Float64Range(-180, 180), rapid.SampledFrom([]float64{180, -180, 179.999999, 4.85, 0}))
	rapid.Check(t, func(t *rapid.T) {
		drawn := func(label string) criteria.Position {
			return criteria.Position{Latitude: latitude.Draw(t, label), Longitude: longitude.Draw(t, label)}
		}
		a, b := drawn("a"), drawn("b")
		areas := []area{
			box(product.Within{South: min(a.Latitude, b.Latitude), West: a.Longitude, North: max(a.Latitude, b.Latitude), East: b.Longitude}),
			circle(product.Near{Center: a, Radius: a.Kilometres(b)}),
			circle(product.Near{Center: a, Radius: rapid.SampledFrom([]float64{0.01, 1, 5, 10, 100, 1000, 9990, 10_000, 10_010, 20_020}).Draw(t, "radius")}),
		}
		for _, area := range areas {
			for range 100 {
				p := drawn("p")
				if rapid.Bool().Draw(t, "beside") {
					p.Latitude = min(90, a.Latitude+rapid.Float64Range(0, 0.1).Draw(t, "north"))
				}
				s := pointOf(p)
				truth := area.holds(s.position())
				if got := area.has(s); got != truth {
					t.Fatalf("%v from %v: in the area %t, want %t", s, a, got, truth)
				}
				for i, arcs := range area.bands {
					inBand := s.band() == area.first+i
					if inBand && arcs.certain.has(s.eastward()) && !arcs.possible.has(s.eastward()) {
						t.Fatalf("%+v is certain of more than is possible", arcs)
					}
				}
			}
		}
	})
}

// TestMostOfAnAreaIsSure checks that the exact rule has to be evaluated for little of an area.
func TestMostOfAnAreaIsSure(t *testing.T) {
	for _, latitude := range []float64{0, 45.76, -60} {
		for _, radius := range []float64{10, 100, 1000} {
			a := circle(product.Near{Center: criteria.Position{Latitude: latitude, Longitude: 179.9}, Radius: radius})
			possible, certain := 0.0, 0.0
			for _, arcs := range a.bands {
				possible, certain = possible+math.Max(0, float64(arcs.possible.width)), certain+math.Max(0, float64(arcs.certain.width))
			}
			if share := certain / possible; share < 1-8/radius-0.05 {
				t.Errorf("at %v, %v km: %.0f %% are sure", latitude, radius, 100*share)
			}
		}
	}
}

func TestArcsGoAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		west := rapid.Int64Range(-2*turn, 2*turn).Draw(t, "west")
		width := rapid.Int64Range(-1, turn).Draw(t, "width")
		a := makeArc(west, west+width)
		for range 20 {
			eastward := rapid.Int32Range(0, turn-1).Draw(t, "eastward")
			want := false
			for around := int64(-3); around <= 3; around++ {
				longitude := int64(eastward) - 180*degree + around*turn
				want = want || longitude >= west && longitude <= west+width
			}
			stretched := 0
			for from, to := range a.pieces() {
				if from <= eastward && eastward <= to {
					stretched++
				}
			}
			if a.has(eastward) != want || (stretched == 1) != want || stretched > 1 {
				t.Fatalf("%d in %+v: %t, in %d stretches; want %t", eastward, a, a.has(eastward), stretched, want)
			}
		}
	})
}
