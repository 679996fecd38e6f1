package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// The figures that are the same in several proofs.
const (
	lostWrites     = "acknowledged writes lost"
	doubledWrites  = "writes executed twice"
	unheardEvents  = "acknowledged events never delivered"
	lostDeliveries = "recorded events never delivered"
	inversions     = "events delivered before an earlier one of their resource"
	duplicates     = "duplicates per 100 deliveries"
	repeatedByKill = "duplicates of a kill beyond what was under way"
	repetitions    = "deliveries that were accepted again"
	otherAnswers   = "answers that the contract does not have for it"
)

// entry is an event of the ledger.
type entry struct {
	ID       int64  `json:"id"`
	Type     string `json:"event_type"`
	Resource int64  `json:"resource_id"`
}

// listed is a product as a search shows it.
type listed struct {
	ID    int64   `json:"id"`
	City  string  `json:"city"`
	Price float64 `json:"price"`
}

// truth is what the database holds in the end.
type truth struct {
	ledger   map[int]map[int64]entry // by site and id
	products map[int][]listed        // by site
}

func (s *scene) truth(ctx context.Context, server *rig.Process) (truth, error) {
	t := truth{map[int]map[int64]entry{}, map[int][]listed{}}
	for site := 1; site <= s.world.sites; site++ {
		t.ledger[site] = map[int64]entry{}
		events, err := s.ledgerAfter(ctx, server, site, 0)
		if err != nil {
			return t, err
		}
		for _, e := range events {
			t.ledger[site][e.ID] = e
		}
		if t.products[site], err = s.listed(ctx, server, site); err != nil {
			return t, err
		}
	}
	return t, nil
}

// ledgerAfter reads the ledger of a site, from an event on.
func (s *scene) ledgerAfter(ctx context.Context, server *rig.Process, site int, after int64) (all []entry, err error) {
	for more := true; more; {
		var page struct {
			Data []entry `json:"data"`
			More bool    `json:"has_more"`
		}
		path := "/events?limit=1000&after=" + strconv.FormatInt(after, 10)
		if err := s.client.Do(ctx, server.Address, site, http.MethodGet, path, nil, &page); err != nil {
			return all, err
		}
		for _, e := range page.Data {
			after = e.ID
		}
		all, more = append(all, page.Data...), page.More
	}
	return all, nil
}

// listed reads all products of a site, as a search shows them.
func (s *scene) listed(ctx context.Context, server *rig.Process, site int) (all []listed, err error) {
	for cursor, more := any(nil), true; more; {
		var page struct {
			Data []listed `json:"data"`
			Next *string  `json:"next_cursor"`
		}
		if err := s.client.Do(ctx, server.Address, site, http.MethodPost, "/products/search?fetch=criteres_text", rig.Object{"cursor": cursor}, &page); err != nil {
			return all, err
		}
		all = append(all, page.Data...)
		if more = page.Next != nil; more {
			cursor = *page.Next
		}
	}
	return all, nil
}

// drainAndAccount accounts for everything once nothing is on its way any more.
func (s *scene) drainAndAccount(ctx context.Context, server *rig.Process) ([]figure, error) {
	if err := s.drain(ctx, server); err != nil {
		return nil, err
	}
	return s.account(ctx, server)
}

// account compares what the writers were told, what the database holds, and what
// the webhooks received.
func (s *scene) account(ctx context.Context, server *rig.Process) ([]figure, error) {
	t, err := s.truth(ctx, server)
	if err != nil {
		return nil, err
	}
	lost, doubled, happened := s.writes(t)
	d := s.deliveries(t)
	for _, other := range s.load.others[:min(3, len(s.load.others))] {
		fmt.Println("answered:", other)
	}
	return []figure{
		count("acknowledged writes", s.load.acked),
		count("writes of unknown end", s.load.unknown),
		count("... that had happened", happened),
		count(lostWrites, lost).none(),
		count(doubledWrites, doubled).none(),
		count(otherAnswers, len(s.load.others)).none(),
		count(unheardEvents, d.unheard).none(),
		count(lostDeliveries, d.lost).none(),
		count("deliveries of what never happened", d.phantoms).none(),
		count(inversions, d.inversions).none(),
		count("highest number of an attempt", d.attempt).atMost(4),
		count("deliveries", d.accepted),
		told("failed on purpose", 100*float64(d.failed)/float64(max(1, d.requests)), "%"),
		count(repetitions, d.repeated),
		told(duplicates, 100*float64(d.repeated)/float64(max(1, d.accepted)), ""),
		milliseconds("until everything was delivered", s.drained),
	}, nil
}

// writes counts acknowledged writes that are not there, writes that happened
// twice, and writes of unknown end that happened.
func (s *scene) writes(t truth) (lost, doubled, happened int) {
	marks := map[string]int{}
	prices := map[int64]float64{}
	for _, products := range t.products {
		for _, p := range products {
			marks[p.City]++
			prices[p.ID] = p.Price
		}
	}
	for _, c := range s.load.created {
		n := marks[c.mark]
		switch {
		case c.mark == "":
		case c.acked && n == 0:
			lost++
		case n > 1:
			doubled += n - 1
		case !c.acked:
			happened += n
		}
	}
	changes := t.changes()
	for _, c := range s.load.changed {
		n := changes[c.id]
		lost += max(0, c.acked-n)
		doubled += max(0, n-c.acked-c.unknown)
		happened += max(0, min(n-c.acked, c.unknown))
		if prices[c.id] < float64(c.reached) {
			lost++
		}
	}
	return lost, doubled, happened
}

// changes counts the updates of each product in the ledger.
func (t truth) changes() map[int64]int {
	n := map[int64]int{}
	for _, ledger := range t.ledger {
		for _, e := range ledger {
			if e.Type == "PRODUCT_UPDATE" {
				n[e.Resource]++
			}
		}
	}
	return n
}

// arrivals is what came of the deliveries of all webhooks.
type arrivals struct {
	accepted, requests, failed, repeated, attempt int
	unheard, lost, phantoms, inversions           int
}

func (s *scene) deliveries(t truth) (d arrivals) {
	for _, hook := range s.hooks {
		s.receiver.look(hook.inbox, func(in *inbox) { d.add(in, hook.site, t.ledger[hook.site], s.load) })
	}
	return d
}

// add accounts for what one webhook received.
func (d *arrivals) add(in *inbox, site int, ledger map[int64]entry, l *load) {
	arrived := map[int64]bool{}
	created := map[int64]bool{}
	updates := map[int64]int{}
	for _, r := range in.events {
		d.requests += r.requests
		d.failed += r.failures
		d.attempt = max(d.attempt, r.attempt)
		if e, known := ledger[r.event]; !known || e.Type != r.kind || e.Resource != r.resource || r.site != site {
			d.phantoms++
		}
		if r.accepted == 0 {
			continue
		}
		d.accepted++
		d.repeated += r.accepted - 1
		arrived[r.event] = true
		if r.kind == "PRODUCT_CREATE" {
			created[r.resource] = true
		} else {
			updates[r.resource]++
		}
	}
	d.inversions += in.inversions
	for id := range ledger {
		if !arrived[id] {
			d.lost++
		}
	}
	for _, c := range l.created {
		if c.acked && c.site == site && !created[c.id] {
			d.unheard++
		}
	}
	for _, c := range l.changed {
		if c.site == site {
			d.unheard += max(0, c.acked-updates[c.id])
		}
	}
}
