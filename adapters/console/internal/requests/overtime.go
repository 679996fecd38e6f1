package requests

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/chart"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// countsOf returns what asks for the counts of a period until now.
func countsOf(p chart.Period, now time.Time) backoffice.CountRequests {
	return backoffice.CountRequests{From: p.From(now), Until: now.Add(time.Second), Step: p.Step}
}

// trafficPage is how many requests there were over time, and how long they took.
type trafficPage struct {
	Tabs     []kit.Tab
	Filters  []kit.Field
	Filtered bool
	// Period is kept by the form of the filters.
	Period, Clear  string
	Figures        []kit.Figure
	Chart, Latency *chart.Drawing
	Tables         []trafficTable
	Empty          kit.Empty
}

// trafficTable is the traffic by client, or by operation.
type trafficTable struct {
	Label kit.Text
	Rows  []trafficRow
}

type trafficRow struct {
	Name, Href string
	// List is the address of the requests that are counted.
	List, Requests, Refused, Failed, P50, P99 string
}

// trafficQuery is what the address of the page asks for.
type trafficQuery struct {
	kept   url.Values
	period chart.Period
}

// trafficFilters are the names of the parameters of the address of the page.
var trafficFilters = [...]string{"period", "credential", "operation"}

func newTrafficQuery(asked url.Values) trafficQuery {
	return trafficQuery{kept: filters.Narrowed(asked, trafficFilters[:]), period: chart.PeriodOf(asked.Get("period"))}
}

// with returns the address of the page with one parameter changed.
func (q trafficQuery) with(v *kit.Request, name, value string) string {
	next := maps.Clone(q.kept)
	next.Set(name, value)
	return v.Link("requests", "traffic") + "?" + next.Encode()
}

// list returns the address of the requests that are counted from one time until another;
// the pairs narrow them more.
func (q trafficQuery) list(v *kit.Request, from, until time.Time, pairs ...string) string {
	query := filters.Narrowed(q.kept, []string{"credential", "operation"})
	query.Set("from", from.Format(Minutes))
	query.Set("until", until.Format(Minutes))
	for pair := range slices.Chunk(pairs, 2) {
		query.Set(pair[0], pair[1])
	}
	return v.Link("requests") + "?" + query.Encode()
}

// share is the traffic of a client, or of an operation.
type share struct {
	name            string
	all             trace.Tally
	refused, failed int64
}

func (s *share) add(one trace.Series) {
	sum := one.Sum()
	s.all = s.all.Plus(sum)
	switch {
	case one.Class == 5:
		s.failed += sum.N
	case one.Class > 3:
		s.refused += sum.N
	}
}

func showTraffic(v *kit.Request) (any, error) {
	if !v.Site.Requests.Kept() {
		return trafficPage{Empty: noRequests()}, nil
	}
	asked := v.HTTP.URL.Query()
	q := newTrafficQuery(asked)
	clients, err := clientField(v, asked)
	if err != nil {
		return nil, err
	}
	f := kit.NewForm(v.Language, asked, nil)
	p := trafficPage{
		Tabs:     q.period.Tabs(func(name string) string { return q.with(v, "period", name) }),
		Filters:  append(clients, f.One("operation", "Operation", "", "", v.AnyOf(operationNames(v)))),
		Filtered: q.kept.Has("credential") || q.kept.Has("operation"), Period: q.period.Name,
		Clear: v.Link("requests", "traffic") + "?" + url.Values{"period": {q.period.Name}}.Encode(),
		Empty: kit.Empty{Title: "No requests in this time", Text: "Requests are counted here from the first one on: by minutes for two days, by hours for 90 days."},
	}
	wanted := countsOf(q.period, v.Time)
	series, err := count(v, wanted)
	if err != nil {
		return nil, err
	}
	series = slices.DeleteFunc(series, func(s trace.Series) bool {
		client, operation := q.kept.Get("credential"), q.kept.Get("operation")
		return client != "" && s.Credential != access.CredentialID(client) || operation != "" && s.Operation != operation
	})
	q.draw(v, &p, series, wanted.From)
	return p, nil
}

// draw adds charts, figures and tables of the traffic.
func (q trafficQuery) draw(v *kit.Request, p *trafficPage, series []trace.Series, from time.Time) {
	var all share
	clients, operations := map[string]*share{}, map[string]*share{}
	for _, s := range series {
		all.add(s)
		addTo(clients, string(s.Credential), s)
		addTo(operations, s.Operation, s)
	}
	if all.all.N == 0 {
		return
	}
	p.Figures = []kit.Figure{
		{Label: "Requests", Value: v.Count(all.all.N)},
		{Label: "Refused", Value: v.Percent(all.refused, all.all.N), Unit: "%"},
		{Label: "Failed", Value: v.Percent(all.failed, all.all.N), Unit: "%"},
		{Label: "Answer time, p50", Value: v.Milliseconds(all.all.Quantile(.5)), Unit: "ms"},
		{Label: "Answer time, p99", Value: v.Milliseconds(all.all.Quantile(.99)), Unit: "ms"},
	}
	counts, latencies := q.bars(v, series, from)
	drawn := chart.Columns(v.Language, counts, v.Say("Requests: %d answered, %d refused", all.all.N-all.refused-all.failed, all.refused+all.failed), v.Show(q.period.Ago), v.Say("now"))
	slow := chart.Latencies(v.Language, latencies, v.Say("Answer times: half of the requests, and 99 of 100"), v.Show(q.period.Ago), v.Say("now"))
	p.Chart, p.Latency = &drawn, &slow
	if !v.Portal {
		p.Tables = append(p.Tables, q.table(v, "Client", "credential", clients, from))
	}
	p.Tables = append(p.Tables, q.table(v, "Operation", "operation", operations, from))
}

func addTo(shares map[string]*share, name string, one trace.Series) {
	if shares[name] == nil {
		shares[name] = &share{name: name}
	}
	shares[name].add(one)
}

// bars returns how many requests there were in each step, and how long they took.
func (q trafficQuery) bars(v *kit.Request, series []trace.Series, from time.Time) (counts, latencies []chart.Bar) {
	for i := range q.period.Steps {
		var all trace.Tally
		var refused int64
		for _, s := range series {
			if i >= len(s.Tallies) {
				continue
			}
			if all = all.Plus(s.Tallies[i]); s.Class > 3 {
				refused += s.Tallies[i].N
			}
		}
		answered := all.N - refused
		at := from.Add(time.Duration(i) * q.period.Step)
		begins, href := v.Date(at, "2 Jan 15:04"), q.list(v, at, at.Add(q.period.Step))
		half, most := all.Quantile(.5), all.Quantile(.99)
		counts = append(counts, chart.Bar{Lower: answered, Upper: refused, Href: href, Title: v.Say("%s: %s answered, %s refused", begins, v.Count(answered), v.Count(refused))})
		latencies = append(latencies, chart.Bar{
			Lower: half.Microseconds(), Upper: (most - half).Microseconds(), Href: href, Title: v.Say("%s: p50 %s ms, p99 %s ms", begins, v.Milliseconds(half), v.Milliseconds(most)),
		})
	}
	return counts, latencies
}

// table returns the traffic by what a filter narrows, the most first.
func (q trafficQuery) table(v *kit.Request, label kit.Text, filter string, shares map[string]*share, from time.Time) trafficTable {
	t := trafficTable{Label: label}
	for _, s := range slices.SortedFunc(maps.Values(shares), func(a, b *share) int { return cmp.Or(cmp.Compare(b.all.N, a.all.N), cmp.Compare(a.name, b.name)) }) {
		row := trafficRow{
			Name: s.name, Requests: v.Count(s.all.N), Refused: v.UnlessZero(s.refused), Failed: v.UnlessZero(s.failed),
			P50: v.Milliseconds(s.all.Quantile(.5)), P99: v.Milliseconds(s.all.Quantile(.99)),
		}
		if s.name == "" {
			row.Name, row.List = v.Say("nobody known"), q.list(v, from, v.Time.Add(time.Minute))
		} else {
			row.Href, row.List = q.with(v, filter, s.name), q.list(v, from, v.Time.Add(time.Minute), filter, s.name)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
