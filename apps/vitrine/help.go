package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// headings are the groups of the help, by the key that options and commands name.
var headings = map[string]string{
	"database": "Database:", "logs": "Logs:", "http": "HTTP:", "console": "Console:", "tokens": "Tokens and secrets of clients:",
	"limits": "Limits:", "webhooks": "Webhooks:", "retention": "How long things are kept:", "pictures": "Pictures:",
	"geocoder": "Geocoder:", "memory": "Memory:",

	"serving": "Serving:", "content": "Content of the database:", "access": "Who has access:", "tools": "Tools:",
}

func groups() (all []kong.Group) {
	for key, title := range headings {
		all = append(all, kong.Group{Key: key, Title: title})
	}
	return all
}

// asksForHelp reports whether somebody named no command, or one that only has
// commands below it, and nothing that is wrong.
func asksForHelp(err error) (*kong.Context, bool) {
	wrong, ok := errors.AsType[*kong.ParseError](err)
	if !ok || wrong.Context == nil || wrong.Context.Error != nil {
		return nil, false
	}
	node := wrong.Context.Model.Node
	if selected := wrong.Context.Selected(); selected != nil {
		node = selected
	}
	return wrong.Context, len(node.Children) > 0
}

// misuse is an error of the command line, and where to read on.
func misuse(err error) error {
	wrong, ok := errors.AsType[*kong.ParseError](err)
	if !ok || wrong.Context == nil {
		return err
	}
	command := wrong.Context.Model.Name
	if selected := wrong.Context.Selected(); selected != nil {
		command = selected.FullPath()
	}
	return fmt.Errorf("%w\nRun %q to see what there is", sourced(err, wrong.Context), command+" --help")
}

var flagName = regexp.MustCompile(`--[a-z]+(?:-[a-z]+)*`)

// sourced is an error with the environment variables from which the flags it names
// have their values: who set one may never have seen the flag.
func sourced(err error, at *kong.Context) error {
	if err == nil || strings.Contains(err.Error(), "from envar ") {
		return err
	}
	given := map[*kong.Flag]bool{}
	for _, step := range at.Path {
		given[step.Flag] = true
	}
	var from []string
	for _, name := range flagName.FindAllString(err.Error(), -1) {
		for _, flag := range at.Flags() {
			if "--"+flag.Name != name || given[flag] {
				continue
			}
			if variable, ok := config.SetBy(flag.Envs); ok {
				from, given[flag] = append(from, name+" is set by "+variable), true
			}
		}
	}
	if len(from) == 0 {
		return err
	}
	return fmt.Errorf("%w (%s)", err, strings.Join(from, ", "))
}
