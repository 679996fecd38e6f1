package memstore

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) Claims() port.Claims { return claims(t) }

type claims struct{ *unit }

func (r claims) Claim(of site.ID, names []string, id demand.LeadID, now, since time.Time) (demand.LeadID, error) {
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

func (r claims) Release(of site.ID, ids []demand.LeadID) error {
	return discard(r.unit, &r.state.claims, key(int64(of)), func(c demand.Claim) bool { return slices.Contains(ids, c.Lead) })
}
