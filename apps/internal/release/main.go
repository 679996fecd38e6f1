// Command release builds the program for every platform it is given away for: an
// archive and a bill of materials each, with the API document, a collection of requests, and
// the checksums of all of them. The same
// commit gives the same bytes with the same tool-chain, wherever it is built. With
// -tag it makes a version of the modules instead, which is what is built next.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/pages"
)

// platforms are those there is a release for.
const platforms = "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"

func main() {
	out := flag.String("out", "dist", "folder to write")
	only := flag.String("platforms", platforms, "what to build for")
	version := flag.String("tag", "", "make this version, such as v0.1.0, and build nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	act := func() error { return run(ctx, *out, strings.Fields(*only)) }
	if *version != "" {
		act = func() error { return tagAndTell(ctx, *version) }
	}
	if err := act(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// tagAndTell tags what is in the current folder, and says what is left to do.
func tagAndTell(ctx context.Context, version string) error {
	if err := tag(ctx, ".", version); err != nil {
		return err
	}
	tags := strings.Join(modules, "/"+version+" ") + "/" + version
	fmt.Printf("tagged; nothing is pushed. Go on with\n  git push origin %s\n  git switch --detach %s%s && make release\n", tags, programTags, version)
	return nil
}

// run builds from the source in the current folder.
func run(ctx context.Context, out string, platforms []string) error {
	from, err := sourceIn(ctx, ".")
	if err != nil {
		return err
	}
	if from.modified {
		fmt.Fprintln(os.Stderr, "release: there are changes that are not committed; what is built says so")
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, name := range platforms {
		p, err := parsePlatform(name)
		if err != nil {
			return err
		}
		for _, from.program = range programs {
			fmt.Println(from.name(p))
			if err := release(ctx, from, p, out); err != nil {
				return fmt.Errorf("%s: %w", from.name(p), err)
			}
		}
	}
	if err := writeDocuments(from.folder, out); err != nil {
		return err
	}
	return writeChecksums(out)
}

// writeDocuments writes the API document, and the collection of its requests for a server on
// this machine, which whoever imports it changes.
func writeDocuments(source, out string) error {
	document, err := os.ReadFile(filepath.Join(source, "docs", "reference", "openapi.json"))
	if err != nil {
		return err
	}
	collection, err := pages.Collection(document, "http://127.0.0.1:8080")
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(out, "openapi.json"), document, 0o644),
		os.WriteFile(filepath.Join(out, "collection.json"), collection, 0o644),
	)
}

// release writes what there is of a program for a platform.
func release(ctx context.Context, from source, p platform, out string) error {
	work, err := os.MkdirTemp("", "vitrine-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, p.binary(from.program))
	if err := build(ctx, from, p, binary); err != nil {
		return err
	}
	name := filepath.Join(out, from.name(p))
	if err := writeBill(from, p, binary, name+".cdx.json"); err != nil {
		return err
	}
	return pack(from, p, binary, name+p.archive())
}
