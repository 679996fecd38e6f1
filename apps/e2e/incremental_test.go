package e2e_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	imported "github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	outbox "github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// fed is a network whose site 1 sends whole files, which agency 21 of site 2 gets, and incremental ones, which
// agency 22 gets.
type fed struct {
	*apitest.World
	root string
	c    kernel.Caller
	ids  []int64
}

func newFed(t *testing.T, format string) *fed {
	t.Helper()
	w := &fed{World: apitest.New(t), root: t.TempDir()}
	s := apitest.Network()
	all := 100
	s.Sites[1].Agencies = append(s.Sites[1].Agencies, transfer.SetupAgency{ID: 22, Name: "Vingt-deux"})
	for id, incremental := range map[int64]bool{1: false, 2: true} {
		folder, mode := fmt.Sprintf("portal%d", id), "full"
		if err := os.Mkdir(filepath.Join(w.root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if incremental {
			mode = "incremental"
		}
		s.Sites[0].PublicationTargets = append(s.Sites[0].PublicationTargets, transfer.SetupPublicationTarget{
			ID: id, Name: folder, Folder: folder, Format: format, Pictures: "none", Incremental: incremental, Agencies: map[string]int64{"NICE": 11},
		})
		s.Sites[1].ImportSources = append(s.Sites[1].ImportSources, transfer.SetupImportSource{
			ID: id, Name: folder, Folder: folder, AgencyID: 20 + id, Mode: mode, WithdrawalLimit: &all,
		})
	}
	w.Provision(s)
	w.c = w.As("full", 1)
	return w
}

// look has targets and sources looked at until nothing is due.
func (w *fed) look() {
	w.T.Helper()
	w.Clock.Advance(imported.DefaultEvery)
	out, files := newOutbox(w.root), newFiles(w.root)
	for due := 1; due > 0; {
		apitest.Once(w.T, func(ctx context.Context, o lease.Options) { w.Portals.Run(ctx, out, o) })
		due = w.due(func(tx port.Tx) (int, error) {
			all, err := tx.PublicationTargets().Due(w.Clock.Now(), 9)
			return len(all), err
		})
	}
	for due := 1; due > 0; {
		apitest.Once(w.T, func(ctx context.Context, o lease.Options) { w.Sources.Run(ctx, files, o) })
		due = w.due(func(tx port.Tx) (int, error) {
			all, err := tx.ImportSources().Due(w.Clock.Now(), 9)
			return len(all), err
		})
	}
	w.c = w.As("full", 1)
}

func (w *fed) due(count func(port.Tx) (int, error)) (n int) {
	w.T.Helper()
	if err := w.Kernel().Store.View(w.T.Context(), func(tx port.Tx) (err error) {
		n, err = count(tx)
		return err
	}); err != nil {
		w.T.Fatal(err)
	}
	return n
}

// published lists what an agency of site 2 has on the web.
func (w *fed) published(agency site.AgencyID) string {
	w.T.Helper()
	var all []string
	w.due(func(tx port.Tx) (int, error) {
		found, err := tx.Products().Scan(2, 0, 1000)
		for _, p := range found {
			if p.Agency == agency && p.WebStatus {
				all = append(all, fmt.Sprintf("%s at %v", p.Reference, p.Criteria["Prix"]))
			}
		}
		return 0, err
	})
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// change changes something at random.
func (w *fed) change(t *rapid.T) {
	if len(w.ids) == 0 || rapid.IntRange(0, 2).Draw(t, "new") == 0 {
		in := apitest.InAgency(11)
		in.Model, in.WebStatus = opt.Of(fmt.Sprintf("R%d", len(w.ids))), opt.Of(true)
		in.Criteria = apitest.Criteria("TypeBien", "Maison", "TypeTransaction", "Vente", "CodePostal", "06000", "Ville", "Nice", "Statut", "EnCours", "Prix", 100000)
		w.ids = append(w.ids, w.CreateProductAs(w.c, in))
		return
	}
	id := rapid.SampledFrom(w.ids).Draw(t, "product")
	edit := rapid.SampledFrom([]func(*listing.UpdateProduct){
		func(in *listing.UpdateProduct) {
			in.Criteria = apitest.Criteria("Prix", rapid.IntRange(1, 9).Draw(t, "price")*50000)
		},
		func(in *listing.UpdateProduct) {
			in.Model = opt.Of(fmt.Sprintf("N%d", rapid.IntRange(0, 3).Draw(t, "name")))
		},
		func(in *listing.UpdateProduct) { in.WebStatus = opt.Of(false) },
		func(in *listing.UpdateProduct) { in.WebStatus = opt.Of(true) },
		nil,
	}).Draw(t, "edit")
	if edit == nil {
		_, _ = w.Listing.DeleteProduct(w.T.Context(), w.c, listing.DeleteProduct{ID: id}) // it may be deleted
		return
	}
	_ = w.UpdateProduct(id, edit) // it may be deleted, or the reference taken
}

// Whatever changes in whatever order, a whole file and those with the changes since give what whole files give.
func TestIncrementalFilesGiveWhatWholeOnesGive(t *testing.T) {
	for _, format := range imported.PartialFormats() {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				w := newFed(t, format)
				for range rapid.IntRange(1, 4).Draw(rt, "looks") {
					for range rapid.IntRange(0, 5).Draw(rt, "changes") {
						w.change(rt)
					}
					if rapid.IntRange(0, 4).Draw(rt, "whole") == 0 {
						_, _ = w.Portals.SendNow(t.Context(), w.c, outbox.TargetPath{ID: 2}) // nothing was changed
					}
					w.look()
					if whole, parts := w.published(21), w.published(22); whole != parts {
						rt.Fatalf("whole files give %s, and parts %s", whole, parts)
					}
				}
			})
		})
	}
}

// A source of a table may say what its headings mean.
func TestASourceSaysWhatTheHeadingsOfItsTableMean(t *testing.T) {
	w := newFed(t, "table")
	s := apitest.Network()
	s.Sites[1].ImportSources = []transfer.SetupImportSource{{
		ID: 2, Name: "portal2", Folder: "portal2", AgencyID: 21, Mapping: map[string]string{"Code interne": "reference", "Montant HT": "Prix"},
	}}
	w.Provision(s)
	content := "Code interne;Type;Montant HT;Prix\nR1;Maison;150000;1\n"
	if err := os.WriteFile(filepath.Join(w.root, "portal2", "biens.csv"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	w.look()
	if got := w.published(21); got != "R1 at 150000" {
		t.Error(got)
	}
	s.Sites[1].ImportSources[0].Format = "kyero"
	if _, err := w.Transfer.Provision(t.Context(), s); err == nil || !strings.Contains(err.Error(), "only a table has a mapping") {
		t.Error(err)
	}
}

// A file after the first has only what has changed.
func TestAnIncrementalTargetGetsWhatHasChanged(t *testing.T) {
	w := newFed(t, "openimmo")
	// Alone: an engine that ends when one of two targets was sent to interrupts the other, which
	// gets a further file then.
	if _, err := w.Portals.Pause(t.Context(), w.c, outbox.PauseTarget{ID: 1, Paused: true}); err != nil {
		t.Fatal(err)
	}
	create := func(reference string) int64 {
		in := apitest.InAgency(11)
		in.Model, in.WebStatus = opt.Of(reference), opt.Of(true)
		in.Criteria = apitest.Criteria("TypeBien", "Maison", "TypeTransaction", "Vente", "CodePostal", "06000", "Ville", "Nice", "Statut", "EnCours", "Prix", 100000)
		return w.CreateProductAs(w.c, in)
	}
	create("A")
	second, third := create("B"), create("C")
	w.look()
	w.SetCriteria(second, "Prix", 200000)
	if _, err := w.Listing.DeleteProduct(t.Context(), w.c, listing.DeleteProduct{ID: third}); err != nil {
		t.Fatal(err)
	}
	w.look()
	w.look()
	names, err := filepath.Glob(filepath.Join(w.root, "portal2", "openimmo-*.xml"))
	if err != nil || len(names) != 2 {
		t.Fatal(names, err)
	}
	for n, want := range map[int][]string{
		0: {`umfang="VOLL"`, ">A<", ">B<", ">C<", `"CHANGE"`}, 1: {`umfang="TEIL"`, ">B<", ">C<", `aktionart="DELETE"`, ">200000<", "<anbieternr>NICE<"},
	} {
		content, err := os.ReadFile(names[n])
		for _, part := range want {
			if err != nil || !strings.Contains(string(content), part) {
				t.Errorf("%s lacks %s: %v\n%s", names[n], part, err, content)
			}
		}
		if n == 1 && strings.Contains(string(content), ">A<") {
			t.Errorf("what has not changed is sent again:\n%s", content)
		}
	}
	if got := w.published(22); got != "A at 100000, B at 200000" {
		t.Error(got)
	}
}
