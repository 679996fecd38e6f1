package office

import "github.com/vitrine-crm/vitrine/core/kernel"

// DiscoveryRecord is an agency in scope.
type DiscoveryRecord struct {
	SiteID     int64   `json:"site_id"`
	AgencyID   int64   `json:"agency_id"`
	Name       string  `json:"name"`
	LegalName  *string `json:"legal_name"`
	Address    *string `json:"address"`
	PostalCode *string `json:"postal_code"`
	City       *string `json:"city"`
	Email      *string `json:"email"`
	Phone      *string `json:"phone"`
	SIRET      *string `json:"siret" doc:"14 digits"`
	SIREN      *string `json:"siren" doc:"9 digits"`
}

// Site is the token's site.
type Site struct {
	ID                int64    `json:"id"`
	Name              string   `json:"name"`
	ManufacturersList []int64  `json:"manufacturers_list" doc:"ids of the agencies a token of the site reaches"`
	Settings          Settings `json:"settings"`
}

// Settings are the site's choices that change how requests are understood.
type Settings struct {
	DefaultStatus string `json:"default_status" doc:"Statut of a product created without one"`
	Timezone      string `json:"timezone"`
	Currency      string `json:"currency"`
	Country       string `json:"country"`
}

// AgencyResponse is an agency in a list.
type AgencyResponse struct {
	ID         int64    `json:"id"`
	SiteID     int64    `json:"site_id"`
	Name       string   `json:"name"`
	LegalName  *string  `json:"legal_name"`
	Address    *string  `json:"address"`
	PostalCode *string  `json:"postal_code"`
	City       *string  `json:"city"`
	Country    *string  `json:"country"`
	Email      *string  `json:"email"`
	Phone      *string  `json:"phone"`
	SIREN      *string  `json:"siren"`
	SIRET      *string  `json:"siret"`
	Latitude   *float64 `json:"latitude"`
	Longitude  *float64 `json:"longitude"`
	LogoURL    *string  `json:"logo_url"`
	IsActive   bool     `json:"is_active"`
}

// AgencyFullResponse is an agency with its particulars and users.
type AgencyFullResponse struct {
	AgencyResponse
	Website          *string           `json:"website"`
	VATNumber        *string           `json:"vat_number"`
	RCS              *string           `json:"rcs"`
	Capital          *string           `json:"capital"`
	LegalForm        *string           `json:"legal_form"`
	ProfessionalCard *ProfessionalCard `json:"professional_card"`
	Guarantee        *Guarantee        `json:"guarantee"`
	Insurance        *Insurance        `json:"insurance"`
	Mediator         *Mediator         `json:"mediator"`
	FeesScheduleURL  *string           `json:"fees_schedule_url"`
	Network          *string           `json:"network"`
	OpeningHours     []OpeningHours    `json:"opening_hours"`
	Languages        []string          `json:"languages"`
	Description      *string           `json:"description"`
	Users            []UserSummary     `json:"users"`
	Settings         Settings          `json:"settings"`
	DateAdded        kernel.Instant    `json:"date_added"`
	LastModified     kernel.Instant    `json:"last_modified"`
}

// ProfessionalCard is the "carte professionnelle" of the loi Hoguet.
type ProfessionalCard struct {
	Number     string   `json:"number" doc:"number of the card"`
	Mentions   []string `json:"mentions" doc:"T transaction, G management, S syndic"`
	IssuedBy   *string  `json:"issued_by"`
	ValidUntil *string  `json:"valid_until" format:"date"`
}

// Guarantee is the financial guarantee of an agency.
type Guarantee struct {
	Provider string  `json:"provider"`
	Amount   float64 `json:"amount"`
}

// Insurance is the professional liability insurance of an agency.
type Insurance struct {
	Provider string  `json:"provider"`
	Policy   *string `json:"policy"`
}

// Mediator is the consumer mediator of an agency.
type Mediator struct {
	Name string  `json:"name"`
	URL  *string `json:"url"`
}

// OpeningHours is one opening of a weekday; 1 is Monday.
type OpeningHours struct {
	Weekday int    `json:"weekday" minimum:"1" maximum:"7"`
	Open    string `json:"open"`
	Close   string `json:"close"`
}

// AgencyDocument is an agency as documents print it: text only.
type AgencyDocument struct {
	ID               string `json:"id"`
	Name             string `json:"name"`
	LegalName        string `json:"legal_name"`
	Address          string `json:"address"`
	PostalCode       string `json:"postal_code"`
	City             string `json:"city"`
	Phone            string `json:"phone"`
	Email            string `json:"email"`
	Website          string `json:"website"`
	SIREN            string `json:"siren"`
	SIRET            string `json:"siret"`
	VATNumber        string `json:"vat_number"`
	RCS              string `json:"rcs"`
	Capital          string `json:"capital"`
	ProfessionalCard string `json:"professional_card"`
	Guarantee        string `json:"guarantee"`
	Insurance        string `json:"insurance"`
	Mediator         string `json:"mediator"`
	LogoURL          string `json:"logo_url"`
}

// AgencyDetail is one of the two forms of an agency: full, or for documents.
type AgencyDetail struct {
	kernel.OneOf
	Full     *AgencyFullResponse
	Document *AgencyDocument
}

// ListAgencies is GET /agencies.
type ListAgencies struct{ kernel.PageQuery }

// AgencyPage is a page of agencies.
type AgencyPage struct {
	Data  []AgencyResponse             `json:"data"`
	Meta  kernel.CursorPaginationMeta  `json:"meta"`
	Links kernel.CursorPaginationLinks `json:"links"`
}

// ReadAgency is GET /agencies/{agencyId}.
type ReadAgency struct {
	ID     int64  `path:"agencyId"`
	Format string `query:"format" enum:"tag_document" doc:"the simplified form for documents"`
}
