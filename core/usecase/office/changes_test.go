package office_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// told are the events since a caller came, as type and resource.
func told(w *apitest.World, c kernel.Caller) (names []string) {
	w.T.Helper()
	page, err := w.Hooks.ListEvents(w.T.Context(), w.Again(c), hooks.ListEvents{After: opt.Of(c.Site.Head.Seq)})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, e := range page.Data {
		names = append(names, fmt.Sprint(e.EventType, " ", e.ResourceID))
	}
	return names
}

func TestSettingsThatAreGivenChangeAndOthersStay(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	changed, err := w.Service.Office.Changes.ChangeSettings(t.Context(), full, office.ChangeSettings{
		Name: opt.Of(" Réseau Nord "), DefaultStatus: opt.Of("Projet"), EnergyScales: opt.Of([]string{"fr-2021"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	full = w.Again(full)
	got, err := w.Service.Office.Settings(t.Context(), full, kernel.Nothing{})
	if err != nil || got.Name != "Réseau Nord" || got.DefaultStatus != "Projet" || got.Timezone != "Europe/Paris" || got.Currency != "EUR" ||
		!slices.Equal(got.EnergyScales, []string{"fr-2021"}) || got.Version != changed.Version {
		t.Errorf("%+v, %v; the change answered %v", got, err, changed.Version)
	}
	if p := w.ReadProduct(full, w.CreateProduct(), ""); *p.Status != "Projet" {
		t.Errorf("a new product is %s", *p.Status)
	}
	if before, err := w.Office.GetSite(t.Context(), full, kernel.Nothing{}); err != nil || len(before.ManufacturersList) != 2 {
		t.Errorf("the agencies in scope are %+v, %v", before, err)
	}
}

func TestSettingsAreForThoseWhoReadTheVocabulary(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	full.Grant.Permissions = nil
	_, err := w.Service.Office.Settings(t.Context(), full, kernel.Nothing{})
	apitest.Refused(t, err, fault.Forbidden, fault.CodePermissionMissing)
}

func TestSettingsThatNoSiteCanHaveAreNamed(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	for field, c := range map[string]struct {
		in   office.ChangeSettings
		code fault.Code
	}{
		"name":              {office.ChangeSettings{Name: opt.Of(" ")}, fault.CodeRequired},
		"default_status":    {office.ChangeSettings{DefaultStatus: opt.Of("Perdu")}, fault.CodeCriteriaValueUnknown},
		"timezone":          {office.ChangeSettings{Timezone: opt.Of("Paris")}, fault.CodeInvalidFormat},
		"currency":          {office.ChangeSettings{Currency: opt.Of("€")}, fault.CodeInvalidFormat},
		"country":           {office.ChangeSettings{Country: opt.Of("France")}, fault.CodeInvalidFormat},
		"language":          {office.ChangeSettings{Language: opt.Null[string]()}, fault.CodeRequired},
		"reference_pattern": {office.ChangeSettings{ReferencePattern: opt.Of("{agency}")}, fault.CodeInvalidFormat},
		"energy_scales":     {office.ChangeSettings{EnergyScales: opt.Of([]string{"fr-2020"})}, fault.CodeInvalidFormat},
	} {
		_, err := w.Service.Office.Changes.ChangeSettings(t.Context(), full, c.in)
		apitest.RefusedField(t, err, c.code, field)
	}
	if again := w.Again(full); again.Site.Revision != full.Site.Revision {
		t.Error("a change that was refused left a trace")
	}
}

func TestAChangeOfTheSiteThatShowsNoDifferenceLeavesNoTrace(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	_, err := w.Service.Office.Changes.ChangeSettings(t.Context(), full, office.ChangeSettings{Name: opt.Of("Réseau"), Language: opt.Of("fr")})
	_, err2 := w.Service.Office.Changes.ChangeListValues(t.Context(), full, office.ChangeListValues{List: 2, Values: values("N", "S")})
	_, err3 := w.Service.Office.Changes.ChangeCriterionValues(t.Context(), full, office.ChangeCriterionValues{Criteria: "Prix"})
	again := w.Again(full)
	if err := kernel.FirstError(err, err2, err3); err != nil || again.Site.Head != full.Site.Head {
		t.Errorf("%v; the head went from %+v to %+v", err, full.Site.Head, again.Site.Head)
	}
}

func TestAChangeOfASiteThatChangedMeanwhileIsStale(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	read := kernel.IfMatch{Given: true, Versions: []kernel.Version{kernel.Version(full.Site.Revision)}}
	first := office.ChangeSettings{IfMatch: read, Name: opt.Of("Autre")}
	if _, err := w.Service.Office.Changes.ChangeSettings(t.Context(), full, first); err != nil {
		t.Fatal(err)
	}
	_, err := w.Service.Office.Changes.ChangeSettings(t.Context(), full, office.ChangeSettings{IfMatch: read, Name: opt.Of("Tierce")})
	apitest.Refused(t, err, fault.Stale, fault.CodePreconditionFailed)
	_, err = w.Service.Office.Changes.ChangeListValues(t.Context(), full, office.ChangeListValues{IfMatch: read, List: 2, Values: values("S", "N")})
	apitest.Refused(t, err, fault.Stale, fault.CodePreconditionFailed)
}

// values names codes of a list, and nothing else of them.
func values(codes ...string) (all []office.ValueChange) {
	for _, code := range codes {
		all = append(all, office.ValueChange{Model: code})
	}
	return all
}

func TestValuesOfACriterionAreOrderedLabelledAndRetired(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	wanted := values("Terrain", "Appartement", "Maison")
	wanted[0].Label, wanted[2].IsActive = opt.Of("Terrain à bâtir"), opt.Of(false)
	if _, err := w.Service.Office.Changes.ChangeCriterionValues(t.Context(), full, office.ChangeCriterionValues{Criteria: "1", Values: wanted}); err != nil {
		t.Fatal(err)
	}
	detail, err := w.Office.GetCriterion(t.Context(), w.Again(full), office.ReadCriterion{Criteria: "TypeBien"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range detail.Values {
		got = append(got, fmt.Sprint(v.ID, " ", v.Model, " ", v.Label, " ", v.IsActive))
	}
	if want := []string{"3 Terrain Terrain à bâtir true", "1 Appartement Label Appartement true", "2 Maison Label Maison false"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := told(w, full); !slices.Equal(got, []string{fmt.Sprint(event.CriteriaUpdate, " 1")}) {
		t.Errorf("the ledger tells of %q", got)
	}
}

func TestValuesOfAListAreChangedWithoutAnEvent(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	if _, err := w.Service.Office.Changes.ChangeListValues(t.Context(), full, office.ChangeListValues{List: 2, Values: values("S", "N")}); err != nil {
		t.Fatal(err)
	}
	got, err := w.Office.ListListValues(t.Context(), w.Again(full), office.ReadListValues{List: 2})
	if err != nil || got[0].Model != "S" || len(told(w, full)) != 0 {
		t.Errorf("%+v, %v, %q", got, err, told(w, full))
	}
}

func TestEveryValueIsNamedOnce(t *testing.T) {
	w := apitest.New(t)
	full := w.As("full", 1)
	inactive, unlabelled := values("EnCours", "Projet", "Vendu", "Archive", "SousOffre", "Option", "SousCompromis", "Loue", "VenduParTiers"), values("S", "N")
	inactive[0].IsActive, unlabelled[1].Label = opt.Of(false), opt.Of("")
	for field, c := range map[string]struct {
		criterion string
		values    []office.ValueChange
		code      fault.Code
	}{
		"values":              {"", values("N"), fault.CodeRequired},
		"values[2].model":     {"", values("N", "S", "E"), fault.CodeCriteriaValueUnknown},
		"values[1].model":     {"", append(values("N", "N"), values("S")...), fault.CodeAmbiguousField},
		"values[1].label":     {"", unlabelled, fault.CodeRequired},
		"values[0].is_active": {"Statut", inactive, fault.CodeOutOfRange},
	} {
		var err error
		if c.criterion == "" {
			_, err = w.Service.Office.Changes.ChangeListValues(t.Context(), full, office.ChangeListValues{List: 2, Values: c.values})
		} else {
			_, err = w.Service.Office.Changes.ChangeCriterionValues(t.Context(), full, office.ChangeCriterionValues{Criteria: c.criterion, Values: c.values})
		}
		apitest.RefusedField(t, err, c.code, field)
	}
	_, err := w.Service.Office.Changes.ChangeListValues(t.Context(), full, office.ChangeListValues{List: 99})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	_, err = w.Service.Office.Changes.ChangeCriterionValues(t.Context(), full, office.ChangeCriterionValues{Criteria: "Rien"})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
}
