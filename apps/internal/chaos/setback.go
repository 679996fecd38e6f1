package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

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
	goneProducts = 120 // far more than the ids that are drawn ahead
	newProducts  = 135
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
	var n wrongs
	for _, server := range p.both() {
		seen, err := p.asked(ctx, server, ids, &n)
		if err != nil {
			return nil, err
		}
		tags = append(tags, seen...)
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

// wrongs counts what is answered from a past that did not happen.
type wrongs struct{ lost, missing, other, settings, revoked, ids, tags int }

// asked asks a server about what was lost and what is new, and returns the versions of the
// new products.
func (p *past) asked(ctx context.Context, server *rig.Process, ids []int64, n *wrongs) (tags []string, err error) {
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
	return tags, nil
}
