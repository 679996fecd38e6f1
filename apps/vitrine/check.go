package main

import (
	"context"
	"fmt"
	"os"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

type check struct {
	config.Server
	terminal.Listing
}

type findingRecord struct {
	Grade string `json:"grade"`
	About string `json:"about"`
	Text  string `json:"text"`
}

var findingColumns = []terminal.Column[findingRecord]{
	{Title: "grade", Of: func(r findingRecord) string { return r.Grade }},
	{Title: "about", Of: func(r findingRecord) string { return r.About }},
	{Title: "finding", Of: func(r findingRecord) string { return r.Text }},
}

// Run prints what it finds. It fails when a server would.
func (c *check) Run(ctx context.Context, unknown config.UnknownVariables) error {
	words := map[wire.Grade]string{wire.Good: "ok", wire.Doubtful: "warning", wire.Bad: "wrong"}
	bad := 0
	records := []findingRecord{}
	for _, found := range wire.Check(ctx, c.Server) {
		records = append(records, findingRecord{words[found.Grade], found.About, found.Text})
		if found.Grade == wire.Bad {
			bad++
		}
	}
	for _, sentence := range unknown {
		records = append(records, findingRecord{words[wire.Doubtful], "environment", sentence})
	}
	if err := terminal.List(c.Listing, os.Stdout, records, findingColumns...); err != nil {
		return err
	}
	if bad > 0 {
		return fmt.Errorf("to be put right: %d of %d findings", bad, len(records))
	}
	return nil
}
