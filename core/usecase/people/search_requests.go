package people

import (
	"context"
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

func (u Unit) createSearchRequest(in CreateSearchRequest) (kernel.Created, error) {
	var problems fault.Problems
	draft := SearchRules(u.Caller).Create(in.Change, &problems)
	outside := u.CheckAgency(in.AgencyID, &problems)
	u.CheckUser(in.UserID, 0, &problems)
	owner, err := u.unlockedCustomer(in.CustomerID)
	if err := kernel.FirstError(err, outside, problems.Err()); err != nil {
		return kernel.Created{}, err
	}
	added, err := u.AddSearch(owner, draft)
	return u.Created(fmt.Sprintf("/customers/%d/searches/", owner.ID), int64(added.ID)), err
}

// AddSearch stores a new search request of a customer. Without an agency or agent
// it gets the customer's.
func (u Unit) AddSearch(owner customer.Customer, made demand.SearchRequest) (demand.SearchRequest, error) {
	made.Site, made.Customer = owner.Site, owner.ID
	if made.Agency == 0 {
		made.Agency = owner.Agency
	}
	if made.User == 0 {
		made.User = owner.User
	}
	return Searches.Create(u, made)
}

// SearchRules returns what changes of search requests are judged by.
func SearchRules(c kernel.Caller) demand.Rules {
	return demand.Rules{Dictionary: c.Site.Dictionary, Reading: c.Reading()}
}

// searchRequest reads a search request of a customer of the caller's site.
func (u Unit) searchRequest(customerID, id int64) (demand.SearchRequest, error) {
	owner, err := u.Customer(customerID)
	if err != nil {
		return demand.SearchRequest{}, err
	}
	found, err := u.SearchRequests().Get(u.Site.ID, demand.SearchID(id))
	return found, checkSearchOf(owner, found, err)
}

// checkSearchOf is NotFound unless a search request was found, and is the customer's.
func checkSearchOf(owner customer.Customer, found demand.SearchRequest, err error) error {
	if err == nil && found.Customer != owner.ID {
		err = fault.NotFound
	}
	if err != nil {
		return kernel.AbsentIs(err, kernel.Unknown("%s", Searches.Unknown))
	}
	return nil
}

func (u Unit) listSearchRequests(in CustomerList) (kernel.CursorPage[SearchRequest], error) {
	return pageOf(u, in, u.SearchRequests(), func(r demand.SearchRequest) demand.SearchID { return r.ID }, searchRecord)
}

func (u Unit) readSearchRequest(in SearchRequestPath) (demand.SearchRequest, error) {
	return u.searchRequest(in.CustomerID, in.ID)
}

// getSearchRequest also returns how many products match the search request, and
// when something last happened to one of these.
func (s *Service) getSearchRequest(ctx context.Context, c kernel.Caller, in SearchRequestPath) (SearchRequest, error) {
	found, err := reads(s, Unit.readSearchRequest)(ctx, c, in)
	if err != nil {
		return SearchRequest{}, err
	}
	index, err := s.listing.Index(ctx, c)
	if err != nil {
		return SearchRequest{}, err
	}
	record, wanted := searchRecord(found), matchable(c, found)
	count := index.Match(wanted, catalogue.MatchQuery{Filter: onTheMarket(c)}).Total
	record.MatchesCount = &count
	record.LastMatchAt = kernel.When(index.Latest(wanted, onTheMarket(c)))
	return record, nil
}

func (u Unit) updateSearchRequest(in UpdateSearchRequest) (kernel.Changed, error) {
	owner, err := u.unlockedCustomer(in.CustomerID)
	if err != nil {
		return kernel.Changed{}, err
	}
	before, err := u.SearchRequests().GetUnlocked(u.Site.ID, demand.SearchID(in.ID))
	if err := checkSearchOf(owner, before, err); err != nil {
		return kernel.Changed{}, err
	}
	return Searches.Change(u, before, in.IfMatch, func(before demand.SearchRequest) (demand.SearchRequest, error) {
		var problems fault.Problems
		outside := u.CheckAgency(in.AgencyID, &problems)
		u.CheckUser(in.UserID, before.User, &problems)
		after := SearchRules(u.Caller).Update(before, in.Change, &problems)
		return after, kernel.FirstError(outside, problems.Err())
	})
}

// deleteSearchRequest leaves follow-ups that were made for the search request.
func (u Unit) deleteSearchRequest(in DeleteSearchRequest) (kernel.None, error) {
	before, err := u.searchRequest(in.CustomerID, in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, Searches.Remove(u, before, in.IfMatch)
}

func searchRecord(r demand.SearchRequest) SearchRequest {
	record := SearchRequest{
		ID: int64(r.ID), CustomerID: int64(r.Customer), AgencyID: int64(r.Agency), UserID: kernel.Nullable(int64(r.User)), Name: kernel.Nullable(r.Name),
		IsActive: r.Active, Status: r.Status, TransactionType: r.TransactionType, PropertyTypes: kernel.List(r.PropertyTypes),
		Criteria: []SearchedCriterion{}, KeyPoints: []KeyPoint{}, Areas: []Area{},
		Financing: Financing{
			BudgetTotal: r.Financing.BudgetTotal, Contribution: r.Financing.Contribution, LoanAgreed: r.Financing.LoanAgreed,
			ToSellFirst: r.Financing.ToSellFirst, Broker: kernel.Nullable(r.Financing.Broker),
		},
		Alerts:  Alerts{Email: r.Alerts.Email, SMS: r.Alerts.SMS, Frequency: kernel.Nullable(r.Alerts.Frequency)},
		Urgency: kernel.Nullable(r.Urgency), Origin: kernel.Nullable(r.Origin), Comment: kernel.Nullable(r.Comment),
		DateAdded: kernel.Instant{Time: r.Added}, LastModified: kernel.Instant{Time: r.Modified}, Version: kernel.Version(r.Version),
	}
	shortcuts := []**float64{
		&record.PriceMin, &record.PriceMax, &record.SurfaceMin, &record.SurfaceMax, &record.LandMin, &record.RoomsMin, &record.RoomsMax, &record.BedroomsMin,
	}
	for i, b := range demand.Bounds() {
		if limit, ok := r.Bound(b); ok {
			*shortcuts[i] = &limit
		}
	}
	for _, condition := range r.Criteria {
		record.Criteria = append(record.Criteria, SearchedCriterion{condition.Criterion, condition.Operator.String(), condition.Plain()})
	}
	for _, k := range r.KeyPoints {
		point := KeyPoint{ID: k.ID, Importance: string(k.Importance), Comment: kernel.Nullable(k.Comment)}
		if k.Condition != nil {
			point.Value = k.Condition.Plain()
		}
		record.KeyPoints = append(record.KeyPoints, point)
	}
	for _, a := range r.Areas {
		record.Areas = append(record.Areas, areaRecord(a))
	}
	return record
}

func areaRecord(a demand.Area) Area {
	record := Area{ID: a.ID, Type: string(a.Type), Code: kernel.Nullable(a.Code), Label: kernel.Nullable(a.Label), Excluded: a.Excluded}
	switch a.Type {
	case demand.Radius:
		record.Latitude, record.Longitude, record.RadiusKm = &a.Center.Latitude, &a.Center.Longitude, &a.RadiusKm
	case demand.Shape:
		record.Polygon = &GeoJSON{Type: "MultiPolygon", Coordinates: make([][][][2]float64, len(a.Outline))}
		for i, rings := range a.Outline {
			for _, ring := range rings {
				var points [][2]float64
				for _, p := range ring {
					points = append(points, [2]float64{p.Longitude, p.Latitude})
				}
				record.Polygon.Coordinates[i] = append(record.Polygon.Coordinates[i], points)
			}
		}
	case demand.City, demand.PostalCode, demand.INSEE, demand.Department:
	}
	return record
}
