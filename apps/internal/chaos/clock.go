package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// The figures of what the clock does.
const (
	toldTwice   = "transitions of the clock that were told more than once"
	neverStored = "transitions of the clock that were never stored"
)

// expiring is how many offers expire at each site.
const expiring = 1500

// ticking kills the server again and again while it stores that offers have
// expired.
func ticking(engine string) func(context.Context, *trial) ([]figure, error) {
	return func(ctx context.Context, t *trial) (_ []figure, err error) {
		w, err := t.world(ctx, engine, 2)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, w.close()) }()
		if err := w.expire(ctx); err != nil {
			return nil, err
		}
		server, err := t.server(w)
		if err != nil {
			return nil, err
		}
		kills, halfway, end, err := w.killedWhileTicking(ctx, server)
		if err != nil {
			return nil, err
		}
		return []figure{
			count("kills", kills), count("kills that left some transitions stored and others not", halfway).atLeast(1),
			count("offers that expired", w.sites*expiring),
			count(toldTwice, end.twice).none(), count(neverStored, w.sites*expiring-min(end.stored, end.told)).none(),
		}, nil
	}
}

// expire makes offers at each site that have expired, which nobody has stored yet.
func (w *world) expire(ctx context.Context) error {
	store, err := w.fill(ctx)
	if err != nil {
		return err
	}
	now := time.Now().UTC().Truncate(time.Second)
	err = store.Update(ctx, func(tx port.Tx) error {
		for of := range w.sites {
			for n := range expiring {
				o := offer.Offer{
					ID: offer.ID(of*expiring + n + 1), Site: site.ID(of + 1), Agency: site.AgencyID(of + 1), Status: offer.Open, Amount: 1,
					Number: strconv.Itoa(of+1) + "-O" + strconv.Itoa(n+1), Added: now, Modified: now, Expires: now,
				}
				if err := tx.Offers().Put(o.Foresee()); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return errors.Join(err, store.Close())
}

// killedWhileTicking kills a server until everything is stored. It counts the kills,
// and those after which only a part was.
func (w *world) killedWhileTicking(ctx context.Context, server *rig.Process) (kills, halfway int, end expired, err error) {
	for all := w.sites * expiring; end.stored < all && ctx.Err() == nil; kills++ {
		if err := server.Start(ctx); err != nil {
			return kills, halfway, end, err
		}
		// A machine that is busy takes longer to get anywhere.
		rig.Wait(ctx, rand.N(100*time.Millisecond+time.Duration(kills)*5*time.Millisecond))
		if err := server.Kill(); err != nil {
			return kills, halfway, end, err
		}
		if end, err = w.expired(ctx); err != nil {
			return kills, halfway, end, err
		}
		if end.stored > 0 && end.stored < all {
			halfway++
		}
	}
	return kills, halfway, end, ctx.Err()
}

// expired counts the offers that are stored to have expired, that the ledger tells of,
// and that it tells of more than once.
type expired struct{ stored, told, twice int }

func (w *world) expired(ctx context.Context) (e expired, err error) {
	store, err := w.fill(ctx)
	if err != nil {
		return e, err
	}
	err = store.View(ctx, func(tx port.Tx) error {
		e = expired{}
		for of := range site.ID(w.sites) {
			offers, err := tx.Offers().Scan(of+1, 0, expiring)
			if err != nil {
				return err
			}
			for _, o := range offers {
				if o.Status == offer.Expired {
					e.stored++
				}
			}
			events, err := tx.Ledger().After(of+1, 0, 10*expiring)
			if err != nil {
				return err
			}
			times := map[int64]int{}
			for _, told := range events {
				if told.Type != event.OfferUpdate {
					continue
				}
				if times[told.Resource]++; times[told.Resource] == 2 {
					e.twice++
				}
			}
			e.told += len(times)
		}
		return nil
	})
	return e, errors.Join(err, store.Close())
}
