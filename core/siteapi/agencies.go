package siteapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Discover lists the active agencies in scope, by id (contract: GET
// /discovery). It is Forbidden when there is none.
func (s *Service) Discover(_ context.Context, c Caller, _ Nothing) ([]DiscoveryRecord, error) {
	records := []DiscoveryRecord{}
	for _, a := range c.settings.agencies {
		if !a.Active || !c.Scope.Has(a.ID) {
			continue
		}
		records = append(records, DiscoveryRecord{
			SiteID: int64(a.Site), AgencyID: int64(a.ID), Name: a.Name, LegalName: nullable(a.LegalName),
			Address: nullable(a.Address), PostalCode: nullable(a.PostalCode), City: nullable(a.City),
			Email: nullable(a.Email), Phone: nullable(a.Phone), SIRET: nullable(a.SIRET), SIREN: nullable(a.SIREN),
		})
	}
	if len(records) == 0 {
		return nil, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the token reaches no active agency")
	}
	return records, nil
}

// GetSite reads the token's site with its manufacturers list.
func (s *Service) GetSite(_ context.Context, c Caller, _ Nothing) (Site, error) {
	own := c.settings.site
	record := Site{ID: int64(own.ID), Name: own.Name, ManufacturersList: []int64{}, Settings: settingsRecord(own.Settings)}
	for _, id := range c.Scope.Agencies() {
		record.ManufacturersList = append(record.ManufacturersList, int64(id))
	}
	return record, nil
}

func settingsRecord(s site.Settings) Settings {
	return Settings{DefaultStatus: s.DefaultStatus, Timezone: s.TimeZone, Currency: s.Currency, Country: s.Country}
}

// ListAgencies lists the agencies in scope by id, page by page (contract: GET
// /agencies). Pages go forwards and backwards.
func (s *Service) ListAgencies(_ context.Context, c Caller, in ListAgencies) (AgencyPage, error) {
	var visible []site.Agency
	for _, a := range c.settings.agencies {
		if c.Scope.Has(a.ID) {
			visible = append(visible, a)
		}
	}
	shown, meta, links, err := paginate(s.url("/agencies"), in.PageQuery, visible, func(a site.Agency) int64 { return int64(a.ID) })
	page := AgencyPage{Data: []AgencyResponse{}, Meta: meta, Links: links}
	for _, a := range shown {
		page.Data = append(page.Data, agencyResponse(a))
	}
	return page, err
}

// GetAgency reads one agency with its users, or in the form documents print
// (contract: GET /agencies/{agencyId}). An agency of another site is NotFound;
// one of this site outside the scope is Forbidden.
func (s *Service) GetAgency(_ context.Context, c Caller, in ReadAgency) (AgencyDetail, error) {
	a, found := c.settings.agency(site.AgencyID(in.ID))
	if !found {
		return AgencyDetail{}, fault.New(fault.NotFound, fault.CodeNotFound, "no agency has this id")
	}
	if err := c.seesAgency(a.ID); err != nil {
		return AgencyDetail{}, err
	}
	switch in.Format {
	case "":
		full := agencyFull(a, c.settings)
		return AgencyDetail{Full: &full}, nil
	case "tag_document":
		document := agencyDocument(a, c.settings.site.Settings)
		return AgencyDetail{Document: &document}, nil
	}
	var problems fault.Problems
	problems.Append(fault.Detail{
		Field: "format", Code: fault.CodeInvalidFormat, Message: "the only format is tag_document",
		Value: in.Format, Accepted: []string{"tag_document"},
	})
	return AgencyDetail{}, problems.Err()
}

func agencyResponse(a site.Agency) AgencyResponse {
	return AgencyResponse{
		ID: int64(a.ID), SiteID: int64(a.Site), Name: a.Name, LegalName: nullable(a.LegalName),
		Address: nullable(a.Address), PostalCode: nullable(a.PostalCode), City: nullable(a.City), Country: nullable(a.Country),
		Email: nullable(a.Email), Phone: nullable(a.Phone), SIREN: nullable(a.SIREN), SIRET: nullable(a.SIRET),
		Latitude: a.Latitude, Longitude: a.Longitude, LogoURL: nullable(a.LogoURL), IsActive: a.Active,
	}
}

func agencyFull(a site.Agency, known *settings) AgencyFullResponse {
	full := AgencyFullResponse{
		AgencyResponse: agencyResponse(a),
		Website:        nullable(a.Website), VATNumber: nullable(a.VATNumber), RCS: nullable(a.RCS),
		Capital: nullable(a.Capital), LegalForm: nullable(a.LegalForm), FeesScheduleURL: nullable(a.FeesScheduleURL),
		Network: nullable(a.Network), Description: nullable(a.Description),
		OpeningHours: []OpeningHours{}, Languages: list(a.Languages), Users: []UserSummary{},
		Settings:  settingsRecord(known.site.Settings),
		DateAdded: Instant{a.Added}, LastModified: Instant{a.Modified},
	}
	if a.Card.Number != "" {
		full.ProfessionalCard = &ProfessionalCard{
			Number: a.Card.Number, Mentions: list(a.Card.Mentions), IssuedBy: nullable(a.Card.IssuedBy), ValidUntil: nullable(a.Card.ValidUntil),
		}
	}
	if a.Guarantee.Provider != "" {
		full.Guarantee = &Guarantee{Provider: a.Guarantee.Provider, Amount: a.Guarantee.Amount}
	}
	if a.Insurance.Provider != "" {
		full.Insurance = &Insurance{Provider: a.Insurance.Provider, Policy: nullable(a.Insurance.Policy)}
	}
	if a.Mediator.Name != "" {
		full.Mediator = &Mediator{Name: a.Mediator.Name, URL: nullable(a.Mediator.URL)}
	}
	for _, h := range a.OpeningHours {
		full.OpeningHours = append(full.OpeningHours, OpeningHours(h))
	}
	for _, u := range known.staff[a.ID] {
		if u.Active {
			full.Users = append(full.Users, userSummary(u))
		}
	}
	return full
}

func userSummary(u site.User) UserSummary {
	return UserSummary{
		ID: int64(u.ID), Firstname: u.Firstname, Lastname: u.Lastname, Email: nullable(u.Email),
		Phone: nullable(u.Phone), PhotoURL: nullable(u.PhotoURL), AgencyID: int64(u.Agency),
	}
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
