package engine

import (
	"context"
	"database/sql"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	_ "github.com/lib/pq" // clusters are asked with it

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// Postgres is a cluster of PostgreSQL, which flushes what it confirms.
type Postgres struct {
	// Address is where it listens.
	Address string
	// Data is its folder.
	Data string

	host    *Host
	process *process
}

// How a cluster is stopped.
const (
	Fast      = syscall.SIGINT  // all that was confirmed is sent to standbys
	Immediate = syscall.SIGQUIT // as in a crash
)

// NewPostgres makes a cluster with some lines of configuration, and starts it.
func (h *Host) NewPostgres(ctx context.Context, name string, settings ...string) (*Postgres, error) {
	folder, err := h.Folder(name)
	if err != nil {
		return nil, err
	}
	return h.NewPostgresIn(ctx, folder, settings...)
}

// NewPostgresIn is NewPostgres in a folder that is there.
func (h *Host) NewPostgresIn(ctx context.Context, folder string, settings ...string) (*Postgres, error) {
	p, err := h.postgres(folder)
	if err != nil {
		return nil, err
	}
	if _, err := h.Run(ctx, "initdb", "-D", p.Data, "-U", "vitrine", "-A", "trust", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8"); err != nil {
		return nil, err
	}
	config := append([]string{
		"listen_addresses = '127.0.0.1'", "max_connections = 200", "shared_buffers = 128MB", "jit = off", "wal_keep_size = 256MB",
	}, settings...)
	if err := h.file(filepath.Join(p.Data, "conf"), strings.Join(config, "\n")+"\n"); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(p.Data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := file.WriteString("include 'conf'\n"); err != nil {
		return nil, err
	}
	return p, p.Start(ctx)
}

func (h *Host) postgres(folder string) (*Postgres, error) {
	address, err := rig.FreeAddress()
	if err != nil {
		return nil, err
	}
	p := &Postgres{Address: address, Data: filepath.Join(folder, "data"), host: h}
	h.AtClose(func() error { return p.Stop(Immediate) })
	return p, nil
}

// Start starts the cluster, and waits until it accepts connections.
func (p *Postgres) Start(ctx context.Context) (err error) {
	_, port, err := net.SplitHostPort(p.Address)
	if err != nil {
		return err
	}
	p.process, err = p.host.start(p.log(), "postgres", "-D", p.Data, "-p", port, "-c", "unix_socket_directories="+filepath.Dir(p.Data))
	if err != nil {
		return err
	}
	return p.process.until(ctx, func() bool { return rig.Execute(ctx, p.URL("postgres"), "SELECT 1") == nil })
}

// Port returns the one that it listens on.
func (p *Postgres) Port() string { return portOf(p.Address) }

// Gone reports whether the cluster ended by itself.
func (p *Postgres) Gone() bool { return p.process.gone() }

// Stop ends the cluster.
func (p *Postgres) Stop(how syscall.Signal) error {
	err := p.process.end(how)
	p.process = nil
	return err
}

// URL returns where a database of the cluster is.
func (p *Postgres) URL(database string) string {
	return "postgres://vitrine@" + p.Address + "/" + database + "?sslmode=disable"
}

func (p *Postgres) log() string { return filepath.Join(filepath.Dir(p.Data), "log") }

// Said returns what the cluster wrote to its log.
func (p *Postgres) Said() (string, error) {
	text, err := os.ReadFile(p.log())
	return string(text), err
}

// Standby makes a standby of the cluster, and starts it.
func (p *Postgres) Standby(ctx context.Context, name string) (*Postgres, error) {
	folder, err := p.host.Folder(name)
	if err != nil {
		return nil, err
	}
	s, err := p.host.postgres(folder)
	if err != nil {
		return nil, err
	}
	from := strings.TrimSuffix(p.URL("postgres"), "?sslmode=disable") + "?application_name=" + name
	if _, err := p.host.Run(ctx, "pg_basebackup", "-D", s.Data, "-d", from, "-R", "-X", "stream", "-c", "fast", "--no-sync"); err != nil {
		return nil, err
	}
	return s, s.Start(ctx)
}

// Execute runs some statements in the first database of the cluster.
func (p *Postgres) Execute(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if err := rig.Execute(ctx, p.URL("postgres"), statement); err != nil {
			return err
		}
	}
	return nil
}

// Number returns the number that a query in a database finds.
func Number(ctx context.Context, database, query string) (n int, err error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}

// Promote makes a primary of a standby.
func (p *Postgres) Promote(ctx context.Context) error { return p.Execute(ctx, "SELECT pg_promote()") }
