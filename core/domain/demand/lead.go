package demand

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// LeadID identifies a lead.
type LeadID int64

// LeadKind is which side of a sale the person is on.
type LeadKind string

// The kinds.
const (
	SellerLead LeadKind = "seller"
	BuyerLead  LeadKind = "buyer"
)

// Lead is one contact made through an external tool, with what came of it. Zero
// ids stand for "none".
type Lead struct {
	ID     LeadID
	Site   site.ID
	Agency site.AgencyID
	User   site.UserID
	Kind   LeadKind
	Status string // one of Statuses

	// What the lead made or found.
	Customer        customer.ID
	CustomerCreated bool
	Product         product.ID
	Search          SearchID
	FollowUp        FollowUpID

	LeadContact
	// OtherEmails and OtherPhones are what the person gave besides Email and Phone
	// when the lead was sent again.
	OtherEmails, OtherPhones []string
	Message                  string
	Origin, OriginDetail     string // list 10, and more about it
	ExternalID               string
	Campaign                 Campaign
	// Metadata is an object of the sender's own, as text that is nobody else's
	// business; empty when there is none. MetadataNames are those of its members.
	Metadata      string
	MetadataNames []string

	// Project is what a seller has in mind; Wish is what a buyer has.
	Project Project
	Wish    Wish

	Added, Modified time.Time
	// Version is the site's ledger sequence at the last change.
	Version int64
}

// LeadContact is how the person introduced themselves.
type LeadContact struct {
	Civility            string // list 6
	Firstname, Lastname string
	Email, Phone        string
}

// Campaign is the campaign the person came by.
type Campaign struct{ Source, Medium, Name string }

// Project is what a seller wants of the agency.
type Project struct {
	Kind                       string // one of Projects
	Address, PostalCode, City  string
	Country                    string // ISO 3166
	EstimatedFrom, EstimatedTo *float64
	EstimationTool, Horizon    string
}

// LeadPlace is where a property is.
type LeadPlace struct{ Address, PostalCode, City string }

// Wish is what a buyer asked about besides a product.
type Wish struct {
	TransactionType     string
	PriceMax            *float64
	VisitDay, VisitSlot string // YYYY-MM-DD, and free text
}

// LeadStatuses lists the statuses of leads, in the order they are usually reached.
func LeadStatuses() []string {
	return []string{LeadNew, LeadAssigned, "CONTACTE", "QUALIFIE", "TRANSFORME", "PERDU"}
}

// The statuses a new lead has: without and with an assigned agent.
const (
	LeadNew      = "NOUVEAU"
	LeadAssigned = "ATTRIBUE"
)

// AlignStatus sets the status by the agent: a new lead that has one is assigned,
// and an assigned one that has none is new again.
func (l *Lead) AlignStatus() {
	switch {
	case l.Status == LeadNew && l.User != 0:
		l.Status = LeadAssigned
	case l.Status == LeadAssigned && l.User == 0:
		l.Status = LeadNew
	}
}

// Projects lists what sellers may want.
func Projects() []string { return []string{ProjectSale, ProjectRental, ProjectEstimation} }

// What sellers may want; an estimation is what those want who do not say.
const (
	ProjectSale       = "VENTE"
	ProjectRental     = "LOCATION"
	ProjectEstimation = "ESTIMATION"
)

// Transaction returns the code of TypeTransaction that the project is about, empty for
// an estimation.
func (p Project) Transaction() string {
	switch p.Kind {
	case ProjectSale:
		return "Vente"
	case ProjectRental:
		return "Location"
	}
	return ""
}
