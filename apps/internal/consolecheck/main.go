// Command consolecheck looks at every page of the console, at the front page and at
// the reference in a real browser, as people with little sight, little screen or no
// JavaScript see them, and says what is wrong; `make console-check` runs it. It also draws the pictures of
// the documentation, so that they show the pages as they are.
//
// It starts a sandbox of its own, has clients and receivers do what they do, good
// and bad, signs in, and follows the links from page to page: a page that nothing
// leads to is not found, and need not be named here.
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

// options are what a run can be told.
type options struct {
	// browser is the program; axe the file of the accessibility checks.
	browser, axe string
	// pictures is where pictures are put; none are drawn when it is empty.
	pictures string
	// flows tells to try the flows only.
	flows bool
	// shots is where every page is put as it was seen; empty is nowhere.
	shots string
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("console-check", flag.ContinueOnError)
	flags.StringVar(&o.browser, "browser", "", "Chromium `PROGRAM`; by default the one that is installed")
	flags.StringVar(&o.axe, "axe", ".cache/axe-4.14.1.min.js", "`FILE` of axe-core, which make downloads")
	flags.StringVar(&o.pictures, "pictures", "", "`FOLDER` for the pictures of the documentation")
	flags.StringVar(&o.shots, "shots", "", "`FOLDER` for a picture of every page in every view")
	flags.BoolVar(&o.flows, "flows", false, "only try what somebody does, do not look at every page")
	if err = flags.Parse(args); err != nil {
		return o, err
	}
	if o.browser == "" {
		o.browser, err = browser.Find()
	}
	return o, err
}

func run(ctx context.Context, args []string) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	axe, err := os.ReadFile(o.axe)
	if err != nil {
		return fmt.Errorf("axe-core is missing: %w", err)
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
	tab, err := browser.Start(ctx, o.browser, string(axe), o.shots)
	if err != nil {
		return err
	}
	defer tab.End()
	found, err := check(ctx, tab, box, o)
	if err != nil {
		return err
	}
	found.print(os.Stdout)
	fmt.Printf("took %s\n", time.Since(started).Round(time.Second))
	return found.err()
}
