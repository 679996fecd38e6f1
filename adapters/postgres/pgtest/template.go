package pgtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing" //nolint:depguard // it serves tests, as its name says
	"time"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
)

// Template is a database that others are copied from. It is made in a cluster when it is
// needed first, for all processes, and stays.
type Template struct {
	// Name tells templates of a cluster apart: two of the same name have the same content.
	Name string
	// From is a folder. What is in it is a part of the name, unless it is empty.
	From string
	// Fill puts into an empty database what every copy has, and leaves no connection open.
	Fill func(ctx context.Context, databaseURL string) error

	making sync.Mutex
	made   string // the cluster that has it
	name   string // there
}

// Tables is a template with the tables of a store and nothing in them. They are made by the
// migrations of adapters/sqlstore, whose folder is named.
func Tables(migrations string) *Template {
	return &Template{
		Name: fmt.Sprint("vitrine_template_", sqlstore.SchemaVersion()),
		From: migrations,
		Fill: func(ctx context.Context, databaseURL string) error {
			s, err := postgres.Open(ctx, databaseURL, postgres.Patience(time.Minute))
			if err != nil {
				return err
			}
			return errors.Join(s.Migrate(ctx), s.Close())
		},
	}
}

// URL makes a copy and returns its URL. The copy goes when the test ends. Without a cluster
// the test is skipped.
func (p *Template) URL(t testing.TB) string {
	t.Helper()
	// The test's own context has ended when it cleans up.
	ctx := context.WithoutCancel(t.Context())
	copied, drop, err := p.Copy(ctx, clusterOf(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(ctx); err != nil {
			t.Error(err)
		}
	})
	return copied
}

// Copy makes a copy in a cluster, and returns its URL and what drops it.
func (p *Template) Copy(ctx context.Context, cluster string) (copied string, drop func(context.Context) error, err error) {
	if err := p.make(ctx, cluster); err != nil {
		return "", nil, fmt.Errorf("template %s: %w", p.Name, err)
	}
	name := "test_" + strings.ToLower(rand.Text())
	if copied, err = inDatabase(cluster, name); err != nil {
		return "", nil, err
	}
	err = withConn(ctx, cluster, func(conn *sql.Conn) error {
		var version int
		if err := conn.QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
			return err
		}
		create := "CREATE DATABASE " + name + " TEMPLATE " + p.name
		if version >= 15_00_00 {
			create += " STRATEGY file_copy" // the only way before, and the faster one since
		}
		_, err := conn.ExecContext(ctx, create)
		return err
	})
	return copied, func(ctx context.Context) error {
		return withConn(ctx, cluster, func(conn *sql.Conn) error {
			_, err := conn.ExecContext(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
			return err
		})
	}, err
}

// make makes the template, unless this or another process has.
func (p *Template) make(ctx context.Context, cluster string) error {
	p.making.Lock()
	defer p.making.Unlock()
	if p.made == cluster {
		return nil
	}
	p.name = p.Name
	if p.From != "" {
		content, err := digest(p.From)
		if err != nil {
			return err
		}
		p.name += "_" + content
	}
	filled, err := inDatabase(cluster, p.name)
	if err != nil {
		return err
	}
	err = withConn(ctx, cluster, func(conn *sql.Conn) error {
		key := fnv.New32a()
		_, _ = key.Write([]byte(p.name))
		// The lock ends with the connection.
		if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", int64(key.Sum32())); err != nil {
			return err
		}
		var isMade bool
		err := conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)", p.name).Scan(&isMade)
		if err != nil || isMade {
			return err
		}
		for _, statement := range []string{"DROP DATABASE IF EXISTS " + p.name + " WITH (FORCE)", "CREATE DATABASE " + p.name} {
			if _, err := conn.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		if err := p.Fill(ctx, filled); err != nil {
			return err
		}
		_, err = conn.ExecContext(ctx, "ALTER DATABASE "+p.name+" IS_TEMPLATE true")
		return err
	})
	if err == nil {
		p.made = cluster
	}
	return err
}

// digest is what a folder holds, in a word that can be part of the name of a database.
func digest(folder string) (string, error) {
	sum := fnv.New64a()
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(os.DirFS(folder), path)
		_, _ = fmt.Fprintf(sum, "%s %d ", path, len(content))
		_, _ = sum.Write(content)
		return err
	})
	return fmt.Sprintf("%016x", sum.Sum64()), err
}

// inDatabase is the URL of another database of a cluster.
func inDatabase(cluster, name string) (string, error) {
	u, err := url.Parse(cluster)
	if err != nil {
		return "", fmt.Errorf("%s: not a URL", Variable)
	}
	u.Path = "/" + name
	query := u.Query()
	query.Set("connect_timeout", "60") // the machine may be busy
	u.RawQuery = query.Encode()
	return u.String(), nil
}

func withConn(ctx context.Context, databaseURL string, use func(*sql.Conn) error) (err error) {
	db, err := sql.Open("postgres", databaseURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	return use(conn)
}
