package kernel

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Basis has what decisions about a request depend on besides the request: the caller, the
// time and the options. It has no access to the store or any other port with effects.
type Basis struct {
	Caller
	// Now is the time of everything in the unit of work.
	Now     time.Time
	Options Options
	// E164 is that of Ports, and Location returns a time zone as Zone does.
	E164     func(number, country string) string
	Location func(name string) (*time.Location, error)
}

// Basis returns the basis of a request of a caller, outside a unit of work.
func (k *Kernel) Basis(c Caller) Basis {
	return Basis{Caller: c, Now: k.Moment(), Options: k.Options, E164: k.E164, Location: k.location}
}

// location calls Zone once for each zone: appointments are many, and zones are few.
func (k *Kernel) location(name string) (*time.Location, error) {
	if known, found := k.zones.Load(name); found {
		return known.(*time.Location), nil
	}
	zone, err := k.Zone(name)
	if err == nil {
		k.zones.Store(name, zone)
	}
	return zone, err
}

// Today returns the day in the time zone of an agency, as YYYY-MM-DD.
func (b Basis) Today(id site.AgencyID) string { return b.Site.Today(id, b.Now) }

// Created returns the answer for a record that was created at a path relative to
// {base_url}.
func (b Basis) Created(path string, id int64) Created {
	return Created{ID: id, Location: b.Options.URL(path + strconv.FormatInt(id, 10))}
}

// Unit is the argument of the function of a unit of work. It has no store and no context,
// so that the function cannot open another unit. It is valid only inside the function,
// which may run more than once and must keep no state between runs.
type Unit struct {
	port.Tx
	Basis

	// owners caches the clients that webhooks belong to, nil in a unit that only reads.
	owners map[access.CredentialID]access.Credential
	// changes, doer and subject point into the entry of the audit, nil when there is none.
	changes *[]edit.Edit
	doer    *operator.ID
	subject *string
}

// AnyUnit is a Unit, or the unit of an area, which embeds one.
type AnyUnit interface{ kernelUnit() Unit }

func (u Unit) kernelUnit() Unit { return u }

func (k *Kernel) unit(tx port.Tx, c Caller) Unit { return Unit{Tx: tx, Basis: k.Basis(c)} }

// At returns the same unit of work for a site that it has read or made itself, on behalf
// of no credential and with access to everything.
func (u Unit) At(view *SiteView) Unit {
	if w, watched := u.Roles.(*watchedTx); watched {
		w.about = append(w.about, view.ID)
	}
	by, request := u.Actor(), u.Request
	u.Caller = Caller{Grant: access.Grant{Site: view.ID, Packs: access.AllPacks}, Scope: view.Scope, Site: Site{SiteView: view}, Request: request, by: by}
	return u
}

// View runs fn against one consistent snapshot.
func View(ctx context.Context, k *Kernel, c Caller, fn func(Unit) error) error {
	return k.Store.View(ctx, func(tx port.Tx) error { return fn(k.unit(tx, c)) })
}

// Write runs the unit of work of a request and returns the answer of the use case. Every
// effect on behalf of a caller goes through it. With an idempotency key the answer is
// stored by the same commit as the effect, and so is the audit entry of an operator. If the
// unit added or hastened deliveries it wakes the dispatcher, and if it stored an address to
// geocode the locator.
func Write[Out any](ctx context.Context, k *Kernel, c Caller, fn func(Unit) (Out, error)) (Out, error) {
	answer, err := k.write(ctx, c, func(u Unit) (any, error) { return fn(u) })
	out, _ := answer.(Out)
	return out, err
}

// write is Write for all types of answers. With an error it returns none.
func (k *Kernel) write(ctx context.Context, c Caller, fn func(Unit) (any, error)) (any, error) {
	if !c.Site.Head.State.TakesChanges() {
		return nil, port.NotOpen()
	}
	if c.claim != nil {
		// A request that is repeated too soon should not wait and occupy a connection.
		if _, busy := k.underWay.LoadOrStore(c.claim.id, nil); busy {
			return nil, fault.New(fault.Conflict, fault.CodeRequestInProgress, "the first request with this Idempotency-Key is still under way")
		}
		defer k.underWay.Delete(c.claim.id)
	}
	if c.note != nil && c.note.stored {
		c.by, c.note = c.Actor(), nil
	}
	fn = withinSameCommit(c, fn)
	var seen *watchedTx
	var out any
	err := k.Store.Update(ctx, func(tx port.Tx) (err error) {
		seen = &watchedTx{Roles: tx.Roles, hasReplicas: k.hasReplicas, outbox: map[webhook.Key]bool{}}
		if c.Site.SiteView != nil {
			seen.about = append(seen.about, c.Site.ID)
		}
		u := k.unit(port.Tx{Roles: seen}, c)
		u.owners = map[access.CredentialID]access.Credential{}
		switch {
		case c.note != nil:
			out, err = audited(u, fn)
		case c.claim != nil:
			out, err = claimed(u, seen, fn)
		default:
			out, err = fn(u)
		}
		if err != nil {
			return err
		}
		return seen.keepOpen()
	})
	if err != nil {
		return nil, err
	}
	if c.note != nil {
		c.note.stored = true
	}
	seen.committed(k)
	seen.wake(k)
	return out, nil
}

// Reads returns a use case that is answered from one snapshot, without references to
// deleted records. of makes the unit of an area.
func Reads[U, In, Out any](k *Kernel, of func(Unit) U, use func(U, In) (Out, error)) UseCase[In, Out] {
	return func(ctx context.Context, c Caller, in In) (out Out, err error) {
		err = View(ctx, k, c, func(u Unit) error {
			if out, err = use(of(u), in); err != nil {
				return err
			}
			refs := k.refs.Of(reflect.TypeFor[Out]())
			if refs == nil { // there are no references, and perhaps no site
				return nil
			}
			return refs.Forget(u.Tx, u.Site.ID, reflect.ValueOf(&out).Elem())
		})
		if err != nil {
			var none Out
			return none, err
		}
		return out, nil
	}
}

// Writes returns a use case that runs in one unit of work.
func Writes[U, In, Out any](k *Kernel, of func(Unit) U, use func(U, In) (Out, error)) UseCase[In, Out] {
	return func(ctx context.Context, c Caller, in In) (Out, error) {
		return Write(ctx, k, c, func(u Unit) (Out, error) { return use(of(u), in) })
	}
}

// NextID returns a new id.
func NextID[ID ~int64](tx port.Sequencer, s port.Sequence) (ID, error) {
	ids, err := tx.NextIDs(s, 1)
	if err != nil {
		return 0, err
	}
	return ID(ids[0]), nil
}

// FreeID returns a new id with which get finds nothing: records also have ids that were given to
// them.
func FreeID[ID ~int64, T any](tx port.Sequencer, s port.Sequence, get func(ID) (T, error)) (ID, error) {
	for {
		id, err := NextID[ID](tx, s)
		if err != nil {
			return 0, err
		}
		if _, err := get(id); err != nil {
			return id, AbsentIs(err, nil)
		}
	}
}

// watchedTx is a unit of work that records which engines to wake and which replicas to
// update when it is committed. It keeps the sites open that it is about. For a receipt it
// records the customer: the last one that was read or written, or whose lead was read.
type watchedTx struct {
	port.Roles
	// hasReplicas reports whether this process has any replica of a site.
	hasReplicas func(site.ID) bool
	outbox      map[webhook.Key]bool
	addressed   bool
	customer    customer.ID
	// about are the sites that the unit is about, and kept those that it has kept open.
	about, kept []site.ID
	// written is what the replicas of this process have to apply, nil for sites without any.
	written map[site.ID]*Written
}

// Unwrap returns the roles of the store.
func (w *watchedTx) Unwrap() port.Roles { return w.Roles }

func (w *watchedTx) wake(k *Kernel) {
	if len(w.outbox) > 0 {
		k.Deliveries.Announce(w.outbox)
	}
	if w.addressed {
		k.Addresses.Wake()
	}
}

// keepOpen prevents that a site moves away while the unit writes to it. Most units have
// done so by appending to the ledger.
func (w *watchedTx) keepOpen() error {
	for _, id := range w.about {
		if slices.Contains(w.kept, id) {
			continue
		}
		if err := w.Roles.Ledger().KeepOpen(id); err != nil {
			return err
		}
	}
	return nil
}

// Ledger implements port.Roles.
func (w *watchedTx) Ledger() port.Ledger { return watchedLedger{w.Roles.Ledger(), w} }

// Deliveries implements port.Roles.
func (w *watchedTx) Deliveries() port.Deliveries { return watchedDeliveries{w.Roles.Deliveries(), w} }

// Products implements port.Roles.
func (w *watchedTx) Products() port.Products { return watchedProducts{w.Roles.Products(), w} }

// Customers implements port.Roles.
func (w *watchedTx) Customers() port.Customers { return watchedCustomers{w.Roles.Customers(), w} }

// Records implements port.Roles.
func (w *watchedTx) Records() port.Records { return watchedRecords{w.Roles.Records(), w} }

// watchedLedger records which sites are kept open, and the events.
type watchedLedger struct {
	port.Ledger
	unit *watchedTx
}

// Append implements port.Ledger.
func (w watchedLedger) Append(id site.ID, at time.Time, events []event.Event) (event.Event, error) {
	if len(events) > 0 {
		w.unit.kept = append(w.unit.kept, id)
	}
	last, err := w.Ledger.Append(id, at, events)
	if err == nil {
		w.unit.noteEvents(id, events, last)
	}
	return last, err
}

// Touch implements port.Ledger.
func (w watchedLedger) Touch(id site.ID, aspect port.Aspect) error {
	w.unit.kept = append(w.unit.kept, id)
	return w.Ledger.Touch(id, aspect)
}

// watchedDeliveries records the webhooks with something to deliver.
type watchedDeliveries struct {
	port.Deliveries
	unit *watchedTx
}

// Add implements port.Deliveries.
func (w watchedDeliveries) Add(added []webhook.Delivery) error {
	for _, d := range added {
		w.unit.outbox[webhook.Key{Site: d.Site, Hook: d.Hook}] = true
	}
	return w.Deliveries.Add(added)
}

// Hasten implements port.Deliveries.
func (w watchedDeliveries) Hasten(id site.ID, hook webhook.ID, due time.Time) error {
	w.unit.outbox[webhook.Key{Site: id, Hook: hook}] = true
	return w.Deliveries.Hasten(id, hook, due)
}

// watchedProducts records whether a product is stored with an address to geocode.
type watchedProducts struct {
	port.Products
	unit *watchedTx
}

// Add implements port.Products.
func (w watchedProducts) Add(added product.Product) error {
	w.notice(added)
	return w.stored(added, w.Products.Add(added))
}

// Replace implements port.Products.
func (w watchedProducts) Replace(changed product.Product) error {
	w.notice(changed)
	return w.stored(changed, w.Products.Replace(changed))
}

// Restore implements port.Products.
func (w watchedProducts) Restore(restored product.Product) error {
	w.notice(restored)
	return w.stored(restored, w.Products.Restore(restored))
}

func (w watchedProducts) notice(stored product.Product) {
	if _, needed := stored.Unlocated(); needed && stored.Deleted.IsZero() {
		w.unit.addressed = true
	}
}

// stored records a product, if it was stored.
func (w watchedProducts) stored(p product.Product, err error) error {
	if noted := w.unit.writtenTo(p.Site); err == nil && noted != nil {
		noted.noteProduct(p)
	}
	return err
}

type watchedCustomers struct {
	port.Customers
	unit *watchedTx
}

// Get implements port.Customers.
func (w watchedCustomers) Get(of site.ID, id customer.ID) (customer.Customer, error) {
	return w.held(w.Customers.Get(of, id))
}

// GetUnlocked implements port.Table.
func (w watchedCustomers) GetUnlocked(of site.ID, id customer.ID) (customer.Customer, error) {
	return w.held(w.Customers.GetUnlocked(of, id))
}

func (w watchedCustomers) held(found customer.Customer, err error) (customer.Customer, error) {
	if err == nil {
		w.unit.customer = found.ID
		w.note(found)
	}
	return found, err
}

// Put implements port.Customers.
func (w watchedCustomers) Put(c customer.Customer) error {
	w.unit.customer = c.ID
	err := w.Customers.Put(c)
	if err == nil {
		w.note(c)
	}
	return err
}

// Delete implements port.Table.
func (w watchedCustomers) Delete(of site.ID, id customer.ID) error {
	if noted := w.unit.writtenTo(of); noted != nil {
		delete(noted.names, id)
	}
	return w.Customers.Delete(of, id)
}

func (w watchedCustomers) note(c customer.Customer) {
	if noted := w.unit.writtenTo(c.Site); noted != nil {
		remember(noted.names, c.ID, c.Names())
	}
}

// watchedRecords records whose lead is read, and which search requests are stored.
type watchedRecords struct {
	port.Records
	unit *watchedTx
}

// Get implements port.Records.
func (w watchedRecords) Get(k port.Kind, of port.Key) (any, error) {
	return w.held(w.Records.Get(k, of))
}

// GetUnlocked implements port.Records.
func (w watchedRecords) GetUnlocked(k port.Kind, of port.Key) (any, error) {
	return w.held(w.Records.GetUnlocked(k, of))
}

func (w watchedRecords) held(found any, err error) (any, error) {
	if lead, is := found.(*demand.Lead); is && err == nil {
		w.unit.customer = lead.Customer
	}
	return found, err
}

// Put implements port.Records.
func (w watchedRecords) Put(k port.Kind, record any) error {
	return w.stored(record, w.Records.Put(k, record))
}

// Add implements port.Records.
func (w watchedRecords) Add(k port.Kind, record any) error {
	return w.stored(record, w.Records.Add(k, record))
}

// stored remembers a record, if it was stored.
func (w watchedRecords) stored(record any, err error) error {
	if request, is := record.(*demand.SearchRequest); is && err == nil {
		if noted := w.unit.writtenTo(request.Site); noted != nil {
			left := request.Clone()
			remember(noted.searches, request.ID, &left)
		}
	}
	return err
}

// Delete implements port.Records.
func (w watchedRecords) Delete(k port.Kind, of port.Key) error {
	err := w.Records.Delete(k, of)
	if _, is := k.New(of).(*demand.SearchRequest); is && err == nil {
		if noted := w.unit.writtenTo(of.Site); noted != nil {
			remember(noted.searches, demand.SearchID(of.ID), nil)
		}
	}
	return err
}
