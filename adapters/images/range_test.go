package images_test

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"runtime"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/images"
	"github.com/vitrine-crm/vitrine/core/port"
)

// A lossy WebP, and the image it was made of; both are of golang.org/x/image.
//
//go:embed testdata
var testdata embed.FS

func testFile(t testing.TB, name string) []byte {
	t.Helper()
	file, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestTheLimitedRangeIsWidened: ITU-R BT.601 has black at 16 and white at 235, colours between
// 16 and 240.
func TestTheLimitedRangeIsWidened(t *testing.T) {
	for _, c := range []struct{ y, cb, cr, wantY, wantCb, wantCr uint8 }{
		{16, 128, 128, 0, 128, 128},
		{235, 128, 128, 255, 128, 128},
		{0, 0, 255, 0, 0, 255},
		{255, 255, 0, 255, 255, 0},
		{126, 16, 240, 128, 0, 255},
		{17, 127, 129, 1, 127, 129},
		{234, 184, 72, 254, 192, 64},
	} {
		img := image.NewYCbCr(image.Rect(0, 0, 1, 1), image.YCbCrSubsampleRatio444)
		img.Y[0], img.Cb[0], img.Cr[0] = c.y, c.cb, c.cr
		images.Widen(img)
		if got := [3]uint8{img.Y[0], img.Cb[0], img.Cr[0]}; got != [3]uint8{c.wantY, c.wantCb, c.wantCr} {
			t.Errorf("%d, %d, %d became %d", c.y, c.cb, c.cr, got)
		}
	}
}

// TestCopiesOfALossyWebPAreNotWashedOut: what is made of it is as light and as dark as what it
// was made of, upright and turned.
func TestCopiesOfALossyWebPAreNotWashedOut(t *testing.T) {
	original, err := png.Decode(bytes.NewReader(testFile(t, "lossy.png")))
	if err != nil {
		t.Fatal(err)
	}
	file := testFile(t, "lossy.webp")
	i := images.New(images.Options{})
	made, err := i.Scale(t.Context(), bytes.NewReader(file), []int{original.Bounds().Dx()})
	if err != nil {
		t.Fatal(err)
	}
	b := original.Bounds()
	turned := clean(t, riff("WEBP", chunk("VP8X", vp8x(b.Dx(), b.Dy(), 8)), file[12:], chunk("EXIF", exif(3))))
	for name, content := range map[string][]byte{"scaled": made[0].Content, "turned": turned.Content} {
		got, err := jpeg.Decode(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		var sums [2]int
		darkest := [2]int{255, 255}
		for y := range b.Dy() {
			for x := range b.Dx() {
				for n, img := range []image.Image{original, got} {
					light := int(color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y)
					sums[n] += light
					darkest[n] = min(darkest[n], light)
				}
			}
		}
		pixels := b.Dx() * b.Dy()
		if off := (sums[1] - sums[0]) / pixels; off < -2 || off > 2 || darkest[1] > darkest[0]+12 {
			t.Errorf("%s: it is lighter by %d, and its darkest is %d instead of %d", name, off, darkest[1], darkest[0])
		}
	}
}

func riff(kind string, chunks ...[]byte) []byte {
	all := bytes.Join(chunks, nil)
	return append(append([]byte("RIFF"), byte(len(all)+4), byte((len(all)+4)>>8), byte((len(all)+4)>>16), 0), append([]byte(kind), all...)...)
}

func vp8x(w, h int, flags byte) []byte {
	return []byte{flags, 0, 0, 0, byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0}
}

// TestTheOrientationIsFoundWhereverItIs: behind chunks of any length, with and without what
// stands before it in a JPEG file, whatever the flags say.
func TestTheOrientationIsFoundWhereverItIs(t *testing.T) {
	lossy := testFile(t, "lossy.webp")
	stored, err := png.Decode(bytes.NewReader(testFile(t, "lossy.png")))
	if err != nil {
		t.Fatal(err)
	}
	film := pngOf(t, stored)
	b := stored.Bounds()
	files := map[string][]byte{}
	for length := range 4 {
		for _, before := range []string{"", "Exif\x00\x00"} {
			block := append([]byte(before), exif(6)...)
			for _, flags := range []byte{0, 8} {
				name := fmt.Sprintf("%d bytes before, %q, flags %d, a WebP with it ", length, before, flags)
				head, other := chunk("VP8X", vp8x(b.Dx(), b.Dy(), flags)), chunk("ODD ", make([]byte, length))
				files[name+"at the end"] = riff("WEBP", head, other, lossy[12:], other, chunk("EXIF", block))
				files[name+"in front"] = riff("WEBP", head, other, chunk("EXIF", block), lossy[12:])
			}
			files[fmt.Sprintf("%d bytes before, %q, a PNG", length, before)] = withChunk(withChunk(film, "eXIf", block), "odDd", make([]byte, length))
		}
	}
	for name, file := range files {
		facts, err := images.New(images.Options{}).Inspect(t.Context(), bytes.NewReader(file))
		if err != nil || facts.Width != b.Dy() || facts.Height != b.Dx() {
			t.Errorf("%s: %+v, %v, want %d × %d", name, facts, err, b.Dy(), b.Dx())
			continue
		}
		if made := clean(t, file); made.Width != b.Dy() || made.Height != b.Dx() || made.ContentType != "image/jpeg" {
			t.Errorf("%s: it became %+v", name, made.ImageFacts)
		}
	}
}

// TestAHEICIsKnown: so that its sender can be told what to send instead.
func TestAHEICIsKnown(t *testing.T) {
	for brand, want := range map[string]bool{
		"heic": true, "heix": true, "mif1": true, "msf1": true, "hevc": true, "avif": true, "isom": false, "mp42": false, "qt  ": false,
	} {
		file := append([]byte("\x00\x00\x00\x18ftyp"+brand), make([]byte, 100)...)
		_, err := images.New(images.Options{}).Inspect(t.Context(), bytes.NewReader(file))
		if !errors.Is(err, port.ErrUnsupportedImage) || errors.Is(err, port.ErrHEIC) != want {
			t.Errorf("%s: %v", brand, err)
		}
	}
}

// TestWhatDecodingTakesIsKnownBefore: of each kind of file, in bytes for each pixel.
func TestWhatDecodingTakesIsKnownBefore(t *testing.T) {
	const w, h = 800, 600
	grey, colour, deep := image.NewGray(image.Rect(0, 0, w, h)), image.NewRGBA(image.Rect(0, 0, w, h)), image.NewNRGBA64(image.Rect(0, 0, w, h))
	progressive := func(file []byte) []byte {
		file = bytes.Clone(file)
		file[bytes.Index(file, []byte{0xFF, 0xC0})+1] = 0xC2
		return file
	}
	for name, c := range map[string]struct {
		file     []byte
		perPixel int64
	}{
		"a grey JPEG":               {jpegOf(t, grey), 1},
		"a grey progressive JPEG":   {progressive(jpegOf(t, grey)), 5},
		"a JPEG":                    {jpegOf(t, colour), 2},
		"a progressive JPEG":        {progressive(jpegOf(t, colour)), 8},
		"a JPEG that is turned":     {annotated(t, colour, 6), 6},
		"a PNG":                     {pngOf(t, colour), 4},
		"a PNG of 16 bits a colour": {pngOf(t, deep), 8},
	} {
		cost, err := images.Cost(c.file)
		if got := (cost - 2*int64(len(c.file))) / (w * h); err != nil || got != c.perPixel {
			t.Errorf("%s: %d bytes a pixel, %v, want %d", name, got, err, c.perPixel)
		}
	}
}

// TestALargePictureIsMadeSmallerFirst: going over all of it with floating numbers would take
// several times what decoding does.
func TestALargePictureIsMadeSmallerFirst(t *testing.T) {
	const w, h = 4001, 3999
	file := jpegOf(t, corners(w, h))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	made, err := images.New(images.Options{}).Scale(t.Context(), bytes.NewReader(file), []int{320, 800})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 4*w*h {
		t.Errorf("%d bytes were allocated for %d pixels", took, w*h)
	}
	for n, width := range []int{320, 800} {
		got, err := jpeg.Decode(bytes.NewReader(made[n].Content))
		if err != nil || made[n].Width != width || made[n].Height != width {
			t.Fatalf("%+v, %v", made[n].ImageFacts, err)
		}
		for at, want := range map[image.Point]color.RGBA{
			{2, 2}: {254, 0, 0, 255}, {width - 3, 2}: {0, 0, 254, 255}, {width - 3, width - 3}: {0, 0, 254, 255}, {width/2 - 12, width/2 - 12}: {254, 0, 0, 255},
		} {
			r, g, b, _ := got.At(at.X, at.Y).RGBA()
			if off := max(diff(r, want.R), diff(g, want.G), diff(b, want.B)); off > 12 {
				t.Errorf("%d wide, at %v: %d %d %d", width, at, r>>8, g>>8, b>>8)
			}
		}
	}
}

func diff(is uint32, want uint8) int { return max(int(is>>8)-int(want), int(want)-int(is>>8)) }
