package kit

import "testing"

func TestAmountsAreWrittenForPeople(t *testing.T) {
	for n, want := range map[float64]string{
		1285000: "1,285,000 €", 12.3: "12.3 €", 148.9: "148.9 €", 34.29: "34.29 €", -0.5: "-0.5 €", -1200.25: "-1,200.25 €", 0: "0 €", 99.999: "100 €", 1.005: "1.01 €", 250_000.125: "250,000.13 €", 1e30: "1e+30 €",
	} {
		if got := Amount(&n, "€"); got != want {
			t.Errorf("%v is %q, want %q", n, got, want)
		}
	}
	if Amount(nil, "€") != "" {
		t.Error("what there is not has a text")
	}
}
