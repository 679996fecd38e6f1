package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"github.com/lib/pq"
)

// ErrPooled is that a pooler stands before the server that hands a connection to somebody
// else after each transaction. Prepared statements and settings of a session end up with
// others there.
var ErrPooled = errors.New("this is a pooler in transaction mode: say --pooled")

// checkDirect fails with ErrPooled where a setting that is made on one connection is seen
// on another.
func checkDirect(ctx context.Context, config pq.Config) error {
	db := pool(connector{config: config, patience: DefaultPatience}, 2)
	defer db.Close()
	first, err := db.Conn(ctx)
	if err != nil {
		if e := pq.As(err); e != nil && strings.Contains(e.Message, "unsupported startup parameter") {
			return ErrPooled
		}
		return err
	}
	defer first.Close()
	second, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer second.Close()
	secret, seen := rand.Text(), ""
	if _, err := second.ExecContext(ctx, "SELECT 1"); err != nil {
		return err
	}
	if _, err := first.ExecContext(ctx, "SELECT set_config('vitrine.probe', $1, false)", secret); err != nil {
		return err
	}
	if err := second.QueryRowContext(ctx, "SELECT coalesce(current_setting('vitrine.probe', true), '')").Scan(&seen); err != nil {
		return err
	}
	if seen == secret {
		return ErrPooled
	}
	return nil
}
