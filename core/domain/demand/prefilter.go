package demand

import (
	"hash/fnv"
	"math"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// prefilter is what tells most search requests from a product without looking at
// them: the bounds of price, surface and rooms, and bloom words of the wanted
// property types and of areas with a name. It may let a request pass that does
// not match; it never holds one back that does.
type prefilter struct {
	bounds        [len(prefiltered)]interval
	types, places bloom
}

// prefiltered are the criteria whose bounds a prefilter takes in.
var prefiltered = [...]string{criteria.KeyPrice, criteria.KeySurface, criteria.KeyRooms}

// interval is what the bounds on a number leave; without bounds everything.
type interval struct{ from, to float64 }

// bloom is a set of texts in a word, each standing for one of its bits. The
// empty bloom is any text.
type bloom uint64

func (s bloom) with(text string) bloom {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // a hash never fails
	return s | 1<<(h.Sum64()%64)
}

func (s bloom) mayHave(text bloom) bool { return s == 0 || s&text != 0 }

func prefilterOf(r SearchRequest) prefilter {
	var g prefilter
	for i, key := range prefiltered {
		g.bounds[i] = bounds(r.Criteria, key)
	}
	for _, code := range r.PropertyTypes {
		g.types = g.types.with(code)
	}
	for _, a := range r.Areas {
		switch {
		case a.Excluded:
		case a.Type.Drawn():
			g.places = 0
			return g
		default:
			g.places = g.places.withArea(a)
		}
	}
	return g
}

// withArea adds what an area with a name may know a place by.
func (s bloom) withArea(a Area) bloom {
	if a.Type == City {
		s = s.with(string(City) + criteria.FoldPlace(a.Label))
		if a.Code == "" {
			return s
		}
		a.Type = INSEE
	}
	code := compact(a.Code)
	if a.Type == PostalCode {
		code = postal(code)
	}
	return s.with(string(a.Type) + code)
}

// withPlace adds what areas may know the place by.
func (s bloom) withPlace(p Place) bloom {
	for _, known := range []struct {
		kind AreaType
		name string
	}{
		{City, p.City}, {City, wholeCity(p.City)}, {PostalCode, p.PostalCode},
		{INSEE, p.INSEE}, {INSEE, product.CommuneOf(p.INSEE)}, {Department, p.Department()},
	} {
		if known.name != "" {
			s = s.with(string(known.kind) + known.name)
		}
	}
	return s
}

func bounds(conditions []criteria.Condition, key string) interval {
	within := interval{math.Inf(-1), math.Inf(1)}
	for _, c := range conditions {
		switch {
		case c.Criterion != key, c.Type == criteria.DATE:
		case c.Operator == criteria.SUPERIEUR:
			within.from = max(within.from, c.Number)
		case c.Operator == criteria.INFERIEUR:
			within.to = min(within.to, c.Number)
		}
	}
	return within
}

func (w interval) has(n float64) bool { return n >= w.from && n <= w.to }

// everything reports whether there are no bounds.
func (w interval) everything() bool { return math.IsInf(w.from, -1) && math.IsInf(w.to, 1) }

// widened returns the interval with what is near.
func (w interval) widened() interval {
	const rounding = 1 + 1e-9
	return interval{w.from - math.Abs(w.from)*nearBy*rounding, w.to + math.Abs(w.to)*nearBy*rounding}
}

// view is a product as prefilters see it.
type view struct {
	numbers     [len(prefiltered)]measured
	kind, place bloom
	// near is true where near misses are looked for too.
	near bool
}

type measured struct {
	n     float64
	known bool
}

func viewOf(p product.Product, place Place, near bool) view {
	v := view{
		kind: bloom(0).with(p.Criteria.Code(criteria.KeyPropertyType)), place: bloom(0).withPlace(place), near: near,
	}
	for i, key := range prefiltered {
		v.numbers[i].n, v.numbers[i].known = scalar(p.Criteria[key])
	}
	return v
}

// mayMatch reports whether a request may match, or nearly match where that is
// looked for too.
func (v *view) mayMatch(g *prefilter) bool {
	if v.near {
		return v.mayNearlySuit(g)
	}
	if !g.types.mayHave(v.kind) || !g.places.mayHave(v.place) {
		return false
	}
	for i := range v.numbers {
		m, within := v.numbers[i], &g.bounds[i]
		if m.known && !within.has(m.n) || !m.known && !within.everything() {
			return false
		}
	}
	return true
}

// mayNearlySuit counts what a request misses for sure, as a Tally does.
func (v *view) mayNearlySuit(g *prefilter) bool {
	missed, plain := 0, 0
	for i := range v.numbers {
		switch m, within := v.numbers[i], g.bounds[i]; {
		case !m.known && within.everything(), m.known && within.has(m.n):
			continue
		case !m.known:
			plain++
		case !within.widened().has(m.n):
			return false
		}
		missed++
	}
	if !g.types.mayHave(v.kind) {
		missed, plain = missed+1, plain+1
	}
	if !g.places.mayHave(v.place) {
		missed, plain = missed+1, plain+1
	}
	return missed <= MostMisses && plain <= MostPlain
}
