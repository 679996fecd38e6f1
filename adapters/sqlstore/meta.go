package sqlstore

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/port"
)

// fact is something the adapter knows about its database: which environment it
// belongs to, the pepper of its hashes.
type fact struct{ key, value string }

var facts = mapping[fact]{
	table: "meta",
	keys:  []string{"key"},
	row:   func(f *fact) row { return row{{"key", text(&f.key)}, {"value", text(&f.value)}} },
}

// Meta returns a fact about the database; one nobody set is fault.NotFound.
func (s *Store) Meta(ctx context.Context, key string) (string, error) {
	var found fact
	err := s.View(ctx, func(t port.Tx) (err error) {
		found, err = t.(*tx).fact(key)
		return err
	})
	return found.value, err
}

// SetMeta sets a fact about the database.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	return s.Update(ctx, func(t port.Tx) error { return put(t.(*tx), facts, fact{key, value}) })
}

// EnsureMeta sets a fact unless it is set, and returns what is set then. Of
// several processes that start at once on an empty database, all get the same.
func (s *Store) EnsureMeta(ctx context.Context, key, value string) (string, error) {
	var found fact
	err := s.Update(ctx, func(t port.Tx) error {
		unit := t.(*tx)
		_, err := write(unit, facts, s.text(facts.insert().Suffix("ON CONFLICT (key) DO NOTHING")), fact{key, value})
		if err != nil {
			return err
		}
		found, err = unit.fact(key)
		return err
	})
	return found.value, err
}

func (t *tx) fact(key string) (fact, error) {
	return one(t, facts, t.store.text(facts.find("key = ?")), key)
}
