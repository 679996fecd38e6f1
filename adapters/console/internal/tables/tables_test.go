package tables_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/tables"
)

const page = `<h1>Page</h1>
<section><header><h2>First &amp; last</h2></header><table class="list"><thead><tr><th>Name</th><th class="number">Price</th><th>At</th><th></th></tr></thead>
<tbody><tr><td><a href="/1">=One</a><br><span class="label">Name</span> <b>more</b></td><td class="number">-1,250</td><td><time datetime="2026-01-02T03:04:05.000Z">2 h ago <small>03:04</small></time></td><td><button>Do</button></td></tr>
<tr class="inner"><td colspan="4">details</td></tr>
<tr><td>two</td><td class="number">2</td><td>never</td><td></td></tr></tbody></table><a rel="next" href="?after=2">Older</a></section>
<section aria-label="Second"><table><tr><th>A</th></tr><tr><td>-1</td></tr></table></section>
<table class="typed"><tr><th>B</th></tr><tr><td>1</td></tr></table>
<table><tr><th>Empty</th></tr></table>`

func TestListsAreReadAsTheyAreShown(t *testing.T) {
	got, err := tables.Read(page, ",")
	if err != nil {
		t.Fatal(err)
	}
	want := []tables.Table{
		{Name: "First & last", Next: "?after=2", Rows: [][]string{{"Name", "Price", "At"}, {"'=One more", "-1250", "2026-01-02T03:04:05.000Z"}, {"two", "2", "never"}}},
		{Name: "Second", Rows: [][]string{{"A"}, {"'-1"}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
