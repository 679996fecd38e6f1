package demand

import (
	"iter"
	"math"
	"slices"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/product"
)

// Match says how well a product answers a search request, and why.
type Match struct {
	Search   SearchID
	Customer customer.ID
	Product  product.ID
	Verdict
	// Reasons are the demands that hold, Misses those that do not, both in the
	// order of the request.
	Reasons []Finding
	Misses  []Finding
}

// Verdict is a match in short.
type Verdict struct {
	// Holds is true when everything the customer insists on holds.
	Holds bool
	// Near is true when it does not, but what is missed is little and none of it
	// rules the product out.
	Near bool
	// Score is 0 to 100; 100 is everything, wishes included.
	Score int
}

// Finding is one demand of a search request held against a product.
type Finding struct {
	// ID is the criterion or key point, or one of the Demand constants.
	ID string
	// Wanted is how the product should be.
	Wanted Wanted
	// Found is how it is: a plain value, nil when the product does not say.
	Found any
	// By is how far a number misses its bound, in the unit of the criterion, or
	// a position its circle, in kilometres; 0 where distance makes no sense.
	By float64
	// Wish marks a demand that is only wished for.
	Wish bool
}

// Ids of demands that are about no single criterion.
const (
	DemandTransaction = "transaction_type"
	DemandProperty    = "property_types"
	DemandAreas       = "areas"
)

// Wanted is the other side of a comparison.
type Wanted struct {
	// Operator is one of the contract's, EXCLU for a key point that must not
	// hold, or WITHIN for areas.
	Operator string
	Value    any
}

const (
	// demandWeight and wishWeight are what a demand and a wish count in a score.
	demandWeight, wishWeight = 2, 1
	// nearBy is the part of a bound, or of a circle's radius, that a product may
	// miss it by and still be near.
	nearBy = 0.2
	// nearMisses is how many demands a near miss may leave open, of which
	// plainMisses have no distance to tell how near they are.
	nearMisses, plainMisses = 2, 1
)

// Match holds a product against the request. It does not ask whether the
// request is open or the product for sale.
func (r SearchRequest) Match(p product.Product) Match {
	m := Match{Search: r.ID, Customer: r.Customer, Product: p.ID}
	place := PlaceOf(p)
	var t tally
	for o := range r.outcomes(&p, &place) {
		t.count(o)
		if o.holds {
			m.Reasons = append(m.Reasons, o.finding(p.Criteria, place))
		} else {
			m.Misses = append(m.Misses, o.finding(p.Criteria, place))
		}
	}
	m.Verdict = t.verdict()
	return m
}

// judge is the verdict of Match without its findings. It gives up early on a
// product that does not match, nor nearly where near misses are wanted.
func (r *SearchRequest) judge(p *product.Product, place *Place, near bool) Verdict {
	var t tally
	for o := range r.outcomes(p, place) {
		if t.count(o); t.missed > 0 && (!near || !t.near()) {
			return Verdict{}
		}
	}
	return t.verdict()
}

// outcome is one demand held against a product, not yet put into words.
type outcome struct {
	id    string
	holds bool
	wish  bool
	// barred means that missing it rules the product out.
	barred bool
	// by is how far off it is, slack the most that is still near.
	by, slack float64

	// What the demand consists of: a condition, a code, codes or areas.
	condition *criteria.Condition
	code      string
	codes     []string
	areas     []Area
}

// outcomes holds each demand against the product.
func (r *SearchRequest) outcomes(p *product.Product, place *Place) iter.Seq[outcome] {
	return func(yield func(outcome) bool) {
		if !yield(outcome{
			id: DemandTransaction, code: r.TransactionType, barred: true,
			holds: p.Criteria.Code(criteria.KeyTransactionType) == r.TransactionType,
		}) {
			return
		}
		if len(r.PropertyTypes) > 0 && !yield(outcome{
			id: DemandProperty, codes: r.PropertyTypes,
			holds: slices.Contains(r.PropertyTypes, p.Criteria.Code(criteria.KeyPropertyType)),
		}) {
			return
		}
		for i := range r.Criteria {
			if c := &r.Criteria[i]; !yield(measure(c.Criterion, c, p.Criteria[c.Criterion])) {
				return
			}
		}
		for _, k := range r.KeyPoints {
			if k.Condition != nil && !yield(k.outcome(p.Criteria[k.Condition.Criterion])) {
				return
			}
		}
		if len(r.Areas) > 0 {
			yield(surround(r.Areas, place))
		}
	}
}

func measure(id string, c *criteria.Condition, v criteria.Value) outcome {
	o := outcome{id: id, condition: c, holds: c.Matches(v)}
	if found, ok := v.(criteria.Number); ok && !o.holds {
		o.by, o.slack = math.Abs(float64(found)-c.Number), math.Abs(c.Number)*nearBy
	}
	return o
}

func (k KeyPoint) outcome(v criteria.Value) outcome {
	o := measure(k.ID, k.Condition, v)
	o.wish = k.Importance == Souhaite
	if k.Importance == Exclu {
		o.holds, o.barred, o.by = !o.holds, true, 0
	}
	return o
}

func surround(areas []Area, place *Place) outcome {
	o := outcome{id: DemandAreas, areas: areas, holds: Within(areas, *place)}
	if !o.holds {
		radius, by := nearest(areas, *place)
		o.by, o.slack = by, radius*nearBy
	}
	return o
}

// tally adds outcomes up.
type tally struct {
	held, all     float64
	missed, plain int
	barred        bool
}

func (t *tally) count(o outcome) {
	weight := float64(demandWeight)
	if o.wish {
		weight = wishWeight
	}
	t.all += weight
	near := o.by > 0 && o.by <= o.slack
	switch {
	case o.holds:
		t.held += weight
		return
	case near:
		t.held += weight * (1 - o.by/o.slack) / 2
	}
	if o.wish {
		return
	}
	t.missed++
	if !near {
		t.plain++
	}
	t.barred = t.barred || o.barred || o.by > o.slack
}

// near reports whether what is missed so far is little.
func (t *tally) near() bool { return !t.barred && t.missed <= nearMisses && t.plain <= plainMisses }

func (t *tally) verdict() Verdict {
	return Verdict{
		Holds: t.missed == 0,
		Near:  t.missed > 0 && t.near(),
		Score: int(math.Floor(100 * t.held / t.all)),
	}
}

func (o outcome) finding(values criteria.Values, place Place) Finding {
	f := Finding{ID: o.id, By: o.by, Wish: o.wish}
	switch {
	case o.condition != nil:
		f.Wanted = Wanted{Operator: o.condition.Operator.String(), Value: o.condition.Plain()}
		f.Found = criteria.Plain(values[o.condition.Criterion])
		if o.barred {
			f.Wanted.Operator = string(Exclu)
		}
	case o.areas != nil:
		f.Wanted, f.Found = Wanted{Operator: "WITHIN", Value: labels(o.areas)}, place.found()
	case o.code != "":
		f.Wanted = Wanted{Operator: criteria.EGAL.String(), Value: o.code}
		f.Found = criteria.Plain(values[criteria.KeyTransactionType])
	default:
		f.Wanted = Wanted{Operator: criteria.COMPREND.String(), Value: o.codes}
		f.Found = criteria.Plain(values[criteria.KeyPropertyType])
	}
	return f
}

// labels are what people call the wanted areas.
func labels(areas []Area) []string {
	all := []string{}
	for _, a := range areas {
		switch {
		case a.Excluded:
		case a.Label != "":
			all = append(all, a.Label)
		case a.Code != "":
			all = append(all, a.Code)
		default:
			all = append(all, string(a.Type))
		}
	}
	return all
}

func (p Place) found() any {
	switch {
	case p.City != "" && p.PostalCode != "":
		return p.PostalCode + " " + p.City
	case p.City != "":
		return p.City
	case p.PostalCode != "":
		return p.PostalCode
	}
	return nil
}

// nearest is the wanted circle a place misses by least, and by how many
// kilometres; 0 when there is none or when the place lies in an excluded area.
func nearest(areas []Area, p Place) (radius, by float64) {
	for _, a := range areas {
		if a.Excluded && a.Has(p) {
			return 0, 0
		}
	}
	for _, a := range areas {
		if a.Excluded || a.Type != Radius || p.Position == nil {
			continue
		}
		if beyond := a.Center.Kilometres(*p.Position) - a.RadiusKm; by == 0 || beyond < by {
			radius, by = a.RadiusKm, beyond
		}
	}
	return radius, by
}
