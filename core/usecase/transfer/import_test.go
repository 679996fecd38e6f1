package transfer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
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
	done, err := w.Transfer.Import(to, dryRun).Listing(w.T.Context(), l)
	if err != nil {
		w.T.Fatal(err)
	}
	after, err := w.Store.Head(w.T.Context(), to.Site)
	if err != nil {
		w.T.Fatal(err)
	}
	return done, after.Seq - before.Seq
}

// exported is what an export tells of the product of a reference.
func exported(w *apitest.World, reference string) transfer.Exported {
	w.T.Helper()
	for e, err := range w.Transfer.Export(w.T.Context(), agency11) {
		if err != nil {
			w.T.Fatal(err)
		}
		if e.Reference == reference {
			return e
		}
	}
	w.T.Fatalf("%s is not exported", reference)
	return transfer.Exported{}
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
	l.Descriptions = append(l.Descriptions,
		product.DescriptionInput{Language: "français", Text: opt.Of("Non")}, product.DescriptionInput{Language: "FR", Text: opt.Of("Encore")})
	done, events := imports(w, agency11, l, false)
	if done.Action != transfer.ImportCreated || events != 1 {
		t.Fatalf("got %+v", done)
	}
	var sources []string
	for _, n := range done.NotUnderstood {
		sources = append(sources, n.Source)
	}
	want := []string{"column of TypeBien", "column of Prix", "column of Inconnu", "description français", "description FR"}
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
		if _, err := w.Transfer.Import(to, false).Listing(t.Context(), flat(nil)); err == nil {
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

func TestATextThatIsTooLongIsCutAndTheOtherOneKept(t *testing.T) {
	w := apitest.New(t)
	l := flat(nil)
	l.Descriptions[0].Title = opt.Of(strings.Repeat("é", 300))
	l.Descriptions = append(l.Descriptions, product.DescriptionInput{Language: "en", Title: opt.Of("Flat"), Text: opt.Of(strings.Repeat("x", 10_001))})
	for _, want := range []transfer.ImportAction{transfer.ImportCreated, transfer.ImportUnchanged} {
		done, _ := imports(w, agency11, l, false)
		var sources []string
		for _, n := range done.NotUnderstood {
			sources = append(sources, n.Source+": "+n.Why)
		}
		cut := []string{
			"description fr, title: only the first 254 of its characters were kept", "description en, text: only the first 9999 of its characters were kept",
		}
		if diff := cmp.Diff(cut, sources); diff != "" || done.Action != want {
			t.Error(done.Action, diff)
		}
	}
	kept := exported(w, "V-1").Descriptions
	want := []product.Description{
		{Language: "fr", Title: strings.Repeat("é", 254) + "…", Text: "Au calme."},
		{Language: "en", Title: "Flat", Text: strings.Repeat("x", 9_999) + "…"},
	}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Error(diff)
	}
}

func TestOneOfSeveralCodesIsAddedOrTakenAwayAndTheOthersStay(t *testing.T) {
	w := apitest.New(t)
	says := func(code string, value any) transfer.ListingCriterion {
		return transfer.ListingCriterion{Source: "column of " + code, Key: "Equipements", Code: code, Value: criteria.Raw{V: value}}
	}
	for _, step := range []struct {
		says   []transfer.ListingCriterion
		want   criteria.Value
		missed []string
	}{
		{[]transfer.ListingCriterion{says("ALARME", true), says("CHEMINEE", true), says("PISCINE", false)}, criteria.Multiple{"CHEMINEE", "ALARME"}, nil},
		{[]transfer.ListingCriterion{says("PISCINE", true), says("CHEMINEE", false)}, criteria.Multiple{"PISCINE", "ALARME"}, nil},
		{[]transfer.ListingCriterion{says("SAUNA", true), says("MINITEL", false), says("ALARME", "?")}, criteria.Multiple{"PISCINE", "ALARME"}, []string{"column of SAUNA", "column of ALARME"}},
		{[]transfer.ListingCriterion{says("PISCINE", false), says("ALARME", false)}, nil, nil},
	} {
		l := flat(nil)
		l.Criteria = step.says
		done, _ := imports(w, agency11, l, false)
		var missed []string
		for _, n := range done.NotUnderstood {
			missed = append(missed, n.Source)
		}
		if got := exported(w, "V-1").Criteria["Equipements"]; !criteria.Equal(got, step.want) || !slices.Equal(missed, step.missed) {
			t.Errorf("got %v and missed %q, want %+v", got, missed, step)
		}
	}
}

func TestOfTwoListingsForOneProductTheSecondIsRefused(t *testing.T) {
	for _, dryRun := range []bool{true, false} {
		w := apitest.New(t)
		into := w.Transfer.Import(agency11, dryRun)
		for _, step := range []struct {
			reference, refused string
			want               transfer.ImportAction
		}{
			{"V-1", "damaged", transfer.ImportRefused}, {"V-1", "", transfer.ImportCreated}, {" v-1", "", transfer.ImportRefused}, {"V-2", "", transfer.ImportCreated},
		} {
			l := flat(nil)
			l.Reference, l.Refused = step.reference, step.refused
			if done, err := into.Listing(t.Context(), l); err != nil || done.Action != step.want || (done.Action == transfer.ImportRefused) != (done.Why != "") {
				t.Errorf("dry run %v: %+v became %+v, %v", dryRun, step, done, err)
			}
		}
	}
}

// A listing is known by the id that an export gave it where its reference says no
// more than that: two references may be written alike.
func TestAListingIsKnownByIDAndReferenceTogether(t *testing.T) {
	w := apitest.New(t)
	for _, reference := range []string{"☃-1", "?-1"} {
		l := flat(map[string]any{"Prix": "1000"})
		l.Reference = reference
		imports(w, agency11, l, false)
	}
	price := func(reference string) criteria.Value { return exported(w, reference).Criteria["Prix"] }
	written := func(e transfer.Exported) string { return strings.ReplaceAll(e.Reference, "☃", "?") }
	listing := func(id product.ID, reference, price string) transfer.Listing {
		l := flat(map[string]any{"Prix": price})
		l.ID, l.Reference = id, reference
		l.Beyond = func(e transfer.Exported) transfer.Listing {
			rest := l
			if written(e) == reference {
				rest.Reference = ""
			}
			return rest
		}
		return l
	}
	id := exported(w, "☃-1").ID
	if done, _ := imports(w, agency11, listing(id, "?-1", "2000"), false); done.Action != transfer.ImportChanged || done.Product != id ||
		price("☃-1") != criteria.Number(2000) || price("?-1") != criteria.Number(1000) {
		t.Errorf("got %+v: %v, %v", done, price("☃-1"), price("?-1"))
	}
	if done, _ := imports(w, agency11, listing(id, "V-9", "3000"), false); done.Action != transfer.ImportCreated {
		t.Errorf("another reference beside the id is another listing: %+v", done)
	}
	if done, _ := imports(w, transfer.Portfolio{Site: 1, Agency: 12}, listing(id, "?-1", "4000"), false); done.Action != transfer.ImportCreated {
		t.Errorf("an id of another agency is no id: %+v", done)
	}
}

func TestAnExportTellsWhereAHouseIsAndNotWhereItsTownIs(t *testing.T) {
	w := apitest.New(t)
	for reference, source := range map[string]product.Source{"V-1": product.FromAddress, "V-2": product.FromCity} {
		l := flat(map[string]any{"Ville": "Nancy"})
		l.Reference = reference
		done, _ := imports(w, agency11, l, false)
		place := product.Place{Position: criteria.Position{Latitude: 48.69, Longitude: 6.18}, Source: source}
		err := w.Store.Update(t.Context(), func(tx port.Tx) error {
			p, err := tx.Products().Get(1, done.Product)
			if err == nil && !p.Locate(product.Address{City: "Nancy"}, place) {
				t.Errorf("%s needs no place", reference)
			}
			if err == nil {
				err = tx.Products().Replace(p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if e := exported(w, "V-1"); e.Position == nil || *e.Position != (criteria.Position{Latitude: 48.69, Longitude: 6.18}) {
		t.Errorf("the house is at %v", e.Position)
	}
	if e := exported(w, "V-2"); e.Position != nil {
		t.Errorf("the house is told to be at the town's position %v", e.Position)
	}
}
