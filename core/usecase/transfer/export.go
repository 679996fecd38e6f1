package transfer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Exported is a product in the form for portals.
type Exported struct {
	ID     product.ID
	Agency site.AgencyID
	// AgencyCode is what the reader calls the agency; empty is its id.
	AgencyCode string
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
	// Gone: the product is not exported any more. Of such a one only ID, Reference and AgencyCode are known.
	Gone bool
	// Pictures are the URLs of the public ones; none when the service has no
	// domain.
	Pictures []string
	// Titles are those of the public pictures, in the same order; empty where one has none.
	Titles []string
	// Files are the public pictures themselves, in the same order; none when the service keeps none.
	Files []ExportedFile
}

// AgencyName returns what the reader calls the agency.
func (e Exported) AgencyName() string {
	return cmp.Or(e.AgencyCode, strconv.FormatInt(int64(e.Agency), 10))
}

// ExportedFile is a picture of a product.
type ExportedFile struct {
	// ContentType is a media type such as image/jpeg.
	ContentType, Title string
	Open               func(context.Context) (io.ReadSeekCloser, error)
}

// maxExported is how many products of an export are read at a time.
const maxExported = 200

// Export goes through the products of a portfolio that are for the web and
// active, by id, and leaves out what is not for the web: private criteria and
// masked addresses. Each page is a snapshot of its own. After an error it ends.
func (s *Service) Export(ctx context.Context, of Portfolio) iter.Seq2[Exported, error] {
	wanted := Selection{Site: of.Site}
	if of.Agency != 0 {
		wanted.Agencies = []site.AgencyID{of.Agency}
	}
	return func(yield func(Exported, error) bool) {
		for found, err := range s.Select(ctx, wanted) {
			if !yield(found.Exported, err) {
				return
			}
		}
	}
}

// Selection says which products of a site that are for the web and active are exported.
type Selection struct {
	Site site.ID
	// Agencies are those whose products are wanted; none is all of them.
	Agencies []site.AgencyID
	// Criterias are what products must meet, as in a search.
	Criterias []criteria.ConditionInput
}

// Selected is a product of a selection.
type Selected struct {
	Exported
	// Product is all of it, also what nobody outside sees. Gaps returns what keeps it off the web.
	Product product.Product
	Gaps    func() []product.Gap
}

// Select goes through the products of a selection as Export does.
func (s *Service) Select(ctx context.Context, of Selection) iter.Seq2[Selected, error] {
	return func(yield func(Selected, error) bool) {
		c, q, err := s.selecting(ctx, of)
		for page := (exportPage{more: true}); err == nil && page.more; {
			q.after = page.last
			page, err = kernel.Reads(s.k, newUnit, unit.exportPage)(ctx, c, q)
			for _, p := range page.products {
				if !yield(Selected{s.exported(p, c), p, func() []product.Gap { return s.gaps(p, c) }}, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(Selected{}, err)
		}
	}
}

func (s *Service) gaps(p product.Product, c kernel.Caller) []product.Gap {
	return product.Gaps(product.Advert{
		Values: p.Criteria, Photos: len(p.PublicPictures()), Country: c.Site.Settings().Country, Today: c.Site.Today(p.Agency, s.k.Moment()), Zone: c.Site.Zone,
	}, c.Site.Dictionary)
}

// selecting returns the caller who reads a selection, and the query for its first page.
func (s *Service) selecting(ctx context.Context, of Selection) (c kernel.Caller, q exportQuery, err error) {
	if c, err = s.portfolioCaller(ctx, Portfolio{Site: of.Site}); err != nil {
		return c, q, err
	}
	active := true
	q.Filter = product.Filter{Agencies: of.Agencies, WebStatus: &active}
	for _, agency := range of.Agencies {
		if !c.Scope.Has(agency) {
			return c, q, fmt.Errorf("site %d has no agency %d in its scope", of.Site, agency)
		}
	}
	if len(of.Agencies) == 0 {
		q.Agencies = c.Scope.Agencies()
	}
	var problems fault.Problems
	q.Criteria = c.Site.Dictionary.Conditions("criterias", of.Criterias, criteria.Reading{Zone: c.Site.Zone}, &problems)
	return c, q, problems.Err()
}

// exportQuery asks for the page of what a filter wants after a product.
type exportQuery struct {
	product.Filter
	after product.ID
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
		if p.WebStatus && p.Status() == criteria.StatusActive && q.Matches(product.Candidate{Product: p}) {
			wanted = append(wanted, p.ID)
		}
	}
	page.products, err = u.Products().Many(u.Site.ID, wanted)
	return page, err
}

func (s *Service) exported(p product.Product, c kernel.Caller) Exported {
	e := exported(p, c)
	for _, picture := range p.PublicPictures() {
		e.Titles = append(e.Titles, picture.Label)
		if s.k.Options.Domain != "" {
			e.Pictures = append(e.Pictures, listing.PhotoURL(s.k.Options, p, picture, 0, s.k.Moment()))
		}
		if s.k.Blobs != nil {
			e.Files = append(e.Files, ExportedFile{picture.ContentType, picture.Label, func(ctx context.Context) (io.ReadSeekCloser, error) {
				return s.k.Blobs.Open(ctx, p.PictureKey(picture))
			}})
		}
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
