package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type house struct {
	Name string `json:"name"`
	Note string `json:"note"`
}

var columns = []Column[house]{
	{"name", func(h house) string { return h.Name }},
	{"what", func(h house) string { return h.Note }},
}

func listed(t *testing.T, as string, items []house) string {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := List(Listing{Output: as}, out, items, columns...); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestATableIsAlignedAndJSONIsWhole(t *testing.T) {
	houses := []house{{"Château", "old"}, {"Hut", ""}, {"\x1b[2JEvil\tone", "two\nlines"}}
	want := "NAME           WHAT\n" +
		"Château        old\n" +
		"Hut            -\n" +
		"\uFFFD[2JEvil\uFFFDone   two\uFFFDlines\n"
	if got := listed(t, "table", houses); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, as := range []string{"auto", "json"} { // a file is no terminal
		if got := listed(t, as, houses[:1]); strings.Join(strings.Fields(got), "") != `[{"name":"Château","note":"old"}]` {
			t.Errorf("%s: %s", as, got)
		}
	}
}

func TestProgressIsToldInLinesWhereThereIsNoTerminal(t *testing.T) {
	for _, c := range []struct {
		total int
		done  []int
		want  string
	}{
		{Unknown, []int{9_999, 10_500, 19_999, 40_000}, "moving: 10500\nmoving: 40000\n"},
		{3, []int{1, 2, 3, 3}, "moving: 1 of 3\nmoving: 2 of 3\nmoving: 3 of 3\n"},
		{45, []int{1, 2, 43, 45, 45}, "moving: 2 of 45\nmoving: 43 of 45\nmoving: 45 of 45\n"},
		{0, []int{0}, ""},
	} {
		var out bytes.Buffer
		p := &Progress{out: &out, what: "moving", total: c.total}
		for _, n := range c.done {
			p.Set(n)
		}
		p.End()
		if out.String() != c.want {
			t.Errorf("of %d: %q, want %q", c.total, out.String(), c.want)
		}
	}
}

func TestProgressAddsUp(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{out: &out, what: "importing", total: 45}
	for range 45 {
		p.Add(1)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 23 || lines[22] != "importing: 45 of 45" {
		t.Errorf("%d lines: %s", len(lines), out.String())
	}
}
