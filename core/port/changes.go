package port

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Changes reads what has changed at a site since an event of its ledger, for those who keep
// something of it in memory: at most n events, in order, with the records that they are
// about, as of one moment. It sees every unit of work that had committed when it was called.
// It is for a Store that can tell this by one read; of others the same is asked in a unit of
// work. A site that does not exist has no events.
type Changes interface {
	Products(ctx context.Context, id site.ID, after int64, n int) (ProductChanges, error)
	SearchRequests(ctx context.Context, id site.ID, after int64, n int) (SearchChanges, error)
}

// ProductChanges are events of a site, and what they have made of its products.
type ProductChanges struct {
	Events []event.Event
	// Products are the living ones that the events are about, and those of the customers
	// that the events are about, by id, as Products.Scan lists them.
	Products []product.Product
	// Owners are the customers that own them, by id, as Customers.Scan lists them.
	Owners []customer.Customer
}

// SearchChanges are events of a site, and what they have made of its search requests.
type SearchChanges struct {
	Events []event.Event
	// Requests are those that the events are about and that there are, by id.
	Requests []demand.SearchRequest
}
