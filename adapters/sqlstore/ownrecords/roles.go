package ownrecords

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// products is a port.Products.
type products struct {
	rows[product.ID, product.Product]
}

const (
	// living and deleted are states of a product. Of the purged, document is empty; it is NULL in
	// rows that the CRM has inserted.
	living  = " AND deleted_at IS NULL"
	deleted = " AND deleted_at IS NOT NULL AND document <> ''"
)

func (u unit) products() products {
	return products{rows[product.ID, product.Product]{u, u.tables.Products, "(site_id, agency_id, reference_key)", living, func(p *product.Product) {
		p.Derived, p.Rooms, p.Descriptions, p.Pictures = product.Derived{}, nil, nil, nil
	}}}
}

// productColumns are those that every table of products has.
func productColumns() []Column[product.Product] {
	return []Column[product.Product]{
		{"document", func(p *product.Product) Value { return document[product.Product]{p} }},
		Field("site_id", func(p *product.Product) *site.ID { return &p.Site }),
		Field("id", func(p *product.Product) *product.ID { return &p.ID }),
		Field("agency_id", func(p *product.Product) *site.AgencyID { return &p.Agency }),
		Field("customer_id", func(p *product.Product) *customer.ID { return &p.Customer }),
		Field("parent_id", func(p *product.Product) *product.ID { return &p.Parent }),
		// A reference is folded here, so that no database's idea of case and accents matters.
		{"reference_key", func(p *product.Product) Value { return written{product.FoldReference(p.Reference)} }},
		{"deleted_at", func(p *product.Product) Value {
			if p.Deleted.IsZero() {
				return written{}
			}
			return written{p.Deleted.UnixMicro()}
		}},
	}
}

func (r products) Deleted(id site.ID, p product.ID) (product.Product, error) {
	return first(r.list(ofID+deleted+r.Held(), id, p))
}

func (r products) Kept(id site.ID, ids []product.ID) ([]product.Product, error) {
	return r.list(ofSite+" AND (deleted_at IS NULL OR document <> '') AND id IN "+among(ids)+" ORDER BY id", id)
}

func (r products) OwnedBy(id site.ID, owner customer.ID) ([]product.Product, error) {
	return r.list(ofSite+living+" AND customer_id = $2 AND customer_id <> 0 ORDER BY id", id, owner)
}

func (r products) Titled(id site.ID, words []string, newest, n int) ([]product.ID, error) {
	of := "id IN (SELECT id FROM " + r.Name + " WHERE " + ofSite + " ORDER BY id DESC LIMIT $2)"
	found, err := r.list(ofSite+living+" AND "+of+" ORDER BY id DESC", id, max(newest, 0))
	var titled []product.ID
	for _, p := range found {
		if len(titled) < n && p.Titled(words) {
			titled = append(titled, p.ID)
		}
	}
	return titled, err
}

func (r products) Lots(id site.ID, parent product.ID) ([]product.ID, error) {
	const lots = " WHERE " + ofSite + living + " AND parent_id = $2 AND parent_id <> 0 ORDER BY id"
	return values[product.ID](r.unit, "SELECT id FROM "+r.Name+lots, id, parent)
}

func (r products) Holder(id site.ID, agency site.AgencyID, reference string) (product.ID, error) {
	const holder = " WHERE " + ofSite + " AND agency_id = $2 AND reference_key = $3"
	return first(values[product.ID](r.unit, "SELECT id FROM "+r.Name+holder, id, agency, product.FoldReference(reference)))
}

// Add inserts a product. It is not the database that refuses a reference: after an error of the
// database the unit could not go on.
func (r products) Add(p product.Product) error {
	err := r.insert(p, "NOTHING")
	if errors.Is(err, fault.NotFound) {
		return port.ErrReferenceTaken
	}
	return err
}

// Replace changes a product, but for its ids, so what can be taken is the reference.
func (r products) Replace(p product.Product) error {
	err := r.update(p, living)
	if r.Taken(err) {
		return r.Fail(port.ErrReferenceTaken)
	}
	return err
}

func (r products) Restore(p product.Product) error { return r.update(p, deleted) }

// Purge leaves the keys of products. It holds them, so that none is restored meanwhile.
func (r products) Purge(before time.Time, n int) (int, error) {
	found, err := r.list("deleted_at < $1"+deleted+" ORDER BY deleted_at, site_id, id LIMIT $2"+r.Held(), before.UnixMicro(), max(n, 0))
	if err = cmp.Or(r.Writing(), err); err != nil {
		return 0, err
	}
	for _, p := range found {
		left := product.Product{Site: p.Site, ID: p.ID, Agency: p.Agency, Reference: p.Reference, Deleted: p.Deleted}
		if err := r.update(left, deleted); err != nil {
			return 0, err
		}
		if err := r.one("UPDATE "+r.Name+" SET document = '' WHERE "+ofID, p.Site, p.ID); err != nil {
			return 0, err
		}
		// The actions are kept by sqlstore, which does not know what was purged here.
		if err := r.Actions().ForgetAbout(p.Site, customer.AimedAtProduct, []int64{int64(p.ID)}); err != nil {
			return 0, err
		}
	}
	return len(found), nil
}

// customers is a port.Customers.
type customers struct {
	rows[customer.ID, customer.Customer]
}

func (u unit) customers() customers {
	return customers{rows[customer.ID, customer.Customer]{u, u.tables.Customers, "(site_id, id)", "", func(c *customer.Customer) {
		c.Profile = customer.Profile{}
	}}}
}

// customerColumns are those that every table of customers has.
func customerColumns() []Column[customer.Customer] {
	return []Column[customer.Customer]{
		{"document", func(c *customer.Customer) Value { return document[customer.Customer]{c} }},
		Field("site_id", func(c *customer.Customer) *site.ID { return &c.Site }),
		Field("id", func(c *customer.Customer) *customer.ID { return &c.ID }),
		Field("agency_id", func(c *customer.Customer) *site.AgencyID { return &c.Agency }),
	}
}

// Find asks the specification about each customer of the agencies, which is good for some
// thousands.
func (r customers) Find(q port.CustomerQuery) ([]customer.Customer, error) {
	found, err := r.list(ofSite+" AND id > $2 AND agency_id IN "+among(q.Filter.Agencies), q.Site, q.After)
	found = slices.DeleteFunc(found, func(c customer.Customer) bool { return !q.Filter.Matches(c) })
	slices.SortFunc(found, q.Order.Compare)
	found = found[min(max(q.Skip, 0), len(found)):]
	return found[:min(max(q.Limit, 0), len(found))], err
}

// Mentioning looks at every customer of a site: it is asked only when somebody is anonymised.
func (r customers) Mentioning(id site.ID, mentioned customer.ID) ([]customer.Customer, error) {
	found, err := r.list(ofSite+" ORDER BY id", id)
	return slices.DeleteFunc(found, func(c customer.Customer) bool { return !c.Mentions(mentioned) }), err
}

func (r customers) Put(c customer.Customer) error {
	set := r.join(", ", func(i int) string { return r.Columns[i].Name + " = excluded." + r.Columns[i].Name })
	return r.insert(c, "UPDATE SET "+set)
}

func (r customers) Delete(id site.ID, c customer.ID) error {
	return r.one("DELETE FROM "+r.Name+" WHERE "+ofID, id, c)
}
