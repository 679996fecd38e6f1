package porttest

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// peopleCommand makes up one command about people and what they look for.
func (p program) peopleCommand() command {
	return draw(p, "about", p.customerCommand, p.customerCommand, p.claimCommand, p.entityCommand, p.entityCommand, p.entityCommand)()
}

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

func (p program) claimCommand() command {
	id := demand.LeadID(p.number("lead", 4))
	keys := draw(p, "claim", nil, []string{"a\nb"}, []string{"c"}, []string{"d", "c"}, []string{"c", "a\nb", "c"}, []string{"a\nb", "d"})
	now, since := instant(int(p.number("now", 4))), instant(int(p.number("since", 4)))
	picked := draw(p, "kind",
		command{"release", func(tx port.Tx) (any, error) { return nil, tx.Claims().Release(p.site, []demand.LeadID{id, 1}) }},
		command{fmt.Sprintf("claim %q %v %v", keys, now, since), func(tx port.Tx) (any, error) { return tx.Claims().Claim(p.site, keys, id, now, since) }})
	picked.name += fmt.Sprint(" ", id)
	return picked
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
