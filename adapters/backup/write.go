package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Writer writes a backup. It keeps some rows and one picture in memory.
type Writer struct {
	tar    *tar.Writer
	gzip   *gzip.Writer // nil where nothing is compressed
	digest digest
	end    End
	files  int
	// table is whose rows are gathered in rows.
	table string
	rows  bytes.Buffer
}

// NewWriter begins a backup.
func NewWriter(to io.Writer, m Manifest, compressed bool) (*Writer, error) {
	w := &Writer{digest: newDigest()}
	if compressed {
		w.gzip = gzip.NewWriter(to)
		to = w.gzip
	}
	w.tar = tar.NewWriter(to)
	m.Format, m.Version = formatName, Version
	return w, w.json(manifestName, m)
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
	return w.file(fmt.Sprintf("%s%08d-%s.jsonl", tableDir, w.files, w.table), w.rows.Bytes())
}

// Picture adds what is kept under a key in the place of the pictures.
func (w *Writer) Picture(key string, content []byte) error {
	w.end.Pictures++
	return errors.Join(w.flush(), w.file(pictureDir+key, content))
}

// Close writes the last ids drawn and the end, without which nobody takes the file for a backup.
func (w *Writer) Close(sequences map[string]int64) (End, error) {
	if err := w.flush(); err != nil {
		return End{}, err
	}
	if err := w.json(sequencesName, sequences); err != nil {
		return End{}, err
	}
	w.end.SHA256 = w.digest.sum()
	err := errors.Join(w.json(endName, w.end), w.tar.Close())
	if w.gzip != nil {
		err = errors.Join(err, w.gzip.Close())
	}
	return w.end, err
}

func (w *Writer) json(name string, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.file(name, append(content, '\n'))
}

func (w *Writer) file(name string, content []byte) error {
	if len(content) > maxFile {
		return fmt.Errorf("%s has %d bytes, and may have %d", name, len(content), maxFile)
	}
	w.digest.add(name, content)
	if err := w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: 0o600, Format: tar.FormatPAX}); err != nil {
		return err
	}
	_, err := w.tar.Write(content)
	return err
}
