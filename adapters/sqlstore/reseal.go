package sqlstore

import (
	"context"
	"errors"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Reseal seals every secret with the current key, in one unit of work, and
// reports how many records it wrote. After that the older keys can be thrown
// away.
func (s *Store) Reseal(ctx context.Context) (written int, err error) {
	err = s.updateInTx(ctx, func(p port.Tx) error {
		t := p.(*tx)
		written = 0
		for _, reseal := range []func(*tx) (int, error){
			resealFacts,
			func(t *tx) (int, error) { return resealAll(t, s.webhooks()) },
			func(t *tx) (int, error) { return resealAll(t, s.signings()) },
			func(t *tx) (int, error) { return resealAll(t, s.auths()) },
			func(t *tx) (int, error) { return resealAll(t, s.receipts()) },
			resealAttempts,
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

// addressesSealed is the fact that no address is in the clear any more.
const addressesSealed = "addresses_sealed"

// SealAddresses seals the addresses of webhooks that earlier versions kept in the
// clear, part by part. It is done once for a database.
func (s *Store) SealAddresses(ctx context.Context) error {
	if _, err := s.Meta(ctx, addressesSealed); err == nil || !errors.Is(err, fault.NotFound) {
		return err
	}
	for _, seal := range []func(*tx) (int, error){
		func(t *tx) (int, error) { return sealSome(t, s.webhooks(), "url") },
		func(t *tx) (int, error) { return sealSome(t, s.auths(), "token_url") },
	} {
		for more := true; more; {
			err := s.updateInTx(ctx, func(p port.Tx) error {
				n, err := seal(p.(*tx))
				more = n == atOnce
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	err := s.updateInTx(ctx, func(p port.Tx) error {
		_, err := resealAttempts(p.(*tx))
		return err
	})
	if err != nil {
		return err
	}
	_, err = s.EnsureMeta(ctx, addressesSealed, "yes")
	return err
}

// sealSome seals the next part of a table of which a column is in the clear.
func sealSome[T any](t *tx, m mapping[T], column string) (int, error) {
	find := m.find("substr(" + column + ", 1, ?) <> ?").OrderBy(m.keys...).Suffix("LIMIT ?")
	if held := t.store.dialect.Held; held != "" {
		find = find.Suffix(held)
	}
	found, err := list(t, m, t.store.text(find), len(sealedPrefix), sealedPrefix, atOnce)
	if err != nil {
		return 0, err
	}
	return len(found), insertAll(t, m, insertsOf(t.store.dialect, t.store.text, m, m.replacing()), found)
}

// CheckSecrets reports the first secret that cannot be read, as it cannot with
// another key than it was sealed with. Receipts, which are many and soon gone,
// are not looked at.
func (s *Store) CheckSecrets(ctx context.Context) error {
	return s.View(ctx, func(p port.Tx) error {
		t := p.(*tx)
		if _, err := sealedFacts(t); err != nil {
			return err
		}
		if _, err := every(t, s.webhooks()); err != nil {
			return err
		}
		if _, err := every(t, s.signings()); err != nil {
			return err
		}
		_, err := every(t, s.auths())
		return err
	})
}

// every reads a whole table.
func every[T any](t *tx, m mapping[T]) ([]T, error) { return list(t, m, t.store.text(m.find("1 = 1"))) }
