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

func followerKey(name string, id site.ID) string { return key(int64(id)) + name }

// following returns where a follower stands at a site.
func (l ledger) following(name string, id site.ID) following {
	f, found := l.state.followers.get(followerKey(name, id))
	if !found {
		f.Following = port.Following{Name: name, Site: id, Scanning: true}
	}
	return f
}

func (l ledger) Follow(name, holder string, now, until time.Time) (port.Following, bool, error) {
	if err := l.writing(); err != nil {
		return port.Following{}, false, err
	}
	var next following
	found := false
	for s := range l.state.sites.values() {
		head, err := l.state.head(s.ID)
		if err != nil {
			return port.Following{}, false, err
		}
		f := l.following(name, s.ID)
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
	l.keepFollowing(next)
	return next.Following, true, nil
}

func (l ledger) StopFollowing(f port.Following) error {
	if err := l.writing(); err != nil {
		return err
	}
	held := l.following(f.Name, f.Site)
	if f.Holder == "" || held.Holder != f.Holder {
		return nil
	}
	f.Holder = ""
	l.keepFollowing(following{Following: f, served: held.served})
	return nil
}

func (l ledger) keepFollowing(f following) {
	l.state.followers = l.state.followers.with(followerKey(f.Name, f.Site), f)
}

func (l ledger) Behind(name string) (events int64, sites int, err error) {
	if err := l.reading(); err != nil {
		return 0, 0, err
	}
	for s := range l.state.sites.values() {
		head, err := l.state.head(s.ID)
		if err != nil {
			return 0, 0, err
		}
		f := l.following(name, s.ID)
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
