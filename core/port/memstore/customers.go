package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) Customers() port.Customers { return customers(t) }

type customers struct{ *unit }

func customerKey(of site.ID, id customer.ID) string { return key(int64(of), int64(id)) }

func (r customers) Get(of site.ID, id customer.ID) (customer.Customer, error) {
	return one(r.unit, r.state.customers, customerKey(of, id), "customer", id, cloneCustomer)
}

// GetUnlocked is Get: units of work that write take turns.
func (r customers) GetUnlocked(of site.ID, id customer.ID) (customer.Customer, error) {
	return r.Get(of, id)
}

func (r customers) Many(of site.ID, ids []customer.ID) ([]customer.Customer, error) {
	return many(r.unit, r.state.customers, of, ids, func(c customer.Customer) (customer.Customer, bool) { return cloneCustomer(c), true })
}

func (r customers) Existing(of site.ID, ids []customer.ID) ([]customer.ID, error) {
	return existing(r.unit, r.state.customers, of, ids, func(c customer.Customer) (customer.ID, bool) { return c.ID, true })
}

func (r customers) Put(c customer.Customer) error {
	return put(r.unit, &r.state.customers, customerKey(c.Site, c.ID), c, cloneCustomer)
}

func (r customers) Delete(of site.ID, id customer.ID) error {
	return drop(r.unit, &r.state.customers, customerKey(of, id), "customer", id)
}

func (r customers) Scan(id site.ID, above customer.ID, n int) ([]customer.Customer, error) {
	return after(r.unit, r.state.customers, int64(id), int64(above), n, func(c customer.Customer) (customer.Customer, bool) {
		c.Profile = customer.Profile{}
		return c, true
	})
}

func (r customers) Find(q port.CustomerQuery) ([]customer.Customer, error) {
	found, err := all(r.unit, r.state.customers, key(int64(q.Site)), cloneCustomer)
	found = slices.DeleteFunc(found, func(c customer.Customer) bool { return c.ID <= q.After || !q.Filter.Matches(c) })
	slices.SortFunc(found, q.Order.Compare)
	from := min(max(q.Skip, 0), len(found))
	return found[from:min(from+max(q.Limit, 0), len(found))], err
}

func (r customers) Mentioning(id site.ID, mentioned customer.ID) ([]customer.Customer, error) {
	found, err := all(r.unit, r.state.customers, key(int64(id)), cloneCustomer)
	return slices.DeleteFunc(found, func(c customer.Customer) bool { return !c.Mentions(mentioned) }), err
}

// cloneCustomer is what deep does, many times faster.
func cloneCustomer(c customer.Customer) customer.Customer {
	c = c.Clone()
	w := &c.Consent
	w.Email, w.SMS, w.Phone, w.Partners = clonePointer(w.Email), clonePointer(w.SMS), clonePointer(w.Phone), clonePointer(w.Partners)
	return c
}
