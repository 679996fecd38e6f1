package sqlstore

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

func (t *tx) SearchRequests() port.SearchRequests {
	return customerTableOf[demand.SearchID](t, searchRequests)
}

func (t *tx) FollowUps() port.FollowUps {
	return customerTableOf[demand.FollowUpID](t, followUps)
}

func (t *tx) Leads() port.Leads {
	return leadRole{customerTableOf[lead.ID](t, leads)}
}

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

type leadRole struct {
	customerTable[lead.ID, lead.Lead]
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
