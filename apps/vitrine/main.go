// Command vitrine is the Site API server and its tools.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	_ "time/tzdata" // time zones, also where the system has none

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// commands is the command line: a field per command.
type commands struct {
	config.File
	Serve      serve            `cmd:"" group:"serving" help:"Serve the API."`
	Sandbox    sandbox          `cmd:"" group:"serving" set:"database=vitrine-sandbox.db" set:"geocoder=offline" set:"drain=0s" help:"Serve the API with demo data."` //nolint:staticcheck // kong reads every set
	Dispatch   dispatch         `cmd:"" group:"serving" help:"Deliver webhooks, without serving the API."`
	Health     health           `cmd:"" group:"serving" help:"Ask a server that runs on this machine whether it is ready."`
	Migrate    migrate          `cmd:"" group:"content" help:"Bring the schema of the database up to date."`
	Check      check            `cmd:"" group:"serving" help:"Look whether the configuration and the database are fit to serve; starts and changes nothing."`
	Backup     backUp           `cmd:"" group:"content" help:"Write everything, of all sites, with pictures, into one file; servers may go on."`
	Restore    restore          `cmd:"" group:"content" help:"Bring such a file into an empty database."`
	Database   database         `cmd:"" group:"content" help:"Tell what happened to the database behind the back of servers."`
	Move       move             `cmd:"" group:"content" help:"Move a site, or everything, with pictures, into another database while servers go on; also from SQLite to PostgreSQL and back."`
	Init       initialize       `cmd:"" group:"content" help:"Make a first site with an agency, a user, the French vocabulary and a client of the API."`
	Provision  provision        `cmd:"" group:"content" help:"Bring sites, agencies, users, criteria and credentials to what a YAML file describes."`
	Import     importFile       `cmd:"" group:"content" help:"Import listings from a file of another software (Poliris, AC3, OpenImmo, Kyero, a table or JSON), or a whole site."`
	Export     exportFile       `cmd:"" group:"content" help:"Export the listings of a site as Poliris, OpenImmo, Kyero, a table or JSON, or all of the site."`
	Credential credential       `cmd:"" group:"access" help:"Manage the clients of the API."`
	Key        apiKey           `cmd:"" group:"access" help:"Manage the API keys of a client."`
	Operator   operators        `cmd:"" group:"access" help:"Manage who may sign in to the console."`
	SecretKey  secretKey        `cmd:"" group:"access" name:"secret-key" help:"Manage the key under which secrets are kept."`
	Listen     listen           `cmd:"" group:"tools" help:"Receive webhooks while you develop: print, verify and answer them."`
	Conform    conformance      `cmd:"" group:"tools" help:"Hold a server of the Site API, this or another, against the contract, sentence by sentence."`
	OpenAPI    openapiDocument  `cmd:"" group:"tools" name:"openapi" help:"Print the OpenAPI document."`
	Completion completionScript `cmd:"" group:"tools" help:"Print what makes a shell complete commands and options."`
	Complete   complete         `cmd:"" hidden:"" group:"tools" help:"Print how a command line can go on; for shells."`
	Version    versionText      `cmd:"" group:"tools" help:"Print from what this program was built: version, commit, contract and schema."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "vitrine:", explained(err))
		status := 1
		if couldNot, ok := errors.AsType[*couldNotRun](err); ok {
			status = couldNot.status()
		}
		os.Exit(status)
	}
}

// explained returns an error with everything that is wrong, where that is several fields.
func explained(err error) string {
	text := err.Error()
	if told, ok := errors.AsType[*fault.Error](err); ok && len(told.Details) > 1 {
		for _, d := range told.Details {
			text += "\n  " + d.Field + ": " + d.Message.String()
		}
	}
	return text
}

func run(ctx context.Context, args []string) error {
	parser, err := newParser(ctx)
	if err != nil {
		return err
	}
	if err := pasted(args); err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if at, ok := asksForHelp(err); ok {
		return at.PrintUsage(false)
	}
	if err != nil {
		return misuse(err)
	}
	if err := pastedOption(command); err != nil {
		return err
	}
	unknown := config.Unknown(command.Model.Node)
	if command.Command() != "check" && readsOptions(command) { // which tells of them among its findings
		for _, sentence := range unknown {
			fmt.Fprintln(os.Stderr, "vitrine:", sentence)
		}
	}
	return sourced(command.Run(unknown), command)
}

// readsOptions reports whether the command has a database, as all have that variables
// of the environment are set for.
func readsOptions(command *kong.Context) bool {
	return slices.ContainsFunc(command.Flags(), func(f *kong.Flag) bool { return slices.Contains(f.Envs, "VITRINE_DATABASE") })
}

func newParser(ctx context.Context) (*kong.Kong, error) {
	return kong.New(&commands{},
		kong.Name("vitrine"),
		kong.Description("An open implementation of the real-estate CRM Site API v2."),
		kong.Vars{"version": buildinfo.Read().String(), "database": "vitrine.db", "geocoder": "none", "drain": "3s"},
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Resolvers(config.SecretFiles()),
		kong.ExplicitGroups(groups()),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 120}),
	)
}
