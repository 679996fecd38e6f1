package kit

import (
	"testing"
	"time"
)

func TestWhatIsToComeIsToldToTheNearestUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{
		72*time.Hour - time.Second: "in 3 days", 60 * time.Hour: "in 3 days", 30*time.Minute - time.Millisecond: "in 30 min",
		59*time.Minute + 50*time.Second: "in 1 h", 1500 * time.Millisecond: "in 2 s",
	} {
		if got := (Language{}).ago(-d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if got := (Language{}).ago(47*time.Hour + 59*time.Minute); got != "47 h ago" {
		t.Errorf("what is past is told by what is full: %q", got)
	}
}

func TestAmountsAreWrittenForPeople(t *testing.T) {
	for n, want := range map[float64]string{
		1285000: "1,285,000 €", 12.3: "12.3 €", 148.9: "148.9 €", 34.29: "34.29 €", -0.5: "-0.5 €", -1200.25: "-1,200.25 €", 0: "0 €", 99.999: "100 €", 1.005: "1.01 €", 250_000.125: "250,000.13 €", 1e30: "1e+30 €",
	} {
		if got := (Language{}).Amount(&n, "€"); got != want {
			t.Errorf("%v is %q, want %q", n, got, want)
		}
	}
	if (Language{}).Amount(nil, "€") != "" {
		t.Error("what there is not has a text")
	}
}
