package console

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// trafficMinutes is how long back the overview looks at requests.
const trafficMinutes = 60

// addTraffic adds how many requests there were, how they were answered, and who asked.
// A server that keeps no requests shows none of it.
func (v *pageRequest) addTraffic(p *overviewPage) error {
	if !v.actor.May(operator.SeeRequests) || !v.Site.Requests.Kept() {
		return nil
	}
	t, err := v.traffic()
	if err != nil {
		return err
	}
	p.ShowsAskers, p.Period, p.Askers = true, "last hour", v.askers(t)
	p.Figures = slices.Concat(t.figures(), p.Figures, []figure{{
		Label: "Deprecated names", Value: count(t.deprecated), Unit: "in 90 days", Link: link(v.Prefix, "requests", "readiness"),
	}})
	if t.all.N > 0 {
		drawn := columns(t.bars, fmt.Sprintf("Requests of the last hour: %d answered, %d refused", t.all.N-t.refused, t.refused), "1 h ago", "now")
		p.Chart, p.ChartTitle = &drawn, "Requests, every minute"
	}
	p.Attention = append(p.Attention, v.failing(t)...)
	return nil
}

// traffic reads what was asked in the last hour.
func (v *pageRequest) traffic() (traffic, error) {
	from := v.now.Truncate(time.Minute).Add(-(trafficMinutes - 1) * time.Minute)
	series, err := v.Backoffice.CountRequests(v.ctx, v.actor, at(v, backoffice.CountRequests{From: from, Until: v.now.Add(time.Second), Step: time.Minute}))
	if err != nil {
		return traffic{}, err
	}
	names, err := v.Backoffice.ListReadiness(v.ctx, v.actor, at(v, kernel.Nothing{}))
	return sumTraffic(series, names, from), err
}

// askedLately returns what each client asked of the site in the last hour; nothing where no
// requests are kept.
func (v *pageRequest) askedLately() (map[access.CredentialID]*clientTraffic, error) {
	if v.site == 0 || !v.Site.Requests.Kept() {
		return nil, nil
	}
	t, err := v.traffic()
	return t.clients, err
}

// traffic is what series of requests come to.
type traffic struct {
	all                 trace.Tally
	refused, deprecated int64
	bars                []bar
	clients             map[access.CredentialID]*clientTraffic
}

// clientTraffic is how much a client asked; the empty one is nobody who was known.
type clientTraffic struct {
	id                access.CredentialID
	answered, refused int64
	// deprecated is how often it used deprecated names, in 90 days.
	deprecated int64
}

func sumTraffic(series []trace.Series, names []trace.Readiness, from time.Time) traffic {
	t := traffic{clients: map[access.CredentialID]*clientTraffic{}}
	for _, s := range series {
		t.add(s, from)
	}
	for _, r := range names {
		t.client(r.Credential).deprecated += r.N
		t.deprecated += r.N
	}
	return t
}

// client returns the traffic of a client.
func (t *traffic) client(id access.CredentialID) *clientTraffic {
	if t.clients[id] == nil {
		t.clients[id] = &clientTraffic{id: id}
	}
	return t.clients[id]
}

// add counts a series in.
func (t *traffic) add(s trace.Series, from time.Time) {
	if t.bars == nil {
		t.bars = make([]bar, len(s.Tallies))
	}
	sum, by, refused := s.Sum(), t.client(s.Credential), s.Class > 3
	t.all = t.all.Plus(sum)
	for i, tally := range s.Tallies {
		t.bars[i].At = from.Add(time.Duration(i) * time.Minute)
		if refused {
			t.bars[i].Refused += tally.N
		} else {
			t.bars[i].Answered += tally.N
		}
	}
	if refused {
		t.refused, by.refused = t.refused+sum.N, by.refused+sum.N
	} else {
		by.answered += sum.N
	}
}

// figures returns the numbers of the traffic.
func (t traffic) figures() []figure {
	took := "–"
	if t.all.N > 0 {
		took = milliseconds(t.all.Quantile(.99))
	}
	return []figure{
		{Label: "Requests", Value: count(t.all.N), Unit: "in the last hour"},
		{Label: "Refused", Value: percent(t.refused, t.all.N), Unit: "%"},
		{Label: "Answer time, p99", Value: took, Unit: "ms"},
	}
}

// askersOnOverview is how many clients the overview lists.
const askersOnOverview = 8

// askers lists the clients by how much they asked.
func (v *pageRequest) askers(t traffic) []asker {
	var clients []*clientTraffic
	for _, by := range t.clients {
		if by.answered+by.refused > 0 {
			clients = append(clients, by)
		}
	}
	slices.SortFunc(clients, func(a, b *clientTraffic) int {
		return cmp.Or(cmp.Compare(b.answered+b.refused, a.answered+a.refused), cmp.Compare(a.id, b.id))
	})
	var list []asker
	for _, by := range clients[:min(askersOnOverview, len(clients))] {
		all := by.answered + by.refused
		a := asker{
			Name: string(by.id), Href: v.requestsBy(by.id), Requests: count(all), Word: plural(int(all), "request", "requests"),
			Refused: unlessZero(by.refused), Deprecated: unlessZero(by.deprecated),
		}
		if by.id == "" {
			a.Name = "nobody known"
		}
		list = append(list, a)
	}
	return list
}

// requestsBy returns the address of the requests of a client.
func (v *pageRequest) requestsBy(id access.CredentialID) string {
	to := link(v.Prefix, "requests")
	if id != "" {
		to += "?" + url.Values{"credential": {string(id)}}.Encode()
	}
	return to
}

// A client fails when it was refused at least this often in an hour, and more than it
// was answered.
const oftenRefused = 20

// failing lists clients that are mostly refused.
func (v *pageRequest) failing(t traffic) []attention {
	var list []attention
	for _, by := range t.clients {
		if by.id == "" || by.refused < oftenRefused || by.refused <= by.answered {
			continue
		}
		list = append(list, attention{
			Tone: wanted, Title: fmt.Sprintf("%s is mostly refused", by.id), Href: v.requestsBy(by.id) + "&status=4",
			Text: fmt.Sprintf("%s of its %s in the last hour were refused.", count(by.refused), counted(by.refused+by.answered, "request")),
		})
	}
	slices.SortFunc(list, func(a, b attention) int { return cmp.Compare(a.Title, b.Title) })
	return list
}
