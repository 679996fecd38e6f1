package sqlstore

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Reseal seals every secret with the current key, in one unit of work, and
// reports how many records it wrote. After that the older keys can be thrown
// away.
func (s *Store) Reseal(ctx context.Context) (written int, err error) {
	err = s.updateInTx(ctx, func(p port.Tx) error {
		t := p.Roles.(*tx)
		written = 0
		for _, reseal := range []func(*tx) (int, error){
			resealFacts,
			func(t *tx) (int, error) { return resealAll(t, s.webhooks()) },
			resealRecords,
			func(t *tx) (int, error) { return resealAll(t, s.receipts()) },
			resealAttempts,
			resealValues,
		} {
			n, err := reseal(t)
			if err != nil {
				return err
			}
			written += n
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return written, nil
}

// resealRecords seals the records of all kinds that are sealed.
func resealRecords(t *tx) (written int, err error) {
	for _, k := range port.Kinds {
		if k.Sealed() && err == nil {
			var n int
			n, err = resealAll(t, recordsOf(k, t.store.keyring))
			written += n
		}
	}
	return written, err
}

// resealAll holds the rows of a table while it writes them anew.
func resealAll[T any](t *tx, m mapping[T]) (int, error) {
	find := m.find("1 = 1").OrderBy(m.keys...)
	if held := t.store.dialect.Held; held != "" {
		find = find.Suffix(held)
	}
	found, err := list(t, m, t.store.text(find))
	for _, v := range found {
		if err := put(t, m, v); err != nil {
			return 0, err
		}
	}
	return len(found), err
}

// atOnce is how many records of a long table are sealed at a time.
const atOnce = 1000

// resealAttempts goes through the log of deliveries, which is long, part by part.
func resealAttempts(t *tx) (written int, err error) {
	m := t.store.attempts()
	find := m.find("attempts <> '' AND (site_id, hook_id, id) > (?, ?, ?)").OrderBy(m.keys...).Suffix("LIMIT ? " + t.store.dialect.Held)
	var last deliveryAttempts
	for {
		found, err := list(t, m, t.store.text(find), int64(last.Site), int64(last.Hook), int64(last.Delivery), atOnce)
		if err != nil || len(found) == 0 {
			return written, err
		}
		if _, err := t.writeAttempts(t.store.hot.hooks.replace, found); err != nil {
			return written, err
		}
		written, last = written+len(found), found[len(found)-1]
	}
}

// resealValues goes through the values in the ledgers, which are long, part by part.
func resealValues(t *tx) (written int, err error) {
	m := mapping[event.Event]{table: events.table, keys: events.keys, row: func(e *event.Event) row {
		return row{{"site_id", whole(&e.Site)}, {"seq", whole(&e.Seq)}, t.store.values(e)}
	}}
	find := t.store.text(m.find("edits <> '' AND (site_id, seq) > (?, ?)").OrderBy(m.keys...).Suffix("LIMIT ? " + t.store.dialect.Held))
	replace := t.store.text(m.replace("1 = 1"))
	var last event.Event
	for {
		found, err := list(t, m, find, int64(last.Site), last.Seq, atOnce)
		if err != nil || len(found) == 0 {
			return written, err
		}
		for _, e := range found {
			if _, err := rewrite(t, m, replace, e); err != nil {
				return written, err
			}
		}
		written, last = written+len(found), found[len(found)-1]
	}
}

// CheckSecrets reports the first secret that cannot be read, as it cannot with
// another key than it was sealed with. Receipts and the values in ledgers, which are many and
// soon gone, are not looked at.
func (s *Store) CheckSecrets(ctx context.Context) error {
	return s.View(ctx, func(p port.Tx) error {
		t := p.Roles.(*tx)
		if _, err := sealedFacts(t); err != nil {
			return err
		}
		if _, err := every(t, s.webhooks()); err != nil {
			return err
		}
		for _, k := range port.Kinds {
			if !k.Sealed() {
				continue
			}
			if _, err := every(t, recordsOf(k, s.keyring)); err != nil {
				return err
			}
		}
		return nil
	})
}

// every reads a whole table.
func every[T any](t *tx, m mapping[T]) ([]T, error) { return list(t, m, t.store.text(m.find("1 = 1"))) }
