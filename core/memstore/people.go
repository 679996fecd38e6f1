package memstore

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

func (t *tx) SearchRequests() port.SearchRequests { return searchRequests{t} }
func (t *tx) FollowUps() port.FollowUps           { return followUps{t} }
func (t *tx) Leads() port.Leads                   { return leads{t} }

type searchRequests struct{ *tx }

func (r searchRequests) Get(id site.ID, s demand.SearchID) (demand.SearchRequest, error) {
	return one(r.tx, r.state.searches, key(int64(id), int64(s)), "search request", s, demand.SearchRequest.Clone)
}

func (r searchRequests) Many(id site.ID, ids []demand.SearchID) ([]demand.SearchRequest, error) {
	return many(r.tx, r.state.searches, id, ids, func(s demand.SearchRequest) (demand.SearchRequest, bool) { return s.Clone(), true })
}

func (r searchRequests) Of(id site.ID, c customer.ID) ([]demand.SearchRequest, error) {
	found, err := all(r.tx, r.state.searches, key(int64(id)), demand.SearchRequest.Clone)
	return slices.DeleteFunc(found, func(s demand.SearchRequest) bool { return s.Customer != c }), err
}

func (r searchRequests) Scan(id site.ID, above demand.SearchID, n int) ([]demand.SearchRequest, error) {
	return after(r.tx, r.state.searches, int64(id), int64(above), n,
		func(s demand.SearchRequest) (demand.SearchRequest, bool) { return s.Clone(), true })
}

func (r searchRequests) Put(s demand.SearchRequest) error {
	return put(r.tx, &r.state.searches, key(int64(s.Site), int64(s.ID)), s, demand.SearchRequest.Clone)
}

func (r searchRequests) Delete(id site.ID, s demand.SearchID) error {
	return drop(r.tx, &r.state.searches, key(int64(id), int64(s)), "search request", s)
}

type followUps struct{ *tx }

func (r followUps) Get(id site.ID, f demand.FollowUpID) (demand.FollowUp, error) {
	return one(r.tx, r.state.followUps, key(int64(id), int64(f)), "follow-up", f, cloneFollowUp)
}

func (r followUps) Of(id site.ID, c customer.ID) ([]demand.FollowUp, error) {
	found, err := all(r.tx, r.state.followUps, key(int64(id)), cloneFollowUp)
	return slices.DeleteFunc(found, func(f demand.FollowUp) bool { return f.Customer != c }), err
}

func (r followUps) Put(f demand.FollowUp) error {
	return put(r.tx, &r.state.followUps, key(int64(f.Site), int64(f.ID)), f, cloneFollowUp)
}

func (r followUps) Delete(id site.ID, f demand.FollowUpID) error {
	return drop(r.tx, &r.state.followUps, key(int64(id), int64(f)), "follow-up", f)
}

func cloneFollowUp(f demand.FollowUp) demand.FollowUp {
	f.History = slices.Clone(f.History)
	return f
}

// claim is which lead a key stands for, and since when.
type claim struct {
	lead lead.ID
	at   time.Time
}

type leads struct{ *tx }

func (r leads) Get(id site.ID, l lead.ID) (lead.Lead, error) {
	return one(r.tx, r.state.leads, key(int64(id), int64(l)), "lead", l, same)
}

func (r leads) Of(id site.ID, c customer.ID) ([]lead.Lead, error) {
	found, err := all(r.tx, r.state.leads, key(int64(id)), same)
	return slices.DeleteFunc(found, func(l lead.Lead) bool { return l.Customer != c }), err
}

func (r leads) List(q port.LeadQuery) ([]lead.Lead, error) {
	found, err := all(r.tx, r.state.leads, key(int64(q.Site)), same)
	found = slices.DeleteFunc(found, func(l lead.Lead) bool {
		return !slices.Contains(q.Agencies, l.Agency) || q.Before != 0 && l.ID >= q.Before ||
			q.Kind != "" && l.Kind != q.Kind || q.Status != "" && l.Status != q.Status || q.Customer != 0 && l.Customer != q.Customer
	})
	slices.Reverse(found)
	return found[:min(len(found), max(q.Limit, 0))], err
}

func (r leads) Put(l lead.Lead) error {
	return put(r.tx, &r.state.leads, key(int64(l.Site), int64(l.ID)), l, same)
}

func (r leads) Claim(of site.ID, name string, id lead.ID, now, since time.Time) (lead.ID, error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	k := key(int64(of)) + name
	if held, found := r.state.claims.get(k); found && !held.at.Before(since) {
		return held.lead, nil
	}
	r.state.claims = r.state.claims.with(k, claim{id, now})
	return id, nil
}

func (r leads) Release(of site.ID, id lead.ID) error {
	return discard(r.tx, &r.state.claims, key(int64(of)), func(c claim) bool { return c.lead == id })
}
