package tables

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// Order is how a list of a page is sorted: which list and by which column, both counted from 1, and whether
// from the last value to the first.
type Order struct {
	List, Column int
	Down         bool
}

// OrderOf reads an order as String writes it; it is of list 0 where that is none.
func OrderOf(text string) Order {
	place, down := strings.CutPrefix(text, "-")
	list, column, _ := strings.Cut(place, ".")
	n, err1 := strconv.ParseUint(list, 10, 8)
	i, err2 := strconv.ParseUint(column, 10, 8)
	if err1 != nil || err2 != nil {
		return Order{}
	}
	return Order{int(n), int(i), down}
}

// String returns list and column with a dot between them, after a minus sign if the order is downwards.
func (o Order) String() string {
	return fmt.Sprintf("%s%d.%d", map[bool]string{true: "-"}[o.Down], o.List, o.Column)
}

// digitRuns are the numbers within words: with leading zeros they are in order.
var digitRuns = regexp.MustCompile(`\d+`)

// Sort sorts the rows by what they say in a column, case and accents aside; rows that say the same stay as they are. Details of a row
// stay below it. Numbers are compared as such, also within words, and times by when they are. Words that say in which order it was go. It does nothing
// where there is no such column.
func (l *List) Sort(by Order) {
	body := bodyOf(l.table)
	if body == nil || by.Column < 1 || by.Column > len(l.heads) || text(l.heads[by.Column-1]) == "" {
		return
	}
	if l.order != nil {
		l.order.Parent.RemoveChild(l.order)
		l.order = nil
	}
	type group struct {
		rows   []*html.Node
		said   string
		word   string
		number float64
		digits bool
	}
	var groups []*group
	for body.FirstChild != nil {
		n := body.FirstChild
		body.RemoveChild(n)
		if cells := cellsOf(n); len(cells) == len(l.heads) || len(groups) == 0 {
			g := &group{}
			if len(cells) >= by.Column {
				g.said = text(cells[by.Column-1])
				g.number, g.digits = l.number(g.said)
				g.word = digitRuns.ReplaceAllStringFunc(criteria.Fold(g.said), func(run string) string { return fmt.Sprintf("%020s", run) })
			}
			groups = append(groups, g)
		}
		last := groups[len(groups)-1]
		last.rows = append(last.rows, n)
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		var order int
		switch {
		case a.said == "" || b.said == "": // what says nothing is last, whatever the order
			return cmp.Compare(len(b.said), len(a.said))
		case a.digits && b.digits:
			order = cmp.Compare(a.number, b.number)
		case a.digits != b.digits:
			order = map[bool]int{true: -1, false: 1}[a.digits]
		default:
			order = strings.Compare(a.word, b.word)
		}
		if by.Down {
			return -order
		}
		return order
	})
	for _, g := range groups {
		for _, n := range g.rows {
			body.AppendChild(n)
		}
	}
	set(l.heads[by.Column-1], "aria-sort", map[bool]string{true: "descending", false: "ascending"}[by.Down])
}

// number returns the number that a cell begins with, if it does: “1,250 €” is 1250, and a time is none.
func (l *List) number(said string) (float64, bool) {
	digits := strings.ReplaceAll(strings.ReplaceAll(said, l.thousands, ""), ",", ".")
	end := strings.IndexFunc(digits, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != '-' })
	if end < 0 {
		end = len(digits)
	}
	n, err := strconv.ParseFloat(digits[:end], 64)
	return n, err == nil && strings.IndexFunc(digits[end:], unicode.IsLetter) != 0
}

// LinkHeads makes each heading a link that sorts the list by its column, to the address that to returns; or, where the
// page was asked for by a form with an id, a button of that form, with the order as the field sort. Numbers are sorted from
// the most on at first, and other columns from the least; what is sorted already, the other way around. list is the
// place of the list on the page, and now how one of them is sorted.
func (l *List) LinkHeads(list int, now Order, form string, to func(Order) string) {
	for i, head := range l.heads {
		if text(head) == "" {
			continue
		}
		by := Order{list, i + 1, has(head, "number")}
		if now.List == list && now.Column == by.Column {
			by.Down = !now.Down
		}
		link := &html.Node{Type: html.ElementNode, DataAtom: atom.A, Data: "a"}
		if form != "" {
			link.DataAtom, link.Data = atom.Button, "button"
			set(link, "form", form)
			set(link, "name", "sort")
			set(link, "value", by.String())
		} else {
			set(link, "href", to(by))
		}
		set(link, "class", "sort")
		for head.FirstChild != nil {
			child := head.FirstChild
			head.RemoveChild(child)
			link.AppendChild(child)
		}
		head.AppendChild(link)
	}
}

// Whole takes away what leads to the rest of the list: what is sorted has it, or as much of it as is sorted. What refreshes itself is read from an address
// from now on, so that it is sorted too; where that is empty, it refreshes itself no more.
func (l *List) Whole(here string) {
	if l.next != nil {
		l.next.Parent.RemoveChild(l.next)
		l.next = nil
	}
	if l.live == nil {
		return
	}
	if here != "" {
		set(l.live, "hx-get", here)
		return
	}
	l.live.Attr = slices.DeleteFunc(l.live.Attr, func(a html.Attribute) bool { return a.Key == "data-live" || strings.HasPrefix(a.Key, "hx-") })
}

// set gives an element an attribute.
func set(n *html.Node, name, value string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
}
