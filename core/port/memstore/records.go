package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Records implements port.Roles.
func (t tx) Records() port.Records { return records(t) }

// records holds the records of all kinds in one tree, by kind, site and id.
type records struct{ *unit }

func recordsUnder(k port.Kind, numbers ...int64) string { return k.Name() + "\x00" + key(numbers...) }

func recordKey(k port.Kind, of port.Key) string {
	return recordsUnder(k, int64(of.Site), of.ID) + of.Name
}

func (r records) Get(k port.Kind, of port.Key) (any, error) {
	return one(r.unit, r.state.records, recordKey(k, of), k.Name(), of.ID, deepRecord)
}

// GetUnlocked is Get: units of work that write take turns.
func (r records) GetUnlocked(k port.Kind, of port.Key) (any, error) { return r.Get(k, of) }

func (r records) Find(k port.Kind, q port.Query) ([]any, error) {
	prefix := recordsUnder(k)
	if q.Site != 0 {
		prefix = recordsUnder(k, int64(q.Site))
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
	return put(r.unit, &r.state.records, recordKey(k, k.Key(record)), record, deepRecord)
}

func (r records) Add(k port.Kind, record any) error {
	if _, taken := r.state.records.get(recordKey(k, k.Key(record))); taken && r.writing() == nil {
		return port.ErrTaken
	}
	return r.Put(k, record)
}

func (r records) Delete(k port.Kind, of port.Key) error {
	return drop(r.unit, &r.state.records, recordKey(k, of), k.Name(), of.ID)
}
