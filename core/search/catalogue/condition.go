package catalogue

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// condition turns a condition into a predicate, CONTIENT apart. It says what
// criteria.Condition.Matches says of what shows through the veil.
func (x *Index) condition(c criteria.Condition, veil product.Veil) predicate {
	demand := x.shown(c.Criterion, veil).meets(c)
	if c.Criterion != criteria.KeyAddress || !veil.Addresses {
		return demand
	}
	if c.Matches(nil) {
		return either{x.masked(), demand}
	}
	return all{not{x.masked()}, demand}
}

func (c *criterion) meets(demand criteria.Condition) predicate {
	switch demand.Operator {
	case criteria.EGAL:
		return c.equal(demand)
	case criteria.DIFFERENT:
		return not{c.equal(demand)}
	case criteria.SUPERIEUR:
		return c.compared(demand, func(bound float64) predicate { return atLeast(&c.numbers, bound) })
	case criteria.INFERIEUR:
		return c.compared(demand, func(bound float64) predicate { return atMost(&c.numbers, bound) })
	case criteria.COMPREND:
		return c.includes(demand.Codes)
	case criteria.NE_COMPREND_PAS:
		return not{c.includes(demand.Codes)}
	default:
		return nowhere()
	}
}

// containing turns a condition with CONTIENT into a predicate.
func (x *Index) containing(c criteria.Condition, veil product.Veil, ahead prospect) predicate {
	texts := &x.shown(c.Criterion, veil).texts
	parts := make(either, len(c.Texts))
	for i, part := range c.Texts {
		parts[i] = x.written(texts, phrase{part, anywhere}, ahead)
	}
	some := parts.simplified()
	if c.Criterion == criteria.KeyAddress && veil.Addresses {
		return all{not{x.masked()}, some}
	}
	return some
}

// masked demands a product whose address a veil hides.
func (x *Index) masked() predicate { return member{&x.known(criteria.KeyHideAddress).flags} }

// shown is what is known about a criterion that is not private under a veil.
func (x *Index) shown(key string, veil product.Veil) *criterion {
	if veil.Private[key] {
		return new(criterion)
	}
	return x.known(key)
}

// visits are the products with a 360 visit that shows through a veil.
func (x *Index) visits(veil product.Veil) *set {
	if veil.Private[criteria.KeyVirtualVisit] {
		return new(set)
	}
	return &x.visited
}

// known returns what is known about a criterion, to be read.
func (x *Index) known(key string) *criterion {
	if c := x.criteria[key]; c != nil {
		return c
	}
	return new(criterion)
}

func (c *criterion) equal(to criteria.Condition) predicate {
	switch to.Type {
	case criteria.NUMBER, criteria.DATE:
		return c.compared(to, func(bound float64) predicate { return between{&c.numbers, bound, bound} })
	case criteria.FLAG:
		return is(&c.flags, to.Flag)
	case criteria.TEXT:
		if len(to.Texts) > 0 {
			return c.texts.exactly(to.Texts[0])
		}
	case criteria.UNIQUE:
		if len(to.Codes) > 0 {
			return member{c.choices.bearers(to.Codes[0])}
		}
	case criteria.MULTIPLE:
		// As many codes as asked for, and every one of these: the same set.
		same := all{member{c.lengths.bearers(len(to.Codes))}}
		for _, code := range to.Codes {
			same = append(same, member{c.members.bearers(code)})
		}
		return same
	}
	return nowhere()
}

// compared demands of days and numbers what is asked with the bound for these,
// and of instants what is asked with theirs.
func (c *criterion) compared(to criteria.Condition, with func(bound float64) predicate) predicate {
	instant := to.AmongInstants()
	if instant == to.Number || c.timed.size() == 0 {
		return with(to.Number)
	}
	timed := member{&c.timed}
	return either{all{timed, with(instant)}, all{not{timed}, with(to.Number)}}
}

func (c *criterion) includes(codes []string) predicate {
	var sets memberOfAny
	for _, code := range codes {
		sets = append(sets, c.choices.bearers(code), c.members.bearers(code))
	}
	return sets
}
