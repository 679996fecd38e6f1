package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) Customers() port.Customers {
	return customers{table[customer.ID, customer.Customer]{
		t.unit, &t.state.customers, "customer", func(c customer.Customer) (site.ID, customer.ID) { return c.Site, c.ID }, cloneCustomer,
	}}
}

type customers struct {
	table[customer.ID, customer.Customer]
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
