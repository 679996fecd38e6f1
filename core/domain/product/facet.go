package product

import (
	"iter"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Facet asks how products spread over the values of one criterion.
type Facet struct {
	// Criterion is the key of the criterion.
	Criterion string
	Type      criteria.Type
	// Codes are the choices of UNIQUE and MULTIPLE to count by.
	Codes []string
	// Bounds cut NUMBER and DATE into bands, in ascending order; of a DATE they are
	// those among days (criteria.Date.Among).
	Bounds []float64
	// Instants are the bounds of a DATE among instants, as many. Where there are
	// none, Bounds are.
	Instants []float64
}

// Buckets returns how many counts the facet makes: one for each code, two for a FLAG,
// not set and set, and one more than there are bounds. A TEXT has none.
func (f Facet) Buckets() int {
	switch f.Type {
	case criteria.UNIQUE, criteria.MULTIPLE:
		return len(f.Codes)
	case criteria.FLAG:
		return 2
	case criteria.NUMBER, criteria.DATE:
		return len(f.Bounds) + 1
	case criteria.TEXT:
	}
	return 0
}

// Holds reports whether a value, nil for none, counts in a bucket. A band begins
// with its lower bound and ends before the upper one; the first and the last
// band are open. What has no value counts nowhere, except that an absent FLAG is
// not set.
func (f Facet) Holds(bucket int, v criteria.Value) bool {
	switch f.Type {
	case criteria.UNIQUE, criteria.MULTIPLE:
		return slices.Contains(criteria.Codes(v), f.Codes[bucket])
	case criteria.FLAG:
		set, _ := v.(criteria.Flag)
		return bool(set) == (bucket == 1)
	case criteria.NUMBER, criteria.DATE:
		n, ok := criteria.Scalar(v)
		bounds := f.Bounds
		if d, dated := v.(criteria.Date); dated && d.Timed && f.Instants != nil {
			bounds = f.Instants
		}
		return ok && (bucket == 0 || n >= bounds[bucket-1]) && (bucket == len(bounds) || n < bounds[bucket])
	case criteria.TEXT:
	}
	return false
}

// CountFacets specifies facets: how many candidates match the
// filter, and how many of these each bucket of each facet holds, as far as they
// show through the filter's veil. The catalogue must agree with it.
func CountFacets(f Filter, facets []Facet, all iter.Seq[Candidate]) (count int, counts [][]int) {
	counts = make([][]int, len(facets))
	for i, facet := range facets {
		counts[i] = make([]int, facet.Buckets())
	}
	for c := range all {
		if !f.Matches(c) {
			continue
		}
		count++
		shown := f.Veil.Over(c.Product.Criteria)
		for i, facet := range facets {
			for bucket := range counts[i] {
				if facet.Holds(bucket, shown[facet.Criterion]) {
					counts[i][bucket]++
				}
			}
		}
	}
	return count, counts
}
