package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// ErrThere is that a site cannot be copied to where it is already.
var ErrThere = errors.New("the site is there already")

// CopySite copies all rows of a site, as they are at one moment, from one database to
// another one with the same schema, as one unit of work. There the site then stands as
// it is told. What an earlier move left there of the site is replaced. Rows are
// told, from time to time, how many are copied; the count may begin anew.
//
// Ids stay what they are but for those of token families, which nobody sees and which are
// of one database. ReserveIDs has to follow.
func CopySite(ctx context.Context, from, to *Store, as site.Move, rows func(copied int)) error {
	return to.updateInTx(ctx, func(into port.Tx) error {
		c := siteCopy{to: into.Roles.(*tx), as: as, rows: rows, families: map[int64]int64{}}
		return from.View(ctx, func(unit port.Tx) error {
			c.from = unit.Roles.(*tx)
			return c.all()
		})
	})
}

// siteCopy is a copy of a site under way.
type siteCopy struct {
	from, to *tx
	as       site.Move
	rows     func(int)
	copied   int
	// families are the ids of token families there, by those here.
	families map[int64]int64
}

func (c *siteCopy) all() error {
	switch before, err := c.to.Sites().Move(c.as.Site); {
	case errors.Is(err, fault.NotFound):
	case err != nil:
		return err
	case before.State < site.Arriving:
		return ErrThere
	default:
		if err := c.removeAll(); err != nil {
			return err
		}
	}
	if err := c.credentials(); err != nil {
		return err
	}
	names, err := c.from.siteTables()
	if err != nil {
		return err
	}
	// Of two who copy the same site the second one fails at its first row.
	names = append([]string{heads.table, families.table}, slices.DeleteFunc(names, func(name string) bool {
		return name == heads.table || name == families.table
	})...)
	for _, name := range names {
		if err := c.table(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return c.to.Sites().PutMove(c.as)
}

func (c *siteCopy) removeAll() error {
	const atOnce = 10_000
	for {
		if n, err := c.to.removeSite(c.as.Site, atOnce); err != nil || n < atOnce {
			return err
		}
	}
}

// copiedAtOnce is how many rows are held in memory.
const copiedAtOnce = 500

func (c *siteCopy) table(name string) error {
	var columns []string
	var some [][]any
	flush := func() error {
		if len(some) == 0 {
			return nil
		}
		if name == families.table {
			if err := c.drawFamilies(columns, some); err != nil {
				return err
			}
		}
		for _, row := range some {
			if err := c.adapt(name, columns, row); err != nil {
				return err
			}
		}
		if err := c.to.loadRows(name, columns, some); err != nil {
			return err
		}
		c.copied += len(some)
		c.rows(c.copied)
		some = some[:0]
		return nil
	}
	rows := squirrel.Select("*").From(name).Where(siteColumn(name) + " = ?")
	if name == families.table {
		rows = rows.OrderBy("id") // so that the order of their new ids is that of the old ones
	}
	err := c.from.eachRow(c.from.store.text(rows), []any{int64(c.as.Site)}, func(named []string, values []any) error {
		columns = named
		some = append(some, slices.Clone(values))
		if len(some) < copiedAtOnce {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// drawFamilies gives token families ids of where they come to.
func (c *siteCopy) drawFamilies(columns []string, rows [][]any) error {
	ids, err := c.to.NextIDs(port.FamilyIDs, len(rows))
	if err != nil {
		return err
	}
	at := slices.Index(columns, "id")
	for i, row := range rows {
		c.families[row[at].(int64)] = ids[i]
	}
	return nil
}

// adapt changes in a row what is of one database, or of the processes over it.
func (c *siteCopy) adapt(table string, columns []string, row []any) error {
	for i, column := range columns {
		switch {
		case table == families.table && column == "id", table == tokens.table && column == "family_id":
			id, known := c.families[row[i].(int64)]
			if !known {
				return fmt.Errorf("a token is of the family %v, which is not of its site", row[i])
			}
			row[i] = id
		case slices.Contains(leased, table) && column == "holder":
			row[i] = ""
		case slices.Contains(leased, table) && column == "until":
			row[i] = int64(0)
		}
	}
	return nil
}

// credentials lets the clients that reach the site reach it there, too. A client of a site
// that is worked with there stays as it is there. Any other one came with an earlier move:
// here is what became of it since.
func (c *siteCopy) credentials() error {
	all, err := c.from.Credentials().All()
	if err != nil {
		return err
	}
	inUse, err := c.to.sitesInUse()
	if err != nil {
		return err
	}
	for _, here := range all {
		if !here.Reaches(c.as.Site) {
			continue
		}
		there, err := c.to.Credentials().Held(here.ID)
		switch {
		case errors.Is(err, fault.NotFound):
			there = here
			there.Sites = nil
		case err != nil:
			return err
		case !slices.ContainsFunc(inUse, there.Reaches):
			sites := there.Sites
			there = here
			there.Sites = sites
		case there.Secret != here.Secret || there.Revoked() != here.Revoked() || !sameGrant(there, here):
			return fmt.Errorf("the client %s is in the database that the site goes to already, with another secret or other rights: make them the same with vitrine provision, or rotate there", here.ID)
		}
		if !there.Reaches(c.as.Site) {
			there.Sites = append(there.Sites, c.as.Site)
			slices.Sort(there.Sites)
		}
		if err := c.to.Credentials().Put(there); err != nil {
			return err
		}
	}
	return c.uses()
}

// sameGrant reports whether two credentials let a client do the same.
func sameGrant(a, b access.Credential) bool {
	return a.Packs == b.Packs && a.Disabled == b.Disabled && sameElements(a.Permissions, b.Permissions) && sameElements(a.Rights, b.Rights)
}

func sameElements[T cmp.Ordered](a, b []T) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// sitesInUse are the sites that somebody works with in a database.
func (t *tx) sitesInUse() ([]site.ID, error) {
	found, err := list(t, numberColumn, t.store.text(squirrel.Select("site_id").From(heads.table).Where("state < ?")), int64(site.Arriving))
	ids := make([]site.ID, len(found))
	for i, id := range found {
		ids[i] = site.ID(id)
	}
	return ids, err
}

// uses keeps when clients of the site, and its keys, were last used.
func (c *siteCopy) uses() error {
	all, err := c.from.Credentials().LastUses()
	if err != nil {
		return err
	}
	keys, err := port.Tx{Roles: c.from}.Keys().Of(c.as.Site)
	if err != nil {
		return err
	}
	for _, u := range all {
		ours := slices.ContainsFunc(keys, func(k access.Key) bool { return k.ID == u.Key })
		if _, err := c.to.Credentials().Get(u.Credential); err != nil || u.Key != 0 && !ours {
			if err != nil && !errors.Is(err, fault.NotFound) {
				return err
			}
			continue
		}
		if err := c.to.Credentials().Used(u); err != nil {
			return err
		}
	}
	return nil
}

// ReserveIDs makes sure that no id that was drawn in one database is drawn in another
// one, to which sites of it are copied. Ids of token families are drawn anew for each copy.
func ReserveIDs(ctx context.Context, from, to *Store) error {
	var last [port.Sequences]int64
	err := from.View(ctx, func(unit port.Tx) (err error) {
		for s := range last {
			if last[s], err = unit.LastID(port.Sequence(s)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return to.updateInTx(ctx, func(unit port.Tx) error {
		for s, id := range last {
			if port.Sequence(s) == port.FamilyIDs {
				continue
			}
			if err := unit.ReserveID(port.Sequence(s), id); err != nil {
				return err
			}
		}
		return nil
	})
}

// keptAtOnce is how many products KeptProducts holds in memory.
const keptAtOnce = 100

// KeptProducts goes through the products of a site by id: the living ones, and those that were
// deleted and not purged. It reads them some at a time, each time as they are then, and ends
// with the first error.
func (s *Store) KeptProducts(ctx context.Context, of site.ID) iter.Seq2[product.Product, error] {
	kept := s.text(products.find("site_id = ? AND id > ? AND NOT purged").OrderBy("id").Suffix("LIMIT ?"))
	return func(yield func(product.Product, error) bool) {
		for last := product.ID(0); ; {
			var page []product.Product
			err := s.View(ctx, func(unit port.Tx) (err error) {
				page, err = list(unit.Roles.(*tx), products, kept, int64(of), int64(last), keptAtOnce)
				return err
			})
			if err != nil {
				yield(product.Product{}, err)
				return
			}
			for _, p := range page {
				if !yield(p, nil) {
					return
				}
				last = p.ID
			}
			if len(page) < keptAtOnce {
				return
			}
		}
	}
}

// RemoveArriving removes what was copied of a site by a move that is given up.
func (s *Store) RemoveArriving(ctx context.Context, id site.ID, move string) error {
	return s.updateInTx(ctx, func(unit port.Tx) error {
		t := unit.Roles.(*tx)
		m, err := t.Sites().Move(id)
		if errors.Is(err, fault.NotFound) {
			return nil
		}
		if err == nil && (m.State != site.Arriving || m.ID != move) {
			err = fmt.Errorf("the site is %s there, by another move", m.State)
		}
		if err != nil {
			return err
		}
		c := siteCopy{to: t, as: m}
		return c.removeAll()
	})
}

// console are the tables of who looks after an installation, which are worth something only
// together, and as they are now.
var console = []string{"operator", "operator_email", "operator_session", "operator_invitation", "passkey", "passkey_challenge", "operator_identity"}

// alerts are the tables of what one installation tells its operators, and whom.
var alerts = []string{"alert_board", "alert_channel", "alert_notice"}

// CopyInstallation copies what is about no single site: clients, operators, the audit. It may
// be done again. As long as nobody works with a site there, operators come to be there as they
// are here; later, what is there stays as it is. A database with operators of its own is
// refused: they and those that come have the same ids.
func CopyInstallation(ctx context.Context, from, to *Store) error {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(ofInstallation)), func(name string) bool { return name == facts.table || slices.Contains(alerts, name) })
	return to.updateInTx(ctx, func(into port.Tx) error {
		there := into.Roles.(*tx)
		return from.View(ctx, func(unit port.Tx) error {
			if err := sameOperators(unit, into); err != nil {
				return err
			}
			inUse, err := there.sitesInUse()
			if err != nil {
				return err
			}
			for _, name := range names {
				if len(inUse) == 0 && slices.Contains(console, name) {
					_, err = there.exec("DELETE FROM " + name)
				}
				if err == nil {
					err = unit.Roles.(*tx).copyMissing(name, there)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			return nil
		})
	})
}

func sameOperators(from, to port.Tx) error {
	here, err := from.Operators().All()
	there, failed := to.Operators().All()
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	for _, known := range there {
		if !slices.ContainsFunc(here, func(o operator.Operator) bool { return o.ID == known.ID && o.Email == known.Email }) {
			return fmt.Errorf("the database that everything goes to has operators of its own, such as %s: move site by site", known.Email)
		}
	}
	return nil
}

func (t *tx) copyMissing(table string, to *tx) error {
	return t.eachRow("SELECT * FROM "+table, nil, func(columns []string, values []any) error {
		text, args, err := squirrel.Insert(table).Columns(columns...).Values(values...).Suffix("ON CONFLICT DO NOTHING").
			PlaceholderFormat(to.store.dialect.Placeholder).ToSql()
		if err == nil {
			_, err = to.exec(text, args...)
		}
		return err
	})
}
