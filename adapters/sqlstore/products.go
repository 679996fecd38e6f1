package sqlstore

import (
	"database/sql/driver"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// narrowProducts are products as a scan reads them.
var narrowProducts = mapping[product.Product]{
	table: "product",
	keys:  []string{"site_id", "id"},
	row: func(p *product.Product) row {
		return row{
			{"site_id", whole(&p.Site)}, {"id", whole(&p.ID)}, {"agency_id", whole(&p.Agency)}, {"user_id", whole(&p.User)},
			{"customer_id", whole(&p.Customer)}, {"parent_id", whole(&p.Parent)}, {"reference", text(&p.Reference)},
			{"web_status", &p.WebStatus}, {"intercabinet", &p.Intercabinet}, {"seller_statistics", &p.SellerStatistics},
			{"next_contact", text(&p.NextContact)}, {"color", whole(&p.Color)}, {"created_by", whole(&p.CreatedBy)},
			{"added_at", instant(&p.Added)}, {"modified_at", instant(&p.Modified)}, {"deleted_at", instant(&p.Deleted)},
			{"version", whole(&p.Version)}, {"criteria", valuesColumn{&p.Criteria}}, {"geocoded", given(&p.Geocoded)},
		}
	},
}

// products are products, whole.
var products = mapping[product.Product]{
	table: narrowProducts.table,
	keys:  narrowProducts.keys,
	row: func(p *product.Product) row {
		return append(narrowProducts.row(p),
			column{"rooms", document(&p.Rooms)}, column{"descriptions", document(&p.Descriptions)}, column{"pictures", document(&p.Pictures)},
			column{"energy_derived", &p.Derived.Energy}, column{"climate_derived", &p.Derived.Climate},
			column{"energy_regime", text(&p.Derived.Regime)})
	},
	extra: func(p *product.Product) row {
		// What uniqueness is judged by is folded here, so that no engine's idea
		// of case and accents matters.
		key := product.FoldReference(p.Reference)
		return row{{"reference_key", text(&key)}}
	},
}

const livingProduct = "site_id = ? AND id = ? AND deleted_at IS NULL"

// ownedProduct is the condition of the index of what customers own, in its words.
const ownedProduct = "customer_id <> 0 AND deleted_at IS NULL"

// lotProduct is that of the index of lots.
const lotProduct = "parent_id <> 0 AND deleted_at IS NULL"

// valuesColumn is a column of criteria in the form criteriatext.go describes.
type valuesColumn struct{ p *criteria.Values }

func (c valuesColumn) Value() (driver.Value, error) {
	b, err := CriteriaText(*c.p)
	return string(b), err
}

func (c valuesColumn) Scan(src any) (err error) {
	switch src := src.(type) {
	case string:
		*c.p, err = ParseCriteria(src)
	case []byte:
		*c.p, err = ParseCriteria(string(src))
	default:
		err = fmt.Errorf("a %T holds no criteria", src)
	}
	return err
}

type productRole struct{ tx *tx }

func (r productRole) Get(id site.ID, p product.ID) (product.Product, error) {
	statement := r.tx.store.hot.productGet
	if r.tx.writes {
		statement = r.tx.store.hot.productHeld
	}
	return one(r.tx, products, statement, int64(id), int64(p))
}

// GetUnlocked implements port.Products.
func (r productRole) GetUnlocked(id site.ID, p product.ID) (product.Product, error) {
	if r.tx.readsOutsideTx() {
		return getUnlocked(r.tx, products, r.tx.store.hot.productUnlocked, id, int64(p))
	}
	return r.Get(id, p)
}

func (r productRole) Many(id site.ID, ids []product.ID) ([]product.Product, error) {
	return list(r.tx, products, r.tx.store.hot.productMany, int64(id), r.tx.store.dialect.Numbers(plain(ids)))
}

func (r productRole) Existing(id site.ID, ids []product.ID) ([]product.ID, error) {
	return existing(r.tx, r.tx.store.hot.productExisting, id, ids)
}

func (r productRole) Scan(id site.ID, after product.ID, n int) ([]product.Product, error) {
	return list(r.tx, narrowProducts, r.tx.store.hot.productScan, int64(id), int64(after), max(n, 0))
}

func (r productRole) OwnedBy(id site.ID, owner customer.ID) ([]product.Product, error) {
	return list(r.tx, products, r.tx.store.hot.productOwned, int64(id), int64(owner))
}

func (r productRole) Lots(id site.ID, parent product.ID) ([]product.ID, error) {
	return idsOf[product.ID](r.tx, r.tx.store.hot.productLots, int64(id), int64(parent))
}

// titles are products with their descriptions alone.
var titles = mapping[product.Product]{
	table: products.table,
	row: func(p *product.Product) row {
		return row{{"id", whole(&p.ID)}, {"descriptions", document(&p.Descriptions)}}
	},
}

// accented are letters of which a title may have another form: each stands for any character.
var accented = strings.NewReplacer("oe", "%", "ae", "%", "a", "_", "c", "_", "e", "_", "i", "_", "o", "_", "u", "_", "y", "_")

// unwritten are characters that a title may have in another form, or the stored form of it.
var unwritten = regexp.MustCompile(`[^a-z0-9]`)

// Titled looks through the stored form of descriptions, in which the words may occur elsewhere: of what
// is found page by page it keeps what is titled so.
func (r productRole) Titled(id site.ID, words []string, newest, n int) (found []product.ID, err error) {
	last := squirrel.Select("id").From(products.table).Where("site_id = ?").OrderBy("id DESC").Suffix("LIMIT 1 OFFSET ?")
	others, err := list(r.tx, numberColumn, r.tx.store.text(last), int64(id), max(newest, 0))
	if err != nil {
		return nil, err
	}
	b := titles.find("site_id = ? AND deleted_at IS NULL AND id > ? AND id < ?")
	var patterns []any
	for _, word := range words {
		b = b.Where(r.tx.store.dialect.Like("descriptions"))
		patterns = append(patterns, titlePattern(word))
	}
	statement, page := r.tx.store.text(b.OrderBy("id DESC").Suffix("LIMIT ?")), max(n, 0)*10
	after, before := slices.Max(append(others, 0)), int64(math.MaxInt64)
	for {
		looked, err := list(r.tx, titles, statement, slices.Concat([]any{int64(id), after, before}, patterns, []any{page})...)
		for _, p := range looked {
			if before = int64(p.ID); len(found) < n && p.Titled(words) {
				found = append(found, p.ID)
			}
		}
		if err != nil || len(found) >= n || len(looked) < page {
			return found, err
		}
	}
}

// titlePattern is a pattern of the stored form of descriptions that have a word in a title. A word of
// nothing but letters that may be accented stands for itself.
func titlePattern(word string) string {
	plain := unwritten.ReplaceAllString(word, "%")
	if pattern := accented.Replace(plain); strings.Trim(pattern, "%_") != "" {
		plain = pattern
	}
	return `%"title":"%` + plain + `%","text":"%`
}

func (r productRole) Holder(id site.ID, agency site.AgencyID, reference string) (product.ID, error) {
	b := squirrel.Select("id").From(products.table).Where("site_id = ? AND agency_id = ? AND reference_key = ?")
	found, err := list(r.tx, numberColumn, r.tx.store.text(b), int64(id), int64(agency), product.FoldReference(reference))
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("reference %s: %w", reference, fault.NotFound)
	}
	if err != nil {
		return 0, err
	}
	return product.ID(found[0]), nil
}

// Add leaves the conflict to the engine's one statement: an error would end the
// transaction.
func (r productRole) Add(p product.Product) error {
	if ok, err := planRecords(r.tx, r.tx.store.hot.productAdding, products, p); ok {
		return err
	}
	n, err := write(r.tx, products, r.tx.store.hot.productAdd, p)
	switch {
	case err == nil && n == 0:
		return port.ErrReferenceTaken
	case err != nil && r.tx.store.givesTaken(err):
		r.tx.again = true
	}
	return err
}

func (r productRole) Replace(p product.Product) error {
	if r.tx.plan != nil && r.tx.plan.HasSeen(plan.Record{Table: products.table, Site: int64(p.Site), ID: int64(p.ID)}) {
		if ok, err := planRecords(r.tx, r.tx.store.hot.productChanging, products, p); ok {
			return err
		}
	}
	n, err := rewrite(r.tx, products, r.tx.store.hot.productChange, p)
	switch {
	case err == nil && n == 0:
		return fmt.Errorf("product %d: %w", p.ID, fault.NotFound)
	case err != nil && r.tx.store.dialect.trouble(err) == Duplicate:
		// The statement leaves the primary key alone, so it is the reference.
		r.tx.broken = port.ErrReferenceTaken
		return r.tx.broken
	}
	return err
}

// deletedProduct is the condition of the index of what can be restored, in its
// words.
const deletedProduct = "deleted_at IS NOT NULL AND NOT purged"

func (r productRole) Deleted(id site.ID, p product.ID) (product.Product, error) {
	b := products.find("site_id = ? AND id = ? AND " + deletedProduct)
	if r.tx.writes {
		b = b.Suffix(r.tx.store.dialect.Held)
	}
	return one(r.tx, products, r.tx.store.text(b), int64(id), int64(p))
}

func (r productRole) Kept(id site.ID, ids []product.ID) ([]product.Product, error) {
	b := products.find("site_id = ? AND NOT purged AND id " + r.tx.store.dialect.Among).OrderBy("id")
	return list(r.tx, products, r.tx.store.text(b), int64(id), r.tx.store.dialect.Numbers(plain(ids)))
}

func (r productRole) Restore(p product.Product) error {
	n, err := rewrite(r.tx, products, r.tx.store.text(products.replace(deletedProduct)), p)
	if err == nil && n == 0 {
		return fmt.Errorf("product %d: %w", p.ID, fault.NotFound)
	}
	return err
}

// productKeys are the keys of products.
var productKeys = mapping[product.Product]{
	table: products.table,
	row:   func(p *product.Product) row { return row{{"site_id", whole(&p.Site)}, {"id", whole(&p.ID)}} },
}

func (r productRole) Purge(before time.Time, n int) (int, error) {
	if err := r.tx.writing(); err != nil {
		return 0, err
	}
	b := squirrel.Update(products.table).Set("purged", squirrel.Expr("TRUE"))
	empty := emptyProduct()
	for _, name := range empty.names() {
		b = b.Set(name, squirrel.Expr("?"))
	}
	args, err := empty.values()
	if err != nil {
		return 0, r.tx.fail(err)
	}
	due := "(site_id, id) IN (SELECT site_id, id FROM product WHERE deleted_at < ? AND " + deletedProduct +
		" ORDER BY deleted_at, site_id, id LIMIT ?) AND " + deletedProduct
	statement := r.tx.store.text(b.Where(due).Suffix("RETURNING site_id, id"))
	gone, err := list(r.tx, productKeys, statement, append(args, micros(before), max(n, 0))...)
	if err != nil {
		return 0, err
	}
	ids := map[site.ID][]product.ID{}
	for _, p := range gone {
		ids[p.Site] = append(ids[p.Site], p.ID)
	}
	for of, ids := range ids {
		slices.Sort(ids)
		if err := r.tx.Actions().ForgetAbout(of, customer.AimedAtProduct, plain(ids)); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}

// emptyProduct are the columns of a product of which nothing is left, but for
// those that stay.
func emptyProduct() row {
	var none product.Product
	return slices.DeleteFunc(products.row(&none), func(c column) bool {
		return slices.Contains([]string{"site_id", "id", "agency_id", "reference", "deleted_at"}, c.name)
	})
}
