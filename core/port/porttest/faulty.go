package porttest

import (
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
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
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(faultyTx{tx, s}) })
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

type faultyTx struct {
	port.Tx
	s *Faulty
}

func (t faultyTx) Ledger() port.Ledger       { return faultyLedger{t.Tx.Ledger(), t.s} }
func (t faultyTx) Actions() port.Actions     { return faultyActions{t.Tx.Actions(), t.s} }
func (t faultyTx) Customers() port.Customers { return faultyCustomers{t.Tx.Customers(), t.s} }
func (t faultyTx) Merged() port.Merged {
	return faultyTable[customer.ID, customer.Merged]{t.Tx.Merged(), t.s}
}

func (t faultyTx) FollowUps() port.FollowUps {
	return faultyOfCustomers(t.Tx.FollowUps(), t.s)
}
func (t faultyTx) Leads() port.Leads           { return faultyLeads{t.Tx.Leads(), t.s} }
func (t faultyTx) Products() port.Products     { return faultyProducts{t.Tx.Products(), t.s} }
func (t faultyTx) References() port.References { return faultyReferences{t.Tx.References(), t.s} }
func (t faultyTx) Receipts() port.Receipts     { return faultyReceipts{t.Tx.Receipts(), t.s} }
func (t faultyTx) Deliveries() port.Deliveries { return faultyDeliveries{t.Tx.Deliveries(), t.s} }
func (t faultyTx) Rejections() port.Rejections { return faultyRejections{t.Tx.Rejections(), t.s} }
func (t faultyTx) SearchRequests() port.SearchRequests {
	return faultyOfCustomers(t.Tx.SearchRequests(), t.s)
}

func (t faultyTx) Offers() port.Offers { return faultyDealsOf(t.Tx.Offers(), t.s) }

func (t faultyTx) Agreements() port.Agreements { return faultyDealsOf(t.Tx.Agreements(), t.s) }

func (t faultyTx) Lettings() port.Lettings { return faultyDealsOf(t.Tx.Lettings(), t.s) }

func (t faultyTx) DealNumbers() port.DealNumbers { return faultyDealNumbers{t.Tx.DealNumbers(), t.s} }

func (t faultyTx) ScopeChanges() port.ScopeChanges {
	return faultyTable[site.ScopeChangeID, site.ScopeChange]{t.Tx.ScopeChanges(), t.s}
}

func (t faultyTx) Calendars() port.Calendars { return faultyCalendars{t.Tx.Calendars(), t.s} }

func (t faultyTx) AppointmentTypes() port.AppointmentTypes {
	return faultyVocabulary[planning.Type]{t.Tx.AppointmentTypes(), t.s}
}

func (t faultyTx) Appointments() port.Appointments {
	return faultyAppointments{t.Tx.Appointments(), t.s}
}

func (t faultyTx) Permanences() port.Permanences { return faultyPermanences{t.Tx.Permanences(), t.s} }

func (t faultyTx) Schedules() port.Schedules {
	return faultyTable[site.UserID, slot.Schedule]{t.Tx.Schedules(), t.s}
}

func (t faultyTx) ImportedBusy() port.ImportedBusy {
	return faultyImportedBusy{t.Tx.ImportedBusy(), t.s}
}

func (t faultyTx) BookingSettings() port.BookingSettings {
	return faultyTable[site.AgencyID, planning.BookingSettings]{t.Tx.BookingSettings(), t.s}
}

func (t faultyTx) Holds() port.Holds { return faultyHolds{t.Tx.Holds(), t.s} }

func (t faultyTx) Bookings() port.Bookings { return faultyOfCustomers(t.Tx.Bookings(), t.s) }

func (t faultyTx) Feeds() port.Feeds { return faultyFeeds{t.Tx.Feeds(), t.s} }

func (t faultyTx) NextIDs(of port.Sequence, n int) ([]int64, error) {
	return orElse(t.s, func() ([]int64, error) { return t.Tx.NextIDs(of, n) })
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

type faultyTable[ID ~int64, T any] struct {
	port.Table[ID, T]
	s *Faulty
}

func (r faultyTable[ID, T]) Put(v T) error {
	return r.s.or(func() error { return r.Table.Put(v) })
}

func (r faultyTable[ID, T]) Delete(of site.ID, id ID) error {
	return r.s.or(func() error { return r.Table.Delete(of, id) })
}

type faultyCustomerTable[ID ~int64, T any] struct {
	faultyTable[ID, T]
	whole port.CustomerTable[ID, T]
}

func faultyOfCustomers[ID ~int64, T any](t port.CustomerTable[ID, T], s *Faulty) port.CustomerTable[ID, T] {
	return faultyCustomerTable[ID, T]{faultyTable[ID, T]{t, s}, t}
}

func (r faultyCustomerTable[ID, T]) Of(of site.ID, c customer.ID) ([]T, error) {
	return r.whole.Of(of, c)
}

func (r faultyCustomerTable[ID, T]) ScanOf(of site.ID, c customer.ID, after ID, n int) ([]T, error) {
	return r.whole.ScanOf(of, c, after, n)
}

type faultyDeals[ID ~int64, T any] struct {
	port.Deals[ID, T]
	s *Faulty
}

func faultyDealsOf[ID ~int64, T any](t port.Deals[ID, T], s *Faulty) port.Deals[ID, T] {
	return faultyDeals[ID, T]{t, s}
}

func (r faultyDeals[ID, T]) Put(v T) error { return r.s.or(func() error { return r.Deals.Put(v) }) }

func (r faultyDeals[ID, T]) Delete(of site.ID, id ID) error {
	return r.s.or(func() error { return r.Deals.Delete(of, id) })
}

type faultyDealNumbers struct {
	port.DealNumbers
	s *Faulty
}

func (r faultyDealNumbers) Next(id site.ID, agency site.AgencyID, kind deal.Kind) (int64, error) {
	return orElse(r.s, func() (int64, error) { return r.DealNumbers.Next(id, agency, kind) })
}

type faultyCalendars struct {
	port.Calendars
	s *Faulty
}

func (r faultyCalendars) Hold(of site.ID, users []site.UserID) error {
	return r.s.or(func() error { return r.Calendars.Hold(of, users) })
}

type faultyVocabulary[T any] struct {
	port.Vocabulary[T]
	s *Faulty
}

func (r faultyVocabulary[T]) Put(of site.ID, v T) error {
	return r.s.or(func() error { return r.Vocabulary.Put(of, v) })
}

type faultyAppointments struct {
	port.Appointments
	s *Faulty
}

func (r faultyAppointments) Put(a planning.Appointment) error {
	return r.s.or(func() error { return r.Appointments.Put(a) })
}

func (r faultyAppointments) Delete(of site.ID, id planning.ID) error {
	return r.s.or(func() error { return r.Appointments.Delete(of, id) })
}

type faultyPermanences struct {
	port.Permanences
	s *Faulty
}

func (r faultyPermanences) Put(p planning.Duty) error {
	return r.s.or(func() error { return r.Permanences.Put(p) })
}

func (r faultyPermanences) Delete(of site.ID, id planning.DutyID) error {
	return r.s.or(func() error { return r.Permanences.Delete(of, id) })
}

type faultyImportedBusy struct {
	port.ImportedBusy
	s *Faulty
}

func (r faultyImportedBusy) Put(i slot.Imported) error {
	return r.s.or(func() error { return r.ImportedBusy.Put(i) })
}

func (r faultyImportedBusy) Delete(of site.ID, user site.UserID, source slot.Source) error {
	return r.s.or(func() error { return r.ImportedBusy.Delete(of, user, source) })
}

type faultyHolds struct {
	port.Holds
	s *Faulty
}

func (r faultyHolds) Put(h planning.Hold) error {
	return r.s.or(func() error { return r.Holds.Put(h) })
}

func (r faultyHolds) Delete(of site.ID, id planning.HoldID) error {
	return r.s.or(func() error { return r.Holds.Delete(of, id) })
}

func (r faultyHolds) Purge(before time.Time, n int) (int, error) {
	return orElse(r.s, func() (int, error) { return r.Holds.Purge(before, n) })
}

type faultyFeeds struct {
	port.Feeds
	s *Faulty
}

func (r faultyFeeds) Put(f planning.Feed) error {
	return r.s.or(func() error { return r.Feeds.Put(f) })
}

func (r faultyFeeds) Delete(of site.ID, user site.UserID) error {
	return r.s.or(func() error { return r.Feeds.Delete(of, user) })
}

type faultyLeads struct {
	port.Leads
	s *Faulty
}

func (r faultyLeads) Put(l demand.Lead) error { return r.s.or(func() error { return r.Leads.Put(l) }) }

func (r faultyLeads) Delete(of site.ID, id demand.LeadID) error {
	return r.s.or(func() error { return r.Leads.Delete(of, id) })
}

func (r faultyLeads) Claim(of site.ID, keys []string, id demand.LeadID, now, since time.Time) (demand.LeadID, error) {
	return orElse(r.s, func() (demand.LeadID, error) { return r.Leads.Claim(of, keys, id, now, since) })
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

type faultyReferences struct {
	port.References
	s *Faulty
}

func (r faultyReferences) Next(id site.ID, agency site.AgencyID) (int64, error) {
	return orElse(r.s, func() (int64, error) { return r.References.Next(id, agency) })
}

func (r faultyReferences) Raise(id site.ID, agency site.AgencyID, n int64) error {
	return r.s.or(func() error { return r.References.Raise(id, agency, n) })
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
