package deals

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/deals/dealrecords"
)

var sortKeys = map[string]deal.Key{
	"id": deal.ByID, "date": deal.ByModified, "date_added": deal.ByAdded, "amount": deal.ByAmount,
}

func (u Unit) searchOffers(in SearchOffers) (FoundDeals[dealrecords.SaleOffer], error) {
	s := u.search(in.DealFilters, form.Names(offer.Transitions().Statuses()))
	return find(u, s, u.Offers(), offerID, func([]offer.Offer) (func(offer.Offer) dealrecords.SaleOffer, error) {
		return func(o offer.Offer) dealrecords.SaleOffer { return dealrecords.OfOffer(o, u.Now) }, nil
	})
}

func (u Unit) searchAgreements(in SearchAgreements) (FoundDeals[dealrecords.SaleAgreement], error) {
	s := u.search(in.DealFilters, form.Names(agreement.Transitions().Statuses()))
	s.filter.Types = s.codes("type", in.Type, form.Names(agreement.Types()))
	s.filter.Offer = kernel.ID[offer.ID]("sale_offer_id", in.SaleOfferID, &s.problems)
	return find(u, s, u.Agreements(), agreementID, func(found []agreement.Agreement) (func(agreement.Agreement) dealrecords.SaleAgreement, error) {
		of, err := dealrecords.Properties(u.kernel(), numbers(found, func(a agreement.Agreement) product.ID { return a.Product }))
		return func(a agreement.Agreement) dealrecords.SaleAgreement {
			return dealrecords.OfAgreement(a, of[a.Product], u.Now, u.Site.ZoneOf(a.Agency))
		}, err
	})
}

func (u Unit) searchLeases(in SearchLeases) (FoundDeals[dealrecords.Lease], error) {
	s := u.search(in.DealFilters, form.Names(letting.Transitions().Statuses()))
	s.filter.Types = s.codes("type", in.Type, form.Names(letting.Types()))
	return find(u, s, u.Lettings(), leaseID, func(found []letting.Lease) (func(letting.Lease) dealrecords.Lease, error) {
		of, err := dealrecords.Properties(u.kernel(), numbers(found, func(l letting.Lease) product.ID { return l.Product }))
		return func(l letting.Lease) dealrecords.Lease {
			return dealrecords.OfLease(l, of[l.Product], u.Now, u.Site.ZoneOf(l.Agency))
		}, err
	})
}

func offerID(o offer.Offer) int64             { return int64(o.ID) }
func agreementID(a agreement.Agreement) int64 { return int64(a.ID) }
func leaseID(l letting.Lease) int64           { return int64(l.ID) }

// numbers returns the ids that some records name, in ascending order.
func numbers[T any, ID ~int64](records []T, id func(T) ID) []ID {
	ids := make([]ID, len(records))
	for i, r := range records {
		ids[i] = id(r)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// search is a search as far as it could be understood.
type search struct {
	filter   deal.Filter
	page     kernel.SearchPage
	problems fault.Problems
	outside  error
}

// search reads what is common to all searches; statuses are those there are.
func (u Unit) search(in DealFilters, statuses []string) *search {
	s := &search{}
	s.filter = deal.Filter{
		Product:  kernel.ID[product.ID]("product_id", in.ProductID, &s.problems),
		Customer: kernel.ID[customer.ID]("customer_id", in.CustomerID, &s.problems),
		User:     kernel.ID[site.UserID]("user_id", in.UserID, &s.problems),
		Statuses: s.codes("status", in.Status, statuses), Now: u.Now,
		From: s.day("date_from", in.DateFrom), To: s.day("date_to", in.DateTo),
		ModifiedSince: u.Site.Since("last_modified", in.LastModified, &s.problems),
	}
	s.filter.Agencies, s.outside = u.ListedAgencies(in.AgencyID, &s.problems)
	s.page = in.ReadPage(in.SortType, in.SortOrder, []string{"id", "date", "date_added", "amount"}, kernel.MaxPageHydrated, &s.problems)
	return s
}

func (s *search) day(field string, given opt.Field[string]) (day calendar.Day) {
	form.Form{Problems: &s.problems}.CalendarDay(field, &day, given)
	return day
}

// codes reads which of some codes are wanted; none is any, and so is a field that is
// null.
func (s *search) codes(field string, given opt.Field[kernel.Codes], accepted []string) []string {
	for _, code := range given.Value {
		if !slices.Contains(accepted, code) {
			s.problems.Append(fault.Detail{
				Field: field, Code: fault.CodeCriteriaValueUnknown, Value: code, Accepted: accepted, Message: fault.Textf("%s is not one of the accepted codes", field),
			})
		}
	}
	if given.Given() && len(given.Value) == 0 {
		return []string{""} // which nothing has
	}
	return given.Value
}

// find answers a search. records makes the function that makes the records of what
// was found.
func find[ID ~int64, T, R any](
	u Unit, s *search, in port.Deals[ID, T], id func(T) int64, records func([]T) (func(T) R, error),
) (FoundDeals[R], error) {
	if err := kernel.FirstError(s.outside, s.problems.Err()); err != nil {
		return FoundDeals[R]{}, err
	}
	found, err := in.Find(port.DealQuery{
		Site: u.Site.ID, Filter: s.filter, After: s.page.After, Skip: s.page.Skip, Limit: s.page.Limit + 1,
		Order: deal.Order{Key: sortKeys[s.page.Sort], Desc: s.page.Descending},
	})
	if err != nil {
		return FoundDeals[R]{}, err
	}
	record, err := records(found)
	if err != nil {
		return FoundDeals[R]{}, err
	}
	return FoundDeals[R]{kernel.CutPage(s.page, found, id, record), s.page.Mode}, nil
}
