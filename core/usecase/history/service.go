package history

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// API is the use cases of the area. Each lists what happened to one record, latest first, to
// whoever may read the record: the rule is that of the operation that reads it, and a record
// that is not there, or is outside the scope, is refused as there. What the caller is not shown
// of the record is left out.
type API struct {
	ListProductHistory    kernel.UseCase[ReadProduct, RecordHistory]
	ListCustomerHistory   kernel.UseCase[ReadCustomer, RecordHistory]
	ListOfferHistory      kernel.UseCase[ReadOffer, RecordHistory]
	ListAgreementHistory  kernel.UseCase[ReadAgreement, RecordHistory]
	ListLeaseHistory      kernel.UseCase[ReadLease, RecordHistory]
	ListEventHistory      kernel.UseCase[ReadEvent, RecordHistory]
	ListPermanenceHistory kernel.UseCase[ReadPermanence, RecordHistory]
}

// Service is the use cases about what happened to records.
type Service struct {
	API
	kernel.Area[API]
	k *kernel.Kernel
	// rules say who may call each operation, by its id.
	rules map[string]access.Rule
	// OfRequest lists at most 200 events that a request caused and the caller may hear of,
	// latest first.
	OfRequest kernel.UseCase[RequestEvents, []RequestEvent]
}

// New makes the area on a kernel. The table is that of the areas whose records have a history.
func New(k *kernel.Kernel, table []kernel.Operation) *Service {
	s := &Service{k: k, rules: map[string]access.Rule{}}
	for _, o := range table {
		s.rules[o.ID] = o.Rule
	}
	s.OfRequest = kernel.Ruled(access.Rule{}, kernel.Reads(k, newUnit, unit.ofRequest))
	s.Area = kernel.NewArea(&s.API, s.table)
	return s
}

type unit struct{ kernel.Unit }

func newUnit(u kernel.Unit) unit { return unit{u} }

// kind is a kind of record with a history.
type kind struct {
	// id is that of the operation that reads a record, without its verb; path is its path.
	id, path, summary string
	// like is an event about the record.
	like event.Type
	// more are the further types of event about it.
	more []event.Type
	// shows finds a record that the caller may read, and returns which fields of it they are
	// shown; nil where they are shown nothing of what happened to it.
	shows func(u kernel.Unit, id int64) (func(field string) bool, error)
}

// table makes an operation of each kind.
func (s *Service) table(a *API) []kernel.Operation {
	return []kernel.Operation{
		op(s, &a.ListProductHistory, kind{"product", "/products/{productId}", "List what happened to a product, latest first",
			event.ProductUpdate, []event.Type{event.MandateCreate, event.MandateUpdate}, showsProduct}, func(in ReadProduct) (int64, Page) { return in.ID, in.Page }),
		op(s, &a.ListCustomerHistory, kind{"customer", "/customers/{customerId}", "List what happened to a customer, latest first",
			event.CustomerUpdate, nil, finds(func(kernel.Unit) kernel.Resource[customer.ID, customer.Customer] { return people.Customers }, nil)},
			func(in ReadCustomer) (int64, Page) { return in.ID, in.Page }),
		op(s, &a.ListOfferHistory, kind{"offer", "/sale-offers/{offerId}", "List what happened to an offer, latest first",
			event.OfferUpdate, nil, finds(func(kernel.Unit) kernel.Resource[offer.ID, offer.Offer] { return dealrecords.Offers() }, nil)},
			func(in ReadOffer) (int64, Page) { return in.ID, in.Page }),
		op(s, &a.ListAgreementHistory, kind{"agreement", "/sale-agreements/{agreementId}", "List what happened to a sale agreement, latest first",
			event.AgreementUpdate, nil, finds(func(u kernel.Unit) kernel.Resource[agreement.ID, agreement.Agreement] {
				return dealrecords.Agreements(u.Site.ZoneOf)
			}, nil)},
			func(in ReadAgreement) (int64, Page) { return in.ID, in.Page }),
		op(s, &a.ListLeaseHistory, kind{"lease", "/leases/{leaseId}", "List what happened to a lease, latest first",
			event.LeaseUpdate, nil, finds(func(u kernel.Unit) kernel.Resource[letting.ID, letting.Lease] {
				return dealrecords.Leases(u.Site.ZoneOf)
			}, nil)},
			func(in ReadLease) (int64, Page) { return in.ID, in.Page }),
		op(s, &a.ListEventHistory, kind{"appointment", "/agenda/events/{eventId}", "List what happened to a calendar event, latest first",
			event.AppointmentUpdate, nil, finds(appointments, hidesPrivate)}, func(in ReadEvent) (int64, Page) { return in.ID, in.Page }),
		op(s, &a.ListPermanenceHistory, kind{"permanence", "/agenda/permanences/{permanenceId}", "List what happened to a permanence, latest first",
			event.PermanenceUpdate, nil, finds(func(u kernel.Unit) kernel.Resource[planning.DutyID, planning.Duty] {
				return agendarecords.Permanences(u.Location)
			}, nil)},
			func(in ReadPermanence) (int64, Page) { return in.ID, in.Page }),
	}
}

func op[In any](s *Service, field *kernel.UseCase[In, RecordHistory], of kind, asked func(In) (int64, Page)) kernel.Operation {
	types := append(slices.DeleteFunc(event.Types(), func(t event.Type) bool { return t.Resource() != of.like.Resource() }), of.more...)
	return kernel.Op(field, of.id+".history", kernel.GET, of.path+"/history", 200, s.rules[of.id+".get"], of.summary,
		kernel.Reads(s.k, newUnit, func(u unit, in In) (RecordHistory, error) {
			id, page := asked(in)
			return u.list(of, types, id, page)
		}))
}

// finds returns the shows of a kind whose life is known. hidden, which may be nil, reports that
// the caller is shown nothing of a record but that it is there.
func finds[ID ~int64, T any](life func(kernel.Unit) kernel.Resource[ID, T], hidden func(kernel.Unit, T) bool) func(kernel.Unit, int64) (func(string) bool, error) {
	return func(u kernel.Unit, id int64) (func(string) bool, error) {
		found, err := life(u).Get(u, ID(id))
		if err != nil || hidden != nil && hidden(u, found) {
			return nil, err
		}
		return func(string) bool { return true }, nil
	}
}

func appointments(u kernel.Unit) kernel.Resource[planning.ID, planning.Appointment] {
	return agendarecords.Appointments(u.Location)
}

func hidesPrivate(u kernel.Unit, a planning.Appointment) bool {
	return a.IsHiddenFrom(u.Grant.Credential)
}

// showsProduct hides from credentials that only feed websites what they are not shown of
// products. Where addresses can be masked they get none: the product may have been masked when
// it had another one. How many pictures there are counts private ones.
func showsProduct(u kernel.Unit, id int64) (func(string) bool, error) {
	_, err := listing.Products.Get(u, product.ID(id))
	if !u.IsPublic() {
		return func(string) bool { return true }, err
	}
	hidden := append(listing.InternalNames(), "pictures")
	if u.Site.Veil.Addresses {
		hidden = append(hidden, criteria.KeyAddress, "position")
	}
	return func(field string) bool { return !u.Site.Veil.Private[field] && !slices.Contains(hidden, field) }, err
}

const perPage = 50

// list lists what happened to a record of a kind.
func (u unit) list(of kind, types []event.Type, id int64, in Page) (RecordHistory, error) {
	shown, err := of.shows(u.Unit, id)
	if err != nil {
		return RecordHistory{}, err
	}
	var problems fault.Problems
	q := port.EventQuery{Site: u.Site.ID, Resource: id, Below: kernel.ID[int64]("cursor", in.Cursor, &problems), Values: true, Limit: perPage + 1}
	for _, t := range types {
		if kernel.MayHear(u.Grant.Packs, t) {
			q.Types = append(q.Types, t)
		}
	}
	if err := problems.Err(); err != nil {
		return RecordHistory{}, err
	}
	page := RecordHistory{Data: []RecordEvent{}}
	if shown == nil || len(q.Types) == 0 {
		return page, nil
	}
	found, err := u.Ledger().Find(q)
	if err != nil {
		return RecordHistory{}, err
	}
	if len(found) > perPage {
		found = found[:perPage]
		page.NextCursor, page.HasMore = &found[perPage-1].Seq, true
	}
	for _, e := range found {
		entry, err := u.entry(e, shown)
		if err != nil {
			return RecordHistory{}, err
		}
		if e.Type.IsUpdate() && e.Changed != "" && len(entry.Changes) == 0 {
			continue // of what changed nothing is shown to the caller
		}
		page.Data = append(page.Data, entry)
	}
	return page, nil
}

// entry returns an event as the caller is shown it. Of a change whose values are not kept any
// more it has the fields.
func (u unit) entry(e event.Event, shown func(string) bool) (RecordEvent, error) {
	entry := RecordEvent{
		ID: e.Seq, EventType: string(e.Type), Timestamp: kernel.Instant{Time: e.At}, By: EventActor{Kind: kernel.Nullable(e.By.Kind())}, Changes: []FieldChange{},
	}
	if !u.IsPublic() {
		entry.By.ID, entry.RequestID = kernel.Nullable(e.By.ID()), kernel.Nullable(e.Request)
	}
	edits, err := edit.Decode(e.Values)
	if len(edits) == 0 {
		for _, name := range e.Changes() {
			edits = append(edits, edit.Edit{Field: name})
		}
	}
	for _, one := range edits {
		if shown(one.Field) {
			entry.Changes = append(entry.Changes, FieldChange{one.Field, kernel.Nullable(one.Before), kernel.Nullable(one.After)})
		}
	}
	return entry, err
}

// maxOfRequest bounds the events that are listed of a request.
const maxOfRequest = 200

func (u unit) ofRequest(in RequestEvents) ([]RequestEvent, error) {
	if in.ID == "" {
		return []RequestEvent{}, nil
	}
	found, err := u.Ledger().Find(port.EventQuery{Site: u.Site.ID, Request: in.ID, From: in.From.Time, To: in.To.Time, Limit: maxOfRequest})
	listed := []RequestEvent{}
	for _, e := range found {
		if !u.Reaches(e) || !kernel.MayHear(u.Grant.Packs, e.Type) {
			continue
		}
		entry, err := u.entry(e, func(string) bool { return false })
		if err != nil {
			return nil, err
		}
		listed = append(listed, RequestEvent{entry, event.KindOf(e.Type, e.Subject), e.Resource})
	}
	return listed, err
}
