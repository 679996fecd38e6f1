// Package port says what the world must supply. Each port is small; its law is
// code in package porttest, and package memstore is its model.
package port

import (
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ErrReferenceTaken is what Products.Add and Products.Replace return when
// another product of the agency, living or deleted, has the same reference,
// case and accents aside.
var ErrReferenceTaken = errors.New("the reference is taken")

// Store is the system of record. Everything but Head happens in a unit of work.
//
// Errors: what is absent is fault.NotFound; a store that cannot be reached, or
// does not know whether a unit was committed, answers fault.Unavailable; a
// context that ended shows as its own error.
type Store interface {
	// Head is the present state of a site in a few numbers. It is read before
	// every request, so it must be one cheap read; it sees every unit of work
	// that had committed when it was called. An unknown site is
	// fault.NotFound.
	Head(ctx context.Context, id site.ID) (Head, error)

	// View runs fn against one consistent snapshot. Writing in it is an error.
	View(ctx context.Context, fn func(Tx) error) error

	// Update runs fn in one unit of work: if fn returns nil all its writes
	// become visible at once, otherwise none do. A product, token family, counter
	// or record of a kind that fn gets is held until the unit ends, so that
	// units touching the same one take turns. fn may run more than once and must not
	// keep state between runs.
	Update(ctx context.Context, fn func(Tx) error) error
}

// Head is the present state of a site. Whoever has seen the same number has
// seen everything up to it.
type Head struct {
	// Seq is the sequence of the last event in the site's ledger.
	Seq int64
	// Settings grows when the site, its agencies, users, criteria, lists or
	// action types change.
	Settings int64
	// Access grows when a credential or API key of the site changes or a token is
	// revoked.
	Access int64
	// Rejections grows when the rejections of the site change.
	Rejections int64
	// State is what is done for the site here.
	State site.State
}

// Aspect is a part of a site's state that has no ledger of its own.
type Aspect uint8

const (
	// AspectSettings is what Head.Settings counts.
	AspectSettings Aspect = iota
	// AspectAccess is what Head.Access counts.
	AspectAccess
	// AspectRejections is what Head.Rejections counts.
	AspectRejections
)

// Sequence is a kind of record whose ids the store draws.
type Sequence uint8

// The sequences.
const (
	ProductIDs Sequence = iota
	RoomIDs
	CustomerIDs
	FamilyIDs
	WebhookIDs
	WebhookAuthIDs
	DeliveryIDs
	PictureIDs
	ActionIDs
	SearchIDs
	FollowUpIDs
	LeadIDs
	ScopeChangeIDs
	OfferIDs
	AgreementIDs
	LeaseIDs
	AppointmentIDs
	DutyIDs
	HoldIDs
	BookingIDs
	KeyIDs
	OperatorIDs
	ImportIDs
	// LogIDs are drawn by Log itself.
	LogIDs
	// AuditIDs are drawn by Audit itself.
	AuditIDs
	// Sequences is the number of sequences.
	Sequences
)

// Tx is one unit of work. It carries the context it was opened with and is
// valid only inside the function it was given to. Values go in and come out as
// copies. It has the roles of a store, and those of the kinds in Kinds, which follow from
// Records.
type Tx struct{ Roles }

// Roles are what a store implements of a unit of work.
type Roles interface {
	Records() Records
	Ledger() Ledger
	Sites() Sites
	Actions() Actions
	Credentials() Credentials
	Tokens() Tokens
	Customers() Customers
	Claims() Claims
	Calendars() Calendars
	Products() Products
	Receipts() Receipts
	Webhooks() Webhooks
	Deliveries() Deliveries
	Rejections() Rejections
	Imports() Imports
	Sequencer
}

// Sequencer draws numbers: ids, which grow, are never drawn twice and may have gaps, and
// those of what agencies number.
type Sequencer interface {
	// NextIDs draws n ids in ascending order.
	NextIDs(s Sequence, n int) ([]int64, error)
	// ReserveID makes sure that id is never drawn, for records that come with
	// an id of their own.
	ReserveID(s Sequence, id int64) error
	// LastID is the highest id that was drawn or reserved, 0 before the first.
	LastID(s Sequence) (int64, error)
	// NextReference draws the next number for a reference of a product, above every number
	// drawn or raised before.
	NextReference(site.ID, site.AgencyID) (int64, error)
	// RaiseReference makes sure that NextReference draws above n.
	RaiseReference(id site.ID, agency site.AgencyID, n int64) error
	// NextDeal draws the next number of an offer, agreement, lease or visit slip: 1, 2, 3
	// and so on for each kind of each agency. A unit of work that fails draws none.
	NextDeal(site.ID, site.AgencyID, deal.Kind) (int64, error)
}

// Ledger is the record of everything that happened to the resources of a site.
type Ledger interface {
	// Append adds the events, if any, to the ledger of a site, in order, and
	// returns the last as it was recorded. Sequences grow by one without gaps,
	// also when units of work fail. The events get the time at, or that of the
	// event before them if that is later: times never fall while sequences rise.
	// The site's ledger is held until the unit ends, so append late. For a site that
	// takes no changes it fails as KeepOpen does, and so does Touch.
	Append(id site.ID, at time.Time, events []event.Event) (event.Event, error)
	// After lists at most n events with a sequence above seq, in order. They come without By,
	// Request and Values, which nobody needs who follows a ledger.
	After(id site.ID, seq int64, n int) ([]event.Event, error)
	// Find lists events of a site, latest first.
	Find(EventQuery) ([]event.Event, error)
	// Forget empties Values of the events about resources of a kind, such as CUSTOMER.
	Forget(id site.ID, kind string, resources []int64) error
	// Head is Store.Head as this unit of work sees it.
	Head(id site.ID) (Head, error)
	// Touch counts up an aspect of a site.
	Touch(id site.ID, aspect Aspect) error
	// KeepOpen fails with NotOpen if the site takes no changes, and otherwise has it
	// take them until the unit ends: whoever is about to move it waits for that, unless the
	// unit writes nothing. It is for units that write and neither append nor touch.
	KeepOpen(id site.ID) error
	// Purge removes at most n events that happened before the given moment, of
	// any site, the oldest first, and reports how many. Sequences go on as
	// before.
	Purge(before time.Time, n int) (int, error)

	// Follow gives holder the lease to follow one site until the given moment: an open
	// site that nobody follows at now, and whose products the follower has yet to
	// go through or whose ledger has events it has not seen. The one that was not
	// served for longest comes first. found is false when there is none.
	Follow(name, holder string, now, until time.Time) (f Following, found bool, err error)
	// StopFollowing gives up a lease and keeps how far it came. A lease that is somebody
	// else's by now stays as it is.
	StopFollowing(Following) error
	// Behind counts, over all open sites, the events a follower has not seen, and the
	// sites whose products it has yet to go through.
	Behind(name string) (events int64, sites int, err error)
}

// Following is the lease to follow one site, and how far its follower has come there. A
// follower reads the ledgers of all sites to do something after the commit, and is known by
// its name. At every site it begins with the products: the events about them may have been
// purged.
type Following struct {
	Name   string
	Site   site.ID
	Holder string
	// Seq is the last event seen.
	Seq int64
	// Scanning reports that the follower goes through the products, in the order
	// of their ids, before it goes on with the events after Seq; Scanned is the
	// last one seen.
	Scanning bool
	Scanned  product.ID
}

// EventQuery says which events are wanted. All of it must hold.
type EventQuery struct {
	Site site.ID
	// Types are the wanted ones; none is every one.
	Types []event.Type
	// Resource is the id of what they are about, whatever its kind; 0 is anything.
	Resource int64
	// Agency is the one they are of; 0 is any, and none.
	Agency site.AgencyID
	// From and To bound when they happened, From included; zero is no bound.
	From, To time.Time
	// Above and Below bound their sequences, both excluded; 0 is no bound.
	Above, Below int64
	// Request is the id of the request that caused them; empty is any, and none. It is looked
	// for among the events that the other fields want.
	Request string
	// Values asks for the values of what updates changed.
	Values bool
	Limit  int
}

// Sites holds the sites, without their agencies' records, and where they stand on their way
// from one store to another. Heads show the state of a site, too.
type Sites interface {
	Get(site.ID) (site.Site, error)
	// All lists the sites by id.
	All() ([]site.Site, error)
	Put(site.Site) error
	// Move returns how a site stands; one that never moved is Open. In an Update it is held
	// until the unit ends.
	Move(site.ID) (site.Move, error)
	// PutMove stores it. It waits for the units that keep the site open, and those that come
	// later find the new state.
	PutMove(site.Move) error
	// PurgeMoved removes at most n records of sites that Moved and were told of until before
	// the given moment, and reports how many. When nothing of a site is left, it is as
	// if it had never been here. Credentials stay, as they are.
	PurgeMoved(before time.Time, n int) (int, error)
}

// ScopeChanges holds the changes of scope that are yet to be told of.
type ScopeChanges = Table[site.ScopeChangeID, site.ScopeChange]

// Agencies holds the agencies of all sites, also those not in the manufacturers
// list of their site.
type Agencies struct {
	SiteTable[site.AgencyID, site.Agency]
}

// ByID returns the agency with an id, whatever its site.
func (a Agencies) ByID(id site.AgencyID) (site.Agency, error) {
	return a.first(Query{Where: []Condition{{Field: "id", Is: Equal, Value: int64(id)}}})
}

// LastID returns the highest id of an agency of any site; 0 before the first. In an Update that
// agency is held until the unit ends, so that units that add agencies take turns, whatever their
// sites.
func (a Agencies) LastID() (site.AgencyID, error) {
	for held := site.AgencyID(0); ; {
		last, err := a.find(Query{By: "id", Desc: true, Limit: 1})
		if err != nil || len(last) == 0 || last[0].ID == held {
			return held, err
		}
		// While it was waited for, there may have come another.
		switch _, err := a.Get(last[0].Site, last[0].ID); {
		case err == nil:
			held = last[0].ID
		case !errors.Is(err, fault.NotFound):
			return 0, err
		}
	}
}

// Users holds the agents and collaborators.
type Users = SiteTable[site.UserID, site.User]

// Criteria holds the criteria definitions of a site with their referentials.
type Criteria = Vocabulary[criteria.ID, criteria.Definition]

// Lists holds the lists of values of a site.
type Lists = Vocabulary[criteria.ListID, criteria.List]

// ActionTypes holds the kinds of action a site knows.
type ActionTypes = Vocabulary[customer.ActionTypeID, customer.ActionType]

// Credentials holds the clients of the API, when they and their keys were last used, and how
// many requests they sent on each day. A day is named by the moment at which it begins.
type Credentials interface {
	Get(access.CredentialID) (access.Credential, error)
	// Held is Get for whoever changes the credential: in an Update it is held until
	// the unit ends. Others, who are many, do not wait for each other.
	Held(access.CredentialID) (access.Credential, error)
	// All lists the credentials by id.
	All() ([]access.Credential, error)
	Put(access.Credential) error

	// Used stores that a credential or a key was used, unless a later use of it is known.
	Used(access.Use) error
	// LastUses lists the last uses by credential and key.
	LastUses() ([]access.Use, error)
	// CountRequests adds n requests to those a credential sent on a day. Units that add to
	// the same count take turns.
	CountRequests(day time.Time, of access.CredentialID, n int64) error
	// Requests is how many requests each credential sent on a day. Those that sent none
	// are missing.
	Requests(day time.Time) (map[access.CredentialID]int64, error)
	// PurgeRequests removes at most n counts of days before the given moment, those of the
	// oldest days first, and reports how many.
	PurgeRequests(before time.Time, n int) (int, error)
}

// Keys holds the API keys of all sites.
type Keys struct {
	SiteTable[access.KeyID, access.Key]
}

// ByHash returns the key of any site that has the hash.
func (k Keys) ByHash(hash access.Hash) (access.Key, error) {
	return k.first(Query{Where: []Condition{{Field: "hash", Is: Equal, Value: string(hash)}}})
}

// OfCredential lists the keys of a credential at all sites, by site and id.
func (k Keys) OfCredential(id access.CredentialID) ([]access.Key, error) {
	return k.find(Query{Where: []Condition{{Field: "credential_id", Is: Equal, Value: string(id)}}, Limit: All})
}

// Tokens holds tokens by their hash, and the families they belong to.
type Tokens interface {
	Get(access.Hash) (access.Token, error)
	Put(access.Token) error
	Family(access.FamilyID) (access.Family, error)
	PutFamily(access.Family) error
	// Purge removes at most n tokens that expired before the given moment, then
	// the families left without tokens, and reports how many tokens went.
	Purge(before time.Time, n int) (int, error)
	// Live is how many access tokens of a credential are good at a moment.
	Live(of access.CredentialID, at time.Time) (int, error)
	// Revoke revokes the token families of a credential, and reports how many were
	// not revoked before.
	Revoke(access.CredentialID) (int, error)
}

// Products holds the products, each with its criteria, rooms, descriptions and
// pictures.
type Products interface {
	// Get returns a living product; in an Update the product is held until the
	// unit ends.
	Get(site.ID, product.ID) (product.Product, error)
	// GetUnlocked is to Get what it is in a Table.
	GetUnlocked(site.ID, product.ID) (product.Product, error)
	// Many lists the living products among ids, by id.
	Many(site.ID, []product.ID) ([]product.Product, error)
	// Existing lists those of ids that are living products', by id.
	Existing(site.ID, []product.ID) ([]product.ID, error)
	// Scan lists at most n living products of a site with an id above after, by
	// id. They come without rooms, descriptions, pictures and what was derived,
	// none of which a search looks at.
	Scan(id site.ID, after product.ID, n int) ([]product.Product, error)
	// OwnedBy lists the living products a customer owns, by id; the customer 0 is
	// nobody.
	OwnedBy(site.ID, customer.ID) ([]product.Product, error)
	// Lots lists the living products that have this one as their parent, by id; the
	// parent 0 is none.
	Lots(id site.ID, parent product.ID) ([]product.ID, error)
	// Titled lists at most n of the living products of a site that are Titled by some folded words, the
	// last id first. It looks at the newest products by id alone, among which those that were deleted count.
	// A store may miss a title in which a letter with its accent is not one character.
	Titled(id site.ID, words []string, newest, n int) ([]product.ID, error)
	// Holder is the product of the agency, living or deleted, that has the
	// reference, case and accents aside.
	Holder(id site.ID, agency site.AgencyID, reference string) (product.ID, error)
	// Add stores a new product. On ErrReferenceTaken the unit of work is still
	// good and nothing was written.
	Add(product.Product) error
	// Replace stores a new state of a living product. A state with Deleted set
	// keeps its reference taken, and is no living product any more. After
	// ErrReferenceTaken the unit of work cannot go on, and fails whatever its
	// function returns.
	Replace(product.Product) error
	// Deleted returns a product that was deleted and not purged; in an Update it is
	// held until the unit ends.
	Deleted(site.ID, product.ID) (product.Product, error)
	// Kept lists the products among ids that are living, or were deleted and not
	// purged, by id.
	Kept(site.ID, []product.ID) ([]product.Product, error)
	// Restore stores a living state of a product that Deleted returns, with the
	// agency and reference it has.
	Restore(product.Product) error
	// Purge empties at most n products, of any site, that were deleted before the
	// given moment, the first deleted first, and reports how many. Nothing is left
	// of them but what keeps their ids and references taken; of actions about them
	// Actions.ForgetAbout holds.
	Purge(before time.Time, n int) (int, error)
}
