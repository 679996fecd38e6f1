package criteria_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func TestK15_AlentourIsLatitudeAndLongitude(t *testing.T) {
	for text, want := range map[string]string{
		"48.8566,2.3522":           "48.856600,2.352200",
		" 48.8566 , 2.3522 ":       "48.856600,2.352200",
		"48.8566,\t2.3522":         "48.856600,2.352200",
		"+48.8566,-2.3522":         "48.856600,-2.352200",
		"-21.1,+55.5":              "-21.100000,55.500000",
		"48,2":                     "48.000000,2.000000",
		"90,180":                   "90.000000,180.000000",
		"-90.00000000,-180.000000": "-90.000000,-180.000000",
		"0,2.3522":                 "0.000000,2.352200",
		"-0.0,2.3522":              "0.000000,2.352200",
		"48.12345678,2.87654321":   "48.123457,2.876543",
		"48.1234564,2.1234566":     "48.123456,2.123457",
		"-0.0000004,2":             "0.000000,2.000000",
		"89.99999999,179.99999999": "90.000000,180.000000",
		"007.5,1.50":               "7.500000,1.500000",
	} {
		if got := accepted(t, position, text); got != criteria.Text(want) {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
	for _, text := range []string{
		"48.8566", "48.8566,", ",2.3522", ",", "48.8566 2.3522", "48.8566;2.3522", "48.8566,2.3522,", "48.8566,2.3522,10",
		"90.1,2", "-91,2", "48,180.5", "48,-181", "90.0000001,2", "-90.00000001,2", "48,180.00000001", "48,-180.0000004",
		"48.123456789,2", "48.,2", ".5,2", "4 8,2", "48.8566N,2.3522E", "48°51,2°21", "1e1,2", "0x1,2", "NaN,2", "Inf,2", "--1,2", "+-1,2",
		"٤٨,٢", "1000,2", "48.8566,2.3522x", "Paris",
	} {
		refused(t, position, text, fault.CodeInvalidCoordinates)
	}
	for _, v := range []any{number("48.8"), list("48.8", "2.3"), true} {
		refused(t, position, v, fault.CodeInvalidCriteriaValue)
	}
}

func TestK16_ZeroZeroIsNoPosition(t *testing.T) {
	for _, text := range []string{"0,0", "0.0, 0.0", "-0,+0", "0.00000000,0.00000000", "0.0000004,-0.0000004"} {
		refused(t, position, text, fault.CodeInvalidCoordinates)
	}
	for _, text := range []string{"0,0.000001", "0.000001,0", "0,1", "1,0"} {
		accepted(t, position, text)
	}
}

func TestK17_FrenchDecimalsAreRefusedWithAHint(t *testing.T) {
	detail := refused(t, position, "48,8566,2,3522", fault.CodeInvalidCoordinates)
	if !strings.Contains(detail.Message.String(), "decimal commas") || !strings.Contains(detail.Message.String(), "48.8566,2.3522") {
		t.Errorf("the hint is %q", detail.Message)
	}
	if other := refused(t, position, "48,8566,2", fault.CodeInvalidCoordinates); strings.Contains(other.Message.String(), "commas") {
		t.Errorf("three parts are taken for four: %q", other.Message)
	}
}

func TestK18_EmptyAlentourIsNoPosition(t *testing.T) {
	if !raw("").Empty() || !raw(nil).Empty() {
		t.Error("an empty Alentour is a value")
	}
	if _, err := criteria.ParsePosition("f", ""); !errors.Is(err, fault.Invalid) {
		t.Errorf("an empty text is a position: %v", err)
	}
}

func TestPartsOfAPositionCanBeSearched(t *testing.T) {
	for _, text := range []string{"48.8", "48.856600,2.352200", "91,0"} {
		if got, detail := position.Parse(raw(text), asOperand); detail != nil || got != criteria.Text(text) {
			t.Errorf("%q is %v, %+v", text, got, detail)
		}
	}
}

func TestPositionFaultsNameTheirField(t *testing.T) {
	_, err := criteria.ParsePosition("criteria[2].value", "Paris")
	found := fault.From(err)
	if !errors.Is(err, fault.Invalid) || found.Code != fault.CodeInvalidCoordinates || len(found.Details) != 1 ||
		found.Details[0].Field != "criteria[2].value" || found.Details[0].Value != "Paris" {
		t.Errorf("%+v", found)
	}
}

func TestK15_PositionsAreRoundedToSixDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(limit int, label string) string {
			whole, decimals := rapid.IntRange(0, limit-1).Draw(t, label), rapid.StringMatching(`[0-9]{0,8}`).Draw(t, label+" decimals")
			sign := rapid.SampledFrom([]string{"", "-", "+"}).Draw(t, label+" sign")
			if decimals == "" {
				return fmt.Sprint(sign, whole)
			}
			return fmt.Sprint(sign, whole, ".", decimals)
		}
		latitude, longitude := text(90, "latitude"), text(180, "longitude")
		p, err := criteria.ParsePosition("", latitude+","+longitude)
		if err != nil {
			if math.Abs(value(latitude)) < 1e-6 && math.Abs(value(longitude)) < 1e-6 {
				t.Skip("0,0")
			}
			t.Fatal(err)
		}
		for given, got := range map[string]float64{latitude: p.Latitude, longitude: p.Longitude} {
			exact, _ := new(big.Rat).SetString(given)
			shown, _ := new(big.Rat).SetString(fmt.Sprintf("%.6f", got))
			if off := new(big.Rat).Sub(exact, shown); off.Abs(off).Cmp(big.NewRat(5, 10_000_000)) > 0 {
				t.Fatalf("%s is shown as %s", given, shown.FloatString(6))
			}
			if got == 0 && math.Signbit(got) {
				t.Fatalf("%s is a negative zero", given)
			}
		}
		if again, err := criteria.ParsePosition("", p.String()); err != nil || again != p {
			t.Fatalf("%s reads as %v, %v", p, again, err)
		}
	})
}

func value(text string) (f float64) {
	_, _ = fmt.Sscan(text, &f)
	return f
}
