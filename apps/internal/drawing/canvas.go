package drawing

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"

	"golang.org/x/image/vector"
)

// Width and Height are those that places are given in, whatever the size of the
// picture is.
const (
	Width  = 1200
	Height = 800
)

// scale is how large the picture is drawn: 960 by 640 pixels.
const scale = .8

// quality is that of the JPEG. Flat shapes show the artefacts of a low one.
const quality = 85

// canvas is a picture in the making. Places are from the top left.
type canvas struct {
	image      *image.RGBA
	rasterizer vector.Rasterizer
}

func newCanvas() *canvas {
	return &canvas{image: image.NewRGBA(image.Rect(0, 0, Width*scale, Height*scale))}
}

func (c *canvas) jpeg() []byte {
	var out bytes.Buffer
	// Writing to memory does not fail, and the image has a size that JPEG can hold.
	_ = jpeg.Encode(&out, c.image, &jpeg.Options{Quality: quality})
	return out.Bytes()
}

// point is a place on the canvas.
type point struct{ x, y float64 }

// polygon fills the area that some points go around.
func (c *canvas) polygon(fill color.RGBA, points ...point) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for n, p := range points {
		p = point{p.x * scale, p.y * scale}
		points[n] = p
		left, right = min(left, p.x), max(right, p.x)
		top, bottom = min(top, p.y), max(bottom, p.y)
	}
	bounds := image.Rect(int(math.Floor(left)), int(math.Floor(top)), int(math.Ceil(right)), int(math.Ceil(bottom))).Intersect(c.image.Rect)
	if bounds.Empty() {
		return
	}
	// The rasterizer goes over its whole area, so it gets no more than the shape
	// needs; what lies outside of that it clips.
	c.rasterizer.Reset(bounds.Dx(), bounds.Dy())
	at := func(p point) (float32, float32) {
		return float32(p.x - float64(bounds.Min.X)), float32(p.y - float64(bounds.Min.Y))
	}
	c.rasterizer.MoveTo(at(points[0]))
	for _, p := range points[1:] {
		c.rasterizer.LineTo(at(p))
	}
	c.rasterizer.ClosePath()
	c.rasterizer.Draw(c.image, bounds, image.NewUniform(fill), image.Point{})
}

// rect fills a rectangle, whose sides go along pixels.
func (c *canvas) rect(fill color.RGBA, x, y, w, h float64) {
	at := func(place float64) int { return int(math.Round(place * scale)) }
	area := image.Rect(at(x), at(y), max(at(x+w), at(x)+1), max(at(y+h), at(y)+1))
	draw.Draw(c.image, area, image.NewUniform(fill), image.Point{}, draw.Over)
}

// ellipse fills an ellipse around a centre.
func (c *canvas) ellipse(fill color.RGBA, x, y, rx, ry float64) {
	c.arc(fill, x, y, rx, ry, 0, 2*math.Pi)
}

// arc fills the part of an ellipse between two angles, which go clockwise from
// the right.
func (c *canvas) arc(fill color.RGBA, x, y, rx, ry, from, to float64) {
	const steps = 48
	points := make([]point, 0, steps+1)
	for n := range steps + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(n)/steps)
		points = append(points, point{x + rx*cos, y + ry*sin})
	}
	c.polygon(fill, points...)
}

// gradient fills a horizontal band from one colour above to another below.
func (c *canvas) gradient(above, below color.RGBA, from, to float64) {
	top, bottom := int(from*scale), int(to*scale)
	for y := top; y < bottom; y++ {
		row := image.Rect(0, y, c.image.Rect.Dx(), y+1)
		draw.Draw(c.image, row, image.NewUniform(mix(above, below, float64(y-top)/float64(bottom-top))), image.Point{}, draw.Src)
	}
}

// rgb reads a colour such as 0xF2E8D5.
func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xFF}
}

// mix is a colour between two: at 0 the first, at 1 the second.
func mix(a, b color.RGBA, at float64) color.RGBA {
	between := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*at)) }
	return color.RGBA{between(a.R, b.R), between(a.G, b.G), between(a.B, b.B), 0xFF}
}

func darker(c color.RGBA, by float64) color.RGBA  { return mix(c, rgb(0x1E2430), by) }
func lighter(c color.RGBA, by float64) color.RGBA { return mix(c, rgb(0xFFFFFF), by) }

// shadow is see-through black.
func shadow(alpha uint8) color.RGBA { return color.RGBA{0, 0, 0, alpha} }

// light is see-through white.
func light(alpha uint8) color.RGBA { return color.RGBA{alpha, alpha, alpha, alpha} }
