package transfer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

var agency11 = transfer.Portfolio{Site: 1, Agency: 11}

func flat(values map[string]any) transfer.Listing {
	l := transfer.Listing{Reference: "V-1", Descriptions: []product.DescriptionInput{
		{Language: "fr", Title: opt.Of("Appartement"), Text: opt.Of("Au calme.")},
	}}
	for _, key := range []string{"TypeBien", "Prix", "Ville", "Ascenseur", "DateMandat", "Inconnu"} {
		if value, given := values[key]; given {
			l.Criteria = append(l.Criteria, transfer.ListingCriterion{Source: "column of " + key, Key: key, Value: criteria.Raw{V: value}})
		}
	}
	return l
}

// imports imports a listing and tells how many events that made.
func imports(w *apitest.World, to transfer.Portfolio, l transfer.Listing, dryRun bool) (transfer.Imported, int64) {
	w.T.Helper()
	before, err := w.Store.Head(w.T.Context(), to.Site)
	if err != nil {
		w.T.Fatal(err)
	}
	done, err := w.Transfer.Import(w.T.Context(), to, l, dryRun)
	if err != nil {
		w.T.Fatal(err)
	}
	after, err := w.Store.Head(w.T.Context(), to.Site)
	if err != nil {
		w.T.Fatal(err)
	}
	return done, after.Seq - before.Seq
}

func TestAnImportedListingIsCreatedThenChangedThenLeftAlone(t *testing.T) {
	w := apitest.New(t)
	values := map[string]any{"TypeBien": "Appartement", "Prix": "250000", "Ascenseur": true, "DateMandat": "13/02/2026"}
	for _, step := range []struct {
		dryRun  bool
		want    transfer.ImportAction
		events  int64
		changes []string
	}{
		{true, transfer.ImportCreated, 0, nil},
		{false, transfer.ImportCreated, 1, nil},
		{true, transfer.ImportUnchanged, 0, nil},
		{false, transfer.ImportUnchanged, 0, nil},
	} {
		done, events := imports(w, agency11, flat(values), step.dryRun)
		if done.Action != step.want || events != step.events || len(done.NotUnderstood) > 0 {
			t.Errorf("got %+v with %d events, want %+v", done, events, step)
		}
	}
	changed := flat(values)
	changed.Reference = " v-1 "
	changed.Criteria[1].Value = criteria.Raw{V: "240000"}
	changed.Descriptions[0].Text = opt.Of("Très au calme.")
	for _, dryRun := range []bool{true, false} {
		done, events := imports(w, agency11, changed, dryRun)
		if done.Action != transfer.ImportChanged || (events == 1) == dryRun {
			t.Errorf("dry run %v: got %+v with %d events", dryRun, done, events)
		}
		if diff := cmp.Diff([]string{"Prix", "description fr"}, done.Changes); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAnImportChangesNothingThatTheListingDoesNotTell(t *testing.T) {
	w := apitest.New(t)
	imports(w, agency11, flat(map[string]any{"Prix": "250000", "Ville": "Nancy"}), false)
	if done, events := imports(w, agency11, flat(map[string]any{"Prix": "250000", "Ville": ""}), false); done.Action != transfer.ImportUnchanged || events != 0 {
		t.Errorf("an empty value changes something: %+v", done)
	}
}

func TestWhatASiteDoesNotUnderstandIsLeftOutAndTheRestImported(t *testing.T) {
	w := apitest.New(t)
	l := flat(map[string]any{"TypeBien": "Igloo", "Prix": "beaucoup", "Ville": "Nancy", "Inconnu": "x"})
	l.Descriptions = append(l.Descriptions, product.DescriptionInput{Language: "français", Text: opt.Of("Non")})
	done, events := imports(w, agency11, l, false)
	if done.Action != transfer.ImportCreated || events != 1 {
		t.Fatalf("got %+v", done)
	}
	var sources []string
	for _, n := range done.NotUnderstood {
		sources = append(sources, n.Source)
	}
	want := []string{"column of TypeBien", "column of Prix", "column of Inconnu", "description français"}
	if diff := cmp.Diff(want, sources); diff != "" {
		t.Error(diff)
	}
	for e, err := range w.Transfer.Export(t.Context(), agency11) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Reference == "V-1" && e.Criteria.Text("Ville") != "Nancy" {
			t.Errorf("the rest was not imported: %+v", e)
		}
	}
}

func TestAChoiceIsKnownByItsLabelCaseAside(t *testing.T) {
	w := apitest.New(t)
	for _, text := range []string{"Maison", "MAISON", "label maison", " Label  Maison "} {
		l := flat(map[string]any{"TypeBien": text})
		if done, _ := imports(w, agency11, l, false); len(done.NotUnderstood) > 0 {
			t.Errorf("%q: %+v", text, done.NotUnderstood)
		}
	}
	if done, events := imports(w, agency11, flat(map[string]any{"TypeBien": "maison"}), false); done.Action != transfer.ImportUnchanged || events != 0 {
		t.Errorf("the spellings differ: %+v", done)
	}
}

func TestAListingThatCannotBeKeptIsRefusedAndChangesNothing(t *testing.T) {
	w := apitest.New(t)
	nameless := flat(nil)
	nameless.Reference = "  "
	long := flat(nil)
	long.Reference = strings.Repeat("x", 300)
	for _, l := range []transfer.Listing{nameless, long} {
		for _, dryRun := range []bool{true, false} {
			if done, events := imports(w, agency11, l, dryRun); done.Action != transfer.ImportRefused || done.Why == "" || events != 0 {
				t.Errorf("%q: %+v", l.Reference, done)
			}
		}
	}
}

func TestADeletedProductDoesNotComeBackByAnImport(t *testing.T) {
	w := apitest.New(t)
	imports(w, agency11, flat(nil), false)
	var id int64
	for e := range w.Transfer.Export(t.Context(), agency11) {
		if e.Reference == "V-1" {
			id = int64(e.ID)
		}
	}
	if _, err := w.Listing.DeleteProduct(t.Context(), w.As("full", 1), listing.DeleteProduct{ID: id}); err != nil {
		t.Fatal(err)
	}
	if done, events := imports(w, agency11, flat(nil), false); done.Action != transfer.ImportRefused || events != 0 {
		t.Errorf("got %+v", done)
	}
}

func TestAnImportGoesToAnAgencyOfTheSiteOnly(t *testing.T) {
	w := apitest.New(t)
	for _, to := range []transfer.Portfolio{{Site: 1, Agency: 21}, {Site: 1, Agency: 13}, {Site: 9, Agency: 11}} {
		if _, err := w.Transfer.Import(t.Context(), to, flat(nil), false); err == nil {
			t.Errorf("%+v is accepted", to)
		}
	}
}

func TestAnExportTellsOnlyWhatIsForTheWeb(t *testing.T) {
	w := apitest.New(t)
	l := flat(map[string]any{"Ville": "Nancy"})
	for key, value := range map[string]any{"Remarques": "Clefs chez le gardien", "Adresse": "1 rue Haute", "AdresseMasquee": true} {
		l.Criteria = append(l.Criteria, transfer.ListingCriterion{Key: key, Value: criteria.Raw{V: value}})
	}
	imports(w, agency11, l, false)
	sold := flat(nil)
	sold.Reference = "V-2"
	sold.Criteria = append(sold.Criteria, transfer.ListingCriterion{Key: "Statut", Value: criteria.Raw{V: "Vendu"}})
	imports(w, agency11, sold, false)
	elsewhere := flat(nil)
	imports(w, transfer.Portfolio{Site: 1, Agency: 12}, elsewhere, false)

	var references []string
	for e, err := range w.Transfer.Export(t.Context(), agency11) {
		if err != nil {
			t.Fatal(err)
		}
		references = append(references, e.Reference)
		if e.Reference == "V-1" && (e.Criteria.Text("Remarques") != "" || e.Criteria.Text("Adresse") != "" || e.Criteria.Text("Ville") != "Nancy") {
			t.Errorf("got %+v", e.Criteria)
		}
	}
	if n := len(slices.DeleteFunc(references, func(r string) bool { return r != "V-1" && r != "V-2" })); n != 1 {
		t.Errorf("got %q", references)
	}
}
