package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/vitrine-crm/vitrine/adapters/internal/tarfile"
)

// Writer writes a backup. It keeps some rows and one picture in memory.
type Writer struct {
	tar   *tarfile.Writer
	end   End
	files int
	// table is whose rows are gathered in rows.
	table string
	rows  bytes.Buffer
}

// NewWriter begins a backup.
func NewWriter(to io.Writer, m Manifest, compressed bool) (*Writer, error) {
	w := &Writer{tar: tarfile.NewWriter(to, compressed)}
	m.Format, m.Version = formatName, Version
	return w, w.tar.JSON(manifestName, m)
}

// Row adds a row of a table. Those of one table come one after the other.
func (w *Writer) Row(table string, columns []string, values []any) error {
	if table != w.table || w.rows.Len() > fullFile {
		if err := w.flush(); err != nil {
			return err
		}
		w.table = table
		if err := w.line(columns); err != nil {
			return err
		}
	}
	w.end.Rows++
	return w.line(values)
}

func (w *Writer) line(v any) error {
	line, err := json.Marshal(v)
	w.rows.Write(append(line, '\n'))
	return err
}

// flush ends a file with rows.
func (w *Writer) flush() error {
	if w.rows.Len() == 0 {
		return nil
	}
	defer w.rows.Reset()
	w.files++
	return w.tar.File(fmt.Sprintf("%s%08d-%s.jsonl", tableDir, w.files, w.table), w.rows.Bytes())
}

// Picture adds what is kept under a key in the place of the pictures.
func (w *Writer) Picture(key string, content []byte) error {
	w.end.Pictures++
	return errors.Join(w.flush(), w.tar.File(pictureDir+key, content))
}

// Close writes the last ids drawn and the end, without which nobody takes the file for a
// backup. mac makes the code of the digest; nil is none.
func (w *Writer) Close(sequences map[string]int64, mac func(sha256 string) (string, error)) (End, error) {
	if err := w.flush(); err != nil {
		return End{}, err
	}
	if err := w.tar.JSON(sequencesName, sequences); err != nil {
		return End{}, err
	}
	w.end.SHA256 = w.tar.Sum()
	if mac != nil {
		var err error
		if w.end.MAC, err = mac(w.end.SHA256); err != nil {
			return End{}, err
		}
	}
	return w.end, errors.Join(w.tar.JSON(endName, w.end), w.tar.Close())
}
