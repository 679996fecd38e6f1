package images

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

var startOfPNG = []byte("\x89PNG\r\n\x1a\n")

// keptOfPNG are the chunks that say what the pixels look like.
var keptOfPNG = []string{
	"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "iCCP", "sRGB", "gAMA", "cHRM", "cICP", "sBIT", "bKGD", "pHYs",
}

// stripPNG keeps the chunks of one still image. What follows its end is
// dropped.
func stripPNG(file []byte) ([]byte, error) {
	out := append(make([]byte, 0, len(file)), startOfPNG...)
	for chunk, err := range chunksOfPNG(file) {
		if err != nil {
			return nil, err
		}
		kind := string(chunk[4:8])
		if slices.Contains(keptOfPNG, kind) {
			out = append(out, chunk...)
		}
		if kind == "IEND" {
			return out, nil
		}
	}
	return nil, errShort
}

// chunksOfPNG goes through the chunks, each with its length, name and checksum.
func chunksOfPNG(file []byte) func(yield func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		if !bytes.HasPrefix(file, startOfPNG) {
			yield(nil, errors.New("not a PNG file"))
			return
		}
		for rest := file[len(startOfPNG):]; len(rest) > 0; {
			if len(rest) < 12 {
				yield(nil, errShort)
				return
			}
			length := int64(binary.BigEndian.Uint32(rest)) + 12
			if length > int64(len(rest)) {
				yield(nil, errShort)
				return
			}
			if !yield(rest[:length], nil) {
				return
			}
			rest = rest[length:]
		}
	}
}

// maxProfile bounds what a compressed profile may unfold to.
const maxProfile = 1 << 20

func profileOfPNG(file []byte) []byte {
	for chunk, err := range chunksOfPNG(file) {
		if err != nil {
			return nil
		}
		if string(chunk[4:8]) != "iCCP" {
			continue
		}
		_, compressed, found := bytes.Cut(chunk[8:len(chunk)-4], []byte{0})
		if !found || len(compressed) == 0 || compressed[0] != 0 {
			return nil
		}
		r, err := zlib.NewReader(bytes.NewReader(compressed[1:]))
		if err != nil {
			return nil
		}
		profile, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
		if err != nil || len(profile) > maxProfile {
			return nil
		}
		return profile
	}
	return nil
}
