package catalogue

import (
	"math"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/chart"
)

// locator is a drawing of where something is in France: a coarse outline, a few towns
// to go by, and a mark. The outline is drawn from the positions of places on coasts
// and borders; it is no map, and there is none behind it.
type locator struct {
	// Outlines are what polygons have as points.
	Outlines []string
	Towns    []spot
	// Mark is nil for a position outside the drawing.
	Mark *spot
	// Words say where that is, and how it is known.
	Words, Source string
}

// spot is a place on the drawing, in its units.
type spot struct {
	X, Y, LabelX, Name string
	x, y               float64
	// Before reports that its name stands before it, where there is no room behind.
	Before bool
}

// The drawing shows what is between these, in degrees, and is so wide in its units.
const (
	west, east, south, north = -5.4, 9.8, 41.2, 51.3
	locatorWidth             = 320.0
)

// locatorHeight keeps the proportions in the middle of the country.
func locatorHeight() float64 {
	return locatorWidth * (north - south) / ((east - west) * math.Cos((north+south)/2*math.Pi/180))
}

// corsica returns its coast, from the north on: latitude, longitude.
func corsica() [][2]float64 {
	return [][2]float64{
		{43.01, 9.40}, {42.70, 9.45}, {42.10, 9.55}, {41.70, 9.40}, {41.37, 9.22}, {41.55, 8.79}, {41.90, 8.60}, {42.38, 8.55}, {42.57, 8.75}, {42.70, 9.30},
	}
}

// mainland returns its coasts and borders, clockwise from Dunkirk: latitude, longitude.
func mainland() [][2]float64 {
	return [][2]float64{
		{51.04, 2.45}, {50.97, 1.85}, {50.73, 1.58}, {50.06, 1.38}, {49.92, 1.06}, {49.70, 0.17}, {49.49, 0.10}, {49.29, -0.25}, {49.40, -1.10},
		{49.67, -1.30}, {49.72, -1.94}, {49.20, -1.62}, {48.83, -1.60}, {48.64, -1.52}, {48.67, -2.05}, {48.55, -2.70}, {48.85, -3.10}, {48.73, -3.98},
		{48.60, -4.65}, {48.33, -4.77}, {48.05, -4.72}, {47.80, -4.37}, {47.70, -3.37}, {47.48, -3.10}, {47.27, -2.50}, {47.15, -2.22}, {46.70, -2.05},
		{46.49, -1.80}, {46.16, -1.22}, {45.62, -1.05}, {44.66, -1.25}, {43.48, -1.56}, {43.36, -1.78}, {43.05, -1.40}, {42.80, -0.60}, {42.69, 0.00},
		{42.72, 0.70}, {42.57, 1.44}, {42.45, 1.95}, {42.43, 3.17}, {43.00, 3.05}, {43.40, 3.70}, {43.36, 4.60}, {43.21, 5.35}, {43.05, 6.15},
		{43.17, 6.68}, {43.55, 7.03}, {43.78, 7.53}, {44.15, 7.65}, {44.40, 6.90}, {44.93, 6.74}, {45.20, 6.90}, {45.83, 6.86}, {46.10, 6.85},
		{46.38, 6.80}, {46.20, 6.10}, {46.60, 6.15}, {47.30, 7.00}, {47.58, 7.58}, {48.60, 7.80}, {48.97, 8.20}, {49.20, 6.90}, {49.50, 6.20},
		{49.55, 5.80}, {49.80, 4.90}, {50.15, 4.80}, {50.00, 4.20}, {50.35, 3.70}, {50.75, 3.10},
	}
}

// places are towns to go by.
func places() []struct {
	name                string
	latitude, longitude float64
} {
	return []struct {
		name                string
		latitude, longitude float64
	}{
		{"Paris", 48.857, 2.352}, {"Lille", 50.629, 3.057}, {"Strasbourg", 48.573, 7.752}, {"Brest", 48.390, -4.486}, {"Nantes", 47.218, -1.554},
		{"Dijon", 47.322, 5.041}, {"Lyon", 45.764, 4.836}, {"Bordeaux", 44.838, -0.579}, {"Toulouse", 43.605, 1.444}, {"Marseille", 43.296, 5.370},
		{"Nice", 43.710, 7.262}, {"Limoges", 45.831, 1.261}, {"Ajaccio", 41.919, 8.739},
	}
}

// locate draws a position.
func locate(latitude, longitude float64, source string) *locator {
	l := &locator{Words: degrees(latitude, "N", "S") + ", " + degrees(longitude, "E", "W"), Source: source}
	for _, part := range [][][2]float64{mainland(), corsica()} {
		var points []string
		for _, p := range part {
			at := project(p[0], p[1], "")
			points = append(points, at.X+","+at.Y)
		}
		l.Outlines = append(l.Outlines, strings.Join(points, " "))
	}
	for _, p := range places() {
		l.Towns = append(l.Towns, project(p.latitude, p.longitude, p.name))
	}
	if longitude > west && longitude < east && latitude > south && latitude < north {
		mark := project(latitude, longitude, "")
		l.Mark = &mark
		for i := range l.Towns {
			l.Towns[i] = l.Towns[i].besideMark(mark)
		}
	}
	return l
}

func project(latitude, longitude float64, name string) spot {
	x := (longitude - west) / (east - west) * locatorWidth
	y := (north - latitude) / (north - south) * locatorHeight()
	at := spot{X: chart.Number(x), Y: chart.Number(y), x: x, y: y, Name: name, Before: x > locatorWidth*3/4}
	return at.labelled(5)
}

// labelled returns the spot with its name so far away.
func (s spot) labelled(distance float64) spot {
	if s.Before {
		distance = -distance
	}
	s.LabelX = chart.Number(s.x + distance)
	return s
}

// besideMark returns the spot with its name beside a mark that would cover it.
func (s spot) besideMark(mark spot) spot {
	const covered, clear = 12, 16
	if math.Abs(s.x-mark.x) < covered && math.Abs(s.y-mark.y) < covered {
		return s.labelled(clear)
	}
	return s
}

// degrees writes an angle with four decimals, which is some ten metres.
func degrees(angle float64, positive, negative string) string {
	side := positive
	if angle < 0 {
		side = negative
	}
	return strconv.FormatFloat(math.Abs(angle), 'f', 4, 64) + "° " + side
}
