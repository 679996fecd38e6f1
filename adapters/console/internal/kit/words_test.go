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
		if got := ago(-d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if got := ago(47*time.Hour + 59*time.Minute); got != "47 h ago" {
		t.Errorf("what is past is told by what is full: %q", got)
	}
}
