package porttest

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// peopleCommand makes up one command about people and what they look for.
func (p program) peopleCommand() command {
	return draw(p, "about", p.customerCommand, p.customerCommand, p.leadCommand, p.entityCommand, p.entityCommand, p.entityCommand)()
}

func (p program) registerCommand() command { return draw(p, "register", registers()...).command(p) }

func (p program) entityCommand() command { return draw(p, "entity", entities()...).command(p) }

func (p program) customerCommand() command {
	id := customer.ID(p.number("customer", 6))
	switch draw(p, "kind", "put", "put", "find", "find", "mentioning") {
	case "put":
		c := p.customer(id)
		return command{fmt.Sprintf("put %+v", c), func(tx port.Tx) (any, error) { return nil, tx.Customers().Put(c) }}
	case "find":
		q := p.customerQuery()
		return command{fmt.Sprintf("find %+v", q), func(tx port.Tx) (any, error) { return tx.Customers().Find(q) }}
	}
	return command{fmt.Sprint("mentioning ", id), func(tx port.Tx) (any, error) { return tx.Customers().Mentioning(p.site, id) }}
}

func (p program) customer(id customer.ID) customer.Customer {
	c := customer.Customer{
		ID: id, Site: p.site, Agency: site.AgencyID(p.number("agency", 2)), User: site.UserID(p.number("user", 2)),
		Type: draw(p, "type", "VENDEUR", "PROSPECT"), Lastname: draw(p, "name", "Roux", "ROUX", "Été", "ete", "Œuvre", "100%", `a_b\c`, ""),
		Company: draw(p, "company", "", "Zoé"), Archived: draw(p, "archived", true, false),
		Added: instant(int(p.number("added", 3))), Modified: instant(int(p.number("modified", 3))), Version: p.number("version", 9),
		Anonymized: draw(p, "anonymized", time.Time{}, time.Time{}, instant(3)),
	}
	c.Notary.Customer = customer.ID(p.number("notary", 6)) - 1
	for i := range p.number("emails", 3) - 1 {
		c.Emails = append(c.Emails, customer.Email{ID: i + 1, Address: draw(p, "email", "A@x.fr", "a@x.fr", "b%@x.fr"), Primary: i == 0})
	}
	for i := range p.number("phones", 3) - 1 {
		c.Phones = append(c.Phones, customer.PhoneNumber{ID: i + 1, Number: draw(p, "phone", "0612", "06 12", "3631"), E164: draw(p, "e164", "", "+33612"), Also: draw(p, "also", nil, []string{"0612"}, []string{"+33612", "0698"}), Primary: i == 0})
	}
	return c
}

func (p program) customerQuery() port.CustomerQuery {
	q := port.CustomerQuery{
		Site: p.site, Limit: int(p.number("limit", 4)), Skip: int(p.number("skip", 3)) - 1,
		Order: customer.Order{Key: draw(p, "key", customer.ByID, customer.ByModified, customer.ByAdded, customer.ByName), Desc: draw(p, "desc", true, false)},
		Filter: customer.Filter{
			Agencies: draw(p, "agencies", nil, []site.AgencyID{1}, []site.AgencyID{1, 2}, []site.AgencyID{1, 2}),
			Email:    draw(p, "email", "", "", "a@x.fr", "b%@x.fr"), Phone: draw(p, "phone", "", "", "+33612", "0612"), Digits: draw(p, "digits", "", "", "0612", "0698"),
			Keyword: draw(p, "keyword", "", "", "ete", "roux", "%", "_", `\`, "o", "zoe"), Type: draw(p, "type", "", "VENDEUR"),
			Users: draw(p, "users", nil, []site.UserID{2}),
		},
	}
	if draw(p, "since", true, false) {
		q.Filter.ModifiedSince = instant(2)
	}
	if draw(p, "archived", true, false) {
		flag := draw(p, "flag", true, false)
		q.Filter.Archived = &flag
	}
	if draw(p, "cursor", true, false) {
		q.After, q.Skip, q.Order = customer.ID(rapid.IntRange(1, 6).Draw(p.rapid, "after")), 0, customer.Order{}
	}
	return q
}

func (p program) leadCommand() command {
	id := demand.LeadID(p.number("lead", 4))
	l := sampleLead(p.site, id)
	l.Agency, l.Customer, l.Status = site.AgencyID(p.number("agency", 2)), customer.ID(p.number("customer", 2)), draw(p, "status", demand.LeadNew, "PERDU")
	q := port.LeadQuery{
		Site: p.site, Limit: int(p.number("limit", 4)), Agencies: draw(p, "agencies", nil, []site.AgencyID{1}, []site.AgencyID{1, 2}),
		Before: draw(p, "before", 0, demand.LeadID(p.number("id", 4))), Kind: draw(p, "kind", "", demand.SellerLead, demand.BuyerLead),
		Status: draw(p, "status", "", demand.LeadNew), Customer: draw(p, "customer", 0, customer.ID(2)),
	}
	keys := draw(p, "claim", nil, []string{"a\nb"}, []string{"c"}, []string{"d", "c"}, []string{"c", "a\nb", "c"}, []string{"a\nb", "d"})
	now, since := instant(int(p.number("now", 4))), instant(int(p.number("since", 4)))
	picked := draw(p, "kind",
		command{"put lead", func(tx port.Tx) (any, error) { return nil, tx.Leads().Put(l) }},
		command{"put lead again", func(tx port.Tx) (any, error) { return nil, tx.Leads().Put(l) }},
		command{"release", func(tx port.Tx) (any, error) { return nil, tx.Leads().Release(p.site, []demand.LeadID{id, 1}) }},
		command{fmt.Sprintf("list %+v", q), func(tx port.Tx) (any, error) { return tx.Leads().List(q) }},
		command{fmt.Sprintf("claim %q %v %v", keys, now, since), func(tx port.Tx) (any, error) { return tx.Leads().Claim(p.site, keys, id, now, since) }})
	picked.name += fmt.Sprint(" ", id)
	return picked
}

func sampleSearch(s site.ID, id demand.SearchID) demand.SearchRequest {
	budget, yes := 300_000.5, true
	return demand.SearchRequest{
		ID: id, Site: s, Customer: 3, Agency: 1, User: 2, Name: awkward, Active: true, Status: demand.StatusPaused,
		TransactionType: "Vente", PropertyTypes: []string{"Maison", awkward},
		Criteria: []criteria.Condition{
			{Criterion: "Prix", Type: criteria.NUMBER, Operator: criteria.INFERIEUR, Number: 0.1},
			{Criterion: "Ville", Type: criteria.TEXT, Operator: criteria.CONTIENT, Texts: []string{awkward}},
			{Criterion: "Jour", Type: criteria.DATE, Operator: criteria.SUPERIEUR, Number: 1.7e15, Instant: instant(11)},
		},
		KeyPoints: []demand.KeyPoint{
			{ID: "Balcon", Importance: demand.Souhaite, Condition: &criteria.Condition{Criterion: "Balcon", Type: criteria.FLAG, Operator: criteria.EGAL, Flag: true}},
			{ID: "CALME", Importance: demand.Exclu, Comment: awkward},
		},
		Areas: []demand.Area{
			{ID: 1, Type: demand.Radius, Label: "Ici", Center: criteria.Position{Latitude: 45.1, Longitude: -4.2}, RadiusKm: 2.5},
			{ID: 2, Type: demand.Shape, Outline: demand.Outline{{{{Latitude: 1, Longitude: 2}, {Latitude: 3, Longitude: 4}}}}, Excluded: true},
		},
		Financing: demand.Financing{BudgetTotal: &budget, LoanAgreed: &yes, Broker: "b"}, Alerts: demand.Alerts{Email: true, Frequency: "DAILY"},
		Urgency: "IMMEDIAT", Origin: "APPEL", Comment: awkward, Added: instant(1), Modified: instant(2), Version: 1 << 42,
	}
}

func sampleFollowUp(s site.ID, id demand.FollowUpID) demand.FollowUp {
	return demand.FollowUp{
		ID: id, Site: s, Customer: 1, Product: 2, Search: 3, User: 4, Status: "VISITE", RefusalReason: "PRIX", Rating: 5, Comment: awkward,
		NextContact: "2026-03-01", History: []demand.Step{{Status: "PROPOSE", At: instant(1), User: 1}, {Status: "VISITE", At: instant(2)}},
		Added: instant(3), Modified: instant(4), Version: 1 << 43,
	}
}

func sampleMerged(s site.ID, id customer.ID) customer.Merged {
	return customer.Merged{ID: id, Site: s, Into: 1 << 41, At: instant(5)}
}

func sampleScopeChange(s site.ID, id site.ScopeChangeID) site.ScopeChange {
	return site.ScopeChange{
		ID: id, Site: s, Agencies: []site.AgencyID{3, 1}, Entered: true, At: instant(5), Products: 1 << 41, Kind: "CUSTOMER", After: 1 << 42,
	}
}

func sampleLead(s site.ID, id demand.LeadID) demand.Lead {
	low := 1.5
	return demand.Lead{
		ID: id, Site: s, Agency: 1, User: 2, Kind: demand.SellerLead, Status: demand.LeadNew, Customer: 3, CustomerCreated: true, Product: 4, Search: 5, FollowUp: 6,
		LeadContact: demand.LeadContact{Civility: "MME", Firstname: "f", Lastname: awkward, Email: "e@d.fr", Phone: "06"}, Message: awkward,
		OtherEmails: []string{"g@d.fr", "h@d.fr"}, OtherPhones: []string{"07"},
		Origin: "PORTAIL", OriginDetail: "d", ExternalID: "x", Campaign: demand.Campaign{Source: "s", Medium: "m", Name: "n"},
		Metadata: `{"a":1.50}`, MetadataNames: []string{"a"},
		Project: demand.Project{Kind: "VENTE", Address: "1 rue", PostalCode: "01000", City: "B", Country: "FR", EstimatedFrom: &low, EstimationTool: "t", Horizon: "h"},
		Wish:    demand.Wish{TransactionType: "Vente", PriceMax: &low, VisitDay: "2026-03-01", VisitSlot: "matin"},
		Added:   instant(5), Modified: instant(6), Version: 1 << 44,
	}
}

func customersAreGoneWithTheirKeys(t *testing.T, w *world) {
	id := w.site(t)
	q := port.CustomerQuery{Site: id, Limit: 9, Filter: customer.Filter{Agencies: []site.AgencyID{1}, Phone: "+33612345678"}}
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Customers().Put(sampleCustomer(id, 1)) },
			func() error { return tx.Customers().Put(sampleCustomer(id, 2)) },
			func() error { return tx.Customers().Delete(id, 1) },
		)
	})
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Customers().Find(q)
		same(t, "found", []customer.Customer{sampleCustomer(id, 2)}, found)
		return err
	})
}
