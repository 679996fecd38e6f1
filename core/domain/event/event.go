// Package event names what happens to the resources of a site. Events are the
// entries of the site's ledger; webhooks, the catalogue and GET /events all
// follow them.
package event

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Type is what happened, as RESOURCE_ACTION (contract: Events, point 3).
type Type string

// The events of the catalogue.
const (
	ProductCreate  Type = "PRODUCT_CREATE"
	ProductUpdate  Type = "PRODUCT_UPDATE"
	ProductDelete  Type = "PRODUCT_DELETE"
	CustomerCreate Type = "CUSTOMER_CREATE"
	CustomerUpdate Type = "CUSTOMER_UPDATE"
	CustomerDelete Type = "CUSTOMER_DELETE"
	// ActionCreate is about what the action is about: a product, or a customer.
	ActionCreate      Type = "ACTION_CREATE"
	SearchCreate      Type = "SEARCH_CREATE"
	SearchUpdate      Type = "SEARCH_UPDATE"
	SearchDelete      Type = "SEARCH_DELETE"
	FollowUpCreate    Type = "FOLLOWUP_CREATE"
	FollowUpUpdate    Type = "FOLLOWUP_UPDATE"
	FollowUpDelete    Type = "FOLLOWUP_DELETE"
	LeadCreate        Type = "LEAD_CREATE"
	LeadUpdate        Type = "LEAD_UPDATE"
	OfferCreate       Type = "OFFER_CREATE"
	OfferUpdate       Type = "OFFER_UPDATE"
	OfferDelete       Type = "OFFER_DELETE"
	AgreementCreate   Type = "AGREEMENT_CREATE"
	AgreementUpdate   Type = "AGREEMENT_UPDATE"
	AgreementDelete   Type = "AGREEMENT_DELETE"
	LeaseCreate       Type = "LEASE_CREATE"
	LeaseUpdate       Type = "LEASE_UPDATE"
	LeaseDelete       Type = "LEASE_DELETE"
	AppointmentCreate Type = "APPOINTMENT_CREATE"
	AppointmentUpdate Type = "APPOINTMENT_UPDATE"
	AppointmentDelete Type = "APPOINTMENT_DELETE"
	// ReminderCreate is about an appointment that begins soon.
	ReminderCreate   Type = "REMINDER_CREATE"
	PermanenceCreate Type = "PERMANENCE_CREATE"
	PermanenceUpdate Type = "PERMANENCE_UPDATE"
	PermanenceDelete Type = "PERMANENCE_DELETE"
	// WorktimeUpdate is about a user: when they work, or are busy elsewhere.
	WorktimeUpdate Type = "WORKTIME_UPDATE"
	// MandateCreate and MandateUpdate are about the product on offer by the
	// mandate: a mandate has no id of its own.
	MandateCreate Type = "MANDATE_CREATE"
	MandateUpdate Type = "MANDATE_UPDATE"
	// The others are told by provisioning, where users, agencies and criteria are
	// kept.
	UserCreate     Type = "USER_CREATE"
	UserUpdate     Type = "USER_UPDATE"
	UserDelete     Type = "USER_DELETE"
	AgencyUpdate   Type = "AGENCY_UPDATE"
	CriteriaUpdate Type = "CRITERIA_UPDATE"

	// HookTest is sent by a test alone: nobody can subscribe to it, and no
	// ledger holds it.
	HookTest Type = "HOOK_TEST"
)

// Types lists every event of the ledgers.
func Types() []Type {
	return []Type{
		ProductCreate, ProductUpdate, ProductDelete, CustomerCreate, CustomerUpdate, CustomerDelete, ActionCreate,
		SearchCreate, SearchUpdate, SearchDelete, FollowUpCreate, FollowUpUpdate, FollowUpDelete, LeadCreate, LeadUpdate,
		OfferCreate, OfferUpdate, OfferDelete, AgreementCreate, AgreementUpdate, AgreementDelete, LeaseCreate, LeaseUpdate, LeaseDelete,
		AppointmentCreate, AppointmentUpdate, AppointmentDelete, ReminderCreate, PermanenceCreate, PermanenceUpdate, PermanenceDelete, WorktimeUpdate,
		MandateCreate, MandateUpdate, UserCreate, UserUpdate, UserDelete, AgencyUpdate, CriteriaUpdate,
	}
}

// Parse reads the name of an event.
func Parse(name string) (Type, bool) {
	t := Type(name)
	return t, slices.Contains(Types(), t)
}

// Resource returns the first word of the type, such as PRODUCT.
func (t Type) Resource() string {
	resource, _, _ := strings.Cut(string(t), "_")
	return resource
}

// About returns the ids of the resources that events are about, of the kind that a type is about,
// in ascending order and once each.
func About[ID ~int64](events []Event, like Type) (ids []ID) {
	for _, e := range events {
		if e.Type.Resource() == like.Resource() {
			ids = append(ids, ID(e.Resource))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// IsUpdate reports whether the event says that a resource changed, rather than
// was created or deleted. Reading the resource shows all earlier updates as
// well.
func (t Type) IsUpdate() bool { return strings.HasSuffix(string(t), "_UPDATE") }

// IsDelete reports whether the event says that a resource was deleted.
func (t Type) IsDelete() bool { return strings.HasSuffix(string(t), "_DELETE") }

// KindOf returns the kind of the resource that an event of a type and subject is
// about; empty when nobody said what an action is about.
func KindOf(t Type, subject string) string {
	if subject != "" || t == ActionCreate {
		return subject
	}
	return t.Resource()
}

// IsPersonal reports whether a kind of resource is a person, or what one looks
// for, thinks or wrote.
func IsPersonal(resource string) bool {
	switch resource {
	case CustomerUpdate.Resource(), SearchUpdate.Resource(), FollowUpUpdate.Resource(), LeadUpdate.Resource(),
		OfferUpdate.Resource(), AgreementUpdate.Resource(), LeaseUpdate.Resource(), AppointmentUpdate.Resource(), ReminderCreate.Resource():
		return true
	}
	return false
}

// Event is one entry of a site's ledger.
type Event struct {
	Site site.ID
	// Seq is the place in the ledger: 1, 2, 3 … without gaps within a site.
	Seq  int64
	Type Type
	// Resource is the id of the product, customer … the event is about.
	Resource int64
	// Subject is the kind of that resource, such as PRODUCT, where the type does not
	// name it: of an action. Elsewhere it is empty.
	Subject string
	// Agency is the agency that owned the resource when it happened; 0 is the site
	// as a whole.
	Agency site.AgencyID
	At     time.Time
	// Changed names what an update changed, such as the keys of criteria, a line each;
	// empty where nobody says. It has no values in it.
	Changed string
	// By is who caused it, and Request the id of the request that did; empty where there
	// was none. Only Find of a ledger returns them.
	By      Actor
	Request string
	// Values are the edits of an update, as edit.Encode returns them. They may be about
	// people: a ledger keeps them sealed, and returns them only where they are asked for.
	Values string
}

// Actor is who causes events: a word for the kind and, but for the system, an id.
type Actor string

// The kinds of actors.
const (
	// ByClient is a client of the API, ByOperator an operator of the console.
	ByClient   = "client"
	ByOperator = "operator"
	// BySource is an import source, ByImport an import of a file.
	BySource = "source"
	ByImport = "import"
	// BySystem is work of the server itself, such as the clock.
	BySystem = "system"
)

// ActorOf returns an actor of a kind. The id of the system is what it does.
func ActorOf(kind, id string) Actor { return Actor(kind + " " + id) }

// Kind returns one of the kinds; empty for events from before actors were kept.
func (a Actor) Kind() string {
	kind, _, _ := strings.Cut(string(a), " ")
	return kind
}

// ID returns the id of the actor within the kind.
func (a Actor) ID() string {
	_, id, _ := strings.Cut(string(a), " ")
	return id
}

// maxChanged bounds how many names Changed has.
const maxChanged = edit.MaxFields

// ChangeOf returns what an event has as Changed.
func ChangeOf(names []string) string {
	if len(names) > maxChanged {
		names = append(slices.Clone(names[:maxChanged]), "…")
	}
	return strings.Join(names, "\n")
}

// Told returns the event with what an update changed.
func (e Event) Told(edits []edit.Edit) Event {
	e.Changed, e.Values = ChangeOf(edit.Fields(edits)), edit.Encode(edits)
	return e
}

// Changes returns the names in Changed.
func (e Event) Changes() []string {
	if e.Changed == "" {
		return nil
	}
	return strings.Split(e.Changed, "\n")
}
