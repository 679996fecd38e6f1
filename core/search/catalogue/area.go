package catalogue

import (
	"iter"
	"math"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// spot is a position in millionths of a degree, which is as exact as positions
// are searched.
type spot struct{ latitude, longitude int32 }

const (
	degree = 1_000_000
	// turn is how far it is around the globe.
	turn = 360 * degree
	// A band is some five kilometres high: less than most circles people draw.
	bandHeight = degree / 20
	lastBand   = 180 * degree / bandHeight
)

func spotOf(p criteria.Position) spot {
	return spot{int32(math.Round(p.Latitude * degree)), int32(math.Round(p.Longitude * degree))}
}

func (s spot) position() criteria.Position {
	return criteria.Position{Latitude: float64(s.latitude) / degree, Longitude: float64(s.longitude) / degree}
}

// band numbers the band of latitude the spot is in, from the south pole on.
func (s spot) band() int { return int(s.latitude+90*degree) / bandHeight }

// eastward is how far east of the antimeridian the spot is.
func (s spot) eastward() int32 {
	if s.longitude == 180*degree {
		return 0
	}
	return s.longitude + 180*degree
}

// place orders spots by band, and within a band from west to east.
func (s spot) place() int64 { return placeOf(s.band(), s.eastward()) }

func placeOf(band int, eastward int32) int64 { return int64(band)<<32 | int64(eastward) }

// area is a part of the globe, cut into bands of latitude.
type area struct {
	first  int // the number of the southernmost band
	strips []strip
	// holds says exactly which positions are in the area.
	holds func(criteria.Position) bool
}

// strip is what an area takes of one band: no more than maybe, and all of
// surely. Only spots between the two have to be looked at exactly.
type strip struct{ maybe, surely arc }

// arc is a stretch of longitudes from west on, ends included. An arc with a
// negative width is none.
type arc struct{ west, width int32 }

var (
	nowhereOnEarth = arc{0, -1}
	allAround      = arc{0, turn}
)

// makeArc makes the arc between two longitudes in millionths of a degree, where
// west is at most east, whichever turns they are counted in.
func makeArc(west, east int64) arc {
	switch width := east - west; {
	case width < 0:
		return nowhereOnEarth
	case width >= turn:
		return allAround
	default:
		return arc{int32(((west+180*degree)%turn + turn) % turn), int32(width)}
	}
}

func (a arc) has(eastward int32) bool {
	from := eastward - a.west
	if from < 0 {
		from += turn
	}
	return from <= a.width
}

// stretches lists the arc in pieces that do not cross the antimeridian.
func (a arc) stretches() iter.Seq2[int32, int32] {
	return func(yield func(from, to int32) bool) {
		switch east := a.west + a.width; {
		case a.width < 0:
		case a.width == turn:
			yield(0, turn-1)
		case east < turn:
			yield(a.west, east)
		default:
			_ = yield(a.west, turn-1) && yield(0, east-turn)
		}
	}
}

// has reports whether the spot is in the area.
func (a *area) has(s spot) bool {
	band := s.band() - a.first
	if band < 0 || band >= len(a.strips) {
		return false
	}
	eastward := s.eastward()
	strip := &a.strips[band]
	return strip.maybe.has(eastward) && (strip.surely.has(eastward) || a.holds(s.position()))
}

// bandAt is the band a latitude in degrees is in, and the outermost ones for
// those beyond the poles.
func bandAt(latitude float64) int {
	return int(min(max(0, math.Floor((latitude+90)*degree/bandHeight)), lastBand))
}

// box is the area of a product.Within.
func box(w product.Within) area {
	a := area{first: bandAt(w.South - 1./degree), holds: w.Holds}
	last := bandAt(w.North + 1./degree)
	east := w.East
	if w.West > east {
		east += 360
	}
	// A millionth either way is for rounding.
	out, in := int64(math.Floor(w.West*degree)), int64(math.Ceil(w.West*degree))
	inner := strip{maybe: makeArc(out-1, int64(math.Ceil(east*degree))+1), surely: makeArc(in+1, int64(math.Floor(east*degree))-1)}
	border := strip{maybe: inner.maybe, surely: nowhereOnEarth}
	for band := a.first; band <= last; band++ {
		// The parallels of the box are in the outermost two bands of either end.
		if band-a.first < 2 || last-band < 2 {
			a.strips = append(a.strips, border)
		} else {
			a.strips = append(a.strips, inner)
		}
	}
	return a
}

// circle is the area of a product.Near.
func circle(n product.Near) area {
	const (
		// A metre either way is for rounding, of positions and of sums.
		metre = 0.001
		// A circle larger than half the globe is not round on the map.
		halfTheGlobe = 10_000
	)
	outer, inner := makeDisc(n.Center, n.Radius+metre), makeDisc(n.Center, n.Radius-metre)
	reach := outer.radius * (180 / math.Pi)
	a := area{first: bandAt(n.Center.Latitude - reach), holds: n.Holds}
	last := bandAt(n.Center.Latitude + reach)
	a.strips = make([]strip, 0, last-a.first+1)
	for band := a.first; band <= last; band++ {
		south, north := edge(band), edge(band+1)
		if n.Radius > halfTheGlobe {
			a.strips = append(a.strips, strip{maybe: allAround, surely: nowhereOnEarth})
			continue
		}
		a.strips = append(a.strips, strip{
			maybe:  symmetric(n.Center.Longitude, outer.widest(south, north)),
			surely: symmetric(n.Center.Longitude, inner.narrowest(south, north)),
		})
	}
	return a
}

// edge is the southern edge of a band, in radians.
func edge(band int) float64 {
	return min(float64(band*bandHeight)/degree-90, 90) * (math.Pi / 180)
}

// symmetric is the arc that reaches so many radians to both sides of a
// longitude.
func symmetric(longitude, radians float64) arc {
	if radians < 0 {
		return nowhereOnEarth
	}
	reach := radians * (180 / math.Pi)
	return makeArc(int64(math.Floor((longitude-reach)*degree)), int64(math.Ceil((longitude+reach)*degree)))
}

// disc is a circle on the globe, in radians.
type disc struct {
	radius, latitude, cos float64
	// height is the haversine of the radius; that of a point's distance is at most
	// as large.
	height float64
	// tangent is the latitude at which meridians touch the disc and it is widest,
	// none when the disc has a pole in it.
	tangent float64
}

func makeDisc(center criteria.Position, kilometres float64) disc {
	latitude, radius := center.Latitude*(math.Pi/180), kilometres/criteria.EarthRadius
	if radius < 0 {
		return disc{height: -1, tangent: math.NaN()}
	}
	half := math.Sin(min(radius, math.Pi) / 2)
	return disc{
		radius: radius, latitude: latitude, cos: math.Cos(latitude), height: half * half,
		tangent: math.Asin(math.Sin(latitude) / math.Cos(radius)),
	}
}

// halfWidth is how far the disc reaches to the east along a parallel: negative
// where it does not touch it, and half a turn where it contains all of it.
func (d disc) halfWidth(latitude float64) float64 {
	half := math.Sin((latitude - d.latitude) / 2)
	left, whole := d.height-half*half, d.cos*math.Cos(latitude)
	switch {
	case left < 0:
		return -1
	case left >= whole:
		return math.Pi
	}
	return 2 * math.Asin(math.Sqrt(left/whole))
}

// From its widest parallel the disc gets narrower in both directions: so it is
// narrowest at an edge of a band, and widest at the tangent or at an edge.

func (d disc) narrowest(south, north float64) float64 {
	return min(d.halfWidth(south), d.halfWidth(north))
}

func (d disc) widest(south, north float64) float64 {
	widest := max(d.halfWidth(south), d.halfWidth(north))
	if south < d.tangent && d.tangent < north {
		widest = max(widest, d.halfWidth(d.tangent))
	}
	return widest
}
