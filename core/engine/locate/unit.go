package locate

import (
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// unit is what runs inside a unit of work.
type unit struct{ kernel.Unit }

// lookahead is how many events or products are looked through at a time.
const lookahead = 250

// question is a product whose address is looked up.
type question struct {
	id      product.ID
	address product.Address
}

// batch is what to look up next, and where the locator stands when that is done.
type batch struct {
	questions []question
	after     port.Following
}

// add notes a product if its address has to be looked up. It reports false when
// the batch is full.
func (b *batch) add(p product.Product, limit int) bool {
	address, needed := p.Unlocated()
	if !needed {
		return true
	}
	if len(b.questions) == limit {
		return false
	}
	b.questions = append(b.questions, question{p.ID, address})
	return true
}

// nextBatch gathers the next batch: from the products first, then from the
// ledger, and from the products again when old events were purged that had not
// been seen.
func (u unit) nextBatch(from port.Following, limit int) (batch, error) {
	head, err := u.Ledger().Head(from.Site)
	if err != nil {
		return batch{}, err
	}
	if !from.Scanning {
		events, err := u.Ledger().After(from.Site, from.Seq, lookahead)
		if err != nil {
			return batch{}, err
		}
		if from.Seq >= head.Seq || len(events) > 0 && events[0].Seq == from.Seq+1 {
			return u.amongEvents(from, events, limit)
		}
		from.Scanning, from.Scanned = true, 0
	}
	if from.Scanned == 0 {
		from.Seq = head.Seq
	}
	return u.amongProducts(from, limit)
}

func (u unit) amongProducts(from port.Following, limit int) (batch, error) {
	b := batch{after: from}
	products, err := u.Products().Scan(from.Site, from.Scanned, lookahead)
	for _, p := range products {
		if !b.add(p, limit) {
			return b, err
		}
		b.after.Scanned = p.ID
	}
	b.after.Scanning = len(products) == lookahead
	return b, err
}

func (u unit) amongEvents(from port.Following, events []event.Event, limit int) (batch, error) {
	b := batch{after: from}
	var ids []product.ID
	for _, e := range events {
		if e.Type.Resource() == event.ProductUpdate.Resource() {
			ids = append(ids, product.ID(e.Resource))
		}
	}
	living, err := u.Products().Many(from.Site, ids)
	if err != nil {
		return b, err
	}
	unseen := make(map[product.ID]product.Product, len(living))
	for _, p := range living {
		unseen[p.ID] = p
	}
	for _, e := range events {
		if id := product.ID(e.Resource); e.Type.Resource() == event.ProductUpdate.Resource() {
			if p, found := unseen[id]; found && !b.add(p, limit) {
				break
			}
			delete(unseen, id)
		}
		b.after.Seq = e.Seq
	}
	return b, nil
}

// storePlace stores an answer, unless the product has another address by now:
// then an event tells of that. An answer that moves nothing is stored without an
// event. Products of any agency are located, in scope or not.
func (u unit) storePlace(q question, place product.Place) error {
	before, err := u.Products().Get(u.Site.ID, q.id)
	if err != nil {
		return kernel.AbsentIs(err, nil)
	}
	after := before.Clone()
	switch {
	case !after.Locate(q.address, place):
		return nil
	case after.Same(before):
		return u.Products().Replace(after)
	}
	_, err = listing.Products.Change(u, before, kernel.IfMatch{}, func(product.Product) (product.Product, error) { return after, nil })
	return err
}
