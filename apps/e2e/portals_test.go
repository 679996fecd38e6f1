package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	formats "github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/portals"
	"github.com/vitrine-crm/vitrine/adapters/sources"
	imported "github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
	outbox "github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Site 1 hands its listings over to a portal, which is a source of site 2: what is published, changed and
// withdrawn here is so there, pictures included.
func TestWhatAPortalGetsAnotherSiteCanRead(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		w, root := withOwnStore(t, engine), t.TempDir()
		here := w.network(t)
		target := imported.PublicationTarget{ID: 1, Site: 1, Name: "Portail", Settings: imported.TargetSettings{
			Location: imported.Location{Folder: "portail"}, Format: "poliris", Pictures: imported.PicturesAsFiles, Every: time.Hour,
			Criterias: []imported.TargetCondition{{Criterion: "Ville", Operator: "EGAL", Values: []string{"Portville"}}},
		}}
		source := imported.ImportSource{ID: 1, Site: 2, Name: "Portail", Settings: imported.SourceSettings{
			Location: target.Settings.Location, Agency: 21, Every: time.Hour, Mode: imported.SourceFull, Withdrawal: imported.WithdrawOffWeb, WithdrawalLimit: 100,
		}}
		target.State.Due, source.State.Due = w.clock.now(), w.clock.now()
		if err := w.store.Update(t.Context(), func(tx port.Tx) error {
			return errors.Join(tx.PublicationTargets().Put(target), tx.ImportSources().Put(source), tx.Ledger().Touch(1, port.AspectSettings))
		}); err != nil {
			t.Fatal(err)
		}
		flat := here.create(object{"model": "PORT-1", "web_status": true, "criterias": portalCriteria(250000)})
		house := here.create(object{"model": "PORT-2", "web_status": true, "criterias": portalCriteria(420000)})
		here.add(flat, "public", picture(1000, 20, 5))
		here.add(flat, "public", picture(900, 30, 6))

		w.hands(t, root, "sent")
		w.looks(t, root, "done")
		if got := w.rival(t).published(); got != "PORT-1 at 250000 with 2 pictures; PORT-2 at 420000 with 0 pictures" {
			t.Error(got)
		}
		if got := w.network(t).get(fmt.Sprintf("/products/%d?fetch=publications", flat)).is(200).list("data.publications"); len(got) != 2 || got[1].(object)["channel"] != "Portail" || got[1].(object)["status"] != "published" {
			t.Error(got)
		}
		w.hands(t, root, outbox.Unchanged)
		w.looks(t, root, transfer.SourceUnchanged)

		here = w.network(t)
		here.change(flat, object{"criterias": list{object{"id": "Prix", "value": 260000}}}).is(204)
		here.delete(fmt.Sprintf("/products/%d", house)).is(204)
		w.hands(t, root, "sent")
		w.looks(t, root, "done")
		if got := w.rival(t).published(); got != "PORT-1 at 260000 with 2 pictures" {
			t.Error(got)
		}
		if entries, err := os.ReadDir(filepath.Join(root, "portail")); err != nil || len(entries) != 1 {
			t.Errorf("%v, %v", entries, err)
		}
	}, onEveryStore)
}

func portalCriteria(price int) list {
	all := list{}
	for key, value := range map[string]any{
		"TypeBien": "Appartement", "TypeTransaction": "Vente", "Statut": "EnCours", "Prix": price, "Ville": "Portville", "CodePostal": "44000", "Surface": 60,
	} {
		all = append(all, object{"id": key, "value": value})
	}
	return all
}

// published lists what the portal brought and is on the web.
func (c *client) published() (shown string) {
	c.t.Helper()
	var all []string
	for _, p := range c.everything("products_photos") {
		if p["city"] == "Portville" && p["web_status"] == true {
			all = append(all, fmt.Sprintf("%v at %v with %d pictures", p["model"], p["price"], len(p["products_photos"].(list))))
		}
	}
	slices.Sort(all)
	for n, one := range all {
		if n > 0 {
			shown += "; "
		}
		shown += one
	}
	return shown
}

// hands has the target looked at.
func (w *world) hands(t *testing.T, root, want string) {
	t.Helper()
	out := newOutbox(root)
	w.once(t, want, func(ctx context.Context, o lease.Options) { w.Portals.Run(ctx, out, o) })
}

// newOutbox is what makes files below a folder.
func newOutbox(root string) *portals.Outbox {
	return portals.New(portals.Options{Root: root, Application: "Vitrine", Version: formats.Version, Listings: func(format string, partial bool, to io.Writer) (portals.Listings, string, error) {
		listings, err := formats.NewWriter(to, formats.Format(format), partial)
		if err != nil {
			return nil, "", err
		}
		return listings, listings.Name, nil
	}})
}

// looks has the source looked at.
func (w *world) looks(t *testing.T, root, want string) {
	t.Helper()
	files := newFiles(root)
	w.once(t, want, func(ctx context.Context, o lease.Options) { w.Sources.Run(ctx, files, o) })
}

// newFiles is what looks for files below a folder.
func newFiles(root string) *sources.Files {
	return sources.New(sources.Options{Root: root, Settle: time.Millisecond, Open: func(name string, of imported.SourceSettings, beside string) (transfer.ImportFile, error) {
		return formats.OpenBeside(name, formats.Format(of.Format), of.Mapping, beside, formats.NewWeb(webhook.Allowance{}))
	}})
}

// once has an engine look at what is due an hour later, and demands how that ends.
func (w *world) once(t *testing.T, want string, run func(context.Context, lease.Options)) {
	t.Helper()
	w.clock.advance(time.Hour)
	defer w.again(t, nil) // tokens have expired
	if got := apitest.Once(t, run); got != want {
		t.Errorf("it ends with %q, want %q", got, want)
	}
}
