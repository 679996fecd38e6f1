// Package sqlstore keeps the ports in a relational database. It is written once
// for both engines; what they do not share is a Dialect. It decides nothing:
// what may be written, and who may read it, is the core's business.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Store is a port.Store in a database.
type Store struct {
	dialect     Dialect
	read, write *pool
	// migrating is where tables are made, which may take as long as it takes.
	migrating *sql.DB
	// migrations are how: a folder for each engine, and one for what is common to them.
	migrations fs.FS
	unprepared bool
	ready      atomic.Bool
	// standby tells that a connection was met that leads to one.
	standby   atomic.Bool
	preparing sync.Mutex
	hot       hot
	heads     headReads
	reached   *Reached
	gates     gates
	// planner is for units of work without a transaction, and plans what it needs.
	planner    *plan.Planner
	plans      planStore
	productIDs block
	// tables are the statements about tables, by name.
	tables  sync.Map
	keyring Keyring
	// started counts how often the numbers were moved on; onTimeline may be nil.
	started    atomic.Int64
	onTimeline func(context.Context, Timeline)
	// asked is when it was last found out, in nanoseconds, whether this program knows the
	// tables; outdated tells that it does not.
	asked    atomic.Int64
	outdated atomic.Bool
	// observers are told of units of work, statements of every statement as well.
	observers  []Observer
	statements []StatementObserver
	// floors are the highest ids drawn by this process where the engine forgets
	// them with a rollback.
	floors [port.Sequences]atomic.Int64
}

// pool is a database with the statements prepared on it.
type pool struct {
	*sql.DB
	prepared map[string]*sql.Stmt
}

// query runs a query that is no part of a transaction.
func (p *pool) query(ctx context.Context, statement string, args ...any) (*sql.Rows, error) {
	if stmt := p.prepared[statement]; stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return p.QueryContext(ctx, statement, args...)
}

// queryRow is query for at most one row.
func (p *pool) queryRow(ctx context.Context, statement string, args ...any) *sql.Row {
	if stmt := p.prepared[statement]; stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return p.QueryRowContext(ctx, statement, args...)
}

var _ port.Store = (*Store)(nil)

// Option changes how a store works.
type Option func(*Store)

// Migrating has the tables made through another pool than the one for writing. The store
// then owns it, too.
func Migrating(db *sql.DB) Option { return func(s *Store) { s.migrating = db } }

// NoPrepare runs every statement unprepared, as a pooler that changes servers
// between transactions needs it. It costs about half the speed.
func NoPrepare() Option { return func(s *Store) { s.unprepared = true } }

// New makes a store on open databases, which it then owns. Reads go to read and
// units that write to write; they may be the same. The schema is Migrate's
// business.
func New(read, write *sql.DB, d Dialect, options ...Option) *Store {
	s := &Store{dialect: d, read: &pool{DB: read}, reached: new(Reached), migrations: migrations}
	s.dialect.known = SchemaVersion()
	s.write = s.read
	if write != read {
		s.write = &pool{DB: write}
	}
	s.migrating = write
	for _, set := range options {
		set(s)
	}
	s.plans.Store = s
	s.planner = plan.New(&s.plans)
	if d.Plans {
		s.gates = newGates(write.Stats().MaxOpenConnections)
	}
	s.hot = s.hotStatements()
	return s
}

// Head implements port.Store. It is a single read outside any transaction, which those who
// ask at once may share.
func (s *Store) Head(ctx context.Context, id site.ID) (port.Head, error) {
	if err := s.prepare(ctx); err != nil {
		return port.Head{}, err
	}
	defer s.dropStandbyConnections()
	p, err := s.head(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		// What is not there says nothing about where the database is.
		p.sameTimeline, err = s.sameTimeline(ctx)
		if err == nil && p.sameTimeline {
			s.reached.forget(id)
			err = sql.ErrNoRows
		}
	}
	if err == nil && !p.sameTimeline {
		condition := s.otherPlace()
		if p.isPast { // unless somebody else moved them on since
			condition += fmt.Sprintf(" OR timeline = %d", p.timeline)
		}
		if err := s.startTimeline(ctx, condition); err != nil {
			return port.Head{}, err
		}
		p, err = s.head(ctx, id)
	}
	if err == nil {
		s.planner.Learn(id, p.assumed())
	}
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return port.Head{}, noSite(id)
	case err != nil:
		return port.Head{}, s.explain(ctx, err)
	case !p.sameTimeline:
		return port.Head{}, errAskAgain()
	}
	return p.Head, nil
}

// sameTimeline reports whether the numbers need not be moved on.
func (s *Store) sameTimeline(ctx context.Context) (bool, error) {
	return inTime(ctx, func(ctx context.Context) (bool, error) {
		var n int
		err := s.read.QueryRowContext(ctx, s.hot.sameTimeline).Scan(&n)
		return n == 1, err
	})
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	err := s.write.PingContext(ctx)
	if err == nil && s.read != s.write {
		err = s.read.PingContext(ctx)
	}
	return s.explain(ctx, err)
}

// Writable reports whether the database answers and takes what is written,
// and that this program knows its tables.
func (s *Store) Writable(ctx context.Context) error {
	defer s.dropStandbyConnections()
	if err := s.isUnderstood(ctx); err != nil {
		return err
	}
	_, err := inTime(ctx, func(ctx context.Context) (answer any, err error) {
		return answer, s.write.QueryRowContext(ctx, s.dialect.Writable).Scan(&answer)
	})
	return s.explain(ctx, err)
}

// leaveWithin is how long Close waits where a unit of work has not ended.
const leaveWithin = time.Second

// Close ends all connections.
func (s *Store) Close() error {
	if s.dialect.Leave == "" {
		// Each of them may be the same as another one, and closing one twice does nothing.
		return errors.Join(s.read.Close(), s.write.Close(), s.migrating.Close())
	}
	// What is still read, such as an index that nobody waits for any more, would keep a log
	// beside the file, which is taken for that of whatever is put in the file's place.
	var err error
	if s.read != s.write {
		err = s.read.Close()
		s.read.unused()
	}
	// If something is read still, whoever copies the file has everything all the same.
	ctx, stop := context.WithTimeout(context.Background(), leaveWithin)
	_, _ = s.write.ExecContext(ctx, s.dialect.Leave)
	stop()
	err = errors.Join(err, s.write.Close(), s.migrating.Close())
	s.write.unused()
	return err
}

// unused waits until nobody uses a pool that is closed, but not for longer than leaveWithin.
func (p *pool) unused() {
	for began := time.Now(); p.Stats().OpenConnections > 0 && time.Since(began) < leaveWithin; {
		time.Sleep(time.Millisecond)
	}
}

// dropStandbyConnections closes the connections that lead to a standby, once nobody uses them: all that
// are idle, for it is not known of which it is true.
func (s *Store) dropStandbyConnections() {
	if !s.standby.CompareAndSwap(true, false) {
		return
	}
	for _, p := range []*pool{s.read, s.write} {
		p.SetMaxIdleConns(-1)
		p.SetMaxIdleConns(p.Stats().MaxOpenConnections)
	}
}

// prepare prepares the hot statements, once. It cannot happen in New, because
// the tables may not exist yet.
func (s *Store) prepare(ctx context.Context) error {
	if s.unprepared || s.ready.Load() {
		return nil
	}
	s.preparing.Lock()
	defer s.preparing.Unlock()
	if s.ready.Load() {
		return nil
	}
	for _, p := range []*pool{s.read, s.write} {
		prepared := map[string]*sql.Stmt{}
		for _, text := range s.hot.all {
			if p.prepared[text] != nil {
				continue
			}
			stmt, err := p.PrepareContext(ctx, text) //nolint:sqlclosecheck // it lives as long as the pool
			if err != nil {
				for _, stmt := range prepared {
					_ = stmt.Close()
				}
				return s.explain(ctx, err)
			}
			prepared[text] = stmt
		}
		if p.prepared == nil {
			p.prepared = prepared
		}
	}
	s.ready.Store(true)
	return nil
}

// hot are the statements worth preparing.
type hot struct {
	head, heads, count, sameTimeline, keepOpen            string
	record                                                inserts
	productGet, productHeld, productMany, productExisting string
	// productUnlocked is empty where nothing is planned.
	productUnlocked                           string
	productScan, productAdd, productChange    string
	productRow, productRows                   string
	productsHeld, productsAdd, productsChange string
	productOwned, productLots                 string
	referenceNext, referenceLast              string
	credential                                string
	// recording, productAdding, productChanging and actionAdding are parts of the statement that
	// stores plans.
	recording, productAdding, productChanging, actionAdding plan.Part
	customerMany, customerExisting, customerScan            string
	productChanges, searchChanges                           string
	tokenGet, tokenPut                                      string
	familyGet, familyHeld, familyPut                        string
	receiptGet, receiptClaim, receiptPut                    string
	actionAdd                                               string
	ids                                                     [port.Sequences]string
	hooks                                                   hotHooks
	all                                                     []string
}

func (s *Store) hotStatements() hot {
	var h hot
	keep := func(b squirrel.Sqlizer) string {
		text := s.text(b)
		h.all = append(h.all, text)
		return text
	}
	held := s.dialect.Held
	h.head = keep(findHead(s.dialect))
	h.heads = keep(findHeads(s.dialect))
	h.count = keep(countEvents(s.dialect))
	h.sameTimeline = keep(onSameTimeline(s.dialect))
	h.keepOpen = keep(keepOpen(s.dialect))
	h.record = insertsOf(s.dialect, keep, s.ledger(), "")
	h.productGet = keep(products.find(livingProduct))
	h.productHeld = h.productGet
	h.familyGet = keep(families.find("id = ?"))
	h.familyHeld = h.familyGet
	if held != "" {
		h.productHeld = keep(products.find(livingProduct).Suffix(held))
		h.familyHeld = keep(families.find("id = ?").Suffix(held))
	}
	h.productExisting = keep(squirrel.Select("id").From(products.table).Where("site_id = ? AND deleted_at IS NULL AND id " + s.dialect.Among).OrderBy("id"))
	h.productMany = keep(products.find("site_id = ? AND deleted_at IS NULL AND id " + s.dialect.Among).OrderBy("id"))
	h.productRow = keep(findRows("id = ?"))
	h.productRows = keep(findRows("id " + s.dialect.Among))
	h.productScan = keep(narrowProducts.find("site_id = ? AND id > ? AND deleted_at IS NULL").OrderBy("id").Suffix("LIMIT ?"))
	h.productOwned = keep(products.find("site_id = ? AND customer_id = ? AND " + ownedProduct).OrderBy("id"))
	h.productLots = keep(squirrel.Select("id").From(products.table).Where("site_id = ? AND parent_id = ? AND " + lotProduct).OrderBy("id"))
	ofProducts := insertsOf(s.dialect, keep, products, "ON CONFLICT (site_id, agency_id, reference_key) DO NOTHING")
	h.productAdd, h.productsAdd = ofProducts.one, ofProducts.many
	h.productsHeld = keep(products.find("site_id = ? AND deleted_at IS NULL AND id " + s.dialect.Among).OrderBy("id").Suffix(held))
	h.productsChange = keep(replacingProducts(s.dialect))
	h.productChange = keep(products.replace("deleted_at IS NULL"))
	h.referenceNext = keep(nextReference())
	h.referenceLast = keep(squirrel.Select("last_number").From("reference_counter").Where("site_id = ? AND agency_id = ?"))
	h.credential = keep(credentials.find("id = ?"))
	if s.dialect.Plans {
		h.recording, h.productAdding = adding(s.dialect, s.ledger()), adding(s.dialect, products)
		h.productChanging, h.actionAdding = changing(s.dialect, products), adding(s.dialect, actions)
		h.productUnlocked = keep(versionedOf(products).find(livingProduct))
	}
	ofCustomers := statementsOf(s, customers)
	h.all = append(h.all, ofCustomers.get, ofCustomers.held, ofCustomers.put)
	if s.dialect.Plans {
		h.all = append(h.all, ofCustomers.unlocked)
	}
	for _, k := range port.Kinds {
		if k.Sealed() {
			of := statementsOf(s, recordsOf(k, s.keyring))
			h.all = append(h.all, of.get, of.held)
		}
	}
	h.customerMany = keep(customers.find("site_id = ? AND id " + s.dialect.Among).OrderBy("id"))
	h.customerExisting = s.text(squirrel.Select("id").From(customers.table).Where("site_id = ? AND id " + s.dialect.Among).OrderBy("id"))
	h.customerScan = keep(narrowCustomers.find("site_id = ? AND id > ?").OrderBy("id").Suffix("LIMIT ?"))
	h.productChanges = keep(productChanges(s.dialect))
	h.searchChanges = keep(searchChanges(s.dialect))
	h.tokenGet = keep(tokens.find("hash = ?"))
	h.tokenPut = keep(tokens.upsert())
	h.familyPut = keep(families.upsert())
	h.receiptGet = keep(s.receipts().find(ofReceipt))
	h.receiptClaim = keep(claimReceipt(s.receipts()))
	h.receiptPut = keep(s.receipts().upsert())
	h.actionAdd = keep(actions.insert())
	for i := range h.ids {
		h.ids[i] = keep(drawIDs(s.dialect, port.Sequence(i)))
	}
	h.hooks = s.hookStatements(keep)
	return h
}

// text is a statement as the engine reads it. Statements are written here, not
// by callers, so one that does not build is a mistake in this package.
func (s *Store) text(b squirrel.Sqlizer) string {
	text, _, err := b.ToSql()
	if err == nil {
		text, err = s.dialect.Placeholder.ReplacePlaceholders(text)
	}
	if err != nil {
		panic(fmt.Sprintf("sqlstore: %v", err))
	}
	return text
}

func noSite(id site.ID) error { return fmt.Errorf("site %d: %w", id, fault.NotFound) }
