package product

import (
	"math"

	"github.com/vitrine-crm/vitrine/core/criteria"
)

// EarthRadius is the mean radius of the Earth in kilometres. Distances are those
// on a sphere of this size, which true ones differ from by half a percent.
const EarthRadius = 6371.0088

// Distance is the way along the great circle between two positions, in
// kilometres.
func Distance(a, b criteria.Position) float64 {
	// The haversine formula, which is exact for short ways, too.
	h := haversine(b.Latitude-a.Latitude) +
		math.Cos(radians(a.Latitude))*math.Cos(radians(b.Latitude))*haversine(b.Longitude-a.Longitude)
	return 2 * EarthRadius * math.Asin(math.Sqrt(min(1, h)))
}

func haversine(degrees float64) float64 {
	half := math.Sin(radians(degrees) / 2)
	return half * half
}

func radians(degrees float64) float64 { return degrees * (math.Pi / 180) }

// Near is a circle on the globe.
type Near struct {
	Center criteria.Position
	Radius float64 // in kilometres
}

// Holds reports whether the position is in the circle or on its line.
func (n Near) Holds(p criteria.Position) bool { return Distance(n.Center, p) <= n.Radius }

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
