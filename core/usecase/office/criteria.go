package office

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func listCriteria(_ context.Context, c kernel.Caller, _ kernel.Nothing) ([]CriteriaResource, error) {
	records := []CriteriaResource{}
	for _, d := range c.Site.Dictionary.Definitions() {
		records = append(records, criteriaResource(d))
	}
	return records, nil
}

func getCriterion(_ context.Context, c kernel.Caller, in ReadCriterion) (CriterionDetail, error) {
	d, err := findCriterion(c, in.Criteria)
	if err != nil {
		return CriterionDetail{}, err
	}
	detail := CriterionDetail{CriteriaResource: criteriaResource(d), Values: []ReferentialValueState{}}
	for _, choice := range d.Choices {
		detail.Values = append(detail.Values, ReferentialValueState{referentialValue(choice), choice.Active})
	}
	return detail, nil
}

func listCriterionValues(_ context.Context, c kernel.Caller, in ReadCriterionValues) ([]ReferentialValue, error) {
	d, err := findCriterion(c, in.Criteria)
	if err != nil {
		return nil, err
	}
	return referentialValues(d.Choices, in.IncludeInactive), nil
}

func listLists(_ context.Context, c kernel.Caller, _ kernel.Nothing) ([]ListResource, error) {
	records := []ListResource{}
	for _, l := range c.Site.Dictionary.Lists() {
		records = append(records, ListResource{ID: int64(l.ID), Key: l.Key, Label: l.Label})
	}
	return records, nil
}

func listListValues(_ context.Context, c kernel.Caller, in ReadListValues) ([]ReferentialValue, error) {
	l, err := findList(c, criteria.ListID(in.List))
	if err != nil {
		return nil, err
	}
	return referentialValues(l.Choices, in.IncludeInactive), nil
}

func findList(c kernel.Caller, id criteria.ListID) (criteria.List, error) {
	l, found := c.Site.Dictionary.List(id)
	if !found {
		return l, kernel.Unknown("no list has this id")
	}
	return l, nil
}

func findCriterion(c kernel.Caller, name string) (criteria.Definition, error) {
	d, found := c.Site.Dictionary.Find(name)
	if !found {
		return d, kernel.Unknown("no criterion has this key or id")
	}
	return d, nil
}

func referentialValue(c criteria.Choice) ReferentialValue {
	return ReferentialValue{ID: c.ID, Model: c.Code, Label: c.Label}
}

func referentialValues(choices []criteria.Choice, inactive bool) []ReferentialValue {
	values := []ReferentialValue{}
	for _, c := range choices {
		if c.Active || inactive {
			values = append(values, referentialValue(c))
		}
	}
	return values
}

func criteriaResource(d criteria.Definition) CriteriaResource {
	r := CriteriaResource{
		ID: int64(d.ID), Key: d.Key, Type: d.Type.String(), Label: d.Label, Description: kernel.Nullable(d.Description),
		IsActive: d.Active, IsCustom: d.Custom, IsLabelCustom: d.CustomLabel, IsValuesCustom: d.CustomValues,
		IsRequiredForPublication: d.RequiredForPublication, IsSearchable: d.Searchable, IsPrivate: d.IsPrivate(),
		Unit: kernel.Nullable(d.Unit), Min: d.Min, Max: d.Max, Decimals: d.Decimals,
		IsFulltext: d.FullText, Group: kernel.Nullable(d.Group), PropertyTypes: kernel.List(d.PropertyTypes), Position: d.Position,
	}
	if d.Type == criteria.TEXT {
		limit := d.TextLimit()
		r.MaxLength = &limit
	}
	return r
}
