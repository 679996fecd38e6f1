package demand

import (
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Change is what a request wants of a search request. Absent parts stay as they
// are.
type Change struct {
	Agency opt.Field[site.AgencyID]
	User   opt.Field[site.UserID]

	Name, Status, Urgency, Origin, Comment opt.Field[string]
	Active                                 opt.Field[bool]
	TransactionType                        opt.Field[string]
	PropertyTypes                          opt.Field[[]string]
	// Criteria replaces the list; Bounds, by the Field of each, replaces single
	// limits in it.
	Criteria opt.Field[[]criteria.Condition]
	Bounds   map[string]opt.Field[float64]
	// KeyPoints and Areas replace their lists.
	KeyPoints opt.Field[[]KeyPointChange]
	Areas     opt.Field[[]AreaChange]
	Financing opt.Field[FinancingChange]
	Alerts    opt.Field[AlertsChange]
}

// KeyPointChange names a quality that matters.
type KeyPointChange struct {
	ID, Importance opt.Field[string]
	Value          criteria.Raw
	Comment        opt.Field[string]
}

// AreaChange names an area; with the ID of one that is there it keeps the id.
type AreaChange struct {
	ID                            opt.Field[int64]
	Type, Code, Label             opt.Field[string]
	Latitude, Longitude, RadiusKm opt.Field[float64]
	Polygon                       opt.Field[GeoJSON]
	Excluded                      opt.Field[bool]
}

// GeoJSON is a geometry as GeoJSON (RFC 7946) writes it, coordinates nested
// arrays of numbers.
type GeoJSON struct {
	Type        opt.Field[string]
	Coordinates criteria.Raw
}

// FinancingChange says how the customer would pay.
type FinancingChange struct {
	BudgetTotal, Contribution opt.Field[float64]
	LoanAgreed, ToSellFirst   opt.Field[bool]
	Broker                    opt.Field[string]
}

// AlertsChange says how the customer wants to hear of new products.
type AlertsChange struct {
	Email, SMS opt.Field[bool]
	Frequency  opt.Field[string]
}

// Rules is what a change is judged by.
type Rules struct {
	Dictionary *criteria.Dictionary
	Reading    criteria.Reading
}

// Limits of one search request.
const (
	MaxKeyPoints = 50
	MaxAreas     = 100
	maxTypes     = 50
	maxCorners   = 2_000
	maxRadiusKm  = 1_000
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
	w.Flag("is_active", &it.Active, c.Active)
	if w.Code("status", &it.Status, c.Status, Statuses()); it.Status == "" {
		it.Status = StatusActive
	}
	if c.Agency.Given() {
		it.Agency = c.Agency.Value
	}
	if c.User.Set {
		it.User = c.User.Or(0)
	}
}

func (w writer) types(it *SearchRequest, c Change) {
	if c.TransactionType.Or("") == "" && (c.TransactionType.Set || it.TransactionType == "") {
		w.Wrong("transaction_type", fault.CodeRequired, nil, "a search request is for one transaction_type")
	} else {
		w.Code("transaction_type", &it.TransactionType, c.TransactionType, w.codes(criteria.KeyTransactionType))
	}
	if !c.PropertyTypes.Set || !w.Few("property_types", len(c.PropertyTypes.Value), maxTypes) {
		return
	}
	known, kinds := w.codes(criteria.KeyPropertyType), []string(nil)
	for i, code := range c.PropertyTypes.Value {
		if !slices.Contains(known, code) {
			w.Problems.Append(fault.Detail{
				Field: fmt.Sprintf("property_types[%d]", i), Code: fault.CodeCriteriaValueUnknown,
				Value: code, Accepted: known, Message: "no type of property has this code",
			})
		} else if !slices.Contains(kinds, code) {
			kinds = append(kinds, code)
		}
	}
	it.PropertyTypes = kinds
}

// codes are the active codes of a criterion.
func (w writer) codes(key string) []string {
	definition, _ := w.Dictionary.ByKey(key)
	var codes []string
	for _, c := range definition.Choices {
		if c.Active {
			codes = append(codes, c.Code)
		}
	}
	return codes
}

// bounds replaces the criteria, and the limits that have a field of their own.
// One limit may be given either way, not differently in both.
func (w writer) bounds(it *SearchRequest, c Change) {
	if c.Criteria.Set {
		it.Criteria = slices.Clone(c.Criteria.Value)
	}
	for _, b := range Bounds() {
		given := c.Bounds[b.Field]
		if !given.Set {
			continue
		}
		if given.Given() && given.Value < 0 {
			w.Wrong(b.Field, fault.CodeOutOfRange, given.Value, "%s is a number of at least 0", b.Field)
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

func (w writer) keyPoints(changes []KeyPointChange) []KeyPoint {
	if !w.Few("key_points", len(changes), MaxKeyPoints) {
		return nil
	}
	var all []KeyPoint
	for i, c := range changes {
		f, point := w.In("key_points[%d]", i), KeyPoint{ID: c.ID.Or("")}
		var importance string
		f.Code("importance", &importance, c.Importance, names(Importances()))
		f.Text("comment", &point.Comment, c.Comment, form.MaxName)
		if importance == "" && c.Importance.Or("") == "" {
			importance = string(Souhaite)
		}
		point.Importance = Importance(importance)
		point.ID, point.Condition = w.quality(f, point.ID, c.Value)
		all = append(all, point)
	}
	return all
}

// quality is what a key point means: a condition on a criterion, or a code of
// list 13 for people to judge.
func (w writer) quality(f form.Form, id string, value criteria.Raw) (string, *criteria.Condition) {
	definition, found := w.Dictionary.Find(id)
	if !found || id == "" {
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
		problem.Field = f.At + problem.Field
		f.Problems.Append(*problem)
		return definition.Key, nil
	}
	return definition.Key, &condition
}

// names are the texts behind names of a kind.
func names[T ~string](all []T) []string {
	texts := make([]string, len(all))
	for i, name := range all {
		texts[i] = string(name)
	}
	return texts
}

func (w writer) financing(it *Financing, given opt.Field[FinancingChange]) {
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

func (w writer) alerts(it *Alerts, given opt.Field[AlertsChange]) {
	if given.Null {
		*it = Alerts{}
		return
	}
	c, f := given.Value, w.In("alerts")
	f.Flag("email", &it.Email, c.Email)
	f.Flag("sms", &it.SMS, c.SMS)
	f.Code("frequency", &it.Frequency, c.Frequency, Frequencies())
}
