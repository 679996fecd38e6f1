package requests

import (
	"net/url"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/chart"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// LastHour reads what was asked in the last hour.
func LastHour(v *kit.Request) (Traffic, error) {
	wanted := countsOf(chart.LastHour(), v.Time)
	var series []trace.Series
	var names []trace.Readiness
	err := v.EachSite(func(on *kit.Request, _ kernel.Caller) error {
		counted, err := v.Backoffice.CountRequests(v.Ctx, v.Actor, kit.At(on, wanted))
		if err != nil {
			return err
		}
		used, err := v.Backoffice.ListReadiness(v.Ctx, v.Actor, kit.At(on, kernel.Nothing{}))
		series, names = append(series, counted...), append(names, used...)
		return err
	})
	t := sumTraffic(series, names, wanted.From)
	for i := range t.Bars {
		at, b := wanted.From.Add(time.Duration(i)*time.Minute), &t.Bars[i]
		b.Title = v.Say("%s: %s answered, %s refused", at.Format("15:04"), v.Count(b.Lower), v.Count(b.Upper))
		b.Href = trafficQuery{}.list(v, at, at.Add(time.Minute))
	}
	return t, err
}

// count counts the requests of the sites that the page is about.
func count(v *kit.Request, wanted backoffice.CountRequests) ([]trace.Series, error) {
	var all []trace.Series
	err := v.EachSite(func(on *kit.Request, _ kernel.Caller) error {
		series, err := v.Backoffice.CountRequests(v.Ctx, v.Actor, kit.At(on, wanted))
		all = append(all, series...)
		return err
	})
	return all, err
}

// AskedLately returns what each client asked in the last hour of the sites that the page is about; nothing
// where no requests are kept.
func AskedLately(v *kit.Request) (map[access.CredentialID]*ClientTraffic, error) {
	if v.Siteless() != nil && !v.All || !v.Site.Requests.Kept() {
		return nil, nil
	}
	t, err := LastHour(v)
	return t.Clients, err
}

// Traffic is what series of requests come to.
type Traffic struct {
	All                 trace.Tally
	Refused, Deprecated int64
	Bars                []chart.Bar
	Clients             map[access.CredentialID]*ClientTraffic
}

// ClientTraffic is how much a client asked; the empty one is nobody who was known.
type ClientTraffic struct {
	ID                access.CredentialID
	Answered, Refused int64
	// Deprecated is how often it used deprecated names, in 90 days.
	Deprecated int64
	// last is the last minute in which it was answered.
	last time.Time
}

func sumTraffic(series []trace.Series, names []trace.Readiness, from time.Time) Traffic {
	t := Traffic{Clients: map[access.CredentialID]*ClientTraffic{}}
	for _, s := range series {
		t.add(s, from)
	}
	for _, r := range names {
		t.client(r.Credential).Deprecated += r.N
		t.Deprecated += r.N
	}
	return t
}

// client returns the traffic of a client.
func (t *Traffic) client(id access.CredentialID) *ClientTraffic {
	if t.Clients[id] == nil {
		t.Clients[id] = &ClientTraffic{ID: id}
	}
	return t.Clients[id]
}

// add counts a series in.
func (t *Traffic) add(s trace.Series, from time.Time) {
	if t.Bars == nil {
		t.Bars = make([]chart.Bar, len(s.Tallies))
	}
	sum, by, refused := s.Sum(), t.client(s.Credential), s.Class > 3
	t.All = t.All.Plus(sum)
	for i, tally := range s.Tallies {
		at := from.Add(time.Duration(i) * time.Minute)
		if tally.N > 0 && !refused && at.After(by.last) {
			by.last = at
		}
		if refused {
			t.Bars[i].Upper += tally.N
		} else {
			t.Bars[i].Lower += tally.N
		}
	}
	if refused {
		t.Refused, by.Refused = t.Refused+sum.N, by.Refused+sum.N
	} else {
		by.Answered += sum.N
	}
}

// Figures returns the numbers of the traffic.
func (t Traffic) Figures(l kit.Language) []kit.Figure {
	took := "–"
	if t.All.N > 0 {
		took = l.Milliseconds(t.All.Quantile(.99))
	}
	return []kit.Figure{
		{Label: "Requests", Value: l.Count(t.All.N), Unit: "in the last hour"},
		{Label: "Refused", Value: l.Percent(t.Refused, t.All.N), Unit: "%"},
		{Label: "Answer time, p99", Value: took, Unit: "ms"},
	}
}

// FailingSignIns returns the clients that fail to sign in, by their ids; t is the traffic of the
// last hour.
func FailingSignIns(v *kit.Request, t Traffic) ([]trace.FailedSignIns, error) {
	wanted := countsOf(chart.LastHour(), v.Time)
	series, err := v.Backoffice.CountSignIns(v.Ctx, v.Actor, kit.At(v, wanted))
	if err != nil {
		return nil, err
	}
	answered := map[access.CredentialID]time.Time{}
	for id, by := range t.Clients {
		answered[id] = by.last
	}
	var counts []trace.Count
	for _, s := range series {
		for i, tally := range s.Tallies {
			counts = append(counts, trace.Count{Kind: s.Kind, Start: wanted.From.Add(time.Duration(i) * time.Minute), Tally: tally})
		}
	}
	return trace.FailingSignIns(counts, answered), nil
}

// FailedSignIns returns the address of the failed sign-ins of a client.
func FailedSignIns(v *kit.Request, id access.CredentialID) string {
	which := signIns
	if id == access.UnknownClient {
		which = siteless
	}
	return v.Link("requests") + "?" + url.Values{"which": {which}, "credential": {string(id)}}.Encode()
}

// By returns the address of the requests of a client.
func By(v *kit.Request, id access.CredentialID) string {
	to := v.Link("requests")
	if id != "" {
		to += "?" + url.Values{"credential": {string(id)}}.Encode()
	}
	return to
}
