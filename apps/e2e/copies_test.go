package e2e_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// The databases of worlds are copies of templates, which are migrated and provisioned
// once. There is one for each description, engine and moment.
var (
	templatesMu sync.Mutex
	templates   = map[string]func() (*world, error){}
)

// template is the database of which one with what the choices describe is a copy. There is
// none in memory, or where pictures are described: their content is not in the database.
func (c choices) template(engine string) (database string, err error) {
	if engine == "memory" || c.isTemplate || slices.ContainsFunc(c.stages, hasPictures) {
		return "", nil
	}
	described, err := json.Marshal(c.stages) //nolint:staticcheck // what opens a picture cannot be encoded, and there is none
	if err != nil {
		return "", err
	}
	if engine == oneConnection {
		engine = "postgres"
	}
	key := fmt.Sprint(engine, c.clock.fixed, string(described))
	templatesMu.Lock()
	if templates[key] == nil {
		templates[key] = sync.OnceValues(func() (*world, error) {
			w, err := undispatched(engine, func(t *choices) {
				t.stages, t.clock, t.isTemplate = c.stages, &clock{fixed: c.clock.fixed}, true
			})
			if err == nil {
				w.end()
			}
			return w, err
		})
	}
	made := templates[key]
	templatesMu.Unlock()
	w, err := made()
	if err != nil {
		return "", err
	}
	return w.database, nil
}

func hasPictures(described transfer.Setup) bool {
	return slices.ContainsFunc(described.Sites, func(s transfer.SetupSite) bool {
		return slices.ContainsFunc(s.Products, func(p transfer.SetupProduct) bool { return len(p.Pictures) > 0 })
	})
}

// dropTemplates ends the databases of all templates.
func dropTemplates() {
	for _, made := range templates {
		if w, err := made(); err == nil {
			w.drop()
		}
	}
}

// newFile is where a SQLite database is, a copy of a template, or none yet without one.
func newFile(template string) (database string, drop func(), err error) {
	folder, err := os.MkdirTemp("", "vitrine-e2e-")
	if err != nil {
		return "", nil, err
	}
	database, drop = filepath.Join(folder, "vitrine.db"), func() { os.RemoveAll(folder) }
	if template == "" {
		return database, drop, nil
	}
	content, err := os.ReadFile(template)
	if err != nil {
		return "", nil, err
	}
	return database, drop, os.WriteFile(database, content, 0o600)
}

// newDatabase makes a PostgreSQL database, a copy of a template, or empty without one.
func newDatabase(template string) (database string, drop func(), err error) {
	cluster, err := url.Parse(os.Getenv(clusterVariable))
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", clusterVariable, err)
	}
	name := "e2e_" + strings.ToLower(rand.Text())
	create := "CREATE DATABASE " + name
	if template != "" {
		from, err := url.Parse(template)
		if err != nil {
			return "", nil, err
		}
		create += " TEMPLATE " + strings.TrimPrefix(from.Path, "/")
	}
	clause, err := strategy()
	if err != nil {
		return "", nil, err
	}
	query := cluster.Query()
	query.Set("connect_timeout", "60") // the machine may be busy
	cluster.RawQuery, cluster.Path = query.Encode(), "/"+name
	return cluster.String(), func() { _ = inCluster("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)") }, inCluster(create + clause)
}

// strategy is the clause for the way to copy a database that costs least. PostgreSQL has a
// choice since version 15.
var strategy = sync.OnceValues(func() (clause string, err error) {
	db, err := sql.Open("postgres", os.Getenv(clusterVariable))
	if err != nil {
		return "", err
	}
	defer db.Close()
	const choose = "SELECT CASE WHEN current_setting('server_version_num')::int >= 150000 THEN ' STRATEGY file_copy' ELSE '' END"
	return clause, db.QueryRowContext(context.Background(), choose).Scan(&clause)
})

// inCluster runs a statement.
func inCluster(statement string) error {
	db, err := sql.Open("postgres", os.Getenv(clusterVariable))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(context.Background(), statement)
	return err
}
