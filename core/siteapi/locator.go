package siteapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// locator follows the ledgers and looks up addresses, a batch at a time.
type locator struct {
	*Service
	LocateOptions
	geocoder port.Geocoder
	// name tells processes apart, rounds the turns of this one.
	name   string
	rounds int
	// resume is when a geocoder that answered nothing is asked again.
	resume time.Time
	// answers counts what was answered so far.
	answers int
	strikes map[productKey]strike
}

type productKey struct {
	site site.ID
	id   product.ID
}

// strike counts how often an address failed while others were answered, the
// last time after so many answers.
type strike struct{ count, answers int }

func (l *locator) run(ctx context.Context) error {
	for {
		if err := l.round(ctx); err != nil && ctx.Err() == nil {
			l.trouble(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-l.addressed:
		case <-l.Tick:
		}
	}
}

// round serves sites as long as there is anything to do. A turn that went wrong
// is not given up: it runs out by itself, which leaves time to mend things.
func (l *locator) round(ctx context.Context) error {
	for ctx.Err() == nil && !l.now().Before(l.resume) {
		l.rounds++
		var turn port.Following
		var found bool
		err := l.ports.Store.Update(ctx, func(tx port.Tx) (err error) {
			now := l.now()
			turn, found, err = tx.Followers().Take(locating, l.name+"-"+strconv.Itoa(l.rounds), now, now.Add(l.Lease))
			return err
		})
		if err != nil || !found {
			return err
		}
		if err := l.serve(ctx, turn); err != nil && ctx.Err() == nil {
			l.trouble(err)
		}
	}
	return nil
}

// serve looks up a batch of addresses. A turn that ends with ctx is given up all
// the same, so that others go on at once.
func (l *locator) serve(ctx context.Context, turn port.Following) error {
	head, err := l.ports.Store.Head(ctx, turn.Site)
	if err != nil {
		return err
	}
	known, err := l.settings.at(ctx, l.Service, turn.Site, head.Settings)
	if err != nil {
		return err
	}
	var b batch
	err = l.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		b, err = l.look(tx, turn)
		return err
	})
	if err != nil {
		return err
	}
	outcomes := l.ask(ctx, known, b.questions)
	if ctx.Err() == nil { // otherwise it was us who gave up
		done, err := l.judge(turn.Site, b.questions, outcomes)
		if err != nil {
			return err
		}
		if done {
			turn = b.after
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.Lease)
	defer cancel()
	return l.ports.Store.Update(last, func(tx port.Tx) error { return tx.Followers().Release(turn) })
}

// unanswered is the error of a geocoder that did not get as far as an answer.
type unanswered struct{ error }

func (u unanswered) Unwrap() error { return u.error }

func (u unanswered) mayBeAboutTheAddress() bool {
	return !errors.Is(u, fault.Unavailable) && !errors.Is(u, fault.Limited)
}

// ask looks up the addresses of a batch, several at a time, and stores each
// answer as it comes. The errors are those of the questions, in their order.
func (l *locator) ask(ctx context.Context, known *settings, questions []question) []error {
	outcomes := make([]error, len(questions))
	waiting := make(chan int)
	var workers sync.WaitGroup
	for range min(l.Parallel, len(questions)) {
		workers.Go(func() {
			for i := range waiting {
				outcomes[i] = l.settle(ctx, known, questions[i])
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

func (l *locator) settle(ctx context.Context, known *settings, q question) error {
	place, err := l.find(ctx, q.address, known.site.Settings.Country)
	if err != nil {
		return err
	}
	return l.storePlace(ctx, known, q, place)
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

// storePlace stores an answer, unless the product has another address by now:
// then an event tells of that. An answer that moves nothing is stored without a
// trace.
func (l *locator) storePlace(ctx context.Context, known *settings, q question, place product.Place) error {
	_, err := write(ctx, l.Service, Caller{}, func(tx port.Tx) (Changed, error) {
		before, err := tx.Products().Get(known.site.ID, q.id)
		if err != nil {
			return Changed{}, absentIs(err, nil)
		}
		after := before.Clone()
		if !after.Locate(q.address, place) {
			return Changed{}, nil
		}
		if after.Same(before) {
			return Changed{}, tx.Products().Replace(after)
		}
		return l.replace(tx, author{scope: known.scope}, before, after)
	})
	return err
}

// judge tells whether a batch is done with. An address that fails while others
// are answered is asked about a few times more and then given up, lest it keep
// those behind it waiting; when nothing at all is answered, it is the geocoder.
func (l *locator) judge(id site.ID, questions []question, outcomes []error) (done bool, err error) {
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
			delete(l.strikes, key)
		case errors.As(outcome, &failed):
			if s := l.strikes[key]; l.answers > s.answers && failed.mayBeAboutTheAddress() {
				l.strikes[key] = strike{s.count + 1, l.answers}
			}
			if l.strikes[key].count < patience {
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
		l.resume = l.now().Add(l.Pause)
		l.trouble(failed)
	}
	return done, nil
}

func (l *locator) giveUp(key productKey, err error) {
	delete(l.strikes, key)
	if l.Observe != nil {
		l.Observe.GivenUp(key.site, key.id, err)
	}
}

func (l *locator) trouble(err error) {
	if l.Observe != nil {
		l.Observe.Trouble(err)
	}
}
