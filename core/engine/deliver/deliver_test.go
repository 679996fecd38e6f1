package deliver_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

func TestD13_WhatIsUnderWayIsFinishedAndNothingElseBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE", "PRODUCT_DELETE"))
		product := w.create()
		w.remove(product)
		answer, broken := make(chan struct{}), false
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- w.Run(ctx, sending(func(ctx context.Context, _ webhook.Request) webhook.Answer {
				<-answer
				broken = ctx.Err() != nil
				return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
			}), deliver.DefaultOptions())
		}()
		synctest.Wait()
		stop()
		synctest.Wait()
		if len(ended) > 0 {
			t.Error("it does not wait for the attempt under way")
		}
		close(answer)
		if err := <-ended; err != nil || broken {
			t.Errorf("it ends with %v; the attempt was broken off: %t", err, broken)
		}
		if got := w.statuses(id); !slices.Equal(got, []string{"succeeded", "pending"}) {
			t.Errorf("the deliveries are %v", got)
		}
		if waiting, err := w.Backlog(t.Context()); err != nil || waiting.Webhooks != 1 {
			t.Errorf("%d webhooks are there for others to take over, %v", waiting.Webhooks, err)
		}
	})
}

func TestASuspensionIsNoTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		w.create()
		told := make(troubles, 10)
		tick, stop := w.dispatchingBy(sending(func(context.Context, webhook.Request) webhook.Answer {
			return webhook.Answer{Verdict: webhook.Failure, Status: 500}
		}), func(o *deliver.Options) { o.Observe = told })
		for range 3 {
			synctest.Wait()
			w.Clock.Advance(time.Hour)
			tick <- time.Time{}
		}
		synctest.Wait()
		stop()
		if w.hook(id).State != webhook.Suspended || len(told) > 0 {
			t.Errorf("the webhook is %s, and %d times there was trouble", w.hook(id).State, len(told))
		}
	})
}

// brittle is a store in which, when it is broken, the next unit of work is lost.
type brittle struct {
	port.Store
	broken atomic.Bool
}

var errBroken = errors.New("the disk is full")

func (b *brittle) Update(ctx context.Context, unit func(port.Tx) error) error {
	if b.broken.Swap(false) {
		return errBroken
	}
	return b.Store.Update(ctx, unit)
}

// troubles is an Observer of nothing else.
type troubles chan error

func (troubles) Attempted(webhook.Delivery, webhook.Answer)  {}
func (troubles) Suspended(webhook.Webhook, webhook.Delivery) {}
func (o troubles) Trouble(err error)                         { o <- err }

func TestAnAttemptThatCannotBeRecordedIsReportedAndMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &brittle{Store: memstore.New()}
		w := newWorldOver(t, store)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		w.create()
		told, sent := make(troubles, 10), 0
		_, stop := w.dispatchingBy(sending(func(context.Context, webhook.Request) webhook.Answer {
			sent++
			store.broken.Store(sent == 1)
			return webhook.Answer{Verdict: webhook.Accepted, Status: 200, Duration: time.Millisecond}
		}), func(o *deliver.Options) { o.Observe = told })
		synctest.Wait()
		stop()
		if len(told) != 1 || !errors.Is(<-told, errBroken) {
			t.Error("the trouble is not told")
		}
		if got := w.statuses(id); sent != 2 || !slices.Equal(got, []string{"succeeded"}) {
			t.Errorf("after %d attempts the deliveries are %v", sent, got)
		}
	})
}
