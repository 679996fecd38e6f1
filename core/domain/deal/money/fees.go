package money

import (
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// Payer says who owes the fees of an agency.
type Payer string

// The payers, as codes of the criterion ChargeHonoraires.
const (
	BuyerPays  Payer = "ACQUEREUR"
	SellerPays Payer = "VENDEUR"
	BothPay    Payer = "PARTAGE"
)

// Fees are what an agency gets for a sale. The zero Fees are none that are known.
type Fees struct {
	Amount Amount
	// Payer is empty where the fees are not known.
	Payer Payer
	// Buyers is the part that buyers owe when BothPay.
	Buyers Amount
	// VATRate is in percent.
	VATRate float64
}

// Known reports whether there is an amount.
func (f Fees) Known() bool { return f.Payer != "" }

// Split is a price with fees in its parts. Fees are part of the price, whoever
// owes them (arrêté du 10 janvier 2017).
type Split struct {
	// NetSeller is what is left for the sellers, ExcludingFees what the price is
	// without what buyers owe.
	NetSeller, ExcludingFees Amount
	// FeesExclVAT and FeesVAT are the fees.
	FeesExclVAT, FeesVAT Amount
}

// Of splits a price; false where the fees are not known.
func (f Fees) Of(price Amount) (Split, bool) {
	if !f.Known() {
		return Split{}, false
	}
	s := Split{NetSeller: price - f.Amount, ExcludingFees: price}
	switch f.Payer {
	case BuyerPays:
		s.ExcludingFees -= f.Amount
	case BothPay:
		s.ExcludingFees -= f.Buyers
	case SellerPays:
	}
	s.FeesExclVAT, s.FeesVAT = VAT(f.Amount, f.VATRate)
	return s, true
}

// FeesInput is what a request wants of fees.
type FeesInput struct {
	Amount  opt.Field[float64] `json:"fees_amount" doc:"VAT included; comes with fees_payer"`
	Payer   opt.Field[string]  `json:"fees_payer" enum:"ACQUEREUR,VENDEUR,PARTAGE"`
	Buyers  opt.Field[float64] `json:"fees_buyer_amount" doc:"what buyers owe; with PARTAGE, and only then"`
	VATRate opt.Field[float64] `json:"vat_rate" minimum:"0" maximum:"100" doc:"percent; by default that of where the property is"`
}

// Fees applies a request to fees, and reports everything wrong with what comes
// out. usual is the rate of VAT where nobody chose one.
func (in FeesInput) Fees(before Fees, usual float64, f form.Form) Fees {
	after, amount, buyers := before, optional(before.Amount, before.Known()), optional(before.Buyers, before.Payer == BothPay)
	Set(f, "fees_amount", &amount, in.Amount)
	Set(f, "fees_buyer_amount", &buyers, in.Buyers)
	form.OneOf(f, "fees_payer", &after.Payer, in.Payer, []Payer{BuyerPays, SellerPays, BothPay})
	SetRate(f, &after.VATRate, in.VATRate, usual)
	f = f.Rules()
	switch {
	case amount == nil && after.Known():
		f.Wrong("fees_amount", fault.CodeRequired, nil, "fees_payer comes with fees_amount")
	case amount != nil && !after.Known() && in.Payer.Or("") == "":
		f.Wrong("fees_payer", fault.CodeRequired, nil, "fees_amount comes with fees_payer")
	case buyers == nil && after.Payer == BothPay:
		f.Wrong("fees_buyer_amount", fault.CodeRequired, nil, "fees that both pay come with fees_buyer_amount")
	case buyers != nil && after.Payer != BothPay && in.Buyers.Given():
		f.Wrong("fees_buyer_amount", fault.CodeAmbiguousField, nil, "fees_buyer_amount is for fees that both pay")
	case buyers != nil && after.Payer == BothPay && amount != nil && *buyers >= *amount:
		f.Wrong("fees_buyer_amount", fault.CodeAmountsDisagree, buyers.Float(), "what buyers owe is less than fees_amount")
	}
	after.Amount, after.Buyers = value(amount), value(buyers)
	if after.Payer != BothPay {
		after.Buyers = 0
	}
	return after
}

// CheckPrice reports fees above the price they are part of.
func (f Fees) CheckPrice(price Amount, at form.Form) {
	if f.Amount > price {
		at.Wrong("fees_amount", fault.CodeAmountsDisagree, f.Amount.Float(), "the fees are part of the price, and above it")
	}
}

func optional(a Amount, known bool) *Amount {
	if !known {
		return nil
	}
	return &a
}

func value(a *Amount) Amount {
	if a == nil {
		return 0
	}
	return *a
}

// Set sets an amount from 0 to Max, or nil.
func Set(f form.Form, field string, target **Amount, given opt.Field[float64]) {
	switch {
	case given.Null:
		*target = nil
	case given.Set && (given.Value < 0 || given.Value > Max.Float()):
		f.Wrong(field, fault.CodeOutOfRange, given.Value, "%s is an amount from 0 to %.0f", field, Max.Float())
	case given.Set:
		amount := Of(given.Value)
		*target = &amount
	}
}

// SetRate sets a vat_rate in percent; null makes it the usual one.
func SetRate(f form.Form, target *float64, given opt.Field[float64], usual float64) {
	if given.Null {
		*target = usual
	}
	f.Percent("vat_rate", target, given)
}

// SetAboveZero sets an amount above 0 to Max, and reports one that is cleared.
func SetAboveZero(f form.Form, field string, target *Amount, given opt.Field[float64]) {
	var amount *Amount
	switch {
	case !given.Set:
		return
	case given.Null:
		f.Wrong(field, fault.CodeRequired, nil, "%s is required", field)
		return
	}
	if Set(f, field, &amount, given); amount == nil {
		return
	}
	if *amount == 0 {
		f.Wrong(field, fault.CodeOutOfRange, given.Value, "%s is above 0", field)
		return
	}
	*target = *amount
}

// VATRateOf returns the usual rate where a property is, by its country (ISO 3166) and
// postal code: 0 where French VAT is not levied (CGI art. 278, 294, 296; Monaco by
// its convention).
func VATRateOf(country, postalCode string) float64 {
	switch country {
	case "GP", "MQ", "RE":
		return 8.5
	case "", "FR", "MC":
	default:
		return 0
	}
	if len(postalCode) != 5 {
		return 20
	}
	if postalCode == "97133" || postalCode == "97150" {
		return 0 // Saint-Barthélemy and Saint-Martin
	}
	switch postalCode[:3] {
	case "971", "972", "974":
		return 8.5
	case "973", "975", "976", "977", "978", "984", "986", "987", "988", "989":
		return 0
	}
	return 20
}
