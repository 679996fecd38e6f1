package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"github.com/vitrine-crm/vitrine/adapters/internal/socket"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/port"
)

// connector opens connections on which nobody waits for ever.
type connector struct {
	config pq.Config
	// patience is how long a server may take to answer or to take what is sent; 0 is as long as it likes.
	patience time.Duration
	// present makes known that somebody uses the tables, as long as the connection lasts.
	present bool
	// silence is nil where everybody finds out alone.
	silence *silence
	// reached is nil where nobody knows how far the database had come.
	reached *sqlstore.Reached
}

// Driver implements driver.Connector.
func (connector) Driver() driver.Driver { return &pq.Driver{} }

// connectTimeout is how long one attempt to connect may take.
const connectTimeout = 2 * time.Second

// errUnreachable is that no connection could be made: nobody answers, or nobody who is
// what the URL asks for.
var errUnreachable = errors.New("the database cannot be reached")

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.silence.check(); err != nil {
		return nil, err
	}
	return c.connect(ctx)
}

func (c connector) connect(ctx context.Context) (driver.Conn, error) {
	inner, err := pq.NewConnectorConfig(c.config)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	way := &dialer{patience: c.patience, silence: c.silence}
	inner.Dialer(way)
	opened, err := inner.Connect(ctx)
	if err != nil {
		if ctx.Err() == nil && pq.As(err) == nil {
			err = fmt.Errorf("%w: %w", errUnreachable, err)
		}
		return nil, err
	}
	way.connected.Store(true)
	conn := session{opened.(driverConn), way.latest.Load(), c.silence}
	err = c.notePlace(ctx, conn)
	if err == nil && c.present {
		_, err = conn.ExecContext(ctx, "SELECT pg_advisory_lock_shared("+tablesInUse+")", nil)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// driverConn is what the driver's connections can do.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// session is a connection that is not used again once its server has hung up. The driver
// would only find out when it waits for an answer, and then nobody knows whether what was
// sent has been done. Nor is it used while the server is known to be silent. Nothing is waited
// for on it for longer than the port.Patience of a request, which the driver would do: it
// has the server told of the end of a context, and goes on waiting for the answer.
type session struct {
	driverConn
	network *impatient
	silence *silence
}

// ResetSession implements driver.SessionResetter.
func (s session) ResetSession(ctx context.Context) error {
	if socket.Supported && !socket.Quiet(s.network.Conn) {
		return driver.ErrBadConn
	}
	if s.silence.check() != nil {
		_ = s.network.Close() // or the driver says goodbye to it
		return driver.ErrBadConn
	}
	return s.driverConn.ResetSession(ctx)
}

// QueryContext implements driver.QueryerContext.
func (s session) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s.network.hurry(ctx)
	return s.driverConn.QueryContext(ctx, query, args)
}

// ExecContext implements driver.ExecerContext.
func (s session) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s.network.hurry(ctx)
	return s.driverConn.ExecContext(ctx, query, args)
}

// PrepareContext implements driver.ConnPrepareContext.
func (s session) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s.network.hurry(ctx)
	prepared, err := s.driverConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return statement{prepared.(driverStmt), s.network}, nil
}

// BeginTx implements driver.ConnBeginTx.
func (s session) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	s.network.hurry(ctx)
	began, err := s.driverConn.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	return transaction{began, ctx, s.network}, nil
}

// statement is a prepared one of a session.
type statement struct {
	driverStmt
	network *impatient
}

// driverStmt is what the driver's prepared statements can do.
type driverStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// QueryContext implements driver.StmtQueryContext.
func (s statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	s.network.hurry(ctx)
	return s.driverStmt.QueryContext(ctx, args)
}

// ExecContext implements driver.StmtExecContext.
func (s statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	s.network.hurry(ctx)
	return s.driverStmt.ExecContext(ctx, args)
}

// transaction is one of a session.
type transaction struct {
	driver.Tx
	request context.Context
	network *impatient
}

// Commit implements driver.Tx.
func (t transaction) Commit() error {
	t.network.hurry(t.request)
	return t.Tx.Commit()
}

// tablesInUse is an expression for the lock that everybody shares who uses the tables of
// the schema.
const tablesInUse = "hashtextextended('vitrine ' || current_schema(), 1)"

// ErrInUse is that others are connected to the tables.
var ErrInUse = errors.New("others are connected to the database")

// CheckAlone fails with ErrInUse when somebody else is connected to the tables that are
// seen at a postgres:// URL, through a Store that is not Pooled.
func CheckAlone(ctx context.Context, databaseURL string) error {
	config, err := connection(databaseURL, settings{})
	if err != nil {
		return err
	}
	config.Runtime["lock_timeout"] = "2s" // those who just left may still be seen
	db := pool(connector{config: config, patience: DefaultPatience}, 1)
	defer db.Close()
	_, err = db.ExecContext(ctx, "SELECT pg_advisory_lock("+tablesInUse+")")
	if e := pq.As(err); e != nil && e.Code == pqerror.LockNotAvailable {
		return ErrInUse
	}
	return dialect().Explain(ctx, err)
}

// notePlace has the numbers moved on that are told when the connection leads to another
// cluster than the one in which they were given: one that was restored behind the same
// address. A timeline and oids may be the same there. So they are moved on when it leads to
// the same cluster whose log had come further already, as that of an older snapshot had.
func (c connector) notePlace(ctx context.Context, conn driver.ExecerContext) error {
	timeline, at := c.reached.Log()
	note := fmt.Sprintf("UPDATE lineage SET place = 'elsewhere' WHERE cluster NOT IN ('', %s) OR timeline < %d OR timeline = %[2]d AND %[3]s < %[4]d",
		cluster, timeline, flushed, at)
	_, err := conn.ExecContext(ctx, note, nil)
	if e := pq.As(err); e != nil {
		switch e.Code {
		case pqerror.UndefinedTable, // the tables are yet to be made
			pqerror.ReadOnlySQLTransaction, pqerror.InsufficientPrivilege: // somebody who only looks
			return nil
		}
	}
	return err
}

// dialer makes network connections whose every wait has an end.
type dialer struct {
	patience time.Duration
	silence  *silence
	// latest is the connection that was made last.
	latest atomic.Pointer[impatient]
	// connected is set once the server has answered on it.
	connected atomic.Bool
}

var _ pq.DialerContext = (*dialer)(nil)

func (d *dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

func (d *dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

// DialContext implements pq.DialerContext. Once there is a connection, the driver makes another one
// for having a statement cancelled, and the statement waits for that: not while the server may be silent.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if d.connected.Load() && d.silence.isSuspected() {
		return nil, errSilent
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	waits := &impatient{Conn: conn, patience: d.patience, silence: d.silence}
	d.latest.Store(waits)
	return waits, nil
}

// impatient gives up when the other side is silent for too long, unless patience is zero.
type impatient struct {
	net.Conn
	patience time.Duration
	silence  *silence
	// until is what the driver allows for all that it does, if not zero, and first until when
	// something has to arrive of what a request waits for.
	until, first time.Time
}

// hurry has what is asked next be waited for no longer than its request waits.
func (c *impatient) hurry(ctx context.Context) {
	c.first = time.Time{}
	if p := port.PatienceOf(ctx); p != nil {
		c.first = time.Now().Add(p.Left())
	}
}

// Read has the server tried when half of the time is over, so that it is known at the end of
// it whether others need to wait as long.
func (c *impatient) Read(b []byte) (int, error) {
	end := c.deadline()
	if c.silence != nil && c.until.IsZero() {
		if err := c.SetReadDeadline(end.Add(-time.Until(end) / 2)); err != nil {
			return 0, err
		}
		n, err := c.Conn.Read(b)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			c.first = time.Time{}
			return n, err
		}
		c.silence.suspect()
	}
	if err := c.SetReadDeadline(end); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.first = time.Time{}
	}
	return n, err
}

func (c *impatient) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(c.deadline()); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *impatient) deadline() time.Time {
	var end time.Time
	if c.patience > 0 {
		end = time.Now().Add(c.patience)
	}
	for _, sooner := range []time.Time{c.until, c.first} {
		if !sooner.IsZero() && (end.IsZero() || sooner.Before(end)) {
			end = sooner
		}
	}
	return end
}

// SetDeadline is what the driver calls while it connects.
func (c *impatient) SetDeadline(t time.Time) error {
	c.until = t
	return c.Conn.SetDeadline(t)
}

// together has the connections of a pool find out together that their server is silent.
func (c connector) together() connector {
	alone := c
	alone.present = false
	// It is known before the wait is over that made somebody suspicious.
	alone.config.ConnectTimeout = min(c.config.ConnectTimeout, c.patience*2/5)
	c.silence = &silence{try: func(ctx context.Context) error {
		conn, err := alone.connect(ctx)
		if err != nil {
			return err
		}
		return conn.Close()
	}}
	return c
}

// pool makes a pool of connections.
func pool(c connector, connections int) *sql.DB {
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}
