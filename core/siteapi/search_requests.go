package siteapi

import (
	"context"
	"fmt"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// CreateSearchRequest adds a search request of a customer (contract: What the
// service does, point 9c).
func (s *Service) CreateSearchRequest(ctx context.Context, c Caller, in CreateSearchRequest) (Created, error) {
	var problems fault.Problems
	draft := c.searchRules().Create(in.Change, &problems)
	outside := c.inScope(in.AgencyID, &problems)
	c.checkUser(in.UserID, &problems)
	return write(ctx, s, c, func(tx port.Tx) (Created, error) {
		owner, err := c.person(tx, in.CustomerID)
		if err := firstError(err, outside, problems.Err()); err != nil {
			return Created{}, err
		}
		added, err := s.addSearch(tx, c.author(), owner, draft)
		return s.created(fmt.Sprintf("/customers/%d/searches/", owner.ID), int64(added.ID)), err
	})
}

// addSearch stores a new search request of a customer and records its creation.
// Without an agency or agent it gets the customer's.
func (s *Service) addSearch(tx port.Tx, a author, owner customer.Customer, made demand.SearchRequest) (demand.SearchRequest, error) {
	ids, err := tx.NextIDs(port.SearchIDs, 1)
	if err != nil {
		return made, err
	}
	made.ID, made.Site, made.Customer = demand.SearchID(ids[0]), owner.Site, owner.ID
	if made.Agency == 0 {
		made.Agency = owner.Agency
	}
	if made.User == 0 {
		made.User = owner.User
	}
	recorded, err := s.recordSearch(tx, a, event.SearchCreate, made)
	if err != nil {
		return made, err
	}
	made.Version, made.Added, made.Modified = recorded.Seq, recorded.At, recorded.At
	return made, tx.SearchRequests().Put(made)
}

func (s *Service) recordSearch(tx port.Tx, a author, t event.Type, r demand.SearchRequest) (event.Event, error) {
	return s.record(tx, a, r.Site, event.Event{Type: t, Resource: int64(r.ID), Agency: r.Agency})
}

// inScope checks an agency_id that may be absent.
func (c Caller) inScope(given Opt[int64], problems *fault.Problems) error {
	if id := positive("agency_id", given, problems); id != 0 {
		return c.agency(id)
	}
	return nil
}

func (c Caller) searchRules() demand.Rules {
	return demand.Rules{Dictionary: c.settings.dictionary, Reading: c.reading()}
}

// searchRequest reads a search request of a customer of the caller's site.
func (c Caller) searchRequest(tx port.Tx, customerID, id int64) (demand.SearchRequest, error) {
	owner, err := c.customer(tx, customerID)
	if err != nil {
		return demand.SearchRequest{}, err
	}
	unknown := fault.New(fault.NotFound, fault.CodeNotFound, "the customer has no search request with this id")
	found, err := tx.SearchRequests().Get(c.Site(), demand.SearchID(id))
	if err != nil {
		return found, absentIs(err, unknown)
	}
	if found.Customer != owner.ID {
		return found, unknown
	}
	return found, nil
}

// ListSearchRequests lists the search requests of a customer, by id.
func (s *Service) ListSearchRequests(ctx context.Context, c Caller, in CustomerPath) ([]SearchRequest, error) {
	records := []SearchRequest{}
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		owner, err := c.customer(tx, in.ID)
		if err != nil {
			return err
		}
		found, err := tx.SearchRequests().Of(c.Site(), owner.ID)
		records = []SearchRequest{}
		for _, r := range found {
			records = append(records, searchRecord(r))
		}
		return err
	})
	return records, err
}

// GetSearchRequest reads one search request, and tells how many products match
// it, and when something last happened to one of these.
func (s *Service) GetSearchRequest(ctx context.Context, c Caller, in SearchRequestPath) (SearchRequest, error) {
	var found demand.SearchRequest
	err := s.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		found, err = c.searchRequest(tx, in.CustomerID, in.ID)
		return err
	})
	if err != nil {
		return SearchRequest{}, err
	}
	index, err := s.catalogue(ctx, c)
	if err != nil {
		return SearchRequest{}, err
	}
	record, wanted := searchRecord(found), c.matchable(found)
	record.MatchesCount = pointer(index.Match(wanted, catalogue.Question{Filter: c.onTheMarket()}).Total)
	record.LastMatchAt = when(index.Latest(wanted, c.onTheMarket()))
	return record, nil
}

// UpdateSearchRequest changes the given fields of a search request.
func (s *Service) UpdateSearchRequest(ctx context.Context, c Caller, in UpdateSearchRequest) (Changed, error) {
	var problems fault.Problems
	outside := c.inScope(in.AgencyID, &problems)
	c.checkUser(in.UserID, &problems)
	return write(ctx, s, c, func(tx port.Tx) (Changed, error) {
		if _, err := c.person(tx, in.CustomerID); err != nil {
			return Changed{}, err
		}
		before, err := c.searchRequest(tx, in.CustomerID, in.ID)
		if err != nil {
			return Changed{}, err
		}
		found := problems
		after := c.searchRules().Update(before, in.Change, &found)
		if err := firstError(outside, found.Err(), in.IfMatch.check(Version(before.Version))); err != nil {
			return Changed{}, err
		}
		if after.Same(before) {
			return Changed{Version(before.Version)}, nil
		}
		recorded, err := s.recordSearch(tx, c.author(), event.SearchUpdate, after)
		if err != nil {
			return Changed{}, err
		}
		after.Version, after.Modified = recorded.Seq, latest(recorded.At, before.Modified)
		return Changed{Version(after.Version)}, tx.SearchRequests().Put(after)
	})
}

// DeleteSearchRequest removes a search request. Follow-ups made for it stay.
func (s *Service) DeleteSearchRequest(ctx context.Context, c Caller, in DeleteSearchRequest) (None, error) {
	return write(ctx, s, c, func(tx port.Tx) (None, error) {
		before, err := c.searchRequest(tx, in.CustomerID, in.ID)
		if err := firstError(err, in.IfMatch.check(Version(before.Version))); err != nil {
			return None{}, err
		}
		return None{}, s.dropSearch(tx, c.author(), before)
	})
}

func (s *Service) dropSearch(tx port.Tx, a author, r demand.SearchRequest) error {
	if _, err := s.recordSearch(tx, a, event.SearchDelete, r); err != nil {
		return err
	}
	return tx.SearchRequests().Delete(r.Site, r.ID)
}

// forgetDemand removes the search requests and follow-ups of a customer.
func (s *Service) forgetDemand(tx port.Tx, a author, t traces) error {
	for _, f := range t.followUps {
		if err := s.dropFollowUp(tx, a, t.person, f); err != nil {
			return err
		}
	}
	for _, r := range t.searches {
		if err := s.dropSearch(tx, a, r); err != nil {
			return err
		}
	}
	return nil
}

func searchRecord(r demand.SearchRequest) SearchRequest {
	record := SearchRequest{
		ID: int64(r.ID), CustomerID: int64(r.Customer), AgencyID: int64(r.Agency), UserID: nullable(int64(r.User)), Name: nullable(r.Name),
		IsActive: r.Active, Status: r.Status, TransactionType: r.TransactionType, PropertyTypes: list(r.PropertyTypes),
		Criteria: []SearchedCriterion{}, KeyPoints: []KeyPoint{}, Areas: []Area{},
		Financing: Financing{
			BudgetTotal: r.Financing.BudgetTotal, Contribution: r.Financing.Contribution, LoanAgreed: r.Financing.LoanAgreed,
			ToSellFirst: r.Financing.ToSellFirst, Broker: nullable(r.Financing.Broker),
		},
		Alerts:  Alerts{Email: r.Alerts.Email, SMS: r.Alerts.SMS, Frequency: nullable(r.Alerts.Frequency)},
		Urgency: nullable(r.Urgency), Origin: nullable(r.Origin), Comment: nullable(r.Comment),
		DateAdded: Instant{r.Added}, LastModified: Instant{r.Modified}, Version: Version(r.Version),
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
		point := KeyPoint{ID: k.ID, Importance: string(k.Importance), Comment: nullable(k.Comment)}
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
	record := Area{ID: a.ID, Type: string(a.Type), Code: nullable(a.Code), Label: nullable(a.Label), Excluded: a.Excluded}
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
