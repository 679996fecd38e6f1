package deals

import (
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// DealFilters are what offers, agreements and leases are searched by. All of it is
// optional; what is given must all hold.
type DealFilters struct {
	ProductID    opt.Field[int64]        `json:"product_id"`
	CustomerID   opt.Field[int64]        `json:"customer_id" doc:"any party"`
	AgencyID     opt.Field[int64]        `json:"agency_id" doc:"one of the token's agencies"`
	UserID       opt.Field[int64]        `json:"user_id"`
	Status       opt.Field[kernel.Codes] `json:"status" doc:"a status, or several"`
	DateFrom     opt.Field[string]       `json:"date_from" format:"date" doc:"included"`
	DateTo       opt.Field[string]       `json:"date_to" format:"date" doc:"included"`
	LastModified opt.Field[string]       `json:"last_modified" format:"date-time" doc:"modified on or after"`
	SortType     opt.Field[string]       `json:"sort_type" enum:"id,date,date_added,amount" doc:"date is the last modification"`
	SortOrder    opt.Field[string]       `json:"sort_order" enum:"asc,desc"`
	kernel.Paging
}

// FoundDeals are the records that a search found.
type FoundDeals[T any] struct {
	kernel.CursorPage[T]
	Mode string `json:"-" header:"X-Pagination-Mode"`
}

// SearchOffers is POST /sale-offers/search. Dates are those of the offers.
type SearchOffers struct{ DealFilters }

// SearchAgreements is POST /sale-agreements/search. Dates are those of signature.
type SearchAgreements struct {
	DealFilters
	Type        opt.Field[kernel.Codes] `json:"type" doc:"a type, or several"`
	SaleOfferID opt.Field[int64]        `json:"sale_offer_id"`
}

// SearchLeases is POST /leases/search. Dates are those on which leases begin.
type SearchLeases struct {
	DealFilters
	Type opt.Field[kernel.Codes] `json:"type" doc:"a type, or several"`
}

// OfferPath is an offer, named in the path.
type OfferPath struct {
	ID int64 `path:"offerId"`
}

// CreateOffer is POST /sale-offers.
type CreateOffer struct {
	_      struct{}          `required:"product_id,buyers,amount"`
	Status opt.Field[string] `json:"status" enum:"BROUILLON,EN_COURS" doc:"BROUILLON where nothing is said"`
	offer.Change
}

// UpdateOffer is PATCH /sale-offers/{offerId}: only what is given changes.
type UpdateOffer struct {
	ID      int64          `path:"offerId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
	offer.Change
}

// DeleteOffer is DELETE /sale-offers/{offerId}.
type DeleteOffer struct {
	ID      int64          `path:"offerId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// OfferTransition takes an offer from one status to another.
type OfferTransition struct {
	ID      int64          `path:"offerId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// CounterOffer is POST /sale-offers/{offerId}/counter.
type CounterOffer struct {
	OfferTransition
	offer.CounterInput
}

// RefuseOffer is POST /sale-offers/{offerId}/refuse.
type RefuseOffer struct {
	OfferTransition
	offer.RefuseInput
}

// CancelInput says why something is given up.
type CancelInput struct {
	CancellationReason opt.Field[string] `json:"cancellation_reason" required:"true" doc:"code of list 17"`
}

// CancelOffer is POST /sale-offers/{offerId}/cancel.
type CancelOffer struct {
	OfferTransition
	CancelInput
}

// AgreementPath is a sale agreement, named in the path.
type AgreementPath struct {
	ID int64 `path:"agreementId"`
}

// CreateAgreement is POST /sale-agreements.
type CreateAgreement struct {
	_ struct{} `required:"type" anyOf:"sale_offer_id,product_id"`
	agreement.Change
}

// UpdateAgreement is PATCH /sale-agreements/{agreementId}: only what is given
// changes.
type UpdateAgreement struct {
	ID      int64          `path:"agreementId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
	agreement.Change
}

// DeleteAgreement is DELETE /sale-agreements/{agreementId}.
type DeleteAgreement struct {
	ID      int64          `path:"agreementId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// AgreementTransition takes an agreement from one status to another.
type AgreementTransition struct {
	ID      int64          `path:"agreementId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// SignAgreement is POST /sale-agreements/{agreementId}/sign.
type SignAgreement struct {
	AgreementTransition
	DateSignature opt.Field[string] `json:"date_signature" format:"date" required:"true" doc:"not in the future"`
}

// NotifyBuyers is POST /sale-agreements/{agreementId}/notify.
type NotifyBuyers struct {
	AgreementTransition
	Notifications opt.Field[[]NotificationInput] `json:"notifications" max:"offer.MaxParties" required:"true" doc:"at least one; a second one of the same customer replaces the first"`
}

// NotificationInput is how a buyer was notified.
type NotificationInput struct {
	CustomerID opt.Field[int64]  `json:"customer_id" required:"true" doc:"a buyer without a company"`
	Date       opt.Field[string] `json:"date" format:"date" required:"true" doc:"first presentation or hand-over"`
	Method     opt.Field[string] `json:"method" required:"true" enum:"LRAR,LRE,HUISSIER,REMISE_NOTAIRE,REMISE_AGENCE"`
}

// RetractAgreement is POST /sale-agreements/{agreementId}/retract.
type RetractAgreement struct {
	AgreementTransition
	CustomerID opt.Field[int64]  `json:"customer_id" required:"true" doc:"a buyer without a company"`
	DateSent   opt.Field[string] `json:"date_sent" format:"date" required:"true" doc:"when the letter was sent"`
}

// NotariseAgreement is POST /sale-agreements/{agreementId}/notarise.
type NotariseAgreement struct {
	AgreementTransition
	DateDeed opt.Field[string] `json:"date_deed" format:"date" required:"true" doc:"not in the future"`
}

// CancelAgreement is POST /sale-agreements/{agreementId}/cancel.
type CancelAgreement struct {
	AgreementTransition
	CancelInput
}

// ConditionTransition settles a condition.
type ConditionTransition struct {
	ID          int64          `path:"agreementId"`
	ConditionID int64          `path:"conditionId"`
	IfMatch     kernel.IfMatch `header:"If-Match"`
}

// Settlement is the outcome of a condition.
type Settlement struct {
	Date opt.Field[string] `json:"date" format:"date" doc:"today where nothing is said; not in the future"`
	Note opt.Field[string] `json:"note" max:"form.MaxComment" doc:"at most 10,000 characters"`
}

// LiftCondition is POST …/conditions/{conditionId}/lift.
type LiftCondition struct {
	ConditionTransition
	Settlement
	Waived opt.Field[bool] `json:"waived" doc:"the buyers do without it"`
}

// FailCondition is POST …/conditions/{conditionId}/fail.
type FailCondition struct {
	ConditionTransition
	Settlement
}

// LeasePath is a lease, named in the path.
type LeasePath struct {
	ID int64 `path:"leaseId"`
}

// CreateLease is POST /leases.
type CreateLease struct {
	_ struct{} `required:"type,product_id,tenants,date_start,rent"`
	letting.Change
}

// UpdateLease is PATCH /leases/{leaseId}: only what is given changes.
type UpdateLease struct {
	ID      int64          `path:"leaseId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
	letting.Change
}

// DeleteLease is DELETE /leases/{leaseId}.
type DeleteLease struct {
	ID      int64          `path:"leaseId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// LeaseTransition takes a lease from one status to another.
type LeaseTransition struct {
	ID      int64          `path:"leaseId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// SignLease is POST /leases/{leaseId}/sign.
type SignLease struct {
	LeaseTransition
	DateSignature opt.Field[string] `json:"date_signature" format:"date" required:"true" doc:"not in the future"`
}

// GiveNotice is POST /leases/{leaseId}/notice.
type GiveNotice struct {
	LeaseTransition
	By         opt.Field[string] `json:"by" required:"true" enum:"LOCATAIRE,BAILLEUR"`
	ReceivedOn opt.Field[string] `json:"received_on" format:"date" required:"true" doc:"not in the future"`
	Reason     opt.Field[string] `json:"reason" max:"form.MaxName" doc:"required of landlords of dwellings: REPRISE, VENTE or MOTIF_LEGITIME; some reasons of tenants shorten the notice"`
}

// EndLease is POST /leases/{leaseId}/end.
type EndLease struct {
	LeaseTransition
	Date             opt.Field[string] `json:"date" format:"date" required:"true" doc:"when the keys were returned"`
	InventoryConform opt.Field[bool]   `json:"inventory_conform" doc:"true: the deposit is paid back within one month, not two"`
}

// CancelLease is POST /leases/{leaseId}/cancel.
type CancelLease struct {
	LeaseTransition
	CancelInput
}

// ReviseRent is POST /leases/{leaseId}/revisions.
type ReviseRent struct {
	LeaseTransition
	AskedOn opt.Field[string] `json:"asked_on" format:"date" doc:"today where nothing is said; not in the future"`
	Quarter opt.Field[string] `json:"quarter" doc:"such as 2025-T3; by default that of the reference, one year on for each anniversary since"`
}

// Revised is the answer to a revision of a rent.
type Revised struct {
	ID int64 `json:"id" doc:"of the revision, within the lease"`
	// Location is the URL of the lease, which lists its revisions.
	Location string         `json:"-" header:"Location"`
	Version  kernel.Version `json:"-" header:"ETag"`
}
