package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// TestGoldenReference holds the pages of docs/reference against what the code
// says. `make golden` writes them anew.
func TestGoldenReference(t *testing.T) {
	service, err := wire.Describe(memstore.New())
	if err != nil {
		t.Fatal(err)
	}
	document, err := wire.Document(service)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"openapi.json":     document,
		"authorisation.md": authorisation(service),
		"formats.md":       formatFields(),
		"errors.md":        errorCodes(inEnglish),
		"configuration.md": configuration(t),
		"transactions.md":  transactions(),

		"../fr/reference/errors.md": errorCodes(inFrench),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, content) })
	}
}

// formatFields is where each format of listings has each field. Cells have no blanks around them, which would
// be words.
func formatFields() []byte {
	var b bytes.Buffer
	b.WriteString("# Fields of formats of listings\n\nMade from `adapters/exchange`: where each format has what is known of a listing, by the keys of criteria and other fields; " +
		"the first place of several. An empty cell is what the format cannot say: it stays as it is when the listing is imported. " +
		"`json` has all criteria by their keys ([imports](../operating/imports.md)). AC3 is only read.\n\n")
	for i, row := range exchange.FieldTable() {
		cells := slices.Clone(row)
		for n, cell := range cells {
			if cell != "" && i > 0 {
				cells[n] = "`" + cell + "`"
			}
		}
		b.WriteString("|" + strings.Join(cells, "|") + "|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.Bytes()
}

func golden(t *testing.T, name string, content []byte) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", "reference", name)
	if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	known, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(known, content) {
		t.Errorf("docs/reference/%s is not what the code says; run `make golden` and look at the difference (%v)", name, err)
	}
}

const generated = "<!-- Written by `make golden`; do not edit. -->\n\n"

func authorisation(s *siteapi.Service) []byte {
	var b bytes.Buffer
	b.WriteString(generated + "# Who may call what\n\n" +
		"A credential needs one of the packs in the heading, and the permission and the right where they are named. " +
		"Names of operations are those of metrics and logs.\n")
	var packs []string
	rows := map[string]string{}
	for _, o := range s.Operations() {
		these := cmp.Or(o.Rule.Packs.String(), "Any valid token")
		if rows[these] == "" {
			packs = append(packs, these)
			rows[these] = "| operation | | permission and right |\n|---|---|---|\n"
		}
		rows[these] += fmt.Sprintf("| `%s` | `%s %s` | %s |\n", o.ID, o.Method, o.Path, strings.TrimSpace(code(o.Rule.Permission)+" "+code(o.Rule.Right)))
	}
	for _, these := range packs {
		fmt.Fprintf(&b, "\n## %s\n\n%s", these, rows[these])
	}
	b.WriteString("\n## HTTP Basic\n\nThese authenticate with the client id and secret.\n\n| operation | |\n|---|---|\n")
	for _, o := range s.TokenOperations() {
		fmt.Fprintf(&b, "| `%s` | `%s %s` |\n", o.ID, o.Method, o.Path)
	}
	fmt.Fprintf(&b, "\n## What websites are not shown\n\n"+
		"A credential without any of the packs %s only feeds websites.\n\n| | |\n|---|---|\n", kernel.AgencyPacks)
	for _, row := range []struct {
		what  string
		names []string
		then  string
	}{
		{"fields of products", listing.InternalNames(), "null; a filter by one is 403"},
		{"criteria", criteria.InternalKeys(), "left out, and whatever else the site calls private: absent in searches, facets and base fields"},
		{"blocks", listing.InternalBlocks(), "403"},
	} {
		fmt.Fprintf(&b, "| %s `%s` | %s |\n", row.what, strings.Join(row.names, "`, `"), row.then)
	}
	return b.Bytes()
}

func code[T ~string](text T) string {
	if text == "" {
		return ""
	}
	return "`" + string(text) + "`"
}

// errorPage is what the page of error codes says around the codes, and a meaning in
// its language.
type errorPage struct {
	title, above string
	meaning      func(english string) string
}

var (
	inEnglish = errorPage{
		"Error codes", "[En français](../fr/reference/errors.md)\n\n" +
			"Codes are stable and only ever added. One that comes in `details` may come as the code of the whole error.",
		func(english string) string { return english },
	}
	inFrench = errorPage{
		"Codes d'erreur", "[In English](../../reference/errors.md)\n\n" +
			"Les codes sont stables ; il s'en ajoute, aucun ne disparaît. Celui d'un élément de `details` peut aussi être le code de l'erreur entière.",
		func(english string) string { meaning, _ := fault.InFrench(english); return meaning },
	}
)

func errorCodes(page errorPage) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, generated+"# %s\n\n%s\n", page.title, page.above)
	below := map[string]string{}
	for _, entry := range fault.Catalogue() {
		var statuses []string
		for _, kind := range entry.Kinds {
			statuses = append(statuses, fmt.Sprint(httpapi.Status(kind)))
		}
		below[strings.Join(statuses, ", ")] += fmt.Sprintf("- `%s`: %s\n", entry.Code, page.meaning(entry.Meaning))
	}
	for _, heading := range slices.Sorted(maps.Keys(below)) {
		fmt.Fprintf(&b, "\n## %s\n\n%s", heading, below[heading])
	}
	return b.Bytes()
}

// option is what the page says of an option.
type option struct {
	flag, env, help string
	heading         string // in the help, of the first command that has one for it
	defaults        []string
}

// configuration is the options by their headings in the help, and what each command
// takes and has of its own.
func configuration(t *testing.T) []byte {
	t.Helper()
	parser, err := newParser(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var options []*option
	for _, flag := range parser.Model.Flags {
		if len(flag.Envs) > 0 {
			options = note(options, flag, "all commands")
		}
	}
	var commands []taking
	visit(parser.Model.Node, "", func(path string, command *kong.Node) {
		of := taking{says: fmt.Sprintf("\n## `vitrine %s`\n\n%s\n", path, command.Help)}
		var rows []string
		for _, argument := range command.Positional {
			rows = append(rows, fmt.Sprintf("- `%s`: %s", argument.Summary(), argument.Help))
		}
		for _, flag := range command.Flags {
			switch {
			case flag.Name == "help" || flag.Name == "version":
			case len(flag.Envs) == 0:
				rows = append(rows, fmt.Sprintf("- `--%s`: %s", flag.Name, flag.Help))
			default:
				options = note(options, flag, path)
				of.options = append(of.options, flag.Name)
			}
		}
		if len(rows) > 0 {
			of.says += "\n" + strings.Join(rows, "\n") + "\n"
		}
		commands = append(commands, of)
	})
	var b bytes.Buffer
	b.WriteString(generated + "# Configuration\n\nEvery option is a flag, an environment variable, and a name in the [configuration file](../operating/options.md). " +
		"The flag wins over the variable, the variable over the file. Below the options are the commands, each with those that it takes, or the heading where it takes all below one; all take `--config`.\n")
	slices.SortStableFunc(options, func(a, b *option) int { return strings.Compare(a.heading, b.heading) })
	for i, o := range options {
		if i == 0 || o.heading != options[i-1].heading {
			fmt.Fprintf(&b, "\n## %s\n\n", cmp.Or(o.heading, "General"))
		}
		fmt.Fprintf(&b, "- `--%s`, %s", o.flag, o.env)
		if len(o.defaults) > 0 {
			fmt.Fprintf(&b, ", by default %s", strings.Join(o.defaults, ", "))
		}
		fmt.Fprintf(&b, ": %s\n", o.help)
	}
	b.WriteString("\n## Traces\n\n`serve`, `sandbox` and `dispatch` send [traces](../monitoring.md#traces) where these variables say. They have no flags, and no names in the configuration file.\n\n")
	for _, v := range config.AllTraceVariables() {
		fmt.Fprintf(&b, "- `%s`: %s\n", strings.Join(v.Names, "`, `"), v.Help)
	}
	for _, command := range commands {
		b.WriteString(command.says)
		if taken := command.among(options); len(taken) > 0 {
			b.WriteString("\nOptions: " + strings.Join(taken, ", ") + ".\n")
		}
	}
	return b.Bytes()
}

// taking is what the page says of a command, and the options that it takes.
type taking struct {
	says    string
	options []string
}

// among names the options of the command, and the heading instead where it takes all below one.
func (c taking) among(all []*option) (names []string) {
	for i := 0; i < len(all); {
		var below, taken []string
		heading := all[i].heading
		for ; i < len(all) && all[i].heading == heading; i++ {
			below = append(below, all[i].flag)
			if slices.Contains(c.options, all[i].flag) {
				taken = append(taken, code("--"+all[i].flag))
			}
		}
		if heading != "" && len(taken) > 1 && len(taken) == len(below) {
			taken = []string{fmt.Sprintf("[%s](#%s)", heading, strings.ToLower(strings.ReplaceAll(heading, " ", "-")))}
		}
		names = append(names, taken...)
	}
	return names
}

func visit(node *kong.Node, path string, command func(string, *kong.Node)) {
	for _, child := range node.Children {
		visit(child, strings.TrimSpace(path+" "+child.Name), command)
	}
	if node.Leaf() && node.Parent != nil && !node.Hidden {
		command(path, node)
	}
}

// note adds an option, or what another command says of one that is there.
func note(options []*option, flag *kong.Flag, command string) []*option {
	value, heading := code(flag.Default), ""
	if flag.Group != nil {
		heading = strings.TrimSuffix(flag.Group.Title, ":")
	}
	for _, o := range options {
		if o.flag != flag.Name {
			continue
		}
		o.heading = cmp.Or(o.heading, heading)
		if !strings.Contains(strings.Join(o.defaults, ", "), value) {
			o.defaults = append(o.defaults, value+" ("+command+")")
		}
		return options
	}
	env := code(flag.Envs[0])
	if config.IsSecret(flag) {
		env += ", " + code(flag.Envs[0]+config.FileSuffix)
	}
	o := &option{flag: flag.Name, env: env, help: flag.Help, heading: heading}
	if value != "" {
		o.defaults = []string{value}
	}
	return append(options, o)
}
