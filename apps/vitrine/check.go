package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

type check struct {
	config.Server
}

// Run prints a line for each finding. It fails when a server would.
func (c *check) Run(ctx context.Context) error {
	words := map[wire.Grade]string{wire.Good: "ok", wire.Doubtful: "warning", wire.Bad: "wrong"}
	bad := 0
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, found := range wire.Check(ctx, c.Server) {
		fmt.Fprintf(table, "%s\t%s\t%s\n", words[found.Grade], found.About, found.Text)
		if found.Grade == wire.Bad {
			bad++
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if bad > 0 {
		return fmt.Errorf("%d findings have to be put right", bad)
	}
	return nil
}
