package demand

import (
	"iter"
	"math"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Demand is one thing a search request asks of a product: a Condition, Areas,
// property Types, or else a Transaction.
type Demand struct {
	// ID is that of its findings.
	ID string
	// Wish marks what is only wished for, Bars what rules a product out that
	// misses it.
	Wish, Bars bool

	// Condition must hold, or with Not must not.
	Condition *criteria.Condition
	Not       bool
	Areas     []Area
	// Types are codes of TypeBien.
	Types []string
	// Transaction is a code of TypeTransaction.
	Transaction string
}

// Demands lists what the request asks, in its order.
func (r *SearchRequest) Demands() iter.Seq[Demand] {
	return func(yield func(Demand) bool) {
		if !yield(Demand{ID: DemandTransaction, Bars: true, Transaction: r.TransactionType}) {
			return
		}
		if len(r.PropertyTypes) > 0 && !yield(Demand{ID: DemandProperty, Types: r.PropertyTypes}) {
			return
		}
		for i := range r.Criteria {
			if c := &r.Criteria[i]; !yield(Demand{ID: c.Criterion, Condition: c}) {
				return
			}
		}
		for i := range r.KeyPoints {
			k := &r.KeyPoints[i]
			if k.Condition == nil {
				continue
			}
			excluded := k.Importance == Exclu
			if !yield(Demand{ID: k.ID, Wish: k.Importance == Souhaite, Bars: excluded, Condition: k.Condition, Not: excluded}) {
				return
			}
		}
		if len(r.Areas) > 0 {
			yield(Demand{ID: DemandAreas, Areas: r.Areas})
		}
	}
}

// Outcome is the result of comparing a demand with a product.
type Outcome struct {
	Holds bool
	// By is how far off it is, 0 where distance makes no sense. Slack is the most
	// that is still near.
	By, Slack float64
}

// Near reports whether a demand is missed by little, Far whether by much. What
// has no distance is neither.
func (o Outcome) Near() bool { return o.By > 0 && o.By <= o.Slack }

// Far returns the other end of Near.
func (o Outcome) Far() bool { return o.By > o.Slack }

// hold holds the demand against a product.
func (d *Demand) hold(p *product.Product, place *Place) Outcome {
	switch {
	case d.Condition != nil:
		if value := p.Criteria[d.Condition.Criterion]; d.Condition.Matches(value) == d.Not {
			return d.off(value)
		}
		return Outcome{Holds: true}
	case d.Areas != nil:
		if !Within(d.Areas, *place) {
			return Beyond(d.Areas, *place)
		}
		return Outcome{Holds: true}
	case d.Types != nil:
		return Outcome{Holds: slices.Contains(d.Types, p.Criteria.Code(criteria.KeyPropertyType))}
	}
	return Outcome{Holds: p.Criteria.Code(criteria.KeyTransactionType) == d.Transaction}
}

// Measured reports whether a number can miss the demand by a distance.
func (d *Demand) Measured() bool {
	return d.Condition != nil && !d.Not && d.Condition.Type != criteria.DATE
}

// Off returns how a number misses a demand that is Measured. As in searches, a date
// that a criterion has kept from before it was numeric counts as a number.
func (d *Demand) Off(found float64) Outcome {
	return offBy(found, d.Condition.Number)
}

// offBy keeps to what can be shown: two numbers can be further apart than any
// number is from 0.
func offBy(found, limit float64) Outcome {
	return Outcome{By: min(math.Abs(found-limit), math.MaxFloat64), Slack: math.Abs(limit) * nearBy}
}

func (d *Demand) off(value criteria.Value) Outcome {
	if found, ok := scalar(value); ok && d.Measured() {
		return d.Off(found)
	}
	return Outcome{}
}

// scalar returns what bounds compare.
func scalar(v criteria.Value) (float64, bool) {
	switch v := v.(type) {
	case criteria.Number:
		return float64(v), true
	case criteria.Date:
		return v.Scalar(), true
	}
	return 0, false
}

// Beyond returns how a place misses the areas it is not in: by how many kilometres
// the wanted circle that is nearest, without a distance when there is none or
// when the place is in an excluded area.
func Beyond(areas []Area, p Place) Outcome {
	for _, a := range areas {
		if a.Excluded && a.Has(p) {
			return Outcome{}
		}
	}
	var o Outcome
	for _, a := range areas {
		if a.Excluded || a.Type != Radius || p.Position == nil {
			continue
		}
		if by := a.Center.Kilometres(*p.Position) - a.RadiusKm; o.By == 0 || by < o.By {
			o = Outcome{By: by, Slack: a.RadiusKm * nearBy}
		}
	}
	return o
}

const (
	// demandWeight and wishWeight are what a demand and a wish count in a score.
	demandWeight, wishWeight = 2, 1
	// nearBy is the part of a bound, or of a circle's radius, that a product may
	// miss it by and still be near.
	nearBy = 0.2
	// MostMisses is how many demands a near miss may leave open, of which
	// MostPlain have no distance to tell how near they are.
	MostMisses, MostPlain = 2, 1
)

// Tally adds outcomes up to a verdict.
type Tally struct {
	held, all     float64
	missed, plain int
	barred        bool
}

// Add counts one outcome. The order is that of Demands, lest a score be rounded
// another way.
func (t *Tally) Add(d *Demand, o Outcome) { t.add(d.Wish, d.Bars, o) }

func (t *Tally) add(wish, bars bool, o Outcome) {
	weight := float64(demandWeight)
	if wish {
		weight = wishWeight
	}
	t.all += weight
	near := o.Near()
	switch {
	case o.Holds:
		t.held += weight
		return
	case near:
		t.held += weight * (1 - o.By/o.Slack) / 2
	}
	if wish {
		return
	}
	t.missed++
	if !near {
		t.plain++
	}
	t.barred = t.barred || bars || o.Far()
}

// near reports whether what is missed so far is little.
func (t *Tally) near() bool {
	return !t.barred && t.missed <= MostMisses && t.plain <= MostPlain
}

// Verdict is that on all demands counted.
func (t *Tally) Verdict() Verdict {
	return Verdict{
		Holds: t.missed == 0,
		Near:  t.missed > 0 && t.near(),
		Score: int(math.Floor(100 * t.held / t.all)),
	}
}
