package archive

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/vitrine-crm/vitrine/adapters/internal/tarfile"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port/archive"
)

// Writer writes an archive. It keeps no more of it in memory than what it is
// given at a time.
type Writer struct {
	codec codec
	tar   *tarfile.Writer
	end   end
	files int
	// lines counts the records of each kind.
	lines map[string]int
}

// NewWriter begins the archive of a site. hashKey is the key under which the
// secrets of clients and tokens are hashed; it is sealed, and empty where there
// is none to carry.
func NewWriter(to io.Writer, id site.ID, keys Keys, hashKey string, compressed bool) (*Writer, error) {
	w := &Writer{codec: codec{keys, id}, tar: tarfile.NewWriter(to, compressed), lines: map[string]int{}}
	m := manifest{Format: formatName, Version: Version, Site: int64(id), Key: keys.id}
	if hashKey != "" {
		m.HashKey = keys.seal(hashKey, hashKeyPlace(m.Site))
	}
	return w, w.tar.JSON(manifestName, m)
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
	return w.tar.File(fmt.Sprintf("%08d-%s%s", w.files, k.Name, recordsEnd), content.Bytes())
}

// Picture implements archive.Sink.
func (w *Writer) Picture(sha256 string, content []byte) error {
	w.end.Pictures++
	return w.tar.File(pictureDir+sha256, content)
}

// Close writes the end, without which nobody takes the file for an archive.
func (w *Writer) Close() error {
	w.end.SHA256 = w.tar.Sum()
	w.end.MAC = hex.EncodeToString(w.codec.keys.digest(w.codec.keys.mac, w.end.SHA256))
	return errors.Join(w.tar.JSON(endName, w.end), w.tar.Close())
}
