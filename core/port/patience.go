package port

import (
	"context"
	"sync/atomic"
	"time"
)

// Patience is how long a request waits for its store in all, whatever it asks of it and how often.
// A store notes what the request waited for a connection, or for what others hold, and answers
// fault.Unavailable when nothing is left.
type Patience struct {
	limit  time.Duration
	waited atomic.Int64
}

type patienceKey struct{}

// WithPatience is the context of a request that arrives.
func WithPatience(ctx context.Context, limit time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, &Patience{limit: limit})
}

// WithoutPatience is the context of what several requests wait for, such as the loading of an
// index: no request bounds it.
func WithoutPatience(ctx context.Context) context.Context {
	return context.WithValue(ctx, patienceKey{}, (*Patience)(nil))
}

// PatienceOf is that of the request of a context, also of one that does not end with it; nil where
// nobody said how long it waits.
func PatienceOf(ctx context.Context) *Patience {
	p, _ := ctx.Value(patienceKey{}).(*Patience)
	return p
}

// Left is how long the request still waits.
func (p *Patience) Left() time.Duration { return max(0, p.limit-time.Duration(p.waited.Load())) }

// Waited notes that the request has waited.
func (p *Patience) Waited(d time.Duration) { p.waited.Add(int64(d)) }
