package siteapi

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// beside is what blocks show of some products that is not in the products
// themselves. Each part is read for all of them at once.
type beside struct {
	owners       map[customer.ID]customer.Customer
	history, log map[int64][]action.Action
	tallies      map[int64]action.Tally
	wanting      map[product.ID]int // how many search requests it matches
	rejections   map[product.ID][]webhook.Rejection
	hosts        map[webhook.ID]string // of the receivers, where there are rejections
}

// readBeside reads what the blocks asked for need.
func (c Caller) readBeside(tx port.Tx, products []product.Product, marked *marks, parts product.Parts, now time.Time) (b beside, err error) {
	if parts.Has(product.Owner) {
		if b.owners, err = ownersOf(tx, c.Site(), products); err != nil {
			return b, err
		}
	}
	if b.rejections, err = marksOf(tx, c.Site(), marked, products); err != nil {
		return b, err
	}
	if len(b.rejections) > 0 && parts&namingReceivers != 0 {
		if b.hosts, err = hostsOf(tx, c.Site()); err != nil {
			return b, err
		}
	}
	ids := make([]int64, len(products))
	for i, p := range products {
		ids[i] = int64(p.ID)
	}
	types := c.settings.actions
	if parts.Has(product.ActionsHistory) {
		if b.history, err = c.latest(tx, ids, types.InHistory()); err != nil {
			return b, err
		}
	}
	if parts.Has(product.LogActions) {
		if b.log, err = c.latest(tx, ids, nil); err != nil {
			return b, err
		}
	}
	if parts.Has(product.Statistic) {
		tallies, err := tx.Actions().Tally(c.Site(), action.Product, ids, types.Visits(), now)
		if err != nil {
			return b, err
		}
		b.tallies = make(map[int64]action.Tally, len(tallies))
		for _, t := range tallies {
			b.tallies[t.Subject] = t
		}
	}
	return b, nil
}

// latest are the latest actions about some products, by product.
func (c Caller) latest(tx port.Tx, products []int64, types []action.TypeID) (map[int64][]action.Action, error) {
	found, err := tx.Actions().Latest(c.Site(), action.Product, products, types, latestActions)
	about := make(map[int64][]action.Action, len(products))
	for _, a := range found {
		about[a.Subject.ID] = append(about[a.Subject.ID], a)
	}
	return about, err
}
