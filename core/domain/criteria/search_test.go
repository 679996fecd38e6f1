package criteria_test

import (
	"fmt"
	"slices"
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

// What a search costs is bounded by all its values together, however they are spread
// over clauses.
func TestTheValuesOfASearchAreBounded(t *testing.T) {
	dictionary := criteria.NewDictionary([]criteria.Definition{{ID: 1, Key: "Ville", Type: criteria.TEXT, Active: true, Searchable: true}}, nil)
	clause := func(values int) criteria.ConditionInput {
		items := make([]any, values)
		for i := range items {
			items[i] = fmt.Sprint("Ville ", i)
		}
		return criteria.ConditionInput{ID: "Ville", Operator: opt.Of("CONTIENT"), Value: criteria.Raw{V: items}}
	}
	one := criteria.ConditionInput{ID: "Ville", Operator: opt.Of("EGAL"), Value: criteria.Raw{V: "Lyon"}}
	for name, c := range map[string]struct {
		inputs []criteria.ConditionInput
		fits   bool
	}{
		"a clause with as many as may be":  {[]criteria.ConditionInput{clause(criteria.MaxValues)}, true},
		"one more":                         {[]criteria.ConditionInput{clause(criteria.MaxValues + 1)}, false},
		"one more, in a clause of its own": {[]criteria.ConditionInput{clause(criteria.MaxValues), one}, false},
		"as many, in two clauses":          {[]criteria.ConditionInput{clause(criteria.MaxValues - 1), one}, true},
		"many in many clauses":             {slices.Repeat([]criteria.ConditionInput{clause(400)}, 200), false},
		"as many clauses as may be":        {slices.Repeat([]criteria.ConditionInput{clause(5)}, criteria.MaxConditions), true},
	} {
		var problems fault.Problems
		conditions := dictionary.Conditions("criterias", c.inputs, criteria.Reading{}, &problems)
		if c.fits != problems.Empty() || c.fits != (len(conditions) == len(c.inputs)) {
			t.Errorf("%s: %d conditions, %v", name, len(conditions), problems.Err())
		}
		if known := fault.From(problems.Err()); !c.fits && (known.Code != fault.CodeOutOfRange || known.Details[0].Field != "criterias") {
			t.Errorf("%s: %v", name, known)
		}
	}
}
