package sqlstore

import (
	"fmt"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

func (t *tx) SearchRequests() port.SearchRequests { return searchRequestRole{t} }
func (t *tx) FollowUps() port.FollowUps           { return followUpRole{t} }
func (t *tx) Leads() port.Leads                   { return leadRole{t} }

// Search requests, follow-ups and leads are read and written whole: each is one
// JSON value, beside what it is looked for by.

var searchRequests = mapping[demand.SearchRequest]{
	table: "search_request",
	keys:  []string{"site_id", "id"},
	row: func(s *demand.SearchRequest) row {
		return row{{"site_id", whole(&s.Site)}, {"id", whole(&s.ID)}, {"body", document(s)}}
	},
	extra: func(s *demand.SearchRequest) row { return row{{"customer_id", whole(&s.Customer)}} },
}

var followUps = mapping[demand.FollowUp]{
	table: "follow_up",
	keys:  []string{"site_id", "id"},
	row: func(f *demand.FollowUp) row {
		return row{{"site_id", whole(&f.Site)}, {"id", whole(&f.ID)}, {"body", document(f)}}
	},
	extra: func(f *demand.FollowUp) row { return row{{"customer_id", whole(&f.Customer)}} },
}

var leads = mapping[lead.Lead]{
	table: "lead",
	keys:  []string{"site_id", "id"},
	row: func(l *lead.Lead) row {
		return row{{"site_id", whole(&l.Site)}, {"id", whole(&l.ID)}, {"body", document(l)}}
	},
	extra: func(l *lead.Lead) row {
		return row{{"agency_id", whole(&l.Agency)}, {"customer_id", whole(&l.Customer)}, {"kind", text(&l.Kind)}, {"status", text(&l.Status)}}
	},
}

// byKey finds the record with a key; in a unit that writes it is held.
func byKey[T any](t *tx, m mapping[T], id site.ID, key int64) (T, error) {
	b := m.find("site_id = ? AND id = ?")
	if t.writes && t.store.dialect.Held != "" {
		b = b.Suffix(t.store.dialect.Held)
	}
	return one(t, m, t.store.text(b), int64(id), key)
}

// ofCustomer lists the records of a customer, by id.
func ofCustomer[T any](t *tx, m mapping[T], id site.ID, c customer.ID) ([]T, error) {
	return list(t, m, t.store.text(m.find("site_id = ? AND customer_id = ?").OrderBy("id")), int64(id), int64(c))
}

// drop removes the record with a key, which must be there.
func drop[T any](t *tx, m mapping[T], id site.ID, key int64) error {
	n, err := t.exec(t.store.text(squirrel.Delete(m.table).Where("site_id = ? AND id = ?")), int64(id), key)
	if err == nil && n == 0 {
		return fmt.Errorf("%s %d: %w", m.table, key, fault.NotFound)
	}
	return err
}

type searchRequestRole struct{ *tx }

func (r searchRequestRole) Get(id site.ID, s demand.SearchID) (demand.SearchRequest, error) {
	return byKey(r.tx, searchRequests, id, int64(s))
}

func (r searchRequestRole) Many(id site.ID, ids []demand.SearchID) ([]demand.SearchRequest, error) {
	statement := r.store.text(searchRequests.find("site_id = ? AND id " + r.store.dialect.Among).OrderBy("id"))
	return list(r.tx, searchRequests, statement, int64(id), r.store.dialect.Numbers(plain(ids)))
}

func (r searchRequestRole) Of(id site.ID, c customer.ID) ([]demand.SearchRequest, error) {
	return ofCustomer(r.tx, searchRequests, id, c)
}

func (r searchRequestRole) Scan(id site.ID, after demand.SearchID, n int) ([]demand.SearchRequest, error) {
	statement := r.store.text(searchRequests.find("site_id = ? AND id > ?").OrderBy("id").Suffix("LIMIT ?"))
	return list(r.tx, searchRequests, statement, int64(id), int64(after), max(n, 0))
}

func (r searchRequestRole) Put(s demand.SearchRequest) error { return put(r.tx, searchRequests, s) }

func (r searchRequestRole) Delete(id site.ID, s demand.SearchID) error {
	return drop(r.tx, searchRequests, id, int64(s))
}

type followUpRole struct{ *tx }

func (r followUpRole) Get(id site.ID, f demand.FollowUpID) (demand.FollowUp, error) {
	return byKey(r.tx, followUps, id, int64(f))
}

func (r followUpRole) Of(id site.ID, c customer.ID) ([]demand.FollowUp, error) {
	return ofCustomer(r.tx, followUps, id, c)
}

func (r followUpRole) Put(f demand.FollowUp) error { return put(r.tx, followUps, f) }

func (r followUpRole) Delete(id site.ID, f demand.FollowUpID) error {
	return drop(r.tx, followUps, id, int64(f))
}

type leadRole struct{ *tx }

func (r leadRole) Get(id site.ID, l lead.ID) (lead.Lead, error) {
	return byKey(r.tx, leads, id, int64(l))
}

func (r leadRole) Of(id site.ID, c customer.ID) ([]lead.Lead, error) {
	return ofCustomer(r.tx, leads, id, c)
}

func (r leadRole) List(q port.LeadQuery) ([]lead.Lead, error) {
	b := leads.find("site_id = ? AND agency_id " + r.store.dialect.Among)
	args := []any{int64(q.Site), r.store.dialect.Numbers(plain(q.Agencies))}
	narrow := func(wanted bool, condition string, value any) {
		if wanted {
			b, args = b.Where(condition), append(args, value)
		}
	}
	narrow(q.Before != 0, "id < ?", int64(q.Before))
	narrow(q.Kind != "", "kind = ?", string(q.Kind))
	narrow(q.Status != "", "status = ?", q.Status)
	narrow(q.Customer != 0, "customer_id = ?", int64(q.Customer))
	return list(r.tx, leads, r.store.text(b.OrderBy("id DESC").Suffix("LIMIT ?")), append(args, max(q.Limit, 0))...)
}

func (r leadRole) Put(l lead.Lead) error { return put(r.tx, leads, l) }

// Claim writes the key even where it is another lead's, which holds it.
func (r leadRole) Claim(of site.ID, key string, id lead.ID, now, since time.Time) (lead.ID, error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	found, err := r.numbers("INSERT INTO lead_claim (site_id, claim_key, lead_id, claimed_at) VALUES ($1, $2, $3, $4) "+
		"ON CONFLICT (site_id, claim_key) DO UPDATE SET "+
		"lead_id = CASE WHEN lead_claim.claimed_at >= $5 THEN lead_claim.lead_id ELSE excluded.lead_id END, "+
		"claimed_at = CASE WHEN lead_claim.claimed_at >= $5 THEN lead_claim.claimed_at ELSE excluded.claimed_at END "+
		"RETURNING lead_id", int64(of), key, int64(id), micros(now), micros(since))
	if err != nil {
		return 0, err
	}
	return lead.ID(found[0]), nil
}

func (r leadRole) Release(of site.ID, id lead.ID) error {
	return r.remove("lead_claim", "lead_id", of, int64(id))
}
