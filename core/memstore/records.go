package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

type sites struct{ *tx }

func (r sites) Get(id site.ID) (site.Site, error) {
	return one(r.tx, r.state.sites, key(int64(id)), "site", id, cloneSite)
}

func (r sites) All() ([]site.Site, error) { return all(r.tx, r.state.sites, "", cloneSite) }

func (r sites) Put(s site.Site) error {
	if err := put(r.tx, &r.state.sites, key(int64(s.ID)), s, cloneSite); err != nil {
		return err
	}
	if _, err := r.state.head(s.ID); err != nil {
		r.state.heads = r.state.heads.with(key(int64(s.ID)), port.Head{})
	}
	return nil
}

func cloneSite(s site.Site) site.Site {
	s.Agencies, s.Groups = slices.Clone(s.Agencies), slices.Clone(s.Groups)
	s.Settings.EnergyScales = slices.Clone(s.Settings.EnergyScales)
	return s
}

type agencies struct{ *tx }

func (r agencies) Get(id site.AgencyID) (site.Agency, error) {
	return one(r.tx, r.state.agencies, key(int64(id)), "agency", id, cloneAgency)
}

func (r agencies) Of(id site.ID) ([]site.Agency, error) {
	every, err := all(r.tx, r.state.agencies, "", cloneAgency)
	return slices.DeleteFunc(every, func(a site.Agency) bool { return a.Site != id }), err
}

func (r agencies) Put(a site.Agency) error {
	return put(r.tx, &r.state.agencies, key(int64(a.ID)), a, cloneAgency)
}

func cloneAgency(a site.Agency) site.Agency {
	a.Latitude, a.Longitude = clonePointer(a.Latitude), clonePointer(a.Longitude)
	a.Card.Mentions = slices.Clone(a.Card.Mentions)
	a.OpeningHours, a.Languages = slices.Clone(a.OpeningHours), slices.Clone(a.Languages)
	return a
}

type users struct{ *tx }

func (r users) Of(id site.ID) ([]site.User, error) {
	return all(r.tx, r.state.users, key(int64(id)), cloneUser)
}

func (r users) Put(u site.User) error {
	return put(r.tx, &r.state.users, key(int64(u.Site), int64(u.ID)), u, cloneUser)
}

func cloneUser(u site.User) site.User {
	u.Languages = slices.Clone(u.Languages)
	return u
}

type definitions struct{ *tx }

func (r definitions) Of(id site.ID) ([]criteria.Definition, error) {
	return all(r.tx, r.state.criteria, key(int64(id)), cloneDefinition)
}

func (r definitions) Put(id site.ID, d criteria.Definition) error {
	return put(r.tx, &r.state.criteria, key(int64(id), int64(d.ID)), d, cloneDefinition)
}

func cloneDefinition(d criteria.Definition) criteria.Definition {
	d.Min, d.Max, d.Decimals = clonePointer(d.Min), clonePointer(d.Max), clonePointer(d.Decimals)
	d.PropertyTypes, d.Choices = slices.Clone(d.PropertyTypes), slices.Clone(d.Choices)
	return d
}

type lists struct{ *tx }

func (r lists) Of(id site.ID) ([]criteria.List, error) {
	return all(r.tx, r.state.lists, key(int64(id)), cloneList)
}

func (r lists) Put(id site.ID, l criteria.List) error {
	return put(r.tx, &r.state.lists, key(int64(id), int64(l.ID)), l, cloneList)
}

func cloneList(l criteria.List) criteria.List {
	l.Choices = slices.Clone(l.Choices)
	return l
}

type actionTypes struct{ *tx }

func (r actionTypes) Of(id site.ID) ([]action.Type, error) {
	return all(r.tx, r.state.actionTypes, key(int64(id)), cloneActionType)
}

func (r actionTypes) Put(id site.ID, a action.Type) error {
	return put(r.tx, &r.state.actionTypes, key(int64(id), int64(a.ID)), a, cloneActionType)
}

func cloneActionType(a action.Type) action.Type {
	a.Children = slices.Clone(a.Children)
	return a
}

type credentials struct{ *tx }

func (r credentials) Get(id access.CredentialID) (access.Credential, error) {
	return one(r.tx, r.state.credentials, string(id), "credential", id, cloneCredential)
}

func (r credentials) All() ([]access.Credential, error) {
	return all(r.tx, r.state.credentials, "", cloneCredential)
}

func (r credentials) Put(c access.Credential) error {
	return put(r.tx, &r.state.credentials, string(c.ID), c, cloneCredential)
}

func cloneCredential(c access.Credential) access.Credential {
	c.Sites, c.Permissions, c.Rights = slices.Clone(c.Sites), slices.Clone(c.Permissions), slices.Clone(c.Rights)
	return c
}

// many copies the records among ids that choose picks, by id.
func many[V any, ID ~int64](t *tx, records tree[V], of site.ID, ids []ID, choose func(V) (V, bool)) ([]V, error) {
	if err := t.reading(); err != nil {
		return nil, err
	}
	ids = slices.Clone(ids)
	slices.Sort(ids)
	var out []V
	for _, id := range slices.Compact(ids) {
		if v, found := records.get(key(int64(of), int64(id))); found {
			if v, ok := choose(v); ok {
				out = append(out, v)
			}
		}
	}
	return out, nil
}

func clonePointer[V any](p *V) *V {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
