package images_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"runtime"
	"testing"

	"golang.org/x/image/webp"

	"github.com/vitrine-crm/vitrine/adapters/images"
	"github.com/vitrine-crm/vitrine/core/port"
)

// corners is an image that is red at its top left, and blue elsewhere.
func corners(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{B: 0xFF, A: 0xFF}
			if x < w/2 && y < h/2 {
				c = color.RGBA{R: 0xFF, A: 0xFF}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func jpegOf(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// exif is a block with an orientation and a place: IFD0 with Orientation and a
// pointer to a GPS IFD with its version.
func exif(orientation uint16) []byte {
	le := binary.LittleEndian
	b := []byte("II*\x00\x08\x00\x00\x00")
	b = le.AppendUint16(b, 2)
	entry := func(tag, kind uint16, count, value uint32) {
		b = le.AppendUint32(le.AppendUint32(le.AppendUint16(le.AppendUint16(b, tag), kind), count), value)
	}
	entry(0x0112, 3, 1, uint32(orientation))
	entry(0x8825, 4, 1, 38)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint16(b, 1)
	entry(0x0000, 1, 4, 0x00000302)
	return append(le.AppendUint32(b, 0), "GPS-SECRET"...)
}

func segment(marker byte, payload []byte) []byte {
	out := binary.BigEndian.AppendUint16([]byte{0xFF, marker}, uint16(len(payload)+2))
	return append(out, payload...)
}

// icc is what passes for a profile, longer than one segment can hold.
func icc() []byte { return smallICC(20_000) }

func smallICC(words int) []byte {
	profile := bytes.Repeat([]byte("profile "), words)
	copy(profile[16:], "RGB ")
	return profile
}

// annotated is a JPEG with everything a camera and a phone put into one.
func annotated(t testing.TB, img image.Image, orientation uint16) []byte {
	t.Helper()
	return annotatedWith(t, img, orientation, icc())
}

func annotatedWith(t testing.TB, img image.Image, orientation uint16, profile []byte) []byte {
	t.Helper()
	plain := jpegOf(t, img)
	out := bytes.Clone(plain[:2])
	out = append(out, segment(0xE0, append([]byte("JFIF\x00\x01\x02\x01\x00\x48\x00\x48\x01\x01"), "THU"...))...)
	out = append(out, segment(0xE1, append([]byte("Exif\x00\x00"), exif(orientation)...))...)
	out = append(out, segment(0xE1, []byte("http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta>XMP-SECRET</x:xmpmeta>"))...)
	third := (len(profile) + 2) / 3
	for n := range 3 {
		part := profile[n*third : min((n+1)*third, len(profile))]
		out = append(out, segment(0xE2, append([]byte{'I', 'C', 'C', '_', 'P', 'R', 'O', 'F', 'I', 'L', 'E', 0, byte(n + 1), 3}, part...))...)
	}
	out = append(out, segment(0xE2, []byte("MPF\x00MPF-SECRET"))...)
	out = append(out, segment(0xED, []byte("Photoshop 3.0\x00IPTC-SECRET"))...)
	out = append(out, segment(0xEB, []byte("APP11-SECRET"))...)
	out = append(out, segment(0xFE, []byte("COMMENT-SECRET"))...)
	out = append(out, plain[2:]...)
	return append(out, "FILM-SECRET"...)
}

func clean(t testing.TB, file []byte) port.Image {
	t.Helper()
	made, err := images.New(images.Options{}).Clean(t.Context(), bytes.NewReader(file), 50_000_000)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestNothingIsLeftOfWhereAndHow(t *testing.T) {
	for orientation := range uint16(9) {
		file := annotated(t, corners(64, 32), orientation)
		made := clean(t, file)
		for _, secret := range []string{"SECRET", "Exif", "xmp", "THU", "Photoshop", "MPF"} {
			if bytes.Contains(made.Content, []byte(secret)) {
				t.Errorf("orientation %d: %q is left", orientation, secret)
			}
		}
		if !bytes.Contains(made.Content, []byte("ICC_PROFILE\x00\x01\x03")) || !bytes.Contains(made.Content, icc()[:50_000]) {
			t.Errorf("orientation %d: the colour profile is gone", orientation)
		}
	}
}

func TestPixelsThatStandUprightAreLeftAsTheyAre(t *testing.T) {
	file := annotated(t, corners(64, 32), 1)
	made := clean(t, file)
	before, _ := jpeg.Decode(bytes.NewReader(file))
	after, err := jpeg.Decode(bytes.NewReader(made.Content))
	if err != nil || !bytes.Equal(before.(*image.YCbCr).Y, after.(*image.YCbCr).Y) || !bytes.Equal(before.(*image.YCbCr).Cb, after.(*image.YCbCr).Cb) {
		t.Errorf("the pixels differ (%v)", err)
	}
	if again := clean(t, made.Content); !bytes.Equal(again.Content, made.Content) {
		t.Error("cleaning twice is not cleaning once")
	}
}

// The red corner of an image turned by each of the eight orientations is at the
// top left again.
func TestOrientationsAreApplied(t *testing.T) {
	const w, h = 64, 32 // upright
	for orientation := uint16(1); orientation <= 8; orientation++ {
		lying := image.NewRGBA(image.Rect(0, 0, w, h))
		if orientation >= 5 {
			lying = image.NewRGBA(image.Rect(0, 0, h, w))
		}
		for y := range h {
			for x := range w {
				// Where a camera held this way puts the pixel, as EXIF defines it.
				to := map[uint16]image.Point{
					1: {x, y}, 2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y},
					5: {y, x}, 6: {y, w - 1 - x}, 7: {h - 1 - y, w - 1 - x}, 8: {h - 1 - y, x},
				}[orientation]
				lying.Set(to.X, to.Y, corners(w, h).At(x, y))
			}
		}
		for name, file := range map[string][]byte{
			"jpeg": annotated(t, lying, orientation),
			"png":  withChunk(pngOf(t, lying), "eXIf", exif(orientation)),
		} {
			facts, err := images.New(images.Options{}).Inspect(t.Context(), bytes.NewReader(file))
			if err != nil || facts.Width != w || facts.Height != h {
				t.Errorf("%s, orientation %d: %+v (%v)", name, orientation, facts, err)
			}
			made := clean(t, file)
			got, _, err := image.Decode(bytes.NewReader(made.Content))
			if err != nil || got.Bounds().Dx() != w || got.Bounds().Dy() != h {
				t.Fatalf("%s, orientation %d: %v (%v)", name, orientation, got.Bounds(), err)
			}
			for _, p := range []image.Point{{8, 8}, {w - 8, 8}, {8, h - 8}, {w - 8, h - 8}} {
				r, _, b, _ := got.At(p.X, p.Y).RGBA()
				if red := p == (image.Point{8, 8}); (r > b) != red {
					t.Errorf("%s, orientation %d: at %v is red %d, blue %d", name, orientation, p, r>>8, b>>8)
				}
			}
		}
	}
}

// withChunk puts a chunk behind the header of a PNG.
func withChunk(file []byte, kind string, payload []byte) []byte {
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), kind...)
	chunk = append(chunk, payload...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return append(append(bytes.Clone(file[:33]), chunk...), file[33:]...)
}

func TestPNGsLoseTheirTexts(t *testing.T) {
	plain := pngOf(t, corners(40, 20))
	file := plain
	for _, kind := range []string{"tEXt", "zTXt", "iTXt", "eXIf", "tIME", "acTL", "prVt"} {
		file = withChunk(file, kind, []byte("SECRET"))
	}
	file = withChunk(file, "pHYs", []byte{0, 0, 0, 1, 0, 0, 0, 1, 1})
	made := clean(t, append(file, "TRAILER-SECRET"...))
	if bytes.Contains(made.Content, []byte("SECRET")) || !bytes.Contains(made.Content, []byte("pHYs")) || made.ContentType != "image/png" {
		t.Errorf("%q", made.Content)
	}
	if _, err := png.Decode(bytes.NewReader(made.Content)); err != nil {
		t.Error(err)
	}
}

// lossless is a WebP of one green pixel and its alpha, 1 × 1.
var lossless = []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")

func chunk(name string, payload []byte) []byte {
	out := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(payload))), payload...)
	if len(payload)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

// extended is a WebP with everything around its image.
func extended(image, profile []byte) []byte {
	body := []byte("WEBP")
	body = append(body, chunk("VP8X", []byte{0x3C, 0, 0, 0, 0, 0, 0, 0, 0, 0})...)
	body = append(body, chunk("ICCP", profile)...)
	body = append(body, chunk("odd ", []byte("SECRET!"))...)
	body = append(body, image...)
	body = append(body, chunk("EXIF", append(exif(1), "SECRET"...))...)
	body = append(body, chunk("XMP ", []byte("SECRET"))...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func TestWebPsLoseTheirTexts(t *testing.T) {
	if _, err := webp.Decode(bytes.NewReader(lossless)); err != nil {
		t.Fatal(err)
	}
	file := extended(lossless[12:], icc())
	file[20] = 0x2C // no alpha beside a lossless image
	made := clean(t, file)
	if bytes.Contains(made.Content, []byte("SECRET")) || bytes.Contains(made.Content, []byte("EXIF")) || !bytes.Contains(made.Content, []byte("profile")) {
		t.Errorf("%.100q", made.Content)
	}
	if made.Content[20] != 0x20 || int(binary.LittleEndian.Uint32(made.Content[4:])) != len(made.Content)-8 {
		t.Errorf("the header says %x", made.Content[:30])
	}
	if made := clean(t, lossless); !bytes.Equal(made.Content, lossless) {
		t.Errorf("a plain file became %x", made.Content)
	}
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	good, film := jpegOf(t, corners(64, 64)), pngOf(t, corners(64, 64))
	scans := bytes.Clone(good[:len(good)-2])
	start := bytes.Index(scans, []byte{0xFF, 0xDA})
	for range 100 {
		scans = append(scans, good[start:len(good)-2]...)
	}
	for name, file := range map[string][]byte{
		"empty": nil, "text": []byte("GIF? no"), "gif": []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), "svg": []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"),
		"a JPEG cut short": good[:len(good)/2], "a JPEG without an end": good[:len(good)-2], "a PNG cut short": film[:len(film)-20],
		"a JPEG of nothing but a start": good[:4], "a JPEG with a hundred scans": append(scans, 0xFF, 0xD9), "a WebP of nothing": lossless[:20],
	} {
		i := images.New(images.Options{})
		_, err := i.Clean(t.Context(), bytes.NewReader(file), 1_000_000)
		if !errors.Is(err, port.ErrUnsupportedImage) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := images.New(images.Options{}).Clean(t.Context(), bytes.NewReader(good), 64*64-1); !errors.Is(err, port.ErrUnsupportedImage) {
		t.Errorf("beyond the bound: %v", err)
	}
}

func TestABombIsKnownByItsHeader(t *testing.T) {
	bomb := pngOf(t, image.NewGray(image.Rect(0, 0, 12_000, 12_000)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	facts, err := images.New(images.Options{}).Inspect(t.Context(), bytes.NewReader(bomb))
	runtime.ReadMemStats(&after)
	if err != nil || facts.Width != 12_000 || facts.Height != 12_000 {
		t.Errorf("%+v (%v)", facts, err)
	}
	grown := after.TotalAlloc - before.TotalAlloc
	if t.Logf("a bomb of %d bytes took %d", len(bomb), grown); grown > 1<<20 {
		t.Errorf("%d bytes were allocated to read a header", grown)
	}
}

func TestCopiesAreScaled(t *testing.T) {
	made, err := images.New(images.Options{}).Scale(t.Context(), bytes.NewReader(clean(t, annotated(t, corners(1000, 500), 1)).Content), []int{320, 800})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []image.Point{{320, 160}, {800, 400}} {
		got, err := jpeg.Decode(bytes.NewReader(made[n].Content))
		if err != nil || got.Bounds().Max != want || made[n].Width != want.X || made[n].Height != want.Y || made[n].ContentType != "image/jpeg" {
			t.Fatalf("%v (%v)", got.Bounds(), err)
		}
		if r, _, b, _ := got.At(20, 20).RGBA(); r < b {
			t.Error("its corner is not red")
		}
		if !bytes.Contains(made[n].Content, icc()[:50_000]) {
			t.Error("the colour profile is gone")
		}
	}
	clear := image.NewNRGBA(image.Rect(0, 0, 100, 100))
	flat, err := images.New(images.Options{}).Scale(t.Context(), bytes.NewReader(pngOf(t, clear)), []int{50})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := jpeg.Decode(bytes.NewReader(flat[0].Content)); got != nil {
		if r, g, b, _ := got.At(25, 25).RGBA(); min(r, g, b) < 0xF000 {
			t.Error("what is transparent is not on white")
		}
	}
}

func TestWhoWaitsForMemoryCanGiveUp(t *testing.T) {
	i := images.New(images.Options{Memory: 1})
	file := jpegOf(t, corners(64, 64))
	if _, err := i.Clean(t.Context(), bytes.NewReader(file), 1<<20); err != nil {
		t.Errorf("an image larger than the memory is not worked on alone: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := i.Clean(ctx, bytes.NewReader(file), 1<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Whatever the file, cleaning it ends, and what it makes can be decoded, has
// nothing of what is not for the eye, and is clean.
func FuzzClean(f *testing.F) {
	f.Add(annotatedWith(f, corners(16, 8), 6, smallICC(20)))
	f.Add(annotatedWith(f, image.NewGray(image.Rect(0, 0, 9, 9)), 1, smallICC(20)))
	f.Add(withChunk(withChunk(pngOf(f, corners(16, 8)), "eXIf", exif(3)), "tEXt", []byte("a\x00b")))
	f.Add(extended(lossless[12:], smallICC(20)))
	f.Add(lossless)
	f.Fuzz(func(t *testing.T, file []byte) {
		const most = 1 << 16
		i := images.New(images.Options{})
		facts, err := i.Inspect(t.Context(), bytes.NewReader(file))
		if err != nil || facts.Width*facts.Height > most {
			return
		}
		made, err := i.Clean(t.Context(), bytes.NewReader(file), most)
		if err != nil {
			if !errors.Is(err, port.ErrUnsupportedImage) {
				t.Fatal(err)
			}
			return
		}
		if made.Width != facts.Width || made.Height != facts.Height {
			t.Fatalf("%d × %d became %d × %d", facts.Width, facts.Height, made.Width, made.Height)
		}
		again, err := i.Clean(t.Context(), bytes.NewReader(made.Content), most)
		if err != nil || !bytes.Equal(again.Content, made.Content) || again.ImageFacts != made.ImageFacts {
			t.Fatalf("what was cleaned is not clean: %v", err)
		}
		if _, err := i.Scale(t.Context(), bytes.NewReader(made.Content), []int{1, 7}); err != nil {
			t.Fatal(err)
		}
	})
}
