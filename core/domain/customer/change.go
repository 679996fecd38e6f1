package customer

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Change is a request to create or change a customer. Absent parts stay as they are. It does
// not check whether the agency and the user are allowed.
//
// Email and Phone become the primary ones, and are added where they are missing.
type Change struct {
	AgencyID  opt.Field[int64]  `json:"agency_id" doc:"one of the token's agencies; required for a new customer when there are several"`
	UserID    opt.Field[int64]  `json:"user_id" doc:"assigned agent"`
	Type      opt.Field[string] `json:"type" doc:"code of list 5; required for a new customer"`
	Civility  opt.Field[string] `json:"civility" doc:"code of list 6"`
	GenderID  opt.Field[int64]  `json:"gender_id" doc:"id of a gender of GET /users/genders"`
	Firstname opt.Field[string] `json:"firstname" max:"form.MaxName"`
	Lastname  opt.Field[string] `json:"lastname" max:"form.MaxName" doc:"a customer has a lastname, a company, an email or a phone"`
	BirthName opt.Field[string] `json:"birth_name" max:"form.MaxName"`
	Company   opt.Field[string] `json:"company" max:"form.MaxName"`
	LegalForm opt.Field[string] `json:"legal_form" max:"form.MaxName"`
	SIRET     opt.Field[string] `json:"siret" doc:"14 digits"`
	VATNumber opt.Field[string] `json:"vat_number" max:"form.MaxName"`

	Email             opt.Field[string]          `json:"email" max:"form.MaxName" format:"email" doc:"primary e-mail address"`
	Emails            opt.Field[[]EmailInput]    `json:"emails" max:"customer.MaxContacts" doc:"entries with an id change, others are added, those not named stay"`
	Phone             opt.Field[string]          `json:"phone" max:"customer.MaxNumber" doc:"primary phone number, in any formatting"`
	PhoneNumbers      opt.Field[[]PhoneInput]    `json:"phone_numbers" max:"customer.MaxContacts" doc:"as emails"`
	Addresses         opt.Field[[]AddressInput]  `json:"addresses" max:"customer.MaxContacts" doc:"as emails"`
	Language          opt.Field[string]          `json:"language" doc:"ISO 639-1"`
	BirthDate         opt.Field[string]          `json:"birth_date" format:"date" trace:"hide"`
	BirthPlace        opt.Field[string]          `json:"birth_place" max:"form.MaxName"`
	Nationality       opt.Field[string]          `json:"nationality" max:"form.MaxName"`
	Profession        opt.Field[string]          `json:"profession" max:"form.MaxName"`
	FamilyStatus      opt.Field[string]          `json:"family_status" enum:"CELIBATAIRE,MARIE,PACSE,DIVORCE,VEUF"`
	MatrimonialRegime opt.Field[string]          `json:"matrimonial_regime" max:"form.MaxName"`
	Color             opt.Field[int]             `json:"color" minimum:"1" maximum:"5"`
	Origin            opt.Field[string]          `json:"origin" doc:"code of list 10"`
	OriginDetail      opt.Field[string]          `json:"origin_detail" max:"form.MaxName"`
	Comment           opt.Field[string]          `json:"comment" max:"form.MaxComment"`
	Consent           opt.Field[ConsentInput]    `json:"consent"`
	ClientArea        opt.Field[ClientAreaInput] `json:"client_area"`
	Notary            opt.Field[NotaryInput]     `json:"notary"`
	Related           opt.Field[[]RelatedInput]  `json:"related_contacts" max:"customer.MaxRelated" doc:"replaces the list"`
	NextContact       opt.Field[string]          `json:"next_contact" format:"date"`
	IsArchived        opt.Field[bool]            `json:"is_archived"`
}

// Item identifies an entry of a list in a change: the one with the ID, which is changed, or
// removed if Delete is set; without an ID it is a new one.
type Item struct {
	ID     opt.Field[int64] `json:"id" doc:"the entry to change; a new one without"`
	Delete opt.Field[bool]  `json:"_delete" doc:"true removes the entry"`
}

// EmailInput adds, changes or removes an e-mail address.
type EmailInput struct {
	_ struct{} `anyOf:"id,email"`
	Item
	Email     opt.Field[string] `json:"email" max:"form.MaxName" format:"email"`
	Type      opt.Field[string] `json:"type" enum:"PERSO,PRO"`
	IsPrimary opt.Field[bool]   `json:"is_primary"`
}

// PhoneInput adds, changes or removes a phone number.
type PhoneInput struct {
	_ struct{} `anyOf:"id,number"`
	Item
	Type       opt.Field[string] `json:"type" doc:"code of list 7"`
	Number     opt.Field[string] `json:"number" max:"customer.MaxNumber" doc:"at least 4 digits, in any formatting"`
	Country    opt.Field[string] `json:"country" doc:"ISO 3166; where the number is dialled"`
	IsPrimary  opt.Field[bool]   `json:"is_primary"`
	SMSAllowed opt.Field[bool]   `json:"sms_allowed"`
	Comment    opt.Field[string] `json:"comment" max:"form.MaxName"`
}

// AddressInput adds, changes or removes a postal address.
type AddressInput struct {
	_ struct{} `anyOf:"id,line1,line2,postal_code,city"`
	Item
	Type       opt.Field[string] `json:"type" doc:"code of list 8"`
	Line1      opt.Field[string] `json:"line1" max:"form.MaxName"`
	Line2      opt.Field[string] `json:"line2" max:"form.MaxName"`
	PostalCode opt.Field[string] `json:"postal_code" max:"customer.MaxPostalCode"`
	City       opt.Field[string] `json:"city" max:"form.MaxName"`
	Country    opt.Field[string] `json:"country" doc:"ISO 3166"`
	IsPrimary  opt.Field[bool]   `json:"is_primary"`
}

// ConsentInput gives or withdraws consent; what is absent stays as it is.
type ConsentInput struct {
	Email       opt.Field[bool]   `json:"email"`
	SMS         opt.Field[bool]   `json:"sms"`
	Phone       opt.Field[bool]   `json:"phone"`
	Partners    opt.Field[bool]   `json:"partners"`
	ObtainedAt  opt.Field[string] `json:"obtained_at" format:"date-time" doc:"now, where consent is given without it"`
	Source      opt.Field[string] `json:"source" max:"form.MaxName" doc:"how it was obtained"`
	WithdrawnAt opt.Field[string] `json:"withdrawn_at" format:"date-time" doc:"now, where consent is withdrawn without it"`
}

// ClientAreaInput opens or closes a customer's online area.
type ClientAreaInput struct {
	Enabled opt.Field[bool]   `json:"enabled"`
	Login   opt.Field[string] `json:"login" max:"form.MaxName"`
}

// NotaryInput names a customer's notary.
type NotaryInput struct {
	CustomerID opt.Field[int64]  `json:"customer_id" doc:"where the notary is a customer too"`
	Name       opt.Field[string] `json:"name" max:"form.MaxName" doc:"a notary has one, or a customer_id"`
	Office     opt.Field[string] `json:"office" max:"form.MaxName"`
	Email      opt.Field[string] `json:"email" max:"form.MaxName" format:"email"`
	Phone      opt.Field[string] `json:"phone" max:"form.MaxName"`
	City       opt.Field[string] `json:"city" max:"form.MaxName"`
}

// RelatedInput names somebody who belongs to a customer.
type RelatedInput struct {
	CustomerID opt.Field[int64]  `json:"customer_id" doc:"where they are a customer too"`
	Relation   opt.Field[string] `json:"relation" required:"true" enum:"CONJOINT,INDIVISAIRE,PARENT,ENFANT,MANDATAIRE,TUTEUR,CURATEUR,GERANT,AUTRE"`
	Firstname  opt.Field[string] `json:"firstname" max:"form.MaxName"`
	Lastname   opt.Field[string] `json:"lastname" max:"form.MaxName"`
	Phone      opt.Field[string] `json:"phone" max:"form.MaxName"`
	Email      opt.Field[string] `json:"email" max:"form.MaxName" format:"email"`
	Comment    opt.Field[string] `json:"comment" max:"form.MaxComment"`
}

// Rules validate changes of customers.
type Rules struct {
	Dictionary *criteria.Dictionary
	// Country is that of phone numbers without one, and Zone that of moments without an
	// offset, and of days.
	Country string
	Zone    *time.Location
	// Now is the moment of consent that is given or withdrawn without one, and the latest
	// birth date.
	Now time.Time
	// E164 is the international form of a phone number dialled in a country;
	// empty when it has none.
	E164 func(number, country string) string
}

// Limits of one customer.
const (
	// MaxContacts bounds each of the lists of e-mail addresses, phone numbers and postal
	// addresses.
	MaxContacts   = 20
	MaxRelated    = 50
	MaxNumber     = 64
	MaxPostalCode = 20
)

// EmailTypes lists what e-mail addresses are for.
func EmailTypes() []string { return []string{"PERSO", "PRO"} }

// FamilyStatuses lists the family statuses of the contract.
func FamilyStatuses() []string { return []string{"CELIBATAIRE", "MARIE", "PACSE", "DIVORCE", "VEUF"} }

// Relations lists how contacts are related.
func Relations() []string {
	return []string{"CONJOINT", "INDIVISAIRE", "PARENT", "ENFANT", "MANDATAIRE", "TUTEUR", "CURATEUR", "GERANT", "AUTRE"}
}

// Create returns the customer that a request describes, without ids and times, and without
// an agency if the request has none. It adds everything wrong with the request to problems.
func (r Rules) Create(c Change, problems *fault.Problems) Customer {
	return r.apply(Customer{}, c, problems)
}

// Update returns a copy of the customer with the changes of a request. It adds everything
// wrong with the request to problems.
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
	if c.GenderID.Given() && !slices.ContainsFunc(site.Genders(), func(l site.Label) bool { return l.ID == c.GenderID.Value }) {
		w.Wrong("gender_id", fault.CodeOutOfRange, c.GenderID.Value, "no gender has this id")
	} else if c.GenderID.Set {
		it.Gender = c.GenderID.Or(0)
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
		w.Name(f.name, f.target, f.given, form.MaxName)
	}
	w.Text("comment", &it.Comment, c.Comment, form.MaxComment)
	w.Code("family_status", &it.FamilyStatus, c.FamilyStatus, FamilyStatuses())
	w.language(it, c.Language)
	w.siret(it, c.SIRET)
	w.birthDate(it, c.BirthDate)
	w.Day("next_contact", &it.NextContact, c.NextContact)
	w.Between("color", &it.Color, c.Color, 1, 5)
	w.Flag("is_archived", &it.Archived, c.IsArchived)
	if c.AgencyID.Null && it.ID != 0 {
		w.Wrong("agency_id", fault.CodeRequired, nil, "a customer always has an agency")
	} else if c.AgencyID.Given() {
		it.Agency = site.AgencyID(c.AgencyID.Value)
	}
	if c.UserID.Set {
		it.User = site.UserID(c.UserID.Or(0))
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

func (w writer) birthDate(it *Customer, given opt.Field[string]) {
	born := it.BirthDate
	w.Day("birth_date", &born, given)
	if today := w.Now.In(w.Zone).Format(time.DateOnly); given.Set && born > today {
		w.Wrong("birth_date", fault.CodeOutOfRange, given.Value, "nobody is born after today, %s", today)
		return
	}
	it.BirthDate = born
}

func (w writer) consent(consent *Consent, given opt.Field[ConsentInput]) {
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

// given returns the number of ways in which the customer may be reached.
func (c Consent) given() int {
	n := 0
	for _, way := range []*bool{c.Email, c.SMS, c.Phone, c.Partners} {
		if way != nil && *way {
			n++
		}
	}
	return n
}

func (w writer) clientArea(area *ClientArea, given opt.Field[ClientAreaInput]) {
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

func (w writer) notary(notary *Notary, given opt.Field[NotaryInput]) {
	if given.Null {
		*notary = Notary{}
		return
	}
	c, f := given.Value, w.In("notary")
	form.ID(f, "customer_id", &notary.Customer, c.CustomerID)
	f.Name("name", &notary.Name, c.Name, form.MaxName)
	f.Name("office", &notary.Office, c.Office, form.MaxName)
	SetEmail(f, &notary.Email, c.Email)
	f.Text("phone", &notary.Phone, c.Phone, form.MaxName)
	f.Name("city", &notary.City, c.City, form.MaxName)
	if notary.Name == "" && notary.Customer == 0 && blank(c.Name) {
		f.Wrong("name", fault.CodeRequired, nil, "a notary has a name or a customer_id")
	}
}

func (w writer) related(changes []RelatedInput) []RelatedContact {
	if !w.Few("related_contacts", len(changes), MaxRelated) {
		return nil
	}
	var all []RelatedContact
	for i, c := range changes {
		f, contact := w.In("related_contacts[%d]", i), RelatedContact{}
		form.ID(f, "customer_id", &contact.Customer, c.CustomerID)
		f.Code("relation", &contact.Relation, c.Relation, Relations())
		f.Name("firstname", &contact.Firstname, c.Firstname, form.MaxName)
		f.Name("lastname", &contact.Lastname, c.Lastname, form.MaxName)
		f.Text("phone", &contact.Phone, c.Phone, form.MaxName)
		SetEmail(f, &contact.Email, c.Email)
		f.Text("comment", &contact.Comment, c.Comment, form.MaxComment)
		if contact.Relation == "" && blank(c.Relation) {
			f.Wrong("relation", fault.CodeRequired, nil, "a related contact has a relation")
		}
		all = append(all, contact)
	}
	return all
}

// SetEmail sets the field email, without invisible characters.
func SetEmail(f form.Form, target *string, given opt.Field[string]) {
	const field = "email"
	given.Value = criteria.Bare(given.Value)
	if address := criteria.Normalise(given.Or("")); address != "" && !validEmail(address) {
		f.Wrong(field, fault.CodeInvalidFormat, given.Value, "%s is an e-mail address, written name@example.com", field)
		return
	}
	f.Text(field, target, given, form.MaxName)
}

// nextID returns the id of a new entry of a list.
func nextID[T any](items []T, id func(T) int64) int64 {
	var highest int64
	for _, item := range items {
		highest = max(highest, id(item))
	}
	return highest + 1
}
