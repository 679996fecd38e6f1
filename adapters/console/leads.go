package console

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// leadPages returns the pages about leads.
func leadPages() []page {
	one := "/people/leads/{id}"
	return []page{
		{path: "/people/leads", title: "Leads", template: "leads", show: showLeads, under: "/people"},
		{path: one, title: "Lead", template: "lead", show: showLead, under: "/people"},
		{path: one + "/hand-on", do: handLeadOn, on: one, powers: operator.ManageLeads},
	}
}

// leadsPage is the leads of a site.
type leadsPage struct {
	Form     *form
	Filters  []field
	Filtered bool
	Rows     []leadRow
	Empty    empty
	Older    string
}

// leadRow is a lead in a list.
type leadRow struct {
	Href                              string
	Kind, Name, Origin, Agency, Agent string
	State                             state
	Product                           ref
	At                                moment
}

// leadState returns how far a lead has got.
func leadState(status string) state {
	switch status {
	case demand.LeadNew:
		return state{wanted, status}
	case "TRANSFORME":
		return state{well, status}
	case "PERDU":
		return state{over, status}
	}
	return state{told, status}
}

func (v *pageRequest) leadRow(c kernel.Caller, names productNames, l people.Lead) leadRow {
	return leadRow{
		Href: link(v.Prefix, "people", "leads", l.ID), Kind: l.Kind, Name: leadName(l), Origin: wordOf(c, criteria.Origins, said(l.Origin)), Agency: agencyName(c, l.AgencyID), Agent: userName(c, l.UserID),
		State: leadState(l.Status), Product: v.toProduct(names, l.ProductID), At: v.when(l.DateAdded.Time),
	}
}

func leadProduct(l people.Lead) *int64 { return l.ProductID }

// leadName returns what somebody called themselves, or how they are reached.
func leadName(l people.Lead) string {
	for _, name := range []string{strings.TrimSpace(said(l.Firstname) + " " + said(l.Lastname)), said(l.Email), said(l.Phone)} {
		if name != "" {
			return name
		}
	}
	return fmt.Sprintf("lead %d", l.ID)
}

func showLeads(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	asked := v.r.URL.Query()
	in := people.ListLeads{Kind: asked.Get("kind"), Status: asked.Get("status")}
	if before, err := strconv.ParseInt(asked.Get("cursor"), 10, 64); err == nil {
		in.Cursor = opt.Of(before)
	}
	found, err := v.Site.People.ListLeads(v.ctx, c, in)
	if err != nil && !isMendable(err) {
		return nil, err
	}
	f := newForm(asked, err)
	p := leadsPage{
		Form: &f,
		Filters: []field{
			f.one("kind", "Kind", "", "", anyOf([]string{string(demand.SellerLead), string(demand.BuyerLead)})),
			f.one("status", "Status", "", "", anyOf(demand.LeadStatuses())),
		},
		Filtered: in.Kind != "" || in.Status != "",
		Empty:    empty{Title: "No leads yet", Text: "Whoever gets in touch through a website, a portal or a valuation tool appears here."},
	}
	if p.Filtered {
		p.Empty = empty{Title: "No leads are like that", Clear: link(v.Prefix, "people", "leads")}
	}
	names, err := v.productNames(c, productsOf(found.Data, leadProduct)...)
	if err != nil {
		return nil, err
	}
	for _, l := range found.Data {
		p.Rows = append(p.Rows, v.leadRow(c, names, l))
	}
	if next := found.NextCursor; next != nil {
		p.Older = link(v.Prefix, "people", "leads") + "?" + url.Values{"kind": {in.Kind}, "status": {in.Status}, "cursor": {strconv.FormatInt(*next, 10)}}.Encode()
	}
	return p, nil
}

// leadPage is one lead.
type leadPage struct {
	Form     *form
	ID       int64
	Name     string
	State    state
	At       moment
	MayHand  bool
	User     field
	Facts    []fact
	Links    []ref
	Message  string
	Metadata string
}

func (p leadPage) title() string { return fmt.Sprintf("Lead %d", p.ID) }

func showLead(v *pageRequest) (any, error) {
	id, c, l, err := readNamed(v, v.Site.People.GetLead, func(id int64) people.LeadPath { return people.LeadPath{ID: id} })
	if err != nil {
		return nil, err
	}
	names, err := v.productNames(c, l.ProductID)
	if err != nil {
		return nil, err
	}
	p := leadPage{
		Form: v.form(), ID: id, Name: leadName(l), State: leadState(l.Status), At: v.when(l.DateAdded.Time), MayHand: v.actor.May(operator.ManageLeads),
		Facts: leadFacts(c, l), Links: v.leadLinks(names, l), Message: said(l.Message), Metadata: indented(l.Metadata.Text),
	}
	if p.MayHand {
		p.User, err = v.userField(c, p.Form, l.UserID)
	}
	return p, err
}

// leadLinks returns what came of a lead.
func (v *pageRequest) leadLinks(names productNames, l people.Lead) []ref {
	var links []ref
	if l.CustomerID != nil {
		links = append(links, ref{numbered("customer", l.CustomerID), link(v.Prefix, "people", *l.CustomerID)})
		if l.SearchID != nil {
			links = append(links, ref{numbered("search request", l.SearchID), link(v.Prefix, "people", *l.CustomerID, "searches", *l.SearchID)})
		}
	}
	if l.ProductID != nil {
		links = append(links, v.toProduct(names, l.ProductID))
	}
	return links
}

func leadFacts(c kernel.Caller, l people.Lead) []fact {
	list := facts(
		"Kind", l.Kind, "Civility", wordOf(c, criteria.Civilities, said(l.Civility)), "First name", said(l.Firstname), "Last name", said(l.Lastname),
		"E-mail", joined(append([]string{said(l.Email)}, l.OtherEmails...)...), "Phone", joined(append([]string{said(l.Phone)}, l.OtherPhones...)...),
		"Agency", agencyName(c, l.AgencyID), "Agent", userName(c, l.UserID), "Origin", joined(wordOf(c, criteria.Origins, said(l.Origin)), said(l.OriginDetail)),
		"Campaign", joined(said(l.UTM.Source), said(l.UTM.Medium), said(l.UTM.Campaign)), "Sender's id", said(l.ExternalID),
		"Project", said(l.Project), "Address", joined(said(l.Address), strings.TrimSpace(said(l.PostalCode)+" "+said(l.City)), said(l.Country)),
		"Estimated price", between(l.EstimatedPriceMin, l.EstimatedPriceMax), "Estimated by", said(l.EstimationTool), "Wants to sell", wordOf(c, criteria.Urgencies, said(l.SaleHorizon)),
		"Transaction", labelOf(c, criteria.KeyTransactionType, said(l.TransactionType)), "Price", between(nil, l.PriceMax),
	)
	if w := l.VisitWish; w != nil {
		list = append(list, fact{"Would visit", joined(said(w.Date), said(w.Slot))})
	}
	return list
}

// userField offers the users who work at the site.
func (v *pageRequest) userField(c kernel.Caller, f *form, first *int64) (field, error) {
	choices := []choice{{Label: "choose somebody"}}
	in := office.ListUsers{Active: opt.Of(true)}
	for {
		found, err := v.Site.Office.ListUsers(v.ctx, c, in)
		if err != nil {
			return field{}, err
		}
		for _, u := range found.Data {
			choices = append(choices, choice{
				Value: strconv.FormatInt(u.ID, 10), Label: fmt.Sprintf("%s %s, %s", u.Firstname, u.Lastname, agencyName(c, u.AgencyID)),
			})
		}
		if found.Meta.NextCursor == nil {
			break
		}
		in.Cursor = *found.Meta.NextCursor
	}
	present := ""
	if first != nil {
		present = strconv.FormatInt(*first, 10)
	}
	return f.one("user_id", "Who sees to it", "", present, choices), nil
}

func handLeadOn(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	user, err := strconv.ParseInt(v.sent("user_id"), 10, 64)
	if err != nil {
		return done{}, wrongField("user_id", fault.CodeRequired, fault.Textf("choose who sees to it"))
	}
	_, err = v.Backoffice.HandLeadOn(v.ctx, v.actor, at(v, people.UpdateLead{ID: id, UserID: opt.Of(user)}))
	return went("people", "leads", id).saying("The lead is handed on."), err
}
