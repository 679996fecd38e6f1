package product

import (
	"math"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Near is a circle on the globe.
type Near struct {
	Center criteria.Position
	Radius float64 // in kilometres
}

// Holds reports whether the position is in the circle or on its line.
func (n Near) Holds(p criteria.Position) bool { return n.Center.Kilometres(p) <= n.Radius }

// Within is a box between two parallels and two meridians, in degrees. It goes
// east from West to East: across the antimeridian when West is above East. From
// -180 to 180 it goes all around.
type Within struct{ South, West, North, East float64 }

// Holds reports whether the position is in the box or on its line. The
// longitudes -180 and 180 are one meridian.
func (w Within) Holds(p criteria.Position) bool {
	if p.Latitude < w.South || p.Latitude > w.North {
		return false
	}
	if w.West > w.East {
		return p.Longitude >= w.West || p.Longitude <= w.East
	}
	antimeridian := math.Abs(p.Longitude) == 180 && (w.West == -180 || w.East == 180)
	return p.Longitude >= w.West && p.Longitude <= w.East || antimeridian
}
