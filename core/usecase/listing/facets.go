package listing

import (
	"context"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Limits of facets.
const (
	MaxFacets = 20
	MaxBounds = 100
)

// countFacets counts for each value what a search with that value as one more
// condition finds.
func (s *Service) countFacets(ctx context.Context, c kernel.Caller, in ProductFacets) (FacetsResult, error) {
	var problems fault.Problems
	filter, outside := readFilter(c, in.ProductFilters, &problems)
	facets := readFacets(c, in.Facets, &problems)
	if err := kernel.FirstError(outside, problems.Err()); err != nil {
		return FacetsResult{}, err
	}
	index, err := s.Index(ctx, c)
	if err != nil {
		return FacetsResult{}, err
	}
	questions := make([]product.Facet, len(facets))
	for i, f := range facets {
		questions[i] = f.question()
	}
	count, counts := index.Facets(filter, questions)
	result := FacetsResult{Data: make([]Facet, len(facets)), Count: count}
	for i, f := range facets {
		result.Data[i] = f.record(counts[i])
	}
	return result, nil
}

// facet is a criterion to count by. The bounds are those of NUMBER and DATE.
type facet struct {
	criteria.Definition
	bounds []bound
}

// bound is where a band begins: as it is shown, among numbers or days, and among
// instants.
type bound struct {
	shown           criteria.Value
	number, instant float64
}

func boundAt(v criteria.Value, zone *time.Location) bound {
	n, _ := criteria.Scalar(v)
	date, ok := v.(criteria.Date)
	if !ok {
		return bound{v, n, n}
	}
	day, instant := date.Among(zone)
	return bound{v, day, criteria.Date{At: instant}.Scalar()}
}

// readFacets reads what to count by.
func readFacets(c kernel.Caller, inputs []FacetInput, problems *fault.Problems) []facet {
	switch {
	case len(inputs) == 0:
		problems.Add("facets", fault.CodeRequired, "name at least one criterion to count by")
	case len(inputs) > MaxFacets:
		problems.Add("facets", fault.CodeOutOfRange, "at most %d facets can be counted at once", MaxFacets)
		return nil
	}
	facets := make([]facet, len(inputs))
	for i, in := range inputs {
		id, bands := fmt.Sprintf("facets[%d].id", i), fmt.Sprintf("facets[%d].bands", i)
		def, found := c.Site.Dictionary.Sought(id, in.ID, c.Reading(), problems)
		if !found {
			continue
		}
		facets[i].Definition = def
		switch {
		case !def.Searchable:
			problems.Wrong(id, fault.CodeFacetNotSupported, in.ID, "%s cannot be searched", def.Key)
		case def.Type == criteria.TEXT:
			problems.Wrong(id, fault.CodeFacetNotSupported, in.ID, "%s is a TEXT, which has no values to count by", def.Key)
		case def.Type == criteria.NUMBER, def.Type == criteria.DATE:
			facets[i].bounds = readBounds(c, bands, def, in.Bands.Value, problems)
		case in.Bands.Given():
			problems.Add(bands, fault.CodeFacetNotSupported, "%s is counted by its values; bands are for NUMBER and DATE", def.Key)
		}
	}
	return facets
}

// readBounds reads the bounds of bands, as a condition reads its values.
func readBounds(c kernel.Caller, field string, def criteria.Definition, raw []criteria.Raw, problems *fault.Problems) []bound {
	switch {
	case len(raw) == 0:
		problems.Add(field, fault.CodeRequired, "%s is a %s: give the bounds of its bands", def.Key, def.Type)
	case len(raw) > MaxBounds:
		problems.Add(field, fault.CodeOutOfRange, "a facet can have at most %d bounds", MaxBounds)
		return nil
	}
	reading := c.Reading()
	reading.Operand = true
	bounds := make([]bound, 0, len(raw))
	for j, one := range raw {
		at := fmt.Sprintf("%s[%d]", field, j)
		if one.Empty() {
			problems.Add(at, fault.CodeRequired, "a bound is required")
			return nil
		}
		value, detail := def.Parse(one, reading)
		if detail != nil {
			detail.Field = at
			problems.Append(*detail)
			return nil
		}
		next := boundAt(value, reading.Zone)
		if j > 0 && next.instant <= bounds[j-1].instant {
			problems.Wrong(at, fault.CodeOutOfRange, criteria.Plain(value), "bounds ascend")
			return nil
		}
		bounds = append(bounds, next)
	}
	return bounds
}

// question returns the facet as the catalogue counts it.
func (f facet) question() product.Facet {
	q := product.Facet{Criterion: f.Key, Type: f.Type}
	for _, choice := range f.Choices {
		q.Codes = append(q.Codes, choice.Code)
	}
	for _, bound := range f.bounds {
		q.Bounds, q.Instants = append(q.Bounds, bound.number), append(q.Instants, bound.instant)
	}
	return q
}

// record returns the facet with its counts.
func (f facet) record(counts []int) Facet {
	record := Facet{ID: f.Key}
	switch f.Type {
	case criteria.NUMBER, criteria.DATE:
		bands := make([]FacetBand, len(counts))
		for i, count := range counts {
			bands[i].Count = count
			if i > 0 {
				bands[i].From = criteria.Plain(f.bounds[i-1].shown)
			}
			if i < len(f.bounds) {
				bands[i].To = criteria.Plain(f.bounds[i].shown)
			}
		}
		record.Bands = &bands
	case criteria.FLAG:
		record.Values = &[]FacetValue{
			{Value: criteria.Plain(criteria.Flag(false)), Count: counts[0]},
			{Value: criteria.Plain(criteria.Flag(true)), Count: counts[1]},
		}
	default:
		values := []FacetValue{}
		for i, choice := range f.Choices {
			if choice.Active || counts[i] > 0 {
				values = append(values, FacetValue{Value: choice.Code, Label: kernel.Nullable(choice.Label), Count: counts[i]})
			}
		}
		record.Values = &values
	}
	return record
}
