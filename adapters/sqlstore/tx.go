package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// tx is one unit of work.
type tx struct {
	ctx   context.Context
	store *Store
	// raw is nil until the transaction has begun, which end ends with its connection.
	raw    *sql.Tx
	end    func()
	pool   *pool
	writes bool
	over   bool
	// outside is set where queries are part of no transaction.
	outside bool
	// plan is nil in a unit with a transaction.
	plan *plan.Plan
	// about is the site that a plan was first wanted for; 0 for none.
	about site.ID
	// last are the last events that it appended to ledgers.
	last []event.Event
	// appended has what is called when the unit has ended, for each site that its transaction
	// appends to.
	appended map[site.ID]func()
	// broken is the first error of a statement. PostgreSQL refuses to go on
	// after one, so no engine does.
	broken error
	again  bool
	// isOtherTimeline reports that the numbers have to be moved on.
	isOtherTimeline bool
}

var (
	errReadOnly = errors.New("a view cannot write")
	errOver     = errors.New("the unit of work is over")
)

func (t *tx) Ledger() port.Ledger           { return ledgerRole{t} }
func (t *tx) Sites() port.Sites             { return siteRole{t} }
func (t *tx) Actions() port.Actions         { return actionRole{t} }
func (t *tx) Credentials() port.Credentials { return credentialRole{t} }
func (t *tx) Tokens() port.Tokens           { return tokenRole{t} }
func (t *tx) Products() port.Products       { return productRole{t} }
func (t *tx) Receipts() port.Receipts       { return receiptRole{t} }
func (t *tx) Webhooks() port.Webhooks       { return webhookRole{t} }
func (t *tx) Deliveries() port.Deliveries   { return deliveryRole{t} }
func (t *tx) Rejections() port.Rejections   { return rejectionRole{t} }
func (t *tx) Imports() port.Imports         { return importRole{t} }

// reading says why nothing can be read now, if so.
func (t *tx) reading() error {
	if t.over {
		return errOver
	}
	return t.broken
}

// writing says why nothing can be written now, if so.
func (t *tx) writing() error {
	if !t.writes {
		return errReadOnly
	}
	return t.reading()
}

// begun begins the transaction, unless there is one. A unit whose plan assumes something cannot
// have one any more: it is run again.
func (t *tx) begun() (err error) {
	if t.raw != nil || t.outside {
		return nil
	}
	planned := t.plan
	if planned != nil && planned.Site() != 0 {
		t.broken = plan.ErrNeedsTx
		return t.broken
	}
	t.plan = nil
	options := t.store.dialect.View
	if t.writes {
		options = t.store.dialect.Update
	}
	if t.raw, t.end, err = t.store.begin(t.ctx, t.pool, options, t.writes, t.about); err != nil {
		return t.fail(err)
	}
	if planned == nil {
		return nil
	}
	return t.lockSeen(planned)
}

// ended undoes what was not committed, and releases what the unit has locked.
func (t *tx) ended() {
	t.over = true
	if t.raw != nil {
		// After a commit this does nothing. It also runs while a panic passes.
		_ = t.raw.Rollback()
		t.end()
	}
	for _, ended := range t.appended {
		ended()
	}
}

// appendsTo notes that the transaction appends to the ledger of a site.
func (t *tx) appendsTo(id site.ID) {
	if !t.store.dialect.Plans || t.appended[id] != nil {
		return
	}
	if t.appended == nil {
		t.appended = map[site.ID]func(){}
	}
	t.appended[id] = t.store.planner.TxBegins(id)
}

// fail records that the unit cannot succeed any more.
func (t *tx) fail(err error) error {
	t.again = t.store.dialect.trouble(err) == Again && t.ctx.Err() == nil
	t.broken = t.store.explain(t.ctx, err)
	return t.broken
}

// query runs a statement that reads.
func (t *tx) query(statement string, args ...any) (*sql.Rows, error) {
	if err := t.reading(); err != nil {
		return nil, err
	}
	if err := t.begun(); err != nil {
		return nil, err
	}
	rows, err := observedStatement(t.ctx, t.store, statement, func(ctx context.Context) (*sql.Rows, error) {
		if t.outside {
			return t.pool.query(ctx, statement, args...)
		}
		if stmt := t.pool.prepared[statement]; stmt != nil {
			return t.raw.StmtContext(ctx, stmt).QueryContext(ctx, args...) //nolint:sqlclosecheck // it ends with the transaction
		}
		return t.raw.QueryContext(ctx, statement, args...)
	})
	if err != nil {
		return nil, t.fail(err)
	}
	return rows, nil
}

// exec runs a statement that writes, and tells how many rows it touched.
func (t *tx) exec(statement string, args ...any) (int64, error) {
	if err := t.writing(); err != nil {
		return 0, err
	}
	if err := t.begun(); err != nil {
		return 0, err
	}
	result, err := observedStatement(t.ctx, t.store, statement, func(ctx context.Context) (sql.Result, error) {
		if stmt := t.pool.prepared[statement]; stmt != nil {
			return t.raw.StmtContext(ctx, stmt).ExecContext(ctx, args...) //nolint:sqlclosecheck // it ends with the transaction
		}
		return t.raw.ExecContext(ctx, statement, args...)
	})
	if err != nil {
		return 0, t.fail(err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, t.fail(err)
	}
	return n, nil
}

// numbers runs a statement that answers with a column of whole numbers, and
// that writes as well.
func (t *tx) numbers(statement string, args ...any) ([]int64, error) {
	if err := t.writing(); err != nil {
		return nil, err
	}
	return list(t, numberColumn, statement, args...)
}

// numberColumn reads answers that are one column of whole numbers.
var numberColumn = mapping[int64]{table: "numbers", row: func(n *int64) row { return row{{"n", whole(n)}} }}
