package customer

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Change is what a request wants of a customer. Absent parts stay as they are.
type Change struct {
	Type, Civility                       opt.Field[string]
	Gender                               opt.Field[int64]
	Firstname, Lastname, BirthName       opt.Field[string]
	Company, LegalForm, SIRET, VATNumber opt.Field[string]
	Language                             opt.Field[string]
	BirthDate, BirthPlace                opt.Field[string]
	Nationality, Profession              opt.Field[string]
	FamilyStatus, MatrimonialRegime      opt.Field[string]
	Origin, OriginDetail, Comment        opt.Field[string]
	NextContact                          opt.Field[string]
	Color                                opt.Field[int]
	Archived                             opt.Field[bool]
	Agency                               opt.Field[site.AgencyID]
	User                                 opt.Field[site.UserID]

	// Email and Phone become the primary ones, and are added where they are
	// missing.
	Email, Phone opt.Field[string]
	Emails       opt.Field[[]EmailChange]
	Phones       opt.Field[[]PhoneChange]
	Addresses    opt.Field[[]AddressChange]

	Consent    opt.Field[ConsentChange]
	ClientArea opt.Field[ClientAreaChange]
	Notary     opt.Field[NotaryChange]
	// Related replaces the list.
	Related opt.Field[[]RelatedChange]
}

// Item says which entry of a list a change is about: with an ID the one that
// has it, to be changed or with Delete removed; without one a new one.
type Item struct {
	ID     opt.Field[int64]
	Delete bool
}

// EmailChange adds, changes or removes an e-mail address.
type EmailChange struct {
	Item
	Address, Type opt.Field[string]
	Primary       opt.Field[bool]
}

// PhoneChange adds, changes or removes a phone number.
type PhoneChange struct {
	Item
	Type, Number, Country, Comment opt.Field[string]
	Primary, SMSAllowed            opt.Field[bool]
}

// AddressChange adds, changes or removes an address.
type AddressChange struct {
	Item
	Type, Line1, Line2, PostalCode, City, Country opt.Field[string]
	Primary                                       opt.Field[bool]
}

// ConsentChange gives or withdraws consent.
type ConsentChange struct {
	Email, SMS, Phone, Partners     opt.Field[bool]
	ObtainedAt, Source, WithdrawnAt opt.Field[string]
}

// ClientAreaChange opens or closes the online area.
type ClientAreaChange struct {
	Enabled opt.Field[bool]
	Login   opt.Field[string]
}

// NotaryChange names the notary.
type NotaryChange struct {
	CustomerID                       opt.Field[int64]
	Name, Office, Email, Phone, City opt.Field[string]
}

// RelatedChange names a related contact.
type RelatedChange struct {
	CustomerID                                           opt.Field[int64]
	Relation, Firstname, Lastname, Phone, Email, Comment opt.Field[string]
}

// Rules is what a change is judged by.
type Rules struct {
	Dictionary *criteria.Dictionary
	// Country is what phone numbers without one are read as, and Zone where
	// moments without an offset are.
	Country string
	Zone    *time.Location
	// Now is when consent is given or withdrawn that comes without a moment.
	Now time.Time
	// E164 is the international form of a phone number dialled in a country;
	// empty when it has none.
	E164 func(number, country string) string
}

// Limits of one customer.
const (
	maxContacts = 20
	maxRelated  = 50
)

// EmailTypes lists what e-mail addresses are for.
func EmailTypes() []string { return []string{"PERSO", "PRO"} }

// FamilyStatuses lists the family statuses of the contract.
func FamilyStatuses() []string { return []string{"CELIBATAIRE", "MARIE", "PACSE", "DIVORCE", "VEUF"} }

// Relations lists how contacts are related.
func Relations() []string {
	return []string{"CONJOINT", "INDIVISAIRE", "PARENT", "ENFANT", "MANDATAIRE", "TUTEUR", "CURATEUR", "GERANT", "AUTRE"}
}

// Create makes the customer a request describes, without ids, times and agency
// where it is to be found, and reports everything wrong with the request.
func (r Rules) Create(c Change, problems *fault.Problems) Customer {
	return r.apply(Customer{}, c, problems)
}

// Update applies a request to a copy of the customer and reports everything
// wrong with the request.
func (r Rules) Update(before Customer, c Change, problems *fault.Problems) Customer {
	return r.apply(before.Clone(), c, problems)
}

func (r Rules) apply(it Customer, c Change, problems *fault.Problems) Customer {
	w := writer{Rules: r, Form: form.Form{Problems: problems}}
	w.identity(&it, c)
	w.contacts(&it, c)
	if c.Consent.Set {
		w.consent(&it.Consent, c.Consent)
	}
	if c.ClientArea.Set {
		w.clientArea(&it.ClientArea, c.ClientArea)
	}
	if c.Notary.Set {
		w.notary(&it.Notary, c.Notary)
	}
	if c.Related.Set {
		it.Related = w.related(c.Related.Value)
	}
	if problems.Empty() && !it.Reachable() {
		w.Wrong("lastname", fault.CodeRequired, nil, "a customer has a lastname, a company, an email or a phone")
	}
	return it
}

// writer applies one change.
type writer struct {
	Rules
	form.Form
}

func (w writer) identity(it *Customer, c Change) {
	if c.Type.Or("") == "" && (c.Type.Set || it.Type == "") {
		w.Wrong("type", fault.CodeRequired, nil, "a customer always has a type")
	} else {
		w.Listed("type", &it.Type, c.Type, w.Dictionary, criteria.CustomerTypes)
	}
	w.Listed("civility", &it.Civility, c.Civility, w.Dictionary, criteria.Civilities)
	w.Listed("origin", &it.Origin, c.Origin, w.Dictionary, criteria.Origins)
	if c.Gender.Given() && !slices.ContainsFunc(site.Genders(), func(l site.Label) bool { return l.ID == c.Gender.Value }) {
		w.Wrong("gender_id", fault.CodeOutOfRange, c.Gender.Value, "no gender has this id")
	} else if c.Gender.Set {
		it.Gender = c.Gender.Or(0)
	}
	for _, f := range []struct {
		name   string
		target *string
		given  opt.Field[string]
	}{
		{"firstname", &it.Firstname, c.Firstname}, {"lastname", &it.Lastname, c.Lastname}, {"birth_name", &it.BirthName, c.BirthName},
		{"company", &it.Company, c.Company}, {"legal_form", &it.LegalForm, c.LegalForm}, {"vat_number", &it.VATNumber, c.VATNumber},
		{"birth_place", &it.BirthPlace, c.BirthPlace}, {"nationality", &it.Nationality, c.Nationality},
		{"profession", &it.Profession, c.Profession}, {"matrimonial_regime", &it.MatrimonialRegime, c.MatrimonialRegime},
		{"origin_detail", &it.OriginDetail, c.OriginDetail},
	} {
		w.Text(f.name, f.target, f.given, form.MaxName)
	}
	w.Text("comment", &it.Comment, c.Comment, form.MaxComment)
	w.Code("family_status", &it.FamilyStatus, c.FamilyStatus, FamilyStatuses())
	w.language(it, c.Language)
	w.siret(it, c.SIRET)
	w.Day("birth_date", &it.BirthDate, c.BirthDate)
	w.Day("next_contact", &it.NextContact, c.NextContact)
	w.Between("color", &it.Color, c.Color, 1, 5)
	w.Flag("is_archived", &it.Archived, c.Archived)
	if c.Agency.Null && it.ID != 0 {
		w.Wrong("agency_id", fault.CodeRequired, nil, "a customer always has an agency")
	} else if c.Agency.Given() {
		it.Agency = c.Agency.Value
	}
	if c.User.Set {
		it.User = c.User.Or(0)
	}
}

func (w writer) language(it *Customer, given opt.Field[string]) {
	code := strings.ToLower(strings.TrimSpace(given.Or("")))
	if code != "" && (len(code) != 2 || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") != "") {
		w.Wrong("language", fault.CodeInvalidFormat, given.Value, "a language is a two-letter code such as fr")
	} else if given.Set {
		it.Language = code
	}
}

func (w writer) siret(it *Customer, given opt.Field[string]) {
	number := strings.Join(strings.Fields(given.Or("")), "")
	if number != "" && !validSIRET(number) {
		w.Wrong("siret", fault.CodeInvalidFormat, given.Value, "a SIRET has 14 digits, the last of which checks the others")
	} else if given.Set {
		it.SIRET = number
	}
}

func (w writer) consent(consent *Consent, given opt.Field[ConsentChange]) {
	c, before := given.Value, *consent
	if given.Null {
		*consent = Consent{}
		return
	}
	f := w.In("consent")
	form.Maybe(&consent.Email, c.Email)
	form.Maybe(&consent.SMS, c.SMS)
	form.Maybe(&consent.Phone, c.Phone)
	form.Maybe(&consent.Partners, c.Partners)
	f.Text("source", &consent.Source, c.Source, form.MaxName)
	f.Moment("obtained_at", &consent.ObtainedAt, c.ObtainedAt, w.Zone)
	f.Moment("withdrawn_at", &consent.WithdrawnAt, c.WithdrawnAt, w.Zone)
	switch more := consent.given() - before.given(); {
	case more > 0 && !c.ObtainedAt.Set:
		consent.ObtainedAt = w.Now
	case more < 0 && !c.WithdrawnAt.Set:
		consent.WithdrawnAt = w.Now
	}
}

// given counts the ways the customer may be reached in.
func (c Consent) given() int {
	n := 0
	for _, way := range []*bool{c.Email, c.SMS, c.Phone, c.Partners} {
		if way != nil && *way {
			n++
		}
	}
	return n
}

func (w writer) clientArea(area *ClientArea, given opt.Field[ClientAreaChange]) {
	if given.Null {
		*area = ClientArea{}
		return
	}
	f := w.In("client_area")
	f.Flag("enabled", &area.Enabled, given.Value.Enabled)
	f.Text("login", &area.Login, given.Value.Login, form.MaxName)
	if area.Enabled && area.InvitedAt.IsZero() {
		area.InvitedAt = w.Now
	}
}

func (w writer) notary(notary *Notary, given opt.Field[NotaryChange]) {
	if given.Null {
		*notary = Notary{}
		return
	}
	c, f := given.Value, w.In("notary")
	form.ID(f, "customer_id", &notary.Customer, c.CustomerID)
	f.Text("name", &notary.Name, c.Name, form.MaxName)
	f.Text("office", &notary.Office, c.Office, form.MaxName)
	w.email(f, &notary.Email, c.Email)
	f.Text("phone", &notary.Phone, c.Phone, form.MaxName)
	f.Text("city", &notary.City, c.City, form.MaxName)
	if notary.Name == "" && notary.Customer == 0 {
		f.Wrong("name", fault.CodeRequired, nil, "a notary has a name or is a customer")
	}
}

func (w writer) related(changes []RelatedChange) []RelatedContact {
	if !w.Few("related_contacts", len(changes), maxRelated) {
		return nil
	}
	var all []RelatedContact
	for i, c := range changes {
		f, contact := w.In("related_contacts[%d]", i), RelatedContact{}
		form.ID(f, "customer_id", &contact.Customer, c.CustomerID)
		f.Code("relation", &contact.Relation, c.Relation, Relations())
		f.Text("firstname", &contact.Firstname, c.Firstname, form.MaxName)
		f.Text("lastname", &contact.Lastname, c.Lastname, form.MaxName)
		f.Text("phone", &contact.Phone, c.Phone, form.MaxName)
		w.email(f, &contact.Email, c.Email)
		f.Text("comment", &contact.Comment, c.Comment, form.MaxComment)
		if contact.Relation == "" && c.Relation.Or("") == "" {
			f.Wrong("relation", fault.CodeRequired, nil, "a related contact has a relation")
		}
		all = append(all, contact)
	}
	return all
}

func (w writer) email(f form.Form, target *string, given opt.Field[string]) {
	const field = "email"
	address := criteria.Normalise(given.Or(""))
	if address != "" && !validEmail(address) {
		f.Wrong(field, fault.CodeInvalidFormat, given.Value, "%s is an e-mail address, written name@example.com", field)
		return
	}
	f.Text(field, target, given, form.MaxName)
}

// nextID is an id no entry has.
func nextID[T any](items []T, id func(T) int64) int64 {
	if len(items) == 0 {
		return 1
	}
	return id(slices.MaxFunc(items, func(a, b T) int { return int(id(a) - id(b)) })) + 1
}
