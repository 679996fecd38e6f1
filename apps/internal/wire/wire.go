// Package wire is the composition root: the only place where a concrete type
// meets a port.
package wire

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/passkeys"
	"github.com/vitrine-crm/vitrine/adapters/passwords"
	"github.com/vitrine-crm/vitrine/adapters/phones"
	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// Logger writes log lines to w.
func Logger(c config.Logging, w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.Level()}
	if c.LogFormat == "text" {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

// ReadyStore opens the database and brings its schema up to date, unless the key
// for it is missing.
func ReadyStore(ctx context.Context, c config.Database, keys config.Secrets, log *slog.Logger) (*sqlstore.Store, error) {
	store, err := OpenStore(ctx, c, log)
	if err != nil {
		return nil, err
	}
	if err := CheckKey(ctx, store, keys); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	err = store.Migrate(ctx)
	if err == nil {
		err = logEnd(ctx, store, c, log)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// OpenStore opens the database as it is. One that holds somebody else's tables
// is left alone.
func OpenStore(ctx context.Context, c config.Database, log *slog.Logger) (*sqlstore.Store, error) {
	if err := c.Understood(); err != nil {
		return nil, err
	}
	store, err := open(ctx, c, log)
	if err != nil {
		return nil, err
	}
	sqlstore.OnTimeline(logTimeline(log))(store)
	content, err := store.Content(ctx)
	if err == nil && content == sqlstore.Foreign {
		err = fmt.Errorf("%s holds tables that are not Vitrine's: choose another database or schema", c.Shown())
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

func open(ctx context.Context, c config.Database, log *slog.Logger) (*sqlstore.Store, error) {
	if !c.IsPostgres() {
		return sqlite.Open(ctx, c.Database)
	}
	return openPostgres(ctx, c, postgres.Warn(func(why string) { log.Warn("the database may lose what it confirmed", "reason", why) }))
}

// openPostgres opens a database of PostgreSQL as it is configured.
func openPostgres(ctx context.Context, c config.Database, options ...postgres.Option) (*sqlstore.Store, error) {
	options = append(options, postgres.Connections(c.Connections))
	if c.DatabasePatience > 0 {
		options = append(options, postgres.Patience(c.DatabasePatience))
	}
	if c.Pooled {
		options = append(options, postgres.Pooled())
	}
	return postgres.Open(ctx, c.Database, options...)
}

// Facts a database holds about itself.
const (
	environmentFact = "environment"
	pepperFact      = "pepper"
)

// SandboxEnvironment marks databases that hold demo data and may be emptied.
const SandboxEnvironment = "sandbox"

// Environment returns what a database is for, such as sandbox; empty when nobody
// said.
func Environment(ctx context.Context, s *sqlstore.Store) (string, error) {
	name, err := s.Meta(ctx, environmentFact)
	if errors.Is(err, fault.NotFound) {
		return "", nil
	}
	return name, err
}

// SetEnvironment says what a database is for.
func SetEnvironment(ctx context.Context, s *sqlstore.Store, name string) error {
	return s.SetMeta(ctx, environmentFact, name)
}

// pepper returns the key of the database's hashes. It is drawn once, with the
// schema, and sealed like other secrets: who has the database alone cannot try
// tokens against it.
func pepper(ctx context.Context, s *sqlstore.Store) (access.Pepper, error) {
	fresh, err := access.NewSecret(rand.Reader)
	if err != nil {
		return nil, err
	}
	kept, err := s.EnsureSealed(ctx, pepperFact, fresh)
	if err != nil {
		return nil, err
	}
	key, err := base64.RawURLEncoding.DecodeString(kept)
	if err != nil {
		return nil, fmt.Errorf("the pepper in the database is damaged: %w", err)
	}
	return key, nil
}

// Ports returns what the Site API needs of the world, with a store of choice.
func Ports(s port.Store) kernel.Ports {
	ports := kernel.Ports{Store: s, Now: time.Now, Rand: rand.Reader, Zone: time.LoadLocation, E164: phones.E164}
	// One that wraps a store may keep records elsewhere.
	if plain, ok := s.(*sqlstore.Store); ok {
		ports.Changes, ports.ProductRows = plain.Changes(), plain.ProductRows()
	}
	return ports
}

func portsWithPhotos(s port.Store, p *Photos) kernel.Ports {
	ports := Ports(s)
	ports.Blobs, ports.Images = p, p
	return ports
}

// Service makes the Site API over a store, whose secrets it opens. It keeps no
// pictures.
func Service(ctx context.Context, s *sqlstore.Store, c config.Secrets, o kernel.Options) (*siteapi.Service, error) {
	return newService(ctx, Ports(s), s, c, o)
}

// ServiceWithPhotos is Service with a place to keep pictures in.
func ServiceWithPhotos(ctx context.Context, p *Photos, s *sqlstore.Store, c config.Secrets, o kernel.Options) (*siteapi.Service, error) {
	return newService(ctx, portsWithPhotos(s, p), s, c, o)
}

// newService opens the secrets of a store and completes the options with what
// the database holds.
func newService(ctx context.Context, ports kernel.Ports, s *sqlstore.Store, c config.Secrets, o kernel.Options) (*siteapi.Service, error) {
	err := openSecrets(ctx, s, c)
	if err != nil {
		return nil, err
	}
	if o.Pepper, err = pepper(ctx, s); err != nil {
		return nil, err
	}
	return siteapi.New(ports, o)
}

// Backoffice makes what operators do over a Site API.
func Backoffice(service *siteapi.Service, options ...backoffice.Option) (*backoffice.Service, error) {
	options = append(options, backoffice.Passkeys(passkeys.New("Vitrine")), backoffice.Vocabulary(setup.French))
	return backoffice.New(service, passwords.New(rand.Reader), options...)
}

// Describe makes a service whose table can be read, over a store that is never
// asked.
func Describe(s port.Store) (*siteapi.Service, error) {
	return siteapi.New(Ports(s), kernel.Options{Pepper: make([]byte, 32)})
}
