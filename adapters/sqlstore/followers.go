package sqlstore

import (
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/port"
)

// followings are leases to follow a site as Follow answers.
var followings = mapping[port.Following]{
	table: "follower",
	keys:  []string{"site_id", "name"},
	row: func(f *port.Following) row {
		return row{
			{"site_id", whole(&f.Site)}, {"name", text(&f.Name)}, {"holder", text(&f.Holder)}, {"seq", whole(&f.Seq)},
			{"scanning", &f.Scanning}, {"scanned_id", whole(&f.Scanned)},
		}
	},
}

// beginFollowing makes a follower begin at the sites it does not know yet.
func beginFollowing() squirrel.Sqlizer {
	unknown := squirrel.Select("site_id", "?", "''", "0", "TRUE", "0", "0", "0").From("site_head").
		Where("NOT EXISTS (SELECT 1 FROM follower WHERE follower.site_id = site_head.site_id AND follower.name = ?)")
	return squirrel.Insert("follower").
		Columns("site_id", "name", "holder", "seq", "scanning", "scanned_id", "until", "served_at").
		Select(unknown).Suffix("ON CONFLICT (site_id, name) DO NOTHING")
}

func takeFollowing(held string) squirrel.Sqlizer {
	next := squirrel.Select("site_id", "name").From("follower").Where("name = ? AND until <= ?").
		Where("EXISTS (SELECT 1 FROM site_head WHERE site_head.site_id = follower.site_id AND (scanning OR follower.seq < site_head.seq) AND "+isOpen+")").
		OrderBy("served_at", "site_id").Suffix("LIMIT 1")
	if held != "" {
		next = next.Suffix(held + " SKIP LOCKED")
	}
	return squirrel.Update("follower").PrefixExpr(next.Prefix("WITH next AS (").Suffix(")")).
		Set("holder", squirrel.Expr("?")).Set("until", squirrel.Expr("?")).Set("served_at", squirrel.Expr("?")).
		From("next").Where("follower.site_id = next.site_id AND follower.name = next.name").
		Suffix("RETURNING follower.site_id, follower.name, holder, seq, scanning, scanned_id")
}

func (r ledgerRole) Follow(name, holder string, now, until time.Time) (port.Following, bool, error) {
	if _, err := r.tx.exec(r.tx.store.text(beginFollowing()), name, name); err != nil {
		return port.Following{}, false, err
	}
	taken, err := list(r.tx, followings, r.tx.store.text(takeFollowing(r.tx.store.dialect.Held)),
		name, stamp(now), holder, stamp(until), stamp(now))
	if err != nil || len(taken) == 0 {
		return port.Following{}, false, err
	}
	return taken[0], true, nil
}

func (r ledgerRole) StopFollowing(f port.Following) error {
	if f.Holder == "" {
		return r.tx.writing()
	}
	_, err := r.tx.exec(r.tx.store.text(squirrel.Update("follower").Set("holder", squirrel.Expr("''")).Set("until", squirrel.Expr("0")).
		Set("seq", squirrel.Expr("?")).Set("scanning", squirrel.Expr("?")).Set("scanned_id", squirrel.Expr("?")).
		Where("site_id = ? AND name = ? AND holder = ?")), f.Seq, f.Scanning, int64(f.Scanned), int64(f.Site), f.Name, f.Holder)
	return err
}

// distance is how much a follower has yet to do.
type distance struct {
	events int64
	sites  int
}

var distances = mapping[distance]{
	table: "site_head",
	row: func(d *distance) row {
		return row{
			// The sum of whole numbers is no BIGINT everywhere.
			{"CAST(coalesce(sum(CASE WHEN NOT scanning THEN site_head.seq - follower.seq END), 0) AS BIGINT)", whole(&d.events)},
			{"CAST(coalesce(sum(CASE WHEN NOT scanning THEN 0 ELSE 1 END), 0) AS BIGINT)", whole(&d.sites)},
		}
	},
}

func (r ledgerRole) Behind(name string) (events int64, sites int, err error) {
	query := squirrel.Select(distances.row(&distance{}).names()...).From(distances.table).
		LeftJoin("follower ON follower.site_id = site_head.site_id AND follower.name = ?").Where(isOpen)
	d, err := one(r.tx, distances, r.tx.store.text(query), name)
	return d.events, d.sites, err
}
