package main

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// headings are the groups of the help, by the key that options and commands name.
var headings = map[string]string{
	"database": "Database:", "logs": "Logs:", "http": "HTTP:", "console": "Console:", "tokens": "Tokens and secrets of clients:",
	"limits": "Limits:", "webhooks": "Webhooks:", "retention": "How long things are kept:", "pictures": "Pictures:", "imports": "Imports:", "alerts": "Alerts:",
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
	return fmt.Errorf("%w\nRun %q to see what there is", argumentNamed(sourced(err, wrong.Context), wrong.Context), command+" --help")
}

// aboutArgument begins the errors of the command line's library about an argument, which it
// calls as the help does: <file>.
var aboutArgument = regexp.MustCompile(`^(?:expected "<([a-z-]+)>[^"]*"$|<[a-z-]+>: (?:stat )?)`)

// argumentNamed is an error about an argument that says which one is missing, or what is
// wrong with it as it was given.
func argumentNamed(err error, at *kong.Context) error {
	found := aboutArgument.FindStringSubmatch(err.Error())
	if found == nil {
		return err
	}
	if found[1] == "" {
		return errors.New(err.Error()[len(found[0]):])
	}
	help := ""
	if command := at.Selected(); command != nil {
		for _, argument := range command.Positional {
			if argument.Name == found[1] {
				help = ": " + argument.Help
			}
		}
	}
	return fmt.Errorf("an argument is missing, the %s%s", found[1], help)
}

// placeholder is what pages write where something of one's own belongs.
var placeholder = regexp.MustCompile(`^<[A-Za-z][\w .:/-]*>$`)

// pasted reports an argument that is a placeholder.
func pasted(args []string) error {
	for _, arg := range args {
		if name, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "-") && placeholder.MatchString(value) {
			return isPlaceholder(name, value)
		}
		if placeholder.MatchString(arg) {
			return isPlaceholder("an argument", arg)
		}
	}
	return nil
}

// pastedOption reports an option that a variable or a file sets to a placeholder.
func pastedOption(command *kong.Context) error {
	for _, flag := range command.Flags() {
		if flag.Target.Kind() == reflect.String && placeholder.MatchString(flag.Target.String()) {
			return sourced(isPlaceholder("--"+flag.Name, flag.Target.String()), command)
		}
	}
	return nil
}

func isPlaceholder(name, value string) error {
	return fmt.Errorf("%s is %s, which stands in the documentation for something of yours: write that in its place, without < and >", name, value)
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
