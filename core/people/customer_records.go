package people

import (
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/product"
)

// Customer is a contact of an agency, whole.
type Customer struct {
	listing.CustomerSummary
	GenderID          *int64              `json:"gender_id"`
	Roles             []string            `json:"roles" doc:"from products owned and search requests: VENDEUR, BAILLEUR, ACQUEREUR, LOCATAIRE"`
	BirthName         *string             `json:"birth_name"`
	LegalForm         *string             `json:"legal_form"`
	SIRET             *string             `json:"siret"`
	VATNumber         *string             `json:"vat_number"`
	Emails            []CustomerEmail     `json:"emails"`
	PhoneNumbers      []PhoneNumber       `json:"phone_numbers"`
	Addresses         []PostalAddress     `json:"addresses"`
	Language          *string             `json:"language"`
	BirthDate         *string             `json:"birth_date" format:"date"`
	BirthPlace        *string             `json:"birth_place"`
	Nationality       *string             `json:"nationality"`
	Profession        *string             `json:"profession"`
	FamilyStatus      *string             `json:"family_status"`
	MatrimonialRegime *string             `json:"matrimonial_regime"`
	Origin            *string             `json:"origin" doc:"code of list 10"`
	OriginDetail      *string             `json:"origin_detail"`
	Comment           *string             `json:"comment"`
	Consent           Consent             `json:"consent"`
	ClientArea        ClientArea          `json:"client_area"`
	Notary            *Notary             `json:"notary"`
	RelatedContacts   []RelatedContact    `json:"related_contacts"`
	Mandates          []Mandate           `json:"mandates" doc:"from the mandate criteria of the products owned"`
	NextContact       *string             `json:"next_contact" format:"date"`
	SearchesCount     int                 `json:"searches_count"`
	FollowUpsCount    int                 `json:"follow_ups_count"`
	LastContactAt     *api.Instant        `json:"last_contact_at" doc:"last status of a follow-up, or last action performed about the customer or with them"`
	IsArchived        bool                `json:"is_archived"`
	AnonymizedAt      *api.Instant        `json:"anonymized_at" doc:"when everything personal was removed; null while the customer is known"`
	DateAdded         api.Instant         `json:"date_added"`
	SyncErrors        []listing.SyncError `json:"sync_errors" doc:"webhooks whose receiver refused the last event about this customer"`

	Version api.Version `json:"-" header:"ETag"`
}

func plainCustomer(c customer.Customer) Customer {
	record := Customer{
		CustomerSummary: *listing.CustomerSummaryOf(c), GenderID: api.Nullable(c.Gender), Roles: []string{}, BirthName: api.Nullable(c.BirthName),
		LegalForm: api.Nullable(c.LegalForm), SIRET: api.Nullable(c.SIRET), VATNumber: api.Nullable(c.VATNumber),
		Emails: []CustomerEmail{}, PhoneNumbers: []PhoneNumber{}, Addresses: []PostalAddress{}, RelatedContacts: []RelatedContact{},
		Mandates: []Mandate{}, SyncErrors: []listing.SyncError{}, Language: api.Nullable(c.Language), BirthDate: api.Nullable(c.BirthDate),
		BirthPlace: api.Nullable(c.BirthPlace), Nationality: api.Nullable(c.Nationality), Profession: api.Nullable(c.Profession),
		FamilyStatus: api.Nullable(c.FamilyStatus), MatrimonialRegime: api.Nullable(c.MatrimonialRegime), Origin: api.Nullable(c.Origin),
		OriginDetail: api.Nullable(c.OriginDetail), Comment: api.Nullable(c.Comment), NextContact: api.Nullable(c.NextContact),
		IsArchived: c.Archived, AnonymizedAt: api.When(c.Anonymized), DateAdded: api.Instant{Time: c.Added}, Version: api.Version(c.Version),
		Consent: Consent{
			Email: c.Consent.Email, SMS: c.Consent.SMS, Phone: c.Consent.Phone, Partners: c.Consent.Partners,
			ObtainedAt: api.When(c.Consent.ObtainedAt), Source: api.Nullable(c.Consent.Source), WithdrawnAt: api.When(c.Consent.WithdrawnAt),
		},
		ClientArea: ClientArea{
			Enabled: c.ClientArea.Enabled, Login: api.Nullable(c.ClientArea.Login),
			InvitedAt: api.When(c.ClientArea.InvitedAt), LastLoginAt: api.When(c.ClientArea.LastLogin),
		},
	}
	for _, e := range c.Emails {
		record.Emails = append(record.Emails, CustomerEmail{ID: e.ID, Email: e.Address, Type: api.Nullable(e.Type), IsPrimary: e.Primary})
	}
	for _, p := range c.Phones {
		record.PhoneNumbers = append(record.PhoneNumbers, PhoneNumber{
			ID: p.ID, Type: api.Nullable(p.Type), Number: p.Number, NumberE164: api.Nullable(p.E164), Country: api.Nullable(p.Country),
			IsPrimary: p.Primary, SMSAllowed: p.SMSAllowed, Comment: api.Nullable(p.Comment),
		})
	}
	for _, a := range c.Addresses {
		record.Addresses = append(record.Addresses, PostalAddress{
			ID: a.ID, Type: api.Nullable(a.Type), Line1: api.Nullable(a.Line1), Line2: api.Nullable(a.Line2), PostalCode: api.Nullable(a.PostalCode),
			City: api.Nullable(a.City), Country: api.Nullable(a.Country), IsPrimary: a.Primary,
		})
	}
	if n := c.Notary; n.Known() {
		record.Notary = &Notary{
			CustomerID: api.Nullable(int64(n.Customer)), Name: api.Nullable(n.Name), Office: api.Nullable(n.Office),
			Email: api.Nullable(n.Email), Phone: api.Nullable(n.Phone), City: api.Nullable(n.City),
		}
	}
	for _, r := range c.Related {
		record.RelatedContacts = append(record.RelatedContacts, RelatedContact{
			CustomerID: api.Nullable(int64(r.Customer)), Relation: r.Relation, Firstname: api.Nullable(r.Firstname), Lastname: api.Nullable(r.Lastname),
			Phone: api.Nullable(r.Phone), Email: api.Nullable(r.Email), Comment: api.Nullable(r.Comment),
		})
	}
	return record
}

// CustomerEmail is an e-mail address of a customer.
type CustomerEmail struct {
	ID        int64   `json:"id"`
	Email     string  `json:"email"`
	Type      *string `json:"type"`
	IsPrimary bool    `json:"is_primary"`
}

// PhoneNumber is a phone number of a customer.
type PhoneNumber struct {
	ID         int64   `json:"id"`
	Type       *string `json:"type" doc:"code of list 7"`
	Number     string  `json:"number" doc:"as it was sent"`
	NumberE164 *string `json:"number_e164" doc:"international form; null when the number has none"`
	Country    *string `json:"country"`
	IsPrimary  bool    `json:"is_primary"`
	SMSAllowed bool    `json:"sms_allowed"`
	Comment    *string `json:"comment"`
}

// PostalAddress is an address of a customer.
type PostalAddress struct {
	ID         int64   `json:"id"`
	Type       *string `json:"type" doc:"code of list 8"`
	Line1      *string `json:"line1"`
	Line2      *string `json:"line2"`
	PostalCode *string `json:"postal_code"`
	City       *string `json:"city"`
	Country    *string `json:"country"`
	IsPrimary  bool    `json:"is_primary"`
}

// Consent is what a customer allows; null is: never asked.
type Consent struct {
	Email       *bool        `json:"email"`
	SMS         *bool        `json:"sms"`
	Phone       *bool        `json:"phone"`
	Partners    *bool        `json:"partners"`
	ObtainedAt  *api.Instant `json:"obtained_at"`
	Source      *string      `json:"source"`
	WithdrawnAt *api.Instant `json:"withdrawn_at"`
}

// ClientArea is a customer's access to the agency's online area.
type ClientArea struct {
	Enabled     bool         `json:"enabled"`
	Login       *string      `json:"login"`
	URL         *string      `json:"url" doc:"null: no online area is connected"`
	InvitedAt   *api.Instant `json:"invited_at"`
	LastLoginAt *api.Instant `json:"last_login_at"`
}

// Notary is who acts for a customer.
type Notary struct {
	CustomerID *int64  `json:"customer_id" ref:"customer"`
	Name       *string `json:"name"`
	Office     *string `json:"office"`
	Email      *string `json:"email"`
	Phone      *string `json:"phone"`
	City       *string `json:"city"`
}

// RelatedContact is somebody who belongs to a customer.
type RelatedContact struct {
	CustomerID *int64  `json:"customer_id" ref:"customer"`
	Relation   string  `json:"relation"`
	Firstname  *string `json:"firstname"`
	Lastname   *string `json:"lastname"`
	Phone      *string `json:"phone"`
	Email      *string `json:"email"`
	Comment    *string `json:"comment"`
}

// Mandate is the mandate a product is on offer by, as its criteria tell.
type Mandate struct {
	Number      string   `json:"number" doc:"criterion NumeroMandat"`
	Type        *string  `json:"type" doc:"criterion TypeMandat"`
	ProductID   int64    `json:"product_id"`
	CustomerIDs []int64  `json:"customer_ids"`
	AgencyID    int64    `json:"agency_id"`
	UserID      *int64   `json:"user_id"`
	DateStart   *string  `json:"date_start" format:"date" doc:"criterion DateMandat"`
	DateEnd     *string  `json:"date_end" format:"date" doc:"criterion DateFinMandat"`
	Status      string   `json:"status" enum:"PROJET,ACTIF,EXPIRE,RESILIE,REALISE"`
	Price       *float64 `json:"price"`
	NetSeller   *float64 `json:"net_seller"`
	FeesAmount  *float64 `json:"fees_amount"`
	FeesPayer   *string  `json:"fees_payer" doc:"criterion ChargeHonoraires"`
}

func mandateRecord(p product.Product, m product.Mandate) Mandate {
	return Mandate{
		Number: m.Number, Type: api.Nullable(m.Type), ProductID: int64(p.ID), CustomerIDs: []int64{int64(p.Customer)},
		AgencyID: int64(p.Agency), UserID: api.Nullable(int64(p.User)), DateStart: api.Nullable(m.Start), DateEnd: api.Nullable(m.End), Status: m.Status,
		Price: listing.Number(p.Criteria, criteria.KeyPrice), NetSeller: listing.Number(p.Criteria, "PrixNetVendeur"),
		FeesAmount: listing.Number(p.Criteria, "Honoraires"), FeesPayer: api.Nullable(p.Criteria.Code("ChargeHonoraires")),
	}
}
