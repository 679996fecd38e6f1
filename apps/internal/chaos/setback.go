package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// The figures of a database that went back.
const (
	lostProducts  = "answers about lost products other than 404"
	notFound      = "new products that a search does not find"
	otherContent  = "new products shown with other content"
	lostSettings  = "answers with settings that were lost"
	revokedTokens = "answers to a revoked token other than 401"
	idsTwice      = "ids told twice"
	eventsTwice   = "webhook-id told twice"
	tagsTwice     = "ETag versions told twice"
	untoldEvents  = "new events not told to a cursor of lost ones"
	uncountedRows = "rows of products without the count of the search"
)

const (
	keptProducts = 20
	goneProducts = 60 // more than the ids that PostgreSQL draws ahead
	newProducts  = 75
	keptChanges  = 5
)

// journey is how a database comes to go back.
type journey struct {
	world *world
	// keep makes the present the past that it goes back to.
	keep func(context.Context) error
	// back goes back, while servers go on. Then it tells more figures.
	back func(context.Context) ([]figure, error)
}

// past is two servers that live through it. Both learn what is lost; then one writes, and
// the other one has nothing but what it remembers.
type past struct {
	*scene
	remembers, writes *rig.Process

	kept  []int64         // ids of products
	gone  map[int64]bool  // those that are lost
	tags  map[string]bool // path and version
	last  int64           // the event told last
	heard map[string]int  // requests by webhook-id
	token string          // is revoked in the end
}

// goingBack puts servers to the test whose database goes back.
func goingBack(begin func(context.Context, *trial) (journey, error)) func(context.Context, *trial) ([]figure, error) {
	return func(ctx context.Context, t *trial) (_ []figure, err error) {
		j, err := begin(ctx, t)
		if err != nil {
			return nil, err
		}
		s, err := t.sceneIn(j.world)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, s.close()) }()
		s.receiver.answer = func(*inbox, *receipt) rig.Reply { return rig.Reply{Status: http.StatusOK} }
		servers, err := s.fleet(ctx, 2)
		if err != nil {
			return nil, err
		}
		p := &past{scene: s, remembers: servers[0], writes: servers[1], gone: map[int64]bool{}, tags: map[string]bool{}}
		if err := p.begin(ctx); err != nil {
			return nil, err
		}
		if err := j.keep(ctx); err != nil {
			return nil, err
		}
		if err := p.lose(ctx); err != nil {
			return nil, err
		}
		more, err := j.back(ctx)
		if err != nil {
			return nil, err
		}
		waited := time.Now()
		if err := p.ready(ctx); err != nil {
			return nil, err
		}
		more = append(more, milliseconds("until a server answered again", time.Since(waited)))
		figures, err := p.goOn(ctx)
		return append(more, figures...), errors.Join(err, stopAll(servers))
	}
}

// begin makes what stays.
func (p *past) begin(ctx context.Context) (err error) {
	id, err := p.client.Subscribe(ctx, p.writes.Address, 1, p.receiver.URL+"hook", "PRODUCT_CREATE", "PRODUCT_UPDATE")
	if err != nil {
		return err
	}
	p.hooks = []subscription{{1, id, "hook"}}
	if p.kept, err = p.create(ctx, "kept", keptProducts); err != nil {
		return err
	}
	if p.token, err = p.client.Grant(ctx, p.writes.Address, 1); err != nil {
		return err
	}
	for _, server := range p.both() {
		if err := p.accepted(ctx, server); err != nil {
			return err
		}
	}
	return p.drain(ctx, p.writes)
}

// accepted asks with the token that is revoked in the end.
func (p *past) accepted(ctx context.Context, server *rig.Process) error {
	status, err := p.as(ctx, p.token, server)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("a token before it is revoked: %d", status)
	}
	return err
}

func (p *past) both() []*rig.Process { return []*rig.Process{p.remembers, p.writes} }

// lose does, on both servers, what will be lost.
func (p *past) lose(ctx context.Context) error {
	tags, err := p.change(ctx)
	if err != nil {
		return err
	}
	ids, err := p.create(ctx, "gone", goneProducts)
	if err != nil {
		return err
	}
	for _, id := range ids {
		p.gone[id] = true
		for _, server := range p.both() {
			got, err := p.client.Call(ctx, server.Address, 1, http.MethodGet, product(id), nil)
			if err != nil || got.Status != http.StatusOK {
				return fmt.Errorf("a product before it is lost: %d, %w", got.Status, err)
			}
			tags = append(tags, version(id, got))
		}
	}
	for _, tag := range tags {
		p.tags[tag] = true
	}
	lost, err := p.client.Grant(ctx, p.writes.Address, 1)
	if err != nil {
		return err
	}
	if err := p.client.Revoke(ctx, p.writes.Address, lost); err != nil {
		return err
	}
	if err := p.world.provisionAs(ctx, "Gone"); err != nil {
		return err
	}
	// What both remember from now on.
	for _, server := range p.both() {
		if found, err := p.found(ctx, server, "gone"); err != nil || len(found) != goneProducts {
			return fmt.Errorf("%d products before they are lost, %w", len(found), err)
		}
		if body, err := p.read(ctx, server, "/agencies/1"); err != nil || !strings.Contains(body, "Gone") {
			return fmt.Errorf("settings before they are lost: %s, %w", body, err)
		}
		if status, err := p.as(ctx, lost, server); err != nil || status != http.StatusUnauthorized {
			return fmt.Errorf("a revoked token: %d, %w", status, err)
		}
		if err := p.accepted(ctx, server); err != nil {
			return err
		}
	}
	if err := p.drain(ctx, p.writes); err != nil {
		return err
	}
	p.heard = p.requests()
	p.last, err = p.head(ctx)
	return err
}

// ready waits until the server that writes does.
func (p *past) ready(ctx context.Context) error {
	if !rig.Until(ctx, time.Minute, 20*time.Millisecond, func() bool {
		got, err := p.client.Call(ctx, p.writes.Address, 1, http.MethodGet, "/site", nil)
		return err == nil && got.Status == http.StatusOK
	}) {
		return errors.New("no server answers any more")
	}
	return ctx.Err()
}

// goOn writes with one server, and asks the other one.
func (p *past) goOn(ctx context.Context) ([]figure, error) {
	tags, err := p.change(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := p.create(ctx, "new", newProducts)
	if err != nil {
		return nil, err
	}
	if err := p.world.provisionAs(ctx, "New"); err != nil {
		return nil, err
	}
	if err := p.client.Revoke(ctx, p.writes.Address, p.token); err != nil {
		return nil, err
	}
	var n struct{ lost, missing, other, settings, revoked, ids, tags int }
	for _, server := range p.both() {
		if status, err := p.as(ctx, p.token, server); err != nil || status != http.StatusUnauthorized {
			n.revoked++
		}
		if body, err := p.read(ctx, server, "/agencies/1"); err != nil || !strings.Contains(body, "New") {
			n.settings++
		}
		found, err := p.found(ctx, server, "new")
		if err != nil {
			return nil, err
		}
		for i, id := range ids {
			if !slices.Contains(found, id) {
				n.missing++
			}
			got, err := p.client.Call(ctx, server.Address, 1, http.MethodGet, product(id)+"?fetch=criteres_text", nil)
			if err != nil || !strings.Contains(string(got.Body), mark("new", i)) {
				n.other++
			}
			tags = append(tags, version(id, got))
		}
		for id := range p.gone {
			if got, err := p.client.Call(ctx, server.Address, 1, http.MethodGet, product(id), nil); err != nil || got.Status != http.StatusNotFound {
				n.lost++
			}
		}
	}
	for _, id := range ids {
		if p.gone[id] {
			n.ids++
		}
	}
	slices.Sort(tags)
	for _, tag := range slices.Compact(tags) {
		if p.tags[tag] {
			n.tags++
		}
	}
	uncounted, err := p.uncounted(ctx)
	if err != nil {
		return nil, err
	}
	untold, err := p.untold(ctx, ids)
	if err != nil {
		return nil, err
	}
	if err := p.drain(ctx, p.writes); err != nil {
		return nil, err
	}
	return []figure{
		count("products kept, lost, and new", keptProducts), count("... lost", len(p.gone)), count("... new", len(ids)),
		count(lostProducts, n.lost).none(), count(notFound, n.missing).none(), count(otherContent, n.other).none(),
		count(lostSettings, n.settings).none(), count(revokedTokens, n.revoked).none(),
		count(idsTwice, n.ids).none(), count(eventsTwice, p.again()).none(), count(tagsTwice, n.tags).none(),
		count(untoldEvents, untold).none(), count(uncountedRows, uncounted).none(),
	}, nil
}

func product(id int64) string { return "/products/" + strconv.FormatInt(id, 10) }

func mark(kind string, n int) string { return fmt.Sprintf("%s%dx", kind, n) }

// create makes products whose Ville has a mark.
func (p *past) create(ctx context.Context, kind string, n int) (ids []int64, err error) {
	for i := range n {
		id, err := p.client.Create(ctx, p.writes.Address, 1, "/products", rig.Object{"criteria": []rig.Object{{"id": "Ville", "value": mark(kind, i)}}})
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// change changes a product that stays, and returns the versions that it goes through.
func (p *past) change(ctx context.Context) (tags []string, err error) {
	id := p.kept[0]
	for price := range keptChanges {
		body := rig.Object{"product_id": id, "criteria": []rig.Object{{"id": "Prix", "value": price + 1}}}
		if err := p.client.Do(ctx, p.writes.Address, 1, http.MethodPatch, product(id), body, nil); err != nil {
			return nil, err
		}
		got, err := p.client.Call(ctx, p.writes.Address, 1, http.MethodGet, product(id), nil)
		if err != nil {
			return nil, err
		}
		tags = append(tags, version(id, got))
	}
	return tags, nil
}

// version is what writes over a product are compared by.
func version(id int64, got rig.Answer) string {
	of, _, _ := strings.Cut(strings.Trim(got.Header.Get("ETag"), `"`), "-")
	return fmt.Sprint(id, " ", of)
}

// found are the products of a kind that a search of all finds.
func (p *past) found(ctx context.Context, server *rig.Process, kind string) (ids []int64, err error) {
	all, err := p.listed(ctx, server, 1)
	for _, one := range all {
		if strings.HasPrefix(one.City, kind) {
			ids = append(ids, one.ID)
		}
	}
	return ids, err
}

func (p *past) read(ctx context.Context, server *rig.Process, path string) (string, error) {
	got, err := p.client.Call(ctx, server.Address, 1, http.MethodGet, path, nil)
	return string(got.Body), err
}

// as asks a server with a token.
func (p *past) as(ctx context.Context, token string, server *rig.Process) (status int, err error) {
	got, err := p.client.CallWith(ctx, token, server.Address, http.MethodGet, "/site", nil)
	return got.Status, err
}

// requests counts what came to the webhook.
func (p *past) requests() map[string]int {
	n := map[string]int{}
	p.receiver.look("hook", func(in *inbox) {
		for id, r := range in.events {
			n[id] = r.requests
		}
	})
	return n
}

// again counts the events that came before the database went back and came again after it.
func (p *past) again() (n int) {
	for id, requests := range p.requests() {
		if before, known := p.heard[id]; known && requests > before {
			n++
		}
	}
	return n
}

// head is the last event of the ledger.
func (p *past) head(ctx context.Context) (last int64, err error) {
	t, err := p.truth(ctx, p.writes)
	for id := range t.ledger[1] {
		last = max(last, id)
	}
	return last, err
}

// untold counts the products whose creation is not told to a client that knew lost events.
func (p *past) untold(ctx context.Context, ids []int64) (n int, err error) {
	news, err := p.ledgerAfter(ctx, p.remembers, 1, p.last)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(news, func(e entry) bool { return e.Type == "PRODUCT_CREATE" && e.Resource == id }) {
			n++
		}
	}
	return n, nil
}

// uncounted compares what a search counts with the rows of the database.
func (p *past) uncounted(ctx context.Context) (int, error) {
	rows, err := engine.Number(ctx, p.world.database, "SELECT count(*) FROM product")
	if err != nil {
		return 0, err
	}
	var counted struct {
		Count int `json:"count"`
	}
	err = p.client.Do(ctx, p.remembers.Address, 1, http.MethodPost, "/products/search/count", rig.Object{}, &counted)
	return max(rows-counted.Count, counted.Count-rows), err
}
