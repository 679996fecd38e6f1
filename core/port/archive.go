package port

import (
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// ErrTaken is what Records.Restore returns when something is there already under
// the key of a record. The unit of work cannot go on, and fails whatever its
// function returns.
var ErrTaken = errors.New("something with this key is there already")

// Records goes through the records of one kind of a site, whatever their state,
// and stores such records as they were.
type Records[T any] interface {
	// After lists at most n records of a site in the order of their keys: those
	// behind the given one, or from the first on when it is nil.
	After(id site.ID, last *T, n int) ([]T, error)
	// Restore stores records, each under its own key and with its own times. What
	// other roles keep beside such records they keep of these, too. Ids are not
	// reserved: that is ReserveID's business.
	Restore([]T) error
}

// Archive is for those who carry a site away whole: what the other roles cannot
// list, or can store in a new state only. The comment of a kind is its key.
type Archive struct {
	// Ledgers has one record for a site. It is restored before the site is put.
	Ledgers Records[LedgerState]
	// Events: the sequence.
	Events Records[event.Event]
	// Families: the id, which other sites have no family of either.
	Families Records[access.Family]
	// Tokens: family and hash. No other site has a token of this hash.
	Tokens Records[access.Token]
	// Products: the id. The deleted and purged ones are among them, and their
	// references stay taken.
	Products Records[StoredProduct]
	// Counters: the agency.
	Counters Records[ReferenceCounter]
	// DealNumbers: agency and kind.
	DealNumbers Records[DealNumber]
	// ImportedBusy: user and source.
	ImportedBusy Records[slot.Imported]
	// Claims: the claimed key.
	Claims Records[LeadClaim]
	// Actions: the id.
	Actions Records[customer.Action]
	// Deliveries: webhook and id.
	Deliveries Records[webhook.Delivery]
	// Attempts: delivery and number.
	Attempts Records[DeliveryAttempt]
	// Rejections: kind, resource and webhook.
	Rejections Records[webhook.Rejection]
	// Redactions: kind and resource.
	Redactions Records[Redaction]
	// Log: the id.
	Log Records[LogEntry]
}

// LedgerState is where the ledger of a site stands.
type LedgerState struct {
	Site site.ID
	// Seq and the others are those of Head.
	Seq, Settings, Access, Rejections int64
	// Last is when the last event happened.
	Last time.Time
}

// ReferenceCounter is the last number that was drawn or raised for the references
// of an agency.
type ReferenceCounter struct {
	Site   site.ID
	Agency site.AgencyID
	Last   int64
}

// StoredProduct is a product, whatever became of it.
type StoredProduct struct {
	product.Product
	// Purged tells that only what keeps its id and reference taken is left.
	Purged bool
}

// LeadClaim says which lead a key stands for.
type LeadClaim struct {
	Site site.ID
	Key  string
	demand.Claim
}

// DeliveryAttempt is an attempt of a delivery.
type DeliveryAttempt struct {
	Site     site.ID
	Delivery webhook.DeliveryID
	webhook.Attempt
}

// Redaction is a resource about which nothing is kept of what receivers say.
type Redaction struct {
	Site     site.ID
	Kind     string
	Resource int64
}
