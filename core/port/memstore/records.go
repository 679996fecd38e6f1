package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Records implements port.Roles.
func (t tx) Records() port.Records { return records(t) }

// records holds the records of all kinds in one tree, by kind, site and id.
type records struct{ *unit }

func recordKey(k port.Kind, numbers ...int64) string { return k.Name() + "\x00" + key(numbers...) }

func (r records) Get(k port.Kind, of site.ID, id int64) (any, error) {
	return one(r.unit, r.state.records, recordKey(k, int64(of), id), k.Name(), id, deepRecord)
}

// GetUnlocked is Get: units of work that write take turns.
func (r records) GetUnlocked(k port.Kind, of site.ID, id int64) (any, error) { return r.Get(k, of, id) }

func (r records) Find(k port.Kind, q port.Query) ([]any, error) {
	prefix := recordKey(k)
	if q.Site != 0 {
		prefix = recordKey(k, int64(q.Site))
	}
	found, err := all(r.unit, r.state.records, prefix, same)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(record any) bool { return !q.Matches(k, record) })
	slices.SortFunc(found, func(a, b any) int { return q.Compare(k, a, b) })
	found = found[min(len(found), q.Skip):]
	if q.Limit != port.All {
		found = found[:min(len(found), q.Limit)]
	}
	for i, record := range found {
		found[i] = deepRecord(record)
	}
	return found, nil
}

func (r records) Put(k port.Kind, record any) error {
	of, id := k.Key(record)
	return put(r.unit, &r.state.records, recordKey(k, int64(of), id), record, deepRecord)
}

func (r records) Delete(k port.Kind, of site.ID, id int64) error {
	return drop(r.unit, &r.state.records, recordKey(k, int64(of), id), k.Name(), id)
}
