package transfer

import (
	"context"
	"iter"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Exported is a product in the form for portals.
type Exported struct {
	ID     product.ID
	Agency site.AgencyID
	// Office is the agency, as far as the site knows it.
	Office    site.Agency
	Reference string
	Modified  time.Time
	// Currency is that of all amounts, an ISO 4217 code.
	Currency string
	// Criteria are those that are not hidden, dates of them as days of the site.
	Criteria     criteria.Values
	Descriptions []product.Description
	// Position is where the product is, as far as that is known to the house; nil
	// when only the town is.
	Position *criteria.Position
	// Pictures are the URLs of the public ones; none when the service has no
	// domain.
	Pictures []string
}

// maxExported is how many products of an export are read at a time.
const maxExported = 200

// Export goes through the products of a portfolio that are for the web and
// active, by id, and leaves out what is not for the web: private criteria and
// masked addresses. Each page is a snapshot of its own. After an error it ends.
func (s *Service) Export(ctx context.Context, of Portfolio) iter.Seq2[Exported, error] {
	return func(yield func(Exported, error) bool) {
		c, err := s.portfolioCaller(ctx, of)
		for page := (exportPage{more: true}); err == nil && page.more; {
			page, err = kernel.Reads(s.k, newUnit, unit.exportPage)(ctx, c, exportQuery{of.Agency, page.last})
			for _, p := range page.products {
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

// exportQuery asks for the page after a product, of an agency or of all.
type exportQuery struct {
	agency site.AgencyID
	after  product.ID
}

type exportPage struct {
	products []product.Product
	last     product.ID
	more     bool
}

func (u unit) exportPage(q exportQuery) (page exportPage, err error) {
	scanned, err := u.Products().Scan(u.Site.ID, q.after, maxExported)
	if err != nil || len(scanned) == 0 {
		return page, err
	}
	page.last, page.more = scanned[len(scanned)-1].ID, len(scanned) == maxExported
	var wanted []product.ID
	for _, p := range scanned {
		if p.WebStatus && p.Status() == criteria.StatusActive && (q.agency == 0 || p.Agency == q.agency) {
			wanted = append(wanted, p.ID)
		}
	}
	page.products, err = u.Products().Many(u.Site.ID, wanted)
	return page, err
}

func (s *Service) exported(p product.Product, c kernel.Caller) Exported {
	e := exported(p, c)
	if s.k.Options.Domain == "" {
		return e
	}
	for _, picture := range p.PublicPictures() {
		e.Pictures = append(e.Pictures, listing.PhotoURL(s.k.Options, p, picture, 0, s.k.Moment()))
	}
	return e
}

// exported returns a product in the form for portals, without its pictures.
func exported(p product.Product, c kernel.Caller) Exported {
	e := Exported{
		ID: p.ID, Agency: p.Agency, Reference: p.Reference, Modified: p.Modified, Currency: c.Site.Settings().Currency,
		Criteria: criteria.Values{}, Descriptions: p.Descriptions,
	}
	masked := product.Veil{Addresses: true}
	for d := range c.Site.Dictionary.All() {
		value, given := p.Criteria[d.Key]
		if !given || d.Private || masked.Hides(d.Key, p.Criteria) {
			continue
		}
		if date, isDate := value.(criteria.Date); isDate && date.Timed {
			year, month, day := date.At.In(c.Site.Zone).Date()
			value = criteria.Date{At: time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
		}
		e.Criteria[d.Key] = value
	}
	e.Office, _ = c.Site.Agency(p.Agency)
	place, found := p.Place()
	if alentour, _ := c.Site.Dictionary.ByKey(criteria.KeyPosition); found && place.Source != product.FromCity && !alentour.Private {
		e.Position = &place.Position
	}
	return e
}
