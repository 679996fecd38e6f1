package sqlstore

import "context"

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

// tableNames are the names of all tables in the schema, whoever made them.
func (s *Store) tableNames(ctx context.Context) (map[string]bool, error) {
	rows, err := s.read.QueryContext(ctx, s.dialect.Tables)
	if err != nil {
		return nil, s.explain(ctx, err)
	}
	defer rows.Close()
	seen := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, s.explain(ctx, err)
		}
		seen[name] = true
	}
	return seen, s.explain(ctx, rows.Err())
}
