package listing

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// related is what blocks show of some products that is not in the products
// themselves. Each part is read for all of them at once.
type related struct {
	owners       map[customer.ID]customer.Customer
	history, log map[int64][]customer.Action
	tallies      map[int64]customer.ActionTally
	rejections   map[product.ID][]webhook.Rejection
	hosts        map[webhook.ID]string // of the receivers, where there are rejections
	placements   map[product.ID]operator.Placements
	agreements   agreements
	agenda       agenda
}

// related reads what the blocks asked for need.
func (u Unit) related(products []product.Product, known *rejected, parts product.Parts) (r related, err error) {
	if parts.Has(product.Owner) {
		if r.owners, err = ownersOf(u.Unit, products); err != nil {
			return r, err
		}
	}
	if r.rejections, err = u.rejections(known, products); err != nil {
		return r, err
	}
	if len(r.rejections) > 0 && parts&namingReceivers != 0 {
		if r.hosts, err = u.receiverHosts(); err != nil {
			return r, err
		}
	}
	ids := make([]int64, len(products))
	for i, p := range products {
		ids[i] = int64(p.ID)
	}
	if parts&namingReceivers != 0 && len(u.Site.Portals) > 0 && !u.IsPublic() {
		if r.placements, err = u.placements(products); err != nil {
			return r, err
		}
	}
	if parts.Has(product.SaleAgreement) || parts.Has(product.ActiveSaleAgreement) {
		if r.agreements, err = u.agreements(products); err != nil {
			return r, err
		}
	}
	if r.agenda, err = u.agenda(products, parts); err != nil {
		return r, err
	}
	types := u.Site.ActionTypes
	if parts.Has(product.ActionsHistory) {
		if r.history, err = u.latestActions(ids, types.InHistory()); err != nil {
			return r, err
		}
	}
	if parts.Has(product.LogActions) {
		if r.log, err = u.latestActions(ids, nil); err != nil {
			return r, err
		}
	}
	if parts.Has(product.Statistic) {
		tallies, err := u.Actions().Tally(u.Site.ID, customer.AimedAtProduct, ids, types.Visits(), u.Now)
		if err != nil {
			return r, err
		}
		r.tallies = make(map[int64]customer.ActionTally, len(tallies))
		for _, t := range tallies {
			r.tallies[t.Subject] = t
		}
	}
	return r, nil
}

// latestActions returns the latest actions about some products, by product.
func (u Unit) latestActions(products []int64, types []customer.ActionTypeID) (map[int64][]customer.Action, error) {
	found, err := u.Actions().Latest(u.Site.ID, customer.AimedAtProduct, products, types, maxLatestActions)
	about := make(map[int64][]customer.Action, len(products))
	for _, a := range found {
		about[a.Subject.ID] = append(about[a.Subject.ID], a)
	}
	return about, err
}
