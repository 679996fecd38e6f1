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
	rows, err := s.read.QueryContext(ctx, s.dialect.Tables)
	if err != nil {
		return Empty, s.explain(ctx, err)
	}
	defer rows.Close()
	seen := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return Empty, s.explain(ctx, err)
		}
		seen[name] = true
	}
	// The list of migrations appears when somebody asks what is pending, so it
	// alone proves nothing; nor does a table that anybody might have.
	listed := seen[schemaTable]
	delete(seen, schemaTable)
	switch {
	case len(seen) == 0:
		return Empty, s.explain(ctx, rows.Err())
	case listed && seen[heads.table]:
		return Ours, s.explain(ctx, rows.Err())
	}
	return Foreign, s.explain(ctx, rows.Err())
}
