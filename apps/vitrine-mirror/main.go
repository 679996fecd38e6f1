// Command vitrine-mirror keeps a copy of the active catalogue of a site true, and serves it. It
// knows the server only through the contract, and so works with any.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // time zones, also where the system has none

	"github.com/alecthomas/kong"
)

// commands is the command line: a field per command.
type commands struct {
	Serve   serve   `cmd:"" help:"Keep the copy true, and serve it."`
	Check   check   `cmd:"" help:"Print what the server offers and what the credential may do; changes nothing."`
	Status  status  `cmd:"" help:"Print what a mirror that runs on this machine is doing."`
	CatchUp catchUp `cmd:"" help:"Have a mirror that runs on this machine look for what it missed, and wait for it."`
	Rebuild rebuild `cmd:"" help:"Have a mirror that runs on this machine read everything again, and wait for it; it serves meanwhile."`

	Version kong.VersionFlag `help:"Print the version."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "vitrine-mirror:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	parser, err := kong.New(&commands{},
		kong.Name("vitrine-mirror"),
		kong.Description("A copy of the active catalogue of a site of the Site API v2 that is kept true by its webhooks."),
		kong.Vars{"version": version()},
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 120}),
	)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if err != nil {
		return err
	}
	return command.Run()
}

// linked is the version that a release is linked with.
var linked string

func version() string {
	if linked != "" {
		return linked
	}
	if built, ok := debug.ReadBuildInfo(); ok && built.Main.Version != "" && built.Main.Version != "(devel)" {
		return built.Main.Version
	}
	return "development"
}
