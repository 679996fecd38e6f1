package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// peoplePages returns the pages about customers. What people are called, and how they are
// reached, is in no address and in no title, which browsers keep: the search is sent
// by POST, and pages are named by ids.
func peoplePages() []page {
	one := "/people/{id}"
	return []page{
		{
			path: "/people", title: "People", template: "people", show: showPeople, asks: true,
			rule: kernel.Needs(access.Customers, access.CustomerRead, access.CustomerSearch),
			menu: &menu{section: data, label: "People", icon: "person"},
		},
		{path: one, title: "Customer", template: "customer", show: showCustomer, under: "/people"},
		{path: one + "/searches/{search}", title: "Search request", template: "search", show: showSearchRequest, under: "/people"},
	}
}

// maxPeople is how many customers a page lists.
const maxPeople = 50

// peoplePage is the customers that were searched for.
type peoplePage struct {
	Form *form
	// Asked reports that something was searched for.
	Asked  bool
	Fields []field
	Rows   []personRow
	Empty  empty
	// Kept are the filters that are set. Skip is the number of customers before the next
	// page, empty on the last one.
	Kept []choice
	Skip string
}

// personRow is a customer in a list.
type personRow struct {
	ID                                      int64
	Name, Type, Email, Phone, Agent, Agency string
	Modified                                moment
}

func (v *pageRequest) personRow(by kernel.Caller, c listing.CustomerSummary) personRow {
	return personRow{
		ID: c.ID, Name: backoffice.NameOf(c), Type: wordOf(by, criteria.CustomerTypes, c.Type), Email: said(c.Email), Phone: said(c.Phone),
		Agency: agencyName(by, c.AgencyID), Agent: userName(by, c.UserID), Modified: v.when(c.LastModified.Time),
	}
}

// peopleFilters are the fields that narrow the list.
var peopleFilters = [...]string{"keyword", "email", "phone", "type", "agency_id", "is_archived"}

func showPeople(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	f := v.form()
	agencies := []choice{{Label: "any"}}
	for _, id := range c.Scope.Agencies() {
		number := strconv.FormatInt(int64(id), 10)
		agencies = append(agencies, choice{Value: number, Label: agencyName(c, int64(id))})
	}
	p := peoplePage{
		Form: f,
		Fields: []field{
			f.text("keyword", "Name, company or part of it", "", "").filled("off"),
			f.text("email", "E-mail", "", "").filled("off"),
			f.text("phone", "Phone", "", "").filled("off"),
			typeField(c, f),
			f.one("agency_id", "Agency", "", "", agencies),
			f.one("is_archived", "Archived", "", "", []choice{{Label: "any"}, {Value: "no", Label: "no"}, {Value: "yes", Label: "yes"}}),
		},
		Empty: empty{Title: "No customers yet", Text: "Customers appear here when a client of the API creates them or a lead comes in."},
	}
	for _, name := range peopleFilters {
		if value := v.sent(name); value != "" {
			p.Kept = append(p.Kept, choice{Value: name, Label: value})
		}
	}
	if p.Asked = len(p.Kept) > 0; p.Asked {
		p.Empty = empty{Title: "Nobody is like that", Clear: link(v.Prefix, "people")}
	}
	if v.refused == nil {
		err = v.addPeople(c, &p)
	}
	return p, err
}

// typeField returns the filter by type: a choice where the site has types.
func typeField(c kernel.Caller, f *form) field {
	known, _ := c.Site.Dictionary.List(criteria.CustomerTypes)
	if len(known.Choices) == 0 {
		return f.text("type", "Type", "", "")
	}
	choices := []choice{{Label: "any"}}
	for _, t := range known.Choices {
		choices = append(choices, choice{Value: t.Code, Label: cmp.Or(t.Label, t.Code)})
	}
	return f.one("type", "Type", "", "", choices)
}

// addPeople adds a page of the customers that were asked for.
func (v *pageRequest) addPeople(c kernel.Caller, p *peoplePage) error {
	in := people.SearchCustomers{
		Keyword: v.typedText("keyword"), Email: v.typedText("email"), Phone: v.typedText("phone"), Type: v.typedText("type"),
		SortType: opt.Of("date"), SortOrder: opt.Of("desc"),
	}
	if id, err := strconv.ParseInt(v.sent("agency_id"), 10, 64); err == nil {
		in.AgencyID = opt.Of(id)
	}
	if archived := v.sent("is_archived"); archived != "" {
		in.IsArchived = opt.Of(archived == "yes")
	}
	skip, _ := strconv.Atoi(v.sent("skip"))
	in.Skip, in.Count = opt.Of(max(skip, 0)), opt.Of(maxPeople)
	found, err := v.Site.People.SearchCustomers(v.ctx, c, in)
	if err != nil {
		return err
	}
	for _, one := range found.Data {
		p.Rows = append(p.Rows, v.personRow(c, one))
	}
	if found.HasMore {
		p.Skip = strconv.Itoa(max(skip, 0) + maxPeople)
	}
	return nil
}

// typedText returns a field of the form that was sent, absent when it is empty.
func (v *pageRequest) typedText(name string) opt.Field[string] {
	if typed := strings.TrimSpace(v.sent(name)); typed != "" {
		return opt.Of(typed)
	}
	return opt.Field[string]{}
}

// customerPage is one customer with the first records of each list about them.
type customerPage struct {
	ID    int64
	Name  string
	State state
	// MayHandle reports that the operator exports and anonymises people.
	MayHandle bool
	Figures   []figure
	Facts     []fact
	Contacts  []contactRow
	Mandates  []mandateRow
	Searches  []searchRow
	FollowUps []followUpRow
	Leads     []leadRow
	Products  []ownedRow
	Actions   []actionRow
	// Cut names the lists that are longer than what is shown.
	Cut string
}

func (p customerPage) title() string { return fmt.Sprintf("Customer %d", p.ID) }

// contactRow is a way to reach a customer.
type contactRow struct {
	Kind, Value, Notes string
}

// mandateRow is a mandate of a product that the customer owns.
type mandateRow struct {
	Number, Type, From, To, Price string
	Product                       ref
	State                         state
}

// searchRow is a search request in the list of a customer.
type searchRow struct {
	ID                        int64
	Name, Wanted, Price, Area string
	State                     state
	Modified                  moment
}

// followUpRow is a follow-up in the list of a customer.
type followUpRow struct {
	Product               ref
	Search                ref
	Status, Rating, Notes string
	Next                  string
	Modified              moment
}

// ownedRow is a product that the customer owns.
type ownedRow struct {
	Product              ref
	Status, Title, Price string
}

// actionRow is an action in the history of a customer.
type actionRow struct {
	At                   moment
	Label, Agent, Result string
	Product              ref
}

func showCustomer(v *pageRequest) (any, error) {
	id, c, who, err := readNamed(v, v.Site.People.GetCustomer, func(id int64) people.CustomerPath { return people.CustomerPath{ID: id} })
	if err != nil {
		return nil, err
	}
	p := customerPage{
		ID: id, Name: backoffice.NameOf(who.CustomerSummary), State: customerState(who), MayHandle: v.actor.May(operator.HandlePersons),
		Figures: v.customerFigures(c, who), Facts: customerFacts(c, who), Contacts: contactRows(who),
	}
	err = v.addBelongings(c, who, &p)
	return p, err
}

// addBelongings adds the lists of a customer's records.
func (v *pageRequest) addBelongings(c kernel.Caller, who people.Customer, p *customerPage) error {
	of := people.CustomerList{ID: p.ID}
	searches, err1 := v.Site.People.ListSearchRequests(v.ctx, c, of)
	followUps, err2 := v.Site.People.ListFollowUps(v.ctx, c, of)
	leads, err3 := v.Site.People.ListLeads(v.ctx, c, people.ListLeads{CustomerID: opt.Of(p.ID)})
	actions, err4 := v.Site.People.ListCustomerActions(v.ctx, c, people.ReadCustomerActions{ID: p.ID})
	moreProducts, err5 := v.addProducts(c, p)
	names, err6 := v.productNames(c, slices.Concat(
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
			Number: m.Number, Type: said(m.Type), From: said(m.DateStart), To: said(m.DateEnd), Price: amount(m.Price, c.Site.Settings().Currency),
			Product: v.toProduct(names, &m.ProductID), State: mandateState(m.Status),
		})
	}
	for _, r := range searches.Data {
		p.Searches = append(p.Searches, v.searchRow(c, r))
	}
	for _, f := range followUps.Data {
		p.FollowUps = append(p.FollowUps, v.followUpRow(c, names, p.ID, f))
	}
	for _, l := range leads.Data {
		p.Leads = append(p.Leads, v.leadRow(c, names, l))
	}
	for _, a := range actions.Data {
		p.Actions = append(p.Actions, v.actionRow(c, names, a))
	}
	p.Cut = cutLists(
		part{"search requests", searches.HasMore}, part{"follow-ups", followUps.HasMore}, part{"leads", leads.HasMore},
		part{"products", moreProducts}, part{"actions", actions.HasMore},
	)
	return nil
}

// addProducts adds the products that a customer owns, and reports whether there are
// more.
func (v *pageRequest) addProducts(c kernel.Caller, p *customerPage) (more bool, err error) {
	found, err := v.Site.People.ListCustomerProducts(v.ctx, c, people.CustomerProducts{ID: p.ID})
	if err != nil {
		return false, err
	}
	owned, err := found.Data.All(v.ctx)
	for _, one := range owned {
		p.Products = append(p.Products, ownedRow{
			Product: v.toProduct(productNames{one.ID: one.Model}, &one.ID), Status: said(one.Status), Title: said(one.Title), Price: amount(one.Price, c.Site.Settings().Currency),
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
	name string
	more bool
}

// cutLists names the lists that have more than is shown.
func cutLists(lists ...part) string {
	lists = slices.DeleteFunc(lists, func(l part) bool { return !l.more })
	names := make([]string, len(lists))
	for i, l := range lists {
		names[i] = l.name
	}
	return strings.Join(names, ", ")
}

func customerState(c people.Customer) state {
	switch {
	case c.AnonymizedAt != nil:
		return state{over, "anonymised"}
	case c.IsArchived:
		return state{over, "archived"}
	}
	return state{well, "known"}
}

func mandateState(status string) state {
	switch status {
	case "ACTIF":
		return state{well, status}
	case "PROJET":
		return state{told, status}
	}
	return state{over, status}
}

func (v *pageRequest) customerFigures(by kernel.Caller, c people.Customer) []figure {
	contact, added := v.instant(c.LastContactAt), v.when(c.DateAdded.Time)
	return []figure{
		{Label: "Type", Value: wordOf(by, criteria.CustomerTypes, c.Type), Words: true},
		{Label: "Search requests", Value: count(c.SearchesCount)},
		{Label: "Follow-ups", Value: count(c.FollowUpsCount)},
		{Label: "Last contact", Time: &contact},
		{Label: "Known since", Time: &added},
	}
}

func customerFacts(by kernel.Caller, c people.Customer) []fact {
	list := facts(
		"Civility", wordOf(by, criteria.Civilities, said(c.Civility)), "First name", said(c.Firstname), "Last name", said(c.Lastname), "Birth name", said(c.BirthName),
		"Company", said(c.Company), "Legal form", said(c.LegalForm), "SIRET", said(c.SIRET), "VAT number", said(c.VATNumber),
		"Roles", strings.Join(c.Roles, ", "), "Agency", agencyName(by, c.AgencyID), "Agent", userName(by, c.UserID),
		"Language", said(c.Language), "Born", strings.TrimSpace(said(c.BirthDate)+" "+said(c.BirthPlace)), "Nationality", said(c.Nationality),
		"Profession", said(c.Profession), "Family status", said(c.FamilyStatus), "Matrimonial regime", said(c.MatrimonialRegime),
		"Origin", strings.TrimSpace(wordOf(by, criteria.Origins, said(c.Origin))+" "+said(c.OriginDetail)), "Next contact", said(c.NextContact),
		"Consent", consentInWords(c.Consent), "Comment", said(c.Comment),
	)
	if n := c.Notary; n != nil {
		list = append(list, fact{"Notary", joined(numbered("customer", n.CustomerID), said(n.Name), said(n.Office), said(n.City), said(n.Email), said(n.Phone))})
	}
	for _, r := range c.RelatedContacts {
		list = append(list, fact{"Related", joined(r.Relation, numbered("customer", r.CustomerID), said(r.Firstname), said(r.Lastname), said(r.Email), said(r.Phone), said(r.Comment))})
	}
	return list
}

// joined returns the words that are not empty, with dots between them.
func joined(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " · ")
}

// consentInWords returns by which ways a customer may be reached and by which not; those that
// were never asked about are left out.
func consentInWords(c people.Consent) string {
	var words []string
	for _, about := range []struct {
		name    string
		allowed *bool
	}{{"e-mail", c.Email}, {"SMS", c.SMS}, {"phone", c.Phone}, {"partners", c.Partners}} {
		if about.allowed != nil {
			words = append(words, about.name+" "+map[bool]string{true: "yes", false: "no"}[*about.allowed])
		}
	}
	return strings.Join(words, ", ")
}

func contactRows(c people.Customer) []contactRow {
	var rows []contactRow
	primary := map[bool]string{true: "primary"}
	for _, e := range c.Emails {
		rows = append(rows, contactRow{"E-mail", e.Email, joined(said(e.Type), primary[e.IsPrimary])})
	}
	for _, n := range c.PhoneNumbers {
		rows = append(rows, contactRow{"Phone", n.Number, joined(said(n.Type), primary[n.IsPrimary], said(n.Comment))})
	}
	for _, a := range c.Addresses {
		where := strings.TrimSpace(said(a.PostalCode) + " " + said(a.City))
		rows = append(rows, contactRow{"Address", joined(said(a.Line1), said(a.Line2), where, said(a.Country)), joined(said(a.Type), primary[a.IsPrimary])})
	}
	return rows
}

func (v *pageRequest) followUpRow(c kernel.Caller, names productNames, of int64, f people.FollowUp) followUpRow {
	row := followUpRow{
		Product: v.toProduct(names, f.ProductID), Status: wordOf(c, criteria.FollowUpStatuses, f.Status), Next: said(f.NextContact), Notes: joined(wordOf(c, criteria.RefusalReasons, said(f.RefusalReason)), said(f.Comment)),
		Modified: v.when(f.LastModified.Time),
	}
	if f.Rating != nil {
		row.Rating = strconv.Itoa(*f.Rating) + " of 5"
	}
	if f.SearchID != nil {
		row.Search = ref{strconv.FormatInt(*f.SearchID, 10), link(v.Prefix, "people", of, "searches", *f.SearchID)}
	}
	return row
}

func (v *pageRequest) actionRow(c kernel.Caller, names productNames, a listing.ActionHistoryItem) actionRow {
	return actionRow{
		At: v.when(a.DatePerformed.Time), Label: joined(a.ActionLabel, said(a.ChildActionLabel)), Agent: userName(c, a.UserID),
		Result: said(a.Result), Product: v.toProduct(names, a.ProductID),
	}
}

// searchState returns how a search request stands.
func searchState(r people.SearchRequest) state {
	if r.IsActive && r.Status == "ACTIVE" {
		return state{well, r.Status}
	}
	return state{over, r.Status}
}

func (v *pageRequest) searchRow(c kernel.Caller, r people.SearchRequest) searchRow {
	return searchRow{
		ID: r.ID, Name: cmp.Or(said(r.Name), fmt.Sprintf("Search request %d", r.ID)), Wanted: joined(labelOf(c, criteria.KeyTransactionType, r.TransactionType), strings.Join(labelsOf(c, criteria.KeyPropertyType, r.PropertyTypes), ", ")),
		Price: between(r.PriceMin, r.PriceMax), Area: areasInWords(r.Areas), State: searchState(r), Modified: v.when(r.LastModified.Time),
	}
}

// areasInWords names areas.
func areasInWords(areas []people.Area) string {
	var names []string
	for _, a := range areas {
		name := cmp.Or(said(a.Label), said(a.Code), strings.ToLower(a.Type))
		if a.Excluded {
			name = "not " + name
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
