package images

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/bep/imagemeta"
)

// maxEXIF bounds the block in which the orientation is looked for.
const maxEXIF = 1 << 20

// orientation returns how the pixels have to be turned, as EXIF counts; 1 when the
// file does not say, or what it says makes no sense.
func orientation(file io.ReadSeeker, f format) int {
	if rewind(file) != nil {
		return 1
	}
	if f.exif == nil {
		return orientationIn(file, imagemeta.JPEG)
	}
	// Some writers put before the block what stands before it in a JPEG file.
	block := bytes.TrimPrefix(f.exif(file), []byte("Exif\x00\x00"))
	return orientationIn(bytes.NewReader(block), imagemeta.TIFF)
}

func orientationIn(r io.ReadSeeker, as imagemeta.ImageFormat) int {
	found := 1
	wanted := func(tag imagemeta.TagInfo) bool {
		return tag.Source == imagemeta.EXIF && tag.Namespace == "IFD0" && tag.Tag == "Orientation"
	}
	// What cannot be read is no reason to refuse the image, and what was found
	// before it is still true.
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: r, ImageFormat: as, Sources: imagemeta.EXIF, ShouldHandleTag: wanted,
		HandleTag: func(tag imagemeta.TagInfo) error {
			if n, ok := tag.Value.(uint16); ok && 1 <= n && n <= 8 {
				found = int(n)
			}
			return imagemeta.ErrStopWalking
		},
	})
	return found
}

// exifOfWebP returns the EXIF block of a file, nil when there is none. A byte of padding
// follows a chunk whose length is odd.
func exifOfWebP(file io.ReadSeeker) []byte {
	return chunkOf(file, headerOfWebP, "EXIF", func(head []byte) (string, int64, int64) {
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		return string(head[:4]), length, length & 1
	})
}

// exifOfPNG returns the EXIF block of a file. A checksum follows every chunk.
func exifOfPNG(file io.ReadSeeker) []byte {
	return chunkOf(file, int64(len(startOfPNG)), "eXIf", func(head []byte) (string, int64, int64) {
		return string(head[4:8]), int64(binary.BigEndian.Uint32(head)), 4
	})
}

// chunkOf returns the content of the first chunk of some name, of those that begin after the start
// of a file. read reads the eight bytes before a chunk: its name, its length, and how much
// follows it.
func chunkOf(file io.ReadSeeker, start int64, wanted string, read func([]byte) (name string, length, after int64)) []byte {
	if _, err := file.Seek(start, io.SeekStart); err != nil {
		return nil
	}
	for head := make([]byte, 8); ; {
		if _, err := io.ReadFull(file, head); err != nil {
			return nil
		}
		name, length, after := read(head)
		if name == wanted {
			if length > maxEXIF {
				return nil
			}
			block := make([]byte, length)
			if _, err := io.ReadFull(file, block); err != nil {
				return nil
			}
			return block
		}
		if _, err := file.Seek(length+after, io.SeekCurrent); err != nil {
			return nil
		}
	}
}
