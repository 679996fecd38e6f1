package memstore

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) SearchRequests() port.SearchRequests {
	return customerTableOf(t.unit, &t.state.searches, "search request",
		func(s demand.SearchRequest) (site.ID, demand.SearchID, customer.ID) { return s.Site, s.ID, s.Customer })
}

func (t tx) FollowUps() port.FollowUps {
	return customerTableOf(t.unit, &t.state.followUps, "follow-up",
		func(f demand.FollowUp) (site.ID, demand.FollowUpID, customer.ID) { return f.Site, f.ID, f.Customer })
}

func (t tx) Leads() port.Leads {
	return leads{customerTableOf(t.unit, &t.state.leads, "lead",
		func(l demand.Lead) (site.ID, demand.LeadID, customer.ID) { return l.Site, l.ID, l.Customer })}
}

type leads struct {
	customerTable[demand.LeadID, demand.Lead]
}

func (r leads) List(q port.LeadQuery) ([]demand.Lead, error) {
	found, err := all(r.unit, r.state.leads, key(int64(q.Site)), r.clone)
	found = slices.DeleteFunc(found, func(l demand.Lead) bool {
		return !slices.Contains(q.Agencies, l.Agency) || q.Before != 0 && l.ID >= q.Before ||
			q.Kind != "" && l.Kind != q.Kind || q.Status != "" && l.Status != q.Status || q.Customer != 0 && l.Customer != q.Customer
	})
	slices.Reverse(found)
	return found[:min(len(found), max(q.Limit, 0))], err
}

func (r leads) Claim(of site.ID, names []string, id demand.LeadID, now, since time.Time) (demand.LeadID, error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	mine := demand.Claim{Lead: id, At: now}
	var free []string
	var others []demand.Claim
	for _, name := range names {
		k := key(int64(of)) + name
		held, found := r.state.claims.get(k)
		if !found || held.At.Before(since) || held.Compare(mine) == 0 {
			free = append(free, k)
		} else {
			others = append(others, held)
		}
	}
	holder := mine
	if len(others) > 0 {
		holder = slices.MinFunc(others, demand.Claim.Compare)
	}
	for _, k := range free {
		r.state.claims = r.state.claims.with(k, holder)
	}
	return holder.Lead, nil
}

func (r leads) Release(of site.ID, ids []demand.LeadID) error {
	return discard(r.unit, &r.state.claims, key(int64(of)), func(c demand.Claim) bool { return slices.Contains(ids, c.Lead) })
}
