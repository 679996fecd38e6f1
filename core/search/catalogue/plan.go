package catalogue

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// plan turns a filter into what a search demands of a slot, in the best order.
// It says what product.Filter.Matches says, in the terms of the index. The search
// ends when it has found as many as wanted.
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
		demand(member{&set{list: x.owners.equal(f.Customer)}})
	}
	if f.Parent != nil {
		demand(x.lotOf(*f.Parent))
	}
	if f.WebStatus != nil {
		demand(is(&x.online, *f.WebStatus))
	}
	if f.Visit360 != nil {
		demand(is(x.visits(f.Veil), *f.Visit360))
	}
	if !f.ModifiedSince.IsZero() {
		demand(atLeast(&x.modified, ceiling(f.ModifiedSince)))
	}
	if f.Near != nil {
		demand(x.place(circle(*f.Near)))
	}
	if f.Within != nil {
		demand(x.place(box(*f.Within)))
	}
	for _, condition := range f.Criteria {
		if condition.Operator != criteria.CONTIENT {
			demand(x.condition(condition, f.Veil))
		}
	}
	// What looks into texts depends on how much the rest leaves.
	slots := max(1, float64(x.slots))
	ahead := prospect{slots * demands.share(slots), float64(wanted)}
	for _, condition := range f.Criteria {
		if condition.Operator == criteria.CONTIENT {
			demand(x.containing(condition, f.Veil, ahead))
		}
	}
	if !f.Keyword.Empty() {
		demand(x.keyword(f.Keyword, f.Veil, ahead))
	}
	slices.SortStableFunc(demands, func(a, b predicate) int { return cmp.Compare(rank(a, slots), rank(b, slots)) })
	return demands
}

// lotOf demands a lot of a product; 0 demands what is no lot, or is one of products
// that are gone.
func (x *Index) lotOf(parent product.ID) predicate {
	switch {
	case x.missing[parent]:
		return member{&set{}}
	case parent != 0:
		return member{&set{list: x.parents.equal(parent)}}
	}
	none := not{member{&x.parents.ranked}}
	if len(x.missing) == 0 {
		return none
	}
	var strays []uint32
	for gone := range x.missing {
		strays = append(strays, x.parents.equal(gone)...)
	}
	slices.Sort(strays)
	return either{none, member{&set{list: strays}}}
}

// anyOf demands one of several labels.
func anyOf[K comparable](l *labels[K], wanted []K) predicate {
	sets := make(memberOfAny, len(wanted))
	for i, label := range wanted {
		sets[i] = l.bearers(label)
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

// ceiling is an instant in whole microseconds, rounded up.
func ceiling(t time.Time) float64 {
	micros := t.UnixMicro()
	if time.UnixMicro(micros).Before(t) && micros < math.MaxInt64 {
		micros++
	}
	return float64(micros)
}
