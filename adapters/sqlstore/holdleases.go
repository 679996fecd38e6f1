package sqlstore

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// leased are the tables of leases, which processes take to work for a site.
var leased = []string{hookLeases.table, followings.table}

// HoldLeases takes, for a move, the leases of a site that nobody holds, for good, and
// reports how many somebody still does. When the site rests nobody takes one anew.
func (s *Store) HoldLeases(ctx context.Context, id site.ID, move string) (others int, err error) {
	now := stamp(time.Now())
	err = s.Update(ctx, func(unit port.Tx) error {
		t := unit.Roles.(*tx)
		others = 0
		for _, table := range leased {
			b := squirrel.Update(table).Set("holder", squirrel.Expr("?")).Set("until", squirrel.Expr(fmt.Sprint(math.MaxInt64))).
				Where("site_id = ? AND holder <> ? AND (holder = '' OR until <= ?)")
			if _, err := t.exec(t.store.text(b), move, int64(id), move, now); err != nil {
				return err
			}
			held, err := list(t, numberColumn, t.store.text(squirrel.Select("count(*) AS n").From(table).Where("site_id = ? AND holder <> ?")), int64(id), move)
			if err != nil {
				return err
			}
			others += int(held[0])
		}
		return nil
	})
	return others, err
}

// FreeLeases ends all leases but those of moves, so that what a process left when it was
// killed goes on at once. It is for whoever knows that no other process works.
func (s *Store) FreeLeases(ctx context.Context) error {
	return s.Update(ctx, func(unit port.Tx) error {
		t := unit.Roles.(*tx)
		for _, table := range leased {
			b := squirrel.Update(table).Set("holder", squirrel.Expr("''")).Set("until", squirrel.Expr("0")).
				Where("holder <> '' AND until < " + fmt.Sprint(math.MaxInt64))
			if _, err := t.exec(t.store.text(b)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ReleaseLeases gives up the leases of a site that a move holds.
func (s *Store) ReleaseLeases(ctx context.Context, id site.ID, move string) error {
	return s.Update(ctx, func(unit port.Tx) error {
		t := unit.Roles.(*tx)
		for _, table := range leased {
			b := squirrel.Update(table).Set("holder", squirrel.Expr("''")).Set("until", squirrel.Expr("0")).Where("site_id = ? AND holder = ?")
			if _, err := t.exec(t.store.text(b), int64(id), move); err != nil {
				return err
			}
		}
		return nil
	})
}
