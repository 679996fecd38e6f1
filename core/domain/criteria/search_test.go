package criteria_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

func TestClausesNameTheirFieldAndPrivateCriteriaAreNotThereForThePublic(t *testing.T) {
	dictionary := criteria.NewDictionary([]criteria.Definition{
		{ID: 1, Key: "Prix", Type: criteria.NUMBER, Active: true, Searchable: true},
		{ID: 2, Key: "NetVendeur", Type: criteria.NUMBER, Active: true, Searchable: true, Private: true},
	}, nil)
	clause := func(id, operator string, value any) criteria.ConditionInput {
		return criteria.ConditionInput{ID: id, Operator: opt.Of(operator), Value: criteria.Raw{V: value}}
	}
	fine := clause("1", "SUPERIEUR", "1")
	for name, c := range map[string]struct {
		clause criteria.ConditionInput
		public bool
		field  string
		code   fault.Code
	}{
		"fine":                         {clause("Prix", "INFERIEUR", "2"), true, "", ""},
		"no such criterion":            {clause("Surface", "EGAL", "1"), false, "criteria[1].id", fault.CodeUnknownCriterion},
		"a criterion without a name":   {clause("", "EGAL", "1"), false, "criteria[1].id", fault.CodeUnknownCriterion},
		"a private one":                {clause("NetVendeur", "EGAL", "1"), false, "", ""},
		"a private one for the public": {clause("NetVendeur", "EGAL", "1"), true, "criteria[1].id", fault.CodeUnknownCriterion},
		"no operator":                  {clause("Prix", "", "1"), false, "criteria[1].operator", fault.CodeRequired},
		"an unknown operator":          {clause("Prix", "MIEUX", "1"), false, "criteria[1].operator", fault.CodeInvalidFormat},
		"another type's operator":      {clause("Prix", "CONTIENT", "1"), false, "criteria[1].operator", fault.CodeOperatorNotSupported},
		"a wrong value":                {clause("Prix", "EGAL", "cheap"), false, "criteria[1].value", fault.CodeInvalidCriteriaValue},
	} {
		var problems fault.Problems
		read := dictionary.Conditions("criteria", []criteria.ConditionInput{fine, c.clause}, criteria.Reading{Public: c.public}, &problems)
		var found fault.Detail
		if err := problems.Err(); err != nil {
			found = fault.From(err).Details[0]
		}
		if found.Field != c.field || found.Code != c.code || (len(read) == 2) != (c.code == "") {
			t.Errorf("%s: %s %s, and %d conditions", name, found.Field, found.Code, len(read))
		}
	}
	var problems fault.Problems
	dictionary.Conditions("criteria", make([]criteria.ConditionInput, criteria.MaxConditions+1), criteria.Reading{}, &problems)
	if err := problems.Err(); err == nil || fault.From(err).Code != fault.CodeOutOfRange {
		t.Errorf("too many clauses: %v", err)
	}
}
