package siteapi

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
)

// ListCriteria lists all criteria definitions, active or not, by position
// (contract: GET /criterias/product/all).
func (s *Service) ListCriteria(_ context.Context, c Caller, _ Nothing) ([]CriteriaResource, error) {
	records := []CriteriaResource{}
	for _, d := range c.settings.dictionary.Definitions() {
		records = append(records, criteriaResource(d))
	}
	return records, nil
}

// GetCriterion reads one definition with its values (contract: GET
// /criterias/product/{criteriaId}).
func (s *Service) GetCriterion(_ context.Context, c Caller, in ReadCriterion) (CriterionDetail, error) {
	d, err := c.criterion(in.Criteria)
	if err != nil {
		return CriterionDetail{}, err
	}
	detail := CriterionDetail{CriteriaResource: criteriaResource(d), Values: []ReferentialValueState{}}
	for _, choice := range d.Choices {
		detail.Values = append(detail.Values, ReferentialValueState{referentialValue(choice), choice.Active})
	}
	return detail, nil
}

// ListCriterionValues lists the values of a UNIQUE or MULTIPLE criterion
// (contract: GET /criterias/product/{id}/values). Other types have none.
func (s *Service) ListCriterionValues(_ context.Context, c Caller, in ReadCriterionValues) ([]ReferentialValue, error) {
	d, err := c.criterion(in.Criteria)
	if err != nil {
		return nil, err
	}
	return referentialValues(d.Choices, in.IncludeInactive), nil
}

// ListLists names the lists of values.
func (s *Service) ListLists(_ context.Context, c Caller, _ Nothing) ([]ListResource, error) {
	records := []ListResource{}
	for _, l := range c.settings.dictionary.Lists() {
		records = append(records, ListResource{ID: int64(l.ID), Key: l.Key, Label: l.Label})
	}
	return records, nil
}

// ListListValues lists the values of one list (contract: GET
// /configs/listes/{listeId}/values).
func (s *Service) ListListValues(_ context.Context, c Caller, in ReadListValues) ([]ReferentialValue, error) {
	l, found := c.settings.dictionary.List(criteria.ListID(in.List))
	if !found {
		return nil, fault.New(fault.NotFound, fault.CodeNotFound, "no list has this id")
	}
	return referentialValues(l.Choices, in.IncludeInactive), nil
}

func (c Caller) criterion(name string) (criteria.Definition, error) {
	d, found := c.settings.dictionary.Find(name)
	if !found {
		return d, fault.New(fault.NotFound, fault.CodeNotFound, "no criterion has this key or id")
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
		ID: int64(d.ID), Key: d.Key, Type: d.Type.String(), Label: d.Label, Description: nullable(d.Description),
		IsActive: d.Active, IsCustom: d.Custom, IsLabelCustom: d.CustomLabel, IsValuesCustom: d.CustomValues,
		IsRequiredForPublication: d.RequiredForPublication, IsSearchable: d.Searchable, IsPrivate: d.Private,
		Unit: nullable(d.Unit), Min: d.Min, Max: d.Max, Decimals: d.Decimals,
		IsFulltext: d.FullText, Group: nullable(d.Group), PropertyTypes: list(d.PropertyTypes), Position: d.Position,
	}
	if d.Type == criteria.TEXT {
		limit := d.TextLimit()
		r.MaxLength = &limit
	}
	return r
}
