// Package tables reads the lists of a page of the console, which are its tables: to hand them out as CSV, and to sort them.
package tables

import (
	"bytes"
	"encoding/csv"
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Page is what a page shows, with its lists.
type Page struct {
	root  *html.Node
	Lists []*List
}

// List is a table of a page.
type List struct {
	// Name is the heading of the list.
	Name string
	// Next is what continues it: the address of a page, or the value of a field of the form that asked for this
	// one, of the name NextField. It is empty where the list is whole.
	Next, NextField string
	// next is the element that leads there, live the one around the list that refreshes itself, order the words before it that
	// say in which order it is; nil for none.
	next, live, order *html.Node
	table             *html.Node
	// heads are the headings of its columns.
	heads     []*html.Node
	thousands string
}

// Read returns a page with its lists. Forms that look like tables are none, nor are tables without a row.
func Read(content, thousands string) (*Page, error) {
	body := &html.Node{Type: html.ElementNode, DataAtom: atom.Body, Data: "body"}
	parts, err := html.ParseFragment(strings.NewReader(content), body)
	if err != nil {
		return nil, err
	}
	r := reader{page: &Page{root: body}, thousands: thousands}
	for _, part := range parts {
		body.AppendChild(part)
	}
	r.walk(body, nil)
	return r.page, nil
}

// shorter takes out of tags what HTML can do without. Texts and values of attributes have none of it: it is escaped there.
var shorter = strings.NewReplacer(`=""`, "", "/>", ">")

// HTML returns the page.
func (p *Page) HTML() (string, error) {
	var text bytes.Buffer
	for part := range p.root.ChildNodes() {
		if err := html.Render(&text, part); err != nil {
			return "", err
		}
	}
	return shorter.Replace(text.String()), nil
}

// reader walks through a page.
type reader struct {
	page      *Page
	thousands string
	// heading is the last that was passed, order the words of an order that no list has had since.
	heading string
	order   *html.Node
}

// walk reads a node within the part of the page that refreshes itself, nil for none.
func (r *reader) walk(n, live *html.Node) {
	if given(n, "data-live") {
		live = n
	}
	if given(n, "data-order") {
		r.order = n
	}
	switch {
	case n.DataAtom == atom.H1 || n.DataAtom == atom.H2:
		r.heading = text(n)
	case n.DataAtom == atom.Section && attribute(n, "aria-label") != "":
		r.heading = attribute(n, "aria-label")
	case n.DataAtom == atom.A && attribute(n, "rel") == "next" && len(r.page.Lists) > 0:
		r.continues(n, attribute(n, "href"), "")
	case n.DataAtom == atom.Button && given(n, "data-next") && len(r.page.Lists) > 0:
		r.continues(n, attribute(n, "value"), attribute(n, "name"))
	case n.DataAtom == atom.Table && has(n, "typed"):
		return
	case n.DataAtom == atom.Table:
		l := &List{Name: r.heading, live: live, order: r.order, table: n, thousands: r.thousands}
		r.order = nil
		for tr := range n.Descendants() {
			if tr.DataAtom == atom.Tr {
				l.heads = cellsOf(tr)
				break
			}
		}
		isHead := func(cell *html.Node) bool { return cell.DataAtom == atom.Th }
		if slices.ContainsFunc(l.heads, isHead) && l.Len() > 0 {
			r.page.Lists = append(r.page.Lists, l)
		}
		return
	}
	for child := range n.ChildNodes() {
		r.walk(child, live)
	}
}

func (r *reader) continues(by *html.Node, next, field string) {
	last := r.page.Lists[len(r.page.Lists)-1]
	last.next, last.Next, last.NextField = by, next, field
}

// Rows returns the cells as they are read; the first row has the headings of the columns. Times are as ISO 8601 has
// them, in UTC. Numbers are without what stands between their thousands. Other cells that a spreadsheet would run as a
// formula begin with an apostrophe. Columns without heading, which have buttons, are left out, and rows that are
// something else, such as the details of the row above: they have not as many cells as there are headings.
func (l *List) Rows() [][]string {
	named := make([]bool, len(l.heads))
	for i, head := range l.heads {
		named[i] = text(head) != ""
	}
	var rows [][]string
	for cells := range l.cells() {
		var row []string
		for i, cell := range cells {
			if named[i] {
				row = append(row, l.said(cell))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Len returns how many rows there are besides the headings, without reading them.
func (l *List) Len() int {
	n := -1
	for range l.cells() {
		n++
	}
	return n
}

// cells returns the cells of each row that has as many as there are headings.
func (l *List) cells() iter.Seq[[]*html.Node] {
	return func(yield func([]*html.Node) bool) {
		for tr := range l.table.Descendants() {
			if cells := cellsOf(tr); tr.DataAtom == atom.Tr && len(cells) == len(l.heads) && !yield(cells) {
				return
			}
		}
	}
}

// said returns what a cell says.
func (l *List) said(cell *html.Node) string {
	if has(cell, "number") && cell.DataAtom == atom.Td {
		return strings.ReplaceAll(text(cell), l.thousands, "")
	}
	return AsText(text(cell))
}

// Continue adds the rows of another list, which continues this one, and takes over what continues that.
func (l *List) Continue(with *List) {
	from, to := bodyOf(with.table), bodyOf(l.table)
	for from != nil && to != nil && from.FirstChild != nil {
		row := from.FirstChild
		from.RemoveChild(row)
		to.AppendChild(row)
	}
	l.Next, l.NextField = with.Next, with.NextField
}

// cellsOf returns the cells of a row; none of what is no row.
func cellsOf(tr *html.Node) (cells []*html.Node) {
	for cell := range tr.ChildNodes() {
		if cell.DataAtom == atom.Td || cell.DataAtom == atom.Th {
			cells = append(cells, cell)
		}
	}
	return cells
}

// bodyOf returns the part of a table that has its rows; nil where it has none.
func bodyOf(table *html.Node) *html.Node {
	for part := range table.ChildNodes() {
		if part.DataAtom == atom.Tbody {
			return part
		}
	}
	return nil
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
		case n.DataAtom == atom.Svg || n.DataAtom == atom.Button && !has(n, "sort") || has(n, "label"):
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

// given reports whether an element has an attribute, whatever its value.
func given(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// has reports whether an element has a class.
func has(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}
