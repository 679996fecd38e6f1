package sqlstore

import (
	"database/sql/driver"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
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

var users = mapping[site.User]{
	table: "site_user",
	keys:  []string{"site_id", "id"},
	row: func(u *site.User) row {
		return row{
			{"site_id", whole(&u.Site)}, {"id", whole(&u.ID)}, {"agency_id", whole(&u.Agency)},
			{"firstname", text(&u.Firstname)}, {"lastname", text(&u.Lastname)}, {"email", text(&u.Email)},
			{"phone", text(&u.Phone)}, {"mobile", text(&u.Mobile)}, {"job_title", text(&u.JobTitle)}, {"photo_url", text(&u.PhotoURL)},
			{"languages", document(&u.Languages)}, {"status_kind", text(&u.StatusKind)}, {"rsac", text(&u.RSAC)},
			{"siret", text(&u.SIRET)}, {"professional_card", text(&u.ProfessionalCard)}, {"active", &u.Active},
			{"web_visible", &u.WebVisible}, {"biography", text(&u.Biography)}, {"zone", text(&u.Zone)},
			{"group_id", whole(&u.Group)}, {"type_id", whole(&u.Type)}, {"gender_id", whole(&u.Gender)},
			{"added_at", instant(&u.Added)}, {"modified_at", instant(&u.Modified)},
		}
	},
}

var definitions = mapping[owned[criteria.Definition]]{
	table: "criterion",
	keys:  []string{"site_id", "id"},
	row: func(o *owned[criteria.Definition]) row {
		d := &o.record
		return row{
			{"site_id", whole(&o.site)}, {"id", whole(&d.ID)}, {"key", text(&d.Key)}, {"type", criterionType{&d.Type}},
			{"label", text(&d.Label)}, {"description", text(&d.Description)}, {"active", &d.Active}, {"custom", &d.Custom},
			{"custom_label", &d.CustomLabel}, {"custom_values", &d.CustomValues},
			{"required_for_publication", &d.RequiredForPublication}, {"searchable", &d.Searchable}, {"private", &d.Private},
			{"unit", text(&d.Unit)}, {"minimum", &d.Min}, {"maximum", &d.Max}, {"decimals", &d.Decimals},
			{"max_length", whole(&d.MaxLength)}, {"full_text", &d.FullText}, {"group_name", text(&d.Group)},
			{"property_types", document(&d.PropertyTypes)}, {"position", whole(&d.Position)}, {"choices", document(&d.Choices)},
		}
	},
}

// criterionType is a column of a type by its name in the contract.
type criterionType struct{ p *criteria.Type }

func (c criterionType) Value() (driver.Value, error) { return c.p.String(), nil }

func (c criterionType) Scan(src any) (err error) {
	var name string
	if err := text(&name).Scan(src); err != nil {
		return err
	}
	*c.p, err = criteria.ParseType(name)
	return err
}

var lists = mapping[owned[criteria.List]]{
	table: "list",
	keys:  []string{"site_id", "id"},
	row: func(o *owned[criteria.List]) row {
		l := &o.record
		return row{
			{"site_id", whole(&o.site)}, {"id", whole(&l.ID)}, {"key", text(&l.Key)}, {"label", text(&l.Label)},
			{"choices", document(&l.Choices)},
		}
	},
}

var actionTypes = mapping[owned[customer.ActionType]]{
	table: "action_type",
	keys:  []string{"site_id", "id"},
	row: func(o *owned[customer.ActionType]) row {
		a := &o.record
		return row{
			{"site_id", whole(&o.site)}, {"id", whole(&a.ID)}, {"code", text(&a.Code)}, {"label", text(&a.Label)},
			{"active", &a.Active}, {"target", text(&a.Target)}, {"color", text(&a.Color)}, {"position", whole(&a.Position)},
			{"children", document(&a.Children)},
		}
	},
}
