package people

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/formats"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
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
func leadPages() []kit.Page {
	one := "/people/leads/{id}"
	return []kit.Page{
		{Path: "/people/leads", Title: "Leads", Template: "leads", Show: showLeads, Filters: []string{"kind", "status"}, Under: "/people"},
		{Path: one, Title: "Lead", Template: "lead", Show: showLead, Under: "/people"},
		{Path: one + "/hand-on", Do: handLeadOn, On: one, Powers: operator.ManageLeads},
	}
}

// leadsPage is the leads of a site.
type leadsPage struct {
	Form     *kit.Form
	Filters  []kit.Field
	Filtered bool
	Rows     []leadRow
	Empty    kit.Empty
	Older    string
}

// leadRow is a lead in a list.
type leadRow struct {
	Href                        string
	Kind                        kit.Text
	Name, Origin, Agency, Agent string
	State                       kit.State
	Product                     kit.Ref
	At                          kit.Moment
}

// leadState returns how far a lead has got.
func leadState(status string) kit.State {
	switch status {
	case demand.LeadNew:
		return kit.State{Tone: kit.Wanted, Word: kit.Text(status)}
	case "TRANSFORME":
		return kit.State{Tone: kit.Well, Word: kit.Text(status)}
	case "PERDU":
		return kit.State{Tone: kit.Over, Word: kit.Text(status)}
	}
	return kit.State{Tone: kit.Told, Word: kit.Text(status)}
}

func newLeadRow(v *kit.Request, c kernel.Caller, names kit.ProductNames, l people.Lead) leadRow {
	return leadRow{
		Href: v.Link("people", "leads", l.ID), Kind: kit.Text(l.Kind), Name: leadName(v, l), Origin: kit.WordOf(c, criteria.Origins, kit.Said(l.Origin)), Agency: kit.AgencyName(c, l.AgencyID), Agent: v.UserName(c, l.UserID),
		State: leadState(l.Status), Product: v.ToProduct(names, l.ProductID), At: v.When(l.DateAdded.Time),
	}
}

func leadProduct(l people.Lead) *int64 { return l.ProductID }

// leadName returns what somebody called themselves, or how they are reached.
func leadName(v *kit.Request, l people.Lead) string {
	for _, name := range []string{strings.TrimSpace(kit.Said(l.Firstname) + " " + kit.Said(l.Lastname)), kit.Said(l.Email), kit.Said(l.Phone)} {
		if name != "" {
			return name
		}
	}
	return v.Say("lead %d", l.ID)
}

func showLeads(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	asked := v.HTTP.URL.Query()
	in := people.ListLeads{Kind: asked.Get("kind"), Status: asked.Get("status")}
	if before, err := strconv.ParseInt(asked.Get("cursor"), 10, 64); err == nil {
		in.Cursor = opt.Of(before)
	}
	found, err := v.Site.People.ListLeads(v.Ctx, c, in)
	if err != nil && !kit.IsMendable(err) {
		return nil, err
	}
	f := kit.NewForm(v.Language, asked, err)
	kinds := append(v.AnyOf(nil), kit.Words(v.Language, []demand.LeadKind{demand.SellerLead, demand.BuyerLead})...)
	p := leadsPage{
		Form: &f,
		Filters: []kit.Field{
			f.One("kind", "Kind", "", "", kinds),
			f.One("status", "Status", "", "", v.AnyOf(demand.LeadStatuses())),
		},
		Filtered: in.Kind != "" || in.Status != "",
		Empty:    kit.Empty{Title: "No leads yet", Text: "Whoever gets in touch through a website, a portal or a valuation tool appears here."},
	}
	if p.Filtered {
		p.Empty = kit.Empty{Title: "No leads are like that", Clear: v.Link("people", "leads")}
	}
	names, err := v.ProductNames(c, productsOf(found.Data, leadProduct)...)
	if err != nil {
		return nil, err
	}
	for _, l := range found.Data {
		p.Rows = append(p.Rows, newLeadRow(v, c, names, l))
	}
	if next := found.NextCursor; next != nil {
		p.Older = v.Link("people", "leads") + "?" + url.Values{"kind": {in.Kind}, "status": {in.Status}, "cursor": {strconv.FormatInt(*next, 10)}}.Encode()
	}
	return p, nil
}

// leadPage is one lead.
type leadPage struct {
	Form     *kit.Form
	ID       int64
	Name     string
	State    kit.State
	At       kit.Moment
	MayHand  bool
	User     kit.Field
	Facts    []kit.Fact
	Links    []kit.Ref
	Message  string
	Metadata string
}

func showLead(v *kit.Request) (any, error) {
	id, c, l, err := kit.ReadNamed(v, v.Site.People.GetLead, func(id int64) people.LeadPath { return people.LeadPath{ID: id} })
	if err != nil {
		return nil, err
	}
	names, err := v.ProductNames(c, l.ProductID)
	if err != nil {
		return nil, err
	}
	p := leadPage{
		Form: v.Form(), ID: id, Name: leadName(v, l), State: leadState(l.Status), At: v.When(l.DateAdded.Time), MayHand: v.Actor.May(operator.ManageLeads),
		Facts: leadFacts(v, c, l), Links: leadLinks(v, names, l), Message: kit.Said(l.Message), Metadata: formats.Indented(l.Metadata.Text),
	}
	if p.MayHand {
		p.User, err = userField(v, c, p.Form, l.UserID)
	}
	return p, err
}

// leadLinks returns what came of a lead.
func leadLinks(v *kit.Request, names kit.ProductNames, l people.Lead) []kit.Ref {
	var links []kit.Ref
	if l.CustomerID != nil {
		links = append(links, kit.Ref{Label: v.Numbered("customer", l.CustomerID), Href: v.Link("people", *l.CustomerID)})
		if l.SearchID != nil {
			links = append(links, kit.Ref{Label: v.Numbered("search request", l.SearchID), Href: v.Link("people", *l.CustomerID, "searches", *l.SearchID)})
		}
	}
	if l.ProductID != nil {
		links = append(links, v.ToProduct(names, l.ProductID))
	}
	return links
}

func leadFacts(v *kit.Request, c kernel.Caller, l people.Lead) []kit.Fact {
	list := kit.Facts(
		v.Fact("Kind", v.Show(kit.Text(l.Kind))), v.Fact("Civility", kit.WordOf(c, criteria.Civilities, kit.Said(l.Civility))), v.Fact("First name", kit.Said(l.Firstname)), v.Fact("Last name", kit.Said(l.Lastname)),
		v.Fact("E-mail", kit.Joined(append([]string{kit.Said(l.Email)}, l.OtherEmails...)...)), v.Fact("Phone", kit.Joined(append([]string{kit.Said(l.Phone)}, l.OtherPhones...)...)),
		v.Fact("Agency", kit.AgencyName(c, l.AgencyID)), v.Fact("Agent", v.UserName(c, l.UserID)), v.Fact("Origin", kit.Joined(kit.WordOf(c, criteria.Origins, kit.Said(l.Origin)), kit.Said(l.OriginDetail))),
		v.Fact("Campaign", kit.Joined(kit.Said(l.UTM.Source), kit.Said(l.UTM.Medium), kit.Said(l.UTM.Campaign))), v.Fact("Sender's id", kit.Said(l.ExternalID)),
		v.Fact("Project", kit.Said(l.Project)), v.Fact("Address", kit.Joined(kit.Said(l.Address), strings.TrimSpace(kit.Said(l.PostalCode)+" "+kit.Said(l.City)), kit.Said(l.Country))),
		v.Fact("Estimated price", v.Between(l.EstimatedPriceMin, l.EstimatedPriceMax)), v.Fact("Estimated by", kit.Said(l.EstimationTool)), v.Fact("Wants to sell", kit.WordOf(c, criteria.Urgencies, kit.Said(l.SaleHorizon))),
		v.Fact("Transaction", kit.LabelOf(c, criteria.KeyTransactionType, kit.Said(l.TransactionType))), v.Fact("Price", v.Between(nil, l.PriceMax)),
	)
	if w := l.VisitWish; w != nil {
		list = append(list, v.Fact("Would visit", kit.Joined(kit.Said(w.Date), kit.Said(w.Slot))))
	}
	return list
}

// userField offers the users who work at the site.
func userField(v *kit.Request, c kernel.Caller, f *kit.Form, first *int64) (kit.Field, error) {
	choices := []kit.Choice{{Label: v.Say("choose somebody")}}
	in := office.ListUsers{Active: opt.Of(true)}
	for {
		found, err := v.Site.Office.ListUsers(v.Ctx, c, in)
		if err != nil {
			return kit.Field{}, err
		}
		for _, u := range found.Data {
			choices = append(choices, kit.Choice{
				Value: strconv.FormatInt(u.ID, 10), Label: fmt.Sprintf("%s %s, %s", u.Firstname, u.Lastname, kit.AgencyName(c, u.AgencyID)),
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
	return f.One("user_id", "Who sees to it", "", present, choices), nil
}

func handLeadOn(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	user, err := strconv.ParseInt(v.Sent("user_id"), 10, 64)
	if err != nil {
		return kit.Done{}, kit.WrongField("user_id", fault.CodeRequired, fault.Textf("choose who sees to it"))
	}
	_, err = v.Backoffice.HandLeadOn(v.Ctx, v.Actor, kit.At(v, people.UpdateLead{ID: id, UserID: opt.Of(user)}))
	return kit.Went("people", "leads", id).Saying("The lead is handed on."), err
}
