package listing

import (
	"cmp"
	"net/url"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// keyVideo is a criterion that a block is made of.
const keyVideo = "LienVideo"

// siteText returns a TEXT criterion of the site as the caller sees it, empty where the site has
// none of that key.
func (r *recorder) siteText(key string) string {
	if _, found := r.Site.Dictionary.Place(key); !found {
		return ""
	}
	return r.shown.Text(key)
}

// publicationErrors lists what keeps a product off the web, as far as the caller
// may know of it.
func publicationErrors(values criteria.Values, photos int, agency site.AgencyID, c kernel.Caller, now time.Time) *[]PublicationError {
	records := []PublicationError{}
	advert := product.Advert{Values: values, Photos: photos, Country: c.Site.Settings().Country, Today: c.Site.Today(agency, now), Zone: c.Site.Zone}
	for _, g := range product.Gaps(advert, c.Site.Dictionary) {
		if c.Veil().Private[g.Key] {
			continue
		}
		records = append(records, PublicationError{ID: kernel.Nullable(g.Key), Code: string(g.Code), Message: g.Message})
	}
	return &records
}

// website is the channel of the site's own pages.
const website = "website"

// publications lists the channels a product of a status is published on. When it was, and at
// what URL, is known to those who publish it.
func publications(p product.Product, status string) *[]Publication {
	published := "off"
	if p.WebStatus && status == criteria.StatusActive {
		published = "published"
	}
	return &[]Publication{{Channel: website, Status: published, Reference: kernel.Nullable(p.Reference)}}
}

// liveVisit returns where the product can be visited by video.
func (r *recorder) liveVisit() **LiveVisit {
	for _, key := range []string{criteria.KeyVirtualVisit, keyVideo} {
		link := r.siteText(key)
		if u, err := url.Parse(link); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
			return pointer(&LiveVisit{URL: link, Provider: u.Hostname()})
		}
	}
	return null[LiveVisit]()
}

// statistic counts what became of a product, without the search requests that it
// matches. Visits are planned as actions, or in the agenda. Nobody counts views and favorites yet.
func statistic(p product.Product, t customer.ActionTally, planned int, zone *time.Location) *Statistic {
	since := p.Added.In(zone).Format(time.DateOnly)
	return &Statistic{
		Contacts: t.Customers, VisitsDone: t.VisitsDone, VisitsPlanned: t.VisitsPlanned + planned, Since: &since,
	}
}

// commune returns the commune the product lies in, if somebody says: its site, or the
// geocoder that found its address.
func (r *recorder) commune() **INSEE {
	place, _ := r.place()
	code := cmp.Or(r.siteText(criteria.KeyCommune), place.Commune)
	department, region, ok := product.LocateCommune(code)
	if !ok {
		return null[INSEE]()
	}
	return pointer(&INSEE{Code: code, Commune: r.shown.Text(criteria.KeyCity), DepartmentCode: department, RegionCode: region})
}

// category returns the type of the property.
func (r *recorder) category() **Category {
	d, _ := r.Site.Dictionary.ByKey(criteria.KeyPropertyType)
	choice, found := d.Choice(r.shown.Code(criteria.KeyPropertyType))
	if !found {
		return null[Category]()
	}
	return pointer(&Category{ID: choice.ID, Name: choice.Label})
}

// themes returns the FLAG criteria of the site's own that the product has.
func (r *recorder) themes() *[]Theme {
	records := []Theme{}
	for d := range r.Site.Dictionary.All() {
		if d.Custom && d.Type == criteria.FLAG && r.shown.Flag(d.Key) {
			records = append(records, Theme{ID: int64(d.ID), Label: d.Label})
		}
	}
	return &records
}
