// Command vitrine is the Site API server and its tools.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // time zones, also where the system has none

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/fault"
)

// commands is the command line: a field per command.
type commands struct {
	config.File
	Serve       serve            `cmd:"" help:"Serve the API."`
	Sandbox     sandbox          `cmd:"" set:"database=vitrine-sandbox.db" set:"geocoder=offline" help:"Serve the API with demo data."` //nolint:staticcheck // kong reads every set
	Dispatch    dispatch         `cmd:"" help:"Deliver webhooks, without serving the API."`
	Listen      listen           `cmd:"" help:"Receive webhooks while you develop: print, verify and answer them."`
	Migrate     migrate          `cmd:"" help:"Bring the schema of the database up to date."`
	Check       check            `cmd:"" help:"Look whether the configuration and the database are fit to serve; starts and changes nothing."`
	Backup      backUp           `cmd:"" help:"Write everything, of all sites, with pictures, into one file; servers may go on."`
	Restore     restore          `cmd:"" help:"Bring such a file into an empty database."`
	Provision   provision        `cmd:"" help:"Bring sites, agencies, users, criteria and credentials to what a YAML file describes."`
	Import      importFile       `cmd:"" help:"Import listings from a file of another software: the Poliris CSV, or the AC3 feed."`
	Export      exportFile       `cmd:"" help:"Export the listings of a site as a Poliris CSV."`
	Credential  credential       `cmd:"" help:"Manage the clients of the API; prints JSON."`
	Key         apiKey           `cmd:"" help:"Manage the API keys of a client; prints JSON."`
	Operator    operators        `cmd:"" help:"Manage who may sign in to the console; prints JSON."`
	SecretKey   secretKey        `cmd:"" name:"secret-key" help:"Manage the key under which secrets are kept."`
	OpenAPI     openapiDocument  `cmd:"" name:"openapi" help:"Print the OpenAPI document."`
	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`
	Version     versionText      `cmd:"" help:"Print from what this program was built: version, commit, contract and schema."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "vitrine:", explained(err))
		os.Exit(1)
	}
}

// explained is an error with everything that is wrong, where that is several fields.
func explained(err error) string {
	text := err.Error()
	if told, ok := errors.AsType[*fault.Error](err); ok && len(told.Details) > 1 {
		for _, d := range told.Details {
			text += "\n  " + d.Field + ": " + d.Message
		}
	}
	return text
}

func run(ctx context.Context, args []string) error {
	parser, err := newParser(ctx)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if err != nil {
		return err
	}
	return command.Run()
}

func newParser(ctx context.Context) (*kong.Kong, error) {
	return kong.New(&commands{},
		kong.Name("vitrine"),
		kong.Description("An open implementation of the real-estate CRM Site API v2."),
		kong.Vars{"version": buildinfo.Read().String(), "database": "vitrine.db", "geocoder": "none"},
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Resolvers(config.SecretFiles()),
		kong.UsageOnError(),
	)
}
