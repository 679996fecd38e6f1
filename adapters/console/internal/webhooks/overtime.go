package webhooks

import (
	"net/url"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/chart"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/requests"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
)

// overTimePage is what became of the deliveries of a webhook over time.
type overTimePage struct {
	ID      int64
	Tabs    []kit.Tab
	Figures []kit.Figure
	Chart   *chart.Drawing
	// Since is when the first delivery that is counted was added; Cut is how many are counted, empty
	// where that is all that are kept.
	Since *kit.Moment
	Cut   string
	Empty kit.Empty
	// tab names the page in the tab of the browser.
	tab string
}

func (p overTimePage) TabTitle() string { return p.tab }

func showOverTime(v *kit.Request) (any, error) {
	id, err := v.ID("id")
	if err != nil {
		return nil, err
	}
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	period := chart.PeriodOf(v.Query("period"))
	from := period.From(v.Time)
	counts, err := v.Site.Hooks.CountDeliveries(v.Ctx, c, hooks.CountDeliveries{ID: id, From: from, Step: period.Step})
	if err != nil {
		return nil, err
	}
	p := overTimePage{
		ID: id, tab: v.Say("Webhook %d over time", id),
		Tabs:  period.Tabs(func(name string) string { return v.Link("webhooks", id, "over-time") + "?period=" + name }),
		Empty: kit.Empty{Title: "No deliveries in this time", Text: "A delivery is counted from the moment it is added, when an event happens that the webhook wants."},
	}
	if !counts.Since.IsZero() {
		since := v.When(counts.Since)
		p.Since = &since
	}
	if counts.Cut {
		p.Cut = v.Count(hooks.MaxCounted)
	}
	if len(counts.Steps) == 0 {
		return p, nil
	}
	var sum webhook.DeliveryCount
	bars := make([]chart.Bar, period.Steps)
	for _, step := range counts.Steps {
		sum.All, sum.Succeeded, sum.Failed = sum.All+step.All, sum.Succeeded+step.Succeeded, sum.Failed+step.Failed
		// What a clock ahead of this one added belongs to the last step.
		i := min(int(step.Start.Sub(from)/period.Step), period.Steps-1)
		bars[i].Lower += step.Succeeded
		bars[i].Upper += step.Failed
	}
	for i := range bars {
		b, at := &bars[i], from.Add(time.Duration(i)*period.Step)
		b.Title = v.Say("%s: %s succeeded, %s failed", v.Date(at, "2 Jan 15:04"), v.Count(b.Lower), v.Count(b.Upper))
		b.Href = v.Link("webhooks", id) + "?" + url.Values{"from": {at.Format(requests.Minutes)}, "until": {at.Add(period.Step).Format(requests.Minutes)}}.Encode()
	}
	drawn := chart.Columns(v.Language, bars, v.Say("Deliveries: %d succeeded, and %d attempts failed", sum.Succeeded, sum.Failed), v.Show(period.Ago), v.Say("now"))
	p.Chart = &drawn
	p.Figures = []kit.Figure{{Label: "Deliveries", Value: v.Count(sum.All)}, {Label: "Succeeded", Value: v.Count(sum.Succeeded)}, {Label: "Failed attempts", Value: v.Count(sum.Failed)}}
	return p, nil
}
