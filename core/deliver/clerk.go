package deliver

import (
	"context"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// clerk stores what got through to webhooks with a backlog, that of several of
// them with one unit of work: storing costs little for each delivery and much
// for each unit. It does nothing else. A tally that turns out to be more than
// that goes back to its shift, and so does one whose webhook somebody else holds:
// nobody waits for another's webhook.
type clerk struct {
	*dispatcher
	tallies chan tally
}

// tally is what got through to one webhook.
type tally struct {
	shift *shift
	batch []result
	// stored is told whether the clerk has stored it. The shift waits for that, so
	// that the clerk may look at it.
	stored chan<- bool
}

// stores has a batch stored, or reports that it was not.
func (c *clerk) stores(s *shift, batch []result) bool {
	stored := make(chan bool, 1)
	c.tallies <- tally{s, batch, stored}
	return <-stored
}

// run stores tallies until there will be no more.
func (c *clerk) run() {
	for first := range c.tallies {
		round := c.gather(first)
		stored, err := c.store(round)
		if err != nil {
			c.trouble(err)
		}
		for i, t := range round {
			t.stored <- err == nil && stored[i]
		}
	}
}

// gather waits a moment for the tallies of others.
func (c *clerk) gather(first tally) []tally {
	round := []tally{first}
	var enough <-chan time.Time
	if c.Gather != nil {
		enough = c.Gather()
	} else {
		now := make(chan time.Time)
		close(now)
		enough = now
	}
	for {
		select {
		case t := <-c.tallies: // it is not closed while anybody waits for us
			round = append(round, t)
		case <-enough:
			return round
		}
	}
}

// impatience is how long the clerk's unit may take. Somebody may hold a delivery,
// and only its webhook ought to wait for that.
const impatience = time.Second

// store stores tallies and says which.
func (c *clerk) store(round []tally) (stored []bool, err error) {
	err = c.record(context.Background(), min(impatience, c.Lease), func(tx port.Tx) error {
		stored, err = c.unit(tx, round)
		return err
	})
	return stored, err
}

func (c *clerk) unit(tx port.Tx, round []tally) ([]bool, error) {
	free, err := heldFor(tx, round)
	if err != nil {
		return nil, err
	}
	stored := make([]bool, len(round))
	var settled []webhook.Settled
	now := c.Moment()
	for i, t := range round {
		w, found := free[t.shift.turn.Key()]
		if !found || w.State != webhook.Active || w.Epoch != t.shift.epoch {
			continue
		}
		before := w.LastSuccess
		for _, r := range t.batch {
			var ended webhook.Settled
			w, ended = r.settled(c.Policy, w, r.delivery, now)
			settled = append(settled, ended)
		}
		// Nobody needs to know it to the moment while there is one after the other.
		if now.Sub(before) >= freshness {
			if err := tx.Webhooks().Put(w); err != nil {
				return nil, err
			}
		}
		stored[i] = true
	}
	return stored, tx.Deliveries().Settle(settled)
}

// heldFor takes hold of the webhooks of tallies, as far as they are free, and
// leaves out those whose turn was lost. Turns need not be held: whoever has taken
// one over has to wait for the webhook before they can store anything.
func heldFor(tx port.Tx, round []tally) (map[webhook.Key]webhook.Webhook, error) {
	keys, turns := make([]webhook.Key, len(round)), make([]webhook.Turn, len(round))
	for i, t := range round {
		keys[i], turns[i] = t.shift.turn.Key(), t.shift.turn
	}
	held, err := tx.Webhooks().Free(keys)
	if err != nil {
		return nil, err
	}
	kept, err := tx.Turns().Kept(turns)
	if err != nil {
		return nil, err
	}
	free := make(map[webhook.Key]webhook.Webhook, len(held))
	for _, w := range held {
		if slices.ContainsFunc(kept, func(t webhook.Turn) bool { return t.Key() == w.Key() }) {
			free[w.Key()] = w
		}
	}
	return free, nil
}

// isRoutine reports whether all there is to do about a batch is to store that it
// got through: no turn to prolong, and nothing to look for. While the turn is
// kept, and the webhook is what it was, its deliveries are what they were when
// they were sent.
func (s *shift) isRoutine(batch []result) bool {
	if len(batch) == 0 || s.stopped || len(s.lanes) < s.PerWebhook || s.isEnding() {
		return false
	}
	for _, r := range batch {
		if !r.routine {
			return false
		}
	}
	return true
}

// isEnding reports whether it is time to move the end of the turn.
func (s *shift) isEnding() bool { return s.Moment().Add(s.Lease).Sub(s.turn.Until) > s.Lease/8 }
