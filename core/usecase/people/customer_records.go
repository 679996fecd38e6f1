package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
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
	LastContactAt     *kernel.Instant     `json:"last_contact_at" doc:"last status of a follow-up, or last action performed about the customer or with them"`
	IsArchived        bool                `json:"is_archived"`
	AnonymizedAt      *kernel.Instant     `json:"anonymized_at" doc:"when everything personal was removed; null while the customer is known"`
	DateAdded         kernel.Instant      `json:"date_added"`
	SyncErrors        []listing.SyncError `json:"sync_errors" doc:"webhooks whose receiver refused the last event about this customer"`

	Version kernel.Version `json:"-" header:"ETag"`
}

func plainCustomer(c customer.Customer) Customer {
	record := Customer{
		CustomerSummary: *listing.CustomerSummaryOf(c), GenderID: kernel.Nullable(c.Gender), Roles: []string{}, BirthName: kernel.Nullable(c.BirthName),
		LegalForm: kernel.Nullable(c.LegalForm), SIRET: kernel.Nullable(c.SIRET), VATNumber: kernel.Nullable(c.VATNumber),
		Emails: []CustomerEmail{}, PhoneNumbers: []PhoneNumber{}, Addresses: []PostalAddress{}, RelatedContacts: []RelatedContact{},
		Mandates: []Mandate{}, SyncErrors: []listing.SyncError{}, Language: kernel.Nullable(c.Language), BirthDate: kernel.Nullable(c.BirthDate),
		BirthPlace: kernel.Nullable(c.BirthPlace), Nationality: kernel.Nullable(c.Nationality), Profession: kernel.Nullable(c.Profession),
		FamilyStatus: kernel.Nullable(c.FamilyStatus), MatrimonialRegime: kernel.Nullable(c.MatrimonialRegime), Origin: kernel.Nullable(c.Origin),
		OriginDetail: kernel.Nullable(c.OriginDetail), Comment: kernel.Nullable(c.Comment), NextContact: kernel.Nullable(c.NextContact),
		IsArchived: c.Archived, AnonymizedAt: kernel.When(c.Anonymized), DateAdded: kernel.Instant{Time: c.Added}, Version: kernel.Version(c.Version),
		Consent: Consent{
			Email: c.Consent.Email, SMS: c.Consent.SMS, Phone: c.Consent.Phone, Partners: c.Consent.Partners,
			ObtainedAt: kernel.When(c.Consent.ObtainedAt), Source: kernel.Nullable(c.Consent.Source), WithdrawnAt: kernel.When(c.Consent.WithdrawnAt),
		},
		ClientArea: ClientArea{
			Enabled: c.ClientArea.Enabled, Login: kernel.Nullable(c.ClientArea.Login),
			InvitedAt: kernel.When(c.ClientArea.InvitedAt), LastLoginAt: kernel.When(c.ClientArea.LastLogin),
		},
	}
	for _, e := range c.Emails {
		record.Emails = append(record.Emails, CustomerEmail{ID: e.ID, Email: e.Address, Type: kernel.Nullable(e.Type), IsPrimary: e.Primary})
	}
	for _, p := range c.Phones {
		record.PhoneNumbers = append(record.PhoneNumbers, PhoneNumber{
			ID: p.ID, Type: kernel.Nullable(p.Type), Number: p.Number, NumberE164: kernel.Nullable(p.E164), Country: kernel.Nullable(p.Country),
			IsPrimary: p.Primary, SMSAllowed: p.SMSAllowed, Comment: kernel.Nullable(p.Comment),
		})
	}
	for _, a := range c.Addresses {
		record.Addresses = append(record.Addresses, PostalAddress{
			ID: a.ID, Type: kernel.Nullable(a.Type), Line1: kernel.Nullable(a.Line1), Line2: kernel.Nullable(a.Line2), PostalCode: kernel.Nullable(a.PostalCode),
			City: kernel.Nullable(a.City), Country: kernel.Nullable(a.Country), IsPrimary: a.Primary,
		})
	}
	if n := c.Notary; n.Known() {
		record.Notary = &Notary{
			CustomerID: kernel.Nullable(int64(n.Customer)), Name: kernel.Nullable(n.Name), Office: kernel.Nullable(n.Office),
			Email: kernel.Nullable(n.Email), Phone: kernel.Nullable(n.Phone), City: kernel.Nullable(n.City),
		}
	}
	for _, r := range c.Related {
		record.RelatedContacts = append(record.RelatedContacts, RelatedContact{
			CustomerID: kernel.Nullable(int64(r.Customer)), Relation: r.Relation, Firstname: kernel.Nullable(r.Firstname), Lastname: kernel.Nullable(r.Lastname),
			Phone: kernel.Nullable(r.Phone), Email: kernel.Nullable(r.Email), Comment: kernel.Nullable(r.Comment),
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
	Email       *bool           `json:"email"`
	SMS         *bool           `json:"sms"`
	Phone       *bool           `json:"phone"`
	Partners    *bool           `json:"partners"`
	ObtainedAt  *kernel.Instant `json:"obtained_at"`
	Source      *string         `json:"source"`
	WithdrawnAt *kernel.Instant `json:"withdrawn_at"`
}

// ClientArea is a customer's access to the agency's online area.
type ClientArea struct {
	Enabled     bool            `json:"enabled"`
	Login       *string         `json:"login"`
	URL         *string         `json:"url" doc:"null: no online area is connected"`
	InvitedAt   *kernel.Instant `json:"invited_at"`
	LastLoginAt *kernel.Instant `json:"last_login_at"`
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
		Number: m.Number, Type: kernel.Nullable(m.Type), ProductID: int64(p.ID), CustomerIDs: []int64{int64(p.Customer)},
		AgencyID: int64(p.Agency), UserID: kernel.Nullable(int64(p.User)), DateStart: kernel.Nullable(m.Start), DateEnd: kernel.Nullable(m.End), Status: m.Status,
		Price: listing.Number(p.Criteria, criteria.KeyPrice), NetSeller: listing.Number(p.Criteria, "PrixNetVendeur"),
		FeesAmount: listing.Number(p.Criteria, "Honoraires"), FeesPayer: kernel.Nullable(p.Criteria.Code("ChargeHonoraires")),
	}
}
