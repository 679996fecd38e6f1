package sqlstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// narrowCustomers are customers as a scan reads them.
var narrowCustomers = mapping[customer.Customer]{
	table: "customer",
	keys:  []string{"site_id", "id"},
	row: func(c *customer.Customer) row {
		return row{
			{"site_id", whole(&c.Site)}, {"id", whole(&c.ID)}, {"agency_id", whole(&c.Agency)}, {"user_id", whole(&c.User)},
			{"type", text(&c.Type)}, {"civility", text(&c.Civility)}, {"firstname", text(&c.Firstname)},
			{"lastname", text(&c.Lastname)}, {"company", text(&c.Company)}, {"color", whole(&c.Color)}, {"archived", &c.Archived},
			{"added_at", instant(&c.Added)}, {"modified_at", instant(&c.Modified)}, {"version", whole(&c.Version)},
			{"anonymized_at", instant(&c.Anonymized)},
		}
	},
}

// customers are customers, whole. What a search looks at is folded here, so
// that engines compare bytes.
var customers = mapping[customer.Customer]{
	table: narrowCustomers.table,
	keys:  narrowCustomers.keys,
	row: func(c *customer.Customer) row {
		return append(narrowCustomers.row(c), column{"profile", document(&c.Profile)})
	},
	extra: func(c *customer.Customer) row {
		haystack, name := customer.Haystack(*c), customer.SortName(*c)
		return row{{"haystack", text(&haystack)}, {"sort_name", text(&name)}}
	},
}

// contactKey is one of the keys a customer is looked up by.
type contactKey struct {
	site     site.ID
	key      string
	customer customer.ID
}

var contactKeys = mapping[contactKey]{
	table: "customer_contact",
	keys:  []string{"site_id", "contact_key", "customer_id"},
	row: func(k *contactKey) row {
		return row{{"site_id", whole(&k.site)}, {"contact_key", text(&k.key)}, {"customer_id", whole(&k.customer)}}
	},
}

// contactsPutting is the part that leaves the keys that customers are looked up by, of which it
// reads all of each customer.
var contactsPutting = plan.Part{Name: "put_customer_contact", Text: "contacts AS (SELECT added.* FROM json_to_recordset(?::json) AS " +
	"added (site_id bigint, customer_id bigint, keys jsonb) JOIN met USING (site_id)), " +
	"dropped_customer_contact AS (DELETE FROM customer_contact USING contacts AS k " +
	"WHERE customer_contact.site_id = k.site_id AND customer_contact.customer_id = k.customer_id AND NOT jsonb_exists(k.keys, contact_key)), " +
	"put_customer_contact AS (INSERT INTO customer_contact (site_id, customer_id, contact_key) " +
	"SELECT k.site_id, k.customer_id, kept FROM contacts AS k, jsonb_array_elements_text(k.keys) AS kept ON CONFLICT DO NOTHING)"}

func (t *tx) Customers() port.Customers {
	return customerRole{keyedOf(t, customers)}
}

type customerRole struct{ keyed[customer.Customer] }

func (r customerRole) Get(id site.ID, c customer.ID) (customer.Customer, error) {
	return r.get(id, int64(c))
}

func (r customerRole) GetUnlocked(id site.ID, c customer.ID) (customer.Customer, error) {
	return r.getUnlocked(id, int64(c))
}

func (r customerRole) Many(id site.ID, ids []customer.ID) ([]customer.Customer, error) {
	return list(r.tx, customers, r.tx.store.hot.customerMany, int64(id), r.tx.store.dialect.Numbers(plain(ids)))
}

func (r customerRole) Existing(id site.ID, ids []customer.ID) ([]customer.ID, error) {
	return existing(r.tx, r.tx.store.hot.customerExisting, id, ids)
}

func (r customerRole) Scan(id site.ID, after customer.ID, n int) ([]customer.Customer, error) {
	return list(r.tx, narrowCustomers, r.tx.store.hot.customerScan, int64(id), int64(after), max(n, 0))
}

func (r customerRole) Find(q port.CustomerQuery) (found []customer.Customer, err error) {
	s := searchOf(customers, "site_id = ? AND anonymized_at IS NULL", int64(q.Site))
	f := q.Filter
	s.narrow(true, "agency_id "+r.tx.store.dialect.Among, r.tx.store.dialect.Numbers(plain(f.Agencies)))
	s.narrow(q.After != 0, "id > ?", int64(q.After))
	s.narrow(f.Type != "", "type = ?", f.Type)
	s.narrow(len(f.Users) > 0, "user_id "+r.tx.store.dialect.Among, r.tx.store.dialect.Numbers(plain(f.Users)))
	s.narrow(!f.ModifiedSince.IsZero(), "modified_at >= ?", micros(f.ModifiedSince))
	if f.Archived != nil {
		s.narrow(true, "archived = ?", *f.Archived)
	}
	s.narrow(f.Keyword != "", `haystack LIKE ? ESCAPE '\'`, "%"+likeEscape.Replace(f.Keyword)+"%")
	s.narrow(f.Email != "" || f.Phone != "" || f.Digits != "",
		"id IN (SELECT customer_id FROM customer_contact WHERE site_id = ? AND contact_key IN (?, ?, ?))",
		int64(q.Site), f.Email, f.Phone, f.Digits) // no key is empty
	columns := []string{"id"}
	switch q.Order.Key {
	case customer.ByModified:
		columns = []string{"modified_at", "id"}
	case customer.ByAdded:
		columns = []string{"added_at", "id"}
	case customer.ByName:
		columns = []string{r.tx.store.dialect.Bytewise("sort_name"), "id"}
	case customer.ByID:
	}
	s.order(q.Order.Desc, columns...)
	find := func(t *tx) error {
		found, err = s.page(t, q.Limit, q.Skip)
		return err
	}
	// Nothing that the unit writes is based on what is found.
	if r.tx.readsOutsideTx() && len(r.tx.plan.Seen()) == 0 {
		err = r.tx.outsideTx(find)
	} else {
		err = find(r.tx)
	}
	return found, err
}

// likeEscape keeps a phrase from being a pattern.
var likeEscape = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// Mentioning looks through the profiles of a whole site, which happens seldom.
// The text it looks for is that of the stored form, and may occur elsewhere.
func (r customerRole) Mentioning(id site.ID, mentioned customer.ID) ([]customer.Customer, error) {
	statement := r.tx.store.text(customers.find("site_id = ? AND profile LIKE ?").OrderBy("id"))
	found, err := list(r.tx, customers, statement, int64(id), fmt.Sprintf(`%%"Customer":%d,%%`, mentioned))
	return slices.DeleteFunc(found, func(c customer.Customer) bool { return !c.Mentions(mentioned) }), err
}

func (r customerRole) Put(c customer.Customer) error {
	if err := r.keyed.Put(c); err != nil {
		return err
	}
	if p, ok := r.tx.planOf(c.Site); ok {
		keys := map[string]any{"site_id": int64(c.Site), "customer_id": int64(c.ID), "keys": append([]string{}, customer.LookupKeys(c)...)}
		p.Write(contactsPutting, plan.Record{Table: contactKeys.table, Site: int64(c.Site), ID: int64(c.ID)}, keys)
		return nil
	}
	if err := r.forget(c.Site, c.ID); err != nil {
		return err
	}
	var keys []contactKey
	for _, key := range customer.LookupKeys(c) {
		keys = append(keys, contactKey{c.Site, key, c.ID})
	}
	if len(keys) == 0 {
		return nil
	}
	return insertAll(r.tx, contactKeys, insertsOf(r.tx.store.dialect, r.tx.store.text, contactKeys, ""), keys)
}

// forget removes the keys a customer was looked up by.
func (r customerRole) forget(id site.ID, c customer.ID) error {
	_, err := r.tx.exec(r.tx.store.text(squirrel.Delete(contactKeys.table).Where("site_id = ? AND customer_id = ?")), int64(id), int64(c))
	return err
}

func (r customerRole) Delete(id site.ID, c customer.ID) error {
	if err := r.drop(id, int64(c)); err != nil {
		return err
	}
	return r.forget(id, c)
}

// plain are ids as the engine takes them; never nil, which it would take for
// NULL.
func plain[ID ~int64](ids []ID) []int64 {
	out := make([]int64, len(ids))
	for i, id := range ids {
		out[i] = int64(id)
	}
	return out
}
