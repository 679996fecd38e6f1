package deals

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

// API is the use cases about offers, agreements and leases. Each checks pack,
// permission and right of the caller first, and is Forbidden where one is missing.
//
// A record of another site, or none at all, is NotFound; one of an agency outside
// the scope is Forbidden, and so is an agency_id outside it. What is wrong with a
// request is Invalid, with every field named, and changes nothing. What the status
// of a record does not admit is a Conflict with that status, and so is what would
// promise a product twice. Under an If-Match that does not hold a write is Stale.
// See docs/contract/transactions.md.
type API struct {
	// SearchOffers finds offers by status, parties, product and dates.
	SearchOffers kernel.UseCase[SearchOffers, FoundDeals[dealrecords.SaleOffer]]
	// CreateOffer writes down an offer, as a draft or as one that was made. It gets
	// the next number of its agency.
	CreateOffer kernel.UseCase[CreateOffer, kernel.Created]
	// GetOffer reads an offer as it is now: one whose time is over is EXPIREE.
	GetOffer kernel.UseCase[OfferPath, dealrecords.SaleOffer]
	// UpdateOffer changes what the status of an offer still lets anybody change.
	UpdateOffer kernel.UseCase[UpdateOffer, kernel.Changed]
	// DeleteOffer deletes a draft. Its number is never used again.
	DeleteOffer kernel.UseCase[DeleteOffer, kernel.None]
	// SendOffer makes a draft an offer to the sellers.
	SendOffer kernel.UseCase[OfferTransition, kernel.Changed]
	// CounterOffer answers an offer with another amount, for either side.
	CounterOffer kernel.UseCase[CounterOffer, kernel.Changed]
	// AcceptOffer accepts the amount that is on the table. Of two offers for one
	// product one can be accepted.
	AcceptOffer kernel.UseCase[OfferTransition, kernel.Changed]
	// RefuseOffer refuses what is on the table.
	RefuseOffer kernel.UseCase[RefuseOffer, kernel.Changed]
	// WithdrawOffer takes an offer back for its buyers.
	WithdrawOffer kernel.UseCase[OfferTransition, kernel.Changed]
	// CancelOffer gives an accepted offer up, as long as no agreement was made from
	// it.
	CancelOffer kernel.UseCase[CancelOffer, kernel.Changed]

	// SearchAgreements finds sale agreements.
	SearchAgreements kernel.UseCase[SearchAgreements, FoundDeals[dealrecords.SaleAgreement]]
	// CreateAgreement prepares a sale agreement, from an accepted offer or without
	// one.
	CreateAgreement kernel.UseCase[CreateAgreement, kernel.Created]
	// GetAgreement reads a sale agreement as it is now, with what is pending.
	GetAgreement kernel.UseCase[AgreementPath, dealrecords.SaleAgreement]
	// UpdateAgreement changes what the status of an agreement still lets anybody
	// change.
	UpdateAgreement kernel.UseCase[UpdateAgreement, kernel.Changed]
	// DeleteAgreement deletes a draft. Its number is never used again.
	DeleteAgreement kernel.UseCase[DeleteAgreement, kernel.None]
	// SignAgreement says that both sides signed. A product has one live agreement.
	SignAgreement kernel.UseCase[SignAgreement, kernel.Changed]
	// NotifyBuyers says when buyers were notified, from which their right of
	// withdrawal runs.
	NotifyBuyers kernel.UseCase[NotifyBuyers, kernel.Changed]
	// RetractAgreement says that a buyer withdrew, in time.
	RetractAgreement kernel.UseCase[RetractAgreement, kernel.Changed]
	// NotariseAgreement says that the deed was signed.
	NotariseAgreement kernel.UseCase[NotariseAgreement, kernel.Changed]
	// CancelAgreement gives an agreement up.
	CancelAgreement kernel.UseCase[CancelAgreement, kernel.Changed]
	// LiftCondition says that a condition came true, or was waived.
	LiftCondition kernel.UseCase[LiftCondition, kernel.Changed]
	// FailCondition says that a condition did not come true, which ends the
	// agreement.
	FailCondition kernel.UseCase[FailCondition, kernel.Changed]

	// SearchLeases finds leases.
	SearchLeases kernel.UseCase[SearchLeases, FoundDeals[dealrecords.Lease]]
	// CreateLease prepares a lease, within what the law of its type admits.
	CreateLease kernel.UseCase[CreateLease, kernel.Created]
	// GetLease reads a lease as it is now, in its present term.
	GetLease kernel.UseCase[LeasePath, dealrecords.Lease]
	// UpdateLease changes what the status of a lease still lets anybody change.
	UpdateLease kernel.UseCase[UpdateLease, kernel.Changed]
	// DeleteLease deletes a draft. Its number is never used again.
	DeleteLease kernel.UseCase[DeleteLease, kernel.None]
	// SignLease says that both sides signed. No two leases let the same on one day.
	SignLease kernel.UseCase[SignLease, kernel.Changed]
	// GiveNotice ends a lease after the notice that the law asks for.
	GiveNotice kernel.UseCase[GiveNotice, kernel.Changed]
	// CancelNotice gives a notice up.
	CancelNotice kernel.UseCase[LeaseTransition, kernel.Changed]
	// EndLease says that the keys were returned.
	EndLease kernel.UseCase[EndLease, kernel.Changed]
	// CancelLease gives a lease up before it begins.
	CancelLease kernel.UseCase[CancelLease, kernel.Changed]
	// ReviseRent makes the rent follow its index, once a year.
	ReviseRent kernel.UseCase[ReviseRent, Revised]

	// ListPendingDeadlines lists what has to happen by when, over all offers, agreements and
	// leases.
	ListPendingDeadlines kernel.UseCase[PendingDeadlines, AllPending]
	// ComputeDeadlines returns when legal periods end. It has no effect.
	ComputeDeadlines kernel.UseCase[ComputeDeadlines, Deadlines]
	// ComputeAmounts revises rents, and splits fees and commissions. It has no
	// effect.
	ComputeAmounts kernel.UseCase[ComputeAmounts, AllAmounts]
	// ListIndexValues lists the values of an index of rents, the latest first.
	ListIndexValues kernel.UseCase[IndexPath, IndexValues]
	// ListHolidays lists the public holidays of a year.
	ListHolidays kernel.UseCase[HolidaysOf, Holidays]
}

// The words of the table.
const (
	sales    = access.Sales
	holidays = access.Sales | access.Agenda | access.Properties | access.Customers | access.Leads | access.Websites
	read     = access.DealRead
	write    = access.DealWrite
)

func (s *Service) table(a *API) []kernel.Operation {
	search, get := kernel.Needs(sales, read, access.DealSearch), kernel.Needs(sales, read, access.DealGet)
	create, update, remove := kernel.Needs(sales, write, access.DealCreate), kernel.Needs(sales, write, access.DealUpdate), kernel.Needs(sales, write, access.DealDelete)
	return []kernel.Operation{
		kernel.Op(&a.SearchOffers, "offer.search", kernel.POST, "/sale-offers/search", 200, search, "Search offers", reads(s, Unit.searchOffers)).Weighs(kernel.Heavy),
		kernel.Op(&a.CreateOffer, "offer.create", kernel.POST, "/sale-offers", 201, create, "Create an offer", writes(s, Unit.createOffer)).InData().Fails(fault.Conflict),
		kernel.Op(&a.GetOffer, "offer.get", kernel.GET, "/sale-offers/{offerId}", 200, get, "Read an offer", reads(s, Unit.getOffer)).InData(),
		kernel.Op(&a.UpdateOffer, "offer.update", kernel.PATCH, "/sale-offers/{offerId}", 204, update, "Change the given fields of an offer", writes(s, Unit.updateOffer)).Fails(fault.Conflict),
		kernel.Op(&a.DeleteOffer, "offer.delete", kernel.DELETE, "/sale-offers/{offerId}", 204, remove, "Delete a draft of an offer", writes(s, Unit.deleteOffer)).Fails(fault.Conflict),
		kernel.Op(&a.SendOffer, "offer.send", kernel.POST, "/sale-offers/{offerId}/send", 204, update, "Send an offer to the sellers", writes(s, Unit.sendOffer)).Fails(fault.Conflict),
		kernel.Op(&a.CounterOffer, "offer.counter", kernel.POST, "/sale-offers/{offerId}/counter", 204, update, "Answer an offer with another amount", writes(s, Unit.counterOffer)).Fails(fault.Conflict),
		kernel.Op(&a.AcceptOffer, "offer.accept", kernel.POST, "/sale-offers/{offerId}/accept", 204, update, "Accept an offer", writes(s, Unit.acceptOffer)).Fails(fault.Conflict),
		kernel.Op(&a.RefuseOffer, "offer.refuse", kernel.POST, "/sale-offers/{offerId}/refuse", 204, update, "Refuse an offer", writes(s, Unit.refuseOffer)).Fails(fault.Conflict),
		kernel.Op(&a.WithdrawOffer, "offer.withdraw", kernel.POST, "/sale-offers/{offerId}/withdraw", 204, update, "Take an offer back", writes(s, Unit.withdrawOffer)).Fails(fault.Conflict),
		kernel.Op(&a.CancelOffer, "offer.cancel", kernel.POST, "/sale-offers/{offerId}/cancel", 204, update, "Give an accepted offer up", writes(s, Unit.cancelOffer)).Fails(fault.Conflict),

		kernel.Op(&a.SearchAgreements, "agreement.search", kernel.POST, "/sale-agreements/search", 200, search, "Search sale agreements", reads(s, Unit.searchAgreements)).Weighs(kernel.Heavy),
		kernel.Op(&a.CreateAgreement, "agreement.create", kernel.POST, "/sale-agreements", 201, create, "Prepare a sale agreement", writes(s, Unit.createAgreement)).InData().Fails(fault.Conflict),
		kernel.Op(&a.GetAgreement, "agreement.get", kernel.GET, "/sale-agreements/{agreementId}", 200, get, "Read a sale agreement", reads(s, Unit.getAgreement)).InData(),
		kernel.Op(&a.UpdateAgreement, "agreement.update", kernel.PATCH, "/sale-agreements/{agreementId}", 204, update, "Change the given fields of a sale agreement", writes(s, Unit.updateAgreement)).Fails(fault.Conflict),
		kernel.Op(&a.DeleteAgreement, "agreement.delete", kernel.DELETE, "/sale-agreements/{agreementId}", 204, remove, "Delete a draft of a sale agreement", writes(s, Unit.deleteAgreement)).Fails(fault.Conflict),
		kernel.Op(&a.SignAgreement, "agreement.sign", kernel.POST, "/sale-agreements/{agreementId}/sign", 204, update, "Say that a sale agreement was signed", writes(s, Unit.signAgreement)).Fails(fault.Conflict),
		kernel.Op(&a.NotifyBuyers, "agreement.notify", kernel.POST, "/sale-agreements/{agreementId}/notify", 204, update, "Say when buyers were notified", writes(s, Unit.notifyBuyers)).Fails(fault.Conflict),
		kernel.Op(&a.RetractAgreement, "agreement.retract", kernel.POST, "/sale-agreements/{agreementId}/retract", 204, update, "Say that a buyer withdrew", writes(s, Unit.retractAgreement)).Fails(fault.Conflict),
		kernel.Op(&a.NotariseAgreement, "agreement.notarise", kernel.POST, "/sale-agreements/{agreementId}/notarise", 204, update, "Say that the deed was signed", writes(s, Unit.notariseAgreement)).Fails(fault.Conflict),
		kernel.Op(&a.CancelAgreement, "agreement.cancel", kernel.POST, "/sale-agreements/{agreementId}/cancel", 204, update, "Give a sale agreement up", writes(s, Unit.cancelAgreement)).Fails(fault.Conflict),
		kernel.Op(&a.LiftCondition, "agreement.condition.lift", kernel.POST, "/sale-agreements/{agreementId}/conditions/{conditionId}/lift", 204, update, "Say that a condition came true, or was waived", writes(s, Unit.liftCondition)).Fails(fault.Conflict),
		kernel.Op(&a.FailCondition, "agreement.condition.fail", kernel.POST, "/sale-agreements/{agreementId}/conditions/{conditionId}/fail", 204, update, "Say that a condition did not come true", writes(s, Unit.failCondition)).Fails(fault.Conflict),

		kernel.Op(&a.SearchLeases, "lease.search", kernel.POST, "/leases/search", 200, search, "Search leases", reads(s, Unit.searchLeases)).Weighs(kernel.Heavy),
		kernel.Op(&a.CreateLease, "lease.create", kernel.POST, "/leases", 201, create, "Prepare a lease", writes(s, Unit.createLease)).InData(),
		kernel.Op(&a.GetLease, "lease.get", kernel.GET, "/leases/{leaseId}", 200, get, "Read a lease", reads(s, Unit.getLease)).InData(),
		kernel.Op(&a.UpdateLease, "lease.update", kernel.PATCH, "/leases/{leaseId}", 204, update, "Change the given fields of a lease", writes(s, Unit.updateLease)).Fails(fault.Conflict),
		kernel.Op(&a.DeleteLease, "lease.delete", kernel.DELETE, "/leases/{leaseId}", 204, remove, "Delete a draft of a lease", writes(s, Unit.deleteLease)).Fails(fault.Conflict),
		kernel.Op(&a.SignLease, "lease.sign", kernel.POST, "/leases/{leaseId}/sign", 204, update, "Say that a lease was signed", writes(s, Unit.signLease)).Fails(fault.Conflict),
		kernel.Op(&a.GiveNotice, "lease.notice", kernel.POST, "/leases/{leaseId}/notice", 204, update, "Give notice of a lease", writes(s, Unit.giveNotice)).Fails(fault.Conflict),
		kernel.Op(&a.CancelNotice, "lease.cancel-notice", kernel.POST, "/leases/{leaseId}/cancel-notice", 204, update, "Give a notice up", writes(s, Unit.cancelNotice)).Fails(fault.Conflict),
		kernel.Op(&a.EndLease, "lease.end", kernel.POST, "/leases/{leaseId}/end", 204, update, "Say that a lease ended", writes(s, Unit.endLease)).Fails(fault.Conflict),
		kernel.Op(&a.CancelLease, "lease.cancel", kernel.POST, "/leases/{leaseId}/cancel", 204, update, "Give a lease up before it begins", writes(s, Unit.cancelLease)).Fails(fault.Conflict),
		kernel.Op(&a.ReviseRent, "lease.revise", kernel.POST, "/leases/{leaseId}/revisions", 201, update, "Make the rent follow its index", writes(s, Unit.reviseRent)).InData().Fails(fault.Conflict),

		kernel.Op(&a.ListPendingDeadlines, "transaction.deadlines", kernel.GET, "/transactions/deadlines", 200, search, "List what is pending", reads(s, Unit.listPending)).Weighs(kernel.Heavy),
		kernel.Op(&a.ComputeDeadlines, "transaction.deadlines.compute", kernel.POST, "/transactions/deadlines", 200, get, "Compute when legal periods end", reads(s, Unit.computeDeadlines)),
		kernel.Op(&a.ComputeAmounts, "transaction.amounts.compute", kernel.POST, "/transactions/amounts", 200, get, "Compute rents, fees and commissions", reads(s, Unit.computeAmounts)),
		kernel.Op(&a.ListIndexValues, "config.index", kernel.GET, "/configs/indices/{index}", 200, get, "List the values of an index of rents", reads(s, Unit.listIndexValues)),
		kernel.Op(&a.ListHolidays, "config.holidays", kernel.GET, "/configs/holidays", 200, kernel.Needs(holidays, access.Config, access.CriteriaAll), "List the public holidays of a year", reads(s, Unit.listHolidays)),
	}
}

// Places returns what the paths of the area name.
func (s *Service) Places() []kernel.Place {
	return []kernel.Place{
		{Path: "/sale-offers/{offerId}", Exists: kernel.Exists(s.k, NewUnit, Unit.offerExists)},
		{Path: "/sale-agreements/{agreementId}", Exists: kernel.Exists(s.k, NewUnit, Unit.agreementExists)},
		{Path: "/sale-agreements/{agreementId}/conditions/{conditionId}", Exists: kernel.Exists(s.k, NewUnit, Unit.conditionExists)},
		{Path: "/leases/{leaseId}", Exists: kernel.Exists(s.k, NewUnit, Unit.leaseExists)},
		{Path: "/configs/indices/{index}", Exists: func(_ context.Context, _ kernel.Caller, names []string) error { return indexExists(names[0]) }},
	}
}

func (u Unit) offerExists(ids []int64) error {
	_, err := u.offers().Get(u, offer.ID(ids[0]))
	return err
}

func (u Unit) agreementExists(ids []int64) error {
	_, err := u.agreements().Get(u, agreement.ID(ids[0]))
	return err
}

func (u Unit) conditionExists(ids []int64) error {
	a, err := u.agreements().Get(u, agreement.ID(ids[0]))
	return kernel.FirstError(err, checkCondition(a, ids[1]))
}

func (u Unit) leaseExists(ids []int64) error {
	_, err := u.leases().Get(u, letting.ID(ids[0]))
	return err
}

func reads[In, Out any](s *Service, use func(Unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Reads(s.k, NewUnit, use)
}

func writes[In, Out any](s *Service, use func(Unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Writes(s.k, NewUnit, use)
}
