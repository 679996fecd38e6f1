package sqlstore

import (
	"context"
	"fmt"

	"github.com/Masterminds/squirrel"

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
		found, err = t.Roles.(*tx).fact(key)
		return err
	})
	return found.value, err
}

// SetMeta sets a fact about the database.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	return s.Update(ctx, func(t port.Tx) error { return put(t.Roles.(*tx), facts, fact{key, value}) })
}

// EnsureMeta sets a fact unless it is set, and returns what is set then. Of
// several processes that start at once on an empty database, all get the same.
func (s *Store) EnsureMeta(ctx context.Context, key, value string) (string, error) {
	var found fact
	err := s.Update(ctx, func(t port.Tx) (err error) {
		found, err = t.Roles.(*tx).ensure(fact{key, value})
		return err
	})
	return found.value, err
}

func (t *tx) ensure(f fact) (fact, error) {
	if _, err := write(t, facts, t.store.text(facts.insert().Suffix("ON CONFLICT (key) DO NOTHING")), f); err != nil {
		return f, err
	}
	return t.fact(f.key)
}

// RemoveMeta removes a fact about the database, if it is set.
func (s *Store) RemoveMeta(ctx context.Context, key string) error {
	return s.Update(ctx, func(t port.Tx) error {
		_, err := t.Roles.(*tx).exec(s.text(squirrel.Delete(facts.table).Where("key = ?")), key)
		return err
	})
}

// EnsureSealed is EnsureMeta for a secret, which is sealed. One that was set in
// the clear is sealed from then on.
func (s *Store) EnsureSealed(ctx context.Context, key, value string) (secret string, err error) {
	err = s.Update(ctx, func(unit port.Tx) error {
		secret, err = EnsureSealed(unit, key, value)
		return err
	})
	return secret, err
}

// EnsureSealed is Store.EnsureSealed within a unit of work of a Store.
func EnsureSealed(unit port.Tx, key, value string) (string, error) {
	t := unit.Roles.(*tx)
	fresh, err := t.seal(fact{key, value})
	if err != nil {
		return "", err
	}
	found, err := t.ensure(fresh)
	if err != nil {
		return "", err
	}
	if _, _, err := keyOf(found.value); err == nil {
		opened, err := t.open(found)
		return opened.value, err
	}
	sealed, err := t.seal(found)
	if err != nil {
		return "", err
	}
	return found.value, put(t, facts, sealed)
}

// CheckFact reports that the keys do not open a fact as it is stored, as Meta tells it. One
// that is in the clear needs none.
func (k Keyring) CheckFact(key, stored string) error {
	if _, _, err := keyOf(stored); err != nil {
		return nil //nolint:nilerr // it is in the clear
	}
	_, err := k.Open(stored, fact{key, stored}.place())
	return err
}

func (f fact) place() string { return facts.table + ".value " + f.key }

func (t *tx) seal(f fact) (_ fact, err error) {
	f.value, err = t.store.keyring.Seal(f.value, f.place())
	return f, err
}

func (t *tx) open(f fact) (_ fact, err error) {
	f.value, err = t.store.keyring.Open(f.value, f.place())
	return f, err
}

// sealedFacts opens the facts that are secrets.
func sealedFacts(t *tx) ([]fact, error) {
	all, err := list(t, facts, t.store.text(facts.find("1 = 1").OrderBy("key")))
	var secrets []fact
	for _, f := range all {
		if _, _, err := keyOf(f.value); err != nil {
			continue
		}
		opened, err := t.open(f)
		if err != nil {
			return nil, fmt.Errorf("the %s of the database: %w", f.key, err)
		}
		secrets = append(secrets, opened)
	}
	return secrets, err
}

func resealFacts(t *tx) (int, error) {
	secrets, err := sealedFacts(t)
	for _, f := range secrets {
		sealed, err := t.seal(f)
		if err != nil {
			return 0, err
		}
		if err := put(t, facts, sealed); err != nil {
			return 0, err
		}
	}
	return len(secrets), err
}

func (t *tx) fact(key string) (fact, error) {
	return one(t, facts, t.store.text(facts.find("key = ?")), key)
}
