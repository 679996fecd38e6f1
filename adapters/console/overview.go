package console

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// overviewPages returns the page that operators come to first.
func overviewPages() []page {
	return []page{{
		path: "/", title: "Overview", template: "overview", show: showOverview, siteless: true,
		rule: kernel.Needs(access.Webhooks, access.HookRead, access.HookList), menu: &menu{section: noSection, label: "Overview", icon: "bars"},
	}}
}

// overviewPage is what goes on, with what needs attention first. What the operator's
// role does not see is left out.
type overviewPage struct {
	Lead       string
	Attention  []attention
	Figures    []figure
	Chart      *chart
	ChartTitle string

	ShowsHooks bool
	Hooks      []webhookRow
	NoHooks    empty

	ShowsAskers bool
	Period      string
	Askers      []asker
	NoAskers    empty
}

// attention is something that somebody should look at.
type attention struct {
	Tone        tone
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

func showOverview(v *pageRequest) (any, error) {
	p := overviewPage{
		NoHooks:  empty{Title: "No webhooks yet", Text: "Those that integrators subscribe, or that you make for a credential, appear here."},
		NoAskers: empty{Title: "Nobody asked yet", Text: "Each credential that sends requests appears here, with how many were refused."},
	}
	if err := v.siteless(); err != nil {
		if v.mayMakeSites() {
			return nil, redirect(link(v.Prefix, "sites", "new"))
		}
		p.Lead = fault.From(err).Message.String()
		return p, nil
	}
	if !v.may(v.pages["/"]) {
		return nil, redirect(link(v.Prefix, "people"))
	}
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	lead := func(p *overviewPage) error { return v.addLead(c, p) }
	for _, add := range []func(*overviewPage) error{lead, v.addHooks, v.addBacklog, v.addTraffic} {
		if err := add(&p); err != nil && !errors.Is(err, fault.Forbidden) {
			return nil, err
		}
	}
	return p, nil
}

// addLead says what the site is.
func (v *pageRequest) addLead(c kernel.Caller, p *overviewPage) error {
	words := []string{c.Site.Record.Name, counted(len(c.Scope.Agencies()), "agency")}
	p.Lead = strings.Join(words, " · ")
	counts, err := v.Site.Listing.CountProducts(v.ctx, c, listing.CountProducts{})
	if err == nil {
		p.Lead += " · " + counted(counts.Count, "product")
	}
	return err
}

// hooksOnOverview is how many webhooks the overview lists.
const hooksOnOverview = 8

// addHooks adds the webhooks, those that are suspended first.
func (v *pageRequest) addHooks(p *overviewPage) error {
	listed, err := v.listWebhooks("")
	if err != nil {
		return err
	}
	p.ShowsHooks = true
	for _, suspended := range []bool{true, false} {
		for _, w := range listed.Data {
			if (w.SuspendedAt != nil) == suspended && len(p.Hooks) < hooksOnOverview {
				p.Hooks = append(p.Hooks, v.webhookRow(w))
			}
		}
	}
	for _, w := range listed.Data {
		if s := v.suspension(w); s != nil {
			p.Attention = append(p.Attention, attention{
				Tone: broken, Title: fmt.Sprintf("Webhook %d is suspended: %s", w.ID, s.Reason), Target: w.URL,
				Text: "has received nothing for " + span(v.now.Sub(w.SuspendedAt.Time)) + ".", Href: link(v.Prefix, "webhooks", w.ID),
			})
		}
	}
	return nil
}

// late is for how long a delivery may be due before somebody should look.
const late = time.Minute

// addBacklog adds what the engines have not got round to. They work for all sites,
// so that only those hear of it who may change something about all.
func (v *pageRequest) addBacklog(p *overviewPage) error {
	if !v.actor.May(operator.ManageHooks) || !v.actor.Operator.Everywhere {
		return nil
	}
	waiting, err := v.Site.Deliver.Backlog(v.ctx)
	if err != nil {
		return err
	}
	if waiting.Wait > late {
		p.Attention = append(p.Attention, attention{
			Tone: wanted, Title: counted(waiting.Deliveries, "delivery") + " late",
			Text: fmt.Sprintf("%s to %s should have begun %s ago. Is a dispatcher running?", counted(waiting.Deliveries, "delivery"), counted(waiting.Webhooks, "webhook"), span(waiting.Wait)),
		})
	}
	p.Figures = append(p.Figures, figure{Label: "Deliveries due", Value: count(waiting.Deliveries)})
	if dropped := v.Site.Requests.Dropped(); dropped > 0 {
		p.Attention = append(p.Attention, attention{
			Tone: wanted, Title: counted(dropped, "request") + " not written down",
			Text: "More came at once than could be stored since this server started. They were answered, and are missing in the log alone.",
		})
	}
	return v.addUnlocated(p)
}

// farBehind is how many events the locator may have left to look at before somebody
// should look.
const farBehind = 1000

// addUnlocated says when the locator does not keep up.
func (v *pageRequest) addUnlocated(p *overviewPage) error {
	if !v.Locates {
		return nil
	}
	left, err := v.Site.Locate.Backlog(v.ctx)
	if err == nil && left.Events > farBehind {
		p.Attention = append(p.Attention, attention{
			Tone: wanted, Title: "Addresses are looked up late",
			Text: fmt.Sprintf("The locator has yet to look at %s. Does the geocoder answer?", counted(left.Events, "event")),
		})
	}
	return err
}
