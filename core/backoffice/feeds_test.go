package backoffice_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// The address of a source or target has a password, which no operator sees, and which stays where the address
// is given as it is shown.
func TestSourcesAndTargetsAreMadeChangedAndDeletedByHand(t *testing.T) {
	w := newWorld(t)
	admin := w.operator(t, "a@example.org", operator.Administrator)
	source := transfer.SetupImportSource{Name: "Nantes", URL: "https://u:5ec4e7@feeds.example/x?key=5ec4e7", AgencyID: 11}
	source.ID = do(t, w.SaveImportSource, admin, on(source)).ID
	source.Name, source.URL, source.Mode = "Nice", "https://feeds.example/x", "full"
	do(t, w.SaveImportSource, admin, on(source))
	s := do(t, w.GetImportSource, admin, on(transfer.ImportSourcePath{ID: source.ID}))
	if s.Name != "Nice" || s.Settings.URL != "https://u:5ec4e7@feeds.example/x?key=5ec4e7" || s.Settings.Mode != operator.SourceFull {
		t.Errorf("%+v", s)
	}
	target := transfer.SetupPublicationTarget{Name: "Portail", URL: "https://u:5ec4e7@portal.example/x", Agencies: map[string]int64{"A": 11}}
	target.ID = do(t, w.SavePublicationTarget, admin, on(target)).ID
	target.URL, target.Format, target.Incremental = "https://portal.example/x", "openimmo", true
	do(t, w.SavePublicationTarget, admin, on(target))
	p := do(t, w.GetPublicationTarget, admin, on(portals.TargetPath{ID: target.ID}))
	if !p.Settings.Incremental || p.Settings.URL != "https://u:5ec4e7@portal.example/x" {
		t.Errorf("%+v", p)
	}
	for _, wrong := range []func(*transfer.SetupImportSource){
		func(in *transfer.SetupImportSource) { in.Every = "5s" }, func(in *transfer.SetupImportSource) { in.Folder = "../x" },
		func(in *transfer.SetupImportSource) { in.AgencyID = 21 }, func(in *transfer.SetupImportSource) { in.Every = "often" },
	} {
		in := source
		wrong(&in)
		if _, err := w.SaveImportSource(t.Context(), admin, on(in)); !errors.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", in, err)
		}
	}
	target.Format = "kyero"
	if _, err := w.SavePublicationTarget(t.Context(), admin, on(target)); !errors.Is(err, fault.Invalid) {
		t.Error(err)
	}
	do(t, w.DeleteImportSource, admin, on(transfer.ImportSourcePath{ID: source.ID}))
	do(t, w.DeletePublicationTarget, admin, on(portals.TargetPath{ID: target.ID}))
	if left := len(do(t, w.ListImportSources, admin, on(kernel.Nothing{}))) + len(do(t, w.ListPublicationTargets, admin, on(kernel.Nothing{}))); left != 0 {
		t.Errorf("%d are left", left)
	}
	if again := do(t, w.SaveImportSource, admin, on(transfer.SetupImportSource{Name: "N", Folder: "n", AgencyID: 11})).ID; again == source.ID {
		t.Error("another source has the number of one that was deleted")
	}
	for _, e := range w.audit(t) {
		for _, c := range e.Changes {
			if strings.Contains(c.Before+c.After, "5ec4e7") {
				t.Errorf("the audit says %+v", c)
			}
		}
	}
}
