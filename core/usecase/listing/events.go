package listing

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// ReadEvents asks what happened to a product.
type ReadEvents struct {
	ID int64
	// Before is the NextCursor of the page before.
	Before opt.Field[int64]
}

// ProductEvents is a page of what happened to a product, latest first.
type ProductEvents struct {
	Data []ProductEvent
	// NextCursor is nil when there is nothing more.
	NextCursor *int64
}

// ProductEvent is something that happened to a product.
type ProductEvent struct {
	ID   int64
	Type string
	At   kernel.Instant
	// Changed names what an update changed, as product.Differences does.
	Changed []string
}

const eventsPerPage = 50

// aboutProducts returns the types of event whose resource is a product; an action may
// also be about a customer.
func aboutProducts() []event.Type {
	return []event.Type{event.ProductCreate, event.ProductUpdate, event.ProductDelete, event.MandateCreate, event.MandateUpdate, event.ActionCreate}
}

func (u Unit) productEvents(in ReadEvents) (ProductEvents, error) {
	if _, err := Products.Get(u, product.ID(in.ID)); err != nil {
		return ProductEvents{}, err
	}
	var problems fault.Problems
	q := port.EventQuery{Site: u.Site.ID, Resource: in.ID, Below: kernel.ID[int64]("before", in.Before, &problems), Limit: eventsPerPage + 1}
	for _, t := range aboutProducts() {
		if kernel.MayHear(u.Grant.Packs, t) {
			q.Types = append(q.Types, t)
		}
	}
	if err := problems.Err(); err != nil {
		return ProductEvents{}, err
	}
	found, err := u.Ledger().Find(q)
	page := ProductEvents{Data: []ProductEvent{}}
	if len(found) > eventsPerPage {
		found = found[:eventsPerPage]
		page.NextCursor = &found[eventsPerPage-1].Seq
	}
	for _, e := range found {
		if e.Type != event.ActionCreate || e.Subject == event.ProductUpdate.Resource() {
			page.Data = append(page.Data, ProductEvent{ID: e.Seq, Type: string(e.Type), At: kernel.Instant{Time: e.At}, Changed: u.shownNames(e.Changes())})
		}
	}
	return page, err
}

// shownNames leaves out what a public caller is not shown of products.
func (u Unit) shownNames(names []string) []string {
	if !u.IsPublic() {
		return names
	}
	internal := InternalNames()
	return slices.DeleteFunc(names, func(name string) bool { return u.Site.Veil.Private[name] || slices.Contains(internal, name) })
}
