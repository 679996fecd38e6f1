package kit

import (
	"strconv"
	"time"
)

// Bar is one column of a chart: what was answered, and what was refused on top.
type Bar struct {
	At                time.Time
	Answered, Refused int64
}

// rect is a rectangle of a drawing: across in percent of the width, down in pixels.
type rect struct {
	X, Width  string
	Y, Height string
	// Class is how it is filled; Title what it says when it is pointed at.
	Class, Title string
}

// Chart is a drawing of columns. All measures are attributes, because styles are
// not allowed in pages.
type Chart struct {
	Height string
	Rects  []rect
	// Label says what the drawing shows, for those who do not see it.
	Label string
	// Top is the number at the upper line, From and To what stands below.
	Top, From, To string
}

// chartHeight is the height of a chart of columns in pixels.
const chartHeight = 160

// Columns draws bars side by side, the highest as high as the drawing.
func Columns(bars []Bar, label, from, to string) Chart {
	highest := int64(1)
	for _, b := range bars {
		highest = max(highest, b.Answered+b.Refused)
	}
	c := Chart{Height: strconv.Itoa(chartHeight), Label: label, Top: Count(highest), From: from, To: to}
	share := 100 / float64(max(1, len(bars)))
	for i, b := range bars {
		title := b.At.UTC().Format("15:04:05") + " UTC: " + Count(b.Answered) + " answered, " + Count(b.Refused) + " refused"
		answered := float64(b.Answered) / float64(highest) * chartHeight
		refused := float64(b.Refused) / float64(highest) * chartHeight
		for _, part := range []struct {
			class          string
			bottom, height float64
		}{{"answered", chartHeight, answered}, {"refused", chartHeight - answered, refused}} {
			if part.height == 0 {
				continue
			}
			tall := max(2, part.height)
			c.Rects = append(c.Rects, rect{
				X: Number(float64(i)*share+share*.12) + "%", Width: Number(share*.76) + "%",
				Y: Number(max(0, part.bottom-tall)), Height: Number(max(1, tall-1)), Class: part.class, Title: title,
			})
		}
	}
	return c
}

// Mark is one cell of a strip.
type Mark struct {
	Tone  Tone
	Took  time.Duration
	Title string
}

// The least and the greatest height of a cell of a strip, in pixels.
const lowMark, highMark = 8, 24

// Strip draws marks in a row, oldest first; the slower, the taller.
func Strip(marks []Mark, cells int, label string) Chart {
	slowest := time.Millisecond
	for _, m := range marks {
		slowest = max(slowest, m.Took)
	}
	c := Chart{Height: strconv.Itoa(highMark), Label: label}
	share := 100 / float64(max(1, cells, len(marks)))
	for i, m := range marks {
		tall := lowMark + (highMark-lowMark)*float64(m.Took)/float64(max(slowest, 50*time.Millisecond))
		c.Rects = append(c.Rects, rect{
			X: Number(float64(i)*share) + "%", Width: Number(share*.66) + "%",
			Y: Number(highMark - tall), Height: Number(tall), Class: string(m.Tone), Title: m.Title,
		})
	}
	return c
}

// Number writes a measure of a drawing, with one digit after the point.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }
