package port

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// Requests keeps what is left of the requests that were answered. It is no part of a
// unit of work: it may be slow or away while the Store is not, and nothing that a
// request does depends on it. What it keeps of bodies nobody can read who reads the
// storage.
type Requests interface {
	// Add stores requests, all or none. One whose id is there already stays as it is.
	Add(context.Context, []trace.Request) error
	// Get finds the request with an id, of whatever site; a request that is not there
	// is fault.NotFound.
	Get(ctx context.Context, id string) (trace.Request, error)
	// Find lists at most n requests that the filter matches, the latest first, from
	// behind the cursor on. They come without query and bodies.
	Find(ctx context.Context, f trace.Filter, after trace.Cursor, n int) ([]trace.Request, error)
	// Forget removes query and bodies of all requests about a customer, also of those
	// that are added later.
	Forget(context.Context, site.ID, customer.ID) error
	// Purge removes requests beyond the limits, the oldest first, and reports how
	// many. It removes about n at most; a store that keeps each day by itself may
	// remove a whole day at once.
	Purge(ctx context.Context, l trace.Limits, n int) (int, error)
}

// Traffic keeps counts of requests. Like Requests it is no part of a unit of work.
type Traffic interface {
	// Count adds to the counts, all or none. What is counted of one kind and width
	// within one minute or hour adds up, and so does what a client used of one
	// deprecated name on one day, of which the last id stays.
	Count(context.Context, []trace.Count, []trace.Deprecated) error
	// Counts lists those of a site that have a width and begin within a time, from
	// included and until not, in the order of their start.
	Counts(ctx context.Context, id site.ID, width time.Duration, from, until time.Time) ([]trace.Count, error)
	// Totals adds up the counts of some sites that have a width and begin within a time, as Counts
	// has it, by site and class of status, in this order.
	Totals(ctx context.Context, of []site.ID, width time.Duration, from, until time.Time) ([]trace.Total, error)
	// Deprecated lists what the clients of a site used on each day, in the order of
	// the days.
	Deprecated(context.Context, site.ID) ([]trace.Deprecated, error)
	// PurgeCounts removes minutes that began before one moment, and hours and days
	// that began before another, about n of each at most, and reports how many.
	PurgeCounts(ctx context.Context, minutes, hours time.Time, n int) (int, error)
}
