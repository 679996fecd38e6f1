package offer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// Limits of one offer.
const (
	MaxParties    = 10
	MaxConditions = 20
	MaxCondition  = 1_000
	maxLoanMonths = 600
)

// Change is what a request wants of an offer. Absent parts stay as they are.
// Whether what it names exists is for others to say.
type Change struct {
	ProductID opt.Field[int64]   `json:"product_id" doc:"required for a new one; cannot change"`
	AgencyID  opt.Field[int64]   `json:"agency_id" doc:"the product's, where a new one has none"`
	UserID    opt.Field[int64]   `json:"user_id" doc:"the product's, where a new one has none"`
	Buyers    opt.Field[[]int64] `json:"buyers" max:"offer.MaxParties" doc:"customers, 1 to 10, each once; required for a new one"`
	Sellers   opt.Field[[]int64] `json:"sellers" max:"offer.MaxParties" doc:"customers, at most 10, each once; the product's owner, where a new one has none"`
	SearchID  opt.Field[int64]   `json:"search_id" doc:"a search request of one of the buyers"`
	Amount    opt.Field[float64] `json:"amount" doc:"what the buyers would pay, fees included; required for a new one"`
	money.FeesInput
	DateOffer  opt.Field[string]          `json:"date_offer" format:"date" doc:"today for a new one; not in the future"`
	ExpiresAt  opt.Field[string]          `json:"expires_at" doc:"a day alone is its end"`
	Financing  opt.Field[BuyersFinancing] `json:"financing"`
	Conditions opt.Field[[]string]        `json:"conditions" max:"offer.MaxConditions" doc:"at most 20, each of at most 1,000 characters; replaces the list"`
	Comment    opt.Field[string]          `json:"comment" max:"form.MaxComment" doc:"at most 10,000 characters"`
}

// BuyersFinancing says how the buyers would pay.
type BuyersFinancing struct {
	Contribution opt.Field[float64] `json:"contribution"`
	LoanAmount   opt.Field[float64] `json:"loan_amount"`
	LoanRateMax  opt.Field[float64] `json:"loan_rate_max" doc:"percent"`
	LoanMonths   opt.Field[int]     `json:"loan_months"`
	WithoutLoan  opt.Field[bool]    `json:"without_loan"`
}

// Rules is what a change is judged by.
type Rules struct {
	Dictionary *criteria.Dictionary
	Zone       *time.Location
	Now        time.Time
	// VATRate is the usual one where the property is.
	VATRate float64
}

// Defaults are what a product gives to an offer that does not say otherwise.
type Defaults struct {
	Product product.ID
	Agency  site.AgencyID
	User    site.UserID
	Owner   customer.ID
}

// Create makes the offer that is described, without ids, number and times, and
// reports everything wrong with the description. The status is BROUILLON unless
// the description says EN_COURS.
func (r Rules) Create(c Change, status opt.Field[string], d Defaults, problems *fault.Problems) Offer {
	f := form.Form{Problems: problems}
	it := Offer{
		Product: d.Product, Agency: d.Agency, User: d.User, Status: Draft, Date: calendar.On(r.Now, r.Zone), Fees: money.Fees{VATRate: r.VATRate},
	}
	if d.Owner != 0 && !c.Sellers.Set {
		it.Sellers = []customer.ID{d.Owner}
	}
	if form.OneOf(f, "status", &it.Status, status, []Status{Draft, Open}); it.Status == "" {
		it.Status = Draft
	}
	if !c.Buyers.Set {
		f.Wrong("buyers", fault.CodeRequired, nil, "buyers are required")
	}
	if !c.Amount.Set {
		f.Wrong("amount", fault.CodeRequired, nil, "amount is required")
	}
	if it = r.apply(it, c, f); it.Status == Open {
		checkExpiry(f, it.Expires, r.Now)
		it.Negotiation = []Step{Moment{Now: r.Now, By: it.User}.step(Sending, Buyer, it.Amount)}
	}
	return it
}

// Update applies a request to a copy of an offer. What is wrong with the request
// is Invalid; what the status does not let anybody change is a Conflict.
func (r Rules) Update(before Offer, c Change) (Offer, error) {
	var problems, rules fault.Problems
	f := form.Form{Problems: &problems, Against: &rules}
	before = before.At(r.Now)
	after := r.apply(before.Clone(), c, f)
	if c.ExpiresAt.Set && after.Negotiated() {
		checkExpiry(f, after.Expires, r.Now)
	}
	moved := product.ID(c.ProductID.Or(int64(before.Product))) != before.Product
	if problems.Empty() && (moved || !before.fixed().Same(after.fixed())) {
		return before, transition.Refused(before.Status, "the offer is too far for that to change")
	}
	if problems.Join(rules); !problems.Empty() {
		return before, problems.Err()
	}
	return after, nil
}

// fixed returns the offer without what its status lets anybody change.
func (o Offer) fixed() Offer {
	o.User, o.Comment = 0, ""
	switch o.Status {
	case Draft:
		return Offer{Product: o.Product, Status: o.Status}
	case Open, Countered:
		o.Expires, o.Financing, o.Conditions = time.Time{}, Financing{}, nil
	case Accepted, Refused, Withdrawn, Expired, Cancelled:
	}
	return o
}

func (r Rules) apply(it Offer, c Change, f form.Form) Offer {
	if c.AgencyID.Given() {
		it.Agency = site.AgencyID(c.AgencyID.Value)
	}
	form.ID(f, "user_id", &it.User, c.UserID)
	form.ID(f, "search_id", &it.Search, c.SearchID)
	it.Buyers = Parties(f, "buyers", it.Buyers, c.Buyers, 1)
	it.Sellers = Parties(f, "sellers", it.Sellers, c.Sellers, 0)
	CheckSides(f.Rules(), "sellers", it.Sellers, it.Buyers)
	money.SetAboveZero(f, "amount", &it.Amount, c.Amount)
	it.Fees = c.Fees(it.Fees, r.VATRate, f)
	if it.Amount != 0 {
		it.Fees.CheckPrice(it.Amount, f.Rules())
	}
	r.date(f, &it.Date, c.DateOffer)
	r.expiry(f, &it.Expires, c.ExpiresAt)
	if c.Financing.Set {
		it.Financing = financing(f.In("financing"), it.Financing, c.Financing)
	}
	it.Conditions = conditions(f, it.Conditions, c.Conditions)
	f.Text("comment", &it.Comment, c.Comment, form.MaxComment)
	return it
}

// Parties sets a list of customers, each once.
func Parties(f form.Form, field string, before []customer.ID, given opt.Field[[]int64], least int) []customer.ID {
	if !given.Set || !f.Few(field, len(given.Value), MaxParties) {
		return before
	}
	if len(given.Value) < least {
		f.Wrong(field, fault.CodeRequired, nil, "%s are required", field)
		return before
	}
	var parties []customer.ID
	seen := map[int64]bool{}
	for n, id := range given.Value {
		at := fmt.Sprintf("%s[%d]", field, n)
		if id < 1 {
			f.Wrong(at, fault.CodeOutOfRange, id, "an id is at least 1")
		}
		form.Once(f, at, id, seen)
		parties = append(parties, customer.ID(id))
	}
	return parties
}

// CheckSides reports customers who are on both sides.
func CheckSides(f form.Form, field string, one, other []customer.ID) {
	for n, id := range one {
		if slices.Contains(other, id) {
			f.Wrong(fmt.Sprintf("%s[%d]", field, n), fault.CodePartyOnBothSides, int64(id), "nobody is on both sides")
		}
	}
}

func (r Rules) date(f form.Form, target *calendar.Day, given opt.Field[string]) {
	today := calendar.On(r.Now, r.Zone)
	if f.CalendarDay("date_offer", target, given); given.Null {
		*target = today
	}
	if given.Given() && *target > today {
		f.Wrong("date_offer", fault.CodeOutOfRange, given.Value, "date_offer is in the future")
	}
}

// expiry sets a moment; a day alone is its end.
func (r Rules) expiry(f form.Form, target *time.Time, given opt.Field[string]) {
	if day, err := calendar.Parse(strings.TrimSpace(given.Or(""))); err == nil {
		*target = day.End(r.Zone).UTC()
		return
	}
	f.Moment("expires_at", target, given, r.Zone)
}

func financing(f form.Form, before Financing, given opt.Field[BuyersFinancing]) Financing {
	if given.Null {
		return Financing{}
	}
	c, after := given.Value, before
	after.Given = true
	money.Set(f, "contribution", &after.Contribution, c.Contribution)
	money.Set(f, "loan_amount", &after.Loan, c.LoanAmount)
	f.MaybePercent("loan_rate_max", &after.LoanRateMax, c.LoanRateMax)
	f.MaybeBetween("loan_months", &after.LoanMonths, c.LoanMonths, 1, maxLoanMonths)
	f.Flag("without_loan", &after.WithoutLoan, c.WithoutLoan)
	if after.WithoutLoan && (after.Loan != nil || after.LoanRateMax != nil || after.LoanMonths != nil) {
		f.Wrong("without_loan", fault.CodeAmbiguousField, nil, "there is a loan, and without_loan says there is none")
	}
	return after
}

func conditions(f form.Form, before []string, given opt.Field[[]string]) []string {
	if !given.Set || !f.Few("conditions", len(given.Value), MaxConditions) {
		return before
	}
	var all []string
	for n, text := range given.Value {
		var condition string
		f.Text(fmt.Sprintf("conditions[%d]", n), &condition, opt.Of(text), MaxCondition)
		if condition != "" {
			all = append(all, condition)
		}
	}
	return all
}

// CheckDeletable is a Conflict unless an offer is a draft.
func CheckDeletable(o Offer) error {
	if o.Status == Draft {
		return nil
	}
	return transition.Refused(o.Status, "only drafts can be deleted")
}
