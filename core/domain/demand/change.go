package demand

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Change is what a request wants of a search request. Absent parts stay as they
// are. Whether the agency and the user it names may be chosen is for others to
// say.
type Change struct {
	AgencyID        opt.Field[int64]                     `json:"agency_id" doc:"the customer's, where a new one has none"`
	UserID          opt.Field[int64]                     `json:"user_id" doc:"the customer's, where a new one has none"`
	Name            opt.Field[string]                    `json:"name" max:"form.MaxName"`
	IsActive        opt.Field[bool]                      `json:"is_active" doc:"true for a new one"`
	Status          opt.Field[string]                    `json:"status" enum:"ACTIVE,EN_PAUSE,ABOUTIE,ABANDONNEE"`
	TransactionType opt.Field[string]                    `json:"transaction_type" doc:"code of TypeTransaction; required for a new one"`
	PropertyTypes   opt.Field[[]string]                  `json:"property_types" max:"demand.MaxPropertyTypes" doc:"codes of TypeBien; none is any"`
	PriceMin        opt.Field[float64]                   `json:"price_min" doc:"this and the seven that follow are short for criteria"`
	PriceMax        opt.Field[float64]                   `json:"price_max"`
	SurfaceMin      opt.Field[float64]                   `json:"surface_min"`
	SurfaceMax      opt.Field[float64]                   `json:"surface_max"`
	LandMin         opt.Field[float64]                   `json:"land_min"`
	RoomsMin        opt.Field[float64]                   `json:"rooms_min"`
	RoomsMax        opt.Field[float64]                   `json:"rooms_max"`
	BedroomsMin     opt.Field[float64]                   `json:"bedrooms_min"`
	Criteria        opt.Field[[]criteria.ConditionInput] `json:"criteria" alias:"criterias" max:"criteria.MaxConditions" doc:"as in a search of products; replaces the list"`
	KeyPoints       opt.Field[[]KeyPointInput]           `json:"key_points" max:"demand.MaxKeyPoints" doc:"replaces the list"`
	Areas           opt.Field[[]AreaInput]               `json:"areas" max:"demand.MaxAreas" doc:"replaces the list"`
	Financing       opt.Field[FinancingInput]            `json:"financing"`
	Alerts          opt.Field[AlertsInput]               `json:"alerts"`
	Urgency         opt.Field[string]                    `json:"urgency" doc:"code of list 14"`
	Origin          opt.Field[string]                    `json:"origin" doc:"code of list 10"`
	Comment         opt.Field[string]                    `json:"comment" max:"form.MaxComment"`
}

// limits returns the values for Bounds, in their order.
func (c Change) limits() []opt.Field[float64] {
	return []opt.Field[float64]{
		c.PriceMin, c.PriceMax, c.SurfaceMin, c.SurfaceMax, c.LandMin, c.RoomsMin, c.RoomsMax, c.BedroomsMin,
	}
}

// KeyPointInput names a quality that matters to the customer.
type KeyPointInput struct {
	ID         opt.Field[string] `json:"id" required:"true" doc:"key or id of a criterion, or a code of list 13" coerce:"string"`
	Importance opt.Field[string] `json:"importance" enum:"INDISPENSABLE,SOUHAITE,EXCLU" doc:"SOUHAITE without"`
	Value      criteria.Raw      `json:"value" type:"string,number,strings,null" doc:"what the criterion should be: a number or date is the least, codes and texts are any of, a flag is set"`
	Comment    opt.Field[string] `json:"comment" max:"form.MaxName"`
}

// AreaInput names somewhere the customer would live, or would not; with the ID
// of an area that is there it keeps the id.
type AreaInput struct {
	ID        opt.Field[int64]        `json:"id" doc:"of an area that is kept"`
	Type      opt.Field[string]       `json:"type" required:"true" enum:"CITY,POSTAL_CODE,INSEE,DEPARTMENT,RADIUS,POLYGON"`
	Code      opt.Field[string]       `json:"code" doc:"INSEE code of a CITY or INSEE area, postal code, or department"`
	Label     opt.Field[string]       `json:"label" max:"form.MaxName" doc:"name for people; finds a CITY without code"`
	Latitude  opt.Field[float64]      `json:"latitude" doc:"center of a RADIUS"`
	Longitude opt.Field[float64]      `json:"longitude"`
	RadiusKm  opt.Field[float64]      `json:"radius_km" doc:"at most 1000"`
	Polygon   opt.Field[GeoJSONInput] `json:"polygon" doc:"GeoJSON Polygon or MultiPolygon"`
	Excluded  opt.Field[bool]         `json:"excluded" doc:"true: anywhere but here"`
}

// GeoJSONInput is a geometry as GeoJSON (RFC 7946) writes it, coordinates nested
// arrays of numbers.
type GeoJSONInput struct {
	Type        opt.Field[string] `json:"type" enum:"Polygon,MultiPolygon"`
	Coordinates criteria.Raw      `json:"coordinates" type:"polygon,multipolygon" doc:"nested arrays of [longitude, latitude]; at most 2,000 positions"`
}

// FinancingInput says how the customer would pay.
type FinancingInput struct {
	BudgetTotal  opt.Field[float64] `json:"budget_total"`
	Contribution opt.Field[float64] `json:"contribution"`
	LoanAgreed   opt.Field[bool]    `json:"loan_agreed"`
	ToSellFirst  opt.Field[bool]    `json:"to_sell_first"`
	Broker       opt.Field[string]  `json:"broker" max:"form.MaxName"`
}

// AlertsInput says how the customer wants to hear of new products.
type AlertsInput struct {
	Email     opt.Field[bool]   `json:"email"`
	SMS       opt.Field[bool]   `json:"sms"`
	Frequency opt.Field[string] `json:"frequency" enum:"IMMEDIATE,DAILY,WEEKLY"`
}

// Rules is what a change is judged by.
type Rules struct {
	Dictionary *criteria.Dictionary
	Reading    criteria.Reading
	// CriteriaField is what the request calls its criteria; empty means
	// criteria.
	CriteriaField string
}

// Limits of one search request.
const (
	MaxKeyPoints     = 50
	MaxAreas         = 100
	MaxPropertyTypes = 50
	maxCorners       = 2_000
	maxRadiusKm      = 1_000
)

// Create makes the search request that is described, active and ACTIVE unless it
// says otherwise, without ids, times and whose it is, and reports everything
// wrong with the description.
func (r Rules) Create(c Change, problems *fault.Problems) SearchRequest {
	return r.apply(SearchRequest{Active: true, Status: StatusActive}, c, problems)
}

// Update applies a request to a copy of the search request and reports
// everything wrong with the request.
func (r Rules) Update(before SearchRequest, c Change, problems *fault.Problems) SearchRequest {
	return r.apply(before.Clone(), c, problems)
}

func (r Rules) apply(it SearchRequest, c Change, problems *fault.Problems) SearchRequest {
	w := writer{Rules: r, Form: form.Form{Problems: problems}}
	if c.Criteria.Set {
		it.Criteria = w.Dictionary.Conditions(cmp.Or(w.CriteriaField, "criteria"), c.Criteria.Value, w.Reading, problems)
	}
	w.plain(&it, c)
	w.types(&it, c)
	w.bounds(&it, c)
	if c.KeyPoints.Set {
		it.KeyPoints = w.keyPoints(c.KeyPoints.Value)
	}
	if c.Areas.Set {
		it.Areas = w.areas(it.Areas, c.Areas.Value)
	}
	if c.Financing.Set {
		w.financing(&it.Financing, c.Financing)
	}
	if c.Alerts.Set {
		w.alerts(&it.Alerts, c.Alerts)
	}
	return it
}

// writer applies one change.
type writer struct {
	Rules
	form.Form
}

func (w writer) plain(it *SearchRequest, c Change) {
	w.Text("name", &it.Name, c.Name, form.MaxName)
	w.Text("comment", &it.Comment, c.Comment, form.MaxComment)
	w.Listed("urgency", &it.Urgency, c.Urgency, w.Dictionary, criteria.Urgencies)
	w.Listed("origin", &it.Origin, c.Origin, w.Dictionary, criteria.Origins)
	w.Flag("is_active", &it.Active, c.IsActive)
	if w.Code("status", &it.Status, c.Status, Statuses()); it.Status == "" {
		it.Status = StatusActive
	}
	if c.AgencyID.Given() {
		it.Agency = site.AgencyID(c.AgencyID.Value)
	}
	if c.UserID.Set {
		it.User = site.UserID(c.UserID.Or(0))
	}
}

func (w writer) types(it *SearchRequest, c Change) {
	if c.TransactionType.Or("") == "" && (c.TransactionType.Set || it.TransactionType == "") {
		w.Wrong("transaction_type", fault.CodeRequired, nil, "a search request is for one transaction_type")
	} else {
		w.Code("transaction_type", &it.TransactionType, c.TransactionType, w.codes(criteria.KeyTransactionType))
	}
	if !c.PropertyTypes.Set || !w.Few("property_types", len(c.PropertyTypes.Value), MaxPropertyTypes) {
		return
	}
	known, kinds := w.codes(criteria.KeyPropertyType), []string(nil)
	for i, code := range c.PropertyTypes.Value {
		if !slices.Contains(known, code) {
			w.Refuse(fmt.Sprintf("property_types[%d]", i), fault.Detail{
				Code: fault.CodeCriteriaValueUnknown, Value: code, Accepted: known, Message: fault.Textf("no type of property has this code"),
			})
		} else if !slices.Contains(kinds, code) {
			kinds = append(kinds, code)
		}
	}
	it.PropertyTypes = kinds
}

// codes returns the active codes of a criterion.
func (w writer) codes(key string) []string {
	definition, _ := w.Dictionary.ByKey(key)
	return criteria.ActiveCodes(definition.Choices)
}

// bounds replaces the limits that have a field of their own. One limit may be given either way, not differently in both.
func (w writer) bounds(it *SearchRequest, c Change) {
	limits := c.limits()
	for i, b := range Bounds() {
		given := limits[i]
		if !given.Set {
			continue
		}
		if given.Given() && !(math.Abs(given.Value) <= math.MaxFloat64) {
			w.Wrong(b.Field, fault.CodeOutOfRange, nil, "%s is a finite number", b.Field)
			continue
		}
		if other, ok := it.Bound(b); ok && c.Criteria.Set && (given.Null || other != given.Value) {
			w.Wrong(b.Field, fault.CodeAmbiguousField, nil, "%s and criteria say different things about %s", b.Field, b.Criterion)
			continue
		}
		var limit *float64
		form.Maybe(&limit, given)
		it.SetBound(b, limit)
	}
	w.order(*it, "price_min", "price_max")
	w.order(*it, "surface_min", "surface_max")
	w.order(*it, "rooms_min", "rooms_max")
}

// order reports limits that nothing can be between.
func (w writer) order(it SearchRequest, low, high string) {
	limit := func(field string) (float64, bool) {
		n := slices.IndexFunc(Bounds(), func(b Bound) bool { return b.Field == field })
		return it.Bound(Bounds()[n])
	}
	least, some := limit(low)
	if most, limited := limit(high); some && limited && least > most {
		w.Wrong(low, fault.CodeOutOfRange, least, "%s is more than %s", low, high)
	}
}

func (w writer) keyPoints(changes []KeyPointInput) []KeyPoint {
	if !w.Few("key_points", len(changes), MaxKeyPoints) {
		return nil
	}
	var all []KeyPoint
	for i, c := range changes {
		f, point := w.In("key_points[%d]", i), KeyPoint{ID: c.ID.Or("")}
		var importance string
		f.Code("importance", &importance, c.Importance, form.Names(Importances()))
		f.Text("comment", &point.Comment, c.Comment, form.MaxName)
		if importance == "" && c.Importance.Or("") == "" {
			importance = string(Souhaite)
		}
		point.Importance = Importance(importance)
		if point.ID == "" {
			f.Wrong("id", fault.CodeRequired, nil, "a key point has an id")
			continue
		}
		point.ID, point.Condition = w.quality(f, point.ID, c.Value)
		all = append(all, point)
	}
	return all
}

// quality returns what a key point means: a condition on a criterion, or a code of
// list 13 for people to judge.
func (w writer) quality(f form.Form, id string, value criteria.Raw) (string, *criteria.Condition) {
	definition, found := w.Dictionary.Find(id)
	if !found {
		list, _ := w.Dictionary.List(criteria.KeyPoints)
		if choice, known := list.Choice(id); !known || !choice.Active {
			f.Wrong("id", fault.CodeUnknownCriterion, id, "no criterion has this key or id, and list 13 has no such code")
		}
		return id, nil
	}
	operator := criteria.EGAL
	switch definition.Type {
	case criteria.NUMBER, criteria.DATE:
		operator = criteria.SUPERIEUR
	case criteria.MULTIPLE, criteria.UNIQUE:
		operator = criteria.COMPREND
	case criteria.TEXT:
		operator = criteria.CONTIENT
	case criteria.FLAG:
		if value.Empty() {
			value = criteria.Raw{V: true}
		}
	}
	condition, problem := definition.Condition(operator, value, w.Reading)
	if problem != nil {
		f.Refuse(problem.Field, *problem)
		return definition.Key, nil
	}
	return definition.Key, &condition
}

func (w writer) financing(it *Financing, given opt.Field[FinancingInput]) {
	if given.Null {
		*it = Financing{}
		return
	}
	c, f := given.Value, w.In("financing")
	f.Amount("budget_total", &it.BudgetTotal, c.BudgetTotal)
	f.Amount("contribution", &it.Contribution, c.Contribution)
	form.Maybe(&it.LoanAgreed, c.LoanAgreed)
	form.Maybe(&it.ToSellFirst, c.ToSellFirst)
	f.Text("broker", &it.Broker, c.Broker, form.MaxName)
}

func (w writer) alerts(it *Alerts, given opt.Field[AlertsInput]) {
	if given.Null {
		*it = Alerts{}
		return
	}
	c, f := given.Value, w.In("alerts")
	f.Flag("email", &it.Email, c.Email)
	f.Flag("sms", &it.SMS, c.SMS)
	f.Code("frequency", &it.Frequency, c.Frequency, Frequencies())
}
