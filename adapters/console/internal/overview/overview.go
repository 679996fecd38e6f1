package overview

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/chart"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/requests"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/webhooks"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// overviewPages returns the page that operators come to first.
func overviewPages() []kit.Page {
	return []kit.Page{
		{Path: "/sites", Title: "All sites", Template: "sites", Show: showSites, Siteless: true, Under: "/"},
		{Path: "/jump", Title: "Found", Template: "found", Show: showFound, Asks: true, Siteless: true, Under: "/"},
		{
			Path: "/", Clients: true, Title: "Overview", Template: "overview", Show: showOverview, Siteless: true,
			Rule: kernel.Needs(access.Webhooks, access.HookRead, access.HookList), Menu: &kit.Menu{Section: kit.NoSection, Label: "Overview", Icon: "bars"},
		},
	}
}

// overviewPage is what goes on, with what needs attention first. What the operator's
// role does not see is left out.
type overviewPage struct {
	Lead       string
	Attention  []attention
	Figures    []kit.Figure
	Chart      *chart.Drawing
	ChartTitle kit.Text

	ShowsHooks bool
	Hooks      []webhooks.Row
	NoHooks    kit.Empty

	ShowsAskers bool
	Period      kit.Text
	Askers      []asker
	NoAskers    kit.Empty
}

// attention is something that somebody should look at.
type attention struct {
	Tone        kit.Tone
	Title, Text string
	// Target is an address that Text is about; Href where to look at it.
	Target, Href string
}

// asker is a client of the API, with how much it asked.
type asker struct {
	Name, Href          string
	Requests, Word      string
	Refused, Deprecated string
}

func showOverview(v *kit.Request) (any, error) {
	p := overviewPage{
		NoHooks:  kit.Empty{Title: "No webhooks yet", Text: "Those that integrators subscribe, or that you make for a credential, appear here."},
		NoAskers: kit.Empty{Title: "Nobody asked yet", Text: "Each credential that sends requests appears here, with how many were refused."},
	}
	switch err := v.Siteless(); {
	case v.Portal && len(v.Sites) > 0:
		return p, addOwn(v, &p)
	case len(v.Sites) == 0 && v.MayMakeSites():
		return nil, kit.Redirect(v.Link("sites", "new"))
	case len(v.Sites) == 0:
		p.Lead = fault.From(err).Message.In(v.API)
		return p, nil
	case !v.May(v.Pages["/"]):
		return nil, kit.Redirect(v.Link("people"))
	case v.All:
		return nil, kit.Redirect(v.Link("sites"))
	}
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	lead := func(v *kit.Request, p *overviewPage) error { return addLead(v, c, p) }
	for _, add := range []func(*kit.Request, *overviewPage) error{lead, addHooks, addBacklog, addTraffic} {
		if err := add(v, &p); err != nil && !errors.Is(err, fault.Forbidden) {
			return nil, err
		}
	}
	return p, nil
}

// addLead says what the site is.
func addLead(v *kit.Request, c kernel.Caller, p *overviewPage) error {
	words := []string{c.Site.Record.Name, v.Counted(int64(len(c.Scope.Agencies())), "agency", "agencies")}
	p.Lead = strings.Join(words, " · ")
	counts, err := v.Site.Listing.CountProducts(v.Ctx, c, listing.CountProducts{})
	if err == nil {
		p.Lead += " · " + v.Counted(int64(counts.Count), "product", "products")
	}
	return err
}

// hooksOnOverview is how many webhooks the overview lists.
const hooksOnOverview = 8

// addHooks adds the webhooks, those that are suspended first.
func addHooks(v *kit.Request, p *overviewPage) error {
	all, err := webhooks.ListWebhooks(v)
	if err != nil {
		return err
	}
	p.ShowsHooks = true
	for _, w := range all {
		if len(p.Hooks) < hooksOnOverview {
			p.Hooks = append(p.Hooks, webhooks.NewRow(w))
		}
		if s := webhooks.SuspensionOf(v, w.WebhookResponse); s != nil {
			p.Attention = append(p.Attention, attention{
				Tone: kit.Broken, Title: v.Say("Webhook %d is suspended: %s", w.ID, s.Reason), Target: w.URL,
				Text: v.Say("has received nothing for %s.", v.Span(v.Time.Sub(w.SuspendedAt.Time))), Href: w.On.LinkOn(w.On.SiteID, "webhooks", w.ID),
			})
		}
	}
	return nil
}

// late is for how long a delivery may be due before somebody should look.
const late = time.Minute

// addBacklog adds what the engines have not got round to. They work for all sites,
// so that only those hear of it who may change something about all.
func addBacklog(v *kit.Request, p *overviewPage) error {
	if !v.Actor.May(operator.ManageHooks) || !v.Actor.Operator.Everywhere {
		return nil
	}
	waiting, err := v.Site.Deliver.Backlog(v.Ctx)
	if err != nil {
		return err
	}
	if waiting.Wait > late {
		p.Attention = append(p.Attention, attention{
			Tone: kit.Wanted, Title: v.Say("%s late", v.Counted(int64(waiting.Deliveries), "delivery", "deliveries")),
			Text: v.Say("%s to %s should have begun %s ago. Is a dispatcher running?", v.Counted(int64(waiting.Deliveries), "delivery", "deliveries"), v.Counted(int64(waiting.Webhooks), "webhook", "webhooks"), v.Span(waiting.Wait)),
		})
	}
	p.Figures = append(p.Figures, kit.Figure{Label: "Deliveries due", Value: v.Count(int64(waiting.Deliveries))})
	if dropped := v.Site.Requests.Dropped(); dropped > 0 {
		p.Attention = append(p.Attention, attention{
			Tone: kit.Wanted, Title: v.Say("%s not written down", v.Counted(dropped, "request", "requests")),
			Text: v.Say("More came at once than could be stored since this server started. They were answered, and are missing in the log alone."),
		})
	}
	return addUnlocated(v, p)
}

// farBehind is how many events the locator may have left to look at before somebody
// should look.
const farBehind = 1000

// addUnlocated says when the locator does not keep up.
func addUnlocated(v *kit.Request, p *overviewPage) error {
	if !v.Locates {
		return nil
	}
	left, err := v.Site.Locate.Backlog(v.Ctx)
	if err == nil && left.Events > farBehind {
		p.Attention = append(p.Attention, attention{
			Tone: kit.Wanted, Title: v.Say("Addresses are looked up late"),
			Text: v.Say("The locator has yet to look at %s. Does the geocoder answer?", v.Counted(left.Events, "event", "events")),
		})
	}
	return err
}

// addTraffic adds how many requests there were, how they were answered, and who asked.
// A server that keeps no requests shows none of it.
func addTraffic(v *kit.Request, p *overviewPage) error {
	if !v.Actor.May(operator.SeeRequests) || !v.Site.Requests.Kept() {
		return nil
	}
	t, err := requests.LastHour(v)
	if err != nil {
		return err
	}
	p.ShowsAskers, p.Period, p.Askers = !v.Portal, "last hour", askers(v, t)
	p.Figures = slices.Concat(t.Figures(v.Language), p.Figures, []kit.Figure{{
		Label: "Deprecated names", Value: v.Count(t.Deprecated), Unit: "in 90 days", Link: v.Link("requests", "readiness"),
	}})
	if t.All.N > 0 {
		drawn := chart.Columns(v.Language, t.Bars, v.Say("Requests of the last hour: %d answered, %d refused", t.All.N-t.Refused, t.Refused), v.Say("%s ago", v.Span(time.Hour)), v.Say("now"))
		p.Chart, p.ChartTitle = &drawn, "Requests, every minute"
	}
	p.Attention = append(p.Attention, failing(v, t)...)
	if v.Portal && t.Deprecated > 0 {
		p.Attention = append(p.Attention, attention{
			Tone: kit.Wanted, Title: v.Say("Deprecated names are still sent"), Href: v.Link("requests", "readiness"),
			Text: v.Say("%s in 90 days used names that end with the next major release.", v.Counted(t.Deprecated, "request", "requests")),
		})
	}
	strangers, err := requests.FailingSignIns(v.On(v.Shown()[0].ID), t)
	for _, by := range strangers {
		p.Attention = append(p.Attention, failedSignIns(v, by))
	}
	return err
}

// failedSignIns says that a client fails to sign in.
func failedSignIns(v *kit.Request, by trace.FailedSignIns) attention {
	title := v.Say("%s fails to sign in", by.Credential)
	if by.Credential == access.UnknownClient {
		title = v.Say("Unknown clients fail to sign in")
	}
	return attention{
		Tone: kit.Wanted, Title: title, Href: requests.FailedSignIns(v, by.Credential),
		Text: v.Say("%s since %s.", v.Counted(by.N, "time", "times"), v.When(by.Since).Clock),
	}
}

// askersOnOverview is how many clients the overview lists.
const askersOnOverview = 8

// askers lists the clients by how much they asked.
func askers(v *kit.Request, t requests.Traffic) []asker {
	var clients []*requests.ClientTraffic
	for _, by := range t.Clients {
		if by.Answered+by.Refused > 0 {
			clients = append(clients, by)
		}
	}
	slices.SortFunc(clients, func(a, b *requests.ClientTraffic) int {
		return cmp.Or(cmp.Compare(b.Answered+b.Refused, a.Answered+a.Refused), cmp.Compare(a.ID, b.ID))
	})
	var list []asker
	for _, by := range clients[:min(askersOnOverview, len(clients))] {
		all := by.Answered + by.Refused
		a := asker{
			Name: string(by.ID), Href: requests.By(v, by.ID), Requests: v.Count(all), Word: v.Plural(all, "request", "requests"),
			Refused: v.UnlessZero(by.Refused), Deprecated: v.UnlessZero(by.Deprecated),
		}
		if by.ID == "" {
			a.Name = v.Say("nobody known")
		}
		list = append(list, a)
	}
	return list
}

// failing lists clients that are mostly refused.
func failing(v *kit.Request, t requests.Traffic) []attention {
	var list []attention
	for _, by := range t.Clients {
		if !(trace.Balance{Credential: by.ID, Answered: by.Answered, Refused: by.Refused}).Failing() {
			continue
		}
		list = append(list, attention{
			Tone: kit.Wanted, Title: v.Say("%s is mostly refused", by.ID), Href: requests.By(v, by.ID) + "&status=4",
			Text: v.Say("%s of its %s in the last hour were refused.", v.Count(by.Refused), v.Counted(by.Refused+by.Answered, "request", "requests")),
		})
	}
	slices.SortFunc(list, func(a, b attention) int { return cmp.Compare(a.Title, b.Title) })
	return list
}
