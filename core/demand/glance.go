package demand

import (
	"hash/fnv"
	"math"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/product"
)

// glance is what tells most search requests from a product without looking at
// them: the bounds of price and surface, and sketches of the wanted property
// types and postal codes. It may let a request pass that does not match; it
// never holds one back that does.
type glance struct {
	price, surface interval
	types, places  sketch
}

// interval is what the bounds on a number leave; without bounds everything.
type interval struct{ from, to float64 }

// sketch is a set of texts in a word, each standing for one of its bits. The
// empty sketch is any text.
type sketch uint64

func (s sketch) with(text string) sketch {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // a hash never fails
	return s | 1<<(h.Sum64()%64)
}

func (s sketch) mayHave(text sketch) bool { return s == 0 || s&text != 0 }

func glanceOf(r SearchRequest) glance {
	g := glance{price: bounds(r.Criteria, criteria.KeyPrice), surface: bounds(r.Criteria, criteria.KeySurface)}
	for _, code := range r.PropertyTypes {
		g.types = g.types.with(code)
	}
	for _, a := range r.Areas {
		switch {
		case a.Excluded:
		case a.Type != PostalCode:
			g.places = 0
			return g
		default:
			g.places = g.places.with(compact(a.Code))
		}
	}
	return g
}

func bounds(conditions []criteria.Condition, key string) interval {
	within := interval{math.Inf(-1), math.Inf(1)}
	for _, c := range conditions {
		switch {
		case c.Criterion != key:
		case c.Operator == criteria.SUPERIEUR:
			within.from = max(within.from, c.Number)
		case c.Operator == criteria.INFERIEUR:
			within.to = min(within.to, c.Number)
		}
	}
	return within
}

// view is a product as glances see it.
type view struct {
	price, surface measured
	kind, place    sketch
	// near widens the bounds to those of near misses.
	near bool
}

type measured struct {
	n     float64
	known bool
}

func viewOf(p product.Product, place Place, near bool) view {
	number := func(key string) measured {
		n, known := p.Criteria.Number(key)
		return measured{n, known}
	}
	return view{
		price: number(criteria.KeyPrice), surface: number(criteria.KeySurface),
		kind: sketch(0).with(p.Criteria.Code(criteria.KeyPropertyType)), place: sketch(0).with(place.PostalCode), near: near,
	}
}

func (v view) maySuit(g glance) bool {
	if !v.suits(g.price, v.price) || !v.suits(g.surface, v.surface) {
		return false
	}
	return v.near || g.types.mayHave(v.kind) && g.places.mayHave(v.place)
}

// suits holds a number against its bounds. What is not known misses them, but
// not by far.
func (v view) suits(within interval, m measured) bool {
	if !m.known {
		return v.near || math.IsInf(within.from, -1) && math.IsInf(within.to, 1)
	}
	if v.near {
		within.from -= math.Abs(within.from) * nearBy
		within.to += math.Abs(within.to) * nearBy
	}
	return m.n >= within.from && m.n <= within.to
}
