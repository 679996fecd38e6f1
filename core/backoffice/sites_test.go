package backoffice_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/office"
	"github.com/vitrine-crm/vitrine/core/operator"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

func TestChangesOfASiteAreWrittenDownWithWhatTheyChanged(t *testing.T) {
	w := newWorld(t)
	settings := office.ChangeSettings{Name: opt.Of("Réseau Nord"), DefaultStatus: opt.Of("Projet")}
	do(t, w.ChangeSettings, w.admin, backoffice.At[office.ChangeSettings]{Site: 1, In: settings})
	do(t, w.ChangeListValues, w.admin, backoffice.At[office.ChangeListValues]{Site: 1, In: office.ChangeListValues{
		List: 2, Values: []office.ValueChange{{Model: "S"}, {Model: "N", IsActive: opt.Of(false)}},
	}})
	entries := w.audit(t)
	values, changed := entries[0], entries[1]
	if changed.Operation != "site.settings" || changed.Site != 1 || changed.Operator != w.admin.Operator.ID || !slices.Equal(changed.Changes, []operator.Change{
		{Field: "Name", Before: "Réseau", After: "Réseau Nord"}, {Field: "DefaultStatus", Before: "EnCours", After: "Projet"},
	}) {
		t.Errorf("%+v", changed)
	}
	if values.Operation != "site.list" || values.Subject != "list 2" || !slices.Equal(values.Changes, []operator.Change{
		{Field: "Values", Before: `N "Label N", S "Label S"`, After: `S "Label S", N "Label N" inactive`},
	}) {
		t.Errorf("%+v", values)
	}
}

func TestOnlyAdministratorsOfASiteChangeIt(t *testing.T) {
	w := newWorld(t)
	in := backoffice.At[office.ChangeCriterionValues]{Site: 1, In: office.ChangeCriterionValues{Criteria: "TypeBien"}}
	for _, a := range []backoffice.Actor{
		w.operator(t, "i@example.org", operator.Integrator), w.operator(t, "r@example.org", operator.Reader),
		w.operator(t, "p@example.org", operator.Privacy), w.operator(t, "a@example.org", operator.Administrator, 2),
	} {
		before := len(w.audit(t))
		_, err := w.ChangeCriterionValues(t.Context(), a, in)
		code := fault.CodeForbidden
		if a.Operator.Role == operator.Administrator {
			code = fault.CodeSiteOutOfScope
		}
		apitest.Refused(t, err, fault.Forbidden, code)
		if len(w.audit(t)) != before {
			t.Error("a refusal left an entry")
		}
	}
}
