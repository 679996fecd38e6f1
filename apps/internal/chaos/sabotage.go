package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// The sabotages: mistakes that servers like this one have been made with. They
// stand between the product and its ports, and never in it.
const (
	// markBeforeSend takes a delivery for made when it is about to be sent.
	markBeforeSend = "marks before it sends"
	// ackBeforeCommit answers when a unit of work is done, and then commits.
	ackBeforeCommit = "answers before it commits"
	// asyncCommit lets PostgreSQL confirm what is not on the disk.
	asyncCommit = "commits asynchronously"
	// blindRetry runs a unit of work again when nobody knows whether it was
	// committed.
	blindRetry = "retries blindly"
	// bareErrors forgets that the database was away, and not the server broken.
	bareErrors = "reports errors bare"
	// skipWaiting sends what is due, also behind something that is not.
	skipWaiting = "skips what waits"
	// weakLease takes leases that last for milliseconds, and never looks whether
	// it still has them.
	weakLease = "holds no lease"
	// forgetAttempts does not store how often a delivery failed.
	forgetAttempts = "forgets attempts"
	// hoards makes attempts without end before it stores what came of them.
	hoards = "hoards results"
	// onePlace serves one webhook at a time.
	onePlace = "has one place"
	// tellsFirst commits the events about offers, and then the offers.
	tellsFirst = "tells before it stores"
	// sharesWriter keeps requests where everything else is kept.
	sharesWriter = "shares the writer"
	// cancelsCommits ends a commit with the request that it is for.
	cancelsCommits = "commits with the context of the request"
	// endlessTokens never looks when a token ends.
	endlessTokens = "lets tokens live for ever"
	// noBreakers blames receivers for its own network.
	noBreakers = "has no breakers"
)

// The sabotages outside of the server: settings of it, of the database or of what is
// between them.
const (
	// constantPlace has the database always say that it is where it was, or that the numbers
	// were moved on since.
	constantPlace = "has a constant place"
	// dropsColumn takes a column away that the version before reads.
	dropsColumn = "drops a column"
	// noDeadlines waits for PostgreSQL for as long as it takes.
	noDeadlines = "has no deadlines"
	// noEviction remembers all sites.
	noEviction = "never forgets"
	// knowsNoSites sends requests to any server.
	knowsNoSites = "knows no sites"
	// prepares has the server prepare statements, as it does without --pooled.
	prepares = "prepares statements at a pooler"
	// unready tells balancers that it is not ready when it is gone.
	unready = "is not ready only after closing"
)

func outside() []string {
	return []string{asyncCommit, constantPlace, dropsColumn, knowsNoSites, noDeadlines, noEviction, prepares, unready}
}

// tamper puts a sabotage before a store.
func tamper(s port.Store, sabotage string) port.Store {
	switch sabotage {
	case ackBeforeCommit:
		return hasty{s}
	case blindRetry:
		return stubborn{s}
	case bareErrors:
		return blunt{s}
	case skipWaiting:
		return tampered{s, func(tx port.Tx) port.Tx { return port.Tx{Roles: impatientTx{tx.Roles}} }}
	case weakLease:
		return tampered{s, func(tx port.Tx) port.Tx { return port.Tx{Roles: carelessTx{tx.Roles}} }}
	case tellsFirst:
		return torn{s}
	case forgetAttempts:
		return tampered{s, func(tx port.Tx) port.Tx { return port.Tx{Roles: forgetfulTx{tx.Roles}} }}
	case hoards:
		return hoarding{s}
	case endlessTokens:
		return tampered{s, func(tx port.Tx) port.Tx { return port.Tx{Roles: generousTx{tx.Roles}} }}
	}
	return s
}

type hasty struct{ port.Store }

func (s hasty) Update(ctx context.Context, fn func(port.Tx) error) error {
	done := make(chan error, 1)
	say := func(err error) {
		select {
		case done <- err:
		default:
		}
	}
	go func() {
		say(s.Store.Update(context.WithoutCancel(ctx), func(tx port.Tx) error {
			err := fn(tx)
			if err == nil {
				say(nil)
				time.Sleep(5 * time.Millisecond)
			}
			return err
		}))
	}()
	return <-done
}

type stubborn struct{ port.Store }

func (s stubborn) Update(ctx context.Context, fn func(port.Tx) error) (err error) {
	for range 50 {
		if err = s.Store.Update(ctx, fn); !errors.Is(err, fault.Unavailable) {
			break
		}
		rig.Wait(ctx, 50*time.Millisecond)
	}
	return err
}

type blunt struct{ port.Store }

func (s blunt) Update(ctx context.Context, fn func(port.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	if errors.Is(err, fault.Unavailable) {
		return errors.New(err.Error())
	}
	return err
}

// tampered changes what every unit of work sees.
type tampered struct {
	port.Store
	change func(port.Tx) port.Tx
}

func (s tampered) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.View(ctx, func(tx port.Tx) error { return fn(s.change(tx)) })
}

func (s tampered) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(s.change(tx)) })
}

// torn makes two units of work of one.
type torn struct{ port.Store }

func (s torn) Update(ctx context.Context, fn func(port.Tx) error) error {
	var late []offer.Offer
	if err := s.Store.Update(ctx, func(tx port.Tx) error {
		late = nil
		return fn(port.Tx{Roles: tornTx{tx.Roles, &late}})
	}); err != nil || len(late) == 0 {
		return err
	}
	rig.Wait(ctx, 20*time.Millisecond)
	return s.Store.Update(ctx, func(tx port.Tx) error {
		for _, o := range late {
			if err := tx.Offers().Put(o); err != nil {
				return err
			}
		}
		return nil
	})
}

type tornTx struct {
	port.Roles
	late *[]offer.Offer
}

func (t tornTx) Records() port.Records { return lateOffers{t.Roles.Records(), t.late} }

type lateOffers struct {
	port.Records
	late *[]offer.Offer
}

func (r lateOffers) Put(k port.Kind, record any) error {
	if o, is := record.(*offer.Offer); is {
		*r.late = append(*r.late, *o)
		return nil
	}
	return r.Records.Put(k, record)
}

// hoarding keeps the results of attempts for a while before it stores them.
type hoarding struct{ port.Store }

var errKept = errors.New("the results are kept for a while")

func (s hoarding) Update(ctx context.Context, fn func(port.Tx) error) error {
	err := s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: hoardingTx{tx.Roles}}) })
	if !errors.Is(err, errKept) {
		return err
	}
	rig.Wait(ctx, 300*time.Millisecond) // with nothing locked
	return s.Store.Update(ctx, fn)
}

type hoardingTx struct{ port.Roles }

func (t hoardingTx) Deliveries() port.Deliveries { return keptResults{t.Roles.Deliveries()} }

type keptResults struct{ port.Deliveries }

func (d keptResults) Settle(settled []webhook.Settled) error {
	if len(settled) > 0 {
		return errKept
	}
	return d.Deliveries.Settle(settled)
}

type impatientTx struct{ port.Roles }

func (t impatientTx) Deliveries() port.Deliveries { return dueOnly{t.Roles.Deliveries()} }

type dueOnly struct{ port.Deliveries }

func (d dueOnly) Pending(id site.ID, hook webhook.ID, n int) (due []webhook.Delivery, err error) {
	all, err := d.Deliveries.Pending(id, hook, n)
	for _, one := range all {
		if !one.Due.After(time.Now()) {
			due = append(due, one)
		}
	}
	return due, err
}

type carelessTx struct{ port.Roles }

func (t carelessTx) Webhooks() port.Webhooks { return weakLeases{t.Roles.Webhooks()} }

type weakLeases struct{ port.Webhooks }

func (t weakLeases) Take(holder string, now, _ time.Time, n int) ([]webhook.Lease, error) {
	return t.Webhooks.Take(holder, now, now.Add(5*time.Millisecond), n)
}
func (weakLeases) Hold(webhook.Lease) (held, open bool, err error)      { return true, true, nil }
func (weakLeases) Kept(leases []webhook.Lease) ([]webhook.Lease, error) { return leases, nil }
func (weakLeases) Extend(webhook.Lease, time.Time) error                { return nil }

type forgetfulTx struct{ port.Roles }

func (t forgetfulTx) Deliveries() port.Deliveries { return uncounted{t.Roles.Deliveries()} }

type uncounted struct{ port.Deliveries }

func (d uncounted) Settle(settled []webhook.Settled) error {
	settled = slices.Clone(settled)
	for i := range settled {
		if one := &settled[i].Delivery; one.Status == webhook.Pending {
			one.Number, one.Failures = 0, 0
		}
	}
	return d.Deliveries.Settle(settled)
}

type generousTx struct{ port.Roles }

func (t generousTx) Tokens() port.Tokens { return endless{t.Roles.Tokens()} }

type endless struct{ port.Tokens }

func (r endless) Get(hash access.Hash) (access.Token, error) {
	t, err := r.Tokens.Get(hash)
	t.Expires = t.Expires.AddDate(10, 0, 0)
	return t, err
}

// eager reports success and puts the request into a queue in memory, from which
// it is sent for as long as it takes.
type eager struct{ port.Sender }

func (s eager) Send(_ context.Context, r webhook.Request) webhook.Answer {
	go func() {
		for range 50 {
			time.Sleep(100*time.Millisecond + rand.N(200*time.Millisecond))
			if s.Sender.Send(context.Background(), r).Verdict == webhook.Accepted {
				return
			}
		}
	}()
	return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
}
