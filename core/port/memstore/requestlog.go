package memstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/port"
)

// RequestLog is a port.Requests and a port.Traffic in memory.
type RequestLog struct {
	mu        sync.RWMutex
	rows      map[string]trace.Request
	forgotten map[forgotten]bool
	counts    map[countKey]trace.Tally
	used      map[usedKey]trace.Deprecated
}

var (
	_ port.Requests = (*RequestLog)(nil)
	_ port.Traffic  = (*RequestLog)(nil)
)

type forgotten struct {
	site     site.ID
	customer customer.ID
}

type countKey struct {
	trace.Kind
	start time.Time
	width time.Duration
}

type usedKey struct {
	site            site.ID
	credential      access.CredentialID
	operation, name string
	day             time.Time
}

// NewRequestLog keeps nothing yet.
func NewRequestLog() *RequestLog {
	return &RequestLog{
		rows: map[string]trace.Request{}, forgotten: map[forgotten]bool{}, counts: map[countKey]trace.Tally{}, used: map[usedKey]trace.Deprecated{},
	}
}

// Add implements port.Requests.
func (l *RequestLog) Add(ctx context.Context, added []trace.Request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range added {
		if _, found := l.rows[r.ID]; found {
			continue
		}
		if slices.ContainsFunc(r.Customers, func(c customer.ID) bool { return l.forgotten[forgotten{r.Site, c}] }) {
			r = r.WithoutBodies()
		}
		l.rows[r.ID] = own(r)
	}
	return nil
}

// own is a request that shares nothing with the one given.
func own(r trace.Request) trace.Request {
	r.Deprecated, r.Customers = slices.Clone(r.Deprecated), slices.Clone(r.Customers)
	return r
}

// Get implements port.Requests.
func (l *RequestLog) Get(ctx context.Context, id string) (trace.Request, error) {
	if err := ctx.Err(); err != nil {
		return trace.Request{}, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	r, found := l.rows[id]
	if !found {
		return trace.Request{}, fmt.Errorf("request %s: %w", id, fault.NotFound)
	}
	return own(r), nil
}

// Find implements port.Requests.
func (l *RequestLog) Find(ctx context.Context, f trace.Filter, after trace.Cursor, n int) ([]trace.Request, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	var found []trace.Request
	for _, r := range l.rows {
		if f.Matches(r) && after.Before(r) {
			found = append(found, own(r.WithoutBodies()))
		}
	}
	slices.SortFunc(found, trace.Later)
	return found[:min(len(found), max(n, 0))], nil
}

// Forget implements port.Requests.
func (l *RequestLog) Forget(ctx context.Context, id site.ID, c customer.ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forgotten[forgotten{id, c}] = true
	for key, r := range l.rows {
		if r.Site == id && r.IsAbout(c) {
			l.rows[key] = r.WithoutBodies()
		}
	}
	return nil
}

// Purge implements port.Requests.
func (l *RequestLog) Purge(ctx context.Context, limits trace.Limits, n int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	gone := 0
	all := slices.SortedFunc(maps.Values(l.rows), func(a, b trace.Request) int { return trace.Later(b, a) })
	for _, r := range all {
		before := limits.Before
		if r.Refused() {
			before = limits.RefusedBefore
		}
		if gone < n && (r.At.Before(before) || len(l.rows) > limits.Most) {
			delete(l.rows, r.ID)
			gone++
		}
	}
	return gone, nil
}

// Count implements port.Traffic.
func (l *RequestLog) Count(ctx context.Context, more []trace.Count, used []trace.Deprecated) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range more {
		key := countKey{c.Kind, c.Start, c.Width}
		l.counts[key] = l.counts[key].Plus(c.Tally)
	}
	for _, d := range used {
		key := usedKey{d.Site, d.Credential, d.Operation, d.Name, d.Day}
		d.N += l.used[key].N
		l.used[key] = d
	}
	return nil
}

// Counts implements port.Traffic.
func (l *RequestLog) Counts(ctx context.Context, id site.ID, width time.Duration, from, until time.Time) ([]trace.Count, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	var found []trace.Count
	for key, tally := range l.counts {
		if key.Site == id && key.width == width && !key.start.Before(from) && key.start.Before(until) {
			found = append(found, trace.Count{Kind: key.Kind, Start: key.start, Width: width, Tally: tally})
		}
	}
	slices.SortFunc(found, trace.Earlier)
	return found, nil
}

// Totals implements port.Traffic.
func (l *RequestLog) Totals(ctx context.Context, of []site.ID, width time.Duration, from, until time.Time) ([]trace.Total, error) {
	var all []trace.Total
	for _, id := range slices.Compact(slices.Sorted(slices.Values(of))) {
		counts, err := l.Counts(ctx, id, width, from, until)
		if err != nil {
			return nil, err
		}
		var sums [6]int64 // by class
		for _, c := range counts {
			sums[c.Class] += c.N
		}
		for class, n := range sums {
			if n > 0 {
				all = append(all, trace.Total{Site: id, Class: class, N: n})
			}
		}
	}
	return all, nil
}

// Deprecated implements port.Traffic.
func (l *RequestLog) Deprecated(ctx context.Context, id site.ID) ([]trace.Deprecated, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	var found []trace.Deprecated
	for _, d := range l.used {
		if d.Site == id {
			found = append(found, d)
		}
	}
	slices.SortFunc(found, func(a, b trace.Deprecated) int {
		return cmp.Or(a.Day.Compare(b.Day), strings.Compare(string(a.Credential), string(b.Credential)),
			strings.Compare(a.Operation, b.Operation), strings.Compare(a.Name, b.Name))
	})
	return found, nil
}

// PurgeCounts implements port.Traffic.
func (l *RequestLog) PurgeCounts(ctx context.Context, minutes, hours time.Time, n int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	gone := map[time.Duration]int{}
	for key := range l.counts {
		before := hours
		if key.width == time.Minute {
			before = minutes
		}
		if key.start.Before(before) && gone[key.width] < n {
			delete(l.counts, key)
			gone[key.width]++
		}
	}
	days := 0
	for key := range l.used {
		if key.day.Before(hours) && days < n {
			delete(l.used, key)
			days++
		}
	}
	return gone[time.Minute] + gone[time.Hour] + days, nil
}
