// Command consolecheck looks at every page of the console, at the front page and at
// the reference in a real browser, as people with little sight, little screen or no
// JavaScript see them, and says what is wrong; `make console-check` runs it. It also draws the pictures of
// the documentation, so that they show the pages as they are.
//
// It starts a sandbox of its own, has clients, receivers, sources and portals do what they do,
// good and bad, signs in, and follows the links from page to page. A page of the console that
// nothing leads to is wrong. Then it walks the tasks of an operator, and counts clicks and
// typed fields; docs/console.md has the figures. All of it is done in English and French.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

func main() { rig.Main("console-check", run, nil) }

func run(ctx context.Context, args []string) (err error) {
	flags := flag.NewFlagSet("console-check", flag.ContinueOnError)
	onlyFlows := flags.Bool("flows", false, "carry out the flows and the tasks alone, without a look at every page")
	o, err := browser.Parse(flags, args)
	if err != nil {
		return err
	}
	started := time.Now()
	box, err := startSandbox(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.end()) }()
	if err := box.live(ctx); err != nil {
		return err
	}
	tab, err := browser.Start(ctx, o)
	if err != nil {
		return err
	}
	defer tab.End()
	found, err := check(ctx, tab, box, o.Pictures, *onlyFlows)
	if err != nil {
		return err
	}
	found.print(os.Stdout)
	fmt.Printf("took %s\n", time.Since(started).Round(time.Second))
	return found.err()
}
