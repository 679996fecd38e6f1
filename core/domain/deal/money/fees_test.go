package money

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

func TestAPriceIsTheSumOfItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := Amount(rapid.Int64Range(1, 1e10).Draw(t, "price"))
		fees := Fees{
			Amount:  Amount(rapid.Int64Range(0, int64(price)).Draw(t, "fees")),
			Payer:   rapid.SampledFrom([]Payer{BuyerPays, SellerPays, BothPay}).Draw(t, "payer"),
			VATRate: rapid.SampledFrom([]float64{0, 8.5, 20}).Draw(t, "rate"),
		}
		if fees.Payer == BothPay {
			fees.Buyers = Amount(rapid.Int64Range(0, int64(fees.Amount)).Draw(t, "buyers"))
		}
		s, known := fees.Of(price)
		if !known || s.NetSeller+fees.Amount != price || s.FeesExclVAT+s.FeesVAT != fees.Amount {
			t.Fatalf("%d with %+v is %+v", price, fees, s)
		}
		owed := map[Payer]Amount{BuyerPays: fees.Amount, SellerPays: 0, BothPay: fees.Buyers}[fees.Payer]
		if s.ExcludingFees != price-owed {
			t.Fatalf("%d without what buyers owe by %+v is %d", price, fees, s.ExcludingFees)
		}
	})
	if _, known := (Fees{VATRate: 20}).Of(100_00); known {
		t.Error("fees that nobody knows are computed")
	}
}

func TestFeesComeWhole(t *testing.T) {
	number, text, none := opt.Of[float64], opt.Of[string], opt.Null[float64]()
	both := Fees{Amount: 100_00, Payer: BothPay, Buyers: 40_00, VATRate: 20}
	for _, c := range []struct {
		name   string
		before Fees
		in     FeesInput
		want   Fees
		field  string
		code   fault.Code
	}{
		{name: "none", in: FeesInput{}, want: Fees{}},
		{name: "both", in: FeesInput{Amount: number(100), Payer: text("VENDEUR")}, want: Fees{Amount: 100_00, Payer: SellerPays}},
		{name: "an amount alone", in: FeesInput{Amount: number(100)}, field: "fees_payer", code: fault.CodeRequired},
		{name: "a payer alone", in: FeesInput{Payer: text("VENDEUR")}, field: "fees_amount", code: fault.CodeRequired},
		{name: "an unknown payer", in: FeesInput{Amount: number(1), Payer: text("X")}, field: "fees_payer", code: fault.CodeCriteriaValueUnknown},
		{name: "shared", in: FeesInput{Amount: number(100), Payer: text("PARTAGE"), Buyers: number(40)}, want: Fees{Amount: 100_00, Payer: BothPay, Buyers: 40_00}},
		{name: "shared by nobody", in: FeesInput{Amount: number(100), Payer: text("PARTAGE")}, field: "fees_buyer_amount", code: fault.CodeRequired},
		{name: "shared by one", in: FeesInput{Amount: number(100), Payer: text("PARTAGE"), Buyers: number(100)}, field: "fees_buyer_amount", code: fault.CodeAmountsDisagree},
		{name: "a part of what one pays", in: FeesInput{Amount: number(100), Payer: text("ACQUEREUR"), Buyers: number(40)}, field: "fees_buyer_amount", code: fault.CodeAmbiguousField},
		{name: "below zero", in: FeesInput{Amount: number(-1), Payer: text("ACQUEREUR")}, field: "fees_amount", code: fault.CodeOutOfRange},
		{name: "another payer", before: both, in: FeesInput{Payer: text("ACQUEREUR")}, want: Fees{Amount: 100_00, Payer: BuyerPays, VATRate: 20}},
		{name: "cleared", before: both, in: FeesInput{Amount: none, Payer: opt.Null[string](), Buyers: none}, want: Fees{VATRate: 20}},
		{name: "half cleared", before: both, in: FeesInput{Amount: none}, field: "fees_amount", code: fault.CodeRequired},
		{name: "a rate", before: both, in: FeesInput{VATRate: number(8.5)}, want: Fees{Amount: 100_00, Payer: BothPay, Buyers: 40_00, VATRate: 8.5}},
		{name: "the usual rate", before: Fees{VATRate: 5}, in: FeesInput{VATRate: none}, want: Fees{VATRate: 20}},
		{name: "a rate above all", in: FeesInput{VATRate: number(101)}, field: "vat_rate", code: fault.CodeOutOfRange},
	} {
		var problems fault.Problems
		got := c.in.Fees(c.before, 20, form.Form{Problems: &problems})
		known := fault.From(problems.Err())
		switch {
		case c.field == "" && !problems.Empty():
			t.Errorf("%s: %v", c.name, problems.Err())
		case c.field == "" && got != c.want:
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		case c.field != "" && (problems.Empty() || known.Details[0].Field != c.field || known.Details[0].Code != c.code):
			t.Errorf("%s is refused with %v, want %s of %s", c.name, problems.Err(), c.code, c.field)
		}
	}
}

func TestTheUsualRateFollowsFromThePlace(t *testing.T) {
	for code, want := range map[string]float64{
		"75001": 20, "20000": 20, "98000": 20, "97110": 8.5, "97200": 8.5, "97300": 0, "97400": 8.5, "97600": 0, "": 20, "971": 20,
		"97133": 0, "97150": 0, "97190": 8.5, "97500": 0, "97700": 0, "97800": 0, "98413": 0, "98600": 0, "98714": 0, "98800": 0,
	} {
		for _, country := range []string{"", "FR", "MC"} {
			if got := VATRateOf(country, code); got != want {
				t.Errorf("in %q of %q it is %v", code, country, got)
			}
		}
	}
	for country, want := range map[string]float64{"BE": 0, "CH": 0, "DE": 0, "GF": 0, "YT": 0, "BL": 0, "MF": 0, "NC": 0, "GP": 8.5, "MQ": 8.5, "RE": 8.5} {
		if got := VATRateOf(country, "10115"); got != want {
			t.Errorf("in %q it is %v", country, got)
		}
	}
}
