package drawing

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
)

// Room is what an interior is drawn of. Equal rooms have equal pictures.
type Room struct {
	// Type and Floor are codes of a room's type and sol.
	Type, Floor string
	Outside     Outside
	// Variant decides colours and furniture.
	Variant int
}

// Outside is what is seen through the window of a room.
type Outside string

// What can be seen.
const (
	Garden    Outside = "garden"
	Mountains Outside = "mountains"
	Town      Outside = "town"
	// Nothing is seen from rooms that are drawn without a window.
	Nothing Outside = ""
)

// NewRoom describes a room by the codes of its type, sol and vue.
func NewRoom(roomType, floor, view string, variant int) Room {
	r := Room{Type: roomType, Floor: floor, Outside: Garden, Variant: variant}
	switch view {
	case "MONTAGNE":
		r.Outside = Mountains
	case "RUE", "VILLE", "COUR":
		r.Outside = Town
	}
	if roomType == "SDB" || roomType == "SDE" {
		r.Outside = Nothing
	}
	return r
}

// interior is a room in the making.
type interior struct {
	*canvas
	of     Room
	random *rand.Rand
	wall   color.RGBA
	// floor is where it begins, from the top.
	floor float64
}

// Interior draws a room, as a JPEG.
func Interior(r Room) []byte {
	i := interior{
		canvas: newCanvas(), of: r, random: seeded(fmt.Sprint(r)), floor: 560,
	}
	i.wall = pick(i.random, rgb(0xF3EEE6), rgb(0xE8EEF0), rgb(0xEFE6DA), rgb(0xE6ECE2), rgb(0xF4E9E4), rgb(0xE4E4EC))
	switch r.Type {
	case "TERRASSE", "BALCON":
		i.terrace()
	case "CHAMBRE":
		i.shell()
		i.window(760, 150, 300, 300)
		i.bedroom()
	case "CUISINE":
		i.shell()
		i.window(470, 130, 260, 190)
		i.kitchen()
	case "SDB", "SDE":
		i.shell()
		i.bathroom()
	case "BUREAU":
		i.shell()
		i.window(150, 140, 300, 300)
		i.study()
	default:
		i.shell()
		i.window(430, 110, 340, 370)
		i.livingRoom()
	}
	return i.jpeg()
}

// shell draws walls and floor.
func (i interior) shell() {
	i.gradient(lighter(i.wall, .35), i.wall, 0, i.floor)
	i.polygon(darker(i.wall, .06), point{0, 0}, point{110, 60}, point{110, i.floor}, point{0, 680})
	i.polygon(darker(i.wall, .1), point{Width, 0}, point{1090, 60}, point{1090, i.floor}, point{Width, 680})
	i.polygon(rgb(0xFCFBF8), point{0, 0}, point{Width, 0}, point{1090, 60}, point{110, 60})
	i.flooring()
	i.rect(frame, 110, i.floor-16, 980, 16)
}

// flooring draws boards or tiles, which grow towards the front.
func (i interior) flooring() {
	var fill color.RGBA
	tiled := false
	switch i.of.Floor {
	case "CARRELAGE":
		fill, tiled = pick(i.random, rgb(0xD9D4CB), rgb(0xC9CCCB), rgb(0xE3DACB)), true
	case "TOMETTES":
		fill, tiled = rgb(0xB8664A), true
	case "BETON", "LINO":
		i.gradient(rgb(0xBDBDB9), rgb(0xA3A39F), i.floor, Height)
		return
	case "MOQUETTE":
		carpet := pick(i.random, rgb(0x9CA6B0), rgb(0xB7A999), rgb(0x8FA08F))
		i.gradient(carpet, darker(carpet, .15), i.floor, Height)
		return
	case "STRATIFIE":
		fill = rgb(0xB79C7C)
	default:
		fill = pick(i.random, rgb(0xC79A6B), rgb(0xB9854F), rgb(0xD3AE82))
	}
	i.gradient(darker(fill, .08), fill, i.floor, Height)
	line := darker(fill, .22)
	for n := -14; n <= 14; n++ {
		near, far := 600+float64(n)*150, 600+float64(n)*74
		i.polygon(line, point{far, i.floor}, point{far + 2, i.floor}, point{near + 4, Height}, point{near, Height})
	}
	if tiled {
		for y, step := i.floor, 14.0; y < Height; y, step = y+step, step*1.35 {
			i.rect(line, 0, y, Width, 3)
		}
	}
}

// window draws a window with what lies outside, and curtains.
func (i interior) window(x, y, w, h float64) {
	i.rect(frame, x-14, y-14, w+28, h+28)
	i.view(x, y, w, h)
	i.rect(frame, x+w/2-5, y, 10, h)
	i.rect(frame, x, y+h*.4, w, 8)
	curtain := pick(i.random, rgb(0xD8C9B8), rgb(0xB8C4BC), rgb(0xC7B7C4), rgb(0xB9C3D2), rgb(0xE6D3B8))
	i.rect(rgb(0x6B5B4B), x-80, y-38, w+160, 8)
	for _, left := range []float64{x - 70, x + w + 10} {
		i.rect(curtain, left, y-32, 60, h+110)
		for fold := left + 12; fold < left+60; fold += 16 {
			i.rect(shadow(22), fold, y-32, 4, h+110)
		}
	}
}

// view draws what is seen through a window.
func (i interior) view(x, y, w, h float64) {
	i.rect(rgb(0xBFE0F2), x, y, w, h)
	i.ellipse(light(160), x+w*.3, y+h*.2, w*.14, h*.05)
	i.ellipse(light(160), x+w*.68, y+h*.14, w*.12, h*.04)
	switch i.of.Outside {
	case Mountains:
		i.polygon(rgb(0x8A9BB0), point{x, y + h}, point{x, y + h*.66}, point{x + w*.3, y + h*.3}, point{x + w*.56, y + h*.7}, point{x + w*.76, y + h*.42}, point{x + w, y + h*.68}, point{x + w, y + h})
		i.polygon(rgb(0xF5F8FA), point{x + w*.22, y + h*.41}, point{x + w*.3, y + h*.3}, point{x + w*.38, y + h*.42})
		i.rect(rgb(0x7FA66B), x, y+h*.84, w, h*.16)
	case Town:
		for n := range 5 {
			top := y + h*(.4+.3*i.random.Float64())
			i.rect(pick(i.random, walls...), x+w*float64(n)/5, top, w/5, y+h-top)
			i.rect(glass, x+w*float64(n)/5+w*.06, top+h*.06, w*.08, h*.1)
		}
	default:
		i.rect(rgb(0x8DB772), x, y+h*.7, w, h*.3)
		i.ellipse(leaves[0], x+w*.2, y+h*.66, w*.2, h*.18)
		i.ellipse(leaves[2], x+w*.74, y+h*.62, w*.22, h*.22)
	}
}

func (i interior) picture(x, y, w, h float64) {
	i.rect(shadow(40), x+6, y+8, w, h)
	i.rect(pick(i.random, rgb(0x3C4149), rgb(0xB08A62), frame), x, y, w, h)
	i.rect(lighter(i.wall, .6), x+8, y+8, w-16, h-16)
	i.ellipse(pick(i.random, awnings...), x+w*.4, y+h*.45, w*.2, h*.2)
	i.ellipse(pick(i.random, leaves...), x+w*.6, y+h*.6, w*.16, h*.18)
}

func (i interior) plant(x, y, size float64) {
	leaf := pick(i.random, leaves...)
	for _, lean := range []float64{-46, -24, 0, 24, 46} {
		i.polygon(darker(leaf, i.random.Float64()*.2), point{x - 7*size, y - 50*size}, point{x + lean*size, y - 190*size + math.Abs(lean)*size}, point{x + (lean+26)*size, y - 150*size + math.Abs(lean)*size}, point{x + 7*size, y - 50*size})
	}
	i.polygon(pick(i.random, rgb(0xC97B5A), frame, rgb(0x6E7278)), point{x - 34*size, y - 64*size}, point{x + 34*size, y - 64*size}, point{x + 24*size, y}, point{x - 24*size, y})
}

func (i interior) livingRoom() {
	fabric := pick(i.random, rgb(0x6B8E9E), rgb(0xB57F6A), rgb(0x8A9A7B), rgb(0x9A8FA8), rgb(0xC7B299), rgb(0x596A7C))
	rug := pick(i.random, rgb(0xE7DDCB), rgb(0xC9D4CF), rgb(0xD9BFAE))
	i.ellipse(rug, 620, 720, 430, 66)
	i.ellipse(darker(rug, .1), 620, 720, 330, 46)
	left := 150 + i.random.Float64()*60
	i.rect(fabric, left, 500, 460, 120)
	i.rect(darker(fabric, .1), left-34, 540, 52, 130)
	i.rect(darker(fabric, .1), left+442, 540, 52, 130)
	i.rect(lighter(fabric, .12), left+18, 596, 212, 52)
	i.rect(lighter(fabric, .12), left+232, 596, 210, 52)
	i.rect(darker(fabric, .2), left-20, 648, 500, 30)
	for n := range 2 {
		i.rect(pick(i.random, awnings...), left+40+300*float64(n), 540, 74, 66)
	}
	i.rect(rgb(0x8A6A4B), 620, 690, 250, 18)
	i.rect(rgb(0x6B4F37), 640, 708, 14, 62)
	i.rect(rgb(0x6B4F37), 836, 708, 14, 62)
	i.picture(170, 190, 170, 130)
	i.rect(rgb(0x6B4F37), 890, 520, 190, 90)
	i.rect(rgb(0x22272E), 885, 380, 200, 124)
	i.rect(lighter(rgb(0x22272E), .12), 893, 388, 184, 108)
	i.plant(1130, 690, 1.1)
	i.rect(rgb(0x3C4149), 92, 330, 6, 340)
	i.polygon(rgb(0xF6E3B4), point{62, 330}, point{82, 260}, point{110, 260}, point{130, 330})
}

func (i interior) bedroom() {
	cover := pick(i.random, rgb(0xB9C7D2), rgb(0xD8B9A8), rgb(0xB7C4AE), rgb(0xC9BBD0), rgb(0xE2CFA8))
	wood := pick(i.random, rgb(0x8A6A4B), rgb(0xB08A62), frame)
	i.rect(wood, 200, 360, 440, 200)
	i.rect(frame, 180, 520, 480, 150)
	i.polygon(cover, point{180, 560}, point{660, 560}, point{730, 720}, point{110, 720})
	i.rect(darker(cover, .16), 110, 720, 620, 40)
	i.polygon(lighter(cover, .35), point{180, 560}, point{660, 560}, point{676, 600}, point{164, 600})
	for n := range 2 {
		i.ellipse(rgb(0xFBFAF6), 310+220*float64(n), 530, 98, 38)
		i.ellipse(shadow(16), 310+220*float64(n), 542, 80, 20)
	}
	for _, x := range []float64{100, 690} {
		i.rect(wood, x, 540, 84, 104)
		i.polygon(rgb(0xF6E3B4), point{x + 14, 500}, point{x + 28, 450}, point{x + 56, 450}, point{x + 70, 500})
		i.rect(rgb(0x3C4149), x+39, 500, 6, 40)
	}
	i.picture(340, 190, 160, 120)
	i.plant(1120, 700, 1)
}

func (i interior) kitchen() {
	front := pick(i.random, rgb(0xF4F1EA), rgb(0x6F8FA8), rgb(0x7D9480), rgb(0xB9B2A6), rgb(0x4C5863))
	top := pick(i.random, rgb(0xB08A62), rgb(0x4B4F55), rgb(0xE6E2DA))
	for n := range 3 {
		i.rect(front, 150+100*float64(n), 110, 94, 170)
		i.rect(shadow(60), 150+100*float64(n)+76, 240, 8, 26)
	}
	i.rect(rgb(0xB8BEC4), 800, 110, 210, 40)
	i.polygon(rgb(0xCBD0D5), point{830, 150}, point{980, 150}, point{1010, 230}, point{800, 230})
	i.rect(lighter(i.wall, .5), 120, 320, 960, 90)
	for x := 140.0; x < 1080; x += 60 {
		i.rect(shadow(18), x, 320, 3, 90)
	}
	i.rect(top, 110, 410, 980, 26)
	for n := range 7 {
		x := 114 + 140*float64(n)
		i.rect(darker(front, .05), x, 436, 134, 190)
		i.rect(shadow(70), x+30, 454, 74, 8)
	}
	i.rect(rgb(0x2B3036), 820, 404, 170, 10)
	i.rect(rgb(0x3A3F46), 816, 470, 178, 130)
	i.rect(rgb(0x6B7178), 832, 486, 146, 70)
	i.rect(rgb(0xC9CED3), 540, 404, 140, 10)
	i.rect(rgb(0x9AA1A8), 604, 350, 8, 56)
	i.rect(rgb(0x9AA1A8), 604, 350, 50, 8)
	i.rect(rgb(0xE3B23C), 170, 384, 40, 28)
	i.ellipse(rgb(0xC84B31), 330, 398, 16, 14)
	i.ellipse(rgb(0xE08E45), 356, 398, 16, 14)
	i.rect(darker(front, .3), 114, 626, 974, 20)
}

func (i interior) bathroom() {
	tile := pick(i.random, rgb(0x9FC3CC), rgb(0xC4D4C0), rgb(0xE0D6C4), rgb(0xA9B7C8), rgb(0xD6B9AE))
	i.rect(tile, 110, 240, 980, 320)
	for x := 110.0; x < 1090; x += 70 {
		i.rect(light(90), x, 240, 3, 320)
	}
	for y := 240.0; y < 560; y += 54 {
		i.rect(light(90), 110, y, 980, 3)
	}
	if i.of.Type == "SDE" {
		i.rect(rgb(0xE6EAEC), 130, 620, 330, 34)
		i.rect(light(70), 150, 120, 300, 500)
		i.rect(frame, 446, 120, 8, 510)
		i.rect(rgb(0x9AA1A8), 200, 150, 8, 300)
		i.ellipse(rgb(0x9AA1A8), 236, 152, 54, 12)
	} else {
		i.rect(rgb(0xFCFCFA), 120, 520, 520, 40)
		i.polygon(rgb(0xF1F2F1), point{140, 560}, point{620, 560}, point{580, 690}, point{180, 690})
		i.rect(rgb(0x9AA1A8), 190, 440, 8, 84)
		i.rect(rgb(0x9AA1A8), 190, 440, 60, 8)
	}
	wood := pick(i.random, rgb(0xB08A62), rgb(0x8A6A4B), rgb(0x596A7C), frame)
	i.rect(wood, 720, 500, 340, 160)
	i.rect(shadow(60), 886, 510, 4, 140)
	i.rect(rgb(0xFCFCFA), 706, 480, 368, 26)
	i.ellipse(rgb(0xE8EDEF), 890, 482, 110, 16)
	i.rect(rgb(0x9AA1A8), 886, 420, 8, 60)
	i.rect(frame, 752, 130, 276, 250)
	i.rect(rgb(0xCFE3EA), 764, 142, 252, 226)
	i.polygon(light(110), point{764, 142}, point{900, 142}, point{764, 330})
	i.rect(pick(i.random, awnings...), 1090, 380, 70, 150)
	i.plant(1010, 482, .6)
}

func (i interior) study() {
	wood := pick(i.random, rgb(0xB08A62), rgb(0x8A6A4B), frame)
	i.rect(wood, 480, 470, 480, 24)
	i.rect(darker(wood, .15), 500, 494, 20, 190)
	i.rect(darker(wood, .15), 800, 494, 140, 190)
	for n := range 3 {
		i.rect(shadow(50), 840, 520+56*float64(n), 60, 8)
	}
	i.rect(rgb(0x22272E), 600, 330, 230, 130)
	i.rect(rgb(0x8FB8CC), 610, 340, 210, 110)
	i.rect(rgb(0x3C4149), 706, 460, 18, 12)
	i.rect(darker(wood, .1), 990, 150, 12, 420)
	for shelf := range 4 {
		y := 240 + 90*float64(shelf)
		i.rect(wood, 980, y, 200, 12)
		for x := 990.0; x < 1165; {
			w, h := 12+i.random.Float64()*14, 44+i.random.Float64()*30
			i.rect(pick(i.random, awnings...), x, y-h, w, h)
			x += w + 2
		}
	}
	chair := pick(i.random, awnings...)
	i.rect(chair, 640, 560, 140, 110)
	i.rect(darker(chair, .2), 630, 660, 160, 26)
	i.rect(rgb(0x3C4149), 704, 686, 12, 70)
	i.plant(90, 700, 1.2)
}

// terrace draws a terrace or a balcony, with the view from there.
func (i interior) terrace() {
	i.floor = 600
	i.gradient(rgb(0x8FC1E3), rgb(0xE4F1F8), 0, i.floor)
	i.view(0, 60, Width, i.floor-60)
	i.flooring()
	iron := rgb(0x3C4149)
	i.rect(iron, 0, 400, Width, 12)
	for x := 8.0; x < Width; x += 30 {
		i.rect(iron, x, 400, 5, 210)
	}
	i.rect(iron, 0, 600, Width, 10)
	i.ellipse(rgb(0xC9B79E), 620, 590, 170, 30)
	i.rect(rgb(0x6B5B4B), 612, 600, 16, 130)
	cushion := pick(i.random, awnings...)
	for _, x := range []float64{340, 800} {
		i.rect(rgb(0x8A6A4B), x, 500, 20, 220)
		i.rect(rgb(0x8A6A4B), x+100, 620, 16, 110)
		i.rect(cushion, x, 596, 120, 36)
		i.rect(darker(cushion, .1), x+6, 500, 26, 100)
	}
	i.plant(120, 720, 1.4)
	i.plant(1090, 720, 1.3)
	if i.random.IntN(2) == 0 {
		i.rect(rgb(0xEDE7DB), 612, 180, 10, 420)
		i.polygon(cushion, point{617, 110}, point{860, 210}, point{374, 210})
	}
}
