// Package buildinfo knows of which source a program was built: it is the one place
// that names a version.
package buildinfo

import (
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// What a release is linked with, because the tool-chain does not see it everywhere:
// the tag, the commit, when it was made, and whether it had changes.
var version, commit, date, modified string

// Development is the version of what was not built from a tag.
const Development = "development"

// Info is what a program was built from, and what it speaks.
type Info struct {
	// Version is a tag such as v1.2.3, or Development.
	Version string `json:"version"`
	// Commit is empty where it was not told; Date is when it was made.
	Commit string `json:"commit,omitempty"`
	Date   string `json:"date,omitempty"`
	// Modified reports changes that were not in the commit.
	Modified bool   `json:"modified,omitempty"`
	Contract string `json:"contract"`
	Schema   int64  `json:"schema"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Read returns what the running program was built from.
func Read() Info {
	i := Info{
		Version: version, Commit: commit, Date: date, Modified: modified == "true",
		Contract: kernel.ContractVersion, Schema: sqlstore.SchemaVersion(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if built, ok := debug.ReadBuildInfo(); ok && i.Version == "" {
		i.complete(built)
	}
	return i
}

// complete takes what the tool-chain wrote down.
func (i *Info) complete(built *debug.BuildInfo) {
	i.Version = tagged(built.Main.Version)
	for _, s := range built.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Commit = s.Value
		case "vcs.time":
			i.Date = s.Value
		case "vcs.modified":
			i.Modified = s.Value == "true"
		}
	}
}

// tagged returns the version of a module if somebody tagged it. The tool-chain makes up a
// version for every other commit, and marks a tag with changes.
func tagged(version string) string {
	if !strings.HasPrefix(version, "v") || strings.Contains(version, "+") || module.IsPseudoVersion(version) {
		return Development
	}
	return version
}

// String returns the version on one line, for people.
func (i Info) String() string {
	return i.Version + " (" + i.source() + ")"
}

func (i Info) source() string {
	if i.Commit == "" {
		return "commit unknown"
	}
	text := "commit " + i.Commit[:min(12, len(i.Commit))]
	if at, err := time.Parse(time.RFC3339, i.Date); err == nil {
		text += " of " + at.UTC().Format(time.DateOnly)
	}
	if i.Modified {
		text += " with changes"
	}
	return text
}

// LogValue implements slog.LogValuer.
func (i Info) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("version", i.Version), slog.String("commit", i.Commit), slog.String("date", i.Date), slog.Bool("modified", i.Modified),
		slog.String("contract", i.Contract), slog.Int64("schema", i.Schema), slog.String("go", i.Go), slog.String("platform", i.Platform),
	)
}

// Agent returns the program as it presents itself to other servers.
func (i Info) Agent() string { return "Vitrine/" + i.Version }

// Text is everything, for people.
func (i Info) Text() string {
	return fmt.Sprintf("vitrine %s\ncontract  %s\nschema    %d\nbuilt     with %s for %s\n", i, i.Contract, i.Schema, i.Go, i.Platform)
}
