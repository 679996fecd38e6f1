package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

type customers struct{ *tx }

func (r customers) Get(id site.ID, c customer.ID) (customer.Customer, error) {
	return one(r.tx, r.state.customers, key(int64(id), int64(c)), "customer", c, cloneCustomer)
}

func (r customers) Many(id site.ID, ids []customer.ID) ([]customer.Customer, error) {
	return many(r.tx, r.state.customers, id, ids, func(c customer.Customer) (customer.Customer, bool) { return cloneCustomer(c), true })
}

func (r customers) Scan(id site.ID, above customer.ID, n int) ([]customer.Customer, error) {
	return after(r.tx, r.state.customers, int64(id), int64(above), n, func(c customer.Customer) (customer.Customer, bool) {
		c.Profile = customer.Profile{}
		return c, true
	})
}

func (r customers) Find(q port.CustomerQuery) ([]customer.Customer, error) {
	found, err := all(r.tx, r.state.customers, key(int64(q.Site)), cloneCustomer)
	found = slices.DeleteFunc(found, func(c customer.Customer) bool { return c.ID <= q.After || !q.Filter.Matches(c) })
	slices.SortFunc(found, q.Order.Compare)
	from := min(max(q.Skip, 0), len(found))
	return found[from:min(from+max(q.Limit, 0), len(found))], err
}

func (r customers) Mentioning(id site.ID, mentioned customer.ID) ([]customer.Customer, error) {
	found, err := all(r.tx, r.state.customers, key(int64(id)), cloneCustomer)
	return slices.DeleteFunc(found, func(c customer.Customer) bool { return !c.Mentions(mentioned) }), err
}

func (r customers) Put(c customer.Customer) error {
	return put(r.tx, &r.state.customers, key(int64(c.Site), int64(c.ID)), c, cloneCustomer)
}

func (r customers) Delete(id site.ID, c customer.ID) error {
	return drop(r.tx, &r.state.customers, key(int64(id), int64(c)), "customer", c)
}

func cloneCustomer(c customer.Customer) customer.Customer {
	c = c.Clone()
	w := &c.Consent
	w.Email, w.SMS, w.Phone, w.Partners = clonePointer(w.Email), clonePointer(w.SMS), clonePointer(w.Phone), clonePointer(w.Partners)
	return c
}
