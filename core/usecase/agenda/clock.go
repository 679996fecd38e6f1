package agenda

import (
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// dueBatch is how many appointments are read at a time of which reminders are due.
const dueBatch = 100

// FollowClock records events of reminders when they are due, until ctx ends: at once, and
// whenever tick says so. Every half minute is often enough for each event to be at
// most a minute late. Any number of processes may do so from one store: each is told
// of once. trouble is called with errors, and may be nil; what failed is tried
// again at the next tick.
func (s *Service) FollowClock(ctx context.Context, tick <-chan time.Time, trouble func(error)) error {
	for {
		if _, err := s.RemindDue(ctx); err != nil && ctx.Err() == nil && trouble != nil {
			trouble(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick:
		}
	}
}

// whose is an appointment of a site.
type whose struct {
	site site.ID
	id   planning.ID
}

// RemindDue records events of all reminders that are due by now, and returns how many. Those
// of an appointment about which something is wrong do not keep it from the others.
func (s *Service) RemindDue(ctx context.Context) (told int, err error) {
	now := s.k.Moment()
	tried := map[whose]bool{}
	for limit := dueBatch; ; limit += dueBatch {
		var due []planning.Appointment
		if failed := s.k.Store.View(ctx, func(tx port.Tx) (err error) {
			due, err = tx.Appointments().Due(now, limit)
			return err
		}); failed != nil {
			return told, errors.Join(err, failed)
		}
		fresh := 0
		for _, a := range due {
			of := whose{a.Site, a.ID}
			if tried[of] {
				continue
			}
			tried[of] = true
			fresh++
			n, failed := s.remind(ctx, of)
			told, err = told+n, errors.Join(err, failed)
			if ctx.Err() != nil || errors.Is(failed, fault.Unavailable) {
				return told, err
			}
		}
		if fresh == 0 && len(due) < limit {
			return told, err
		}
		limit = len(due) - fresh // what was tried and is still there stands before the others
	}
}

// remind records events of the reminders of an appointment that are due, as one unit of work
// on behalf of nobody.
func (s *Service) remind(ctx context.Context, of whose) (int, error) {
	c, err := s.k.System(ctx, of.site)
	if err != nil || !c.IsOpen() {
		return 0, err
	}
	return kernel.Write(ctx, s.k, c, func(u kernel.Unit) (int, error) {
		a, err := u.Appointments().Get(of.site, of.id)
		if err != nil {
			return 0, kernel.AbsentIs(err, nil)
		}
		told, err := agendarecords.Remind(u, a)
		if err != nil {
			return 0, err
		}
		a.Told = u.Now
		return told, agendarecords.Appointments(u.Location).Table(u.Tx).Put(a)
	})
}
