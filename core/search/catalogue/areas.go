package catalogue

import (
	"iter"
	"math"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// point is a position in millionths of a degree: searches are no more exact.
type point struct{ latitude, longitude int32 }

const (
	degree = 1_000_000
	// turn is once around the globe.
	turn = 360 * degree
	// A band is some five kilometres high: less than most circles people draw.
	bandHeight = degree / 20
	lastBand   = 180 * degree / bandHeight
)

func pointOf(p criteria.Position) point {
	return point{int32(math.Round(p.Latitude * degree)), int32(math.Round(p.Longitude * degree))}
}

func (s point) position() criteria.Position {
	return criteria.Position{Latitude: float64(s.latitude) / degree, Longitude: float64(s.longitude) / degree}
}

// band returns the number of the point's band of latitude, counted from the south pole.
func (s point) band() int { return int(s.latitude+90*degree) / bandHeight }

// eastward returns the distance east of the antimeridian.
func (s point) eastward() int32 {
	if s.longitude == 180*degree {
		return 0
	}
	return s.longitude + 180*degree
}

// sortKey orders points by band, and within a band from west to east.
func (s point) sortKey() int64 { return sortKeyOf(s.band(), s.eastward()) }

func sortKeyOf(band int, eastward int32) int64 { return int64(band)<<32 | int64(eastward) }

// area is a part of the globe, cut into bands of latitude. Comparing arcs of longitude
// decides for most points; the exact rule is evaluated only between the two arcs of a band.
type area struct {
	first int // the number of the southernmost band
	bands []bandArcs
	// holds is the exact rule.
	holds func(criteria.Position) bool
}

// bandArcs bound the part of one band that is in an area: every point of the area lies
// in possible, and every point in certain lies in the area.
type bandArcs struct{ possible, certain arc }

// arc is a range of longitudes from west on, ends included. With a negative width it
// is empty.
type arc struct{ west, width int32 }

var (
	noArc       = arc{0, -1}
	wholeCircle = arc{0, turn}
)

// makeArc makes the arc between two longitudes in millionths of a degree, where
// west is at most east, whichever turns they are counted in.
func makeArc(west, east int64) arc {
	switch width := east - west; {
	case width < 0:
		return noArc
	case width >= turn:
		return wholeCircle
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

// pieces lists the arc in ranges that do not cross the antimeridian.
func (a arc) pieces() iter.Seq2[int32, int32] {
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

// has reports whether the point is in the area.
func (a *area) has(s point) bool {
	band := s.band() - a.first
	if band < 0 || band >= len(a.bands) {
		return false
	}
	eastward := s.eastward()
	arcs := &a.bands[band]
	return arcs.possible.has(eastward) && (arcs.certain.has(eastward) || a.holds(s.position()))
}

// bandAt returns the band of a latitude in degrees, the outermost band beyond a pole.
func bandAt(latitude float64) int {
	return int(min(max(0, math.Floor((latitude+90)*degree/bandHeight)), lastBand))
}

// box returns the area of a product.Within.
func box(w product.Within) area {
	a := area{first: bandAt(w.South - 1./degree), holds: w.Holds}
	last := bandAt(w.North + 1./degree)
	east := w.East
	if w.West > east {
		east += 360
	}
	// A millionth either way is for rounding.
	out, in := int64(math.Floor(w.West*degree)), int64(math.Ceil(w.West*degree))
	inner := bandArcs{possible: makeArc(out-1, int64(math.Ceil(east*degree))+1), certain: makeArc(in+1, int64(math.Floor(east*degree))-1)}
	border := bandArcs{possible: inner.possible, certain: noArc}
	for band := a.first; band <= last; band++ {
		// The parallels of the box are in the outermost two bands of either end.
		if band-a.first < 2 || last-band < 2 {
			a.bands = append(a.bands, border)
		} else {
			a.bands = append(a.bands, inner)
		}
	}
	return a
}

// circle returns the area of a product.Near.
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
	a.bands = make([]bandArcs, 0, last-a.first+1)
	for band := a.first; band <= last; band++ {
		south, north := edge(band), edge(band+1)
		if n.Radius > halfTheGlobe {
			a.bands = append(a.bands, bandArcs{possible: wholeCircle, certain: noArc})
			continue
		}
		a.bands = append(a.bands, bandArcs{
			possible: symmetric(n.Center.Longitude, outer.widest(south, north)),
			certain:  symmetric(n.Center.Longitude, inner.narrowest(south, north)),
		})
	}
	return a
}

// edge returns the southern edge of a band, in radians.
func edge(band int) float64 {
	return min(float64(band*bandHeight)/degree-90, 90) * (math.Pi / 180)
}

// symmetric returns the arc that reaches so many radians to both sides of a longitude.
func symmetric(longitude, radians float64) arc {
	if radians < 0 {
		return noArc
	}
	reach := radians * (180 / math.Pi)
	return makeArc(int64(math.Floor((longitude-reach)*degree)), int64(math.Ceil((longitude+reach)*degree)))
}

// disc is a circle on the globe, in radians.
type disc struct {
	radius, latitude, cos float64
	// height is the haversine of the radius. The haversine of the distance of a point
	// in the disc is at most as large.
	height float64
	// tangent is the latitude at which meridians touch the disc and it is widest, NaN
	// when a pole is in the disc.
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

// halfWidth returns how far the disc reaches east along a parallel: negative where it
// does not touch the parallel, half a turn where it contains all of it.
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

// inArea demands a position in an area, by reading the position of every slot.
type inArea struct {
	points *column[point]
	area   *area
}

func (p inArea) narrow(w *window) { p.points.keep(w, p.area.has) }

func (p inArea) meets(slot uint32) bool {
	s, located := p.points.at(slot)
	return located && p.area.has(s)
}

func (p inArea) cost() float64 { return 4 * costOfColumn }

func (p inArea) share(float64) float64 { return shareOfRange }

// Costs of reading work in the column sorted by position, of an entry and of the search
// for a band, in positions of slots that inArea would read in the same time.
const (
	costOfEntry = 4
	costOfBand  = 40
)

// inside returns the predicate of an area. The slots in a small area are found by their
// sort key and make a set, which spares all other predicates work.
func (x *Index) inside(a area) predicate {
	slots := int(x.slots)
	budget := slots - costOfBand*len(a.bands)
	if budget < 0 {
		return inArea{&x.points, &a}
	}
	found := set{words: make([]uint64, (slots+wordSize-1)/wordSize)}
	for i, arcs := range a.bands {
		for from, to := range arcs.possible.pieces() {
			for place, slot := range x.byPosition.between(sortKeyOf(a.first+i, from), sortKeyOf(a.first+i, to)) {
				if budget -= costOfEntry; budget < 0 {
					return inArea{&x.points, &a}
				}
				if arcs.certain.has(int32(place)) || a.holds(x.points.get(slot).position()) {
					found.words[slot/wordSize] |= 1 << (slot % wordSize)
				}
			}
		}
	}
	found.recount()
	return member{&found}
}
