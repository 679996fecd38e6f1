package sqlstore

import (
	"context"
	"time"
)

// Content says what a database holds before its schema is touched.
type Content uint8

const (
	// Empty is a database without tables.
	Empty Content = iota
	// Ours is a database with the tables of a store.
	Ours
	// Foreign is a database with tables, but not those of a store.
	Foreign
)

// Content looks at the tables of the database.
func (s *Store) Content(ctx context.Context) (Content, error) {
	seen, err := s.tableNames(ctx)
	// The list of migrations appears when somebody asks what is pending, so it
	// alone proves nothing; nor does a table that anybody might have.
	listed := seen[schemaTable]
	delete(seen, schemaTable)
	switch {
	case len(seen) == 0:
		return Empty, err
	case listed && seen[heads.table]:
		return Ours, err
	}
	return Foreign, err
}

// Damage is what is wrong with the tables and their indexes, in words of the engine, which
// reads all of them for it. An engine that is a server of its own has other means, and tells nothing.
func (s *Store) Damage(ctx context.Context) (found []string, err error) {
	if s.dialect.Damage == "" {
		return nil, nil
	}
	err = s.texts(ctx, s.dialect.Damage, func(damage string) { found = append(found, damage) })
	return found, err
}

// Clock is the time of the server of the database; zero where it has the clock of this process.
func (s *Store) Clock(ctx context.Context) (at time.Time, err error) {
	if s.dialect.Clock == "" {
		return at, nil
	}
	err = s.read.QueryRowContext(ctx, s.dialect.Clock).Scan(&at)
	return at, s.explain(ctx, err)
}

// tableNames are the names of all tables in the schema, whoever made them.
func (s *Store) tableNames(ctx context.Context) (map[string]bool, error) {
	seen := map[string]bool{}
	err := s.texts(ctx, s.dialect.Tables, func(name string) { seen[name] = true })
	return seen, err
}

// texts hands on what a query answers with, a text a row.
func (s *Store) texts(ctx context.Context, query string, use func(string)) error {
	rows, err := s.read.QueryContext(ctx, query)
	if err != nil {
		return s.explain(ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return s.explain(ctx, err)
		}
		use(text)
	}
	return s.explain(ctx, rows.Err())
}
