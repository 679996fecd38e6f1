package siteapi

import (
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
)

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

// look gathers the next batch: from the products first, then from the ledger,
// and from the products again when old events were purged that had not been
// seen.
func (l *locator) look(tx port.Tx, turn port.Following) (batch, error) {
	head, err := tx.Ledger().Head(turn.Site)
	if err != nil {
		return batch{}, err
	}
	if !turn.Scanning {
		events, err := tx.Ledger().After(turn.Site, turn.Seq, lookahead)
		if err != nil {
			return batch{}, err
		}
		if turn.Seq >= head.Seq || len(events) > 0 && events[0].Seq == turn.Seq+1 {
			return l.amongEvents(tx, turn, events)
		}
		turn.Scanning, turn.Scanned = true, 0
	}
	if turn.Scanned == 0 {
		turn.Seq = head.Seq
	}
	return l.amongProducts(tx, turn)
}

func (l *locator) amongProducts(tx port.Tx, turn port.Following) (batch, error) {
	b := batch{after: turn}
	products, err := tx.Products().Scan(turn.Site, turn.Scanned, lookahead)
	for _, p := range products {
		if !b.add(p, l.Batch) {
			return b, err
		}
		b.after.Scanned = p.ID
	}
	b.after.Scanning = len(products) == lookahead
	return b, err
}

func (l *locator) amongEvents(tx port.Tx, turn port.Following, events []event.Event) (batch, error) {
	b := batch{after: turn}
	var ids []product.ID
	for _, e := range events {
		if e.Type.Resource() == event.ProductUpdate.Resource() {
			ids = append(ids, product.ID(e.Resource))
		}
	}
	living, err := tx.Products().Many(turn.Site, ids)
	if err != nil {
		return b, err
	}
	unseen := make(map[product.ID]product.Product, len(living))
	for _, p := range living {
		unseen[p.ID] = p
	}
	for _, e := range events {
		if id := product.ID(e.Resource); e.Type.Resource() == event.ProductUpdate.Resource() {
			if p, found := unseen[id]; found && !b.add(p, l.Batch) {
				break
			}
			delete(unseen, id)
		}
		b.after.Seq = e.Seq
	}
	return b, nil
}
