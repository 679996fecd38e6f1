package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) ImportedBusy() port.ImportedBusy { return importedBusy(t) }

// Calendars: units that write take turns, so everything is held.
func (t tx) Calendars() port.Calendars { return calendars(t) }

type calendars struct{ *unit }

func (r calendars) Hold(site.ID, []site.UserID) error { return r.writing() }

type importedBusy struct{ *unit }

func importedKey(of site.ID, user site.UserID, source slot.Source) string {
	return key(int64(of), int64(user)) + string(source)
}

func (r importedBusy) Get(of site.ID, user site.UserID, source slot.Source) (slot.Imported, error) {
	return one(r.unit, r.state.imported, importedKey(of, user, source), "imported busy time", source, deep)
}

func (r importedBusy) Of(of site.ID, users []site.UserID) ([]slot.Imported, error) {
	found, err := all(r.unit, r.state.imported, key(int64(of)), deep)
	return slices.DeleteFunc(found, func(i slot.Imported) bool { return !slices.Contains(users, i.User) }), err
}

func (r importedBusy) Put(i slot.Imported) error {
	return put(r.unit, &r.state.imported, importedKey(i.Site, i.User, i.Source), i, deep)
}

func (r importedBusy) Delete(of site.ID, user site.UserID, source slot.Source) error {
	return drop(r.unit, &r.state.imported, importedKey(of, user, source), "imported busy time", source)
}
