package listing

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

// agreements are the sale agreements about some products but drafts, by product and
// as of a moment, those that were signed last first.
type agreements struct {
	now       time.Time
	byProduct map[product.ID][]agreement.Agreement
}

func (u Unit) agreements(about []product.Product) (agreements, error) {
	ids := make([]product.ID, len(about))
	for i, p := range about {
		ids[i] = p.ID
	}
	found, err := u.Agreements().About(u.Site.ID, ids)
	all := agreements{u.Now, map[product.ID][]agreement.Agreement{}}
	for _, a := range found {
		if a.Status != agreement.Draft {
			all.byProduct[a.Product] = append(all.byProduct[a.Product], a)
		}
	}
	for _, of := range all.byProduct {
		slices.SortFunc(of, func(a, b agreement.Agreement) int {
			return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(b.ID, a.ID))
		})
	}
	return all, err
}

// of returns the agreements about a product.
func (all agreements) of(p product.Product, c kernel.Caller) []dealrecords.SaleAgreement {
	records := []dealrecords.SaleAgreement{}
	for _, a := range all.byProduct[p.ID] {
		records = append(records, all.record(a, p, c))
	}
	return records
}

// active returns the agreement about a product that is live, or else the completed one
// that was signed last; nil without any.
func (all agreements) active(p product.Product, c kernel.Caller) *dealrecords.SaleAgreement {
	for _, stands := range []func(agreement.Agreement) bool{
		agreement.Agreement.Live, func(a agreement.Agreement) bool { return a.Status == agreement.Completed },
	} {
		if n := slices.IndexFunc(all.byProduct[p.ID], stands); n >= 0 {
			record := all.record(all.byProduct[p.ID][n], p, c)
			return &record
		}
	}
	return nil
}

func (all agreements) record(a agreement.Agreement, p product.Product, c kernel.Caller) dealrecords.SaleAgreement {
	return dealrecords.OfAgreement(a, dealrecords.PropertyOf(p, c.Site.SiteView), all.now, c.Site.ZoneOf(a.Agency))
}
