package httpapi

import (
	"context"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Counts keeps how many requests each credential sent on a day.
type Counts interface {
	// CountRequests adds to the counts of a day and returns them, with what other
	// processes added.
	CountRequests(ctx context.Context, day time.Time, more map[access.CredentialID]int64) (map[access.CredentialID]int64, error)
}

// Quota bounds how many requests a credential may send in a day. It counts in
// memory, so that no request waits for it, and Run carries the counts to where
// other processes and the next start find them. A nil Quota bounds nothing.
type Quota struct {
	most   int64
	counts Counts
	now    func() time.Time

	mu    sync.Mutex
	day   time.Time
	spent map[access.CredentialID]*spent
}

// spent is what a credential sent today.
type spent struct {
	// told is what is in the counts, as far as this process knows; untold what it
	// has yet to add to them.
	told, untold int64
}

// NewQuota makes a quota of so many requests a day, or none if that is 0.
func NewQuota(most int, counts Counts, now func() time.Time) *Quota {
	if most == 0 {
		return nil
	}
	return &Quota{most: int64(most), counts: counts, now: now}
}

// take counts a request, unless there were as many today as there may be. It
// reports how many are left, and when the day ends.
func (q *Quota) take(of access.CredentialID, now time.Time) (left int64, end time.Duration, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.turn(now)
	s := q.spent[of]
	if s == nil {
		s = &spent{}
		q.spent[of] = s
	}
	end = q.day.AddDate(0, 0, 1).Sub(now)
	sent := s.told + s.untold
	if sent >= q.most {
		return 0, end, false
	}
	s.untold++
	return q.most - sent - 1, end, true
}

// turn begins another day.
func (q *Quota) turn(now time.Time) {
	if day := kernel.Day(now); day.After(q.day) {
		q.day, q.spent = day, map[access.CredentialID]*spent{}
	}
}

// tellEvery is how often counts are carried to where others find them: so much
// of what it sent may a credential be given again when a process is killed, or
// be given too much where several processes count.
const tellEvery = 5 * time.Second

// Run carries the counts until ctx ends. trouble is told when that fails; it is
// tried again. Run it once before, to know what was sent before the
// start, and once when the last request is answered.
func (q *Quota) Run(ctx context.Context, trouble func(error)) {
	if q == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(tellEvery):
		}
		if err := q.Tell(ctx); err != nil && ctx.Err() == nil {
			trouble(err)
		}
	}
}

// Tell carries the counts once. Where a failure leaves open what became of them,
// they are carried again: a request may count twice, and none is forgotten.
func (q *Quota) Tell(ctx context.Context) error {
	if q == nil {
		return nil
	}
	q.mu.Lock()
	q.turn(q.now())
	day, untold := q.day, map[access.CredentialID]int64{}
	for of, s := range q.spent {
		if s.untold > 0 {
			untold[of] = s.untold
		}
	}
	q.mu.Unlock()
	counts, err := q.counts.CountRequests(ctx, day, untold)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.day.Equal(day) {
		return nil
	}
	for of, told := range counts {
		s := q.spent[of]
		if s == nil {
			s = &spent{}
			q.spent[of] = s
		}
		s.told, s.untold = told, s.untold-untold[of]
	}
	return nil
}

// spentQuota is the error of a request beyond the quota.
func spentQuota(end time.Duration) error {
	return later{fault.New(fault.Limited, fault.CodeDailyQuotaExceeded, "the requests of this day are used up"), end}
}
