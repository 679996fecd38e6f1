package criteria_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

func at(latitude, longitude float64) criteria.Position {
	return criteria.Position{Latitude: latitude, Longitude: longitude}
}

func drawAt(t *rapid.T, label string) criteria.Position {
	return at(rapid.Float64Range(-90, 90).Draw(t, label+" latitude"), rapid.Float64Range(-180, 180).Draw(t, label+" longitude"))
}

// half is half the way around the globe.
const half = math.Pi * criteria.EarthRadius

func TestDistancesThatAreKnown(t *testing.T) {
	for name, c := range map[string]struct {
		a, b criteria.Position
		want float64
	}{
		"a degree of a meridian":    {at(45, 4), at(46, 4), half / 180},
		"a degree of the equator":   {at(0, 4), at(0, 5), half / 180},
		"pole to pole":              {at(90, 4), at(-90, 77), half},
		"around the other side":     {at(0, 179.5), at(0, -179.5), half / 180},
		"the antimeridian by names": {at(12, 180), at(12, -180), 0},
		"the pole by names":         {at(90, 4), at(90, 100), 0},
		"Paris to Lyon":             {at(48.8566, 2.3522), at(45.764, 4.8357), 391.5},
		"antipodes":                 {at(45, 4), at(-45, -176), half},
	} {
		if got := c.a.Kilometres(c.b); math.Abs(got-c.want) > 0.05 {
			t.Errorf("%s: %v km, want %v", name, got, c.want)
		}
	}
}

func TestDistanceIsAMetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawAt(t, "a"), drawAt(t, "b"), drawAt(t, "c")
		ab, bc, ac := a.Kilometres(b), b.Kilometres(c), a.Kilometres(c)
		if a.Kilometres(a) != 0 || ab != b.Kilometres(a) || ab < 0 || ab > half+1e-6 || ac > ab+bc+1e-3 {
			t.Fatalf("a to b %v, b to c %v, a to c %v", ab, bc, ac)
		}
	})
}

// TestDistanceIsThatOfVectors goes another way: through the middle of the Earth.
func TestDistanceIsThatOfVectors(t *testing.T) {
	vector := func(p criteria.Position) [3]float64 {
		sinLat, cosLat := math.Sincos(p.Latitude * math.Pi / 180)
		sinLng, cosLng := math.Sincos(p.Longitude * math.Pi / 180)
		return [3]float64{cosLat * cosLng, cosLat * sinLng, sinLat}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawAt(t, "a"), drawAt(t, "b")
		u, v := vector(a), vector(b)
		cross := math.Hypot(math.Hypot(u[1]*v[2]-u[2]*v[1], u[2]*v[0]-u[0]*v[2]), u[0]*v[1]-u[1]*v[0])
		want := criteria.EarthRadius * math.Atan2(cross, u[0]*v[0]+u[1]*v[1]+u[2]*v[2])
		if got := a.Kilometres(b); math.Abs(got-want) > 1e-3 {
			t.Fatalf("%v to %v: %v km, want %v", a, b, got, want)
		}
	})
}
