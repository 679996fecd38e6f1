package criteria_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

func TestDefinitionsThatMakeSense(t *testing.T) {
	for _, d := range definitions {
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
	}
	for _, change := range []func(*criteria.Definition){
		func(d *criteria.Definition) { d.Key = strings.Repeat("é", 64) },
		func(d *criteria.Definition) { d.Key = "All" },
		func(d *criteria.Definition) { d.Key = "x" },
		func(d *criteria.Definition) { d.Choices = nil },
		func(d *criteria.Definition) { d.Choices = []criteria.Choice{{Code: "a"}, {Code: "A"}} },
		func(d *criteria.Definition) { d.Type = criteria.MULTIPLE },
	} {
		d := kind
		change(&d)
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestDefinitionsThatMakeNone(t *testing.T) {
	choices := []criteria.Choice{{Code: "a"}}
	for want, change := range map[string]func(*criteria.Definition){
		"id must be positive": func(d *criteria.Definition) { d.ID = 0 },
		"must be positive":    func(d *criteria.Definition) { d.ID = -1 },
		"1 to 64 characters":  func(d *criteria.Definition) { d.Key = "" },
		"64 characters":       func(d *criteria.Definition) { d.Key = " \t" },
		"to 64 characters":    func(d *criteria.Definition) { d.Key = strings.Repeat("k", 65) },
		"digits alone":        func(d *criteria.Definition) { d.Key = "12" },
		"reserved":            func(d *criteria.Definition) { d.Key = "all" },
		"type must be one of": func(d *criteria.Definition) { d.Type = 0 },
		"must be one of":      func(d *criteria.Definition) { d.Type = criteria.DATE + 1 },
		"UNIQUE and MULTIPLE": func(d *criteria.Definition) { d.Type, d.Choices = criteria.TEXT, choices },
		"only UNIQUE and":     func(d *criteria.Definition) { d.Type, d.Choices = criteria.FLAG, choices },
		"empty":               func(d *criteria.Definition) { d.Choices = []criteria.Choice{{Code: "a"}, {Code: ""}} },
		"given twice":         func(d *criteria.Definition) { d.Choices = []criteria.Choice{{Code: "a"}, {Code: "b"}, {Code: "a"}} },
	} {
		d := kind
		change(&d)
		if err := d.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the key %q, type %v: %v instead of %q", d.Key, d.Type, err, want)
		}
	}
}
