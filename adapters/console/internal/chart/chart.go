// Package chart draws columns and strips for pages of the console.
package chart

import (
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
)

// Bar is one column of a chart: a lower part, and an upper one on top of it.
type Bar struct {
	Lower, Upper int64
	// Title is what the column says when it is pointed at, Href where it leads; empty for nowhere.
	Title, Href string
}

// rect is a rectangle of a drawing: across in percent of the width, down in pixels.
type rect struct {
	X, Width  string
	Y, Height string
	// Class is how it is filled; Title what it says when it is pointed at.
	Class, Title string
	// Href is where it leads, empty for nowhere.
	Href string
}

// Drawing is a drawing of columns or marks. All measures are attributes, because styles are
// not allowed in pages.
type Drawing struct {
	Height string
	Rects  []rect
	// Label says what the drawing shows, for those who do not see it.
	Label string
	// Links reports that its rectangles lead somewhere.
	Links bool
	// Top is the number at the upper line, From and To what stands below.
	Top, From, To string
}

// chartHeight is the height of a chart of columns in pixels.
const chartHeight = 160

// Columns draws numbers side by side: below what was answered or succeeded, above what was
// refused or failed. The highest is as high as the drawing.
func Columns(l kit.Language, bars []Bar, label, from, to string) Drawing {
	return columns(bars, [...]string{"answered", "refused"}, Drawing{Label: label, From: from, To: to}, l.Count)
}

// Latencies draws times in microseconds side by side: below that of half of the requests,
// above what those that took longer took more.
func Latencies(l kit.Language, bars []Bar, label, from, to string) Drawing {
	return columns(bars, [...]string{"answered", "slow"}, Drawing{Label: label, From: from, To: to}, func(micros int64) string {
		return l.Milliseconds(time.Duration(micros)*time.Microsecond) + " ms"
	})
}

// columns draws bars into a chart, with the classes of their lower and upper parts.
func columns(bars []Bar, classes [2]string, c Drawing, write func(int64) string) Drawing {
	highest := int64(1)
	for _, b := range bars {
		highest = max(highest, b.Lower+b.Upper)
	}
	c.Height, c.Top = strconv.Itoa(chartHeight), write(highest)
	share := 100 / float64(max(1, len(bars)))
	for i, b := range bars {
		c.Links = c.Links || b.Href != ""
		lower := float64(b.Lower) / float64(highest) * chartHeight
		upper := float64(b.Upper) / float64(highest) * chartHeight
		for _, part := range []struct {
			class          string
			bottom, height float64
		}{{classes[0], chartHeight, lower}, {classes[1], chartHeight - lower, upper}} {
			if part.height == 0 {
				continue
			}
			tall := max(2, part.height)
			c.Rects = append(c.Rects, rect{
				X: Number(float64(i)*share+share*.12) + "%", Width: Number(share*.76) + "%",
				Y: Number(max(0, part.bottom-tall)), Height: Number(max(1, tall-1)), Class: part.class, Title: b.Title, Href: b.Href,
			})
		}
	}
	return c
}

// Mark is one cell of a strip.
type Mark struct {
	Tone  kit.Tone
	Took  time.Duration
	Title string
}

// The least and the greatest height of a cell of a strip, in pixels.
const lowMark, highMark = 8, 24

// Strip draws marks in a row, oldest first; the slower, the taller.
func Strip(marks []Mark, cells int, label string) Drawing {
	slowest := time.Millisecond
	for _, m := range marks {
		slowest = max(slowest, m.Took)
	}
	c := Drawing{Height: strconv.Itoa(highMark), Label: label}
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
