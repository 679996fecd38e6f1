package ownrecords_test

import (
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// customers is a port.Customers.
type customers struct{ unit }

const selectCustomers = "SELECT document FROM crm_customer WHERE site_id = $1 "

func (r customers) list(query string, args ...any) ([]customer.Customer, error) {
	return documents[customer.Customer](r.unit, query, args...)
}

// Get implements port.Table.
func (r customers) Get(id site.ID, c customer.ID) (customer.Customer, error) {
	found, err := r.list(selectCustomers+"AND id = $2"+r.held, id, c)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("customer %d: %w", c, fault.NotFound)
	}
	if err != nil {
		return customer.Customer{}, err
	}
	return found[0], nil
}

// GetUnlocked implements port.Table. The row is held, as by Get.
func (r customers) GetUnlocked(id site.ID, c customer.ID) (customer.Customer, error) {
	return r.Get(id, c)
}

// Many implements port.Table.
func (r customers) Many(id site.ID, ids []customer.ID) ([]customer.Customer, error) {
	return r.list(selectCustomers+"AND id IN "+among(ids)+" ORDER BY id", id)
}

// Existing implements port.Table.
func (r customers) Existing(id site.ID, ids []customer.ID) ([]customer.ID, error) {
	const query = "SELECT id FROM crm_customer WHERE site_id = $1 AND id IN "
	return column[customer.ID](r.unit, query+among(ids)+" ORDER BY id", id)
}

// Scan implements port.Table.
func (r customers) Scan(id site.ID, after customer.ID, n int) ([]customer.Customer, error) {
	found, err := r.list(selectCustomers+"AND id > $2 ORDER BY id LIMIT $3", id, after, max(n, 0))
	for i := range found {
		found[i].Profile = customer.Profile{}
	}
	return found, err
}

// Find implements port.Customers. It asks the specification about each customer of the
// agencies, which is good for some thousands: with more, give columns to what your
// searches are about, and let the database do the same.
func (r customers) Find(q port.CustomerQuery) ([]customer.Customer, error) {
	found, err := r.list(selectCustomers+"AND id > $2 AND agency_id IN "+among(q.Filter.Agencies), q.Site, q.After)
	found = slices.DeleteFunc(found, func(c customer.Customer) bool { return !q.Filter.Matches(c) })
	slices.SortFunc(found, q.Order.Compare)
	found = found[min(max(q.Skip, 0), len(found)):]
	return found[:min(max(q.Limit, 0), len(found))], err
}

// Mentioning implements port.Customers. It is asked when somebody is anonymised, which
// is seldom, so it may look at every customer of the site.
func (r customers) Mentioning(id site.ID, mentioned customer.ID) ([]customer.Customer, error) {
	found, err := r.list(selectCustomers+"ORDER BY id", id)
	return slices.DeleteFunc(found, func(c customer.Customer) bool { return !c.Mentions(mentioned) }), err
}

// Put implements port.Table.
func (r customers) Put(c customer.Customer) error {
	text, err := document(c)
	if err != nil {
		return fmt.Errorf("customer %d: %w", c.ID, err)
	}
	const upsert = `INSERT INTO crm_customer (site_id, id, agency_id, document) VALUES ($1, $2, $3, $4)
		ON CONFLICT (site_id, id) DO UPDATE SET agency_id = excluded.agency_id, document = excluded.document`
	_, err = r.statements.Exec(upsert, c.Site, c.ID, c.Agency, text)
	return err
}

// Delete implements port.Table.
func (r customers) Delete(id site.ID, c customer.ID) error {
	n, err := r.statements.Exec("DELETE FROM crm_customer WHERE site_id = $1 AND id = $2", id, c)
	if err == nil && n == 0 {
		return fmt.Errorf("customer %d: %w", c, fault.NotFound)
	}
	return err
}
