// Package images reads and makes images with the decoders of the standard
// library and golang.org/x/image: a port.Images without cgo.
package images

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"runtime"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Options are its settings. The zero value of every field is
// a good choice.
type Options struct {
	// Memory is how many bytes decoded images may take together, about; 0 is
	// 512 MiB. An image that needs more than that is worked on alone.
	Memory int64
	// Registerer gets the metrics; nil keeps none.
	Registerer prometheus.Registerer
}

// Images is a port.Images. It is safe for concurrent use.
type Images struct {
	memory  int64
	budget  *semaphore.Weighted
	seconds *prometheus.HistogramVec
}

var _ port.Images = (*Images)(nil)

// New makes an Images.
func New(o Options) *Images {
	if o.Memory <= 0 {
		o.Memory = 512 << 20
	}
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "vitrine_picture_seconds",
		Help:    "Time to check and clean an upload, and to make the smaller copies of a picture, without waiting for memory.",
		Buckets: []float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
	}, []string{"step"})
	if o.Registerer != nil {
		o.Registerer.MustRegister(seconds)
	}
	return &Images{memory: o.Memory, budget: semaphore.NewWeighted(o.Memory), seconds: seconds}
}

// format is a kind of file, and how it is read.
type format struct {
	contentType string
	config      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
	// strip removes what does not show, and leaves every pixel as it is. It
	// refuses files that are not built as the format says.
	strip func([]byte) ([]byte, error)
	// profile is the ICC profile in a stripped file, nil when there is none.
	profile func([]byte) []byte
	// exif finds the EXIF block; nil where imagemeta does.
	exif func(io.ReadSeeker) []byte
}

func formatOf(contentType string) (format, bool) {
	switch contentType {
	case "image/jpeg":
		return format{contentType, jpeg.DecodeConfig, jpeg.Decode, stripJPEG, profileOfJPEG, nil}, true
	case "image/png":
		return format{contentType, png.DecodeConfig, png.Decode, stripPNG, profileOfPNG, exifOfPNG}, true
	case "image/webp":
		return format{contentType, webp.DecodeConfig, decodeWebP, stripWebP, profileOfWebP, exifOfWebP}, true
	}
	return format{}, false
}

// header is what the first bytes of a file tell.
type header struct {
	format
	width, height int // as the pixels lie
	orientation   int // 1 to 8, as EXIF has it
	// perPixel is about how many bytes decoding takes for each pixel.
	perPixel int64
}

// facts returns those of the image held upright.
func (h header) facts() port.ImageFacts {
	if h.orientation >= 5 {
		return port.ImageFacts{ContentType: h.contentType, Width: h.height, Height: h.width}
	}
	return port.ImageFacts{ContentType: h.contentType, Width: h.width, Height: h.height}
}

// cost is about how many bytes working on the image takes. Most takes a progressive JPEG of
// 50 megapixels with all its colours: 800 MB. As a camera makes it, it takes 100 to 200, and
// 200 more when it is turned.
func (h header) cost(fileBytes int64) int64 {
	perPixel := h.perPixel
	if h.orientation != 1 {
		perPixel += 4
	}
	return 2*fileBytes + perPixel*int64(h.width)*int64(h.height)
}

// bytesPerPixel returns what decoding takes for each pixel. start is what was read of the file to
// know the configuration.
func bytesPerPixel(contentType string, config image.Config, start []byte) int64 {
	switch {
	case contentType == "image/jpeg":
		return bytesPerPixelOfJPEG(start)
	case config.ColorModel == color.YCbCrModel, config.ColorModel == color.NYCbCrAModel:
		return 3
	case contentType == "image/webp", config.ColorModel == color.NRGBA64Model, config.ColorModel == color.RGBA64Model:
		return 8
	}
	return 4
}

func readHeader(file io.ReadSeeker) (header, error) {
	if err := rewind(file); err != nil {
		return header{}, err
	}
	start := make([]byte, 512)
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return header{}, err
	}
	f, known := formatOf(http.DetectContentType(start[:n]))
	if isHEIC(start[:n]) {
		return header{}, port.ErrHEIC
	}
	if !known {
		return header{}, port.ErrUnsupportedImage
	}
	if err := rewind(file); err != nil {
		return header{}, err
	}
	var read bytes.Buffer
	config, err := f.config(io.TeeReader(file, &read))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return header{}, damaged(err)
	}
	return header{
		format: f, width: config.Width, height: config.Height, orientation: orientation(file, f),
		perPixel: bytesPerPixel(f.contentType, config, read.Bytes()),
	}, nil
}

// isHEIC reports whether a file begins as those of the family of HEIC do, AVIF among them.
func isHEIC(start []byte) bool {
	return len(start) >= 12 && string(start[4:8]) == "ftyp" &&
		slices.Contains([]string{"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"}, string(start[8:12]))
}

func rewind(file io.Seeker) error {
	_, err := file.Seek(0, io.SeekStart)
	return err
}

func damaged(why error) error { return fmt.Errorf("%w: %v", port.ErrUnsupportedImage, why) } //nolint:errorlint // which of many mistakes a hostile file makes matters to nobody

// Inspect implements port.Images.
func (i *Images) Inspect(_ context.Context, file io.ReadSeeker) (port.ImageFacts, error) {
	h, err := readHeader(file)
	if err != nil {
		return port.ImageFacts{}, err
	}
	return h.facts(), nil
}

// Clean implements port.Images. What stands upright keeps every pixel as it was
// sent; what does not is turned, and becomes a JPEG.
func (i *Images) Clean(ctx context.Context, file io.ReadSeeker, maxPixels int) (port.Image, error) {
	h, content, done, err := i.load(ctx, "clean", file)
	if err != nil {
		return port.Image{}, err
	}
	defer done()
	if content, err = h.strip(content); err != nil {
		return port.Image{}, damaged(err)
	}
	// What Inspect said of the file must be true of what is decoded.
	config, err := h.config(bytes.NewReader(content))
	if err != nil || config.Width != h.width || config.Height != h.height || config.Width*config.Height > maxPixels {
		return port.Image{}, damaged(err)
	}
	decoded, err := h.decode(bytes.NewReader(content))
	if err != nil || decoded.Bounds().Dx() != h.width || decoded.Bounds().Dy() != h.height {
		return port.Image{}, damaged(err)
	}
	if h.orientation == 1 {
		return port.Image{ImageFacts: h.facts(), Content: content}, nil
	}
	return encode(upright(decoded, h.orientation), turnedQuality, h.profile(content))
}

// Scale implements port.Images. The images are JPEGs, what is transparent on
// white.
func (i *Images) Scale(ctx context.Context, file io.ReadSeeker, widths []int) ([]port.Image, error) {
	h, content, done, err := i.load(ctx, "scale", file)
	if err != nil {
		return nil, err
	}
	defer done()
	var decoded image.Image
	if decoded, err = h.decode(bytes.NewReader(content)); err != nil {
		return nil, damaged(err)
	}
	profile := h.profile(content)
	images := make([]port.Image, len(widths))
	// The widest is made first, and the others of it: most of the work is in
	// going over the whole image.
	for _, width := range slices.Backward(slices.Sorted(slices.Values(widths))) {
		decoded = scaled(decoded, width)
		if images[slices.Index(widths, width)], err = encode(decoded, scaledQuality, profile); err != nil {
			return nil, err
		}
	}
	return images, nil
}

// large is what an image takes whose remains are removed at once.
const large = 128 << 20

// load reads a file once there is memory to work on it. done gives the memory
// back.
func (i *Images) load(ctx context.Context, step string, file io.ReadSeeker) (h header, content []byte, done func(), err error) {
	if h, err = readHeader(file); err != nil {
		return h, nil, nil, err
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return h, nil, nil, err
	}
	cost := min(h.cost(size), i.memory)
	if err := i.budget.Acquire(ctx, cost); err != nil {
		return h, nil, nil, err
	}
	start := time.Now()
	done = func() {
		if cost >= large {
			runtime.GC() // its memory must not add to that of the next one
		}
		i.budget.Release(cost)
		i.seconds.WithLabelValues(step).Observe(time.Since(start).Seconds())
	}
	content = make([]byte, size)
	if err = rewind(file); err == nil {
		_, err = io.ReadFull(file, content)
	}
	if err != nil {
		done()
	}
	return h, content, done, err
}
