package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/demo"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

type serve struct {
	config.Server `group:"http"`
}

// Run serves until told to stop.
func (c *serve) Run(ctx context.Context) error {
	// Before the database is made, which a user who chooses another address may not want.
	if _, err := vacant(ctx, c.Listen); err != nil {
		return err
	}
	log := wire.Logger(c.Logging, os.Stderr)
	release, err := wire.HoldDatabase(c.Database)
	if err != nil {
		return err
	}
	defer release()
	store, err := wire.ReadyStore(ctx, c.Database, c.Secrets, log)
	if err != nil {
		return err
	}
	defer store.Close()
	if !c.IsPostgres() && !c.NoDispatch { // there is no other process, unless vitrine dispatch
		if err := store.FreeLeases(ctx); err != nil {
			return err
		}
	}
	environment, err := wire.Environment(ctx, store)
	if err != nil {
		return err
	}
	if environment == wire.SandboxEnvironment {
		log.Warn("the database is a sandbox: its credentials are public, and without VITRINE_SECRET_KEY its key lies in it", "database", c.Shown())
	}
	if c.Environment == "" {
		c.Environment = environment
	}
	server, err := wire.NewServer(ctx, c.Server, store, log)
	if err != nil {
		return err
	}
	if !c.IsPostgres() && !c.NoDispatch {
		if err := errors.Join(server.Service.Sources.FreeLeases(ctx), server.Service.Portals.FreeLeases(ctx)); err != nil {
			return err
		}
	}
	log.Info("serving", "domain", server.Domain, "database", c.Shown(), "build", buildinfo.Read())
	return server.Run(ctx)
}

type sandbox struct {
	config.Server `group:"http"`
	Keep          bool `help:"Keep what an earlier run left in the database instead of starting afresh."`
	Pictures      bool `default:"true" negatable:"" help:"Give the demo products pictures."`
}

//go:embed sandbox.yaml
var sandboxSetup string

// sandboxTowns are the towns of the demo data, each in the middle of where the
// demo data say its products are.
//
//go:embed sandbox-towns.txt
var sandboxTowns string

// Run serves demo data until told to stop.
func (c *sandbox) Run(ctx context.Context) error {
	// Before anything is emptied: a sandbox that runs already may use the database.
	at, err := vacant(ctx, c.Listen)
	if err != nil {
		return err
	}
	c.Listen = at.String() // the demo data name it, also where the system chose the port
	log := wire.Logger(c.Logging, os.Stderr)
	release, err := wire.HoldDatabase(c.Database)
	if err != nil {
		return err
	}
	defer release()
	if !c.Keep {
		if err := wire.CheckAlone(ctx, c.Database); err != nil {
			return err
		}
	}
	store, err := wire.OpenStore(ctx, c.Database, log)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := c.prepare(ctx, store, c.Domain(at), log); err != nil {
		return err
	}
	if c.Environment == "" {
		c.Environment = wire.SandboxEnvironment
	}
	// Receivers under development listen on this machine, without a certificate.
	c.Hooks.AllowHTTP = true
	c.Hooks.Allow = strings.TrimPrefix(c.Hooks.Allow+",127.0.0.0/8:*,::1/128:*", ",")
	if c.Geocoder == "offline" {
		c.Towns = sandboxTowns
	}
	c.ConsoleBeside, c.Portal, c.Demo, c.Faces = true, true, demo.Look(wire.Ports(store)), demo.Faces()
	server, err := wire.NewServer(ctx, c.Server, store, log)
	if err != nil {
		return err
	}
	fmt.Print(welcome(server.Domain, server.Console.Page(), c.Shown()))
	return server.Run(ctx)
}

// vacant returns an address as it is listened on, or why it cannot be.
func vacant(ctx context.Context, address string) (net.Addr, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	return listener.Addr(), listener.Close()
}

// prepare fills the database with demo data, for a server that is reached under a domain. It refuses
// one that holds anything else.
func (c *sandbox) prepare(ctx context.Context, store *sqlstore.Store, domain string, log *slog.Logger) error {
	content, err := store.Content(ctx)
	if err != nil {
		return err
	}
	environment := ""
	if content == sqlstore.Ours {
		if environment, err = wire.Environment(ctx, store); err != nil {
			return err
		}
	}
	if content != sqlstore.Empty && environment != wire.SandboxEnvironment {
		return fmt.Errorf("%s is not a sandbox, and the sandbox would empty it: choose another database", c.Shown())
	}
	if content == sqlstore.Ours && !c.Keep {
		if err := store.Reset(ctx); err != nil {
			return err
		}
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	if err := wire.SetEnvironment(ctx, store, wire.SandboxEnvironment); err != nil {
		return err
	}
	described, err := setup.Decode(strings.NewReader(sandboxSetup))
	if err != nil {
		return err
	}
	photos, err := wire.OpenPhotos(ctx, c.Photos, c.Database, store, prometheus.NewRegistry(), log)
	if err != nil {
		return err
	}
	defer photos.Close()
	photos.Images = &cleanedOnce{Images: photos.Images}
	service, err := wire.ServiceWithPhotos(ctx, photos, store, c.Secrets, kernel.Options{})
	if err != nil {
		return err
	}
	addFaces(described, domain)
	var bar terminal.Counter = terminal.Silent{}
	if c.Pictures {
		log.Info("adding pictures to the demo products")
		total := addPictures(described, func() { bar.Add(1) })
		if terminal.Is(os.Stderr) { // elsewhere it is a log, which has its line
			bar = terminal.NewProgress(os.Stderr, "adding pictures", total)
		}
	}
	_, err = service.Transfer.Provision(ctx, described)
	bar.End()
	if err != nil {
		return err
	}
	if err := c.tell(ctx, store); err != nil {
		return err
	}
	return addDemoOperator(ctx, service)
}

// tell tells what happens in the sandbox, also to its request log.
func (c *sandbox) tell(ctx context.Context, store *sqlstore.Store) error {
	requests, err := wire.OpenRequests(ctx, c.Database, store, c.Secrets)
	if err != nil {
		return err
	}
	if !c.Keep {
		err = requests.Reset(ctx)
	}
	if err == nil {
		ports := wire.Ports(store)
		ports.Requests, ports.Traffic = requests, requests
		err = demo.Tell(ctx, ports)
	}
	return errors.Join(err, requests.Close())
}

// addDemoOperator lets the demo operator in, unless an earlier run did.
func addDemoOperator(ctx context.Context, service *siteapi.Service) error {
	office, err := wire.Backoffice(service)
	if err != nil {
		return err
	}
	link, needed, err := office.SetUp(ctx)
	if err != nil || !needed {
		return err
	}
	_, err = office.Accept(ctx, backoffice.Accept{Secret: link.Secret, Email: demo.OperatorEmail, Name: "Demo", Password: demo.OperatorPassword, Outside: true})
	return err
}

func welcome(domain, console, database string) string {
	var clients strings.Builder
	for _, client := range demo.Clients() {
		fmt.Fprintf(&clients, "  %-17s %-25s %s\n", client.ID, client.Secret, client.Reaches)
	}
	return fmt.Sprintf(`
  Vitrine sandbox, with demo data in %[2]s

  start  %[1]s/
  API    %[1]s%[3]s
  docs   %[1]s/docs

  console   %[4]s
            %[5]s, password %[6]s
  portal    %[1]s%[8]s/, with one of these

  client id         secret                    reaches
%[7]s
  curl -u sandbox-network:sandbox-network-secret -d site_id=1 %[1]s/api/client/token/site

`, domain, database, kernel.BasePath, console, demo.OperatorEmail, demo.OperatorPassword, clients.String(), config.PortalPath)
}

type dispatch struct {
	config.Dispatcher `group:"http"`
}

// Run delivers until told to stop.
func (c *dispatch) Run(ctx context.Context) error {
	log := wire.Logger(c.Logging, os.Stderr)
	store, err := wire.ReadyStore(ctx, c.Database, c.Secrets, log)
	if err != nil {
		return err
	}
	defer store.Close()
	service, err := wire.Service(ctx, store, c.Secrets, kernel.Options{Domain: c.PublicURL, KeepDeleted: c.Retention.Products})
	if err != nil {
		return err
	}
	log.Info("dispatching", "database", c.Shown(), "build", buildinfo.Read())
	return wire.Dispatch(ctx, service, store, c.Dispatcher, log)
}
