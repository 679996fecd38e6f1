package backoffice_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
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
	if changed.Operation != "site.settings" || changed.Site != 1 || changed.Operator != w.admin.Operator.ID || !slices.Equal(changed.Changes, []edit.Edit{
		{Field: "Name", Before: "Réseau", After: "Réseau Nord"}, {Field: "DefaultStatus", Before: "EnCours", After: "Projet"},
	}) {
		t.Errorf("%+v", changed)
	}
	if values.Operation != "site.list" || values.Subject != "list 2" || !slices.Equal(values.Changes, []edit.Edit{
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

func TestImportsAreForThoseWhoManageThem(t *testing.T) {
	w := newWorld(t)
	list := backoffice.At[transfer.ListImportRuns]{Site: 1}
	for _, role := range []operator.Role{operator.Reader, operator.Privacy} {
		_, err := w.ListImports(t.Context(), w.operator(t, string(role)+"@example.org", role), list)
		apitest.Refused(t, err, fault.Forbidden, fault.CodeForbidden)
	}
	integrator := w.operator(t, "i@example.org", operator.Integrator, 1)
	if page := do(t, w.ListImports, integrator, list); len(page.Data) != 0 {
		t.Errorf("%+v", page)
	}
	_, err := w.StopImport(t.Context(), integrator, backoffice.At[transfer.ImportRunPath]{Site: 1, In: transfer.ImportRunPath{ID: 7}})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	// Without a place for files there is nothing to import from.
	_, err = w.StartImport(t.Context(), integrator, backoffice.At[transfer.StartImport]{Site: 1})
	apitest.Refused(t, err, fault.Unavailable, fault.CodeUnavailable)
}

func TestAnImportTellsWhoStartedIt(t *testing.T) {
	clock := apitest.NewClock()
	ports := apitest.Ports(memstore.New(), clock)
	ports.Blobs = memstore.NewBlobs(clock.Now)
	site, err := siteapi.New(ports, kernel.Options{Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Transfer.Provision(t.Context(), apitest.Network()); err != nil {
		t.Fatal(err)
	}
	w := over(t, &apitest.World{Service: site, Fixture: apitest.Fixture{T: t, Store: ports.Store, Clock: clock}})
	made := do(t, w.StartImport, w.admin, backoffice.At[transfer.StartImport]{Site: 1, In: transfer.StartImport{Agency: opt.Of[int64](11), File: strings.NewReader("A")}})
	if run := do(t, w.GetImport, w.admin, backoffice.At[transfer.ImportRunPath]{Site: 1, In: transfer.ImportRunPath{ID: made.ID}}); run.Starter != "Root" || !run.DryRun {
		t.Errorf("%+v", run)
	}
	do(t, w.StopImport, w.admin, backoffice.At[transfer.ImportRunPath]{Site: 1, In: transfer.ImportRunPath{ID: made.ID}})
	entries := w.audit(t)
	if stopped, started := entries[0], entries[1]; stopped.Operation != "import.stop" || stopped.Subject != "import 1" || started.Operation != "import.start" ||
		!slices.Contains(started.Changes, edit.Edit{Field: "Import", Before: "0", After: "1"}) {
		t.Errorf("%+v", entries[:2])
	}
}
