package dealrecords

import (
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Property is what of a product the rules about its sale or letting depend on. The
// zero Property is that of a product that is gone.
type Property struct {
	// Type is a code of TypeBien.
	Type string
	// PostalCode is the product's, or else its agency's, without spaces; Country is the
	// product's, or else the site's.
	PostalCode, Country string
	// Letter is that of its energy label; empty without one.
	Letter string
	// Diagnosed is the day of its energy diagnosis, YYYY-MM-DD; empty without one, and
	// where it is not in France.
	Diagnosed string
}

// PropertyOf returns the property of a product of a site.
func PropertyOf(p product.Product, v *kernel.SiteView) Property {
	of := Property{
		Type: p.Criteria.Code(criteria.KeyPropertyType), PostalCode: p.Criteria.Text(criteria.KeyPostalCode),
		Letter: p.Criteria.Code(criteria.KeyEnergyLetter), Country: p.Criteria.Code(criteria.KeyCountry),
	}
	if agency, found := v.Agency(p.Agency); found && of.PostalCode == "" {
		of.PostalCode = agency.PostalCode
	}
	of.PostalCode = strings.Join(strings.Fields(of.PostalCode), "")
	if of.Country == "" {
		of.Country = v.Settings().Country
	}
	if of.Country == "FR" {
		of.Diagnosed = product.DiagnosedOn(p.Criteria, v.Zone)
	}
	return of
}

// Properties returns those of the products of the site that are there.
func Properties(u kernel.Unit, ids []product.ID) (map[product.ID]Property, error) {
	found, err := u.Products().Many(u.Site.ID, ids)
	all := make(map[product.ID]Property, len(found))
	for _, p := range found {
		all[p.ID] = PropertyOf(p, u.Site.SiteView)
	}
	return all, err
}

// Dwelling reports whether people live there.
func (p Property) Dwelling() bool { return agreement.IsDwelling(p.Type) }

// VATRate returns the usual rate where it is.
func (p Property) VATRate() float64 { return money.VATRateOf(p.Country, p.PostalCode) }

// Region returns where holidays are kept.
func (p Property) Region() calendar.Region { return calendar.RegionOf(p.PostalCode) }

func (p Property) ofAgreement() agreement.Property {
	return agreement.Property{Dwelling: p.Dwelling(), Labelled: p.Letter != "", Diagnosed: p.Diagnosed}
}

func (p Property) ofLease() letting.Property {
	overseas := strings.HasPrefix(p.PostalCode, "97") || strings.HasPrefix(p.PostalCode, "98")
	return letting.Property{Dwelling: p.Dwelling(), Mainland: !overseas, Letter: p.Letter, Diagnosed: p.Diagnosed}
}
