package locate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/kernel/follow"
	"github.com/vitrine-crm/vitrine/core/port"
)

const (
	// follower is the name under which the locator follows the ledgers.
	follower = "locate"
	// maxFailures is how often an address may fail while others are answered.
	maxFailures = 5
)

// locator follows the ledgers and looks up addresses, a batch at a time.
type locator struct {
	k *kernel.Kernel
	Options
	geocoder port.Geocoder
	leases   *follow.Leases
	// resume is when a geocoder that answered nothing is asked again.
	resume time.Time
	// answers counts what was answered so far.
	answers int
	failed  map[productKey]failures
}

type productKey struct {
	site site.ID
	id   product.ID
}

// failures counts how often an address failed while others were answered, the
// last time after so many answers.
type failures struct{ count, answers int }

func (l *locator) run(ctx context.Context) error {
	for {
		if err := l.round(ctx); err != nil && ctx.Err() == nil {
			l.trouble(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-l.k.Addresses:
		case <-l.Tick:
		}
	}
}

// round serves sites as long as there is anything to do. A lease under which
// something went wrong is not given up: it runs out by itself, which leaves time
// to mend things.
func (l *locator) round(ctx context.Context) error {
	for ctx.Err() == nil && !l.k.Moment().Before(l.resume) {
		lease, found, err := l.leases.Take(ctx)
		if err != nil || !found {
			return err
		}
		if err := l.serve(ctx, lease); err != nil && ctx.Err() == nil {
			l.trouble(err)
		}
	}
	return nil
}

// serve looks up a batch of addresses. A lease that is held when ctx ends is
// given up all the same, so that others go on at once.
func (l *locator) serve(ctx context.Context, lease port.Following) error {
	c, err := l.k.System(ctx, lease.Site)
	if err != nil {
		return err
	}
	var b batch
	err = kernel.View(ctx, l.k, c, func(u kernel.Unit) error {
		b, err = unit{u}.nextBatch(lease, l.Batch)
		return err
	})
	if err != nil {
		return err
	}
	outcomes := l.ask(ctx, c, b.questions)
	if ctx.Err() == nil { // otherwise it was us who gave up
		done, err := l.assess(lease.Site, b.questions, outcomes)
		if err != nil {
			return err
		}
		if done {
			lease = b.after
		}
	}
	return l.leases.Release(ctx, lease)
}

// ask looks up the addresses of a batch, several at a time, and stores each
// answer as it comes. The errors are those of the questions, in their order.
func (l *locator) ask(ctx context.Context, c kernel.Caller, questions []question) []error {
	outcomes := make([]error, len(questions))
	waiting := make(chan int)
	var workers sync.WaitGroup
	for range min(l.Parallel, len(questions)) {
		workers.Go(func() {
			for i := range waiting {
				outcomes[i] = l.answer(ctx, c, questions[i])
			}
		})
	}
	for i := range questions {
		waiting <- i
	}
	close(waiting)
	workers.Wait()
	return outcomes
}

// answer asks about one address and stores the answer.
func (l *locator) answer(ctx context.Context, c kernel.Caller, q question) error {
	place, err := l.find(ctx, q.address, c.Site.Settings().Country)
	if err != nil {
		return err
	}
	// An answer may take long: the site is looked at as it is by now.
	if c, err = l.k.System(ctx, c.Site.ID); err != nil {
		return err
	}
	_, err = kernel.Write(ctx, l.k, c, func(u kernel.Unit) (kernel.None, error) { return kernel.None{}, unit{u}.storePlace(q, place) })
	return err
}

// unanswered is the error of a geocoder that did not get as far as an answer.
type unanswered struct{ error }

func (u unanswered) Unwrap() error { return u.error }

func (u unanswered) mayBeAboutTheAddress() bool {
	return !errors.Is(u, fault.Unavailable) && !errors.Is(u, fault.Limited)
}

// find asks the geocoder about an address until it knows one of its questions.
// Nowhere is an answer too, unless a question was refused: that is Invalid.
func (l *locator) find(ctx context.Context, a product.Address, country string) (product.Place, error) {
	var refused error
	for _, asked := range a.Questions() {
		asked.Country = cmp.Or(asked.Country, country)
		found, err := l.geocoder.Locate(ctx, asked)
		switch {
		case errors.Is(err, fault.NotFound):
		case errors.Is(err, fault.Invalid):
			refused = err
		case err != nil:
			return product.Place{}, unanswered{err}
		default:
			if place, ok := asked.Accept(found); ok {
				return place, nil
			}
			refused = fmt.Errorf("the answer %v is no position: %w", found.Position, fault.Invalid)
		}
	}
	return product.Place{}, refused
}

// assess reports whether a batch is done with. An address that fails while others
// are answered is asked about a few times more and then given up, lest it keep
// those behind it waiting; when nothing at all is answered, it is the geocoder.
func (l *locator) assess(id site.ID, questions []question, outcomes []error) (done bool, err error) {
	var failed unanswered
	answers := l.answers
	for _, outcome := range outcomes {
		if outcome == nil || !errors.As(outcome, &failed) {
			l.answers++
		}
	}
	done = true
	for i, outcome := range outcomes {
		key := productKey{id, questions[i].id}
		switch {
		case outcome == nil:
			delete(l.failed, key)
		case errors.As(outcome, &failed):
			if f := l.failed[key]; l.answers > f.answers && failed.mayBeAboutTheAddress() {
				l.failed[key] = failures{f.count + 1, l.answers}
			}
			if l.failed[key].count < maxFailures {
				done = false
				continue
			}
			l.giveUp(key, outcome)
		case errors.Is(outcome, fault.Invalid):
			l.giveUp(key, outcome)
		default:
			return false, outcome
		}
	}
	if !done && l.answers == answers {
		l.resume = l.k.Moment().Add(l.Pause)
		l.trouble(failed)
	}
	return done, nil
}

func (l *locator) giveUp(key productKey, err error) {
	delete(l.failed, key)
	if l.Observe != nil {
		l.Observe.GivenUp(key.site, key.id, err)
	}
}

func (l *locator) trouble(err error) {
	if l.Observe != nil {
		l.Observe.Trouble(err)
	}
}
