package porttest

import (
	"errors"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

func TestImportedBusyTimeIsKeptByUserAndSource(t *testing.T) {
	w := &world{Store: memstore.New()}
	imported := func(user site.UserID, source slot.Source, version int64) slot.Imported {
		return slot.Imported{Site: 7, User: user, Source: source, Version: version}
	}
	w.update(t, func(tx port.Tx) error {
		return each(tx.ImportedBusy().Put, imported(2, "b", 1), imported(2, "_", 2), imported(2, "A", 3), imported(1, "c", 4), imported(2, "b", 5))
	})
	listed := func(want ...slot.Imported) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			all, err := tx.ImportedBusy().Of(7, []site.UserID{2, 1, 3})
			same(t, "of all sources", want, all)
			none, err2 := tx.ImportedBusy().Of(8, []site.UserID{2, 1})
			same(t, "of another site", 0, len(none))
			return errors.Join(err, err2)
		})
	}
	listed(imported(1, "c", 4), imported(2, "A", 3), imported(2, "_", 2), imported(2, "b", 5))
	w.update(t, func(tx port.Tx) error {
		return errors.Join(tx.ImportedBusy().Delete(7, 2, "_"), tx.ImportedBusy().Delete(7, 1, "c"))
	})
	listed(imported(2, "A", 3), imported(2, "b", 5))
	w.view(t, func(tx port.Tx) error {
		found, err := tx.ImportedBusy().Get(7, 2, "b")
		same(t, "of one source", imported(2, "b", 5), found)
		return err
	})
	w.notFound(t, "what went", func(tx port.Tx) error { _, err := tx.ImportedBusy().Get(7, 2, "_"); return err })
	w.notFound(t, "what went again", func(tx port.Tx) error { return tx.ImportedBusy().Delete(7, 1, "c") })
}
