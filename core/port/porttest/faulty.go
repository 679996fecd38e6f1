package porttest

import (
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// ErrFault is how a write fails in a Faulty store.
var ErrFault = errors.New("a fault on purpose")

// Faulty is a store in which one write fails, to see what a use case leaves
// behind. It knows the writes of requests that are about products, people,
// leads, offers, agreements, leases and the agenda; it is for one goroutine.
type Faulty struct {
	port.Store
	// FailAt is the write that fails, counted from 1 over all units of work; 0 is
	// none.
	FailAt int
	// Writes counts them.
	Writes int
}

// Update implements port.Store.
func (s *Faulty) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: faultyRoles{tx.Roles, s}}) })
}

// fault is the error of the next write.
func (s *Faulty) fault() error {
	s.Writes++
	if s.Writes == s.FailAt {
		return ErrFault
	}
	return nil
}

// or writes, unless it is the turn of this write to fail.
func (s *Faulty) or(write func() error) error {
	if err := s.fault(); err != nil {
		return err
	}
	return write()
}

// orElse is or for writes that answer something.
func orElse[T any](s *Faulty, write func() (T, error)) (answer T, err error) {
	if err := s.fault(); err != nil {
		return answer, err
	}
	return write()
}

type faultyRoles struct {
	port.Roles
	s *Faulty
}

func (t faultyRoles) Ledger() port.Ledger         { return faultyLedger{t.Roles.Ledger(), t.s} }
func (t faultyRoles) Actions() port.Actions       { return faultyActions{t.Roles.Actions(), t.s} }
func (t faultyRoles) Customers() port.Customers   { return faultyCustomers{t.Roles.Customers(), t.s} }
func (t faultyRoles) Claims() port.Claims         { return faultyClaims{t.Roles.Claims(), t.s} }
func (t faultyRoles) Records() port.Records       { return faultyRecords{t.Roles.Records(), t.s} }
func (t faultyRoles) Products() port.Products     { return faultyProducts{t.Roles.Products(), t.s} }
func (t faultyRoles) Receipts() port.Receipts     { return faultyReceipts{t.Roles.Receipts(), t.s} }
func (t faultyRoles) Deliveries() port.Deliveries { return faultyDeliveries{t.Roles.Deliveries(), t.s} }
func (t faultyRoles) Rejections() port.Rejections { return faultyRejections{t.Roles.Rejections(), t.s} }

func (t faultyRoles) Calendars() port.Calendars { return faultyCalendars{t.Roles.Calendars(), t.s} }

func (t faultyRoles) NextIDs(of port.Sequence, n int) ([]int64, error) {
	return orElse(t.s, func() ([]int64, error) { return t.Roles.NextIDs(of, n) })
}

type faultyLedger struct {
	port.Ledger
	s *Faulty
}

func (r faultyLedger) Append(id site.ID, at time.Time, events []event.Event) (event.Event, error) {
	return orElse(r.s, func() (event.Event, error) { return r.Ledger.Append(id, at, events) })
}

func (r faultyLedger) Touch(id site.ID, a port.Aspect) error {
	return r.s.or(func() error { return r.Ledger.Touch(id, a) })
}

func (r faultyLedger) Forget(id site.ID, kind string, resources []int64) error {
	return r.s.or(func() error { return r.Ledger.Forget(id, kind, resources) })
}

type faultyActions struct {
	port.Actions
	s *Faulty
}

func (r faultyActions) Append(a customer.Action) error {
	return r.s.or(func() error { return r.Actions.Append(a) })
}

func (r faultyActions) Move(of site.ID, from, to customer.ID) (moved, doubles int, err error) {
	err = r.s.or(func() error { moved, doubles, err = r.Actions.Move(of, from, to); return err })
	return moved, doubles, err
}

type faultyCustomers struct {
	port.Customers
	s *Faulty
}

func (r faultyCustomers) Put(c customer.Customer) error {
	return r.s.or(func() error { return r.Customers.Put(c) })
}

func (r faultyCustomers) Delete(id site.ID, c customer.ID) error {
	return r.s.or(func() error { return r.Customers.Delete(id, c) })
}

type faultyRecords struct {
	port.Records
	s *Faulty
}

func (r faultyRecords) Put(k port.Kind, record any) error {
	return r.s.or(func() error { return r.Records.Put(k, record) })
}

func (r faultyRecords) Add(k port.Kind, record any) error {
	return r.s.or(func() error { return r.Records.Add(k, record) })
}

func (r faultyRecords) Delete(k port.Kind, of port.Key) error {
	return r.s.or(func() error { return r.Records.Delete(k, of) })
}

type faultyCalendars struct {
	port.Calendars
	s *Faulty
}

func (r faultyCalendars) Hold(of site.ID, users []site.UserID) error {
	return r.s.or(func() error { return r.Calendars.Hold(of, users) })
}

type faultyClaims struct {
	port.Claims
	s *Faulty
}

func (r faultyClaims) Claim(of site.ID, keys []string, id demand.LeadID, now, since time.Time) (demand.LeadID, error) {
	return orElse(r.s, func() (demand.LeadID, error) { return r.Claims.Claim(of, keys, id, now, since) })
}

type faultyProducts struct {
	port.Products
	s *Faulty
}

func (r faultyProducts) Add(p product.Product) error {
	return r.s.or(func() error { return r.Products.Add(p) })
}

func (r faultyProducts) Restore(p product.Product) error {
	return r.s.or(func() error { return r.Products.Restore(p) })
}

func (r faultyProducts) Replace(p product.Product) error {
	return r.s.or(func() error { return r.Products.Replace(p) })
}

func (t faultyRoles) NextReference(id site.ID, agency site.AgencyID) (int64, error) {
	return orElse(t.s, func() (int64, error) { return t.Roles.NextReference(id, agency) })
}

func (t faultyRoles) RaiseReference(id site.ID, agency site.AgencyID, n int64) error {
	return t.s.or(func() error { return t.Roles.RaiseReference(id, agency, n) })
}

func (t faultyRoles) NextDeal(id site.ID, agency site.AgencyID, kind deal.Kind) (int64, error) {
	return orElse(t.s, func() (int64, error) { return t.Roles.NextDeal(id, agency, kind) })
}

type faultyReceipts struct {
	port.Receipts
	s *Faulty
}

func (r faultyReceipts) Claim(q port.Receipt) (port.Receipt, error) {
	return orElse(r.s, func() (port.Receipt, error) { return r.Receipts.Claim(q) })
}

func (r faultyReceipts) Put(q port.Receipt) error {
	return r.s.or(func() error { return r.Receipts.Put(q) })
}

type faultyDeliveries struct {
	port.Deliveries
	s *Faulty
}

func (r faultyDeliveries) Add(d []webhook.Delivery) error {
	return r.s.or(func() error { return r.Deliveries.Add(d) })
}

type faultyRejections struct {
	port.Rejections
	s *Faulty
}

func (r faultyRejections) ClearResource(id site.ID, kind string, resource int64) (bool, error) {
	return orElse(r.s, func() (bool, error) { return r.Rejections.ClearResource(id, kind, resource) })
}
