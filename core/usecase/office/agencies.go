package office

import (
	"context"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

func discover(_ context.Context, c kernel.Caller, _ kernel.Nothing) ([]DiscoveryRecord, error) {
	records := []DiscoveryRecord{}
	for _, a := range c.Site.Agencies {
		if !a.Active || !c.Scope.Has(a.ID) {
			continue
		}
		records = append(records, DiscoveryRecord{
			SiteID: int64(a.Site), AgencyID: int64(a.ID), Name: a.Name, LegalName: kernel.Nullable(a.LegalName),
			Address: kernel.Nullable(a.Address), PostalCode: kernel.Nullable(a.PostalCode), City: kernel.Nullable(a.City),
			Email: kernel.Nullable(a.Email), Phone: kernel.Nullable(a.Phone), SIRET: kernel.Nullable(a.SIRET), SIREN: kernel.Nullable(a.SIREN),
		})
	}
	if len(records) == 0 {
		return nil, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the token reaches no active agency")
	}
	return records, nil
}

func getSite(_ context.Context, c kernel.Caller, _ kernel.Nothing) (Site, error) {
	own := c.Site.Record
	record := Site{ID: int64(own.ID), Name: own.Name, ManufacturersList: []int64{}, Settings: settingsRecord(own.Settings)}
	for _, id := range c.Scope.Agencies() {
		record.ManufacturersList = append(record.ManufacturersList, int64(id))
	}
	return record, nil
}

func settingsRecord(s site.Settings) Settings {
	return Settings{DefaultStatus: s.DefaultStatus, Timezone: s.TimeZone, Currency: s.Currency, Country: s.Country}
}

func (s *Service) listAgencies(_ context.Context, c kernel.Caller, in ListAgencies) (AgencyPage, error) {
	var visible []site.Agency
	for _, a := range c.Site.Agencies {
		if c.Scope.Has(a.ID) {
			visible = append(visible, a)
		}
	}
	shown, meta, links, err := kernel.Paginate(s.k.Options.URL("/agencies"), in.PageQuery, visible, func(a site.Agency) int64 { return int64(a.ID) })
	page := AgencyPage{Data: []AgencyResponse{}, Meta: meta, Links: links}
	for _, a := range shown {
		page.Data = append(page.Data, agencyResponse(a))
	}
	return page, err
}

func getAgency(_ context.Context, c kernel.Caller, in ReadAgency) (AgencyDetail, error) {
	a, err := findAgency(c, site.AgencyID(in.ID))
	if err != nil {
		return AgencyDetail{}, err
	}
	switch in.Format {
	case "":
		full := agencyFull(a, c.Site.SiteView)
		return AgencyDetail{Full: &full}, nil
	case "tag_document":
		document := agencyDocument(a, c.Site.Settings())
		return AgencyDetail{Document: &document}, nil
	}
	var problems fault.Problems
	problems.Append(fault.Detail{
		Field: "format", Code: fault.CodeInvalidFormat, Message: fault.Textf("the only format is tag_document"),
		Value: in.Format, Accepted: []string{"tag_document"},
	})
	return AgencyDetail{}, problems.Err()
}

// findAgency finds an agency of the site that is in scope.
func findAgency(c kernel.Caller, id site.AgencyID) (site.Agency, error) {
	a, found := c.Site.Agency(id)
	if !found {
		return a, kernel.Unknown("no agency has this id")
	}
	return a, c.Sees(a.ID)
}

func agencyResponse(a site.Agency) AgencyResponse {
	return AgencyResponse{
		ID: int64(a.ID), SiteID: int64(a.Site), Name: a.Name, LegalName: kernel.Nullable(a.LegalName),
		Address: kernel.Nullable(a.Address), PostalCode: kernel.Nullable(a.PostalCode), City: kernel.Nullable(a.City), Country: kernel.Nullable(a.Country),
		Email: kernel.Nullable(a.Email), Phone: kernel.Nullable(a.Phone), SIREN: kernel.Nullable(a.SIREN), SIRET: kernel.Nullable(a.SIRET),
		Latitude: a.Latitude, Longitude: a.Longitude, LogoURL: kernel.Nullable(a.LogoURL), IsActive: a.Active,
	}
}

func agencyFull(a site.Agency, view *kernel.SiteView) AgencyFullResponse {
	full := AgencyFullResponse{
		AgencyResponse: agencyResponse(a),
		Website:        kernel.Nullable(a.Website), VATNumber: kernel.Nullable(a.VATNumber), RCS: kernel.Nullable(a.RCS),
		Capital: kernel.Nullable(a.Capital), LegalForm: kernel.Nullable(a.LegalForm), FeesScheduleURL: kernel.Nullable(a.FeesScheduleURL),
		Network: kernel.Nullable(a.Network), Description: kernel.Nullable(a.Description),
		OpeningHours: []OpeningHours{}, Languages: kernel.List(a.Languages), Users: []UserSummary{},
		Settings:  settingsRecord(view.Settings()),
		DateAdded: kernel.Instant{Time: a.Added}, LastModified: kernel.Instant{Time: a.Modified},
	}
	full.Settings.Timezone = view.ZoneOf(a.ID).String()
	if a.Card.Number != "" {
		full.ProfessionalCard = &ProfessionalCard{
			Number: a.Card.Number, Mentions: kernel.List(a.Card.Mentions), IssuedBy: kernel.Nullable(a.Card.IssuedBy), ValidUntil: kernel.Nullable(a.Card.ValidUntil),
		}
	}
	if a.Guarantee.Provider != "" {
		full.Guarantee = &Guarantee{Provider: a.Guarantee.Provider, Amount: a.Guarantee.Amount}
	}
	if a.Insurance.Provider != "" {
		full.Insurance = &Insurance{Provider: a.Insurance.Provider, Policy: kernel.Nullable(a.Insurance.Policy)}
	}
	if a.Mediator.Name != "" {
		full.Mediator = &Mediator{Name: a.Mediator.Name, URL: kernel.Nullable(a.Mediator.URL)}
	}
	for _, h := range a.OpeningHours {
		full.OpeningHours = append(full.OpeningHours, OpeningHours(h))
	}
	for _, u := range view.Staff[a.ID] {
		if u.Active {
			full.Users = append(full.Users, userSummary(u))
		}
	}
	return full
}

func agencyDocument(a site.Agency, s site.Settings) AgencyDocument {
	return AgencyDocument{
		ID: strconv.FormatInt(int64(a.ID), 10), Name: a.Name, LegalName: a.LegalName, Address: a.Address,
		PostalCode: a.PostalCode, City: a.City, Phone: a.Phone, Email: a.Email, Website: a.Website,
		SIREN: a.SIREN, SIRET: a.SIRET, VATNumber: a.VATNumber, RCS: a.RCS, Capital: a.Capital,
		ProfessionalCard: sentence(a.Card.Number, strings.Join(a.Card.Mentions, ""), a.Card.IssuedBy, a.Card.ValidUntil),
		Guarantee:        sentence(a.Guarantee.Provider, money(a.Guarantee.Amount, s.Currency)),
		Insurance:        sentence(a.Insurance.Provider, a.Insurance.Policy),
		Mediator:         sentence(a.Mediator.Name, a.Mediator.URL),
		LogoURL:          a.LogoURL,
	}
}

// sentence joins what is known with commas.
func sentence(parts ...string) string {
	var known []string
	for _, p := range parts {
		if p != "" {
			known = append(known, p)
		}
	}
	return strings.Join(known, ", ")
}

func money(amount float64, currency string) string {
	if amount == 0 {
		return ""
	}
	return strconv.FormatFloat(amount, 'f', -1, 64) + " " + currency
}
