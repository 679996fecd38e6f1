package siteapi

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

// concernedTx is a unit of work that notices which customer it is about: the last
// one that was held or written, or whose lead was sent again.
type concernedTx struct {
	port.Tx
	customer customer.ID
}

// Customers implements port.Tx.
func (t *concernedTx) Customers() port.Customers { return concernedCustomers{t.Tx.Customers(), t} }

// Leads implements port.Tx.
func (t *concernedTx) Leads() port.Leads { return concernedLeads{t.Tx.Leads(), t} }

type concernedCustomers struct {
	port.Customers
	unit *concernedTx
}

// Get implements port.Customers.
func (r concernedCustomers) Get(of site.ID, id customer.ID) (customer.Customer, error) {
	found, err := r.Customers.Get(of, id)
	if err == nil {
		r.unit.customer = id
	}
	return found, err
}

// Put implements port.Customers.
func (r concernedCustomers) Put(c customer.Customer) error {
	r.unit.customer = c.ID
	return r.Customers.Put(c)
}

type concernedLeads struct {
	port.Leads
	unit *concernedTx
}

// Claim implements port.Leads.
func (r concernedLeads) Claim(of site.ID, key string, id lead.ID, now, since time.Time) (lead.ID, error) {
	holder, err := r.Leads.Claim(of, key, id, now, since)
	if err != nil || holder == id {
		return holder, err
	}
	first, err := r.Get(of, holder)
	r.unit.customer = first.Customer
	return holder, err
}
