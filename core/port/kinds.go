package port

import (
	"math"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// Kinds are the kinds of record that stores keep by Records. A new one is an entry here, a
// method of Tx, and a migration that makes its table.
var Kinds = []Kind{
	agencies, users, keys, definitions, lists, actionTypes, appointmentTypes, scopeChanges, merged, searchRequests, followUps, leads, offers, agreements, lettings,
	signings, webhookAuths, logEntries, appointments, duties, schedules, importedBusy, bookingSettings, holds, bookings, feeds,
	importSources, sourcedProducts, publicationTargets, targetRuns, placements,
	operators, operatorEmails, sessions, invitations, passkeys, challenges, identities, auditEntries, alertBoards, alertChannels, alertNotices,
}

var agencies = &kind[site.AgencyID, site.Agency]{
	name: "agency",
	key:  func(a *site.Agency) (*site.ID, *site.AgencyID) { return &a.Site, &a.ID },
}

// Agencies returns the role of the agencies.
func (t Tx) Agencies() Agencies {
	return Agencies{SiteTable[site.AgencyID, site.Agency]{tableOf(t, agencies)}}
}

var keys = &kind[access.KeyID, access.Key]{
	name: "api_key",
	key:  func(k *access.Key) (*site.ID, *access.KeyID) { return &k.Site, &k.ID },
	found: func(k access.Key) Found {
		return Found{Fields: []Field{{"credential_id", string(k.Credential)}, {"hash", string(k.Hash)}}}
	},
}

// Keys returns the role of the API keys.
func (t Tx) Keys() Keys { return Keys{SiteTable[access.KeyID, access.Key]{tableOf(t, keys)}} }

var users = &kind[site.UserID, site.User]{
	name: "site_user",
	key:  func(u *site.User) (*site.ID, *site.UserID) { return &u.Site, &u.ID },
}

// Users returns the role of the agents and collaborators.
func (t Tx) Users() Users { return Users{tableOf(t, users)} }

var definitions = &kind[criteria.ID, Word[criteria.Definition]]{
	name: "criterion",
	key:  func(w *Word[criteria.Definition]) (*site.ID, *criteria.ID) { return &w.Site, &w.Of.ID },
}

// Criteria returns the role of the criteria definitions.
func (t Tx) Criteria() Criteria { return Criteria{tableOf(t, definitions)} }

var lists = &kind[criteria.ListID, Word[criteria.List]]{
	name: "list",
	key:  func(w *Word[criteria.List]) (*site.ID, *criteria.ListID) { return &w.Site, &w.Of.ID },
}

// Lists returns the role of the lists of values.
func (t Tx) Lists() Lists { return Lists{tableOf(t, lists)} }

var actionTypes = &kind[customer.ActionTypeID, Word[customer.ActionType]]{
	name: "action_type",
	key:  func(w *Word[customer.ActionType]) (*site.ID, *customer.ActionTypeID) { return &w.Site, &w.Of.ID },
}

// ActionTypes returns the role of the kinds of action.
func (t Tx) ActionTypes() ActionTypes { return ActionTypes{tableOf(t, actionTypes)} }

var appointmentTypes = &kind[planning.TypeID, Word[planning.Type]]{
	name: "appointment_type",
	key:  func(w *Word[planning.Type]) (*site.ID, *planning.TypeID) { return &w.Site, &w.Of.ID },
}

// AppointmentTypes returns the role of the kinds of appointment.
func (t Tx) AppointmentTypes() AppointmentTypes {
	return AppointmentTypes{tableOf(t, appointmentTypes)}
}

var scopeChanges = &kind[site.ScopeChangeID, site.ScopeChange]{
	name: "scope_change",
	key:  func(c *site.ScopeChange) (*site.ID, *site.ScopeChangeID) { return &c.Site, &c.ID },
}

// ScopeChanges returns the role of the changes of scope that are yet to be told of.
func (t Tx) ScopeChanges() ScopeChanges { return tableOf(t, scopeChanges) }

var merged = &kind[customer.ID, customer.Merged]{
	name: "merged_customer",
	key:  func(m *customer.Merged) (*site.ID, *customer.ID) { return &m.Site, &m.ID },
}

// Merged returns the role of what became of customers that were joined with others.
func (t Tx) Merged() Merged { return tableOf(t, merged) }

var searchRequests = &kind[demand.SearchID, demand.SearchRequest]{
	name:  "search_request",
	key:   func(s *demand.SearchRequest) (*site.ID, *demand.SearchID) { return &s.Site, &s.ID },
	found: func(s demand.SearchRequest) Found { return Found{Fields: []Field{{"customer_id", int64(s.Customer)}}} },
}

// SearchRequests returns the role of what customers look for.
func (t Tx) SearchRequests() SearchRequests { return SearchRequests{tableOf(t, searchRequests)} }

var followUps = &kind[demand.FollowUpID, demand.FollowUp]{
	name:  "follow_up",
	key:   func(f *demand.FollowUp) (*site.ID, *demand.FollowUpID) { return &f.Site, &f.ID },
	found: func(f demand.FollowUp) Found { return Found{Fields: []Field{{"customer_id", int64(f.Customer)}}} },
}

// FollowUps returns the role of what customers think of products.
func (t Tx) FollowUps() FollowUps { return FollowUps{tableOf(t, followUps)} }

var leads = &kind[demand.LeadID, demand.Lead]{
	name: "lead",
	key:  func(l *demand.Lead) (*site.ID, *demand.LeadID) { return &l.Site, &l.ID },
	found: func(l demand.Lead) Found {
		return Found{Fields: []Field{
			{"agency_id", int64(l.Agency)}, {"customer_id", int64(l.Customer)}, {"kind", string(l.Kind)}, {"status", l.Status},
		}}
	},
}

// Leads returns the role of the leads.
func (t Tx) Leads() Leads { return Leads{CustomerTable[demand.LeadID, demand.Lead]{tableOf(t, leads)}} }

var offers = &kind[offer.ID, offer.Offer]{
	name:  "sale_offer",
	key:   func(o *offer.Offer) (*site.ID, *offer.ID) { return &o.Site, &o.ID },
	found: func(o offer.Offer) Found { return dealFound(deal.OfOffer(o)) }, links: []string{party},
}

// Offers returns the role of the offers.
func (t Tx) Offers() Offers { return Offers{tableOf(t, offers), deal.OfOffer} }

var agreements = &kind[agreement.ID, agreement.Agreement]{
	name:  "sale_agreement",
	key:   func(a *agreement.Agreement) (*site.ID, *agreement.ID) { return &a.Site, &a.ID },
	found: func(a agreement.Agreement) Found { return dealFound(deal.OfAgreement(a)) }, links: []string{party},
}

// Agreements returns the role of the sale agreements.
func (t Tx) Agreements() Agreements { return Agreements{tableOf(t, agreements), deal.OfAgreement} }

var lettings = &kind[letting.ID, letting.Lease]{
	name:  "letting",
	key:   func(l *letting.Lease) (*site.ID, *letting.ID) { return &l.Site, &l.ID },
	found: func(l letting.Lease) Found { return dealFound(deal.OfLease(l)) }, links: []string{party},
}

// Lettings returns the role of the leases.
func (t Tx) Lettings() Lettings { return Lettings{tableOf(t, lettings), deal.OfLease} }

// party is the link of a deal to a customer.
const party = "party"

// phases are how many of what is ahead of a deal there are fields for.
const phases = 2

// dealFound returns what a deal is found by.
func dealFound(f deal.Facts) Found {
	var ahead [phases]transition.Phase
	copy(ahead[:], f.Ahead)
	found := Found{Fields: []Field{
		{"agency_id", int64(f.Agency)}, {"user_id", int64(f.User)}, {"product_id", int64(f.Product)}, {"offer_id", int64(f.Offer)},
		{"type", f.Type}, {"status", f.Status},
		{"due_at", ahead[0].From}, {"due_status", ahead[0].Status}, {"later_at", ahead[1].From}, {"later_status", ahead[1].Status},
		{"day", int64(f.Date)}, {"amount", int64(f.Amount)}, {"added_at", f.Added.UnixMicro()}, {"modified_at", f.Modified.UnixMicro()},
	}}
	for _, c := range f.Parties {
		found.Links = append(found.Links, Link{party, int64(c)})
	}
	return found
}

var signings = &kind[webhook.ID, webhook.Signing]{
	name:   "webhook_signing",
	key:    func(s *webhook.Signing) (*site.ID, *webhook.ID) { return &s.Site, &s.Hook },
	sealed: true,
}

// Signings returns the role of what webhooks sign with.
func (t Tx) Signings() Signings { return tableOf(t, signings) }

var webhookAuths = &kind[webhook.AuthID, webhook.Auth]{
	name:   "webhook_auth",
	key:    func(a *webhook.Auth) (*site.ID, *webhook.AuthID) { return &a.Site, &a.ID },
	sealed: true,
}

// WebhookAuths returns the role of how webhooks show who they are.
func (t Tx) WebhookAuths() WebhookAuths { return WebhookAuths{tableOf(t, webhookAuths)} }

var logEntries = &kind[int64, LogEntry]{
	name:  "app_log",
	key:   func(e *LogEntry) (*site.ID, *int64) { return &e.Site, &e.ID },
	found: func(e LogEntry) Found { return Found{Fields: []Field{{"logged_at", e.At}}} },
}

// Log returns the role of the application log.
func (t Tx) Log() Log { return Log{tableOf(t, logEntries), t} }

var appointments = &kind[planning.ID, planning.Appointment]{
	name:  "appointment",
	key:   func(a *planning.Appointment) (*site.ID, *planning.ID) { return &a.Site, &a.ID },
	links: []string{"user", "customer", "product"},
	found: func(a planning.Appointment) Found {
		f := planning.Of(a)
		found := Found{From: f.From, Until: f.Until, Fields: []Field{
			{"agency_id", int64(f.Agency)}, {"type", f.Type}, {"status", string(f.Status)}, {"external_id", f.ExternalID}, {"recurs", f.Recurs},
			{"start_at", f.Start.UnixMicro()}, {"from_at", f.From.UnixMicro()}, {"until_at", endOf(f.Until)},
			{"due_at", f.Due}, {"modified_at", f.Modified.UnixMicro()},
		}}
		addLinks(&found, "user", f.Users)
		addLinks(&found, "customer", f.Customers)
		addLinks(&found, "product", f.Products)
		return found
	},
}

// Appointments returns the role of the appointments.
func (t Tx) Appointments() Appointments { return Appointments{tableOf(t, appointments)} }

func addLinks[ID ~int64](found *Found, name string, ids []ID) {
	for _, id := range ids {
		found.Links = append(found.Links, Link{name, int64(id)})
	}
}

// endOf is the field of an end. What has none, which is the zero time, ends later than
// anything that is asked for.
func endOf(until time.Time) int64 {
	if until.IsZero() {
		return math.MaxInt64
	}
	return until.UnixMicro()
}

var duties = &kind[planning.DutyID, planning.Duty]{
	name: "permanence",
	key:  func(p *planning.Duty) (*site.ID, *planning.DutyID) { return &p.Site, &p.ID },
	found: func(p planning.Duty) Found {
		return Found{Fields: []Field{
			{"agency_id", int64(p.Agency)}, {"user_id", int64(p.User)}, {"kind", string(p.Kind)},
			{"from_at", p.From.UnixMicro()}, {"until_at", endOf(p.Until)},
		}}
	},
}

// Duties returns the role of the duty rosters.
func (t Tx) Duties() Duties { return Duties{tableOf(t, duties)} }

var schedules = &kind[site.UserID, slot.Schedule]{
	name: "schedule",
	key:  func(s *slot.Schedule) (*site.ID, *site.UserID) { return &s.Site, &s.User },
}

// Schedules returns the role of when users work.
func (t Tx) Schedules() Schedules { return tableOf(t, schedules) }

var importedBusy = &kind[site.UserID, importedOfUser]{
	name: "imported_busy",
	key:  func(i *importedOfUser) (*site.ID, *site.UserID) { return &i.Site, &i.User },
}

// ImportedBusy returns the role of when calendars elsewhere say that users are busy.
func (t Tx) ImportedBusy() ImportedBusy { return ImportedBusy{tableOf(t, importedBusy)} }

var bookingSettings = &kind[site.AgencyID, planning.BookingSettings]{
	name: "booking_settings",
	key:  func(s *planning.BookingSettings) (*site.ID, *site.AgencyID) { return &s.Site, &s.Agency },
}

// BookingSettings returns the role of what visitors can book.
func (t Tx) BookingSettings() BookingSettings { return tableOf(t, bookingSettings) }

var holds = &kind[planning.HoldID, planning.Hold]{
	name: "booking_hold",
	key:  func(h *planning.Hold) (*site.ID, *planning.HoldID) { return &h.Site, &h.ID },
	found: func(h planning.Hold) Found {
		return Found{Fields: []Field{
			{"user_id", int64(h.User)}, {"product_id", int64(h.Product)}, {"credential_id", string(h.Credential)}, {"expires_at", h.Expires},
		}}
	},
}

// Holds returns the role of the time that is kept for visitors.
func (t Tx) Holds() Holds { return Holds{tableOf(t, holds)} }

var bookings = &kind[planning.BookingID, planning.Booking]{
	name:  "booking",
	key:   func(b *planning.Booking) (*site.ID, *planning.BookingID) { return &b.Site, &b.ID },
	found: func(b planning.Booking) Found { return Found{Fields: []Field{{"customer_id", int64(b.Customer)}}} },
}

// Bookings returns the role of what was booked.
func (t Tx) Bookings() Bookings { return Bookings{tableOf(t, bookings)} }

var feeds = &kind[site.UserID, planning.Feed]{
	name:  "calendar_feed",
	key:   func(f *planning.Feed) (*site.ID, *site.UserID) { return &f.Site, &f.User },
	found: func(f planning.Feed) Found { return Found{Fields: []Field{{"token_hash", string(f.Token)}}} },
}

// Feeds returns the role of the calendar feeds.
func (t Tx) Feeds() Feeds { return Feeds{tableOf(t, feeds)} }

var importSources = &kind[operator.ImportSourceID, operator.ImportSource]{
	name:   "import_source",
	key:    func(s *operator.ImportSource) (*site.ID, *operator.ImportSourceID) { return &s.Site, &s.ID },
	found:  func(s operator.ImportSource) Found { return dueFound(s.State.Due, s.Settings.Paused) },
	sealed: true, // an address may have a password
}

// ImportSources returns the role of where listings come from again and again.
func (t Tx) ImportSources() ImportSources {
	return ImportSources{SiteTable[operator.ImportSourceID, operator.ImportSource]{tableOf(t, importSources)}}
}

var sourcedProducts = &kind[product.ID, operator.SourcedProduct]{
	name:  "sourced_product",
	key:   func(s *operator.SourcedProduct) (*site.ID, *product.ID) { return &s.Site, &s.Product },
	found: func(s operator.SourcedProduct) Found { return Found{Fields: []Field{{"source_id", int64(s.Source)}}} },
}

// SourcedProducts returns the role of what is known of products that a source named.
func (t Tx) SourcedProducts() SourcedProducts { return SourcedProducts{tableOf(t, sourcedProducts)} }

// dueFound is what is found when it is due, and never while it is paused.
func dueFound(due time.Time, paused bool) Found {
	if paused {
		due = time.Time{}
	}
	return Found{Fields: []Field{{"due_at", due}}}
}

var publicationTargets = &kind[operator.TargetID, operator.PublicationTarget]{
	name:   "publication_target",
	key:    func(t *operator.PublicationTarget) (*site.ID, *operator.TargetID) { return &t.Site, &t.ID },
	found:  func(t operator.PublicationTarget) Found { return dueFound(t.State.Due, t.Settings.Paused) },
	sealed: true, // an address may have a password
}

// PublicationTargets returns the role of the portals that get listings.
func (t Tx) PublicationTargets() PublicationTargets {
	return PublicationTargets{SiteTable[operator.TargetID, operator.PublicationTarget]{tableOf(t, publicationTargets)}}
}

var targetRuns = &kind[operator.TargetRunID, operator.TargetRun]{
	name:  "publication_run",
	key:   func(r *operator.TargetRun) (*site.ID, *operator.TargetRunID) { return &r.Site, &r.ID },
	found: func(r operator.TargetRun) Found { return Found{Fields: []Field{{"target_id", int64(r.Target)}}} },
}

// TargetRuns returns the role of what was handed over to portals.
func (t Tx) TargetRuns() TargetRuns { return TargetRuns{tableOf(t, targetRuns)} }

var placements = &kind[product.ID, operator.Placements]{
	name:  "placement",
	key:   func(p *operator.Placements) (*site.ID, *product.ID) { return &p.Site, &p.Product },
	links: []string{"target"},
	found: func(p operator.Placements) (found Found) {
		for _, on := range p.On {
			addLinks(&found, "target", []operator.TargetID{on.Target})
		}
		return found
	},
}

// Placements returns the role of the portals that products are on.
func (t Tx) Placements() AllPlacements { return AllPlacements{tableOf(t, placements)} }

// ofInstallation is the site of records that are of none.
func ofInstallation() *site.ID { return new(site.ID) }

var operators = &kind[operator.ID, operator.Operator]{
	name:  "operator",
	key:   func(o *operator.Operator) (*site.ID, *operator.ID) { return ofInstallation(), &o.ID },
	found: func(o operator.Operator) Found { return Found{Fields: []Field{{"email", o.Email}}} },
}

var operatorEmails = &kind[string, operatorEmail]{
	name: "operator_email",
	key:  func(e *operatorEmail) (*site.ID, *string) { return ofInstallation(), &e.Email },
}

// Operators returns the role of who may sign in to the console.
func (t Tx) Operators() Operators {
	return Operators{installed(t, operators), installed(t, operatorEmails)}
}

var sessions = &kind[access.Hash, operator.Session]{
	name: "operator_session",
	key:  func(s *operator.Session) (*site.ID, *access.Hash) { return ofInstallation(), &s.Hash },
	found: func(s operator.Session) Found {
		return Found{Fields: []Field{{"operator_id", int64(s.Operator)}, {"seen_at", s.Seen}}}
	},
}

// Sessions returns the role of who has signed in.
func (t Tx) Sessions() Sessions { return Sessions{installed(t, sessions)} }

var invitations = &kind[access.Hash, operator.Invitation]{
	name:  "operator_invitation",
	key:   func(i *operator.Invitation) (*site.ID, *access.Hash) { return ofInstallation(), &i.Hash },
	found: func(i operator.Invitation) Found { return Found{Fields: []Field{{"expires_at", i.Expires}}} },
}

// Invitations returns the role of who may become an operator.
func (t Tx) Invitations() Invitations { return Invitations{installed(t, invitations)} }

var passkeys = &kind[string, operator.Passkey]{
	name:  "passkey",
	key:   func(p *operator.Passkey) (*site.ID, *string) { return ofInstallation(), &p.ID },
	found: func(p operator.Passkey) Found { return Found{Fields: []Field{{"operator_id", int64(p.Operator)}}} },
}

// Passkeys returns the role of the passkeys of operators.
func (t Tx) Passkeys() Passkeys { return Passkeys{installed(t, passkeys)} }

var challenges = &kind[access.Hash, operator.Challenge]{
	name:  "passkey_challenge",
	key:   func(c *operator.Challenge) (*site.ID, *access.Hash) { return ofInstallation(), &c.Hash },
	found: func(c operator.Challenge) Found { return Found{Fields: []Field{{"expires_at", c.Expires}}} },
}

// Challenges returns the role of what browsers were asked.
func (t Tx) Challenges() Challenges { return Challenges{installed(t, challenges)} }

var identities = &kind[string, operator.Identity]{
	name:  "operator_identity",
	key:   func(i *operator.Identity) (*site.ID, *string) { return ofInstallation(), &i.ID },
	found: func(i operator.Identity) Found { return Found{Fields: []Field{{"operator_id", int64(i.Operator)}}} },
}

// Identities returns the role of the accounts elsewhere by which operators sign in.
func (t Tx) Identities() Identities { return Identities{installed(t, identities)} }

var auditEntries = &kind[operator.EntryID, operator.Entry]{
	name: "audit",
	key:  func(e *operator.Entry) (*site.ID, *operator.EntryID) { return ofInstallation(), &e.ID },
	found: func(e operator.Entry) Found {
		return Found{Fields: []Field{{"done_at", e.At}, {"operator_id", int64(e.Operator)}, {"operation", e.Operation}, {"about", int64(e.Site)}}}
	},
}

// Audit returns the role of what operators did.
func (t Tx) Audit() Audit { return Audit{installed(t, auditEntries), t} }

var alertBoards = &kind[alert.BoardID, alert.Board]{
	name: "alert_board",
	key:  func(b *alert.Board) (*site.ID, *alert.BoardID) { return ofInstallation(), &b.ID },
}

var alertChannels = &kind[alert.ChannelID, alert.Channel]{
	name:   "alert_channel",
	key:    func(c *alert.Channel) (*site.ID, *alert.ChannelID) { return ofInstallation(), &c.ID },
	found:  func(c alert.Channel) Found { return Found{Fields: []Field{{"due_at", c.State.Due}}} },
	sealed: true, // an address may be a secret
}

var alertNotices = &kind[alert.NoticeID, alert.Notice]{
	name:  "alert_notice",
	key:   func(n *alert.Notice) (*site.ID, *alert.NoticeID) { return ofInstallation(), &n.ID },
	found: func(n alert.Notice) Found { return Found{Fields: []Field{{"channel_id", int64(n.Channel)}}} },
}

// Alerts returns the role of what stands, and of whom to tell it.
func (t Tx) Alerts() Alerts {
	return Alerts{installed(t, alertBoards), AlertChannels{installed(t, alertChannels)}, installed(t, alertNotices)}
}
