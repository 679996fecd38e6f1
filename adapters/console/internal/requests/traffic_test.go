package requests

import (
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// A client fails to sign in when it was not answered since, or again and again; one that refreshes
// a token that has expired does not.
func TestWhoFailsToSignIn(t *testing.T) {
	from := time.Date(2026, 9, 16, 12, 0, 0, 0, time.UTC)
	series := func(class int, minutes ...int) trace.Series {
		s := trace.Series{Kind: trace.Kind{Credential: "shop", Class: class}, Tallies: make([]trace.Tally, trafficMinutes)}
		for _, m := range minutes {
			s.Tallies[m].N++
		}
		return s
	}
	for name, c := range map[string]struct {
		at []trace.Series
		// answered is the minute in which a request to the site was answered last, or -1.
		answered    int
		n, sinceMin int
	}{
		"never":                    {nil, -1, 0, 0},
		"twice":                    {[]trace.Series{series(4, 2, 3)}, -1, 0, 0},
		"three times":              {[]trace.Series{series(4, 2, 3, 3)}, -1, 3, 2},
		"answered before":          {[]trace.Series{series(4, 5, 5, 6)}, 4, 3, 5},
		"answered since":           {[]trace.Series{series(4, 5, 5, 6)}, 7, 0, 0},
		"signed in since":          {[]trace.Series{series(4, 5, 5, 6), series(2, 8)}, -1, 0, 0},
		"again and again, of two":  {[]trace.Series{series(4, 1, 11, 21, 31, 41), series(2, 50)}, 59, 5, 1},
		"failed with what it sent": {[]trace.Series{series(5, 1, 1, 1, 1)}, -1, 0, 0},
	} {
		traffic := Traffic{Clients: map[access.CredentialID]*ClientTraffic{}}
		if c.answered >= 0 {
			traffic.client("shop").last = from.Add(time.Duration(c.answered) * time.Minute)
		}
		got := failingAmong(c.at, traffic, from)
		if c.n == 0 && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0].N != int64(c.n) || !got[0].Since.Equal(from.Add(time.Duration(c.sinceMin)*time.Minute)) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
