package main

import (
	"io"
	"os"

	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
)

type versionText struct {
	Output string `enum:"text,json" default:"text" help:"What is printed: ${enum}."`
}

// Run prints what there is to know of the build.
func (c versionText) Run() error {
	built := buildinfo.Read()
	if c.Output == "json" {
		return printJSON(built)
	}
	_, err := io.WriteString(os.Stdout, built.Text())
	return err
}
