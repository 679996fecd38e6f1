package demand_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
)

// TestNothingInOrNearACircleIsOutsideItsFrame looks around circles everywhere,
// at the poles and at the 180th meridian too.
func TestNothingInOrNearACircleIsOutsideItsFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := demand.Area{
			Type:     demand.Radius,
			Center:   criteria.Position{Latitude: rapid.Float64Range(-90, 90).Draw(t, "latitude"), Longitude: rapid.Float64Range(-180, 180).Draw(t, "longitude")},
			RadiusKm: rapid.Float64Range(0.1, 1_000).Draw(t, "radius"),
		}
		near := rapid.Bool().Draw(t, "near")
		frame, reach := a.Frame(near), a.RadiusKm
		if near {
			reach *= 1.2
		}
		for range 200 {
			p := criteria.Position{
				Latitude:  max(-90, min(90, a.Center.Latitude+rapid.Float64Range(-12, 12).Draw(t, "up"))),
				Longitude: max(-180, min(180, a.Center.Longitude+rapid.Float64Range(-30, 30).Draw(t, "aside"))),
			}
			if a.Center.Kilometres(p) <= reach && !frame.Has(p) {
				t.Fatalf("%+v is %v km from %+v, but outside %+v", p, a.Center.Kilometres(p), a, frame)
			}
		}
	})
}
