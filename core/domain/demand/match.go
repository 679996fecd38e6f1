package demand

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
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

// Finding is one demand of a search request compared with a product.
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

// Match holds a product against the request. It does not ask whether the
// request is open or the product for sale.
func (r SearchRequest) Match(p product.Product) Match {
	m := Match{Search: r.ID, Customer: r.Customer, Product: p.ID}
	place := PlaceOf(p)
	var t Tally
	for d := range r.Demands() {
		o := d.hold(&p, &place)
		t.Add(&d, o)
		if o.Holds {
			m.Reasons = append(m.Reasons, d.finding(o, p.Criteria, place))
		} else {
			m.Misses = append(m.Misses, d.finding(o, p.Criteria, place))
		}
	}
	m.Verdict = t.Verdict()
	return m
}

func (d *Demand) finding(o Outcome, values criteria.Values, place Place) Finding {
	f := Finding{ID: d.ID, By: o.By, Wish: d.Wish}
	switch {
	case d.Condition != nil:
		f.Wanted = Wanted{Operator: d.Condition.Operator.String(), Value: d.Condition.Plain()}
		f.Found = criteria.Plain(values[d.Condition.Criterion])
		if d.Not {
			f.Wanted.Operator = string(Exclu)
		}
	case d.Areas != nil:
		f.Wanted, f.Found = Wanted{Operator: "WITHIN", Value: labels(d.Areas)}, place.found()
	case d.Types != nil:
		f.Wanted = Wanted{Operator: criteria.COMPREND.String(), Value: d.Types}
		f.Found = criteria.Plain(values[criteria.KeyPropertyType])
	default:
		f.Wanted = Wanted{Operator: criteria.EGAL.String(), Value: d.Transaction}
		f.Found = criteria.Plain(values[criteria.KeyTransactionType])
	}
	return f
}

// labels returns what people call the wanted areas.
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
	case p.Position != nil:
		return p.Position.String()
	}
	return nil
}
