package money

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
)

// amountCase is a case of which the source says what comes out.
type amountCase struct {
	ID, Kind string
	Input    struct {
		Rent, Value    float64
		ReferenceValue float64 `json:"reference_value"`
		Zone           Zone
		Surface        float64
		Date           calendar.Day
		FeesAmount     float64 `json:"fees_amount"`
		VATRate        float64 `json:"vat_rate"`
		FeesExclVAT    float64 `json:"fees_excl_vat"`
		Percents       []float64
	}
	Expected map[string]any
	Source   string
}

func (c amountCase) result() map[string]any {
	in := c.Input
	switch c.Kind {
	case "REVISION":
		return map[string]any{"rent": Revised(Of(in.Rent), in.Value, in.ReferenceValue).Float()}
	case "FEES_CAP":
		caps := FrenchFeeCaps().At(in.Date)
		return map[string]any{
			"fees_tenant_max":           caps.Fees[in.Zone].PerSquareMetre(in.Surface).Float(),
			"fees_inventory_tenant_max": caps.Inventory.PerSquareMetre(in.Surface).Float(),
		}
	case "VAT":
		without, vat := VAT(Of(in.FeesAmount), in.VATRate)
		return map[string]any{"fees_excl_vat": without.Float(), "fees_vat": vat.Float()}
	case "COMMISSIONS":
		var percents []Percent
		for _, number := range in.Percents {
			p, _ := PercentOf(number)
			percents = append(percents, p)
		}
		amounts := []any{}
		for _, share := range Shares(Of(in.FeesExclVAT), percents) {
			amounts = append(amounts, share.Float())
		}
		return map[string]any{"amounts": amounts}
	}
	return nil
}

func TestAmountsAreThoseOfTheSources(t *testing.T) {
	text, err := os.ReadFile("testdata/amounts.json")
	var all struct{ Cases []amountCase }
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil || len(all.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(all.Cases), err)
	}
	for _, c := range all.Cases {
		got, err := json.Marshal(c.result())
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := json.Marshal(c.Expected); string(got) != string(want) {
			t.Errorf("%s: %s %+v is %s, want %s (%s)", c.ID, c.Kind, c.Input, got, want, c.Source)
		}
	}
}

func amounts() *rapid.Generator[Amount] {
	return rapid.Map(rapid.Int64Range(0, int64(Max)), func(n int64) Amount { return Amount(n) })
}

func TestAnAmountIsTheNumberThatStandsForIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := amounts().Draw(t, "amount")
		if got := Of(a.Float()); got != a {
			t.Fatalf("%d cents are %v, and those %d cents", a, a.Float(), got)
		}
	})
	for number, want := range map[float64]Amount{0: 0, 0.005: 1, 0.0049: 0, 1.005: 101, 2.675: 268, 450000.55: 45000055, 1e12: Max} {
		if got := Of(number); got != want {
			t.Errorf("%v is %d cents, want %d", number, got, want)
		}
	}
}

func TestFeesAndTheirVATAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fees, rate := amounts().Draw(t, "fees"), float64(rapid.IntRange(0, 1000).Draw(t, "rate"))/10
		without, vat := VAT(fees, rate)
		if without+vat != fees || without < 0 || vat < 0 {
			t.Fatalf("%d at %v percent is %d and %d", fees, rate, without, vat)
		}
		// What is without VAT is within half a cent of the exact share.
		exact := new(big.Rat).Quo(times(fees.exact(), hundred), new(big.Rat).Add(hundred, decimal(rate)))
		if off := new(big.Rat).Sub(without.exact(), exact); off.Abs(off).Cmp(big.NewRat(1, 2)) > 0 {
			t.Fatalf("%d at %v percent is %d without VAT", fees, rate, without)
		}
	})
}

func TestSharesOfTheWholeAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := amounts().Draw(t, "sum")
		cuts := rapid.SliceOfN(rapid.IntRange(0, int(Whole)), 0, 19).Draw(t, "cuts")
		slices.Sort(cuts)
		var percents []Percent
		from := 0
		for _, cut := range append(cuts, int(Whole)) {
			percents = append(percents, Percent(cut-from))
			from = cut
		}
		var sum Amount
		for n, share := range Shares(of, percents) {
			sum += share
			exact := float64(of) * float64(percents[n]) / float64(Whole)
			if math.Abs(float64(share)-exact) > 1+exact*1e-12 {
				t.Fatalf("%d hundredths of a percent of %d are %d", percents[n], of, share)
			}
		}
		if sum != of {
			t.Fatalf("the shares %v of %d add up to %d", percents, of, sum)
		}
	})
}

func TestAShareOfLessThanTheWholeIsRoundedHalfUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of, p := amounts().Draw(t, "sum"), Percent(rapid.IntRange(1, int(Whole)-1).Draw(t, "percent"))
		want := halfUp(times(of.exact(), big.NewRat(int64(p), int64(Whole))))
		if got := Shares(of, []Percent{p}); got[0] != want {
			t.Fatalf("%d hundredths of a percent of %d are %d, want %d", p, of, got[0], want)
		}
	})
}

func TestPercentsHaveTwoDecimals(t *testing.T) {
	for number, want := range map[float64]Percent{33.33: 33_33, 0.01: 1, 100: Whole, 12.5: 12_50} {
		if got, ok := PercentOf(number); got != want || !ok || got.Float() != number {
			t.Errorf("%v percent are %d, %v", number, got, ok)
		}
	}
	if _, ok := PercentOf(33.333); ok {
		t.Error("a third decimal is taken")
	}
}

func TestTheCapsOfADayAreTheLatestThatHadBegun(t *testing.T) {
	caps := FrenchFeeCaps()
	for n, c := range caps {
		if got := caps.At(c.From); got.From != c.From {
			t.Errorf("on %v the caps of %v hold", c.From, got.From)
		}
		if got := caps.At(c.From - 1); n > 0 && got.From != caps[n-1].From || n == 0 && got.From != c.From {
			t.Errorf("the day before %v the caps of %v hold", c.From, got.From)
		}
	}
}
