package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"
)

// clientFolder is that of the clients, and of the module that the one in Go is.
const clientFolder = "adapters/client"

// checkClients fails if programs that use a client at its last version would have to change for this
// one, and the changelog does not name why under Removed or Changed of what is not released yet.
func checkClients(ctx context.Context, from source) (err error) {
	tags, err := from.git(ctx, "tag", "--list", clientFolder+"/v*", "--sort=-version:refname")
	last, _, _ := strings.Cut(tags, "\n")
	if err != nil || last == "" {
		return err
	}
	work, err := os.MkdirTemp("", "vitrine-last-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if _, err := from.git(ctx, "worktree", "add", "--quiet", "--detach", work, last); err != nil {
		return err
	}
	breaks, err := breaksBetween(ctx, filepath.Join(work, clientFolder), filepath.Join(from.folder, clientFolder))
	_, removed := from.git(context.WithoutCancel(ctx), "worktree", "remove", "--force", work)
	if err := errors.Join(err, removed); err != nil {
		return err
	}
	changelog, err := os.ReadFile(filepath.Join(from.folder, "docs", "CHANGELOG.md"))
	if err != nil {
		return err
	}
	told := removedOrChanged(string(changelog))
	for _, b := range breaks {
		name, _, _ := strings.Cut(b, ": ")
		name = strings.NewReplacer("(", "", "*", "", ")", "").Replace(name)
		if !strings.Contains(told, "`"+name+"`") {
			err = errors.Join(err, fmt.Errorf("since %s, %s, and the changelog has not `%s` under Removed or Changed", last, b, name))
		}
	}
	return err
}

// breaksBetween returns what breaks programs that use a client, each with the exported name before a colon.
func breaksBetween(ctx context.Context, before, now string) (breaks []string, err error) {
	var found [2]*packages.Package
	var exported [2]map[string]bool
	for i, folder := range []string{before, now} {
		loaded, err := packages.Load(&packages.Config{Context: ctx, Mode: packages.LoadTypes, Dir: folder, Env: append(os.Environ(), "GOWORK=off")}, ".") //nolint:forbidigo // of the go command
		if err != nil {
			return nil, err
		}
		if found[i] = loaded[0]; len(found[i].Errors) > 0 {
			return nil, found[i].Errors[0]
		}
		if exported[i], err = exportedOfTypeScript(folder); err != nil {
			return nil, err
		}
	}
	for _, change := range apidiff.Changes(found[0].Types, found[1].Types).Changes {
		if !change.Compatible {
			breaks = append(breaks, change.Message)
		}
	}
	for name := range exported[0] {
		if !exported[1][name] {
			breaks = append(breaks, name+": removed from the client in TypeScript")
		}
	}
	return breaks, nil
}

var exports = regexp.MustCompile(`(?m)^export (?:type )?\{(.*)\}`)

// exportedOfTypeScript returns the names that the client in TypeScript exports; none before there was one.
func exportedOfTypeScript(folder string) (map[string]bool, error) {
	text, err := os.ReadFile(filepath.Join(folder, "typescript", "src", "index.ts"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	names := map[string]bool{}
	for _, list := range exports.FindAllSubmatch(text, -1) {
		for name := range strings.SplitSeq(string(list[1]), ",") {
			names[strings.TrimPrefix(strings.TrimSpace(name), "type ")] = true
		}
	}
	return names, nil
}

// removedOrChanged returns what a changelog says under these headings of what is not released yet.
func removedOrChanged(changelog string) string {
	var told strings.Builder
	unreleased, within := false, false
	for line := range strings.Lines(changelog) {
		switch heading := strings.TrimSpace(line); {
		case strings.HasPrefix(line, "## "):
			unreleased, within = heading == "## [Unreleased]", false
		case strings.HasPrefix(line, "### "):
			within = unreleased && (heading == "### Removed" || heading == "### Changed")
		case within:
			told.WriteString(line)
		}
	}
	return told.String()
}
