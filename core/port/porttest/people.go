package porttest

import (
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (p program) entityCommand() command { return draw(p, "entity", entities()...).command(p) }

func (p program) customerCommand() command {
	id := customer.ID(p.number("customer", 6))
	made, q := p.customer(id), p.customerQuery()
	put := writes("put", func(tx port.Tx) error { return tx.Customers().Put(made) })
	return p.pick(with{"made": made, "query": q}, []command{
		reads("find", func(tx port.Tx) ([]customer.Customer, error) { return tx.Customers().Find(q) }),
		reads("mentioning", func(tx port.Tx) ([]customer.Customer, error) { return tx.Customers().Mentioning(p.site, id-1) }),
	}, put, put, writes("delete", func(tx port.Tx) error { return tx.Customers().Delete(p.site, id) }))
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
	for range p.number("related", 3) - 1 {
		c.Related = append(c.Related, customer.RelatedContact{Customer: customer.ID(p.number("contact", 6)) - 1, Comment: `"Customer":9,`})
	}
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
	claim := reads("claim", func(tx port.Tx) (demand.LeadID, error) { return tx.Claims().Claim(p.site, keys, id, now, since) })
	released := []demand.LeadID{id, 1}[:p.number("leads", 3)-1]
	return p.pick(with{"lead": id, "keys": keys, "now": now, "since": since, "released": released}, nil, claim, claim,
		writes("release", func(tx port.Tx) error { return tx.Claims().Release(p.site, released) }))
}
