// Package tables reads the lists of a page of the console, which are its tables, to hand them out as CSV.
package tables

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Table is a list of a page.
type Table struct {
	// Name is the heading of the list.
	Name string
	// Rows are its cells as they are read; the first row has the headings of the columns.
	Rows [][]string
	// Next is the address of the page that continues it; empty where it is whole.
	Next string
}

// Read returns the lists of a page. Times are as ISO 8601 has them, in UTC. Numbers are without what stands between their thousands. Other cells
// that a spreadsheet would run as a formula begin with an apostrophe. Columns without heading, which have
// buttons, are left out, and forms that look like tables.
func Read(page, thousands string) ([]Table, error) {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil, err
	}
	r := reader{thousands: thousands}
	r.walk(root)
	return r.lists, nil
}

// reader walks through a page.
type reader struct {
	thousands string
	// heading is the last that was passed.
	heading string
	lists   []Table
}

func (r *reader) walk(n *html.Node) {
	switch {
	case n.DataAtom == atom.H1 || n.DataAtom == atom.H2:
		r.heading = text(n)
	case n.DataAtom == atom.Section && attribute(n, "aria-label") != "":
		r.heading = attribute(n, "aria-label")
	case n.DataAtom == atom.A && attribute(n, "rel") == "next" && len(r.lists) > 0:
		r.lists[len(r.lists)-1].Next = attribute(n, "href")
	case n.DataAtom == atom.Table && has(n, "typed"):
		return
	case n.DataAtom == atom.Table:
		if rows := r.rows(n); len(rows) > 1 {
			r.lists = append(r.lists, Table{Name: r.heading, Rows: rows})
		}
		return
	}
	for child := range n.ChildNodes() {
		r.walk(child)
	}
}

// rows returns the cells of a table. Rows that are something else, such as the details of the row above, have not
// as many as there are headings, and are left out.
func (r *reader) rows(table *html.Node) [][]string {
	var rows [][]string
	var named []bool
	for tr := range table.Descendants() {
		if tr.DataAtom != atom.Tr {
			continue
		}
		var cells []string
		for cell := range tr.ChildNodes() {
			switch {
			case cell.DataAtom == atom.Th && rows == nil:
				cells = append(cells, text(cell))
				named = append(named, text(cell) != "")
			case cell.DataAtom == atom.Td || cell.DataAtom == atom.Th:
				cells = append(cells, r.cell(cell))
			}
		}
		if len(cells) != len(named) {
			continue
		}
		var row []string
		for i, cell := range cells {
			if named[i] {
				row = append(row, cell)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// cell returns what a cell says.
func (r *reader) cell(n *html.Node) string {
	said := text(n)
	if has(n, "number") {
		return strings.ReplaceAll(said, r.thousands, "")
	}
	return AsText(said)
}

// CSV returns rows as a file.
func CSV(rows [][]string) ([]byte, error) {
	var text bytes.Buffer
	err := csv.NewWriter(&text).WriteAll(rows)
	return text.Bytes(), err
}

// AsText marks a cell as text, if a spreadsheet would otherwise run it as a formula.
func AsText(cell string) string {
	if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
		return "'" + cell
	}
	return cell
}

// text returns what is read below a node: words with one space between them.
func text(n *html.Node) string {
	var words []string
	var read func(*html.Node)
	read = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			words = append(words, n.Data)
		case n.DataAtom == atom.Time:
			words = append(words, " "+attribute(n, "datetime")+" ")
			return
		case n.DataAtom == atom.Svg || n.DataAtom == atom.Button || has(n, "label"):
			return
		case n.DataAtom == atom.Br || n.DataAtom == atom.P || n.DataAtom == atom.Dd:
			words = append(words, " ")
		}
		for child := range n.ChildNodes() {
			read(child)
		}
	}
	read(n)
	return strings.Join(strings.FieldsFunc(strings.Join(words, ""), func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' }), " ")
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// has reports whether an element has a class.
func has(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}
