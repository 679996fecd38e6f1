// Command walkthrough does what the pages of the documentation say, in the order in
// which somebody new reads them: the newcomer, from a clone to the first listing; the
// operator, from a release to a restored backup; the embedder, from an empty folder to the
// API over a table of their own. The commands are those of the pages,
// and what they print is compared with what the pages show. `make walkthrough` runs it.
//
// It needs what the pages ask their readers for: bash, make, git, curl, jq, openssl, sqlite3. It
// works in folders of its own, and ends what it starts.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

func main() { rig.Main("walkthrough", run, nil) }

// A part is what somebody does.
type part struct {
	name string
	play func(person) error
}

func parts() []part {
	return []part{{"newcomer", newcomer}, {"operator", operator}, {"embedder", embedder}}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("walkthrough", flag.ContinueOnError)
	source := flags.String("source", ".", "`FOLDER` of the repository")
	only := flags.String("only", "", "`NAME` of the part to play")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for _, p := range parts() {
		if *only != "" && *only != p.name {
			continue
		}
		started := time.Now()
		if err := inFolder(ctx, *source, p); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Printf("%s: everything is as the pages say, in %s\n", p.name, time.Since(started).Round(time.Second))
	}
	return nil
}

// inFolder plays a part in a folder that is removed afterwards.
func inFolder(ctx context.Context, source string, p part) error {
	source, err := filepath.Abs(source)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "vitrine-walkthrough-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	return p.play(person{ctx, source, folder})
}
