package main

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	slowestHeld  = "slowest answer while the row of a site was held"
	slowestAll   = "slowest answer while a table was held"
	slowestOther = "slowest write to another site while the row was held"
	heldFor      = 12 * time.Second
	// stuckWriters are more than there are connections.
	stuckWriters = 24
	otherWriters = 2
	writesHeld   = "writes to the site"
	writesOther  = "writes to another site"
	// longLocks is how long a sabotaged server waits for what others hold.
	longLocks = "10min"
)

// holdingOn has somebody else hold the row of a site, and then a table, for as long as they
// like.
func holdingOn(ctx context.Context, t *trial) (_ []figure, err error) {
	s, err := t.scene(ctx, "postgres", 2)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	direct := s.world.database
	var more []string
	if t.sabotage == noDeadlines {
		more = []string{"--database-patience=10m"}
		s.world.database += "&lock_timeout=" + longLocks
	}
	servers, err := s.fleet(ctx, 1, more...)
	if err != nil {
		return nil, err
	}
	server := servers[0]
	if err := s.open(ctx, server, 0); err != nil {
		return nil, err
	}
	var seen watch
	asking, done := context.WithCancel(ctx)
	defer done()
	wait := seen.ask(asking, s, func() string { return server.Address })
	var work sync.WaitGroup
	write := func(kind string, site, n int) {
		for range n {
			work.Go(func() {
				for ; asking.Err() == nil; rig.Wait(asking, 20*time.Millisecond) {
					began := time.Now()
					got, _ := s.client.Call(ctx, server.Address, site, http.MethodPost, "/products", rig.Object{})
					seen.note(kind, began, got.Status)
				}
			})
		}
	}
	write(writesHeld, 1, stuckWriters)
	write(writesOther, 2, otherWriters)
	calm, _, err := s.during(ctx, nil, calmFor)
	if err != nil {
		return nil, err
	}
	row, err := s.held(ctx, direct, "SELECT 1 FROM site_head WHERE site_id = 1 FOR UPDATE")
	if err != nil {
		return nil, err
	}
	if _, _, err := s.during(ctx, nil, patience); err != nil {
		return nil, err
	}
	table, err := s.held(ctx, direct, "LOCK TABLE product IN ACCESS EXCLUSIVE MODE")
	if err != nil {
		return nil, err
	}
	back, _, err := s.during(ctx, nil, patience+comeBack)
	if err != nil {
		return nil, err
	}
	done()
	wait()
	work.Wait()
	usual := seen.machine(calm)
	beyond := rig.Milliseconds(patience + usual)
	figures := []figure{
		milliseconds("what the machine itself takes", usual),
		milliseconds(slowestHeld, slowest(seen.across(row))).atMost(beyond),
		milliseconds(slowestOther, slowest(seen.in(row, writesOther))).atMost(rig.Milliseconds(2*time.Second + usual)),
		count("... that failed", failures(seen.in(row, writesOther))).none(),
	}
	for _, kind := range []string{writesHeld, reads, searches, readiness} {
		figures = append(figures, milliseconds("... "+kind, slowest(seen.in(row, kind))))
	}
	figures = append(figures, milliseconds(slowestAll, slowest(seen.across(table))).atMost(beyond))
	for _, kind := range []string{writesHeld, writesOther, reads, searches, readiness} {
		figures = append(figures, milliseconds("... "+kind+" ", slowest(seen.in(table, kind))))
	}
	return append(figures, count("... requests that failed once nothing was held", failures(seen.in(span{back.from.Add(comeBack), back.to}))).none()), server.Stop()
}

// held holds for a while what a statement does.
func (s *scene) held(ctx context.Context, database, statement string) (_ span, err error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return span{}, err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return span{}, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	if _, err := tx.ExecContext(ctx, statement); err != nil {
		return span{}, err
	}
	while, _, err := s.during(ctx, nil, heldFor)
	return while, err
}
