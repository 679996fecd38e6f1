// Package terminal is how commands speak to people and to programs: tables and bars
// on a terminal, JSON and lines elsewhere.
package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode"

	"golang.org/x/term"
)

// Is reports whether a file is a terminal.
func Is(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }

// Listing is the option of commands that list something.
type Listing struct {
	Output string `enum:"auto,table,json" default:"auto" help:"What is printed: ${enum}; auto is a table on a terminal, and JSON elsewhere."`
}

// Column is one thing that a table shows of each item.
type Column[T any] struct {
	Title string
	Of    func(T) string
}

// List prints items as a table with some columns, or as JSON with everything.
func List[T any](as Listing, out *os.File, items []T, columns ...Column[T]) error {
	if as.Output == "table" || as.Output == "auto" && Is(out) {
		return table(out, items, columns)
	}
	return JSON(out, items)
}

// JSON prints a value as JSON.
func JSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

func table[T any](out io.Writer, items []T, columns []Column[T]) error {
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = strings.ToUpper(c.Title)
	}
	if err := row(w, cells); err != nil {
		return err
	}
	for _, item := range items {
		for i, c := range columns {
			cells[i] = shown(c.Of(item))
		}
		if err := row(w, cells); err != nil {
			return err
		}
	}
	return w.Flush()
}

func row(w io.Writer, cells []string) error {
	_, err := fmt.Fprintln(w, strings.Join(cells, "\t"))
	return err
}

// shown returns a text that stays on its line and in its column, and tells a terminal to do
// nothing.
func shown(text string) string {
	if text == "" {
		return "-"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}
