package wire

import (
	"strings"
	"testing"
	"time"
)

func TestClocksThatAreApartAreToldOf(t *testing.T) {
	before := time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)
	after := before.Add(2 * time.Second) // a slow answer is no wrong clock
	for said, want := range map[time.Duration]string{
		0: "agree", 2 * time.Second: "agree", time.Second: "agree", -3 * time.Second: "agree", 5 * time.Second: "agree",
		-4 * time.Second: "is 4s behind", 6 * time.Second: "is 4s ahead", time.Hour: "is 59m58s ahead", -24 * time.Hour: "is 24h0m0s behind",
	} {
		r := &report{}
		r.compare(before.Add(said), before, after)
		if len(r.found) != 1 || !strings.Contains(r.found[0].Text, want) || (r.found[0].Grade == Good) != (want == "agree") {
			t.Errorf("%s: %+v, want %s", said, r.found, want)
		}
	}
	r := &report{}
	r.compare(before.In(time.FixedZone("", 3*3600)), before, after)
	if r.found[0].Grade != Good {
		t.Error("a server in another zone has another clock")
	}
}
