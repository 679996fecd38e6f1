// Package memstore keeps everything in memory. It is the model the other
// stores are measured against, and the test double of those who embed Vitrine.
// It performs no I/O and forgets everything with the process.
package memstore

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Store is a port.Store in memory. Units of work that write take turns; those
// that read never wait and never keep a writer waiting.
type Store struct {
	turn  chan struct{} // holds a token while nobody writes
	state atomic.Pointer[state]
	drawn [port.Sequences]atomic.Int64
}

// state is everything the store holds. It is never changed once published: a
// unit of work changes a copy.
type state struct {
	records     tree[any] // by kind, site and id
	heads       tree[port.Head]
	events      tree[event.Event]
	times       tree[time.Time] // of the last event of each site
	sites       tree[site.Site]
	moves       tree[site.Move]
	actions     tree[customer.Action] // by subject
	contacts    tree[customer.Action] // about customers or with them, by customer
	credentials tree[access.Credential]
	uses        tree[access.Use]
	tokens      tree[access.Token]
	families    tree[access.Family]
	customers   tree[customer.Customer]
	claims      tree[demand.Claim]
	dealNumbers tree[int64] // by agency and kind

	products   tree[product.Product] // the deleted ones too
	purged     tree[bool]            // products
	references tree[product.ID]      // by agency and folded reference
	counters   tree[int64]           // by agency
	receipts   tree[port.Receipt]

	webhooks   tree[webhook.Webhook]
	deliveries tree[webhook.Delivery]
	pending    tree[webhook.DeliveryID] // by webhook and event
	attempts   tree[webhook.Attempt]    // by delivery and number
	leases     tree[lease]
	rejections tree[webhook.Rejection]
	redacted   tree[bool]
	followers  tree[following]
	usage      tree[requests]
	runs       tree[operator.ImportRun]
	reports    tree[operator.ImportLine] // by run and number

}

var _ port.Store = (*Store)(nil)

// New makes an empty store.
func New() *Store {
	s := &Store{turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	s.state.Store(&state{})
	return s
}

// Head implements port.Store.
func (s *Store) Head(ctx context.Context, id site.ID) (port.Head, error) {
	if err := ctx.Err(); err != nil {
		return port.Head{}, err
	}
	return s.state.Load().head(id)
}

// View implements port.Store.
func (s *Store) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.run(&unit{ctx: ctx, store: s, state: s.state.Load()}, fn)
}

// Update implements port.Store. As in every store, a unit of work that opens
// another one waits for itself.
func (s *Store) Update(ctx context.Context, fn func(port.Tx) error) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.turn:
	}
	defer func() { s.turn <- struct{}{} }()

	draft := *s.state.Load()
	if err := s.run(&unit{ctx: ctx, store: s, state: &draft, writes: true}, fn); err != nil {
		return err
	}
	s.state.Store(&draft)
	return nil
}

func (s *Store) run(u *unit, fn func(port.Tx) error) error {
	if err := u.ctx.Err(); err != nil {
		return err
	}
	defer func() { u.over = true }()
	if err := fn(port.Tx{Roles: tx{u}}); err != nil {
		return err
	}
	return errors.Join(u.broken, u.ctx.Err())
}
