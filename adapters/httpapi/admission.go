package httpapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-kit/kit/endpoint"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// admission shares out the heavy work of a process: only some requests are
// worked on at a time, and those that wait take turns by credential, so that a
// burst of one credential delays the others by a request or two. Light requests
// never wait.
//
// A place is taken when the request was read, and given back when the answer is
// composed: a client that sends or receives slowly holds up nobody.
type admission struct {
	// most is how many hydrated searches a credential may have under way; 0 is any
	// number.
	most   int
	places *places
}

func newAdmission(opts Options) *admission {
	return &admission{max(opts.Searches, 0), newPlaces(opts.HeavyReads)}
}

// searchesWait is how soon another search may well be admitted: a page takes some
// milliseconds.
const searchesWait = time.Second

// admit stands before the operations with heavy requests.
func (a *admission) admit(o operation) endpoint.Middleware {
	if o.Weight == kernel.Light {
		return pass
	}
	return func(next endpoint.Endpoint) endpoint.Endpoint {
		return func(ctx context.Context, in any) (any, error) {
			x := exchangeOf(ctx)
			weight := o.WeightOf(in)
			if weight == kernel.Light {
				return next(ctx, in)
			}
			most := 0
			if weight == kernel.Hydrated {
				most = a.most
			}
			leave, err := a.places.enter(ctx, x.caller.Grant.Credential, most)
			if err != nil {
				x.tellSearches(err)
				return nil, err
			}
			x.leave = leave
			return next(ctx, in)
		}
	}
}

// tellSearches tells a client that has too many searches under way that none is
// left.
func (x *exchange) tellSearches(err error) {
	if !errors.Is(err, fault.Limited) {
		return
	}
	var left []byte
	for _, others := range x.Header()[rateHeader] {
		left = append(left, others...)
	}
	x.Header()[rateHeader] = []string{string(appendLeft(left, searchesPolicy, 0, searchesWait))}
}

// done gives back the place of a request, if it has one.
func (x *exchange) done() {
	if x.leave != nil {
		x.leave()
		x.leave = nil
	}
}

// placeWithin is how long a request waits for a place. A client that waited longer would
// hardly wait for the answer.
const placeWithin = 20 * time.Second

// places are a number of places that credentials take in turn.
type places struct {
	within time.Duration

	mu sync.Mutex
	// free is how many places nobody has; while requests wait there are none.
	free int
	// bound: there are so many places and no more.
	bound bool
	// lines are the requests that wait, by credential, in the order of their
	// turns.
	lines []*queue
	// counted are the requests by credential that are under way or wait, and
	// count towards its bound.
	counted map[access.CredentialID]int
}

// queue is the requests of one credential that wait, in the order in which they
// came.
type queue struct {
	who     access.CredentialID
	waiting []chan struct{}
}

// newPlaces makes so many places, or any number if that is negative.
func newPlaces(number int) *places {
	return &places{free: number, bound: number >= 0, within: placeWithin, counted: map[access.CredentialID]int{}}
}

// enter waits for a place, and returns what gives it back. It fails where the
// credential has as many requests here as it may, unless most is 0; when it takes
// too long; and when the context ends.
func (p *places) enter(ctx context.Context, who access.CredentialID, most int) (leave func(), err error) {
	p.mu.Lock()
	if most > 0 {
		if p.counted[who] >= most {
			p.mu.Unlock()
			return nil, later{fault.New(fault.Limited, fault.CodeTooManySearches, "%d searches with fetch are under way", most), searchesWait}
		}
		p.counted[who]++
	}
	turn := p.take(who)
	p.mu.Unlock()
	if turn != nil {
		err = p.wait(ctx, who, turn)
	}
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.uncount(who, most)
		return nil, err
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.uncount(who, most)
		p.pass()
	}, nil
}

func (p *places) uncount(who access.CredentialID, most int) {
	if most == 0 {
		return
	}
	if p.counted[who]--; p.counted[who] == 0 {
		delete(p.counted, who)
	}
}

// take takes a free place, or gets in line: the channel is closed when it is its
// turn.
func (p *places) take(who access.CredentialID) chan struct{} {
	switch {
	case !p.bound:
		return nil
	case p.free > 0:
		p.free--
		return nil
	}
	turn := make(chan struct{})
	i := slices.IndexFunc(p.lines, func(l *queue) bool { return l.who == who })
	if i < 0 {
		i = len(p.lines)
		p.lines = append(p.lines, &queue{who: who})
	}
	p.lines[i].waiting = append(p.lines[i].waiting, turn)
	return turn
}

// pass gives a place to the next in line. Its credential then goes to the end.
func (p *places) pass() {
	if !p.bound {
		return
	}
	if len(p.lines) == 0 {
		p.free++
		return
	}
	next := p.lines[0]
	p.lines = p.lines[1:]
	close(next.waiting[0])
	if next.waiting = next.waiting[1:]; len(next.waiting) > 0 {
		p.lines = append(p.lines, next)
	}
}

// wait waits for a turn.
func (p *places) wait(ctx context.Context, who access.CredentialID, turn chan struct{}) error {
	late := time.NewTimer(p.within)
	defer late.Stop()
	var err error
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-late.C:
		err = fault.New(fault.Unavailable, fault.CodeUnavailable, "the server is busy with other searches")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.quit(who, turn) {
		p.pass() // its turn came meanwhile
	}
	return fmt.Errorf("waiting for a place: %w", err)
}

// quit gets out of line, unless it was its turn already.
func (p *places) quit(who access.CredentialID, turn chan struct{}) bool {
	for i, l := range p.lines {
		if l.who != who {
			continue
		}
		at := slices.Index(l.waiting, turn)
		if at < 0 {
			return false
		}
		if l.waiting = slices.Delete(l.waiting, at, at+1); len(l.waiting) == 0 {
			p.lines = slices.Delete(p.lines, i, i+1)
		}
		return true
	}
	return false
}
