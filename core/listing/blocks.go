package listing

import (
	"cmp"
	"net/url"
	"time"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/insee"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/publication"
)

// keyVideo is a criterion that a block is made of.
const keyVideo = "LienVideo"

// shown is a product as the caller sees it.
func shown(c api.Caller, p product.Product) product.Product {
	p.Criteria = c.Veil().Over(p.Criteria)
	if c.IsPublic() {
		p.Customer = 0
	}
	return p
}

// text is a TEXT criterion of the site, empty where it has none of that key.
func textOf(known *api.SiteView, p product.Product, key string) string {
	if _, found := known.Dictionary.ByKey(key); !found {
		return ""
	}
	return p.Criteria.Text(key)
}

// publicationErrors lists what keeps a product off the web, as far as the caller
// may know of it.
func publicationErrors(p product.Product, photos int, c api.Caller) *[]PublicationError {
	records := []PublicationError{}
	advert := publication.Advert{Values: p.Criteria, Photos: photos, Country: c.Site.Settings().Country}
	for _, g := range publication.Gaps(advert, c.Site.Dictionary) {
		if c.Veil().Private[g.Key] {
			continue
		}
		records = append(records, PublicationError{ID: api.Nullable(g.Key), Code: string(g.Code), Message: g.Message})
	}
	return &records
}

// website is the channel of the site's own pages.
const website = "website"

// publications lists the channels a product is published on. When it was, and at
// what URL, is known to those who publish it.
func publications(p product.Product) *[]Publication {
	status := "off"
	if p.WebStatus && p.Status() == criteria.StatusActive {
		status = "published"
	}
	return &[]Publication{{Channel: website, Status: status, Reference: api.Nullable(p.Reference)}}
}

// liveVisit is where a product can be visited by video.
func liveVisit(p product.Product, known *api.SiteView) **LiveVisit {
	for _, key := range []string{criteria.KeyVirtualVisit, keyVideo} {
		link := textOf(known, p, key)
		if u, err := url.Parse(link); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
			return pointer(&LiveVisit{URL: link, Provider: u.Hostname()})
		}
	}
	return null[LiveVisit]()
}

// statistic counts what became of a product, without the search requests that it
// matches. Visits are planned as actions, or in the agenda. Nobody counts views and favorites yet.
func statistic(p product.Product, t action.Tally, planned int, zone *time.Location) *Statistic {
	since := p.Added.In(zone).Format(time.DateOnly)
	return &Statistic{
		Contacts: t.Customers, VisitsDone: t.VisitsDone, VisitsPlanned: t.VisitsPlanned + planned, Since: &since,
	}
}

// commune is the commune a product lies in, if somebody says: its site, or the
// geocoder that found its address.
func commune(p product.Product, place product.Place, known *api.SiteView) **INSEE {
	code := cmp.Or(textOf(known, p, criteria.KeyCommune), place.Commune)
	department, region, ok := insee.Locate(code)
	if !ok {
		return null[INSEE]()
	}
	return pointer(&INSEE{Code: code, Commune: p.Criteria.Text(criteria.KeyCity), DepartmentCode: department, RegionCode: region})
}

// category is the type of the property.
func category(p product.Product, known *api.SiteView) **Category {
	d, _ := known.Dictionary.ByKey(criteria.KeyPropertyType)
	choice, found := d.Choice(p.Criteria.Code(criteria.KeyPropertyType))
	if !found {
		return null[Category]()
	}
	return pointer(&Category{ID: choice.ID, Name: choice.Label})
}

// themes are the FLAG criteria of the site's own that the product has.
func themes(p product.Product, known *api.SiteView) *[]Theme {
	records := []Theme{}
	for d := range known.Dictionary.All() {
		if d.Custom && d.Type == criteria.FLAG && p.Criteria.Flag(d.Key) {
			records = append(records, Theme{ID: int64(d.ID), Label: d.Label})
		}
	}
	return &records
}
