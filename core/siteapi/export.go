package siteapi

import (
	"context"
	"iter"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Exported is a product as portals are told of it.
type Exported struct {
	ID           product.ID
	Agency       site.AgencyID
	Reference    string
	Criteria     criteria.Values
	Descriptions []product.Description
	// Pictures are the URLs of the public ones; none when the service has no
	// domain.
	Pictures []string
}

// exportPage is how many products of an export are read at a time.
const exportPage = 200

// Export goes through the products of a portfolio that are for the web and
// active, by id, and leaves out what is not for the web: private criteria and
// masked addresses. Each page is a snapshot of its own. After an error it ends.
func (s *Service) Export(ctx context.Context, of Portfolio) iter.Seq2[Exported, error] {
	return func(yield func(Exported, error) bool) {
		c, err := s.keeper(ctx, of)
		for after, more := product.ID(0), true; err == nil && more; {
			var page []product.Product
			page, after, more, err = s.exportPage(ctx, of, after)
			for _, p := range page {
				if !yield(s.exported(p, c), nil) {
					return
				}
			}
		}
		if err != nil {
			yield(Exported{}, err)
		}
	}
}

func (s *Service) exportPage(ctx context.Context, of Portfolio, after product.ID) (page []product.Product, last product.ID, more bool, err error) {
	err = s.ports.Store.View(ctx, func(tx port.Tx) error {
		scanned, err := tx.Products().Scan(of.Site, after, exportPage)
		if err != nil || len(scanned) == 0 {
			return err
		}
		last, more = scanned[len(scanned)-1].ID, len(scanned) == exportPage
		var wanted []product.ID
		for _, p := range scanned {
			if p.WebStatus && p.Status() == criteria.StatusActive && (of.Agency == 0 || p.Agency == of.Agency) {
				wanted = append(wanted, p.ID)
			}
		}
		page, err = tx.Products().Many(of.Site, wanted)
		return err
	})
	return page, last, more, err
}

func (s *Service) exported(p product.Product, c Caller) Exported {
	e := Exported{ID: p.ID, Agency: p.Agency, Reference: p.Reference, Criteria: criteria.Values{}, Descriptions: p.Descriptions}
	for d := range c.settings.dictionary.All() {
		if value, given := p.Criteria[d.Key]; given && !c.veil().Hides(d.Key, p.Criteria) {
			e.Criteria[d.Key] = value
		}
	}
	if s.options.Domain == "" {
		return e
	}
	for _, picture := range p.PublicPictures() {
		e.Pictures = append(e.Pictures, s.photoURL(p, picture, 0, s.now()))
	}
	return e
}
