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
