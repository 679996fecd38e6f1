package people

import (
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

// CustomerExport is everything that is kept about a customer, as one record.
type CustomerExport struct {
	ExportedAt     kernel.Instant                `json:"exported_at"`
	Customer       Customer                      `json:"customer" doc:"consent in it has its source and its dates"`
	Searches       []SearchRequest               `json:"searches"`
	FollowUps      []FollowUp                    `json:"follow_ups"`
	Leads          []Lead                        `json:"leads"`
	SaleOffers     []dealrecords.SaleOffer       `json:"sale_offers" doc:"to which the customer is a party"`
	SaleAgreements []dealrecords.SaleAgreement   `json:"sale_agreements" doc:"to which the customer is a party"`
	Leases         []dealrecords.Lease           `json:"leases" doc:"to which the customer is a party"`
	Appointments   []agendarecords.AttendedEvent `json:"appointments" doc:"calendar events that the customer attends, or that have a report about them"`
	Bookings       []agendarecords.BookedVisit   `json:"bookings" doc:"visits that the customer booked"`
	Actions        []ExportedAction              `json:"actions" doc:"about the customer or done with them, latest first"`
	Products       []OwnedProduct                `json:"products" doc:"that the customer owns"`
	Mentions       []Mention                     `json:"mentions" doc:"other customers who name this one, with what they say"`
	Truncated      []string                      `json:"truncated" doc:"the lists that are longer than the thousand entries shown; empty: this is all"`
}

// ExportedAction is something that was done about a customer, or about a product
// with them.
type ExportedAction struct {
	ID            int64          `json:"id"`
	ActionID      *int64         `json:"action_id"`
	ChildActionID *int64         `json:"child_action_id"`
	Label         string         `json:"label" doc:"what the action was called when it was written down"`
	ProductID     *int64         `json:"product_id" ref:"product" doc:"what it was about; null: the customer, or a product that is gone"`
	UserID        *int64         `json:"user_id" doc:"agent who performed it"`
	Result        *string        `json:"result"`
	DatePerformed kernel.Instant `json:"date_performed"`
	DateAdded     kernel.Instant `json:"date_added"`
}

// OwnedProduct names a product of a customer.
type OwnedProduct struct {
	ID       int64  `json:"id"`
	Model    string `json:"model"`
	AgencyID int64  `json:"agency_id"`
}

// Mention is what the record of another customer says about somebody.
type Mention struct {
	CustomerID      int64            `json:"customer_id" doc:"whose record it is"`
	Notary          *Notary          `json:"notary"`
	RelatedContacts []RelatedContact `json:"related_contacts"`
}
