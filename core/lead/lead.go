// Package lead knows leads: people who got in touch through an external tool,
// to sell or to buy.
package lead

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// ID identifies a lead.
type ID int64

// Kind is which side of a sale the person is on.
type Kind string

// The kinds.
const (
	Seller Kind = "seller"
	Buyer  Kind = "buyer"
)

// Lead is one contact made through an external tool, with what came of it. Zero
// ids stand for "none".
type Lead struct {
	ID     ID
	Site   site.ID
	Agency site.AgencyID
	User   site.UserID
	Kind   Kind
	Status string // one of Statuses

	// What the lead made or found.
	Customer        customer.ID
	CustomerCreated bool
	Product         product.ID
	Search          demand.SearchID
	FollowUp        demand.FollowUpID

	Contact
	// OtherEmails and OtherPhones are what the person gave beside Email and Phone
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

// Contact is how the person introduced themselves.
type Contact struct {
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

// Place is where a property is.
type Place struct{ Address, PostalCode, City string }

// Wish is what a buyer asked about beside a product.
type Wish struct {
	TransactionType     string
	PriceMax            *float64
	VisitDay, VisitSlot string // YYYY-MM-DD, and free text
}

// Statuses lists the statuses of leads, in the order they are usually reached.
func Statuses() []string {
	return []string{StatusNew, StatusAssigned, "CONTACTE", "QUALIFIE", "TRANSFORME", "PERDU"}
}

// The statuses a new lead has: without and with an assigned agent.
const (
	StatusNew      = "NOUVEAU"
	StatusAssigned = "ATTRIBUE"
)

// Settle makes the status go with the agent: a new lead that has one is assigned,
// and an assigned one that has none is new again.
func (l *Lead) Settle() {
	switch {
	case l.Status == StatusNew && l.User != 0:
		l.Status = StatusAssigned
	case l.Status == StatusAssigned && l.User == 0:
		l.Status = StatusNew
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

// Transaction is the code of TypeTransaction that the project is about, empty for
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
