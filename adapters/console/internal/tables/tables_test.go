package tables_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/tables"
)

const page = `<h1>Page</h1>
<section data-live="" hx-get="/here"><header><h2>First &amp; last</h2></header><table class="list"><thead><tr><th>Name</th><th class="number">Price</th><th>At</th><th></th></tr></thead>
<tbody><tr><td><a href="/1">=One</a><br><span class="label">Name</span> <b>more</b></td><td class="number">-1,250</td><td><time datetime="2026-01-02T03:04:05.000Z">2 h ago <small>03:04</small></time></td><td><button>Do</button></td></tr>
<tr class="inner"><td colspan="4">details</td></tr>
<tr><td>two</td><td class="number">2</td><td>never</td><td></td></tr></tbody></table><a href="?after=2" rel="next">Older</a></section>
<section aria-label="Second"><table><tr><th>A</th></tr><tr><td>-1</td></tr></table><button name="skip" value="50" data-next="">Next</button></section>
<table class="typed"><tr><th>B</th></tr><tr><td>1</td></tr></table>
<table><tr><td>Size</td><td>3</td></tr><tr><td>Rooms</td><td>4</td></tr></table>
<table><tr><th>Empty</th></tr></table>`

// read returns a page with its lists.
func read(t rapid.TB, content string) *tables.Page {
	t.Helper()
	got, err := tables.Read(content, ",")
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// shown returns a page as text.
func shown(t rapid.TB, p *tables.Page) string {
	t.Helper()
	text, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestListsAreReadAsTheyAreShown(t *testing.T) {
	type list struct {
		Name, Next, Field string
		Rows              [][]string
	}
	var got []list
	for _, l := range read(t, page).Lists {
		got = append(got, list{l.Name, l.Next, l.NextField, l.Rows()})
	}
	want := []list{
		{Name: "First & last", Next: "?after=2", Rows: [][]string{{"Name", "Price", "At"}, {"'=One more", "-1250", "2026-01-02T03:04:05.000Z"}, {"two", "2", "never"}}},
		{Name: "Second", Next: "50", Field: "skip", Rows: [][]string{{"A"}, {"'-1"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAPageStaysAsItIs(t *testing.T) {
	same := strings.NewReplacer("<tbody>", "", "</tbody>", "", `=""`, "")
	if diff := cmp.Diff(same.Replace(page), same.Replace(shown(t, read(t, page)))); diff != "" {
		t.Error(diff)
	}
}

func TestASortedListHasItsDetailsBelowTheirRowsAndLeadsNowhereElse(t *testing.T) {
	p := read(t, page)
	first := p.Lists[0]
	first.Continue(read(t, strings.ReplaceAll(strings.ReplaceAll(page, "=One", "Échelle"), "after=2", "after=4")).Lists[0])
	if first.Next != "?after=4" {
		t.Errorf("the list goes on at %q", first.Next)
	}
	by := tables.OrderOf("1.1")
	first.Sort(by)
	first.Whole("/here?sort=1.1")
	first.LinkHeads(1, by, "", func(o tables.Order) string { return "?sort=" + o.String() })
	text := shown(t, p)
	at := 0
	for _, next := range []string{
		`<th aria-sort="ascending"><a href="?sort=-1.1" class="sort">Name</a></th>`, `<th class="number"><a href="?sort=-1.2" class="sort">Price</a></th>`, `<th></th>`,
		"=One", "details", "Échelle", "details", ">two<", ">two<",
	} {
		i := strings.Index(text[at:], next)
		if i < 0 {
			t.Fatalf("%s does not follow:\n%s", next, text)
		}
		at += i + len(next)
	}
	if strings.Contains(text, "Older") || !strings.Contains(text, `hx-get="/here?sort=1.1"`) {
		t.Errorf("the list still leads to its rest, or is refreshed unsorted:\n%s", text)
	}
	first.Whole("")
	if text := shown(t, p); strings.Contains(text, "data-live") || strings.Contains(text, "hx-get") {
		t.Errorf("the list is refreshed:\n%s", text)
	}
}

func TestHeadingsOfAPageThatAFormAskedForAreButtonsOfTheForm(t *testing.T) {
	p := read(t, page)
	p.Lists[1].LinkHeads(2, tables.Order{}, "again", nil)
	if text := shown(t, p); !strings.Contains(text, `<th><button form="again" name="sort" value="2.1" class="sort">A</button></th>`) {
		t.Error(text)
	}
	if got := p.Lists[1].Rows()[0]; got[0] != "A" {
		t.Errorf("the heading is %q", got)
	}
}

func TestAnOrderIsReadAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := tables.Order{List: rapid.IntRange(1, 9).Draw(t, "list"), Column: rapid.IntRange(1, 20).Draw(t, "column"), Down: rapid.Bool().Draw(t, "down")}
		if got := tables.OrderOf(o.String()); got != o {
			t.Fatalf("%v is read as %v", o, got)
		}
	})
	for _, text := range []string{"", "3", "p99", "1.", "-.1", "1.1.1", "999.1", "1.-1"} {
		if got := tables.OrderOf(text); got != (tables.Order{}) {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// sorted returns the second column of a list after it was sorted by it.
func sorted(t rapid.TB, class string, cells []string, order string) []string {
	t.Helper()
	content := strings.Builder{}
	content.WriteString(`<table><thead><tr><th>Row</th><th class="` + class + `">Said</th></tr></thead><tbody>`)
	for i, cell := range cells {
		fmt.Fprintf(&content, `<tr><td>%d</td><td class="%s">%s</td></tr>`, i, class, cell)
	}
	l := read(t, content.String()+"</tbody></table>").Lists[0]
	l.Sort(tables.OrderOf(order))
	var got []string
	for _, row := range l.Rows()[1:] {
		got = append(got, row[1])
	}
	return got
}

func TestNumbersAreSortedAsNumbersAndWhatSaysNothingIsLast(t *testing.T) {
	cells := []string{"10", "", "9", "1,250 €", "-3", "n/a", "9.5 ms"}
	if diff := cmp.Diff([]string{"-3", "9", "9.5 ms", "10", "1250 €", "n/a", ""}, sorted(t, "number", cells, "1.2")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"n/a", "1250 €", "10", "9.5 ms", "9", "-3", ""}, sorted(t, "number", cells, "-1.2")); diff != "" {
		t.Error(diff)
	}
	words := []string{"zèbre", "Éric", "eric 10", "eric 9", "0192f1c2-7", "2026-01-02T03:04:05.000Z", "2025-01-02T03:04:05.000Z"}
	if diff := cmp.Diff([]string{"0192f1c2-7", "2025-01-02T03:04:05.000Z", "2026-01-02T03:04:05.000Z", "Éric", "eric 9", "eric 10", "zèbre"}, sorted(t, "", words, "1.2")); diff != "" {
		t.Error(diff)
	}
	for _, none := range []string{"1.3", "1.0", "1.255", ""} {
		if got := sorted(t, "", []string{"b", "a"}, none); got[0] != "b" {
			t.Errorf("an order by no column of the list sorts it: %q", got)
		}
	}
}

func TestAListThatIsSortedHasEachRowOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells := rapid.SliceOfN(rapid.StringMatching(`[a-cA-CÉé0-3.,-]{0,4}`), 1, 30).Draw(t, "cells")
		up, down := sorted(t, "number", cells, "1.2"), sorted(t, "number", cells, "-1.2")
		slices.Sort(up)
		slices.Sort(down)
		want := make([]string, len(cells))
		for i, cell := range cells {
			want[i] = strings.ReplaceAll(cell, ",", "")
		}
		slices.Sort(want)
		if !slices.Equal(up, want) || !slices.Equal(down, want) {
			t.Fatalf("%q is sorted as %q and %q", want, up, down)
		}
	})
}
