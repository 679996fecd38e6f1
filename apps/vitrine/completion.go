package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"github.com/vitrine-crm/vitrine/apps/internal/completion"
)

type completionScript struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell that is to complete: ${enum}."`
}

// Run prints what the shell is to read.
func (c completionScript) Run() error {
	script, err := completion.Script(c.Shell)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(script)
	return err
}

type complete struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"Words behind the name of the program; the last one is completed."`
}

// Run prints how the last word can go on.
func (c complete) Run(app *kong.Kong) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, line := range completion.Complete(app.Model, words) {
		if _, err := fmt.Println(line); err != nil {
			return err
		}
	}
	return nil
}
