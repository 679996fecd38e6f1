package port

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// Blobs keeps the content of pictures, under keys. A key is words of letters,
// digits, "-" and "_" with "/" between them; nothing a client chose is in it.
//
// Errors are those of Store.
type Blobs interface {
	// Put keeps content, of at least one byte, under a key. It is there whole, and
	// still there after a crash, when Put returns; until then nothing of it is
	// seen. While somebody reads a key, what is put there is what was there.
	Put(ctx context.Context, key string, content []byte) error
	// Open reads what is kept under a key, for as long as ctx lasts.
	Open(ctx context.Context, key string) (io.ReadSeekCloser, error)
	// Delete removes what is kept under a key, if anything is.
	Delete(ctx context.Context, key string) error
	// All goes through everything that is kept, in any order. Whether it meets
	// what is put or deleted meanwhile is left open. After an error it ends.
	All(ctx context.Context) iter.Seq2[Blob, error]
}

// Blob is what is known of something kept, without its content.
type Blob struct {
	Key  string
	Size int64
	// Modified is when it was put.
	Modified time.Time
}

// ErrUnsupportedImage is what Images answers about a file that is no JPEG, PNG
// or WebP image, or is damaged.
var ErrUnsupportedImage = errors.New("not a JPEG, PNG or WebP image, or a damaged one")

// ErrHEIC is that about a HEIC or AVIF image, as phones make them.
var ErrHEIC = fmt.Errorf("%w: it is a HEIC or AVIF image", ErrUnsupportedImage)

// Images reads and makes images. It bounds how much memory all its work
// together takes: a call for which nothing is left waits, for as long as ctx
// lasts.
type Images interface {
	// Inspect tells what a file is by its first bytes, whatever it is called.
	// It decodes nothing, and takes little memory however large the image is.
	Inspect(ctx context.Context, file io.ReadSeeker) (ImageFacts, error)
	// Clean decodes a file that has been inspected, to know that it can be, and
	// returns it without anything that is not part of what is seen: places,
	// cameras, comments, thumbnails. It stands upright, and keeps its colour
	// profile.
	// maxPixels is a second guard, for files whose parts contradict each other.
	Clean(ctx context.Context, file io.ReadSeeker, maxPixels int) (Image, error)
	// Scale makes images of some widths in pixels, each another, of one that
	// Clean made.
	Scale(ctx context.Context, file io.ReadSeeker, widths []int) ([]Image, error)
}

// ImageFacts is what the header of an image tells.
type ImageFacts struct {
	// ContentType is a media type such as image/jpeg.
	ContentType string
	// Width and Height are in pixels, the image held upright.
	Width, Height int
}

// Image is an image, encoded.
type Image struct {
	ImageFacts
	Content []byte
}
