package sqlstore

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Reseal seals every secret with the current key, and reports how many rows it
// wrote. After that the older keys can be thrown away.
func (s *Store) Reseal(ctx context.Context) (int, error) {
	sites := map[site.ID]bool{}
	err := s.View(ctx, func(t port.Tx) error {
		// A secret can outlive the record of its site, so the tables are asked.
		for _, table := range []string{"webhook", "webhook_signing", "webhook_auth", "receipt"} {
			found, err := list(t.(*tx), numberColumn, "SELECT DISTINCT site_id FROM "+table)
			if err != nil {
				return err
			}
			for _, id := range found {
				sites[site.ID(id)] = true
			}
		}
		return nil
	})
	written := 0
	for id := range sites {
		if err != nil {
			break
		}
		n := 0
		err = s.Update(ctx, func(t port.Tx) (err error) {
			n, err = t.(*tx).reseal(id)
			return err
		})
		written += n
	}
	return written, err
}

func (t *tx) reseal(id site.ID) (int, error) {
	hooks, err := resealAll(t, t.store.webhooks(), "id", id)
	if err != nil {
		return 0, err
	}
	signings, err := resealAll(t, t.store.signings(), "hook_id", id)
	if err != nil {
		return 0, err
	}
	auths, err := resealAll(t, t.store.auths(), "id", id)
	if err != nil {
		return 0, err
	}
	receipts, err := resealAll(t, t.store.receipts(), "request_key", id)
	return hooks + signings + auths + receipts, err
}

// resealAll holds the rows of a site while it writes them anew.
func resealAll[T any](t *tx, m mapping[T], key string, id site.ID) (int, error) {
	find := m.find("site_id = ?").OrderBy(key)
	if held := t.store.dialect.Held; held != "" {
		find = find.Suffix(held)
	}
	found, err := list(t, m, t.store.text(find), int64(id))
	for _, v := range found {
		if err := put(t, m, v); err != nil {
			return 0, err
		}
	}
	return len(found), err
}
