package sqlstore

import (
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/site"
)

var customers = mapping[customer.Customer]{
	table: "customer",
	keys:  []string{"site_id", "id"},
	row: func(c *customer.Customer) row {
		return row{
			{"site_id", whole(&c.Site)}, {"id", whole(&c.ID)}, {"agency_id", whole(&c.Agency)}, {"user_id", whole(&c.User)},
			{"type", text(&c.Type)}, {"civility", text(&c.Civility)}, {"firstname", text(&c.Firstname)},
			{"lastname", text(&c.Lastname)}, {"company", text(&c.Company)}, {"email", text(&c.Email)}, {"phone", text(&c.Phone)},
			{"color", whole(&c.Color)}, {"added_at", instant(&c.Added)}, {"modified_at", instant(&c.Modified)},
		}
	},
}

type customerRole struct{ *tx }

func (r customerRole) Get(id site.ID, c customer.ID) (customer.Customer, error) {
	return one(r.tx, customers, r.store.hot.customerGet, int64(id), int64(c))
}

func (r customerRole) Many(id site.ID, ids []customer.ID) ([]customer.Customer, error) {
	return list(r.tx, customers, r.store.hot.customerMany, int64(id), r.store.dialect.Numbers(plain(ids)))
}

func (r customerRole) Scan(id site.ID, after customer.ID, n int) ([]customer.Customer, error) {
	return list(r.tx, customers, r.store.hot.customerScan, int64(id), int64(after), max(n, 0))
}

func (r customerRole) Put(c customer.Customer) error {
	_, err := write(r.tx, customers, r.store.hot.customerPut, c)
	return err
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
