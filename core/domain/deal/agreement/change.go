package agreement

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// Limits of one agreement.
const (
	MaxConditions  = 30
	MaxCommissions = 20
	maxMonths      = 600
)

// Change is what a request wants of an agreement. Absent parts stay as they are.
// Whether what it names exists is for others to say.
type Change struct {
	Type        opt.Field[string]  `json:"type" enum:"COMPROMIS,PROMESSE,RESERVATION" doc:"required for a new one"`
	SaleOfferID opt.Field[int64]   `json:"sale_offer_id" doc:"an accepted offer; cannot change"`
	ProductID   opt.Field[int64]   `json:"product_id" doc:"required for a new one without an offer; cannot change"`
	AgencyID    opt.Field[int64]   `json:"agency_id" doc:"the offer's or the product's, where a new one has none"`
	UserID      opt.Field[int64]   `json:"user_id" doc:"the offer's or the product's, where a new one has none"`
	Buyers      opt.Field[[]int64] `json:"buyers" max:"offer.MaxParties" doc:"customers, 1 to 10, each once; required for a new one without an offer"`
	Sellers     opt.Field[[]int64] `json:"sellers" max:"offer.MaxParties" doc:"customers, at most 10, each once"`
	Price       opt.Field[float64] `json:"price" doc:"fees included; required for a new one without an offer"`
	money.FeesInput
	SellerNotaryID    opt.Field[int64]                `json:"seller_notary_id" doc:"a customer of type NOTAIRE; that of the first seller, where a new one has none"`
	BuyerNotaryID     opt.Field[int64]                `json:"buyer_notary_id" doc:"a customer of type NOTAIRE; that of the first buyer, where a new one has none"`
	Deposit           opt.Field[DepositInput]         `json:"deposit"`
	RetractionApplies opt.Field[bool]                 `json:"retraction_applies" doc:"for a new one: whether it is about a dwelling, and a buyer has no company"`
	Conditions        opt.Field[[]SaleConditionInput] `json:"conditions" max:"agreement.MaxConditions" doc:"at most 30; those not named stay"`
	Commissions       opt.Field[[]CommissionInput]    `json:"commissions" max:"agreement.MaxCommissions" doc:"at most 20; replaces the list"`
	DateDeedExpected  opt.Field[string]               `json:"date_deed_expected" format:"date"`
	Comment           opt.Field[string]               `json:"comment" max:"form.MaxComment" doc:"at most 10,000 characters"`
}

// DepositInput is what buyers pay when they sign.
type DepositInput struct {
	Amount     opt.Field[float64] `json:"amount" required:"true"`
	Holder     opt.Field[string]  `json:"holder" required:"true" enum:"AGENCE,NOTAIRE,AUTRE"`
	DueDate    opt.Field[string]  `json:"due_date" format:"date"`
	ReceivedOn opt.Field[string]  `json:"received_on" format:"date"`
}

// SaleConditionInput adds a condition, or with an ID changes or removes one.
type SaleConditionInput struct {
	_       struct{}           `anyOf:"id,type"`
	ID      opt.Field[int64]   `json:"id" doc:"of a condition that is changed"`
	Delete  opt.Field[bool]    `json:"_delete" doc:"true removes the condition"`
	Type    opt.Field[string]  `json:"type" enum:"PRET,URBANISME,PREEMPTION,VENTE_PREALABLE,AUTRE" doc:"required for a new one"`
	Label   opt.Field[string]  `json:"label" max:"form.MaxName"`
	DueDate opt.Field[string]  `json:"due_date" format:"date"`
	Amount  opt.Field[float64] `json:"amount" doc:"of a loan"`
	RateMax opt.Field[float64] `json:"rate_max" doc:"of a loan, percent"`
	Months  opt.Field[int]     `json:"months" doc:"of a loan"`
}

// CommissionInput is a share of the fees. It names exactly one whose it is.
type CommissionInput struct {
	_         struct{}           `oneOf:"agency_id,user_id,party_name"`
	Role      opt.Field[string]  `json:"role" required:"true" enum:"ENTREE,SORTIE,APPORT,DELEGATION,AUTRE"`
	Percent   opt.Field[float64] `json:"percent" required:"true" doc:"above 0, at most 2 decimals; all together at most 100"`
	AgencyID  opt.Field[int64]   `json:"agency_id"`
	UserID    opt.Field[int64]   `json:"user_id"`
	PartyName opt.Field[string]  `json:"party_name" max:"form.MaxName"`
}

// Rules is what a change is judged by.
type Rules struct {
	Moment
	// VATRate is the usual one where the property is.
	VATRate float64
}

// Create makes the agreement that is described, without ids, number and times,
// and reports everything wrong with the description. What the description does
// not say is as in like, which offer, product and customers gave.
func (r Rules) Create(c Change, like Agreement, problems *fault.Problems) Agreement {
	f := form.Form{Problems: problems}
	like.Status = Draft
	f.Required("type", !c.Type.Set)
	f.Required("buyers", !c.Buyers.Set && len(like.Buyers) == 0)
	f.Required("price", !c.Price.Set && like.Price == 0)
	return r.apply(like.Clone(), c, f)
}

// Update applies a request to a copy of an agreement. What is wrong with the
// request is Invalid; what the status does not let anybody change is a Conflict.
func (r Rules) Update(before Agreement, c Change) (Agreement, error) {
	var problems, rules fault.Problems
	before = before.At(r.Now, r.Zone)
	after := r.apply(before.Clone(), c, form.Form{Problems: &problems, Against: &rules})
	if problems.Empty() && (c.moves(before) || !before.fixed().Same(after.fixed())) {
		return before, transition.Refused(before.Status, "the agreement is too far for that to change")
	}
	if problems.Join(rules); !problems.Empty() {
		return before, problems.Err()
	}
	if after.Live() {
		after.checkLoans(&problems)
	}
	return after, problems.Err()
}

// moves reports a request for another product or another offer.
func (c Change) moves(from Agreement) bool {
	return product.ID(c.ProductID.Or(int64(from.Product))) != from.Product ||
		c.SaleOfferID.Set && offer.ID(c.SaleOfferID.Or(0)) != from.Offer
}

// fixed returns the agreement without what its status lets anybody change.
func (a Agreement) fixed() Agreement {
	if a.Status == Draft {
		return Agreement{Status: a.Status}
	}
	a = a.Clone()
	a.User, a.Comment = 0, ""
	if !a.Live() {
		return a
	}
	a.SellerNotary, a.BuyerNotary, a.Deposit, a.Commissions, a.DeedExpected = 0, 0, Deposit{}, nil, 0
	for n := range a.Conditions {
		a.Conditions[n].Due = 0
	}
	return a
}

func (r Rules) apply(it Agreement, c Change, f form.Form) Agreement {
	if form.OneOf(f, "type", &it.Type, c.Type, Types()); c.Type.Set && c.Type.Or("") == "" {
		f.Wrong("type", fault.CodeRequired, nil, "type is required")
	}
	if c.AgencyID.Given() {
		it.Agency = site.AgencyID(c.AgencyID.Value)
	}
	form.ID(f, "user_id", &it.User, c.UserID)
	it.Buyers = offer.Parties(f, "buyers", it.Buyers, c.Buyers, 1)
	it.Sellers = offer.Parties(f, "sellers", it.Sellers, c.Sellers, 0)
	offer.CheckSides(f.Rules(), "sellers", it.Sellers, it.Buyers)
	money.SetAboveZero(f, "price", &it.Price, c.Price)
	it.Fees = c.Fees(it.Fees, r.VATRate, f)
	if it.Price != 0 {
		it.Fees.CheckPrice(it.Price, f.Rules())
	}
	form.ID(f, "seller_notary_id", &it.SellerNotary, c.SellerNotaryID)
	form.ID(f, "buyer_notary_id", &it.BuyerNotary, c.BuyerNotaryID)
	if c.Deposit.Set {
		it.Deposit = r.deposit(f.In("deposit"), it.Deposit, c.Deposit)
	}
	f.Flag("retraction_applies", &it.MayWithdraw, c.RetractionApplies)
	it = conditions(f, it, c.Conditions)
	it.Commissions = commissions(f, it.Commissions, c.Commissions)
	f.CalendarDay("date_deed_expected", &it.DeedExpected, c.DateDeedExpected)
	f.Text("comment", &it.Comment, c.Comment, form.MaxComment)
	return it
}

func (r Rules) deposit(f form.Form, before Deposit, given opt.Field[DepositInput]) Deposit {
	if given.Null {
		return Deposit{}
	}
	c, after := given.Value, before
	form.OneOf(f, "holder", &after.Holder, c.Holder, []Holder{AgencyHolds, NotaryHolds, AnotherHolds})
	if after.Holder == NoHolder && c.Holder.Or("") == "" {
		f.Rules().Wrong("holder", fault.CodeRequired, nil, "somebody holds the deposit: AGENCE, NOTAIRE or AUTRE")
	}
	if before.Holder == NoHolder && !c.Amount.Set {
		c.Amount = opt.Null[float64]()
	}
	money.SetAboveZero(f, "amount", &after.Amount, c.Amount)
	f.CalendarDay("due_date", &after.Due, c.DueDate)
	if f.CalendarDay("received_on", &after.Received, c.ReceivedOn); c.ReceivedOn.Given() && after.Received > r.Today() {
		f.Wrong("received_on", fault.CodeOutOfRange, c.ReceivedOn.Value, "received_on is in the future")
	}
	return after
}

func conditions(f form.Form, it Agreement, given opt.Field[[]SaleConditionInput]) Agreement {
	if given.Null {
		it.Conditions = nil
	}
	named := map[int64]bool{}
	for n, c := range given.Value {
		at := f.In("conditions[%d]", n)
		if !c.ID.Given() {
			it.LastCondition++
			it.Conditions = append(it.Conditions, c.condition(at, Condition{ID: it.LastCondition, Status: ConditionWaits}))
			continue
		}
		known := slices.IndexFunc(it.Conditions, func(old Condition) bool { return int64(old.ID) == c.ID.Value })
		switch {
		case !form.Once(at, "id", c.ID.Value, named):
		case known < 0:
			at.Rules().Wrong("id", fault.CodeOutOfRange, c.ID.Value, "the agreement has no condition with this id")
		case c.Delete.Or(false):
			it.Conditions = slices.Delete(it.Conditions, known, known+1)
		default:
			it.Conditions[known] = c.condition(at, it.Conditions[known])
		}
	}
	f.Few("conditions", len(it.Conditions), MaxConditions)
	return it
}

func (c SaleConditionInput) condition(f form.Form, it Condition) Condition {
	if form.OneOf(f, "type", &it.Type, c.Type, ConditionTypes()); it.Type == "" && c.Type.Or("") == "" {
		f.Wrong("type", fault.CodeRequired, nil, "type is required")
	}
	f.Text("label", &it.Label, c.Label, form.MaxName)
	f.CalendarDay("due_date", &it.Due, c.DueDate)
	money.Set(f, "amount", &it.Amount, c.Amount)
	f.MaybePercent("rate_max", &it.RateMax, c.RateMax)
	f.MaybeBetween("months", &it.Months, c.Months, 1, maxMonths)
	return it
}

func commissions(f form.Form, before []Commission, given opt.Field[[]CommissionInput]) []Commission {
	if !given.Set || !f.Few("commissions", len(given.Value), MaxCommissions) {
		return before
	}
	var all []Commission
	total := money.Percent(0)
	for n, c := range given.Value {
		made := c.commission(f.In("commissions[%d]", n))
		total += made.Percent
		all = append(all, made)
	}
	if total > money.Whole {
		f.Wrong("commissions", fault.CodeOutOfRange, total.Float(), "commissions are at most 100 percent together")
	}
	return all
}

func (c CommissionInput) commission(f form.Form) (made Commission) {
	if f.Code("role", &made.Role, c.Role, Roles()); c.Role.Or("") == "" {
		f.Wrong("role", fault.CodeRequired, nil, "role is required")
	}
	percent, exact := c.Percent.Or(0), false
	if percent > 0 && percent <= money.Whole.Float() {
		made.Percent, exact = money.PercentOf(percent)
	}
	switch {
	case !c.Percent.Given():
		f.Wrong("percent", fault.CodeRequired, nil, "percent is required")
	case !exact:
		f.Wrong("percent", fault.CodeOutOfRange, percent, "percent is above 0, at most 100, with at most 2 decimals")
	}
	form.ID(f, "agency_id", &made.Agency, c.AgencyID)
	form.ID(f, "user_id", &made.User, c.UserID)
	f.Text("party_name", &made.Party, c.PartyName, form.MaxName)
	whose := 0
	for _, named := range []bool{c.AgencyID.Given(), c.UserID.Given(), c.PartyName.Or("") != ""} {
		if named {
			whose++
		}
	}
	if whose != 1 {
		f.Wrong("agency_id", fault.CodeExactlyOneOf, nil, "a commission names exactly one of agency_id, user_id and party_name")
	}
	return made
}

// dwellings are the codes of TypeBien whose buyers may withdraw (CCH L271-1).
var dwellings = []string{"Appartement", "Maison", "Villa", "Studio", "Loft", "Duplex", "Chalet"}

// IsDwelling reports whether people live in property of a type, a code of
// TypeBien.
func IsDwelling(propertyType string) bool { return slices.Contains(dwellings, propertyType) }

// MayWithdraw reports whether buyers of a property have the right of withdrawal:
// it is a dwelling, and one of them is no company.
func MayWithdraw(propertyType string, buyers []customer.Customer) bool {
	return IsDwelling(propertyType) && len(Consumers(buyers)) > 0
}

// Consumers returns the buyers without a company.
func Consumers(buyers []customer.Customer) []customer.ID {
	var consumers []customer.ID
	for _, c := range buyers {
		if c.Company == "" {
			consumers = append(consumers, c.ID)
		}
	}
	return consumers
}

// CheckDeletable is a Conflict unless an agreement is a draft.
func CheckDeletable(a Agreement) error {
	if a.Status == Draft {
		return nil
	}
	return transition.Refused(a.Status, "only drafts can be deleted")
}
