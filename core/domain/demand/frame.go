package demand

import (
	"math"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Frame is a rectangle on the map, its borders included, in degrees.
type Frame struct{ South, West, North, East float64 }

// Has reports whether a position lies in the frame.
func (f Frame) Has(p criteria.Position) bool {
	return p.Latitude >= f.South && p.Latitude <= f.North && p.Longitude >= f.West && p.Longitude <= f.East
}

// Frame returns a frame around an area that is Drawn: a position outside is not in
// the area, nor, with near, near it.
func (a Area) Frame(near bool) Frame {
	if a.Type == Radius {
		return a.around(near)
	}
	f := Frame{South: math.Inf(1), West: math.Inf(1), North: math.Inf(-1), East: math.Inf(-1)}
	for _, rings := range a.Outline {
		for _, ring := range rings {
			for _, p := range ring {
				f.South, f.North = min(f.South, p.Latitude), max(f.North, p.Latitude)
				f.West, f.East = min(f.West, p.Longitude), max(f.East, p.Longitude)
			}
		}
	}
	return f
}

// around returns the frame of a circle. One that reaches a pole or the 180th meridian
// is framed by whole parallels.
func (a Area) around(near bool) Frame {
	const (
		radians = math.Pi / 180
		// rounding outweighs that of the sums.
		rounding = 1 + 1e-9
	)
	radius := a.RadiusKm
	if near {
		radius *= 1 + nearBy
	}
	kilometresPerDegree := criteria.Position{}.Kilometres(criteria.Position{Latitude: 1})
	reach := radius / kilometresPerDegree * rounding
	f := Frame{South: a.Center.Latitude - reach, West: -180, North: a.Center.Latitude + reach, East: 180}
	if f.South <= -90 || f.North >= 90 {
		return f
	}
	aside := math.Asin(min(1, math.Sin(reach*radians)/math.Cos(a.Center.Latitude*radians))) / radians * rounding
	if west, east := a.Center.Longitude-aside, a.Center.Longitude+aside; west > -180 && east < 180 {
		f.West, f.East = west, east
	}
	return f
}
