package dealrecords

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// SaleOffer is an offer to buy a product ("offre d'achat").
type SaleOffer struct {
	ID        int64   `json:"id"`
	Number    string  `json:"number" doc:"that of the agency, -O and a number without gaps"`
	Status    string  `json:"status"`
	ProductID *int64  `json:"product_id" ref:"product"`
	AgencyID  int64   `json:"agency_id"`
	UserID    *int64  `json:"user_id"`
	Buyers    []int64 `json:"buyers" ref:"customer" doc:"customers"`
	Sellers   []int64 `json:"sellers" ref:"customer" doc:"customers"`
	SearchID  *int64  `json:"search_id" ref:"search"`
	Amount    float64 `json:"amount" doc:"what the buyers would pay, fees included"`
	Fees
	DateOffer          string          `json:"date_offer" format:"date"`
	ExpiresAt          *kernel.Instant `json:"expires_at"`
	CounterAmount      *float64        `json:"counter_amount"`
	AgreedAmount       *float64        `json:"agreed_amount"`
	Financing          *OfferFinancing `json:"financing"`
	Conditions         []string        `json:"conditions"`
	RefusalReason      *string         `json:"refusal_reason" doc:"code of list 15"`
	CancellationReason *string         `json:"cancellation_reason" doc:"code of list 17"`
	Comment            *string         `json:"comment"`
	Negotiation        []Negotiation   `json:"negotiation" doc:"what was done, the oldest first"`
	SaleAgreementID    *int64          `json:"sale_agreement_id" doc:"the latest agreement made from it"`
	DateAdded          kernel.Instant  `json:"date_added"`
	LastModified       kernel.Instant  `json:"last_modified"`

	Version kernel.Version `json:"-" header:"ETag"`
}

// Fees are what the agency gets, and what follows from them for the price.
type Fees struct {
	FeesAmount         *float64 `json:"fees_amount" doc:"VAT included"`
	FeesPayer          *string  `json:"fees_payer" enum:"ACQUEREUR,VENDEUR,PARTAGE"`
	FeesBuyerAmount    *float64 `json:"fees_buyer_amount" doc:"what the buyers owe of the fees that both pay"`
	VATRate            float64  `json:"vat_rate" doc:"percent"`
	NetSeller          *float64 `json:"net_seller" doc:"null without fees"`
	PriceExcludingFees *float64 `json:"price_excluding_fees" doc:"the price without what the buyers owe of the fees; null without fees"`
	FeesExclVAT        *float64 `json:"fees_excl_vat" doc:"null without fees"`
	FeesVAT            *float64 `json:"fees_vat" doc:"null without fees"`
}

// OfferFinancing is how buyers would pay.
type OfferFinancing struct {
	Contribution *float64 `json:"contribution"`
	LoanAmount   *float64 `json:"loan_amount"`
	LoanRateMax  *float64 `json:"loan_rate_max" doc:"percent"`
	LoanMonths   *int     `json:"loan_months"`
	WithoutLoan  bool     `json:"without_loan"`
}

// Negotiation is something that was done with an offer.
type Negotiation struct {
	At     kernel.Instant `json:"at"`
	Kind   string         `json:"kind" enum:"ENVOI,CONTRE,ACCEPTATION,REFUS,RETRAIT,EXPIRATION,ANNULATION"`
	By     *string        `json:"by" enum:"ACQUEREUR,VENDEUR"`
	Amount *float64       `json:"amount"`
	UserID *int64         `json:"user_id"`
}

// OfOffer returns the record of an offer at a moment.
func OfOffer(o offer.Offer, now time.Time) SaleOffer {
	o = o.At(now)
	record := SaleOffer{
		ID: int64(o.ID), Number: o.Number, Status: string(o.Status), ProductID: kernel.Nullable(int64(o.Product)), AgencyID: int64(o.Agency),
		UserID: kernel.Nullable(int64(o.User)), Buyers: ids(o.Buyers), Sellers: ids(o.Sellers), SearchID: kernel.Nullable(int64(o.Search)),
		Amount: o.Amount.Float(), Fees: feesOf(o.Fees, o.Price()), DateOffer: o.Date.String(), ExpiresAt: kernel.When(o.Expires),
		CounterAmount: known(o.Counter), AgreedAmount: known(o.Agreed), Conditions: kernel.List(o.Conditions),
		RefusalReason: kernel.Nullable(o.RefusalReason), CancellationReason: kernel.Nullable(o.CancellationReason), Comment: kernel.Nullable(o.Comment),
		Negotiation: []Negotiation{}, SaleAgreementID: kernel.Nullable(int64(o.Agreement)),
		DateAdded: kernel.Instant{Time: o.Added}, LastModified: kernel.Instant{Time: o.Modified}, Version: kernel.Version(o.Version),
	}
	if f := o.Financing; f.Given {
		record.Financing = &OfferFinancing{optional(f.Contribution), optional(f.Loan), f.LoanRateMax, f.LoanMonths, f.WithoutLoan}
	}
	for _, step := range o.Negotiation {
		record.Negotiation = append(record.Negotiation, Negotiation{
			At: kernel.Instant{Time: step.At}, Kind: string(step.Kind), By: kernel.Nullable(string(step.By)), Amount: known(step.Amount),
			UserID: kernel.Nullable(int64(step.User)),
		})
	}
	return record
}

func feesOf(f money.Fees, price money.Amount) Fees {
	record := Fees{FeesPayer: kernel.Nullable(string(f.Payer)), VATRate: f.VATRate}
	split, known := f.Of(price)
	if !known {
		return record
	}
	record.FeesAmount, record.NetSeller, record.PriceExcludingFees = amount(f.Amount), amount(split.NetSeller), amount(split.ExcludingFees)
	record.FeesExclVAT, record.FeesVAT = amount(split.FeesExclVAT), amount(split.FeesVAT)
	if f.Payer == money.BothPay {
		record.FeesBuyerAmount = amount(f.Buyers)
	}
	return record
}

func amount(a money.Amount) *float64 {
	number := a.Float()
	return &number
}

// known returns an amount, or null for 0.
func known(a money.Amount) *float64 {
	if a == 0 {
		return nil
	}
	return amount(a)
}

func optional(a *money.Amount) *float64 {
	if a == nil {
		return nil
	}
	return amount(*a)
}

// day returns a day of the calendar, or null for none.
func day(d calendar.Day) *string { return kernel.Nullable(d.String()) }

func ids(customers []customer.ID) []int64 {
	out := make([]int64, len(customers))
	for i, id := range customers {
		out[i] = int64(id)
	}
	return out
}
