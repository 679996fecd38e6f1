package porttest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
)

// importedKind is what calendars elsewhere say, which is kept under two keys.
type importedKind struct{}

// source is that of the first record of a site.
const source slot.Source = "a-b"

func bareImported(s site.ID, user site.UserID, source slot.Source) slot.Imported {
	return slot.Imported{Site: s, User: user, Source: source}
}

func (k importedKind) examples() []example {
	return []example{
		{"ImportedBusyTimeComesBackAsItWentIn", k.comeBack},
		{"ImportedBusyTimeIsListedByUserAndSource", k.listed},
		{"AbsentImportedBusyTimeIsNotFound", k.absent},
		{"ImportedBusyTimesAreCopies", k.copies},
		{"NoChangeOfImportedBusyTimeIsLost", k.noneLost},
	}
}

func (importedKind) comeBack(t *testing.T, w *world) {
	id := w.site(t)
	put := func(tx port.Tx, i slot.Imported) error { return tx.ImportedBusy().Put(i) }
	for _, source := range []slot.Source{source, awkward} {
		comesBack(t, w, "imported", sampleImported(id, 6, source), bareImported(id, 6, source), put,
			func(tx port.Tx) (slot.Imported, error) { return tx.ImportedBusy().Get(id, 6, source) })
	}
	comesBack(t, w, "imported, in a list", sampleImported(id, 7, source), bareImported(id, 7, source), put,
		func(tx port.Tx) (slot.Imported, error) { return only(tx.ImportedBusy().Of(id, []site.UserID{7})) })
}

func (importedKind) listed(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	// Words that dictionaries sort in another way than bytes.
	sources := []slot.Source{"A", "Z", "_", "a-c", "aa", "ab", "é"}
	put := func(s site.ID, user site.UserID, sources ...slot.Source) {
		t.Helper()
		w.update(t, func(tx port.Tx) error {
			for _, source := range sources {
				if err := tx.ImportedBusy().Put(sampleImported(s, user, source)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	put(id, 12, "aa", "é", "A", "a-c", "_", "Z", "ab")
	put(id, 3, "b", "a")
	put(id, 1, "c")
	put(other, 3, "a", "d")
	samples := func(s site.ID, user site.UserID, sources ...slot.Source) (all []slot.Imported) {
		for _, source := range sources {
			all = append(all, sampleImported(s, user, source))
		}
		return all
	}
	is := func(s site.ID, users []site.UserID, want []slot.Imported) {
		t.Helper()
		check := func(tx port.Tx) error {
			found, err := tx.ImportedBusy().Of(s, users)
			same(t, fmt.Sprintf("of %d", users), want, found)
			return err
		}
		w.view(t, check)
		w.update(t, check)
	}
	is(id, []site.UserID{12}, samples(id, 12, sources...))
	is(id, []site.UserID{12, 3, 9, 3}, append(samples(id, 3, "a", "b"), samples(id, 12, sources...)...))
	is(id, []site.UserID{9}, nil)
	is(id, nil, nil)
	is(other, []site.UserID{12, 3}, samples(other, 3, "a", "d"))
	w.update(t, func(tx port.Tx) error {
		return errors.Join(tx.ImportedBusy().Delete(id, 3, "a"), tx.ImportedBusy().Put(bareImported(id, 1, "c")))
	})
	is(id, []site.UserID{1, 3}, append([]slot.Imported{bareImported(id, 1, "c")}, samples(id, 3, "b")...))
	is(other, []site.UserID{3}, samples(other, 3, "a", "d"))
}

func (importedKind) absent(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		r := tx.ImportedBusy()
		return errors.Join(r.Put(sampleImported(other, 1, source)), r.Put(sampleImported(id, 2, source)), r.Put(sampleImported(id, 1, "A-B")),
			r.Put(sampleImported(id, 1, source+"c")))
	})
	gone := func() {
		t.Helper()
		w.notFound(t, "get", func(tx port.Tx) error { _, err := tx.ImportedBusy().Get(id, 1, source); return err })
		w.notFound(t, "delete", func(tx port.Tx) error { return tx.ImportedBusy().Delete(id, 1, source) })
	}
	gone()
	w.update(t, func(tx port.Tx) error { return tx.ImportedBusy().Put(sampleImported(id, 1, source)) })
	w.update(t, func(tx port.Tx) error { return tx.ImportedBusy().Delete(id, 1, source) })
	gone()
	w.view(t, func(tx port.Tx) error {
		left, err := tx.ImportedBusy().Of(id, []site.UserID{1, 2})
		same(t, "left", []slot.Imported{sampleImported(id, 1, "A-B"), sampleImported(id, 1, source+"c"), sampleImported(id, 2, source)}, left)
		elsewhere, err2 := tx.ImportedBusy().Get(other, 1, source)
		same(t, "that of another site", sampleImported(other, 1, source), elsewhere)
		return errors.Join(err, err2)
	})
}

func (importedKind) copies(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		given := sampleImported(id, 1, source)
		err := tx.ImportedBusy().Put(given)
		spoil(&given)
		return err
	})
	read := func(tx port.Tx) error {
		got, err := tx.ImportedBusy().Get(id, 1, source)
		same(t, "record", sampleImported(id, 1, source), got)
		of, err2 := tx.ImportedBusy().Of(id, []site.UserID{1})
		same(t, "records", []slot.Imported{sampleImported(id, 1, source)}, of)
		spoil(&got, &of)
		return errors.Join(err, err2)
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

func (importedKind) noneLost(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return tx.ImportedBusy().Put(sampleImported(id, 1, source)) })
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		i, err := tx.ImportedBusy().Get(id, 1, source)
		return i.Version, err
	}, func(tx port.Tx) error {
		i, err := tx.ImportedBusy().Get(id, 1, source)
		if err != nil {
			return err
		}
		i.Version++
		return tx.ImportedBusy().Put(i)
	})
}

func (importedKind) seed(tx port.Tx, s site.ID) error {
	return tx.ImportedBusy().Put(sampleImported(s, 1, source))
}

func (importedKind) writes(tx port.Tx, s site.ID) map[string]func() error {
	return map[string]func() error{
		"replace imported busy time": func() error { return tx.ImportedBusy().Put(bareImported(s, 1, source)) },
		"add imported busy time":     func() error { return tx.ImportedBusy().Put(sampleImported(s, 1, "other")) },
		"delete imported busy time":  func() error { return tx.ImportedBusy().Delete(s, 1, source) },
	}
}

func (importedKind) picture(tx port.Tx, s site.ID) (any, error) {
	return tx.ImportedBusy().Of(s, []site.UserID{1, 2, 3})
}

func (importedKind) command(p program) command {
	user, source := site.UserID(p.number("user", 3)), draw[slot.Source](p, "source", "a", "A", "b")
	v := draw(p, "record", sampleImported, bareImported)(p.site, user, source)
	v.Version = p.number("version", 9)
	picked := draw(p, "kind",
		command{"put", func(tx port.Tx) (any, error) { return nil, tx.ImportedBusy().Put(v) }},
		command{"put again", func(tx port.Tx) (any, error) { return nil, tx.ImportedBusy().Put(v) }},
		command{"get", func(tx port.Tx) (any, error) { return tx.ImportedBusy().Get(p.site, user, source) }},
		command{"of", func(tx port.Tx) (any, error) { return tx.ImportedBusy().Of(p.site, []site.UserID{3, user}) }},
		command{"delete", func(tx port.Tx) (any, error) { return nil, tx.ImportedBusy().Delete(p.site, user, source) }})
	picked.name += fmt.Sprintf(" imported busy time %d %q", user, source)
	return picked
}
