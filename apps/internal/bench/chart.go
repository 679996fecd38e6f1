package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// A panel of the chart, and the strip above the panels which says what is what.
const (
	panelWidth, panelHeight = 380, 330
	keyHeight               = 34
)

// series is a line of the chart: a figure of each population.
type series struct {
	name   string
	color  color.RGBA
	dashed bool
	glyph  draw.GlyphDrawer
	of     func(grown) float64
}

var (
	teal   = color.RGBA{0x1f, 0x6f, 0x78, 0xff}
	rust   = color.RGBA{0xb3, 0x54, 0x1e, 0xff}
	violet = color.RGBA{0x5b, 0x4a, 0x9e, 0xff}
	paper  = color.RGBA{0xfd, 0xfd, 0xfb, 0xff}
	faint  = color.RGBA{0xdd, 0xdd, 0xdd, 0xff}
)

// allTimes returns the series of a panel of times.
func allTimes() []series {
	var all []series
	for _, of := range []struct {
		name  string
		color color.RGBA
		glyph draw.GlyphDrawer
		times func(grown) latencies
	}{
		{"search", teal, draw.CircleGlyph{}, func(g grown) latencies { return g.search }},
		{"count", rust, draw.PyramidGlyph{}, func(g grown) latencies { return g.count }},
		{"one change", violet, draw.BoxGlyph{}, func(g grown) latencies { return g.change }},
	} {
		all = append(all,
			series{of.name + " p50", of.color, false, of.glyph, func(g grown) float64 { return of.times(g).p50 }},
			series{of.name + " p99", of.color, true, of.glyph, func(g grown) float64 { return of.times(g).p99 }})
	}
	return all
}

// panel is one diagram of the chart.
type panel struct {
	title, x, y string
	measured    []grown
	size        func(grown) int
	series      []series
	// logarithmic tells a panel with a logarithmic scale of figures.
	logarithmic bool
}

// draw writes the chart as SVG.
func (g growth) draw(out io.Writer) error {
	products := func(g grown) int { return g.products }
	sites := func(g grown) int { return g.sites }
	memory := []series{{"memory", teal, false, draw.CircleGlyph{}, func(g grown) float64 { return g.bytes }}}
	panels := []panel{
		{"Time, as a site gets more products", "products of a site", "milliseconds", g.products, products, allTimes(), true},
		{"Memory, as a site gets more products", "products of a site", "bytes on the heap per product", g.products, products, memory, false},
		{"Time, as a process gets more sites", "sites of " + rig.Count(smallSite) + " products", "milliseconds", g.sites, sites, allTimes(), true},
	}
	var text bytes.Buffer
	width, height := panelWidth*len(panels), keyHeight+panelHeight
	fmt.Fprintf(&text, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title what" font-family="%s" font-size="12">`+"\n", width, height, families)
	fmt.Fprintf(&text, "<title id=\"title\">%s</title>\n", html.EscapeString("How the search engine grows"))
	fmt.Fprintf(&text, "<desc id=\"what\">%s</desc>\n", html.EscapeString(g.description()))
	fmt.Fprintf(&text, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", hex(paper))
	writeKey(&text, allTimes())
	for i, p := range panels {
		drawn, err := p.draw()
		if err != nil {
			return fmt.Errorf("%s: %w", p.title, err)
		}
		fmt.Fprintf(&text, `<svg x="%d" y="%d" width="%d" height="%d" viewBox="0 0 %[3]d %[4]d">`+"\n<title>%[5]s</title>\n", i*panelWidth, keyHeight, panelWidth, panelHeight, html.EscapeString(p.title))
		text.Write(drawn)
	}
	text.WriteString("</svg>\n")
	_, err := text.WriteTo(out)
	return err
}

// description says in words what the chart shows, for those who do not see it.
func (g growth) description() string {
	text := "The 99th percentile of searches, and the memory"
	for _, measured := range [][]grown{g.products, g.sites} {
		for _, one := range measured {
			text += fmt.Sprintf("; %s: %s, %s a product", one, milliseconds(one.search.p99), octets(one.bytes))
		}
	}
	return text + "."
}

// families are the fonts of the chart: one by which it is measured, and others as
// wide.
const families = "Liberation Sans,Arial,Helvetica,sans-serif"

// writeKey writes what the lines of the panels of times mean.
func writeKey(out *bytes.Buffer, all []series) {
	const each = 145
	for i, s := range all {
		x, dashes := 20+each*i, ""
		if s.dashed {
			dashes = ` stroke-dasharray="5 3"`
		}
		fmt.Fprintf(out, `<line x1="%d" y1="18" x2="%d" y2="18" stroke="%s" stroke-width="2"%s/><text x="%d" y="22">%s</text>`+"\n",
			x, x+26, hex(s.color), dashes, x+32, html.EscapeString(s.name))
	}
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// draw makes the inside of an SVG element, and its end.
func (p panel) draw() ([]byte, error) {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	drawn := plot.New()
	drawn.BackgroundColor = nil
	drawn.Title.Text, drawn.Title.Padding = p.title, 8
	drawn.X.Label.Text, drawn.Y.Label.Text = p.x, p.y
	drawn.X.Label.Padding = 6
	drawn.X.Scale, drawn.X.Tick.Marker = plot.LogScale{}, p.sizes()
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	drawn.Add(grid)
	for _, s := range p.series {
		points := make(plotter.XYs, len(p.measured))
		for i, g := range p.measured {
			points[i] = plotter.XY{X: float64(p.size(g)), Y: s.of(g)}
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width = s.color, 1.5
		if s.dashed {
			line.Dashes = []vg.Length{5, 3}
		}
		marks.Color, marks.Shape, marks.Radius = s.color, s.glyph, 3
		drawn.Add(line, marks)
	}
	if p.logarithmic {
		drawn.Y.Min, drawn.Y.Max = math.Pow(10, math.Floor(math.Log10(drawn.Y.Min))), math.Pow(10, math.Ceil(math.Log10(drawn.Y.Max)))
		drawn.Y.Scale, drawn.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	} else {
		drawn.Y.Min, drawn.Y.Max = 0, 200*math.Ceil(drawn.Y.Max/200)
	}
	canvas := vgsvg.New(panelWidth, panelHeight)
	drawn.Draw(draw.Crop(draw.New(canvas), 12, -20, 10, -10))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return nil, err
	}
	_, inside, _ := bytes.Cut(text.Bytes(), []byte("xlink\">\n"))
	return bytes.ReplaceAll(inside, []byte("font-family:Liberation Sans;"), []byte("font-family:"+families+";")), nil
}

// sizes returns the marks of the axis along which something grows.
func (p panel) sizes() plot.ConstantTicks {
	var marks plot.ConstantTicks
	for _, g := range p.measured {
		marks = append(marks, plot.Tick{Value: float64(p.size(g)), Label: rig.Count(p.size(g))})
	}
	return marks
}
