package sqlstore

import (
	"context"
	"io/fs"
	"testing/fstest"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore/internal/plan"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// PendingOf is the condition for the pending deliveries of a webhook.
const PendingOf = pendingOf

// OwnedProduct is the condition of the index of what customers own.
const OwnedProduct = ownedProduct

// LotProduct is that of the index of lots.
const LotProduct = lotProduct

// QueuedPlans is how many plans wait for the next statement.
func QueuedPlans(s *Store) int { return s.planner.Queued() }

// PreparedForPlans prepares the statements for plans that are based on records of some tables,
// one after the other, and reports how many of them are prepared then.
func PreparedForPlans(ctx context.Context, s *Store, tables [][]string) int {
	for _, seen := range tables {
		s.plans.statementOf(ctx, plan.Statement{Seen: seen})
	}
	return len(s.plans.prepared)
}

// PlanPatience sets how long plans wait for units with a transaction.
func PlanPatience(s *Store, d time.Duration) { s.planner.Patience = d }

// PlanWaits reports whether a plan waits for units with a transaction at a site.
func PlanWaits(s *Store, id site.ID) bool { return s.planner.Waits(id) }

// Numbers runs a query of one column of whole numbers within a unit of work.
func Numbers(unit port.Tx, query string) ([]int64, error) { return unit.Roles.(*tx).numbers(query) }

// Search is the statement by which a unit of work finds records, with its arguments.
func Search(s *Store, find func(port.Tx) error) (statement string, args []any, err error) {
	var asked query
	if err := find(port.Tx{Roles: asking{found: &asked}}); err != nil {
		return "", nil, err
	}
	found := s.searchRecords(asked.kind, asked.Query)
	return s.text(found.b), found.args, nil
}

type query struct {
	kind port.Kind
	port.Query
}

// asking notes the query of a unit of work.
type asking struct {
	port.Roles
	found *query
}

func (a asking) Records() port.Records { return askedRecords{found: a.found} }

type askedRecords struct {
	port.Records
	found *query
}

func (a askedRecords) Find(k port.Kind, q port.Query) ([]any, error) {
	*a.found = query{k, q}
	return nil, nil
}

// Knowing makes a store that knows the tables up to a migration, as an earlier version does.
func Knowing(version int64) Option { return func(s *Store) { s.dialect.known = version } }

// MigrateTo applies the migrations up to one, as Migrate applies all.
func MigrateTo(ctx context.Context, s *Store, version int64) error {
	return s.goingAgain(ctx, func(ctx context.Context) error {
		provider, err := s.provider(ctx)
		if err == nil {
			_, err = provider.UpTo(ctx, version)
		}
		return err
	})
}

// Later gives a store one migration more that is common to both engines, as a later version has.
func Later(name, text string) Option {
	return func(s *Store) {
		files := fstest.MapFS{"migrations/shared/" + name: {Data: []byte(text)}}
		_ = fs.WalkDir(migrations, ".", func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				files[path] = new(fstest.MapFile)
				files[path].Data, err = fs.ReadFile(migrations, path)
			}
			return err
		})
		s.migrations = files
	}
}

// OwnTables are the tables that are dumped.
func OwnTables(ctx context.Context, s *Store) ([]string, error) { return s.ownTables(ctx) }

// RedactedSearch is the statement that finds what is redacted.
func RedactedSearch(s *Store) string { return s.hot.hooks.redacted }

// Forget has a store forget that it knows too little.
func Forget(s *Store) { s.outdated.Store(false) }

// SiteTables are the tables of which a site has rows, and OfInstallation the others, with
// why.
func SiteTables(ctx context.Context, s *Store) (names []string, err error) {
	err = s.View(ctx, func(unit port.Tx) error {
		names, err = unit.Roles.(*tx).siteTables()
		return err
	})
	return names, err
}

var (
	OfInstallation = ofInstallation
	SiteColumn     = siteColumn
	MadeTables     = (*Store).madeTables
)

// Knows has a store know that the log had come further, by some bytes.
func Knows(s *Store, further int64) {
	s.reached.mu.Lock()
	defer s.reached.mu.Unlock()
	s.reached.log.at += further
}

// HangUp ends the connections that nobody uses.
func HangUp(s *Store) {
	s.standby.Store(true)
	s.dropStandbyConnections()
}
