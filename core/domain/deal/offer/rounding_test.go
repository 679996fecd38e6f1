package offer

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// TestMoneyIsRoundedInOneWay: a price, an amount of a request and that of an offer are
// the same cents, those of the decimals that were written with a half upwards.
func TestMoneyIsRoundedInOneWay(t *testing.T) {
	price := criteria.Definition{ID: 6, Key: criteria.KeyPrice, Type: criteria.NUMBER, Active: true}
	check := func(t interface{ Fatalf(string, ...any) }, written string) {
		number, err := strconv.ParseFloat(written, 64)
		if err != nil {
			t.Fatalf("%v", err)
		}
		exact, _ := new(big.Rat).SetString(written)
		want, _ := strconv.ParseFloat(exact.FloatString(2), 64) // halves away from zero
		value, detail := price.Parse(criteria.Raw{V: criteria.Literal(written)}, criteria.Reading{})
		if detail != nil || value != criteria.Number(want) {
			t.Fatalf("%s as a price is %v (%v), not %v", written, value, detail, want)
		}
		var amount *float64
		var problems fault.Problems
		form.Form{Problems: &problems}.Amount("amount", &amount, opt.Of(number))
		if *amount != want || criteria.Cents(number) != want || money.Of(number).Float() != want {
			t.Fatalf("%s is %v, %v and %v, not %v", written, *amount, criteria.Cents(number), money.Of(number).Float(), want)
		}
	}
	for _, written := range []string{"250000.125", "250000.135", "1.005", "2.675", "0.285", "0.005", "0.004", "0.0049999", "1e-7", "8.345", "1234567.895", "99999999999.995"} {
		check(t, written)
	}
	rapid.Check(t, func(t *rapid.T) {
		// Up to 15 digits a double stands for the decimals that were written.
		thousandths := rapid.Int64Range(0, 1e14).Draw(t, "thousandths")
		check(t, strconv.FormatInt(thousandths/1000, 10)+"."+strconv.FormatInt(1000+thousandths%1000, 10)[1:])
	})
	for _, n := range []float64{math.Inf(1), math.Inf(-1)} {
		if criteria.Cents(n) != n {
			t.Errorf("%v is %v", n, criteria.Cents(n))
		}
	}
	if !math.IsNaN(criteria.Cents(math.NaN())) {
		t.Error("what is no number is one")
	}
}
