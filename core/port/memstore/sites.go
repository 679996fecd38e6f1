package memstore

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

type sites struct{ *unit }

func (r sites) Get(id site.ID) (site.Site, error) {
	return one(r.unit, r.state.sites, key(int64(id)), "site", id, deep)
}

func (r sites) All() ([]site.Site, error) { return all(r.unit, r.state.sites, "", deep) }

func (r sites) Put(s site.Site) error {
	if err := put(r.unit, &r.state.sites, key(int64(s.ID)), s, deep); err != nil {
		return err
	}
	if _, err := r.state.head(s.ID); err != nil {
		r.state.heads = r.state.heads.with(key(int64(s.ID)), port.Head{})
	}
	return nil
}

// many copies the records among ids that choose picks, by id.
func many[V any, ID ~int64](u *unit, records tree[V], of site.ID, ids []ID, choose func(V) (V, bool)) ([]V, error) {
	if err := u.reading(); err != nil {
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

// existing are those of ids whose record choose picks, by id.
func existing[V any, ID ~int64](u *unit, records tree[V], of site.ID, ids []ID, choose func(V) (ID, bool)) ([]ID, error) {
	var out []ID
	_, err := many(u, records, of, ids, func(v V) (V, bool) {
		id, ok := choose(v)
		if ok {
			out = append(out, id)
		}
		return v, false
	})
	return out, err
}

func clonePointer[V any](p *V) *V {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
