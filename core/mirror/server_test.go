package mirror_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// server is a model of one with a catalogue, a log of events and webhooks. It loses, doubles and
// delays deliveries as a test says. A record's body is the number of the write that made it so.
type server struct {
	now      time.Time
	offers   mirror.Abilities
	finds    bool // webhooks can be looked for
	products map[int64]product
	history  map[int64][]product
	log      []event
	writes   int64
	hooks    map[int64]bool // whether each is active
	lastHook int64
	bag      []notice // deliveries that were not answered yet
	asked    map[string]int
}

// event is one of the log.
type event struct {
	id int64
	mirror.Key
	// before is what the product was.
	before product
}

// notice is a delivery.
type notice struct {
	mirror.Key
	deleted bool
}

type product struct {
	version int64
	shown   bool
	deleted bool
	at      time.Time
}

func newServer(offers mirror.Abilities) *server {
	return &server{
		now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), offers: offers, finds: offers.Hooks,
		products: map[int64]product{}, history: map[int64][]product{}, hooks: map[int64]bool{}, asked: map[string]int{},
	}
}

// write changes a product, and tells those who subscribed.
func (s *server) write(id int64, shown, deleted bool) {
	s.now = s.now.Add(4 * time.Minute)
	key := mirror.Key{Kind: mirror.Product, ID: id}
	s.writes++
	s.log = append(s.log, event{s.lastID() + 1, key, s.products[id]})
	s.products[id] = product{s.writes, shown && !deleted, deleted, s.now}
	s.history[id] = append(s.history[id], s.products[id])
	for _, active := range s.hooks {
		if active {
			s.bag = append(s.bag, notice{key, deleted})
		}
	}
}

// lastID is the number of the last event.
func (s *server) lastID() int64 {
	if len(s.log) == 0 {
		return 0
	}
	return s.log[len(s.log)-1].id
}

// setBackGap is what numbers are moved on by when a database was set back.
const setBackGap = 1_000_000

// setBack undoes the last writes, as a database does that is brought back from a backup. Its numbers
// go on beyond all that were given.
func (s *server) setBack(writes int) {
	last := s.lastID()
	for range min(writes, len(s.log)) {
		undone := s.log[len(s.log)-1]
		s.log = s.log[:len(s.log)-1]
		s.products[undone.ID] = undone.before
	}
	s.log = append(s.log, event{id: last + setBackGap, Key: mirror.Key{Kind: mirror.Vocabulary}})
	s.bag = nil
}

func (s *server) record(id int64) mirror.Record {
	p, is := s.products[id]
	r := mirror.Record{Key: mirror.Key{Kind: mirror.Product, ID: id}, Gone: !is || p.deleted, Shown: p.shown}
	if r.Shown {
		r.Body = []byte(strconv.FormatInt(p.version, 10))
	}
	return r
}

// unshown returns the numbers of the writes after which a product was not shown, and 0 for the time before the first.
func (s *server) unshown(id int64) []int64 {
	versions := []int64{0}
	for _, p := range s.history[id] {
		if !p.shown {
			versions = append(versions, p.version)
		}
	}
	return versions
}

const pageSize = 3

// active returns a page of the ids that are shown, ascending, and its cursor.
func (s *server) active(since time.Time, cursor string) ([]int64, string) {
	after, _ := strconv.ParseInt(cursor, 10, 64)
	var ids []int64
	for _, id := range slices.Sorted(maps.Keys(s.products)) {
		if p := s.products[id]; id > after && p.shown && !p.at.Before(since) {
			ids = append(ids, id)
		}
	}
	if len(ids) <= pageSize {
		return ids, ""
	}
	return ids[:pageSize], strconv.FormatInt(ids[pageSize-1], 10)
}

// has reports that the server offers what a task asks for.
func (s *server) has(t mirror.Task) bool {
	switch t.(type) {
	case mirror.ReadHead, mirror.ReadEvents:
		return s.offers.Events
	case mirror.Look:
		return s.offers.Hooks
	}
	return true
}

// answer carries out a task, and returns what is seen of it.
func (s *server) answer(t mirror.Task) mirror.Observation {
	if _, is := t.(mirror.Doubt); !is {
		s.asked[fmt.Sprintf("%T", t)]++
	}
	if !s.has(t) {
		return mirror.Failed{Wait: time.Second, Lacking: true, Problem: "no such operation"}
	}
	switch t := t.(type) {
	case mirror.Doubt:
		return mirror.Doubted{Sweep: t.Sweep}
	case mirror.Learn:
		return mirror.Learned{Abilities: s.offers}
	case mirror.ReadHead:
		return mirror.HeadRead{Last: s.lastID()}
	case mirror.Keep:
		hook, anew := s.keep(t.Hook)
		return mirror.WasKept{Hook: hook, Anew: anew}
	case mirror.Look:
		return mirror.Looked{Suspended: !s.hooks[t.Hook]}
	case mirror.ReadEvents:
		page := mirror.EventPage{Read: s.lastID(), Last: s.lastID()}
		last := t.After
		for _, one := range s.log {
			if one.id <= t.After {
				continue
			}
			if len(page.Keys) == pageSize {
				page.Read, page.More = last, true
				break
			}
			page.Skipped = page.Skipped || one.id-last >= setBackGap
			page.Keys, last = append(page.Keys, one.Key), one.id
		}
		return mirror.EventsRead{Page: page}
	case mirror.ReadProducts:
		ids, next := s.active(t.Since, t.Cursor)
		page := mirror.Page{Next: next, Date: s.now}
		for _, id := range ids {
			page.Records = append(page.Records, s.record(id))
		}
		return mirror.ProductsRead{Page: page, Asked: t.Asked}
	case mirror.ReadIDs:
		ids, next := s.active(time.Time{}, t.Cursor)
		return mirror.IDsRead{Page: mirror.IDPage{IDs: ids, Next: next}}
	}
	panic(fmt.Sprintf("%T", t))
}

// keep does what Remote.Keep says.
func (s *server) keep(hook int64) (id int64, anew bool) {
	if _, is := s.hooks[hook]; !is && s.finds && len(s.hooks) > 0 {
		hook = slices.Min(slices.Collect(maps.Keys(s.hooks)))
	} else if !is {
		s.lastHook++
		hook, anew = s.lastHook, true
	}
	s.hooks[hook] = true
	return hook, anew
}
