package catalogue

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// plan returns a filter as predicates, in the best order. They meet product.Filter.Matches.
// The search ends when it has found as many as wanted.
func (x *Index) plan(f product.Filter, wanted int) all {
	var demands all
	demand := func(p predicate) { demands = demands.with(p) }

	demand(anyOf(&x.agencies, f.Agencies))
	if f.Users != nil {
		demand(anyOf(&x.users, f.Users))
	}
	if f.Reference != "" {
		demand(member{x.references.exactly(product.FoldReference(f.Reference))})
	}
	if f.Customer != 0 {
		demand(member{&set{list: x.byOwner.equal(f.Customer)}})
	}
	if f.Parent != nil {
		demand(x.lotOf(*f.Parent))
	}
	if f.WebStatus != nil {
		demand(is(&x.online, *f.WebStatus))
	}
	if f.Visit360 != nil {
		demand(is(x.shownVisit360(f.Veil), *f.Visit360))
	}
	if !f.ModifiedSince.IsZero() {
		demand(atLeast(&x.modified, ceiling(f.ModifiedSince)))
	}
	if f.Near != nil {
		demand(x.inside(circle(*f.Near)))
	}
	if f.Within != nil {
		demand(x.inside(box(*f.Within)))
	}
	for _, condition := range f.Criteria {
		if condition.Operator != criteria.CONTIENT {
			demand(x.condition(condition, f.Veil))
		}
	}
	// The best way to search texts depends on how many slots the rest leaves.
	slots := max(1, float64(x.slots))
	work := estimate{slots * demands.share(slots), float64(wanted)}
	for _, condition := range f.Criteria {
		if condition.Operator == criteria.CONTIENT {
			demand(x.containing(condition, f.Veil, work))
		}
	}
	if !f.Keyword.Empty() {
		demand(x.keyword(f.Keyword, f.Veil, work))
	}
	slices.SortStableFunc(demands, func(a, b predicate) int { return cmp.Compare(rank(a, slots), rank(b, slots)) })
	return demands
}

// lotOf demands a lot of a product; 0 demands what is no lot, or a lot of a deleted
// product.
func (x *Index) lotOf(parent product.ID) predicate {
	switch {
	case x.missing[parent]:
		return member{&set{}}
	case parent != 0:
		return member{&set{list: x.byParent.equal(parent)}}
	}
	none := not{member{&x.byParent.members}}
	if len(x.missing) == 0 {
		return none
	}
	var strays []uint32
	for gone := range x.missing {
		strays = append(strays, x.byParent.equal(gone)...)
	}
	slices.Sort(strays)
	return either{none, member{&set{list: strays}}}
}

// anyOf demands one of several labels.
func anyOf[K comparable](l *labels[K], wanted []K) predicate {
	sets := make(memberOfAny, len(wanted))
	for i, label := range wanted {
		sets[i] = l.slots(label)
	}
	if len(sets) == 1 {
		return member{sets[0]}
	}
	return sets
}

// is demands that the slot is in the set, or that it is not.
func is(s *set, in bool) predicate {
	if in {
		return member{s}
	}
	return not{member{s}}
}

// ceiling returns an instant in whole microseconds, rounded up.
func ceiling(t time.Time) float64 {
	micros := t.UnixMicro()
	if time.UnixMicro(micros).Before(t) && micros < math.MaxInt64 {
		micros++
	}
	return float64(micros)
}

// condition returns the predicate of a condition, of any operator but CONTIENT. It meets
// criteria.Condition.Matches for the values that the veil shows.
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

// containing returns the predicate of a condition with CONTIENT.
func (x *Index) containing(c criteria.Condition, veil product.Veil, work estimate) predicate {
	texts := &x.shown(c.Criterion, veil).texts
	parts := make(either, len(c.Texts))
	for i, part := range c.Texts {
		parts[i] = x.written(texts, phrase{part, anywhere}, work)
	}
	some := parts.simplified()
	if c.Criterion == criteria.KeyAddress && veil.Addresses {
		return all{not{x.masked()}, some}
	}
	return some
}

// masked demands a product whose address a veil hides.
func (x *Index) masked() predicate { return member{&x.known(criteria.KeyHideAddress).flags} }

// shown returns the values of a criterion, and none when a veil makes it private.
func (x *Index) shown(key string, veil product.Veil) *criterion {
	if veil.Private[key] {
		return new(criterion)
	}
	return x.known(key)
}

// visits returns the products with a 360 visit, and none when a veil makes it private.
func (x *Index) shownVisit360(veil product.Veil) *set {
	if veil.Private[criteria.KeyVirtualVisit] {
		return new(set)
	}
	return &x.visit360
}

// known returns the values of a criterion, for reading.
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
			return member{c.choices.slots(to.Codes[0])}
		}
	case criteria.MULTIPLE:
		// As many codes as asked for, and every one of these: the same set.
		same := all{member{c.lengths.slots(len(to.Codes))}}
		for _, code := range to.Codes {
			same = append(same, member{c.members.slots(code)})
		}
		return same
	}
	return nowhere()
}

// compared returns a predicate with the bound for days and numbers, and with another bound
// for instants.
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
		sets = append(sets, c.choices.slots(code), c.members.slots(code))
	}
	return sets
}

// keyword returns the predicate of a keyword. It meets product.Keyword.Matches for the
// values that the veil shows.
func (x *Index) keyword(k product.Keyword, veil product.Veil, work estimate) predicate {
	holds := phrase{k.Phrase, anywhere}
	address, city := &x.shown(criteria.KeyAddress, veil).texts, &x.shown(criteria.KeyCity, veil).texts
	addressed := func(demand predicate) predicate {
		if veil.Addresses {
			return all{not{x.masked()}, demand}
		}
		return demand
	}
	somewhere := either{
		x.phrasePredicate(&x.references, holds, work),
		addressed(x.written(address, holds, work)),
		x.written(city, holds, work),
	}
	// The specification searches address and city joined by a space. A phrase that begins
	// in the one and ends in the other has a space at the border.
	for left, right := range cuts(k.Phrase) {
		if begun := x.written(city, phrase{right, atStart}, work); !impossible(begun) {
			somewhere = append(somewhere, addressed(all{begun, x.written(address, phrase{left, atEnd}, work)}))
		}
	}
	if k.OwnerNames {
		somewhere = append(somewhere, x.phrasePredicate(&x.names, holds, work))
	}
	if k.Price > 0 && !veil.Private[criteria.KeyPrice] {
		somewhere = append(somewhere, x.near(k))
	}
	return somewhere.simplified()
}

// near demands a price near the number in a keyword.
type near struct {
	prices  *column[float64]
	sorted  *set
	keyword product.Keyword
}

// near returns the predicate of the number in a keyword. Only what is sorted as a price
// is one: the criterion may also have values that are dates.
func (x *Index) near(k product.Keyword) predicate {
	return near{&x.known(criteria.KeyPrice).numbers, &x.order(product.ByPrice).members, k}
}

func (p near) narrow(w *window) {
	p.sorted.intersect(&w.words, w.number)
	p.prices.keep(w, p.keyword.NearPrice)
}

func (p near) meets(slot uint32) bool {
	return p.sorted.has(slot) && p.keyword.NearPrice(p.prices.get(slot))
}

func (p near) cost() float64 { return 2 * costOfColumn }

func (p near) share(float64) float64 { return shareOfRange }
