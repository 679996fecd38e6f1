package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGoldenArchitecture holds the picture of the core's rooms in
// docs/architecture/core.md against what the code imports: an arrow for each room
// that another one knows and could not know by way of a third.
func TestGoldenArchitecture(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "architecture", "core.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- rooms -->\n", "<!-- /rooms -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no picture between %q and %q", page, begin, end)
	}
	want := before + begin + drawn(roomImports(t)) + end + after
	if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(page, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Error("docs/architecture/core.md does not draw the rooms as they are; run make golden")
	}
}

// roomImports are the rooms of the core that each room imports outside of tests.
func roomImports(t *testing.T) map[string][]string {
	t.Helper()
	const prefix = "github.com/vitrine-crm/vitrine/core/"
	rooms := map[string][]string{}
	files, err := filepath.Glob(filepath.Join("..", "..", "core", "*", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files of the core", err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		room := filepath.Base(filepath.Dir(path))
		rooms[room] = append(rooms[room], []string{}...)
		for _, imported := range file.Imports {
			name, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if other, inner := strings.CutPrefix(name, prefix); inner && !strings.Contains(other, "/") && !slices.Contains(rooms[room], other) {
				rooms[room] = append(rooms[room], other)
			}
		}
	}
	return rooms
}

// floors are the rooms by floor, the highest first. A room that is on none is on
// the ground floor.
var floors = []struct {
	id, name string
	rooms    []string
}{
	{"facade", "the façade and the console", []string{"siteapi", "backoffice"}},
	{"areas", "areas and engines", []string{"office", "tokens", "hooks", "listing", "people", "transfer", "deliver", "locate", "follow", "archive"}},
	{"kernel", "the kernel", []string{"api"}},
	{"ports", "ports", []string{"port", "memstore", "porttest"}},
	{"search", "search", []string{"catalogue"}},
	{"deals", "sales and lettings", []string{"offer", "agreement", "letting", "money", "deadline", "transition", "calendar"}},
	{"agenda", "the agenda", []string{"recurrence", "slot", "interval"}},
	{"trade", "the trade", []string{"customer", "action", "product", "publication", "demand", "lead", "webhook"}},
}

// drawn is the picture of rooms, in Mermaid.
func drawn(rooms map[string][]string) string {
	var out strings.Builder
	out.WriteString("```mermaid\nflowchart TB\n")
	placed := map[string]bool{}
	floor := func(id, name string, of []string) {
		out.WriteString("  subgraph " + id + "[" + name + "]\n")
		for _, room := range of {
			placed[room] = true
			out.WriteString("    " + room + "\n")
		}
		out.WriteString("  end\n")
	}
	for _, f := range floors {
		floor(f.id, f.name, f.rooms)
	}
	var ground []string
	for room := range rooms {
		if !placed[room] {
			ground = append(ground, room)
		}
	}
	slices.Sort(ground)
	floor("ground", "the ground floor", ground)
	names := make([]string, 0, len(rooms))
	for room := range rooms {
		names = append(names, room)
	}
	slices.Sort(names)
	for _, room := range names {
		direct := slices.Sorted(slices.Values(rooms[room]))
		for _, other := range direct {
			if !slices.ContainsFunc(direct, func(third string) bool { return third != other && reaches(rooms, third, other) }) {
				out.WriteString("  " + room + " --> " + other + "\n")
			}
		}
	}
	out.WriteString("```\n")
	return out.String()
}

func reaches(rooms map[string][]string, from, to string) bool {
	return slices.ContainsFunc(rooms[from], func(next string) bool { return next == to || reaches(rooms, next, to) })
}
