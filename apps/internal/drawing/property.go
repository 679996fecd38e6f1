package drawing

import (
	"hash/fnv"
	"image/color"
	"math/rand/v2"
)

// Property is what a façade is drawn of.
type Property struct {
	// Reference decides whatever the rest leaves open, such as colours: two
	// properties with different references look different.
	Reference string
	// Type is a code of the criterion TypeBien.
	Type string
	// Storeys is how many lie above the ground floor; 0 also when nobody knows.
	Storeys int
	// Balcony, Garden and Pool are drawn where the kind of property can have them.
	Balcony, Garden, Pool bool
}

// scene is a façade in the making.
type scene struct {
	*canvas
	of     Property
	random *rand.Rand
	// ground is where it begins, from the top.
	ground float64
}

// Facade draws a property from outside, as a JPEG.
func Facade(p Property) []byte {
	s := scene{canvas: newCanvas(), of: p, random: seeded(p.Reference), ground: 640}
	s.sky()
	switch p.Type {
	case "Maison", "Villa", "Chalet":
		s.hills()
		s.lawn()
		s.house()
		s.garden()
	case "Terrain":
		s.hills()
		s.plot()
	case "Garage", "Parking":
		s.street()
		s.garages()
	case "Peniche":
		s.hills()
		s.barge()
	case "LocalCommercial", "FondsCommerce", "Restaurant", "Hotel":
		s.street()
		s.building(true)
	case "Entrepot", "LocalActivite":
		s.street()
		s.hall()
	case "Bureau":
		s.street()
		s.offices()
	default:
		s.street()
		s.building(false)
	}
	return s.jpeg()
}

// seeded is a source of choices that a text decides.
func seeded(text string) *rand.Rand {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(text)) // never fails
	return rand.New(rand.NewPCG(hash.Sum64(), 0))
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// between is a number from low up to high.
func (s scene) between(low, high float64) float64 { return low + s.random.Float64()*(high-low) }

var (
	glass  = rgb(0x9CC3D5)
	frame  = rgb(0xFBFAF6)
	grass  = rgb(0x86B06A)
	trunk  = rgb(0x7A5B43)
	leaves = []color.RGBA{rgb(0x5E9A5B), rgb(0x6FA85C), rgb(0x4E8A63), rgb(0x88A94E)}
	walls  = []color.RGBA{
		rgb(0xF2E8D5), rgb(0xEAD9BF), rgb(0xF5EFE6), rgb(0xE7C9A9), rgb(0xE9DCCB), rgb(0xD9C7B0), rgb(0xF0D9C8), rgb(0xDDE0DC),
	}
	tiles    = []color.RGBA{rgb(0xB5573C), rgb(0xA8492F), rgb(0xC06C4A), rgb(0x8E4B3A)}
	slates   = []color.RGBA{rgb(0x5A6472), rgb(0x6B7684), rgb(0x4B5563)}
	shutters = []color.RGBA{rgb(0x6F8FA8), rgb(0x5F7F6E), rgb(0x8A3B32), rgb(0x7C8894), rgb(0x3F5E78), rgb(0x9A8F7A), rgb(0xFBFAF6)}
	awnings  = []color.RGBA{rgb(0xB23A48), rgb(0x2F6690), rgb(0x3A7D44), rgb(0xD98E04), rgb(0x5B4B8A)}
)

func (s scene) sky() {
	type sky struct{ above, below color.RGBA }
	chosen := pick(s.random,
		sky{rgb(0x7DB7E8), rgb(0xDDEFFA)}, sky{rgb(0x8FC1E3), rgb(0xF4EBDD)}, sky{rgb(0x6FA8DC), rgb(0xCFE8F7)}, sky{rgb(0xA7C7DC), rgb(0xFBE3CC)})
	s.gradient(chosen.above, chosen.below, 0, s.ground)
	s.ellipse(rgb(0xFFF3C9), s.between(120, 1080), s.between(80, 160), 46, 46)
	for range 2 + s.random.IntN(3) {
		x, y, size := s.between(60, 1140), s.between(60, 240), s.between(.6, 1.2)
		for _, puff := range []struct{ dx, dy, r float64 }{{-55, 8, 34}, {-15, -8, 46}, {35, 0, 40}, {75, 12, 26}} {
			s.ellipse(light(150), x+puff.dx*size, y+puff.dy*size, puff.r*size*1.3, puff.r*size*.7)
		}
	}
}

func (s scene) hills() {
	far, near := rgb(0xA9C4B4), rgb(0x93B78A)
	for range 3 {
		s.arc(far, s.between(0, Width), s.ground+20, s.between(300, 520), s.between(90, 210), piUp, piDown)
	}
	s.arc(near, s.between(0, Width), s.ground+30, s.between(480, 760), s.between(60, 120), piUp, piDown)
}

func (s scene) lawn() {
	s.gradient(grass, darker(grass, .18), s.ground, Height)
}

// street is a pavement and a road, with a row of distant roofs behind.
func (s scene) street() {
	for x := -40.0; x < Width; {
		w, h := s.between(90, 190), s.between(120, 330)
		s.rect(mix(rgb(0xC9CED3), rgb(0xB7BFC8), s.random.Float64()), x, s.ground-h, w, h)
		x += w
	}
	s.rect(rgb(0xCFCBC4), 0, s.ground, Width, 60)
	s.rect(rgb(0xB4B0A8), 0, s.ground+54, Width, 8)
	s.rect(rgb(0x6E7278), 0, s.ground+62, Width, Height-s.ground-62)
	for x := 20.0; x < Width; x += 150 {
		s.rect(rgb(0xE9E6DF), x, s.ground+112, 80, 8)
	}
}

func (s scene) tree(x, y, size float64) {
	s.ellipse(shadow(40), x, y, 70*size, 12*size)
	s.rect(trunk, x-7*size, y-110*size, 14*size, 112*size)
	leaf := pick(s.random, leaves...)
	if s.random.IntN(3) == 0 {
		for n := range 3 {
			top, half := y-(250-float64(n)*60)*size, (40+float64(n)*18)*size
			s.polygon(darker(leaf, .1*float64(2-n)), point{x, top}, point{x + half, top + 110*size}, point{x - half, top + 110*size})
		}
		return
	}
	s.ellipse(darker(leaf, .15), x-26*size, y-130*size, 52*size, 48*size)
	s.ellipse(leaf, x+28*size, y-140*size, 54*size, 52*size)
	s.ellipse(lighter(leaf, .1), x, y-180*size, 56*size, 54*size)
}

func (s scene) bush(x, y, size float64) {
	leaf := pick(s.random, leaves...)
	s.arc(darker(leaf, .12), x-24*size, y, 36*size, 38*size, piUp, piDown)
	s.arc(leaf, x+16*size, y, 44*size, 50*size, piUp, piDown)
}

// window draws a window with its frame, and shutters beside it.
func (s scene) window(x, y, w, h float64, shutter *color.RGBA) {
	s.rect(shadow(36), x-2, y+4, w+10, h+4)
	s.rect(frame, x-5, y-5, w+10, h+10)
	s.rect(glass, x, y, w, h)
	s.polygon(light(70), point{x, y}, point{x + w*.6, y}, point{x, y + h*.7})
	s.rect(frame, x+w/2-2.5, y, 5, h)
	s.rect(frame, x, y+h*.45, w, 4)
	if s.random.IntN(9) == 0 {
		s.rect(rgb(0xFFE9A8), x+4, y+4, w/2-8, h*.4)
	}
	if shutter == nil {
		return
	}
	for _, left := range []float64{x - 5 - w*.42, x + w + 5} {
		s.rect(*shutter, left, y-5, w*.42, h+10)
		for line := y + 4; line < y+h; line += 12 {
			s.rect(shadow(34), left+4, line, w*.42-8, 3)
		}
	}
	s.rect(darker(frame, .2), x-10, y+h+5, w+20, 7)
}

func (s scene) door(x, y, w, h float64) {
	wood := pick(s.random, rgb(0x6B4A35), rgb(0x2F4B5C), rgb(0x7B2D26), rgb(0x3D5A45), rgb(0x4A4E57))
	s.rect(frame, x-7, y-7, w+14, h+7)
	s.rect(wood, x, y, w, h)
	s.rect(glass, x+w*.18, y+h*.08, w*.64, h*.26)
	for _, dy := range []float64{.42, .7} {
		s.rect(darker(wood, .25), x+w*.16, y+h*dy, w*.68, h*.2)
	}
	s.ellipse(rgb(0xE2C56B), x+w*.86, y+h*.58, 5, 5)
}
