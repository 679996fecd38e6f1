package images

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// The markers of a JPEG file.
const (
	markerStart    = 0xD8
	markerEnd      = 0xD9
	markerScan     = 0xDA
	markerAPP0     = 0xE0
	markerAPP2     = 0xE2
	markerAPP14    = 0xEE
	firstRestart   = 0xD0
	lastRestart    = 0xD7
	markerTables   = 0xDB // quantisation
	markerHuffman  = 0xC4
	markerInterval = 0xDD
	firstFrame     = 0xC0 // baseline, extended, progressive
	lastFrame      = 0xC2
)

// maxScans bounds how often a file makes a decoder go over the whole image.
// Cameras and editors make about ten.
const maxScans = 64

var (
	startOfJPEG  = []byte{0xFF, markerStart}
	jfif         = []byte("JFIF\x00")
	adobe        = []byte("Adobe")
	iccSignature = []byte("ICC_PROFILE\x00")
)

var errShort = errors.New("the file ends too early")

// stripJPEG keeps the frame, its tables and scans, the colour profile, and the
// two segments that say how colours and densities are meant. What follows the
// end of the image is dropped: phones keep video there, with positions.
func stripJPEG(file []byte) ([]byte, error) {
	if !bytes.HasPrefix(file, startOfJPEG) {
		return nil, errors.New("not a JPEG file")
	}
	out := append(make([]byte, 0, len(file)), startOfJPEG...)
	rest := file[len(startOfJPEG):]
	for scans := 0; ; {
		marker, segment, after, err := nextSegment(rest)
		if err != nil {
			return nil, err
		}
		rest = after
		if kept := keptOfJPEG(marker, segment); kept != nil {
			out = appendSegment(out, marker, kept)
		}
		switch marker {
		case markerEnd:
			return append(out, 0xFF, markerEnd), nil
		case markerScan:
			if scans++; scans > maxScans {
				return nil, errors.New("the image has too many scans")
			}
			n := scanLength(rest)
			out, rest = append(out, rest[:n]...), rest[n:]
		}
	}
}

// nextSegment reads a marker and its segment, which is empty for markers that
// have none. What lies between segments is skipped, as decoders do.
func nextSegment(rest []byte) (marker byte, segment, after []byte, err error) {
	for {
		n := bytes.IndexByte(rest, 0xFF)
		if n < 0 {
			return 0, nil, nil, errShort
		}
		rest = rest[n:]
		for len(rest) > 0 && rest[0] == 0xFF {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return 0, nil, nil, errShort
		}
		marker, rest = rest[0], rest[1:]
		switch {
		case marker == markerEnd:
			return marker, nil, rest, nil
		case marker <= 1, firstRestart <= marker && marker <= lastRestart, marker == markerStart:
			continue
		}
		if len(rest) < 2 {
			return 0, nil, nil, errShort
		}
		length := int(binary.BigEndian.Uint16(rest))
		if length < 2 || length > len(rest) {
			return 0, nil, nil, errShort
		}
		return marker, rest[2:length], rest[length:], nil
	}
}

// keptOfJPEG returns what remains of a segment, nil when nothing does.
func keptOfJPEG(marker byte, segment []byte) []byte {
	switch {
	case firstFrame <= marker && marker <= lastFrame, marker == markerHuffman, marker == markerTables,
		marker == markerInterval, marker == markerScan,
		marker == markerAPP2 && bytes.HasPrefix(segment, iccSignature):
		return segment
	case marker == markerAPP0 && bytes.HasPrefix(segment, jfif) && len(segment) >= 14:
		return append(bytes.Clone(segment[:12]), 0, 0) // without its thumbnail
	case marker == markerAPP14 && bytes.HasPrefix(segment, adobe) && len(segment) >= 12:
		return segment[:12]
	}
	return nil
}

func appendSegment(out []byte, marker byte, segment []byte) []byte {
	out = append(out, 0xFF, marker)
	out = binary.BigEndian.AppendUint16(out, uint16(len(segment)+2))
	return append(out, segment...)
}

// scanLength returns how many bytes of compressed pixels come before the next marker.
func scanLength(rest []byte) int {
	for n := 0; ; n++ {
		next := bytes.IndexByte(rest[n:], 0xFF)
		if next < 0 || n+next+1 >= len(rest) {
			return len(rest)
		}
		n += next
		if c := rest[n+1]; c != 0 && c != 0xFF && (c < firstRestart || c > lastRestart) {
			return n
		}
	}
}

// profileOfJPEG joins the parts of the profile, which are in order in all but
// strange files; those lose it.
func profileOfJPEG(file []byte) []byte {
	var profile []byte
	rest := file[len(startOfJPEG):]
	for part := byte(1); ; {
		marker, segment, after, err := nextSegment(rest)
		if err != nil || marker == markerScan || marker == markerEnd {
			return profile
		}
		rest = after
		if marker != markerAPP2 || len(segment) < len(iccSignature)+2 {
			continue
		}
		if segment[len(iccSignature)] != part {
			return nil
		}
		part++
		profile = append(profile, segment[len(iccSignature)+2:]...)
	}
}

// withProfile puts a profile into a JPEG file that has none.
func withProfile(file, profile []byte) []byte {
	const most = 65535 - 2 - 14
	parts := (len(profile) + most - 1) / most
	if parts == 0 || parts > 255 {
		return file
	}
	out := append(make([]byte, 0, len(file)+len(profile)+parts*20), startOfJPEG...)
	for n := range parts {
		part := profile[n*most : min((n+1)*most, len(profile))]
		segment := append(bytes.Clone(iccSignature), byte(n+1), byte(parts))
		out = appendSegment(out, markerAPP2, append(segment, part...))
	}
	return append(out, file[len(startOfJPEG):]...)
}

// bytesPerPixelOfJPEG returns what decoding takes for each pixel: a byte for each sample of it and, in
// a progressive file, four more.
func bytesPerPixelOfJPEG(start []byte) int64 {
	const unknown, coefficient = 15, 4
	rest := start[min(len(startOfJPEG), len(start)):]
	for {
		marker, segment, after, err := nextSegment(rest)
		if err != nil {
			return unknown
		}
		rest = after
		if marker < firstFrame || marker > lastFrame {
			continue
		}
		if len(segment) < 6 || len(segment) < 6+3*int(segment[5]) {
			return unknown
		}
		var most, samples int64
		for n := range int(segment[5]) {
			size := int64(segment[7+3*n]>>4) * int64(segment[7+3*n]&15)
			most, samples = max(most, size), samples+size
		}
		if most == 0 {
			return unknown
		}
		if marker == lastFrame {
			samples *= 1 + coefficient
		}
		return (samples + most - 1) / most
	}
}
