package images

import (
	"bytes"
	"encoding/binary"
	"errors"
)

const (
	// headerOfWebP is RIFF, a length, and WEBP.
	headerOfWebP = 12
	// otherFlags are those of VP8X that speak of animation, XMP and EXIF.
	otherFlags = 1<<1 | 1<<2 | 1<<3
)

// stripWebP keeps the chunks of one still image. What follows it is dropped.
func stripWebP(file []byte) ([]byte, error) {
	if len(file) < headerOfWebP || string(file[:4]) != "RIFF" || string(file[8:headerOfWebP]) != "WEBP" {
		return nil, errors.New("not a WebP file")
	}
	out := append(make([]byte, 0, len(file)), file[:headerOfWebP]...)
	for chunk, err := range chunksOfWebP(file) {
		if err != nil {
			return nil, err
		}
		switch string(chunk[:4]) {
		case "VP8X":
			start := len(out)
			if out = append(out, chunk...); len(chunk) > 8 {
				out[start+8] &^= otherFlags
			}
		case "ICCP", "ALPH":
			out = append(out, chunk...)
		case "VP8 ", "VP8L":
			out = append(out, chunk...)
			binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
			return out, nil
		}
	}
	return nil, errShort
}

// chunksOfWebP goes through the chunks, each with its name and length, and a
// byte of padding when its length is odd.
func chunksOfWebP(file []byte) func(yield func([]byte, error) bool) {
	return func(yield func([]byte, error) bool) {
		for rest := file[min(headerOfWebP, len(file)):]; len(rest) > 0; {
			if len(rest) < 8 {
				yield(nil, errShort)
				return
			}
			length := int64(binary.LittleEndian.Uint32(rest[4:])) + 8
			if length += length & 1; length > int64(len(rest)) {
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

func profileOfWebP(file []byte) []byte {
	for chunk, err := range chunksOfWebP(file) {
		if err != nil {
			return nil
		}
		if string(chunk[:4]) == "ICCP" {
			return bytes.Clone(chunk[8 : 8+binary.LittleEndian.Uint32(chunk[4:])])
		}
	}
	return nil
}
