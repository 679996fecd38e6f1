package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"sync"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// headReadsAtOnce is how many reads of heads are under way at most. Two keep the
// connection busy: while one answer is on its way the other is being read.
const headReadsAtOnce = 2

// headReads has the heads of sites read together: whoever asks while enough reads are
// under way waits for the next one, which reads the heads of all who wait in one
// statement. Nobody joins a read that has begun, because it may not see what was committed
// since. A read that nobody waits with is a statement of its own.
type headReads struct {
	mu       sync.Mutex
	underWay int
	// next is nil while nobody waits.
	next *headRead
}

// headRead is one statement for the heads of several sites.
type headRead struct {
	// ctx is that of the first who waits. Its values go with the statement, its end does
	// not: others wait as well.
	ctx   context.Context
	sites []int64
	// done is closed when found and err are set.
	done  chan struct{}
	found map[site.ID]timelineHead
	err   error
}

// head reads the head of a site. What is not there is sql.ErrNoRows. A database that had
// come further already is not where it was.
func (s *Store) head(ctx context.Context, id site.ID) (timelineHead, error) {
	known := s.reached.before(id)
	p, err := s.readHead(ctx, id)
	switch {
	case err != nil || !p.sameTimeline:
	case known.isPast(p):
		p.sameTimeline, p.isPast = false, true
	default:
		s.reached.read(id, p)
	}
	return p, err
}

func (s *Store) readHead(ctx context.Context, id site.ID) (timelineHead, error) {
	r := &s.heads
	r.mu.Lock()
	if r.underWay < headReadsAtOnce {
		r.underWay++
		r.mu.Unlock()
		defer func() {
			if next := r.ended(); next != nil {
				go s.readHeads(next)
			}
		}()
		return s.headAlone(ctx, id)
	}
	if r.next == nil {
		r.next = &headRead{ctx: context.WithoutCancel(ctx), done: make(chan struct{})}
	}
	joined := r.next
	joined.sites = append(joined.sites, int64(id))
	r.mu.Unlock()

	ctx, over := beginWait(ctx)
	defer over()
	select {
	case <-joined.done:
	case <-ctx.Done():
		return timelineHead{}, ctx.Err()
	}
	p, found := joined.found[id]
	if joined.err == nil && !found {
		return timelineHead{}, sql.ErrNoRows
	}
	return p, joined.err
}

// ended takes the place of a read that has ended, for the next one if there is any.
func (r *headReads) ended() *headRead {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.next
	r.next = nil
	if next == nil {
		r.underWay--
	}
	return next
}

// readHeads carries out a read, and then those that were asked for meanwhile.
func (s *Store) readHeads(read *headRead) {
	for ; read != nil; read = s.heads.ended() {
		read.found, read.err = s.headsOf(read.ctx, read.sites)
		close(read.done)
	}
}

func (s *Store) headAlone(ctx context.Context, id site.ID) (timelineHead, error) {
	return observedStatement(ctx, s, s.hot.head, func(ctx context.Context) (p timelineHead, err error) {
		err = s.read.queryRow(ctx, s.hot.head, int64(id)).Scan(timelineHeads.row(&p).targets()...)
		return p, err
	})
}

func (s *Store) headsOf(ctx context.Context, sites []int64) (map[site.ID]timelineHead, error) {
	return observedStatement(ctx, s, s.hot.heads, func(ctx context.Context) (found map[site.ID]timelineHead, err error) {
		rows, err := s.read.query(ctx, s.hot.heads, s.dialect.Numbers(sites))
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		found = make(map[site.ID]timelineHead, len(sites))
		for rows.Next() {
			var id site.ID
			var p timelineHead
			if err := rows.Scan(append(timelineHeads.row(&p).targets(), whole(&id))...); err != nil {
				return nil, err
			}
			found[id] = p
		}
		return found, rows.Err()
	})
}

// findHeads is findHead for several sites, whose ids come last.
func findHeads(d Dialect) squirrel.Sqlizer {
	return squirrel.Select(timelineColumns(d)...).Column("site_id").From(heads.table).Where("site_id " + d.Among)
}
