package memstore

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// following is how far a follower has come at a site, and who has the lease.
type following struct {
	port.Following
	until, served time.Time
}

type followers struct{ *unit }

func followerKey(name string, id site.ID) string { return key(int64(id)) + name }

// at is where a follower stands at a site.
func (r followers) at(name string, id site.ID) following {
	f, found := r.state.followers.get(followerKey(name, id))
	if !found {
		f.Following = port.Following{Name: name, Site: id, Scanning: true}
	}
	return f
}

func (r followers) Take(name, holder string, now, until time.Time) (port.Following, bool, error) {
	if err := r.writing(); err != nil {
		return port.Following{}, false, err
	}
	var next following
	found := false
	for s := range r.state.sites.values() {
		head, err := r.state.head(s.ID)
		if err != nil {
			return port.Following{}, false, err
		}
		f := r.at(name, s.ID)
		if f.until.After(now) || !f.Scanning && f.Seq >= head.Seq || head.State != site.Open {
			continue
		}
		if !found || f.served.Before(next.served) {
			next, found = f, true
		}
	}
	if !found {
		return port.Following{}, false, nil
	}
	next.Holder, next.until, next.served = holder, until, now
	r.keep(next)
	return next.Following, true, nil
}

func (r followers) Release(f port.Following) error {
	if err := r.writing(); err != nil {
		return err
	}
	held := r.at(f.Name, f.Site)
	if f.Holder == "" || held.Holder != f.Holder {
		return nil
	}
	f.Holder = ""
	r.keep(following{Following: f, served: held.served})
	return nil
}

func (r followers) keep(f following) {
	r.state.followers = r.state.followers.with(followerKey(f.Name, f.Site), f)
}

func (r followers) Behind(name string) (events int64, sites int, err error) {
	if err := r.reading(); err != nil {
		return 0, 0, err
	}
	for s := range r.state.sites.values() {
		head, err := r.state.head(s.ID)
		if err != nil {
			return 0, 0, err
		}
		f := r.at(name, s.ID)
		switch {
		case head.State != site.Open:
		case f.Scanning:
			sites++
		default:
			events += head.Seq - f.Seq
		}
	}
	return events, sites, nil
}
