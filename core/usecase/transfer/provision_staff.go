package transfer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// PutAgency creates or changes one agency of a site, in its scope or out of it, in a unit of
// work that does more, by the rules of Provision and with its events. The error is Invalid when
// the agency breaks a rule, and names every field. The caller has counted the change of the
// site, which holds the site until the unit ends.
func (s *Service) PutAgency(u kernel.Unit, a site.Agency, inScope bool) error {
	p := s.provisioner(u)
	return p.changeSite(a.Site, func(own site.Site, before standing) error {
		if _, known := before.agencies[a.ID]; !known {
			if _, err := p.Agencies().LastID(); err != nil {
				return err
			}
		}
		if err := p.agency(slices.Collect(maps.Values(before.agencies)), a); err != nil {
			return err
		}
		own.Agencies = slices.DeleteFunc(own.Agencies, func(id site.AgencyID) bool { return id == a.ID })
		if inScope {
			own.Agencies = append(own.Agencies, a.ID)
		}
		slices.Sort(own.Agencies)
		return p.Sites().Put(own)
	})
}

// PutUser is PutAgency for one user.
func (s *Service) PutUser(u kernel.Unit, of site.User) error {
	p := s.provisioner(u)
	return p.changeSite(of.Site, func(own site.Site, before standing) error {
		return p.user(slices.Collect(maps.Values(before.users)), of, slices.Sorted(maps.Keys(before.agencies)), own.Groups)
	})
}

// changeSite carries out a change of a site, and records its events.
func (p provisioner) changeSite(id site.ID, change func(own site.Site, before standing) error) error {
	own, err := p.Sites().Get(id)
	if err != nil {
		return err
	}
	before, err := p.stands(id)
	if err != nil {
		return err
	}
	if err := change(own, before); err != nil {
		return err
	}
	_, err = p.tell(id, before)
	return err
}

func (p provisioner) agencies(id site.ID, in SetupSite) error {
	existing, err := p.Agencies().Of(id)
	if err != nil {
		return err
	}
	// Who adds agencies takes turns with others who do.
	if _, err := p.Agencies().LastID(); err != nil {
		return err
	}
	for _, a := range in.Agencies {
		if err := p.agency(existing, agencyOf(id, a)); err != nil {
			return fmt.Errorf("agency %d: %w", a.ID, explain(err))
		}
	}
	return nil
}

// agency stores an agency that is new or changed.
func (p provisioner) agency(existing []site.Agency, wanted site.Agency) error {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	checkID(f, int64(wanted.ID))
	setTexts(f, AgencyTexts(&wanted))
	f.Required("name", wanted.Name == "")
	wanted.Languages, wanted.Card.Mentions = known(wanted.Languages), known(wanted.Card.Mentions)
	if wanted.TimeZone != "" {
		p.checkZone(f, wanted.TimeZone)
	}
	if until := &wanted.Card.ValidUntil; *until != "" {
		f.Day("professional_card.valid_until", until, opt.Of(*until))
	}
	switch elsewhere, err := p.Agencies().ByID(wanted.ID); {
	case err == nil && elsewhere.Site != wanted.Site:
		f.Wrong("id", fault.CodeNameTaken, wanted.ID, "agency %d belongs to site %d", wanted.ID, elsewhere.Site)
	case err != nil && !errors.Is(err, fault.NotFound):
		return err
	}
	if err := problems.Err(); err != nil {
		return err
	}
	return keepDated(p, existing, func(a site.Agency) bool { return a.ID == wanted.ID }, wanted, p.Agencies().Put,
		func(a *site.Agency) (added, modified *time.Time) { return &a.Added, &a.Modified })
}

func agencyOf(id site.ID, a SetupAgency) site.Agency {
	wanted := site.Agency{
		ID: site.AgencyID(a.ID), Site: id, Name: a.Name, LegalName: a.LegalName, Address: a.Address, PostalCode: a.PostalCode,
		City: a.City, Country: a.Country, Email: a.Email, Phone: a.Phone, SIREN: a.SIREN, SIRET: a.SIRET,
		Latitude: a.Latitude, Longitude: a.Longitude, LogoURL: a.LogoURL, Website: a.Website, Active: trueByDefault(a.IsActive),
		VATNumber: a.VATNumber, RCS: a.RCS, Capital: a.Capital, LegalForm: a.LegalForm,
		Card:            site.ProfessionalCard(a.ProfessionalCard),
		Guarantee:       site.Guarantee(a.Guarantee),
		Insurance:       site.Insurance(a.Insurance),
		Mediator:        site.Mediator(a.Mediator),
		FeesScheduleURL: a.FeesScheduleURL, Network: a.Network, Description: a.Description, Languages: a.Languages, TimeZone: a.Timezone,
	}
	for _, h := range a.OpeningHours {
		wanted.OpeningHours = append(wanted.OpeningHours, site.OpeningHours(h))
	}
	return wanted
}

func (p provisioner) users(id site.ID, in SetupSite) error {
	existing, err := p.Users().Of(id)
	if err != nil {
		return err
	}
	agencies, groups := in.agencyIDs(), in.groups()
	for _, u := range in.Users {
		wanted, err := userOf(id, u)
		if err != nil {
			return fmt.Errorf("user %d: %w", u.ID, err)
		}
		if err := p.user(existing, wanted, agencies, groups); err != nil {
			return fmt.Errorf("user %d: %w", u.ID, explain(err))
		}
	}
	return nil
}

// user stores a user of one of the agencies, perhaps in one of the groups, who is new or changed.
func (p provisioner) user(existing []site.User, wanted site.User, agencies []site.AgencyID, groups []site.Group) error {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	checkID(f, int64(wanted.ID))
	setTexts(f, UserTexts(&wanted))
	wanted.Languages = known(wanted.Languages)
	f.Code("status_kind", &wanted.StatusKind, opt.Of(wanted.StatusKind), site.StatusKinds())
	checkLabel(f, "type", wanted.Type, site.UserTypes())
	checkLabel(f, "gender", wanted.Gender, site.Genders())
	checkAgency(f, wanted.Agency, agencies)
	if wanted.Group != 0 && !slices.ContainsFunc(groups, func(g site.Group) bool { return g.ID == wanted.Group }) {
		f.Wrong("group_id", fault.CodeOutOfRange, wanted.Group, "the site has no user group %d", wanted.Group)
	}
	if err := problems.Err(); err != nil {
		return err
	}
	return keepDated(p, existing, func(u site.User) bool { return u.ID == wanted.ID }, wanted, p.Users().Put,
		func(u *site.User) (added, modified *time.Time) { return &u.Added, &u.Modified })
}

func userOf(id site.ID, u SetupUser) (site.User, error) {
	kind, gender := codeID(site.UserTypes(), u.Type), codeID(site.Genders(), u.Gender)
	switch {
	case kind < 0:
		return site.User{}, fmt.Errorf("type: there is no %q", u.Type)
	case gender < 0:
		return site.User{}, fmt.Errorf("gender: there is no %q", u.Gender)
	}
	return site.User{
		ID: site.UserID(u.ID), Site: id, Agency: site.AgencyID(u.AgencyID), Firstname: u.Firstname, Lastname: u.Lastname,
		Email: u.Email, Phone: u.Phone, Mobile: u.Mobile, JobTitle: u.JobTitle, PhotoURL: u.PhotoURL, Languages: u.Languages,
		StatusKind: u.StatusKind, RSAC: u.RSAC, SIRET: u.SIRET, ProfessionalCard: u.ProfessionalCard,
		Active: trueByDefault(u.IsActive), WebVisible: u.WebVisible, Biography: u.Biography, Zone: u.Zone,
		Group: u.GroupID, Type: kind, Gender: gender,
	}, nil
}

// codeID returns the id of a code: 0 for no code, -1 for an unknown one.
func codeID(labels []site.Label, code string) int64 {
	if code == "" {
		return 0
	}
	for _, l := range labels {
		if l.Code == code {
			return l.ID
		}
	}
	return -1
}

// checkID reports an id that no record can have.
func checkID(f form.Form, id int64) {
	if id < 1 {
		f.Wrong("id", fault.CodeOutOfRange, id, "%s must be at least 1", "id")
	}
}

// checkLabel reports an id that no entry of a fixed list has; 0 is none.
func checkLabel(f form.Form, field string, id int64, labels []site.Label) {
	if id != 0 && !slices.ContainsFunc(labels, func(l site.Label) bool { return l.ID == id }) {
		f.Wrong(field, fault.CodeOutOfRange, id, "%s is not one of the accepted codes", field)
	}
}

// checkAgency reports an agency that is not among those of the site.
func checkAgency(f form.Form, id site.AgencyID, agencies []site.AgencyID) {
	switch {
	case slices.Contains(agencies, id):
	case id == 0:
		f.Wrong("agency_id", fault.CodeRequired, nil, "one is needed; the site's agencies are %v", agencies)
	default:
		f.Wrong("agency_id", fault.CodeUnknownAgency, id, "the site has no agency %d; its agencies are %v", id, agencies)
	}
}

// checkAgency returns an error for an agency that the site does not describe.
func (in SetupSite) checkAgency(id int64) error {
	var problems fault.Problems
	checkAgency(form.Form{Problems: &problems}, site.AgencyID(id), in.agencyIDs())
	return problems.Err()
}

// groups returns the user groups of the site; nil for none, because stores may do so.
func (in SetupSite) groups() (groups []site.Group) {
	for _, g := range in.UserGroups {
		groups = append(groups, site.Group{ID: g.ID, Name: g.Name, Agency: site.AgencyID(g.AgencyID)})
	}
	return groups
}

func (in SetupSite) agencyIDs() []site.AgencyID {
	ids := make([]site.AgencyID, len(in.Agencies))
	for i, a := range in.Agencies {
		ids[i] = site.AgencyID(a.ID)
	}
	return ids
}

// Text is a text of a record, by the name that files and forms have for it, with the number of
// characters it can have.
type Text struct {
	Name  string
	Value *string
	Limit int
}

// AgencyTexts returns the texts of an agency.
func AgencyTexts(a *site.Agency) []Text {
	return []Text{
		{"name", &a.Name, form.MaxName}, {"legal_name", &a.LegalName, form.MaxName}, {"address", &a.Address, form.MaxName},
		{"postal_code", &a.PostalCode, form.MaxName}, {"city", &a.City, form.MaxName}, {"country", &a.Country, form.MaxName},
		{emailField, &a.Email, form.MaxName}, {"phone", &a.Phone, form.MaxName}, {"website", &a.Website, form.MaxURL},
		{"timezone", &a.TimeZone, form.MaxName}, {"description", &a.Description, form.MaxComment}, {"network", &a.Network, form.MaxName},
		{"logo_url", &a.LogoURL, form.MaxURL}, {"fees_schedule_url", &a.FeesScheduleURL, form.MaxURL},
		{"siren", &a.SIREN, form.MaxName}, {"siret", &a.SIRET, form.MaxName}, {"vat_number", &a.VATNumber, form.MaxName},
		{"rcs", &a.RCS, form.MaxName}, {"capital", &a.Capital, form.MaxName}, {"legal_form", &a.LegalForm, form.MaxName},
		{"professional_card.number", &a.Card.Number, form.MaxName}, {"professional_card.issued_by", &a.Card.IssuedBy, form.MaxName},
		{"professional_card.valid_until", &a.Card.ValidUntil, form.MaxName}, {"guarantee.provider", &a.Guarantee.Provider, form.MaxName},
		{"insurance.provider", &a.Insurance.Provider, form.MaxName}, {"insurance.policy", &a.Insurance.Policy, form.MaxName},
		{"mediator.name", &a.Mediator.Name, form.MaxName}, {"mediator.url", &a.Mediator.URL, form.MaxURL},
	}
}

// UserTexts returns the texts of a user, but for codes.
func UserTexts(u *site.User) []Text {
	return []Text{
		{"firstname", &u.Firstname, form.MaxName}, {"lastname", &u.Lastname, form.MaxName}, {emailField, &u.Email, form.MaxName},
		{"phone", &u.Phone, form.MaxName}, {"mobile", &u.Mobile, form.MaxName}, {"job_title", &u.JobTitle, form.MaxName},
		{"photo_url", &u.PhotoURL, form.MaxURL}, {"biography", &u.Biography, form.MaxComment}, {"zone", &u.Zone, form.MaxName},
		{"rsac", &u.RSAC, form.MaxName}, {"siret", &u.SIRET, form.MaxName}, {"professional_card", &u.ProfessionalCard, form.MaxName},
	}
}

const emailField = "email"

// setTexts brings texts into the form they are stored in, and reports those that are too long.
func setTexts(f form.Form, texts []Text) {
	for _, t := range texts {
		if given := opt.Of(*t.Value); t.Name == emailField {
			customer.SetEmail(f, t.Value, given)
		} else {
			f.Name(t.Name, t.Value, given, t.Limit)
		}
	}
}
