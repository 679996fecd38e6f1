package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// planStore is what plans need of a Store.
type planStore struct {
	*Store
	// prepared are the statements that store plans, by their names. They are for the one
	// that is under way.
	prepared map[string]planStatement
}

// maxPrepared is how many of these statements are prepared at a time. Plans of different
// kinds that go together make a statement of their own, of which there may be many, and each
// takes memory of the database in each connection.
const maxPrepared = 64

// planStatement is a statement that stores plans. prepared is nil where it is not prepared.
type planStatement struct {
	text     string
	prepared *sql.Stmt
}

// outsideTx runs queries that are part of no transaction.
func (s *Store) outsideTx(ctx context.Context) *tx {
	return &tx{ctx: ctx, store: s, pool: s.read, writes: true, outside: true}
}

// firstOutsideTx returns the first record that a query finds.
func firstOutsideTx[T any](ctx context.Context, s *Store, m mapping[T], statement string, args ...any) (T, bool) {
	found, err := one(s.outsideTx(ctx), m, statement, args...)
	return found, err == nil
}

// Head implements plan.Store.
func (s *planStore) Head(ctx context.Context, id site.ID) (plan.Head, bool) {
	p, err := s.head(ctx, id)
	return p.assumed(), err == nil && p.sameTimeline
}

// assumed is a head as plans assume it.
func (p timelineHead) assumed() plan.Head {
	return plan.Head{Seq: p.Seq, Access: p.Access, Last: p.last, Open: p.State.TakesChanges()}
}

// Counter implements plan.Store.
func (s *planStore) Counter(ctx context.Context, id site.ID, agency site.AgencyID) (int64, bool) {
	return firstOutsideTx(ctx, s.Store, numberColumn, s.hot.referenceLast, int64(id), int64(agency))
}

// Credential implements plan.Store.
func (s *planStore) Credential(ctx context.Context, id access.CredentialID) (access.Credential, bool) {
	return firstOutsideTx(ctx, s.Store, credentials, s.hot.credential, string(id))
}

// Webhooks implements plan.Store.
func (s *planStore) Webhooks(ctx context.Context, id site.ID) ([]webhook.Webhook, bool) {
	found, err := list(s.outsideTx(ctx), s.webhooks(), s.hot.hooks.of, int64(id))
	return found, err == nil
}

// Wait implements plan.Store.
func (s *planStore) Wait(ctx context.Context) (_ context.Context, over func()) { return beginWait(ctx) }

// Unconfirmed implements plan.Store.
func (s *planStore) Unconfirmed(cause error) error { return unconfirmed(cause) }

// Unsent implements plan.Store.
func (s *planStore) Unsent(ctx context.Context) error { return s.explain(ctx, driver.ErrBadConn) }

// Send implements plan.Store.
func (s *planStore) Send(ctx context.Context, of plan.Statement) (map[site.ID]bool, error) {
	noted := noting(ctx, prompt)
	sending, answered := bounded(ctx)
	defer answered()
	statement, first := s.statementOf(sending, of), &sentOnce{parameter: of.Args[0], inTime: answered}
	of.Args[0] = first
	stored, err := observing(sending, s.Store, statement.text, func() (map[site.ID]bool, error) { return s.run(sending, statement, of.Args) })
	noted()
	if err == nil {
		return stored, nil
	}
	kind := s.dialect.trouble(err)
	switch {
	case first.sent && (kind == Away || kind == Unknown):
		return nil, unconfirmed(err)
	case kind == Away:
		return nil, s.explain(ctx, err)
	}
	if kind == Standby {
		s.standby.Store(true)
	}
	// The engine said no, and has stored nothing.
	return nil, plan.ErrNeedsTx
}

// sentOnce is a parameter that has its statement sent no more than once. Package sql sends a
// statement again whose connection ended before the answer came, and what was stored already
// would not be recognised: the site would only seem to have been written to by another process.
type sentOnce struct {
	parameter any
	// inTime ends what ends the wait for a connection: what is sent is not cancelled any more.
	inTime func() bool
	sent   bool
}

var errSentBefore = errors.New("the connection ended before the answer came")

// Value implements driver.Valuer. It is called each time that the statement is sent.
func (p *sentOnce) Value() (driver.Value, error) {
	switch {
	case p.sent:
		return nil, errSentBefore
	case !p.inTime():
		return nil, context.Canceled
	}
	p.sent = true
	return p.parameter, nil
}

// statementOf returns a statement as the engine reads it. It is prepared when it is first sent;
// of too many, any one is forgotten.
func (s *planStore) statementOf(ctx context.Context, of plan.Statement) planStatement {
	name := of.Name()
	if known, found := s.prepared[name]; found {
		return known
	}
	made := planStatement{text: s.text(squirrel.Expr(of.Text("site_head." + takesChanges + " AND " + s.dialect.sameTimeline())))}
	if s.unprepared {
		return made
	}
	var err error
	if made.prepared, err = s.write.PrepareContext(ctx, made.text); err != nil {
		return planStatement{text: made.text} // sending it fails as well
	}
	if s.prepared == nil {
		s.prepared = map[string]planStatement{}
	}
	for other, known := range s.prepared {
		if len(s.prepared) < maxPrepared {
			break
		}
		_ = known.prepared.Close()
		delete(s.prepared, other)
	}
	s.prepared[name] = made
	return made
}

// run returns the sites for which a statement stored something. The whole answer is read: only
// at its end is it known that all is stored.
func (s *planStore) run(ctx context.Context, statement planStatement, args []any) (stored map[site.ID]bool, err error) {
	var rows *sql.Rows
	if statement.prepared != nil {
		rows, err = statement.prepared.QueryContext(ctx, args...)
	} else {
		rows, err = s.write.QueryContext(ctx, statement.text, args...)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	stored = map[site.ID]bool{}
	for rows.Next() {
		var id site.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		stored[id] = true
	}
	return stored, rows.Err()
}
