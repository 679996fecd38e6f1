package sqlstore

import (
	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

var sites = mapping[site.Site]{
	table: "site",
	keys:  []string{"id"},
	row: func(s *site.Site) row {
		return row{
			{"id", whole(&s.ID)}, {"name", text(&s.Name)}, {"disabled", &s.Disabled},
			{"default_status", text(&s.Settings.DefaultStatus)}, {"time_zone", text(&s.Settings.TimeZone)},
			{"currency", text(&s.Settings.Currency)}, {"country", text(&s.Settings.Country)},
			{"language", text(&s.Settings.Language)}, {"reference_pattern", text(&s.Settings.ReferencePattern)},
			{"agencies", document(&s.Agencies)}, {"user_groups", document(&s.Groups)},
			{"energy_scales", document(&s.Settings.EnergyScales)},
			{"indices", document(&s.Settings.Indices)}, {"fee_caps", document(&s.Settings.FeeCaps)},
		}
	},
}

type siteRole struct{ tx *tx }

func (r siteRole) Get(id site.ID) (site.Site, error) {
	return one(r.tx, sites, r.tx.store.text(sites.find("id = ?")), int64(id))
}

func (r siteRole) All() ([]site.Site, error) {
	return list(r.tx, sites, r.tx.store.text(sites.find("1 = 1").OrderBy("id")))
}

func (r siteRole) Put(s site.Site) error {
	if err := put(r.tx, sites, s); err != nil {
		return err
	}
	b := squirrel.Insert("site_head").Columns("site_id", "seq", "last_at", "settings", "access").Values(parameters(5)...).
		Suffix("ON CONFLICT (site_id) DO NOTHING")
	_, err := r.tx.exec(r.tx.store.text(b), int64(s.ID), 0, 0, 0, 0)
	return err
}

var agencies = mapping[site.Agency]{
	table: "agency",
	keys:  []string{"id"},
	row: func(a *site.Agency) row {
		return row{
			{"id", whole(&a.ID)}, {"site_id", whole(&a.Site)}, {"name", text(&a.Name)}, {"legal_name", text(&a.LegalName)},
			{"address", text(&a.Address)}, {"postal_code", text(&a.PostalCode)}, {"city", text(&a.City)}, {"country", text(&a.Country)},
			{"email", text(&a.Email)}, {"phone", text(&a.Phone)}, {"siren", text(&a.SIREN)}, {"siret", text(&a.SIRET)},
			{"latitude", &a.Latitude}, {"longitude", &a.Longitude}, {"logo_url", text(&a.LogoURL)}, {"website", text(&a.Website)},
			{"active", &a.Active}, {"vat_number", text(&a.VATNumber)}, {"rcs", text(&a.RCS)}, {"capital", text(&a.Capital)},
			{"legal_form", text(&a.LegalForm)}, {"card", document(&a.Card)}, {"guarantee", document(&a.Guarantee)},
			{"insurance", document(&a.Insurance)}, {"mediator", document(&a.Mediator)},
			{"fees_schedule_url", text(&a.FeesScheduleURL)}, {"network", text(&a.Network)}, {"description", text(&a.Description)},
			{"opening_hours", document(&a.OpeningHours)}, {"languages", document(&a.Languages)},
			{"added_at", instant(&a.Added)}, {"modified_at", instant(&a.Modified)}, {"time_zone", text(&a.TimeZone)},
		}
	},
}

type agencyRole struct{ register[site.Agency] }

func (r agencyRole) Get(id site.AgencyID) (site.Agency, error) {
	return one(r.tx, agencies, r.tx.store.text(agencies.find("id = ?")), int64(id))
}
