package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Followers remembers how far each follower has come, which reads the ledgers of
// all sites to do something after the commit, and shares the sites out among
// processes. A follower is known by its name. At every site it begins by going
// through the products: the events about them may have been purged.
type Followers interface {
	// Take gives holder the lease to follow one site until the given moment: an open
	// site that nobody follows at now, and whose products the follower has yet to
	// go through or whose ledger has events it has not seen. The one that was not
	// served for longest comes first. found is false when there is none.
	Take(name, holder string, now, until time.Time) (f Following, found bool, err error)
	// Release gives up a lease and keeps how far it came. A lease that is somebody
	// else's by now stays as it is.
	Release(Following) error
	// Behind counts, over all open sites, the events a follower has not seen, and the
	// sites whose products it has yet to go through.
	Behind(name string) (events int64, sites int, err error)
}

// Following is the lease to follow one site.
type Following struct {
	Name   string
	Site   site.ID
	Holder string
	// Seq is the last event seen.
	Seq int64
	// Scanning tells that the follower goes through the products, in the order
	// of their ids, before it goes on with the events after Seq; Scanned is the
	// last one seen.
	Scanning bool
	Scanned  product.ID
}
