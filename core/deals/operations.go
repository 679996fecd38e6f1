package deals

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/agreement"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/dealrecords"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/letting"
	"github.com/vitrine-crm/vitrine/core/offer"
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
	SearchOffers api.UseCase[SearchOffers, FoundDeals[dealrecords.SaleOffer]]
	// CreateOffer writes down an offer, as a draft or as one that was made. It gets
	// the next number of its agency.
	CreateOffer api.UseCase[CreateOffer, api.Created]
	// GetOffer reads an offer as it is now: one whose time is over is EXPIREE.
	GetOffer api.UseCase[OfferPath, dealrecords.SaleOffer]
	// UpdateOffer changes what the status of an offer still lets anybody change.
	UpdateOffer api.UseCase[UpdateOffer, api.Changed]
	// DeleteOffer deletes a draft. Its number is never used again.
	DeleteOffer api.UseCase[DeleteOffer, api.None]
	// SendOffer makes a draft an offer to the sellers.
	SendOffer api.UseCase[OfferTransition, api.Changed]
	// CounterOffer answers an offer with another amount, for either side.
	CounterOffer api.UseCase[CounterOffer, api.Changed]
	// AcceptOffer accepts the amount that is on the table. Of two offers for one
	// product one can be accepted.
	AcceptOffer api.UseCase[OfferTransition, api.Changed]
	// RefuseOffer refuses what is on the table.
	RefuseOffer api.UseCase[RefuseOffer, api.Changed]
	// WithdrawOffer takes an offer back for its buyers.
	WithdrawOffer api.UseCase[OfferTransition, api.Changed]
	// CancelOffer gives an accepted offer up, as long as no agreement was made from
	// it.
	CancelOffer api.UseCase[CancelOffer, api.Changed]

	// SearchAgreements finds sale agreements.
	SearchAgreements api.UseCase[SearchAgreements, FoundDeals[dealrecords.SaleAgreement]]
	// CreateAgreement prepares a sale agreement, from an accepted offer or without
	// one.
	CreateAgreement api.UseCase[CreateAgreement, api.Created]
	// GetAgreement reads a sale agreement as it is now, with what is pending.
	GetAgreement api.UseCase[AgreementPath, dealrecords.SaleAgreement]
	// UpdateAgreement changes what the status of an agreement still lets anybody
	// change.
	UpdateAgreement api.UseCase[UpdateAgreement, api.Changed]
	// DeleteAgreement deletes a draft. Its number is never used again.
	DeleteAgreement api.UseCase[DeleteAgreement, api.None]
	// SignAgreement says that both sides signed. A product has one live agreement.
	SignAgreement api.UseCase[SignAgreement, api.Changed]
	// NotifyBuyers says when buyers were notified, from which their right of
	// withdrawal runs.
	NotifyBuyers api.UseCase[NotifyBuyers, api.Changed]
	// RetractAgreement says that a buyer withdrew, in time.
	RetractAgreement api.UseCase[RetractAgreement, api.Changed]
	// NotariseAgreement says that the deed was signed.
	NotariseAgreement api.UseCase[NotariseAgreement, api.Changed]
	// CancelAgreement gives an agreement up.
	CancelAgreement api.UseCase[CancelAgreement, api.Changed]
	// LiftCondition says that a condition came true, or was waived.
	LiftCondition api.UseCase[LiftCondition, api.Changed]
	// FailCondition says that a condition did not come true, which ends the
	// agreement.
	FailCondition api.UseCase[FailCondition, api.Changed]

	// SearchLeases finds leases.
	SearchLeases api.UseCase[SearchLeases, FoundDeals[dealrecords.Lease]]
	// CreateLease prepares a lease, within what the law of its type admits.
	CreateLease api.UseCase[CreateLease, api.Created]
	// GetLease reads a lease as it is now, in its present term.
	GetLease api.UseCase[LeasePath, dealrecords.Lease]
	// UpdateLease changes what the status of a lease still lets anybody change.
	UpdateLease api.UseCase[UpdateLease, api.Changed]
	// DeleteLease deletes a draft. Its number is never used again.
	DeleteLease api.UseCase[DeleteLease, api.None]
	// SignLease says that both sides signed. No two leases let the same on one day.
	SignLease api.UseCase[SignLease, api.Changed]
	// GiveNotice ends a lease after the notice that the law asks for.
	GiveNotice api.UseCase[GiveNotice, api.Changed]
	// CancelNotice gives a notice up.
	CancelNotice api.UseCase[LeaseTransition, api.Changed]
	// EndLease says that the keys were returned.
	EndLease api.UseCase[EndLease, api.Changed]
	// CancelLease gives a lease up before it begins.
	CancelLease api.UseCase[CancelLease, api.Changed]
	// ReviseRent makes the rent follow its index, once a year.
	ReviseRent api.UseCase[ReviseRent, Revised]

	// ListPendingDeadlines lists what has to happen by when, over all offers, agreements and
	// leases.
	ListPendingDeadlines api.UseCase[PendingDeadlines, AllPending]
	// ComputeDeadlines tells when legal periods end. It has no effect.
	ComputeDeadlines api.UseCase[ComputeDeadlines, Deadlines]
	// ComputeAmounts revises rents, and splits fees and commissions. It has no
	// effect.
	ComputeAmounts api.UseCase[ComputeAmounts, AllAmounts]
	// ListIndexValues lists the values of an index of rents, the latest first.
	ListIndexValues api.UseCase[IndexPath, IndexValues]
	// ListHolidays lists the public holidays of a year.
	ListHolidays api.UseCase[HolidaysOf, Holidays]
}

// The words of the table.
const (
	sales    = access.Sales
	holidays = access.Sales | access.Agenda | access.Properties | access.Customers | access.Leads | access.Websites
	read     = access.DealRead
	write    = access.DealWrite
)

func (s *Service) table(a *API) []api.Operation {
	search, get := api.Needs(sales, read, access.DealSearch), api.Needs(sales, read, access.DealGet)
	create, update, remove := api.Needs(sales, write, access.DealCreate), api.Needs(sales, write, access.DealUpdate), api.Needs(sales, write, access.DealDelete)
	return []api.Operation{
		api.Op(&a.SearchOffers, "offer.search", api.POST, "/sale-offers/search", 200, search, "Search offers", reads(s, Unit.searchOffers)).Weighs(api.Heavy),
		api.Op(&a.CreateOffer, "offer.create", api.POST, "/sale-offers", 201, create, "Create an offer", writes(s, Unit.createOffer)).InData().Fails(fault.Conflict),
		api.Op(&a.GetOffer, "offer.get", api.GET, "/sale-offers/{offerId}", 200, get, "Read an offer", reads(s, Unit.getOffer)).InData(),
		api.Op(&a.UpdateOffer, "offer.update", api.PATCH, "/sale-offers/{offerId}", 204, update, "Change the given fields of an offer", writes(s, Unit.updateOffer)).Fails(fault.Conflict),
		api.Op(&a.DeleteOffer, "offer.delete", api.DELETE, "/sale-offers/{offerId}", 204, remove, "Delete a draft of an offer", writes(s, Unit.deleteOffer)).Fails(fault.Conflict),
		api.Op(&a.SendOffer, "offer.send", api.POST, "/sale-offers/{offerId}/send", 204, update, "Send an offer to the sellers", writes(s, Unit.sendOffer)).Fails(fault.Conflict),
		api.Op(&a.CounterOffer, "offer.counter", api.POST, "/sale-offers/{offerId}/counter", 204, update, "Answer an offer with another amount", writes(s, Unit.counterOffer)).Fails(fault.Conflict),
		api.Op(&a.AcceptOffer, "offer.accept", api.POST, "/sale-offers/{offerId}/accept", 204, update, "Accept an offer", writes(s, Unit.acceptOffer)).Fails(fault.Conflict),
		api.Op(&a.RefuseOffer, "offer.refuse", api.POST, "/sale-offers/{offerId}/refuse", 204, update, "Refuse an offer", writes(s, Unit.refuseOffer)).Fails(fault.Conflict),
		api.Op(&a.WithdrawOffer, "offer.withdraw", api.POST, "/sale-offers/{offerId}/withdraw", 204, update, "Take an offer back", writes(s, Unit.withdrawOffer)).Fails(fault.Conflict),
		api.Op(&a.CancelOffer, "offer.cancel", api.POST, "/sale-offers/{offerId}/cancel", 204, update, "Give an accepted offer up", writes(s, Unit.cancelOffer)).Fails(fault.Conflict),

		api.Op(&a.SearchAgreements, "agreement.search", api.POST, "/sale-agreements/search", 200, search, "Search sale agreements", reads(s, Unit.searchAgreements)).Weighs(api.Heavy),
		api.Op(&a.CreateAgreement, "agreement.create", api.POST, "/sale-agreements", 201, create, "Prepare a sale agreement", writes(s, Unit.createAgreement)).InData().Fails(fault.Conflict),
		api.Op(&a.GetAgreement, "agreement.get", api.GET, "/sale-agreements/{agreementId}", 200, get, "Read a sale agreement", reads(s, Unit.getAgreement)).InData(),
		api.Op(&a.UpdateAgreement, "agreement.update", api.PATCH, "/sale-agreements/{agreementId}", 204, update, "Change the given fields of a sale agreement", writes(s, Unit.updateAgreement)).Fails(fault.Conflict),
		api.Op(&a.DeleteAgreement, "agreement.delete", api.DELETE, "/sale-agreements/{agreementId}", 204, remove, "Delete a draft of a sale agreement", writes(s, Unit.deleteAgreement)).Fails(fault.Conflict),
		api.Op(&a.SignAgreement, "agreement.sign", api.POST, "/sale-agreements/{agreementId}/sign", 204, update, "Say that a sale agreement was signed", writes(s, Unit.signAgreement)).Fails(fault.Conflict),
		api.Op(&a.NotifyBuyers, "agreement.notify", api.POST, "/sale-agreements/{agreementId}/notify", 204, update, "Say when buyers were notified", writes(s, Unit.notifyBuyers)).Fails(fault.Conflict),
		api.Op(&a.RetractAgreement, "agreement.retract", api.POST, "/sale-agreements/{agreementId}/retract", 204, update, "Say that a buyer withdrew", writes(s, Unit.retractAgreement)).Fails(fault.Conflict),
		api.Op(&a.NotariseAgreement, "agreement.notarise", api.POST, "/sale-agreements/{agreementId}/notarise", 204, update, "Say that the deed was signed", writes(s, Unit.notariseAgreement)).Fails(fault.Conflict),
		api.Op(&a.CancelAgreement, "agreement.cancel", api.POST, "/sale-agreements/{agreementId}/cancel", 204, update, "Give a sale agreement up", writes(s, Unit.cancelAgreement)).Fails(fault.Conflict),
		api.Op(&a.LiftCondition, "agreement.condition.lift", api.POST, "/sale-agreements/{agreementId}/conditions/{conditionId}/lift", 204, update, "Say that a condition came true, or was waived", writes(s, Unit.liftCondition)).Fails(fault.Conflict),
		api.Op(&a.FailCondition, "agreement.condition.fail", api.POST, "/sale-agreements/{agreementId}/conditions/{conditionId}/fail", 204, update, "Say that a condition did not come true", writes(s, Unit.failCondition)).Fails(fault.Conflict),

		api.Op(&a.SearchLeases, "lease.search", api.POST, "/leases/search", 200, search, "Search leases", reads(s, Unit.searchLeases)).Weighs(api.Heavy),
		api.Op(&a.CreateLease, "lease.create", api.POST, "/leases", 201, create, "Prepare a lease", writes(s, Unit.createLease)).InData(),
		api.Op(&a.GetLease, "lease.get", api.GET, "/leases/{leaseId}", 200, get, "Read a lease", reads(s, Unit.getLease)).InData(),
		api.Op(&a.UpdateLease, "lease.update", api.PATCH, "/leases/{leaseId}", 204, update, "Change the given fields of a lease", writes(s, Unit.updateLease)).Fails(fault.Conflict),
		api.Op(&a.DeleteLease, "lease.delete", api.DELETE, "/leases/{leaseId}", 204, remove, "Delete a draft of a lease", writes(s, Unit.deleteLease)).Fails(fault.Conflict),
		api.Op(&a.SignLease, "lease.sign", api.POST, "/leases/{leaseId}/sign", 204, update, "Say that a lease was signed", writes(s, Unit.signLease)).Fails(fault.Conflict),
		api.Op(&a.GiveNotice, "lease.notice", api.POST, "/leases/{leaseId}/notice", 204, update, "Give notice of a lease", writes(s, Unit.giveNotice)).Fails(fault.Conflict),
		api.Op(&a.CancelNotice, "lease.cancel-notice", api.POST, "/leases/{leaseId}/cancel-notice", 204, update, "Give a notice up", writes(s, Unit.cancelNotice)).Fails(fault.Conflict),
		api.Op(&a.EndLease, "lease.end", api.POST, "/leases/{leaseId}/end", 204, update, "Say that a lease ended", writes(s, Unit.endLease)).Fails(fault.Conflict),
		api.Op(&a.CancelLease, "lease.cancel", api.POST, "/leases/{leaseId}/cancel", 204, update, "Give a lease up before it begins", writes(s, Unit.cancelLease)).Fails(fault.Conflict),
		api.Op(&a.ReviseRent, "lease.revise", api.POST, "/leases/{leaseId}/revisions", 201, update, "Make the rent follow its index", writes(s, Unit.reviseRent)).InData().Fails(fault.Conflict),

		api.Op(&a.ListPendingDeadlines, "transaction.deadlines", api.GET, "/transactions/deadlines", 200, search, "List what is pending", reads(s, Unit.listPending)).Weighs(api.Heavy),
		api.Op(&a.ComputeDeadlines, "transaction.deadlines.compute", api.POST, "/transactions/deadlines", 200, get, "Compute when legal periods end", reads(s, Unit.computeDeadlines)),
		api.Op(&a.ComputeAmounts, "transaction.amounts.compute", api.POST, "/transactions/amounts", 200, get, "Compute rents, fees and commissions", reads(s, Unit.computeAmounts)),
		api.Op(&a.ListIndexValues, "config.index", api.GET, "/configs/indices/{index}", 200, get, "List the values of an index of rents", reads(s, Unit.listIndexValues)),
		api.Op(&a.ListHolidays, "config.holidays", api.GET, "/configs/holidays", 200, api.Needs(holidays, access.Config, access.CriteriaAll), "List the public holidays of a year", reads(s, Unit.listHolidays)),
	}
}

// Places are what the paths of the area name.
func (s *Service) Places() []api.Place {
	return []api.Place{
		{Path: "/sale-offers/{offerId}", Exists: api.Exists(s.k, NewUnit, Unit.offerExists)},
		{Path: "/sale-agreements/{agreementId}", Exists: api.Exists(s.k, NewUnit, Unit.agreementExists)},
		{Path: "/sale-agreements/{agreementId}/conditions/{conditionId}", Exists: api.Exists(s.k, NewUnit, Unit.conditionExists)},
		{Path: "/leases/{leaseId}", Exists: api.Exists(s.k, NewUnit, Unit.leaseExists)},
		{Path: "/configs/indices/{index}", Exists: func(_ context.Context, _ api.Caller, names []string) error { return indexExists(names[0]) }},
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
	return api.FirstError(err, checkCondition(a, ids[1]))
}

func (u Unit) leaseExists(ids []int64) error {
	_, err := u.leases().Get(u, letting.ID(ids[0]))
	return err
}

func reads[In, Out any](s *Service, use func(Unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Reads(s.k, NewUnit, use)
}

func writes[In, Out any](s *Service, use func(Unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Writes(s.k, NewUnit, use)
}
