package archive

import (
	"errors"
	"reflect"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Kinds lists the kinds of record in the order in which archives have them: what
// decides whether there is room for a site comes first.
func Kinds() []Kind {
	return []Kind{
		unlessTaken(kindOf("ledger", "where the ledger of events stands, and how often what is not in it has changed; clients' cursors go on from here",
			archived(pageSize, func(a port.Archive) port.Records[port.LedgerState] { return a.Ledgers })), noSite[port.LedgerState]),
		unlessTaken(kindOf("site", "the site with its settings, its agencies in scope, and its groups of users",
			listed(theSite, func(tx port.Tx, _ site.ID, s site.Site) error { return tx.Sites().Put(s) })), noSite[site.Site]),
		unlessTaken(kindOf("agencies", "an agency, also one that has left the scope",
			inRegister(func(tx port.Tx) port.Register[site.Agency] { return tx.Agencies() })), noAgency),
		unlessTaken(kindOf("credentials", "a client of the API with what it may do at this site; its secrets are hashes",
			listed(credentials, putCredential)), sameCredential),
		unlessTaken(kindOf("api_keys", "an API key of a client for this site, known by its hash and its beginning alone",
			inRegister(func(tx port.Tx) port.Register[access.Key] { return tx.Keys() })), noKey),
		unlessTaken(kindOf("token_families", "a chain of tokens that began with one token call",
			archived(pageSize, func(a port.Archive) port.Records[access.Family] { return a.Families })), noFamily),
		unlessTaken(kindOf("tokens", "an access or refresh token, known by its hash alone",
			archived(pageSize, func(a port.Archive) port.Records[access.Token] { return a.Tokens })), noToken),

		kindOf("scope_changes", "agencies that joined or left the scope, as long as not everything that belongs to them has been told of",
			inTable(func(tx port.Tx) port.Table[site.ScopeChangeID, site.ScopeChange] { return tx.ScopeChanges() },
				func(c site.ScopeChange) site.ScopeChangeID { return c.ID })),
		kindOf("users", "an agent or collaborator", inRegister(port.Tx.Users)),
		kindOf("criteria", "the definition of a criterion, with its referential", inVocabulary(port.Tx.Criteria)),
		kindOf("lists", "a list of values", inVocabulary(port.Tx.Lists)),
		kindOf("action_types", "a kind of action, with what it entails", inVocabulary(port.Tx.ActionTypes)),
		kindOf("appointment_types", "a kind of appointment, with how long it takes and what is kept free around it", inVocabulary(port.Tx.AppointmentTypes)),

		kindOf("customers", "a customer with everything that is known of them",
			inTable(func(tx port.Tx) port.Table[customer.ID, customer.Customer] { return tx.Customers() },
				func(c customer.Customer) customer.ID { return c.ID })),
		kindOf("search_requests", "what a customer looks for",
			inTable(func(tx port.Tx) port.Table[demand.SearchID, demand.SearchRequest] { return tx.SearchRequests() },
				func(s demand.SearchRequest) demand.SearchID { return s.ID })),
		kindOf("follow_ups", "what a customer thinks of a product",
			inTable(func(tx port.Tx) port.Table[demand.FollowUpID, demand.FollowUp] { return tx.FollowUps() },
				func(f demand.FollowUp) demand.FollowUpID { return f.ID })),
		kindOf("leads", "somebody who got in touch through an external tool",
			inTable(func(tx port.Tx) port.Table[demand.LeadID, demand.Lead] { return tx.Leads() }, func(l demand.Lead) demand.LeadID { return l.ID })),
		kindOf("lead_claims", "the digest by which a lead that is sent again is recognised",
			archived(pageSize, func(a port.Archive) port.Records[port.LeadClaim] { return a.Claims })),

		kindOf("products", "a product with its criteria, rooms, descriptions and what is known of its pictures; a deleted one stays, and of a purged one what keeps its reference from being used again",
			archived(productPage, func(a port.Archive) port.Records[port.StoredProduct] { return a.Products })),
		kindOf("reference_counters", "the last number that was drawn for the references of an agency",
			archived(pageSize, func(a port.Archive) port.Records[port.ReferenceCounter] { return a.Counters })),
		kindOf("offers", "an offer to buy a product, with what was negotiated",
			inTable(func(tx port.Tx) port.Table[offer.ID, offer.Offer] { return tx.Offers() }, func(o offer.Offer) offer.ID { return o.ID })),
		kindOf("agreements", "a sale agreement, with its notifications, conditions and commissions",
			inTable(func(tx port.Tx) port.Table[agreement.ID, agreement.Agreement] { return tx.Agreements() },
				func(a agreement.Agreement) agreement.ID { return a.ID })),
		kindOf("leases", "a lease of a product, with its notice and the revisions of its rent",
			inTable(func(tx port.Tx) port.Table[letting.ID, letting.Lease] { return tx.Lettings() }, func(l letting.Lease) letting.ID { return l.ID })),
		kindOf("deal_numbers", "the last number that was drawn for the offers (`O`), agreements (`C`), leases (`B`) or visit slips (`V`) of an agency",
			archived(pageSize, func(a port.Archive) port.Records[port.DealNumber] { return a.DealNumbers })),

		kindOf("appointments", "an event of a calendar or a series of them, with who attends, what was changed of single occurrences, and the reports of visits",
			inTable(func(tx port.Tx) port.Table[planning.ID, planning.Appointment] { return tx.Appointments() },
				func(a planning.Appointment) planning.ID { return a.ID })),
		kindOf("permanences", "the duty of a user, once or as a series",
			inTable(func(tx port.Tx) port.Table[planning.DutyID, planning.Duty] { return tx.Permanences() },
				func(p planning.Duty) planning.DutyID { return p.ID })),
		kindOf("schedules", "when a user works",
			inTable(port.Tx.Schedules, func(s slot.Schedule) site.UserID { return s.User })),
		kindOf("imported_busy", "when a calendar elsewhere says that a user is busy",
			archived(importedPage, func(a port.Archive) port.Records[slot.Imported] { return a.ImportedBusy })),
		kindOf("booking_settings", "what visitors can book with an agency",
			inTable(port.Tx.BookingSettings, func(s planning.BookingSettings) site.AgencyID { return s.Agency })),
		kindOf("holds", "time of a user that is kept for a visitor; what the visitor shows for it is a hash",
			inTable(func(tx port.Tx) port.Table[planning.HoldID, planning.Hold] { return tx.Holds() }, func(h planning.Hold) planning.HoldID { return h.ID })),
		kindOf("bookings", "a visit that somebody booked; what they show for it is a hash",
			inTable(func(tx port.Tx) port.Table[planning.BookingID, planning.Booking] { return tx.Bookings() }, func(b planning.Booking) planning.BookingID { return b.ID })),
		kindOf("feeds", "the calendar feed of a user; the token of its URL is a hash",
			inTable(func(tx port.Tx) port.Table[site.UserID, planning.Feed] { return tx.Feeds() }, func(f planning.Feed) site.UserID { return f.User })),

		kindOf("actions", "what was done about a product or customer, or logged by the system",
			archived(pageSize, func(a port.Archive) port.Records[customer.Action] { return a.Actions })),
		kindOf("events", "an event of the ledger, with its sequence",
			archived(pageSize, func(a port.Archive) port.Records[event.Event] { return a.Events })),

		kindOf("webhooks", "a subscription",
			inRegister(func(tx port.Tx) port.Register[webhook.Webhook] { return tx.Webhooks() }), "URL", "Headers"),
		kindOf("signing_secrets", "what a webhook signs with", listed(signings, putSigning), "Current", "Previous"),
		kindOf("webhook_auths", "an authentication configuration of webhooks",
			inRegister(func(tx port.Tx) port.Register[webhook.Auth] { return tx.WebhookAuths() }), "TokenURL", "Secret"),
		kindOf("deliveries", "an event on its way to a webhook, or what became of it",
			archived(pageSize, func(a port.Archive) port.Records[webhook.Delivery] { return a.Deliveries })),
		kindOf("delivery_attempts", "one request that was made to deliver",
			archived(pageSize, func(a port.Archive) port.Records[port.DeliveryAttempt] { return a.Attempts }), "URL"),
		kindOf("rejections", "a resource whose last event a receiver refused",
			archived(pageSize, func(a port.Archive) port.Records[webhook.Rejection] { return a.Rejections })),
		kindOf("redactions", "a resource about which nothing is kept of what receivers say",
			archived(pageSize, func(a port.Archive) port.Records[port.Redaction] { return a.Redactions })),
		kindOf("log", "an entry of the application log",
			archived(pageSize, func(a port.Archive) port.Records[port.LogEntry] { return a.Log })),

		kindOf("sequences", "the last id that the database drew for a kind of record; none up to it is used again",
			listed(sequences, putSequence)),
	}
}

// KindOf finds a kind by its name.
func KindOf(name string) (Kind, bool) {
	kinds := Kinds()
	n := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if n < 0 {
		return Kind{}, false
	}
	return kinds[n], true
}

// refused is why an archive cannot be imported here.
func refused(format string, args ...any) error {
	return fault.New(fault.Conflict, fault.CodeConflict, format, args...)
}

// absent turns what finding a record came to into whether there is room for it.
func absent(err error, format string, args ...any) error {
	switch {
	case errors.Is(err, fault.NotFound):
		return nil
	case err != nil:
		return err
	}
	return refused(format, args...)
}

func noSite[T any](tx port.Tx, id site.ID, _ T) error {
	_, err := tx.Sites().Get(id)
	return absent(err, "site %d is there already", id)
}

func noAgency(tx port.Tx, _ site.ID, a site.Agency) error {
	known, err := tx.Agencies().Get(a.ID)
	return absent(err, "agency %d is there already, as one of site %d", a.ID, known.Site)
}

func noFamily(tx port.Tx, _ site.ID, f access.Family) error {
	known, err := tx.Tokens().Family(f.ID)
	return absent(err, "the tokens of family %d are there already, as those of site %d", f.ID, known.Site)
}

func noToken(tx port.Tx, _ site.ID, k access.Token) error {
	known, err := tx.Tokens().Get(k.Hash)
	return absent(err, "a token is there already, as one of site %d", known.Site)
}

func noKey(tx port.Tx, _ site.ID, k access.Key) error {
	known, err := tx.Keys().ByHash(k.Hash)
	return absent(err, "the API key %s… is there already, as one of site %d", k.Start, known.Site)
}

func theSite(tx port.Tx, id site.ID) ([]site.Site, error) {
	s, err := tx.Sites().Get(id)
	if errors.Is(err, fault.NotFound) {
		err = fault.New(fault.NotFound, fault.CodeNotFound, "there is no site %d", id)
	}
	return []site.Site{s}, err
}

// credentials are those that reach the site. What else they reach is no part of
// it.
func credentials(tx port.Tx, id site.ID) ([]access.Credential, error) {
	all, err := tx.Credentials().All()
	all = slices.DeleteFunc(all, func(c access.Credential) bool { return !c.Reaches(id) })
	for i := range all {
		all[i].Sites = []site.ID{id}
	}
	return all, err
}

// sameCredential: a client of several sites comes with each of them.
func sameCredential(tx port.Tx, id site.ID, c access.Credential) error {
	known, err := tx.Credentials().Get(c.ID)
	if errors.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	known.Sites, c.Sites = nil, nil
	if !reflect.DeepEqual(normal(known), normal(c)) {
		return refused("the credential %s is there already, and is another one", c.ID)
	}
	return nil
}

// normal is a credential without what tells apart states that are the same.
func normal(c access.Credential) access.Credential {
	c.Permissions, c.Rights = append([]access.Permission{}, c.Permissions...), append([]access.Right{}, c.Rights...)
	c.Added, c.RevokedAt, c.Former.Until = c.Added.UTC(), c.RevokedAt.UTC(), c.Former.Until.UTC()
	return c
}

func putCredential(tx port.Tx, id site.ID, c access.Credential) error {
	known, err := tx.Credentials().Get(c.ID)
	if err != nil && !errors.Is(err, fault.NotFound) {
		return err
	}
	c.Sites = known.Sites
	if !c.Reaches(id) {
		c.Sites = append(c.Sites, id)
	}
	return tx.Credentials().Put(c)
}

// Signing is what a webhook signs with.
type Signing struct {
	Hook webhook.ID
	webhook.Signing
}

func signings(tx port.Tx, id site.ID) (all []Signing, err error) {
	hooks, err := tx.Webhooks().Of(id)
	for _, w := range hooks {
		s, err := tx.Signings().Get(id, w.ID)
		switch {
		case err == nil:
			all = append(all, Signing{w.ID, s})
		case !errors.Is(err, fault.NotFound):
			return nil, err
		}
	}
	return all, err
}

func putSigning(tx port.Tx, id site.ID, s Signing) error {
	return tx.Signings().Put(id, s.Hook, s.Signing)
}

// Sequence is how far a sequence of ids has come.
type Sequence struct {
	Name string
	Last int64
}

// sequenceNames are the sequences as archives call them. Those of operators and of
// the audit, which are of no site, have no name.
func sequenceNames() [port.Sequences]string {
	return [port.Sequences]string{
		port.ProductIDs: "products", port.RoomIDs: "rooms", port.CustomerIDs: "customers", port.FamilyIDs: "token_families",
		port.WebhookIDs: "webhooks", port.WebhookAuthIDs: "webhook_auths", port.DeliveryIDs: "deliveries", port.PictureIDs: "pictures",
		port.ActionIDs: "actions", port.SearchIDs: "search_requests", port.FollowUpIDs: "follow_ups", port.LeadIDs: "leads",
		port.ScopeChangeIDs: "scope_changes", port.OfferIDs: "offers", port.AgreementIDs: "agreements", port.LeaseIDs: "leases",
		port.AppointmentIDs: "appointments", port.PermanenceIDs: "permanences", port.HoldIDs: "holds", port.BookingIDs: "bookings",
		port.KeyIDs: "api_keys", port.LogIDs: "log",
	}
}

func sequences(tx port.Tx, _ site.ID) (all []Sequence, err error) {
	for s, name := range sequenceNames() {
		last, err := tx.LastID(port.Sequence(s))
		if err != nil {
			return nil, err
		}
		if last > 0 && name != "" {
			all = append(all, Sequence{name, last})
		}
	}
	return all, nil
}

func putSequence(tx port.Tx, _ site.ID, q Sequence) error {
	names := sequenceNames()
	n := slices.Index(names[:], q.Name)
	if n < 0 || q.Name == "" {
		return fault.New(fault.Invalid, fault.CodeInvalidFormat, "there is no sequence %q", q.Name)
	}
	return tx.ReserveID(port.Sequence(n), q.Last)
}
