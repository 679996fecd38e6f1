package images

import (
	"bytes"
	"image"
)

// Widen turns the limited range of a lossy WebP into the full one.
func Widen(img *image.YCbCr) { widen(img) }

// Cost is about how many bytes working on a file takes.
func Cost(file []byte) (int64, error) {
	h, err := readHeader(bytes.NewReader(file))
	return h.cost(int64(len(file))), err
}
