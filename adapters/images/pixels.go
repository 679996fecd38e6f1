package images

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/image/draw"

	"github.com/vitrine-crm/vitrine/core/port"
)

// The quality of JPEGs that are made.
const (
	turnedQuality = 92
	scaledQuality = 82
)

// upright turns an image as its orientation demands, what is transparent on
// white.
func upright(src image.Image, orientation int) image.Image {
	from, ok := src.(image.RGBA64Image)
	if !ok {
		return src // no decoder makes such an image
	}
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	turned := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		turned = image.Rect(0, 0, h, w)
	}
	out := image.NewRGBA(turned)
	for y := range turned.Dy() {
		for x := range turned.Dx() {
			sx, sy := source(x, y, w, h, orientation)
			c := from.RGBA64At(b.Min.X+sx, b.Min.Y+sy)
			white := 0xFFFF - c.A
			out.SetRGBA(x, y, color.RGBA{uint8((c.R + white) >> 8), uint8((c.G + white) >> 8), uint8((c.B + white) >> 8), 0xFF})
		}
	}
	return out
}

// source returns where the pixel at x, y of an upright image lies in the w × h image
// it was made of.
func source(x, y, w, h, orientation int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	case 8:
		return w - 1 - y, x
	}
	return x, y
}

// scaled returns an image of another width, what is transparent on white.
func scaled(src image.Image, width int) image.Image {
	b := src.Bounds()
	height := max(1, (b.Dy()*width+b.Dx()/2)/b.Dx())
	src = shrunk(src, width)
	b = src.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, out.Bounds(), src, b, draw.Over, nil)
	return out
}

// encode makes a JPEG. A profile for anything but RGB would be wrong about it,
// and is left out.
func encode(img image.Image, quality int, profile []byte) (port.Image, error) {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: quality}); err != nil {
		return port.Image{}, err
	}
	content := out.Bytes()
	if len(profile) >= 128 && string(profile[16:20]) == "RGB " {
		content = withProfile(content, profile)
	}
	return port.Image{
		ImageFacts: port.ImageFacts{ContentType: "image/jpeg", Width: img.Bounds().Dx(), Height: img.Bounds().Dy()}, Content: content,
	}, nil
}
