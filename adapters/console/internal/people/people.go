package people

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// peoplePages returns the pages about customers. What people are called, and how they are
// reached, is in no address and in no title, which browsers keep: the search is sent
// by POST, and pages are named by ids.
func peoplePages() []kit.Page {
	one := "/people/{id}"
	return []kit.Page{
		{
			Path: "/people", Title: "People", Template: "people", Show: showPeople, Asks: true,
			Rule: kernel.Needs(access.Customers, access.CustomerRead, access.CustomerSearch),
			Menu: &kit.Menu{Section: kit.Data, Label: "People", Icon: "person"},
		},
		{Path: one, Title: "Customer", Template: "customer", Show: showCustomer, Under: "/people"},
		{Path: one + "/searches/{search}", Title: "Search request", Template: "search", Show: showSearchRequest, Under: "/people"},
	}
}

// maxPeople is how many customers a page lists.
const maxPeople = 50

// peoplePage is the customers that were searched for.
type peoplePage struct {
	Form *kit.Form
	// Asked reports that something was searched for.
	Asked  bool
	Fields []kit.Field
	Rows   []personRow
	Empty  kit.Empty
	// Skip is the number of customers before the next page, empty on the last one.
	Skip string
}

// personRow is a customer in a list.
type personRow struct {
	ID                                      int64
	Name, Type, Email, Phone, Agent, Agency string
	Modified                                kit.Moment
}

func newPersonRow(v *kit.Request, by kernel.Caller, c listing.CustomerSummary) personRow {
	return personRow{
		ID: c.ID, Name: backoffice.NameOf(c), Type: kit.WordOf(by, criteria.CustomerTypes, c.Type), Email: kit.Said(c.Email), Phone: kit.Said(c.Phone),
		Agency: kit.AgencyName(by, c.AgencyID), Agent: v.UserName(by, c.UserID), Modified: v.When(c.LastModified.Time),
	}
}

// peopleFilters are the fields that narrow the list.
var peopleFilters = [...]string{"keyword", "email", "phone", "type", "agency_id", "is_archived"}

func showPeople(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	f := v.Form()
	agencies := []kit.Choice{{Label: v.Say("any")}}
	for _, id := range c.Scope.Agencies() {
		number := strconv.FormatInt(int64(id), 10)
		agencies = append(agencies, kit.Choice{Value: number, Label: kit.AgencyName(c, int64(id))})
	}
	p := peoplePage{
		Form: f,
		Fields: []kit.Field{
			f.Text("keyword", "Name, company or part of it", "", "").Filled("off"),
			f.Text("email", "E-mail", "", "").Filled("off"),
			f.Text("phone", "Phone", "", "").Filled("off"),
			typeField(c, f),
			f.One("agency_id", "Agency", "", "", agencies),
			f.One("is_archived", "Archived", "", "", []kit.Choice{{Label: v.Say("any")}, {Value: "no", Label: v.Say("no")}, {Value: "yes", Label: v.Say("yes")}}),
		},
		Empty: kit.Empty{Title: "No customers yet", Text: "Customers appear here when a client of the API creates them or a lead comes in."},
	}
	if p.Asked = slices.ContainsFunc(peopleFilters[:], func(name string) bool { return v.Sent(name) != "" }); p.Asked {
		p.Empty = kit.Empty{Title: "Nobody is like that", Clear: v.Link("people")}
	}
	if v.Refused == nil {
		err = addPeople(v, c, &p)
	}
	return p, err
}

// typeField returns the filter by type: a choice where the site has types.
func typeField(c kernel.Caller, f *kit.Form) kit.Field {
	known, _ := c.Site.Dictionary.List(criteria.CustomerTypes)
	if len(known.Choices) == 0 {
		return f.Text("type", "Type", "", "")
	}
	choices := []kit.Choice{{Label: f.Say("any")}}
	for _, t := range known.Choices {
		choices = append(choices, kit.Choice{Value: t.Code, Label: cmp.Or(t.Label, t.Code)})
	}
	return f.One("type", "Type", "", "", choices)
}

// addPeople adds a page of the customers that were asked for.
func addPeople(v *kit.Request, c kernel.Caller, p *peoplePage) error {
	in := people.SearchCustomers{
		Keyword: typedText(v, "keyword"), Email: typedText(v, "email"), Phone: typedText(v, "phone"), Type: typedText(v, "type"),
		SortType: opt.Of("date"), SortOrder: opt.Of("desc"),
	}
	if id, err := strconv.ParseInt(v.Sent("agency_id"), 10, 64); err == nil {
		in.AgencyID = opt.Of(id)
	}
	if archived := v.Sent("is_archived"); archived != "" {
		in.IsArchived = opt.Of(archived == "yes")
	}
	skip, _ := strconv.Atoi(v.Sent("skip"))
	in.Skip, in.Count = opt.Of(max(skip, 0)), opt.Of(maxPeople)
	found, err := v.Site.People.SearchCustomers(v.Ctx, c, in)
	if err != nil {
		return err
	}
	for _, one := range found.Data {
		p.Rows = append(p.Rows, newPersonRow(v, c, one))
	}
	if found.HasMore {
		p.Skip = strconv.Itoa(max(skip, 0) + maxPeople)
	}
	return nil
}

// typedText returns a field of the form that was sent, absent when it is empty.
func typedText(v *kit.Request, name string) opt.Field[string] {
	if typed := strings.TrimSpace(v.Sent(name)); typed != "" {
		return opt.Of(typed)
	}
	return opt.Field[string]{}
}

// customerPage is one customer with the first records of each list about them.
type customerPage struct {
	ID    int64
	Name  string
	State kit.State
	// MayHandle reports that the operator exports and anonymises people.
	MayHandle bool
	Figures   []kit.Figure
	Facts     []kit.Fact
	Contacts  []contactRow
	Mandates  []mandateRow
	Searches  []searchRow
	FollowUps []followUpRow
	Leads     []leadRow
	Products  []ownedRow
	Actions   []actionRow
	History   []kit.HistoryRow
	NoHistory kit.Empty
	// Older is the address of the page with earlier events.
	Older string
	// Cut names the lists that are longer than what is shown.
	Cut string
}

// contactRow is a way to reach a customer.
type contactRow struct {
	Kind         kit.Text
	Value, Notes string
}

// mandateRow is a mandate of a product that the customer owns.
type mandateRow struct {
	Number, Type, From, To, Price string
	Product                       kit.Ref
	State                         kit.State
}

// searchRow is a search request in the list of a customer.
type searchRow struct {
	ID                        int64
	Name, Wanted, Price, Area string
	State                     kit.State
	Modified                  kit.Moment
}

// followUpRow is a follow-up in the list of a customer.
type followUpRow struct {
	Product               kit.Ref
	Search                kit.Ref
	Status, Rating, Notes string
	Next                  string
	Modified              kit.Moment
}

// ownedRow is a product that the customer owns.
type ownedRow struct {
	Product              kit.Ref
	Status, Title, Price string
}

// actionRow is an action in the history of a customer.
type actionRow struct {
	At                   kit.Moment
	Label, Agent, Result string
	Product              kit.Ref
}

func showCustomer(v *kit.Request) (any, error) {
	id, c, who, err := kit.ReadNamed(v, v.Site.People.GetCustomer, func(id int64) people.CustomerPath { return people.CustomerPath{ID: id} })
	if err != nil {
		return nil, err
	}
	p := customerPage{
		ID: id, Name: backoffice.NameOf(who.CustomerSummary), State: customerState(who), MayHandle: v.Actor.May(operator.HandlePersons),
		Figures: customerFigures(v, c, who), Facts: customerFacts(v, c, who), Contacts: contactRows(v, who),
	}
	if err := addBelongings(v, c, who, &p); err != nil {
		return nil, err
	}
	p.NoHistory = kit.Empty{Title: "Nothing is remembered", Text: "What happens to the customer appears here, for as long as events are kept."}
	before, _ := strconv.ParseInt(v.Query("before"), 10, 64)
	rows, next, err := v.History(c, event.CustomerUpdate.Resource(), id, before)
	if p.History = rows; next > 0 {
		p.Older = v.Link("people", id) + "?before=" + strconv.FormatInt(next, 10) + "#history"
	}
	return p, err
}

// addBelongings adds the lists of a customer's records.
func addBelongings(v *kit.Request, c kernel.Caller, who people.Customer, p *customerPage) error {
	of := people.CustomerList{ID: p.ID}
	searches, err1 := v.Site.People.ListSearchRequests(v.Ctx, c, of)
	followUps, err2 := v.Site.People.ListFollowUps(v.Ctx, c, of)
	leads, err3 := v.Site.People.ListLeads(v.Ctx, c, people.ListLeads{CustomerID: opt.Of(p.ID)})
	actions, err4 := v.Site.People.ListCustomerActions(v.Ctx, c, people.ReadCustomerActions{ID: p.ID})
	moreProducts, err5 := addProducts(v, c, p)
	names, err6 := v.ProductNames(c, slices.Concat(
		productsOf(who.Mandates, func(m people.Mandate) *int64 { return &m.ProductID }),
		productsOf(followUps.Data, func(f people.FollowUp) *int64 { return f.ProductID }),
		productsOf(leads.Data, leadProduct),
		productsOf(actions.Data, func(a listing.ActionHistoryItem) *int64 { return a.ProductID }),
	)...)
	if err := kernel.FirstError(err1, err2, err3, err4, err5, err6); err != nil {
		return err
	}
	for _, m := range who.Mandates {
		p.Mandates = append(p.Mandates, mandateRow{
			Number: m.Number, Type: kit.Said(m.Type), From: kit.Said(m.DateStart), To: kit.Said(m.DateEnd), Price: v.Amount(m.Price, c.Site.Settings().Currency),
			Product: v.ToProduct(names, &m.ProductID), State: mandateState(m.Status),
		})
	}
	for _, r := range searches.Data {
		p.Searches = append(p.Searches, newSearchRow(v, c, r))
	}
	for _, f := range followUps.Data {
		p.FollowUps = append(p.FollowUps, newFollowUpRow(v, c, names, p.ID, f))
	}
	for _, l := range leads.Data {
		p.Leads = append(p.Leads, newLeadRow(v, c, names, l))
	}
	for _, a := range actions.Data {
		p.Actions = append(p.Actions, newActionRow(v, c, names, a))
	}
	p.Cut = cutLists(v,
		part{"search requests", searches.HasMore}, part{"follow-ups", followUps.HasMore}, part{"leads", leads.HasMore},
		part{"products", moreProducts}, part{"actions", actions.HasMore},
	)
	return nil
}

// addProducts adds the products that a customer owns, and reports whether there are
// more.
func addProducts(v *kit.Request, c kernel.Caller, p *customerPage) (more bool, err error) {
	found, err := v.Site.People.ListCustomerProducts(v.Ctx, c, people.CustomerProducts{ID: p.ID})
	if err != nil {
		return false, err
	}
	owned, err := found.Data.All(v.Ctx)
	for _, one := range owned {
		p.Products = append(p.Products, ownedRow{
			Product: v.ToProduct(kit.ProductNames{one.ID: one.Model}, &one.ID), Status: kit.Said(one.Status), Title: kit.Said(one.Title), Price: v.Amount(one.Price, c.Site.Settings().Currency),
		})
	}
	return found.HasMore, err
}

// productsOf returns the products that some records are about.
func productsOf[T any](records []T, product func(T) *int64) []*int64 {
	ids := make([]*int64, len(records))
	for i, r := range records {
		ids[i] = product(r)
	}
	return ids
}

// part is one of several lists of a page, which may have more than is shown.
type part struct {
	name kit.Text
	more bool
}

// cutLists names the lists that have more than is shown.
func cutLists(v *kit.Request, lists ...part) string {
	lists = slices.DeleteFunc(lists, func(l part) bool { return !l.more })
	names := make([]string, len(lists))
	for i, l := range lists {
		names[i] = v.Show(l.name)
	}
	return strings.Join(names, ", ")
}

func customerState(c people.Customer) kit.State {
	switch {
	case c.AnonymizedAt != nil:
		return kit.State{Tone: kit.Over, Word: "anonymised"}
	case c.IsArchived:
		return kit.State{Tone: kit.Over, Word: "archived"}
	}
	return kit.State{Tone: kit.Well, Word: "known"}
}

func mandateState(status string) kit.State {
	switch status {
	case "ACTIF":
		return kit.State{Tone: kit.Well, Word: kit.Text(status)}
	case "PROJET":
		return kit.State{Tone: kit.Told, Word: kit.Text(status)}
	}
	return kit.State{Tone: kit.Over, Word: kit.Text(status)}
}

func customerFigures(v *kit.Request, by kernel.Caller, c people.Customer) []kit.Figure {
	contact, added := v.Instant(c.LastContactAt), v.When(c.DateAdded.Time)
	return []kit.Figure{
		{Label: "Type", Value: kit.WordOf(by, criteria.CustomerTypes, c.Type), Words: true},
		{Label: "Search requests", Value: v.Count(int64(c.SearchesCount))},
		{Label: "Follow-ups", Value: v.Count(int64(c.FollowUpsCount))},
		{Label: "Last contact", Time: &contact},
		{Label: "Known since", Time: &added},
	}
}

func customerFacts(v *kit.Request, by kernel.Caller, c people.Customer) []kit.Fact {
	list := kit.Facts(
		v.Fact("Civility", kit.WordOf(by, criteria.Civilities, kit.Said(c.Civility))), v.Fact("First name", kit.Said(c.Firstname)), v.Fact("Last name", kit.Said(c.Lastname)), v.Fact("Birth name", kit.Said(c.BirthName)),
		v.Fact("Company", kit.Said(c.Company)), v.Fact("Legal form", kit.Said(c.LegalForm)), v.Fact("SIRET", kit.Said(c.SIRET)), v.Fact("VAT number", kit.Said(c.VATNumber)),
		v.Fact("Roles", strings.Join(c.Roles, ", ")), v.Fact("Agency", kit.AgencyName(by, c.AgencyID)), v.Fact("Agent", v.UserName(by, c.UserID)),
		v.Fact("Language", kit.Said(c.Language)), v.Fact("Born", strings.TrimSpace(kit.Said(c.BirthDate)+" "+kit.Said(c.BirthPlace))), v.Fact("Nationality", kit.Said(c.Nationality)),
		v.Fact("Profession", kit.Said(c.Profession)), v.Fact("Family status", kit.Said(c.FamilyStatus)), v.Fact("Matrimonial regime", kit.Said(c.MatrimonialRegime)),
		v.Fact("Origin", strings.TrimSpace(kit.WordOf(by, criteria.Origins, kit.Said(c.Origin))+" "+kit.Said(c.OriginDetail))), v.Fact("Next contact", kit.Said(c.NextContact)),
		v.Fact("Consent", consentInWords(v, c.Consent)), v.Fact("Comment", kit.Said(c.Comment)),
	)
	if n := c.Notary; n != nil {
		list = append(list, v.Fact("Notary", kit.Joined(v.Numbered("customer", n.CustomerID), kit.Said(n.Name), kit.Said(n.Office), kit.Said(n.City), kit.Said(n.Email), kit.Said(n.Phone))))
	}
	for _, r := range c.RelatedContacts {
		list = append(list, v.Fact("Related", kit.Joined(r.Relation, v.Numbered("customer", r.CustomerID), kit.Said(r.Firstname), kit.Said(r.Lastname), kit.Said(r.Email), kit.Said(r.Phone), kit.Said(r.Comment))))
	}
	return list
}

// consentInWords returns by which ways a customer may be reached and by which not; those that
// were never asked about are left out.
func consentInWords(v *kit.Request, c people.Consent) string {
	var words []string
	for _, about := range []struct {
		name    kit.Text
		allowed *bool
	}{{"e-mail", c.Email}, {"SMS", c.SMS}, {"phone", c.Phone}, {"partners", c.Partners}} {
		if about.allowed != nil {
			words = append(words, v.Say(map[bool]kit.Text{true: "%s yes", false: "%s no"}[*about.allowed], about.name))
		}
	}
	return strings.Join(words, ", ")
}

func contactRows(v *kit.Request, c people.Customer) []contactRow {
	var rows []contactRow
	primary := map[bool]string{true: v.Say("primary")}
	for _, e := range c.Emails {
		rows = append(rows, contactRow{"E-mail", e.Email, kit.Joined(kit.Said(e.Type), primary[e.IsPrimary])})
	}
	for _, n := range c.PhoneNumbers {
		rows = append(rows, contactRow{"Phone", n.Number, kit.Joined(kit.Said(n.Type), primary[n.IsPrimary], kit.Said(n.Comment))})
	}
	for _, a := range c.Addresses {
		where := strings.TrimSpace(kit.Said(a.PostalCode) + " " + kit.Said(a.City))
		rows = append(rows, contactRow{"Address", kit.Joined(kit.Said(a.Line1), kit.Said(a.Line2), where, kit.Said(a.Country)), kit.Joined(kit.Said(a.Type), primary[a.IsPrimary])})
	}
	return rows
}

func newFollowUpRow(v *kit.Request, c kernel.Caller, names kit.ProductNames, of int64, f people.FollowUp) followUpRow {
	row := followUpRow{
		Product: v.ToProduct(names, f.ProductID), Status: kit.WordOf(c, criteria.FollowUpStatuses, f.Status), Next: kit.Said(f.NextContact), Notes: kit.Joined(kit.WordOf(c, criteria.RefusalReasons, kit.Said(f.RefusalReason)), kit.Said(f.Comment)),
		Modified: v.When(f.LastModified.Time),
	}
	if f.Rating != nil {
		row.Rating = v.Say("%d of 5", *f.Rating)
	}
	if f.SearchID != nil {
		row.Search = kit.Ref{Label: strconv.FormatInt(*f.SearchID, 10), Href: v.Link("people", of, "searches", *f.SearchID)}
	}
	return row
}

func newActionRow(v *kit.Request, c kernel.Caller, names kit.ProductNames, a listing.ActionHistoryItem) actionRow {
	return actionRow{
		At: v.When(a.DatePerformed.Time), Label: kit.Joined(a.ActionLabel, kit.Said(a.ChildActionLabel)), Agent: v.UserName(c, a.UserID),
		Result: kit.Said(a.Result), Product: v.ToProduct(names, a.ProductID),
	}
}

// searchState returns how a search request stands.
func searchState(r people.SearchRequest) kit.State {
	if r.IsActive && r.Status == "ACTIVE" {
		return kit.State{Tone: kit.Well, Word: kit.Text(r.Status)}
	}
	return kit.State{Tone: kit.Over, Word: kit.Text(r.Status)}
}

func newSearchRow(v *kit.Request, c kernel.Caller, r people.SearchRequest) searchRow {
	return searchRow{
		ID: r.ID, Name: cmp.Or(kit.Said(r.Name), v.Say("Search request %d", r.ID)), Wanted: kit.Joined(kit.LabelOf(c, criteria.KeyTransactionType, r.TransactionType), strings.Join(kit.LabelsOf(c, criteria.KeyPropertyType, r.PropertyTypes), ", ")),
		Price: v.Between(r.PriceMin, r.PriceMax), Area: areasInWords(v, r.Areas), State: searchState(r), Modified: v.When(r.LastModified.Time),
	}
}

// areasInWords names areas.
func areasInWords(v *kit.Request, areas []people.Area) string {
	var names []string
	for _, a := range areas {
		name := cmp.Or(kit.Said(a.Label), kit.Said(a.Code), v.Show(kit.Text(strings.ToLower(a.Type))))
		if a.Excluded {
			name = v.Say("not %s", name)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
