package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// tx is one unit of work.
type tx struct {
	ctx    context.Context
	store  *Store
	raw    *sql.Tx
	pool   *pool
	writes bool
	over   bool
	// broken is the first error of a statement. PostgreSQL refuses to go on
	// after one, so no engine does.
	broken error
	again  bool
	// isSetBack tells that the database is not where it was.
	isSetBack bool
}

var (
	errReadOnly = errors.New("a view cannot write")
	errOver     = errors.New("the unit of work is over")
)

func (t *tx) Ledger() port.Ledger { return ledgerRole{t} }
func (t *tx) Events() port.Events { return eventRole{t} }
func (t *tx) Sites() port.Sites   { return siteRole{t} }
func (t *tx) ScopeChanges() port.ScopeChanges {
	return tableOf[site.ScopeChangeID](t, scopeChanges)
}
func (t *tx) Agencies() port.Agencies       { return agencyRole{register[site.Agency]{t, agencies}} }
func (t *tx) Users() port.Users             { return register[site.User]{t, users} }
func (t *tx) Criteria() port.Criteria       { return vocabularyOf(t, definitions) }
func (t *tx) Lists() port.Lists             { return vocabularyOf(t, lists) }
func (t *tx) ActionTypes() port.ActionTypes { return vocabularyOf(t, actionTypes) }
func (t *tx) Actions() port.Actions         { return actionRole{t} }
func (t *tx) Credentials() port.Credentials { return credentialRole{t} }
func (t *tx) Tokens() port.Tokens           { return tokenRole{t} }
func (t *tx) Products() port.Products       { return productRole{t} }
func (t *tx) References() port.References   { return referenceRole{t} }
func (t *tx) Receipts() port.Receipts       { return receiptRole{t} }
func (t *tx) Webhooks() port.Webhooks       { return webhookRole{t} }
func (t *tx) Signings() port.Signings       { return signingRole{t} }
func (t *tx) WebhookAuths() port.WebhookAuths {
	return authRole{register[webhook.Auth]{t, t.store.auths()}}
}
func (t *tx) Deliveries() port.Deliveries   { return deliveryRole{t} }
func (t *tx) DeliveryLog() port.DeliveryLog { return deliveryLogRole{t} }
func (t *tx) Leases() port.Leases           { return leaseRole{t} }
func (t *tx) Rejections() port.Rejections   { return rejectionRole{t} }
func (t *tx) Log() port.Log                 { return logRole{t} }
func (t *tx) Followers() port.Followers     { return followerRole{t} }
func (t *tx) Usage() port.Usage             { return usageRole{t} }
func (t *tx) Imports() port.Imports         { return importRole{t} }
func (t *tx) Operators() port.Operators     { return operatorRole{t} }
func (t *tx) Sessions() port.Sessions       { return sessionRole{t} }
func (t *tx) Invitations() port.Invitations { return invitationRole{t} }
func (t *tx) Audit() port.Audit             { return auditRole{t} }

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
	rows, err := told(t.ctx, t.store, statement, func() (*sql.Rows, error) {
		if stmt := t.pool.prepared[statement]; stmt != nil {
			return t.raw.StmtContext(t.ctx, stmt).QueryContext(t.ctx, args...) //nolint:sqlclosecheck // it ends with the transaction
		}
		return t.raw.QueryContext(t.ctx, statement, args...)
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
	result, err := told(t.ctx, t.store, statement, func() (sql.Result, error) {
		if stmt := t.pool.prepared[statement]; stmt != nil {
			return t.raw.StmtContext(t.ctx, stmt).ExecContext(t.ctx, args...) //nolint:sqlclosecheck // it ends with the transaction
		}
		return t.raw.ExecContext(t.ctx, statement, args...)
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
