package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// transactions is the page of what can be done with offers, agreements and leases.
func transactions() []byte {
	var b bytes.Buffer
	b.WriteString(generated + "# Transactions: what leads where\n\n" +
		"What can be done with a record depends on its status. These tables are closed: what they do not list is 409 `invalid_transition`.\n" +
		"`clock` happens by itself. Rules that go beyond the status are in [contract/transactions.md](../contract/transactions.md).\n")
	draw(&b, "Sale offers", offer.Transitions())
	draw(&b, "Sale agreements", agreement.Transitions())
	draw(&b, "Leases", letting.Transitions())
	b.WriteString("\n## Legal periods\n\n| kind | follows from | months |\n|---|---|---|\n")
	for _, k := range calendar.DeadlineKinds() {
		months := ""
		if most := k.MaxMonths(); most > 0 {
			months = fmt.Sprintf("1 to %d", most)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k, k.Law(), months)
	}
	b.WriteString("\n## Types of leases\n\n| type | follows from |\n|---|---|\n")
	for _, t := range letting.Types() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", t, t.Law())
	}
	b.WriteString("\nReasons of tenants that shorten the notice of an unfurnished dwelling to one month: " + codes(letting.OneMonthReasons()) + ".\n" +
		"Reasons of landlords of dwellings: " + codes(letting.LandlordReasons()) + ".\n")
	return b.Bytes()
}

func codes(all []string) string { return "`" + strings.Join(all, "`, `") + "`" }

// draw draws a table of transitions, and writes it.
func draw[S ~string](b *bytes.Buffer, title string, table transition.Table[S]) {
	fmt.Fprintf(b, "\n## %s\n\n```mermaid\nstateDiagram-v2\n  [*] --> %s\n", title, table.Statuses()[0])
	for _, row := range table {
		for _, from := range row.From {
			for _, to := range row.To {
				if table.Leads(from, row.By, to) {
					fmt.Fprintf(b, "  %s --> %s: %s\n", from, to, row.By)
				}
			}
		}
	}
	b.WriteString("```\n\n| from | by | to |\n|---|---|---|\n")
	for _, row := range table {
		fmt.Fprintf(b, "| %s | `%s` | %s |\n", codesOf(row.From), row.By, codesOf(row.To))
	}
	var final []S
	for _, s := range table.Statuses() {
		if table.Final(s) {
			final = append(final, s)
		}
	}
	fmt.Fprintf(b, "\nFinal: %s.\n", codesOf(final))
}

func codesOf[S ~string](all []S) string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = string(s)
	}
	return codes(names)
}
