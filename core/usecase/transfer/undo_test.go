package transfer_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// given reads any file as one with its listings.
type given struct{ listings []transfer.Listing }

func (g *given) Open(_ context.Context, content io.Reader, _ string) (transfer.ImportFile, error) {
	_, err := io.Copy(io.Discard, content)
	return g, err
}

func (g *given) Count(context.Context) (int, error) { return len(g.listings), nil }

func (*given) Close() error { return nil }

func (g *given) Listings(context.Context) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		for _, l := range g.listings {
			if !yield(l, nil) {
				return
			}
		}
	}
}

// listed is a listing of a reference with criteria, as keys and values.
func listed(reference string, pairs ...any) transfer.Listing {
	l := transfer.Listing{Source: "line of " + reference, Reference: reference}
	for i := 0; i < len(pairs); i += 2 {
		l.Criteria = append(l.Criteria, transfer.ListingCriterion{Source: pairs[i].(string), Key: pairs[i].(string), Value: criteria.Raw{V: pairs[i+1]}})
	}
	return l
}

// undoWorld imports listings, and undoes that. Its site has energy letters.
type undoWorld struct {
	*process
	shared
	file *given
}

func newUndoWorld(t *testing.T) *undoWorld {
	t.Helper()
	s, file := newShared(), &given{}
	p := s.process(t, file)
	network, letters := apitest.Network(), []transfer.SetupChoice{}
	for i, letter := range "ABCDEFG" {
		letters = append(letters, transfer.SetupChoice{ID: int64(i + 1), Model: string(letter), Label: string(letter)})
	}
	network.Sites[0].Criteria = append(network.Sites[0].Criteria,
		transfer.SetupCriterion{ID: 30, Key: criteria.KeyConsumption, Type: "NUMBER", Label: "Consommation", Position: 30},
		transfer.SetupCriterion{ID: 31, Key: criteria.KeyEmission, Type: "NUMBER", Label: "Émission", Position: 31},
		transfer.SetupCriterion{ID: 32, Key: criteria.KeyEnergyLetter, Type: "UNIQUE", Label: "Lettre", Position: 32, Values: letters})
	if _, err := p.Transfer.Provision(t.Context(), network); err != nil {
		t.Fatal(err)
	}
	w := &undoWorld{p, s, file}
	w.refresh()
	return w
}

// refresh takes the caller of the next request.
func (w *undoWorld) refresh() {
	var err error
	if w.c, err = w.Kernel().System(w.t.Context(), 1); err != nil {
		w.t.Fatal(err)
	}
}

// imports carries out an import of listings, and returns the real run.
func (w *undoWorld) imports(listings ...transfer.Listing) int64 {
	w.t.Helper()
	w.file.listings = listings
	dry := w.started("x")
	w.over(dry)
	return w.carriedOut(dry)
}

func (w *undoWorld) carriedOut(dry int64) int64 {
	w.t.Helper()
	made, err := w.Imports.CarryOut(w.t.Context(), w.c, transfer.ImportRunPath{ID: dry, By: 7})
	if err != nil {
		w.t.Fatal(err)
	}
	w.over(made.ID)
	return made.ID
}

// undoes carries out the undo of a run, after a dry run that must write nothing and say the same.
func (w *undoWorld) undoes(id int64) transfer.ImportRunRecord {
	w.t.Helper()
	before := w.seq()
	made, err := w.Imports.Undo(w.t.Context(), w.c, transfer.ImportRunPath{ID: id, By: 7})
	if err != nil {
		w.t.Fatal(err)
	}
	dry := w.over(made.ID)
	if !dry.DryRun || dry.State != operator.ImportDone || int64(dry.Undoes) != id || !dry.CanCarryOut || w.seq() != before {
		w.t.Errorf("the dry run of the undo is %+v", dry)
	}
	real := w.run(w.carriedOut(made.ID))
	if real.DryRun || real.State != operator.ImportDone || real.ImportTally != dry.ImportTally || real.CanUndo || real.CanCarryOut {
		w.t.Errorf("the undo is %+v, its dry run was %+v", real, dry)
	}
	if of := w.run(id); of.UndoneBy != real.ID || of.CanUndo {
		w.t.Errorf("the run that was undone is %+v", of)
	}
	return real
}

// lines are those of a report as text, with what was not understood.
func (w *undoWorld) lines(id operator.ImportRunID) (lines []string) {
	w.t.Helper()
	page, err := w.Imports.Report(w.t.Context(), w.c, transfer.ReadImportReport{ID: int64(id)})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, l := range page.Data {
		for _, e := range l.Undo {
			if e.Field == "Remarques" || strings.Contains(e.Field, " ") || !slices.Contains(l.Changes, e.Field) {
				w.t.Errorf("the report shows the values of %s of %s", e.Field, l.Reference)
			}
		}
		line := fmt.Sprint(l.Action, " ", l.Reference, " ", strings.Join(l.Changes, ","), " ", l.Why)
		for _, n := range l.NotUnderstood {
			line += " [" + n.Source + ": " + n.Why + "]"
		}
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// portfolio are the products by their references, without what each change moves.
func (w *undoWorld) portfolio() map[string]product.Product {
	w.t.Helper()
	all := map[string]product.Product{}
	if err := w.store.View(w.t.Context(), func(tx port.Tx) error {
		found, err := tx.Products().Scan(1, 0, 1000)
		for _, s := range found {
			p, err := tx.Products().Get(1, s.ID)
			if err != nil {
				return err
			}
			p.Version, p.Modified = 0, p.Added
			slices.SortFunc(p.Descriptions, func(a, b product.Description) int { return strings.Compare(a.Language, b.Language) })
			if len(p.Descriptions) == 0 {
				p.Descriptions = nil
			}
			all[p.Reference] = p
		}
		return err
	}); err != nil {
		w.t.Fatal(err)
	}
	return all
}

// edits changes a product as somebody would.
func (w *undoWorld) edits(reference string, change func(*listing.UpdateProduct)) {
	w.t.Helper()
	in := listing.UpdateProduct{ID: int64(w.portfolio()[reference].ID)}
	in.ProductID = opt.Of(in.ID)
	change(&in)
	if _, err := w.Listing.Unchecked().UpdateProduct(w.t.Context(), w.c, in); err != nil {
		w.t.Fatal(err)
	}
	w.refresh()
}

func (w *undoWorld) says(id operator.ImportRunID, want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.lines(id)); diff != "" {
		w.t.Error(diff)
	}
}

func TestAnUndoTakesWhatWasCreatedOffTheWeb(t *testing.T) {
	w := newUndoWorld(t)
	w.imports(listed("old", "Prix", "1"))
	run := w.imports(listed("A", "Prix", "1000"), listed("B", "Prix", "on demand"), listed("old", "Prix", "1"))
	before := w.portfolio()
	undo := w.undoes(run)
	w.says(undo.ID, "withdrawn A", "unchanged B") // B is not on the web, for its price could not be read
	after := w.portfolio()
	if after["A"].WebStatus || !after["old"].WebStatus || undo.Withdrawn != 1 || undo.Total != 2 {
		t.Errorf("%+v, %+v", after, undo.ImportTally)
	}
	a := after["A"]
	if a.WebStatus = true; !a.Same(before["A"]) {
		t.Error(cmp.Diff(before["A"], a))
	}
}

func TestAnUndoBringsBackEachFieldOfWhatWasChanged(t *testing.T) {
	w := newUndoWorld(t)
	first := listed("A", "Prix", "1000", "Ville", "Nancy", "TypeBien", "Maison", "Ascenseur", true, "Equipements", []any{"PISCINE", "ALARME"}, "DateMandat", "2026-02-13",
		criteria.KeyConsumption, "100", criteria.KeyEmission, "10", criteria.KeyEnergyLetter, "F")
	first.Descriptions = []product.DescriptionInput{{Language: "fr", Title: opt.Of("Maison"), Text: opt.Of("Au calme.")}}
	computed := listed("B", "TypeBien", "Maison", criteria.KeyConsumption, "100", criteria.KeyEmission, "10")
	w.imports(first, computed)
	before := w.portfolio()
	if before["A"].Derived.Energy || !before["B"].Derived.Energy {
		t.Fatalf("%+v, %+v", before["A"].Derived, before["B"].Derived)
	}
	second := listed("A", "Prix", "2000", "TypeBien", "Terrain", "Ascenseur", false, "Equipements", []any{"CHEMINEE"}, "DateMandat", "2026-03-01 08:30", "NbPieces", "4", "Remarques", "Clefs",
		criteria.KeyConsumption, "300")
	second.Intercabinet = opt.Of(true)
	second.Descriptions = []product.DescriptionInput{{Language: "fr", Title: opt.Of("Terrain"), ShortText: opt.Of("court")}, {Language: "en", Text: opt.Of("Quiet.")}}
	run := w.imports(second, listed("B", criteria.KeyConsumption, "300", criteria.KeyEnergyLetter, "A"))
	if w.portfolio()["A"].Same(before["A"]) {
		t.Fatal("nothing was changed")
	}
	undo := w.undoes(run)
	if diff := cmp.Diff(before, w.portfolio()); diff != "" || undo.Changed != 2 {
		t.Error(diff, w.lines(undo.ID))
	}
}

func TestAReportHasTheValuesOfCriteriaThatAreNotPrivate(t *testing.T) {
	w := newUndoWorld(t)
	w.imports(listed("A", "Prix", "1000", "Remarques", "Clefs"))
	w.file.listings = []transfer.Listing{listed("A", "Prix", "2000", "Remarques", "Code"), listed("B", "Prix", "1")}
	dry := w.started("x")
	w.over(dry)
	for _, run := range []int64{dry, w.carriedOut(dry)} {
		page, err := w.Imports.Report(t.Context(), w.c, transfer.ReadImportReport{ID: run})
		if err != nil || len(page.Data) != 2 {
			t.Fatal(page, err)
		}
		want := []edit.Edit{{Field: "Prix", Before: "1000", After: "2000"}}
		if a, b := page.Data[0], page.Data[1]; !slices.Equal(a.Undo, want) || !slices.Equal(a.Changes, []string{"Prix", "Remarques"}) || b.Undo != nil {
			t.Errorf("the report of run %d is %+v and %+v", run, a, b)
		}
	}
}

func TestWhatWasChangedSinceStaysAndIsTold(t *testing.T) {
	w := newUndoWorld(t)
	w.imports(listed("A", "Prix", "1000", "Ville", "Nancy"))
	more := listed("A", "Prix", "2000", "Ville", "Metz")
	more.Descriptions = []product.DescriptionInput{{Language: "fr", Title: opt.Of("Maison"), Text: opt.Of("Au calme.")}}
	run := w.imports(more, listed("B", "Prix", "1"), listed("C", "Prix", "1"), listed("D", "Prix", "1"), listed("E", "Prix", "1"))
	w.edits("A", func(in *listing.UpdateProduct) {
		in.Criteria = apitest.Criteria("Prix", 2500)
		in.Descriptions = opt.Of([]product.DescriptionInput{{Language: "fr", Title: opt.Of("Villa")}})
	})
	w.edits("B", func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("Prix", 2) })
	w.edits("D", func(in *listing.UpdateProduct) { in.AgencyID = opt.Of[int64](12) })
	c := w.portfolio()["C"].ID
	if _, err := w.Listing.Unchecked().DeleteProduct(t.Context(), w.c, listing.DeleteProduct{ID: int64(c)}); err != nil {
		t.Fatal(err)
	}
	w.sources(w.portfolio()["E"].ID)
	w.refresh()
	undo := w.undoes(run)
	w.says(undo.ID,
		"changed A Ville,description fr [Prix: it was changed since] [fr title: it was changed since]",
		"withdrawn B [B: it was changed since]", "refused C the product was deleted", "refused D the product is of another agency now", "refused E a source has the listing now")
	a := w.portfolio()["A"]
	if n, _ := a.Criteria.Number("Prix"); n != 2500 || a.Criteria.Text("Ville") != "Nancy" || a.Title("fr") != "Villa" || a.Descriptions[0].Text != "" {
		t.Errorf("%+v", a)
	}
}

// sources gives a product to a source.
func (w *undoWorld) sources(id product.ID) {
	w.t.Helper()
	if err := w.store.Update(w.t.Context(), func(tx port.Tx) error {
		if err := tx.ImportSources().Put(operator.ImportSource{ID: 1, Site: 1, Name: "Nantes", Settings: operator.SourceSettings{Agency: 11, Paused: true}}); err != nil {
			return err
		}
		return tx.SourcedProducts().Put(operator.SourcedProduct{Site: 1, Product: id, Source: 1, Own: true})
	}); err != nil {
		w.t.Fatal(err)
	}
}

// The right file after the wrong one is not undone with it.
func TestWhatALaterImportNamesStaysUnlessThatIsUndoneToo(t *testing.T) {
	w := newUndoWorld(t)
	wrong := w.imports(listed("A", "Prix", "1000"), listed("B", "Prix", "1000"))
	right := w.imports(listed("A", "Prix", "1000"))
	made, err := w.Imports.Undo(t.Context(), w.c, transfer.ImportRunPath{ID: wrong})
	if err != nil {
		t.Fatal(err)
	}
	w.over(made.ID)
	w.says(operator.ImportRunID(made.ID), fmt.Sprintf("refused A import %d after it names the listing, too", right), "withdrawn B")
	changed := w.imports(listed("A", "Prix", "2000"))
	w.undoes(changed)
	undo := w.undoes(wrong)
	w.says(undo.ID, fmt.Sprintf("refused A import %d after it names the listing, too", right), "withdrawn B")
	if n, _ := w.portfolio()["A"].Criteria.Number("Prix"); n != 1000 {
		t.Errorf("the price is %v", n)
	}
}

func TestWhatCannotBeUndoneIsRefusedWithTheReason(t *testing.T) {
	w := newUndoWorld(t)
	w.file.listings = []transfer.Listing{listed("A", "Prix", "1000")}
	refused := func(id int64, why string) {
		t.Helper()
		_, err := w.Imports.Undo(t.Context(), w.c, transfer.ImportRunPath{ID: id})
		apitest.Refused(t, err, fault.Conflict, fault.CodeInvalidTransition)
		if got := fault.From(err).Message.String(); got != why || w.run(id).CanUndo {
			t.Errorf("%q instead of %q", got, why)
		}
	}
	dry := w.started("x")
	w.over(dry)
	refused(dry, "a dry run changed nothing")
	run := w.carriedOut(dry)
	refused(w.imports(listed("A", "Prix", "1000")), "the import created and changed nothing")
	put := func(run operator.ImportRun) int64 {
		run.ID, run.Site, run.Agency, run.Created = 90, 1, 12, 1
		if err := w.store.Update(t.Context(), func(tx port.Tx) error { return tx.Imports().Save(run, nil) }); err != nil {
			t.Fatal(err)
		}
		return 90
	}
	refused(put(operator.ImportRun{Source: 3, State: operator.ImportDone, Seen: w.process.clock.Now()}), "a run of a source cannot be undone")
	refused(put(operator.ImportRun{State: operator.ImportRunning, Seen: w.process.clock.Now()}), "the import is under way")
	put(operator.ImportRun{DryRun: true, State: operator.ImportDone, Seen: w.process.clock.Now()})
	begun, err := w.Imports.Undo(t.Context(), w.c, transfer.ImportRunPath{ID: run})
	if err != nil {
		t.Fatal(err)
	}
	w.over(begun.ID)
	undo := w.undoes(run)
	refused(run, fmt.Sprintf("import %d has undone it", undo.ID))
	refused(int64(undo.ID), "an undo cannot be undone; send the file again")
	_, err = w.Imports.CarryOut(t.Context(), w.c, transfer.ImportRunPath{ID: begun.ID})
	apitest.Refused(t, err, fault.Conflict, fault.CodeInvalidTransition)
	late := w.imports(listed("B", "Prix", "1000"))
	w.process.clock.Advance(operator.ImportUndoFor)
	refused(late, "the import ended more than 7 days ago")
}

func TestARunThatWasSilentDoesNotGoOnOnceItsUndoHasBegun(t *testing.T) {
	w := newUndoWorld(t)
	stored := func() (run operator.ImportRun) {
		if err := w.store.View(t.Context(), func(tx port.Tx) (err error) {
			run, err = tx.Imports().Get(1, 90)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return run
	}
	silent := operator.ImportRun{ID: 90, Site: 1, Agency: 11, State: operator.ImportRunning, Seen: w.process.clock.Now(), ImportTally: operator.ImportTally{Created: 1}}
	if err := w.store.Update(t.Context(), func(tx port.Tx) error { return tx.Imports().Save(silent, nil) }); err != nil {
		t.Fatal(err)
	}
	w.process.clock.Advance(2 * operator.ImportSilence)
	if _, err := w.Imports.Undo(t.Context(), w.c, transfer.ImportRunPath{ID: 90}); err != nil {
		t.Fatal(err)
	}
	if run := stored(); run.State != operator.ImportInterrupted {
		t.Errorf("%+v", run)
	}
}

// An undo whose process ends can be carried out again: what is back already is left as it is.
func TestAnUndoThatWasInterruptedGoesOn(t *testing.T) {
	w := newUndoWorld(t)
	var all, later []transfer.Listing
	for n := range 40 {
		all, later = append(all, listed(fmt.Sprint("A-", n), "Prix", "1000")), append(later, listed(fmt.Sprint("A-", n), "Prix", "2000"))
	}
	w.imports(all...)
	before := w.portfolio()
	run := w.imports(later...)
	made, err := w.Imports.Undo(t.Context(), w.c, transfer.ImportRunPath{ID: run})
	if err != nil {
		t.Fatal(err)
	}
	w.over(made.ID)
	// The process ends when the undo has put one product back.
	w.edits("A-3", func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("Prix", 1000) })
	if err := w.store.Update(t.Context(), func(tx port.Tx) error {
		dry, err := tx.Imports().Get(1, operator.ImportRunID(made.ID))
		if err != nil {
			return err
		}
		dry.ID, dry.Of, dry.DryRun, dry.State = 90, dry.ID, false, operator.ImportRunning
		return tx.Imports().Save(dry, nil)
	}); err != nil {
		t.Fatal(err)
	}
	w.process.clock.Advance(2 * operator.ImportSilence)
	if half := w.run(90); half.State != operator.ImportInterrupted || !half.CanCarryOut {
		t.Fatalf("%+v", half)
	}
	again := w.run(w.carriedOut(90))
	if again.Changed != 39 || again.Unchanged != 1 || again.NotUnderstood != 0 || w.run(run).UndoneBy != again.ID {
		t.Errorf("%+v", again)
	}
	if diff := cmp.Diff(before, w.portfolio()); diff != "" {
		t.Error(diff)
	}
}

// TestAnImportThatIsUndoneLeavesProductsAsTheyWere: but for the web, which those that were created are off.
func TestAnImportThatIsUndoneLeavesProductsAsTheyWere(t *testing.T) {
	w := newUndoWorld(t)
	w.imports(listed("A", "Prix", "1000"), listed("B", "TypeBien", "Maison", criteria.KeyConsumption, "90", criteria.KeyEmission, "9"), listed("C"))
	first := listed("D", "Prix", "1")
	first.Descriptions = []product.DescriptionInput{{Language: "fr", Title: opt.Of("a"), ShortText: opt.Of("b")}}
	w.imports(first)
	text := rapid.SampledFrom([]opt.Field[string]{{}, opt.Of(""), opt.Of("a"), opt.Of("b")})
	rapid.Check(t, func(t *rapid.T) {
		values := map[string]*rapid.Generator[any]{
			"Prix": rapid.SampledFrom([]any{"1000", "2000"}), "Ville": rapid.SampledFrom([]any{"Nancy", "Metz"}), "TypeBien": rapid.SampledFrom([]any{"Maison", "Terrain", "Appartement"}),
			"Ascenseur": rapid.SampledFrom([]any{true, false}), "Equipements": rapid.SampledFrom([]any{[]any{"PISCINE"}, []any{"ALARME", "PISCINE"}}), "Statut": rapid.SampledFrom([]any{"Vendu", "EnCours"}),
			criteria.KeyConsumption: rapid.SampledFrom([]any{"90", "500"}), criteria.KeyEnergyLetter: rapid.SampledFrom([]any{"A", "G"}), "Remarques": rapid.SampledFrom([]any{"", "x y"}),
		}
		begun := w.portfolio()
		var file []transfer.Listing
		for _, reference := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C", "D", "E"}), 1, 3, rapid.ID).Draw(t, "references") {
			l := listed(reference)
			for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(values))), 0, 5, rapid.ID).Draw(t, "keys") {
				l.Criteria = append(l.Criteria, transfer.ListingCriterion{Source: key, Key: key, Value: criteria.Raw{V: values[key].Draw(t, key)}})
			}
			for _, language := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"fr", "en"}), 0, 2, rapid.ID).Draw(t, "languages") {
				l.Descriptions = append(l.Descriptions, product.DescriptionInput{Language: language, Title: text.Draw(t, "title"), Text: text.Draw(t, "text"), ShortText: text.Draw(t, "short")})
			}
			l.Intercabinet = rapid.SampledFrom([]opt.Field[bool]{{}, opt.Of(true), opt.Of(false)}).Draw(t, "intercabinet")
			file = append(file, l)
		}
		if run := w.imports(file...); w.run(run).CanUndo {
			w.undoes(run)
		}
		after := w.portfolio()
		for reference, p := range begun {
			if diff := cmp.Diff(p, after[reference]); diff != "" {
				t.Fatalf("%s: %s", reference, diff)
			}
		}
		if e, made := after["E"]; made && begun["E"].ID == 0 && e.WebStatus {
			t.Fatalf("%+v", e)
		}
	})
}
