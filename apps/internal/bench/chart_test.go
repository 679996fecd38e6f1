package main

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
)

// element is a part of an SVG document.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Elements []element  `xml:",any"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// all are the parts of some name, however deep.
func (e element) all(name string) []element {
	var found []element
	for _, inner := range e.Elements {
		if inner.XMLName.Local == name {
			found = append(found, inner)
		}
		found = append(found, inner.all(name)...)
	}
	return found
}

func (e element) texts() []string {
	var found []string
	for _, text := range e.all("text") {
		found = append(found, strings.TrimSpace(text.Text))
	}
	return found
}

// lines are the paths of a panel that lead through so many points.
func (e element) lines(points int) []string {
	var found []string
	for _, path := range e.all("path") {
		style, way := path.attr("style"), path.attr("d")
		if strings.Contains(style, "stroke-width:1.5") && strings.Count(way, "L") == points-1 && !strings.Contains(way, "Z") {
			found = append(found, style)
		}
	}
	return found
}

func drawn(t *testing.T, g growth) element {
	t.Helper()
	var out bytes.Buffer
	if err := g.draw(&out); err != nil {
		t.Fatal(err)
	}
	var svg element
	if err := xml.Unmarshal(out.Bytes(), &svg); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	return svg
}

// sampleGrowth has figures like those of a run.
func sampleGrowth() growth {
	one := func(sites, products int, ms, bytes float64) grown {
		return grown{population{sites, products}, latencies{ms, 9 * ms}, latencies{ms / 2, 5 * ms}, latencies{2 * ms, 20 * ms}, bytes}
	}
	return growth{
		products: []grown{one(1, 2000, 0.005, 520), one(1, 10_000, 0.01, 470), one(1, 100_000, 0.05, 430), one(1, 1_000_000, 0.6, 400)},
		sites:    []grown{one(1, 2000, 0.005, 520), one(300, 2000, 0.007, 521), one(2000, 2000, 0.009, 522)},
	}
}

func TestTheChartOfGrowthIsWhole(t *testing.T) {
	svg := drawn(t, sampleGrowth())
	keys := svg
	keys.Elements = slices.DeleteFunc(slices.Clone(svg.Elements), func(e element) bool { return e.XMLName.Local == "svg" })
	if got, want := keys.texts(), []string{"search p50", "search p99", "count p50", "count p99", "one change p50", "one change p99"}; !slices.Equal(got, want) {
		t.Errorf("it explains %q instead of %q", got, want)
	}
	panels := svg.all("svg")
	if len(panels) != 3 {
		t.Fatalf("it has %d panels", len(panels))
	}
	for i, want := range []struct {
		title         string
		axes, marks   []string
		lines, points int
	}{
		{"Time, as a site gets more products", []string{"products of a site", "milliseconds"}, []string{"2,000", "10,000", "100,000", "1,000,000"}, 6, 4},
		{"Memory, as a site gets more products", []string{"products of a site", "bytes on the heap per product"}, []string{"2,000", "1,000,000", "0", "600"}, 1, 4},
		{"Time, as a process gets more sites", []string{"sites of 2,000 products", "milliseconds"}, []string{"1", "300", "2,000"}, 6, 3},
	} {
		panel := panels[i]
		texts := panel.texts()
		for _, text := range slices.Concat([]string{want.title}, want.axes, want.marks) {
			if !slices.Contains(texts, text) {
				t.Errorf("panel %d does not say %q, but %q", i+1, text, texts)
			}
		}
		if titles := panel.all("title"); len(titles) != 1 || titles[0].Text != want.title {
			t.Errorf("panel %d has the titles %v", i+1, titles)
		}
		lines := panel.lines(want.points)
		if len(lines) != want.lines {
			t.Errorf("panel %d has %d lines through %d points, not %d", i+1, len(lines), want.points, want.lines)
		}
		if distinct := slices.Compact(slices.Sorted(slices.Values(lines))); len(distinct) != len(lines) {
			t.Errorf("some lines of panel %d look the same: %q", i+1, lines)
		}
	}
}

func TestTheChartOfGrowthTellsThoseWhoDoNotSeeIt(t *testing.T) {
	svg := drawn(t, sampleGrowth())
	if role, label := svg.attr("role"), svg.attr("aria-labelledby"); role != "img" || label != "title what" {
		t.Errorf("its role is %q, labelled by %q", role, label)
	}
	named := map[string]string{}
	for _, e := range svg.Elements {
		named[e.attr("id")] = e.Text
	}
	if named["title"] == "" {
		t.Error("it has no title")
	}
	for _, part := range []string{"1,000,000 products: 5.40 ms, 400 B a product", "2,000 sites of 2,000 products: 0.081 ms, 522 B a product"} {
		if !strings.Contains(named["what"], part) {
			t.Errorf("its description %q lacks %q", named["what"], part)
		}
	}
}
