package main

import (
	"context"
	"database/sql"
	"runtime"
)

// versions returns what ran.
func (b *bench) versions() string {
	line := runtime.Version()
	for _, v := range []struct{ driver, place, name, query string }{
		{"postgres", b.Postgres, "PostgreSQL", "SHOW server_version"},
		{"sqlite", ":memory:", "SQLite", "SELECT sqlite_version()"},
	} {
		if v.place == "" {
			continue
		}
		var version string
		if db, err := sql.Open(v.driver, v.place); err == nil {
			if db.QueryRowContext(context.Background(), v.query).Scan(&version) == nil {
				line += ", " + v.name + " " + version
			}
			_ = db.Close()
		}
	}
	return line
}
