package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/vitrine-crm/vitrine/core/archive"
	"github.com/vitrine-crm/vitrine/core/site"
)

// maxFile bounds a file within an archive, which is held in memory.
const maxFile = 256 << 20

// Writer writes an archive. It keeps no more of it in memory than what it is
// given at a time.
type Writer struct {
	codec codec
	total total
	tar   *tar.Writer
	gzip  *gzip.Writer // nil where nothing is compressed
	end   end
	files int
	// lines counts the records of each kind.
	lines map[string]int
}

// NewWriter begins the archive of a site. hashKey is the key under which the
// secrets of clients and tokens are hashed; it is sealed, and empty where there
// is none to carry.
func NewWriter(to io.Writer, id site.ID, keys Keys, hashKey string, compressed bool) (*Writer, error) {
	w := &Writer{codec: codec{keys, id}, total: newTotal(), lines: map[string]int{}}
	if compressed {
		w.gzip = gzip.NewWriter(to) // whose header has no clock and no name
		to = w.gzip
	}
	w.tar = tar.NewWriter(to)
	m := manifest{Format: formatName, Version: Version, Site: int64(id), Key: keys.id}
	if hashKey != "" {
		m.HashKey = keys.seal(hashKey, hashKeyPlace(m.Site))
	}
	return w, w.json(manifestName, m)
}

// file writes one file whole.
func (w *Writer) file(name string, content []byte) error {
	if len(content) > maxFile {
		return fmt.Errorf("%s has %d bytes, and may have %d", name, len(content), maxFile)
	}
	w.total.add(name, content)
	if err := w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: 0o600, Format: tar.FormatUSTAR}); err != nil {
		return err
	}
	_, err := w.tar.Write(content)
	return err
}

func (w *Writer) json(name string, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.file(name, append(content, '\n'))
}

// Records implements archive.Sink.
func (w *Writer) Records(k archive.Kind, records []any) error {
	var content bytes.Buffer
	for _, record := range records {
		w.lines[k.Name]++
		line, err := w.codec.encode(k, w.lines[k.Name], record)
		if err != nil {
			return fmt.Errorf("record %d: %w", w.lines[k.Name], err)
		}
		content.Write(append(line, '\n'))
	}
	w.files++
	w.end.Records += len(records)
	return w.file(fmt.Sprintf("%08d-%s%s", w.files, k.Name, recordsEnd), content.Bytes())
}

// Picture implements archive.Sink.
func (w *Writer) Picture(sha256 string, content []byte) error {
	w.end.Pictures++
	return w.file(pictureDir+sha256, content)
}

// Close writes the end, without which nobody takes the file for an archive.
func (w *Writer) Close() error {
	w.end.SHA256 = w.total.sum()
	w.end.MAC = hex.EncodeToString(w.codec.keys.digest(w.codec.keys.mac, w.end.SHA256))
	err := w.json(endName, w.end)
	err = errors.Join(err, w.tar.Close())
	if w.gzip != nil {
		err = errors.Join(err, w.gzip.Close())
	}
	return err
}
