package drawing

import (
	"image/color"
	"math"
)

// The upper half of an ellipse lies between these angles.
const (
	piUp   = math.Pi
	piDown = 2 * math.Pi
)

// house draws a house, a villa or a chalet.
func (s scene) house() {
	storeys := float64(min(max(s.of.Storeys, 0), 2) + 1)
	w := s.between(520, 680)
	x := 600 - w/2 + s.between(-70, 70)
	h := 60 + 120*storeys
	top := s.ground - h + 30
	wall, roof, shutter := pick(s.random, walls...), pick(s.random, append(tiles, slates...)...), pick(s.random, shutters...)
	if s.of.Type == "Chalet" {
		wall, roof = rgb(0x9A6B45), rgb(0x6B4A38)
	}
	s.ellipse(shadow(40), x+w/2+30, s.ground+34, w*.6, 22)
	if s.of.Type == "Villa" {
		s.flatRoofed(x, top, w, h, wall, storeys)
		return
	}
	// The wing is lower than the main house.
	wing := s.random.IntN(2) == 0
	if wing {
		ww, wh := w*.36, h*.62
		wx := x + w - 6
		if s.random.IntN(2) == 0 {
			wx = x - ww + 6
		}
		s.rect(darker(wall, .07), wx, s.ground+30-wh, ww, wh)
		s.polygon(darker(roof, .1), point{wx - 18, s.ground + 32 - wh}, point{wx + ww*.2, s.ground - 40 - wh}, point{wx + ww*.8, s.ground - 40 - wh}, point{wx + ww + 18, s.ground + 32 - wh})
		s.window(wx+ww*.34, s.ground+30-wh*.66, ww*.3, wh*.42, nil)
	}
	s.rect(wall, x, top, w, h)
	if s.of.Type == "Chalet" {
		for y := top + 16; y < top+h; y += 18 {
			s.rect(shadow(28), x, y, w, 3)
		}
	}
	s.rect(darker(wall, .2), x, top+h-26, w, 26)
	peak := s.between(120, 170)
	if s.random.IntN(2) == 0 { // a chimney
		cx := x + w*s.between(.2, .75)
		s.rect(darker(wall, .15), cx, top-peak-6, 46, 110)
		s.rect(darker(roof, .2), cx-6, top-peak-16, 58, 14)
	}
	if s.of.Type == "Chalet" || s.random.IntN(3) == 0 { // the gable to the front
		s.polygon(wall, point{x, top + 1}, point{x + w/2, top - peak}, point{x + w, top + 1})
		s.polygon(roof, point{x - 46, top + 22}, point{x + w/2, top - peak - 26}, point{x + w/2, top - peak + 12}, point{x - 30, top + 44})
		s.polygon(darker(roof, .12), point{x + w + 46, top + 22}, point{x + w/2, top - peak - 26}, point{x + w/2, top - peak + 12}, point{x + w + 30, top + 44})
		s.window(x+w/2-34, top-peak*.45, 68, 64, nil)
	} else {
		s.polygon(roof, point{x - 34, top + 8}, point{x + w*.12, top - peak}, point{x + w*.88, top - peak}, point{x + w + 34, top + 8})
		for row := 1.0; row < 6; row++ {
			y := top + 8 - peak*row/6
			inset := w * .12 * row / 6
			s.rect(shadow(26), x-34+inset+row*5, y, w+68-2*inset-row*10, 3)
		}
		for n := range s.random.IntN(3) {
			s.window(x+w*(.28+.3*float64(n)), top-peak*.62, 54, 52, nil)
		}
	}
	s.frontOfHouse(x, top, w, h, storeys, shutter)
}

// frontOfHouse draws the windows, storey by storey, and the door.
func (s scene) frontOfHouse(x, top, w, h, storeys float64, shutter color.RGBA) {
	columns := pick(s.random, 3.0, 4)
	entrance := float64(s.random.IntN(int(columns)))
	for storey := 0.0; storey < storeys; storey++ {
		y := top + h - 26 - 120*(storey+1) + 22
		for column := 0.0; column < columns; column++ {
			cx := x + w*(column+.5)/columns
			if storey == 0 && column == entrance {
				s.door(cx-38, top+h-150, 76, 150)
				s.rect(rgb(0xBDB6AA), cx-60, top+h-6, 120, 12)
				continue
			}
			s.window(cx-34, y, 68, 82, &shutter)
			if storey > 0 && s.of.Balcony && column == 1 {
				s.railing(cx-80, y+44, 160, 46)
			}
		}
	}
}

// flatRoofed draws a villa of today.
func (s scene) flatRoofed(x, top, w, h float64, wall color.RGBA, storeys float64) {
	wall = lighter(wall, .5)
	upper := w * s.between(.5, .7)
	lower := top + h - 170
	s.rect(wall, x-40, lower, w+80, 170)
	s.rect(rgb(0x5B6068), x-56, lower-14, w+112, 18)
	s.rect(glass, x+w*.3, lower+30, w*.62, 130)
	for n := range 5 {
		s.rect(frame, x+w*(.3+.155*float64(n))-3, lower+30, 6, 130)
	}
	s.polygon(light(60), point{x + w*.3, lower + 30}, point{x + w*.62, lower + 30}, point{x + w*.4, lower + 160})
	s.door(x+20, lower+26, 84, 144)
	if storeys > 1 {
		ux, uh := x+w-upper+20, h-190
		s.rect(darker(wall, .06), ux, lower-14-uh, upper, uh)
		s.rect(rgb(0x5B6068), ux-16, lower-28-uh, upper+32, 16)
		s.window(ux+upper*.12, lower-uh+14, upper*.32, uh-60, nil)
		s.window(ux+upper*.56, lower-uh+14, upper*.32, uh-60, nil)
		s.railing(x-40, lower-62, w-upper+60, 48)
	}
	s.rect(pick(s.random, rgb(0x9A6B45), rgb(0x8C8F94), rgb(0xB08A62)), x-40, lower, 44, 170)
}

// railing draws that of a balcony.
func (s scene) railing(x, y, w, h float64) {
	iron := rgb(0x3C4149)
	s.rect(iron, x, y, w, 6)
	for bar := x + 4; bar < x+w; bar += 14 {
		s.rect(iron, bar, y, 3, h)
	}
	s.rect(rgb(0xC9C3B8), x-6, y+h-2, w+12, 10)
}

// garden draws what stands before and beside a house.
func (s scene) garden() {
	s.polygon(rgb(0xD8CDBA), point{560, s.ground + 36}, point{650, s.ground + 36}, point{760, Height}, point{450, Height})
	s.tree(s.between(60, 170), s.ground+s.between(30, 80), s.between(1.1, 1.6))
	s.tree(s.between(1030, 1140), s.ground+s.between(30, 80), s.between(1, 1.7))
	if s.of.Garden {
		for range 7 {
			s.bush(s.between(40, 1160), s.ground+s.between(60, 90), s.between(.7, 1.1))
		}
		for range 40 {
			s.ellipse(pick(s.random, rgb(0xE86A6A), rgb(0xF2C14E), rgb(0xF7F3EA), rgb(0xB983C9)), s.between(20, 430), s.between(s.ground+70, Height-10), 5, 5)
		}
	}
	if s.of.Pool {
		s.ellipse(rgb(0xE9E1D2), 960, s.ground+108, 200, 44)
		s.ellipse(rgb(0x4FB3C9), 960, s.ground+106, 178, 34)
		s.ellipse(light(70), 910, s.ground+98, 70, 8)
	}
}

// building draws a house of several flats, with a shop on the ground floor if
// there is one.
func (s scene) building(shop bool) {
	storeys := float64(min(max(s.of.Storeys, 2), 6))
	columns := float64(4 + s.random.IntN(3))
	w := columns*118 + 60
	floor := min(104, 360/storeys)
	ground := 132.0
	x := 600 - w/2 + s.between(-40, 40)
	top := s.ground + 14 - ground - storeys*floor
	wall, shutter := pick(s.random, walls...), pick(s.random, shutters...)
	modern := s.random.IntN(3) == 0 && s.of.Type != "Immeuble"
	s.rect(shadow(30), x+w, top+20, 26, s.ground+14-top-20)
	s.rect(wall, x, top, w, s.ground+14-top)
	if modern {
		s.rect(darker(wall, .3), x-8, top-12, w+16, 14)
	} else {
		s.mansard(x, top, w, columns)
	}
	for storey := 0.0; storey < storeys; storey++ {
		y := top + floor*storey
		s.rect(darker(wall, .1), x, y+floor-6, w, 6)
		for column := 0.0; column < columns; column++ {
			cx := x + 30 + 118*(column+.5)
			hangings := &shutter
			if modern || floor < 70 {
				hangings = nil
			}
			s.window(cx-25, y+floor*.2, 50, floor*.62, hangings)
			balcony := storey == 1 || modern && int(column+storey)%2 == 0
			if balcony && (s.of.Balcony || storey == 1) {
				s.railing(cx-52, y+floor*.52, 104, floor*.36)
			}
		}
	}
	if shop {
		s.shopFront(x, w, ground)
	} else {
		s.groundFloor(x, w, ground, columns, wall)
	}
	s.tree(s.between(30, 130), s.ground+40, s.between(1, 1.3))
	s.tree(s.between(1080, 1170), s.ground+40, s.between(.9, 1.3))
}

// mansard draws a steep roof with dormer windows.
func (s scene) mansard(x, top, w, columns float64) {
	roof := pick(s.random, append(slates, tiles[0])...)
	s.rect(frame, x-10, top-8, w+20, 12)
	s.polygon(roof, point{x - 6, top - 8}, point{x + 34, top - 92}, point{x + w - 34, top - 92}, point{x + w + 6, top - 8})
	s.rect(lighter(roof, .2), x+30, top-98, w-60, 8)
	for column := 0.0; column < columns; column++ {
		cx := x + 30 + 118*(column+.5)
		s.polygon(darker(roof, .25), point{cx - 36, top - 66}, point{cx, top - 92}, point{cx + 36, top - 66})
		s.window(cx-20, top-64, 40, 46, nil)
	}
	for range 2 {
		cx := x + s.between(50, w-90)
		s.rect(rgb(0xB98B6B), cx, top-138, 40, 46)
		s.rect(rgb(0x8E6A52), cx+4, top-150, 12, 14)
		s.rect(rgb(0x8E6A52), cx+24, top-150, 12, 14)
	}
}

// groundFloor draws the entrance to a house of flats.
func (s scene) groundFloor(x, w, h, columns float64, wall color.RGBA) {
	y := s.ground + 14 - h
	s.rect(darker(wall, .12), x, y, w, h)
	for line := y + 24; line < y+h; line += 26 {
		s.rect(shadow(20), x, line, w, 3)
	}
	entrance := float64(s.random.IntN(int(columns)))
	for column := 0.0; column < columns; column++ {
		cx := x + 30 + 118*(column+.5)
		if column == entrance {
			s.door(cx-34, y+22, 68, h-22)
			continue
		}
		s.window(cx-28, y+30, 56, 66, nil)
	}
}

// shopFront draws a shop under an awning.
func (s scene) shopFront(x, w, h float64) {
	y := s.ground + 14 - h
	stripe := pick(s.random, awnings...)
	s.rect(darker(stripe, .35), x, y, w, h)
	s.rect(glass, x+24, y+48, w*.6, h-70)
	s.polygon(light(60), point{x + 24, y + 48}, point{x + w*.4, y + 48}, point{x + 24, y + h - 40})
	for n := range 4 {
		s.rect(frame, x+24+w*.2*float64(n)-3, y+48, 6, h-70)
	}
	s.door(x+w*.72, y+44, 78, h-44)
	const parts = 16
	for n := range parts {
		fill := stripe
		if n%2 == 1 {
			fill = frame
		}
		left, width := x-14+(w+28)*float64(n)/parts, (w+28)/parts
		s.rect(fill, left, y+6, width, 40)
		s.arc(fill, left+width/2, y+46, width/2, 14, 0, math.Pi)
	}
}

// offices draws a building of glass.
func (s scene) offices() {
	storeys := float64(min(max(s.of.Storeys, 4), 7))
	w := s.between(560, 720)
	x, floor := 600-w/2, min(84.0, 520/storeys)
	top := s.ground + 14 - floor*storeys - 100
	pane := pick(s.random, rgb(0x8FB8CC), rgb(0x7FA7A0), rgb(0x9AA9C2))
	s.rect(rgb(0xE4E6E8), x-12, top-14, w+24, s.ground+28-top)
	for storey := 0.0; storey < storeys; storey++ {
		for n := range 12 {
			fill := mix(pane, rgb(0xE6F1F6), s.random.Float64()*.45)
			s.rect(fill, x+w*float64(n)/12+3, top+floor*storey+4, w/12-6, floor-12)
		}
	}
	s.rect(rgb(0x4C545E), x, s.ground-86, w, 100)
	s.rect(glass, x+w/2-120, s.ground-74, 240, 88)
	s.rect(frame, x+w/2-3, s.ground-74, 6, 88)
	s.tree(110, s.ground+40, 1.2)
	s.tree(1090, s.ground+40, 1.3)
}

// hall draws a warehouse.
func (s scene) hall() {
	metal := pick(s.random, rgb(0xC5CCD3), rgb(0xB9C7C1), rgb(0xD6CFC4))
	x, w, top := 160.0, 880.0, s.ground-250
	s.polygon(darker(metal, .3), point{x - 20, top}, point{x + w/2, top - 90}, point{x + w + 20, top})
	s.rect(metal, x, top, w, s.ground+14-top)
	for line := x + 12; line < x+w; line += 22 {
		s.rect(shadow(16), line, top, 4, s.ground+14-top)
	}
	for n := range 3 {
		s.shutterDoor(x+60+280*float64(n), s.ground-166, 200, 180)
	}
}

// garages draws a row of garages, or of parking spaces with their doors.
func (s scene) garages() {
	wall := pick(s.random, walls...)
	count := 3 + s.random.IntN(3)
	w := 1080 / float64(count)
	s.rect(wall, 60, s.ground-230, 1080, 244)
	s.rect(pick(s.random, tiles...), 40, s.ground-256, 1120, 32)
	for n := range count {
		s.shutterDoor(60+w*float64(n)+18, s.ground-180, w-36, 194)
	}
	s.tree(1130, s.ground+44, 1.1)
}

// shutterDoor draws a door that rolls up.
func (s scene) shutterDoor(x, y, w, h float64) {
	fill := pick(s.random, shutters...)
	s.rect(frame, x-8, y-8, w+16, h+8)
	s.rect(fill, x, y, w, h)
	for line := y + 18; line < y+h; line += 24 {
		s.rect(shadow(36), x, line, w, 4)
	}
	s.rect(rgb(0x3C4149), x+w/2-16, y+h-34, 32, 7)
}

// plot draws land without a building.
func (s scene) plot() {
	s.lawn()
	for row := range 6 {
		y := s.ground + 20 + float64(row)*26
		s.arc(light(22), s.between(200, 1000), y, s.between(160, 420), 8, 0, 2*math.Pi)
	}
	for n := range 5 {
		s.tree(s.between(40, 1160), s.ground+s.between(6, 24), s.between(.6, 1+.1*float64(n)))
	}
	for x := 30.0; x < Width; x += 90 {
		s.rect(rgb(0xA98B69), x, s.ground+70, 12, 80)
	}
	s.rect(rgb(0xB89A77), 0, s.ground+86, Width, 9)
	s.rect(rgb(0xB89A77), 0, s.ground+118, Width, 9)
	x := s.between(300, 850)
	s.rect(rgb(0xA98B69), x+64, s.ground+30, 12, 130)
	s.rect(rgb(0xFBFAF6), x, s.ground-50, 140, 90)
	s.rect(pick(s.random, awnings...), x+12, s.ground-38, 116, 30)
	s.rect(rgb(0xC9C3B8), x+12, s.ground+4, 80, 8)
	s.rect(rgb(0xC9C3B8), x+12, s.ground+20, 100, 8)
}

// barge draws a houseboat on a river.
func (s scene) barge() {
	s.gradient(rgb(0x6FA3B8), rgb(0x3F7288), s.ground, Height)
	for range 30 {
		s.rect(light(46), s.between(0, Width), s.between(s.ground+20, Height), s.between(30, 90), 3)
	}
	y := s.ground + 20
	s.rect(lighter(pick(s.random, walls...), .3), 330, y-130, 560, 110)
	s.rect(rgb(0x5B6068), 316, y-142, 590, 16)
	for n := range 6 {
		s.window(362+88*float64(n), y-104, 52, 52, nil)
	}
	s.polygon(pick(s.random, awnings...), point{150, y - 40}, point{1060, y - 40}, point{1000, y + 66}, point{220, y + 66})
	s.rect(frame, 150, y-44, 912, 10)
	s.bush(250, y-40, .7)
	s.bush(960, y-40, .8)
}
