package images

import (
	"image"
	"io"

	"golang.org/x/image/webp"
)

// decodeWebP decodes a file. In a lossy one black is 16 and white 235, as in a film; the
// decoder leaves that as it is, and everybody else takes 0 and 255 for them.
func decodeWebP(r io.Reader) (image.Image, error) {
	decoded, err := webp.Decode(r)
	if err != nil {
		return nil, err
	}
	switch lossy := decoded.(type) {
	case *image.YCbCr:
		widen(lossy)
	case *image.NYCbCrA:
		widen(&lossy.YCbCr)
	}
	return decoded, nil
}

// widen turns the limited range of ITU-R BT.601 into the full one of JPEG.
func widen(img *image.YCbCr) {
	var light, colour [256]uint8
	for n := range 256 {
		light[n] = spread(n-16, 219, 0)
		colour[n] = spread(n-128, 224, 128)
	}
	for plane, table := range map[*[]uint8]*[256]uint8{&img.Y: &light, &img.Cb: &colour, &img.Cr: &colour} {
		for i, n := range *plane {
			(*plane)[i] = table[n]
		}
	}
}

// spread is n of so many steps as one of 255, from a middle, rounded.
func spread(n, steps, middle int) uint8 {
	half := steps
	if n < 0 {
		half = -steps
	}
	return uint8(min(max(middle+(2*n*255+half)/(2*steps), 0), 255))
}

// shrunk returns an image of which each pixel is the mean of a square, and which is less than twice
// as wide as what is to be made of it: to scale it takes a small part of the time and memory
// then. Only what JPEG and lossy WebP decode to is made smaller.
func shrunk(src image.Image, width int) image.Image {
	from, ok := src.(*image.YCbCr)
	by := src.Bounds().Dx() / width
	if !ok || by < 2 {
		return src
	}
	b := from.Bounds()
	out := image.NewYCbCr(image.Rect(0, 0, max(1, b.Dx()/by), max(1, b.Dy()/by)), from.SubsampleRatio)
	mean(out.Y, out.YStride, from.Y, from.YStride, by)
	mean(out.Cb, out.CStride, from.Cb, from.CStride, by)
	mean(out.Cr, out.CStride, from.Cr, from.CStride, by)
	return out
}

// mean fills a plane with the means of squares of another one.
func mean(to []uint8, toStride int, from []uint8, fromStride, by int) {
	for at := range to {
		top, left := at/toStride*by, at%toStride*by
		sum, n := 0, 0
		for y := top; y < top+by && y*fromStride+left < len(from); y++ {
			row := from[y*fromStride+left : min(y*fromStride+min(left+by, fromStride), len(from))]
			for _, sample := range row {
				sum += int(sample)
			}
			n += len(row)
		}
		if n > 0 {
			to[at] = uint8((sum + n/2) / n)
		}
	}
}
