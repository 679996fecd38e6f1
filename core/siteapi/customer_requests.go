package siteapi

// CustomerInput is what creating and updating a customer have in common.
type CustomerInput struct {
	AgencyID  Opt[int64]  `json:"agency_id" doc:"one of the token's agencies; required for a new customer when there are several"`
	UserID    Opt[int64]  `json:"user_id" doc:"assigned agent"`
	Type      Opt[string] `json:"type" doc:"code of list 5; required for a new customer"`
	Civility  Opt[string] `json:"civility" doc:"code of list 6"`
	GenderID  Opt[int64]  `json:"gender_id" doc:"id of a gender of GET /users/genders"`
	Firstname Opt[string] `json:"firstname"`
	Lastname  Opt[string] `json:"lastname" doc:"a customer has a lastname, a company, an email or a phone"`
	BirthName Opt[string] `json:"birth_name"`
	Company   Opt[string] `json:"company"`
	LegalForm Opt[string] `json:"legal_form"`
	SIRET     Opt[string] `json:"siret" doc:"14 digits"`
	VATNumber Opt[string] `json:"vat_number"`

	Email        Opt[string]          `json:"email" format:"email" doc:"primary e-mail address"`
	Emails       Opt[[]EmailInput]    `json:"emails" doc:"entries with an id change, others are added, those not named stay"`
	Phone        Opt[string]          `json:"phone" doc:"primary phone number, in any formatting"`
	PhoneNumbers Opt[[]PhoneInput]    `json:"phone_numbers" doc:"as emails"`
	Addresses    Opt[[]AddressInput]  `json:"addresses" doc:"as emails"`
	Language     Opt[string]          `json:"language" doc:"ISO 639-1"`
	BirthDate    Opt[string]          `json:"birth_date" format:"date"`
	BirthPlace   Opt[string]          `json:"birth_place"`
	Nationality  Opt[string]          `json:"nationality"`
	Profession   Opt[string]          `json:"profession"`
	FamilyStatus Opt[string]          `json:"family_status" enum:"CELIBATAIRE,MARIE,PACSE,DIVORCE,VEUF"`
	Regime       Opt[string]          `json:"matrimonial_regime"`
	Color        Opt[int]             `json:"color" minimum:"1" maximum:"5"`
	Origin       Opt[string]          `json:"origin" doc:"code of list 10"`
	OriginDetail Opt[string]          `json:"origin_detail"`
	Comment      Opt[string]          `json:"comment" doc:"at most 10,000 characters"`
	Consent      Opt[ConsentInput]    `json:"consent"`
	ClientArea   Opt[ClientAreaInput] `json:"client_area"`
	Notary       Opt[NotaryInput]     `json:"notary"`
	Related      Opt[[]RelatedInput]  `json:"related_contacts" doc:"replaces the list"`
	NextContact  Opt[string]          `json:"next_contact" format:"date"`
	IsArchived   Opt[bool]            `json:"is_archived"`
}

// ItemInput names an entry of a list by its id, to change or delete it.
type ItemInput struct {
	ID     Opt[int64] `json:"id" doc:"the entry to change; a new one without"`
	Delete Opt[bool]  `json:"_delete" doc:"true removes the entry"`
}

// EmailInput is an e-mail address of a customer.
type EmailInput struct {
	ItemInput
	Email     Opt[string] `json:"email" format:"email"`
	Type      Opt[string] `json:"type" enum:"PERSO,PRO"`
	IsPrimary Opt[bool]   `json:"is_primary"`
}

// PhoneInput is a phone number of a customer.
type PhoneInput struct {
	ItemInput
	Type       Opt[string] `json:"type" doc:"code of list 7"`
	Number     Opt[string] `json:"number" doc:"at least 4 digits, in any formatting"`
	Country    Opt[string] `json:"country" doc:"ISO 3166; where the number is dialled"`
	IsPrimary  Opt[bool]   `json:"is_primary"`
	SMSAllowed Opt[bool]   `json:"sms_allowed"`
	Comment    Opt[string] `json:"comment"`
}

// AddressInput is a postal address of a customer.
type AddressInput struct {
	ItemInput
	Type       Opt[string] `json:"type" doc:"code of list 8"`
	Line1      Opt[string] `json:"line1"`
	Line2      Opt[string] `json:"line2"`
	PostalCode Opt[string] `json:"postal_code"`
	City       Opt[string] `json:"city"`
	Country    Opt[string] `json:"country" doc:"ISO 3166"`
	IsPrimary  Opt[bool]   `json:"is_primary"`
}

// ConsentInput gives or withdraws consent; what is absent stays as it is.
type ConsentInput struct {
	Email       Opt[bool]   `json:"email"`
	SMS         Opt[bool]   `json:"sms"`
	Phone       Opt[bool]   `json:"phone"`
	Partners    Opt[bool]   `json:"partners"`
	ObtainedAt  Opt[string] `json:"obtained_at" format:"date-time" doc:"now, where consent is given without it"`
	Source      Opt[string] `json:"source" doc:"how it was obtained"`
	WithdrawnAt Opt[string] `json:"withdrawn_at" format:"date-time" doc:"now, where consent is withdrawn without it"`
}

// ClientAreaInput opens or closes a customer's online area.
type ClientAreaInput struct {
	Enabled Opt[bool]   `json:"enabled"`
	Login   Opt[string] `json:"login"`
}

// NotaryInput names a customer's notary.
type NotaryInput struct {
	CustomerID Opt[int64]  `json:"customer_id" doc:"where the notary is a customer too"`
	Name       Opt[string] `json:"name"`
	Office     Opt[string] `json:"office"`
	Email      Opt[string] `json:"email" format:"email"`
	Phone      Opt[string] `json:"phone"`
	City       Opt[string] `json:"city"`
}

// RelatedInput names somebody who belongs to a customer.
type RelatedInput struct {
	CustomerID Opt[int64]  `json:"customer_id" doc:"where they are a customer too"`
	Relation   Opt[string] `json:"relation" required:"true" enum:"CONJOINT,INDIVISAIRE,PARENT,ENFANT,MANDATAIRE,TUTEUR,CURATEUR,GERANT,AUTRE"`
	Firstname  Opt[string] `json:"firstname"`
	Lastname   Opt[string] `json:"lastname"`
	Phone      Opt[string] `json:"phone"`
	Email      Opt[string] `json:"email" format:"email"`
	Comment    Opt[string] `json:"comment"`
}

// CreateCustomer is POST /customers.
type CreateCustomer struct{ CustomerInput }

// UpdateCustomer is PATCH /customers/{customerId}: only what is given changes.
type UpdateCustomer struct {
	ID      int64   `path:"customerId"`
	IfMatch IfMatch `header:"If-Match"`
	CustomerInput
}

// DeleteCustomer is DELETE /customers/{customerId}.
type DeleteCustomer struct {
	ID      int64   `path:"customerId"`
	IfMatch IfMatch `header:"If-Match"`
}

// CustomerPath is a customer, named in the path.
type CustomerPath struct {
	ID int64 `path:"customerId"`
}

// CustomerProducts is GET /customers/{customerId}/products.
type CustomerProducts struct {
	ID    int64 `path:"customerId"`
	Fetch Fetch `query:"fetch" doc:"blocks"`
}

// SearchCustomers is POST /customers/search. All of it is optional; what is
// given must all hold, except that either of email and phone may.
type SearchCustomers struct {
	Email        Opt[string] `json:"email" doc:"any e-mail address of the customer, case aside"`
	Phone        Opt[string] `json:"phone" doc:"any phone number of the customer, in any formatting"`
	Keyword      Opt[string] `json:"keyword" doc:"part of the name, the company, an e-mail address or a phone number"`
	Type         Opt[string] `json:"type" doc:"code of list 5"`
	AgencyID     Opt[int64]  `json:"agency_id" doc:"one of the token's agencies"`
	UserID       Opt[int64]  `json:"user_id" doc:"assigned agent"`
	LastModified Opt[string] `json:"last_modified" format:"date-time" doc:"modified on or after"`
	IsArchived   Opt[bool]   `json:"is_archived"`
	SortType     Opt[string] `json:"sort_type" enum:"id,name,date,date_added"`
	SortOrder    Opt[string] `json:"sort_order" enum:"asc,desc"`
	Paging
}

// CustomerResult is a page of customers.
type CustomerResult struct {
	Data       []CustomerSummary `json:"data"`
	NextCursor *string           `json:"next_cursor"`
	HasMore    bool              `json:"has_more"`
	// Mode is cursor or offset.
	Mode string `json:"-" header:"X-Pagination-Mode"`
}

// CreatedCustomer is the answer to POST /customers.
type CreatedCustomer struct {
	Created
	// PossibleDuplicates are the ids of customers with the same e-mail address or
	// phone number, separated by commas.
	PossibleDuplicates string `json:"-" header:"X-Possible-Duplicates"`
}
