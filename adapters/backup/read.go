package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/internal/tarfile"
)

// File is a backup that was checked from its beginning to its end.
type File struct {
	Manifest Manifest
	// Sequences are the last ids drawn.
	Sequences map[string]int64
	End       End
	from      io.ReadSeeker
}

// Sink takes what is in a backup. What is nil is passed over.
type Sink struct {
	// Rows takes some rows of a table. Values are text, numbers (int64, float64), true and
	// false, and nil.
	Rows    func(table string, columns []string, rows [][]any) error
	Picture func(key string, content []byte) error
}

// Open checks a backup whole: what it is, and that nothing of it is altered or
// missing.
func Open(ctx context.Context, from io.ReadSeeker) (*File, error) {
	f := &File{from: from}
	if err := f.Each(ctx, Sink{Rows: func(string, []string, [][]any) error { return nil }}); err != nil {
		return nil, err
	}
	return f, nil
}

// Each hands over everything in a backup, and checks it anew: it fails at the end
// when something was not as it was.
func (f *File) Each(ctx context.Context, to Sink) error {
	if _, err := f.from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	file, err := tarfile.NewReader(f.from)
	if err != nil {
		return damaged(err)
	}
	r := reading{Reader: file, to: to}
	if f.Manifest, err = manifest(file); err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		sum := r.Sum()
		name, content, err := r.NextUpTo(mostOf)
		if err != nil {
			return damaged(err)
		}
		if name == endName {
			return r.finish(content, sum, f)
		}
		if name == sequencesName {
			err = json.Unmarshal(content, &f.Sequences)
		} else {
			err = r.hand(name, content)
		}
		if err != nil {
			return err
		}
	}
}

// Head reads what a backup says of itself first. Nothing else of it is checked.
func Head(from io.ReadSeeker) (Manifest, error) {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return Manifest{}, err
	}
	file, err := tarfile.NewReader(from)
	if err != nil {
		return Manifest{}, damaged(err)
	}
	return manifest(file)
}

func manifest(file *tarfile.Reader) (m Manifest, err error) {
	name, first, err := file.NextUpTo(mostOf)
	if err != nil || name != manifestName || json.Unmarshal(first, &m) != nil || m.Format != formatName {
		return m, errors.New("the file is no backup and no archive of Vitrine")
	}
	if m.Version != Version {
		return m, fmt.Errorf("the file has the form %d, which this version of Vitrine does not read", m.Version)
	}
	return m, nil
}

// maxNote bounds the files of a backup that say what is in it.
const maxNote = 16 << 20

// mostOf bounds a file of a backup before it is read into memory.
func mostOf(name string) int64 {
	if strings.HasPrefix(name, tableDir) || strings.HasPrefix(name, pictureDir) {
		return tarfile.MaxFile
	}
	return maxNote
}

func damaged(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }

// reading is one way through a backup.
type reading struct {
	*tarfile.Reader
	to             Sink
	rows, pictures int
}

func (r *reading) hand(name string, content []byte) error {
	if key, ok := strings.CutPrefix(name, pictureDir); ok {
		r.pictures++
		if r.to.Picture == nil {
			return nil
		}
		return r.to.Picture(key, content)
	}
	file, ok := strings.CutPrefix(name, tableDir)
	number, rest, numbered := strings.Cut(file, "-")
	table, named := strings.CutSuffix(rest, ".jsonl")
	if !ok || !numbered || !named || len(number) != 8 {
		return ErrDamaged
	}
	if r.to.Rows == nil {
		r.rows += bytes.Count(content, []byte("\n")) - 1
		return nil
	}
	columns, rows, err := decode(content)
	if err != nil {
		return damaged(err)
	}
	r.rows += len(rows)
	return r.to.Rows(table, columns, rows)
}

// decode reads the rows of a file.
func decode(content []byte) (columns []string, rows [][]any, err error) {
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	if err := d.Decode(&columns); err != nil {
		return nil, nil, err
	}
	for d.More() {
		var row []any
		if err := d.Decode(&row); err != nil {
			return nil, nil, err
		}
		if len(row) != len(columns) {
			return nil, nil, errors.New("a row has not as many values as columns")
		}
		for i, value := range row {
			number, ok := value.(json.Number)
			if !ok {
				continue
			}
			if row[i], err = plain(number); err != nil {
				return nil, nil, err
			}
		}
		rows = append(rows, row)
	}
	return columns, rows, nil
}

// plain returns a number as databases have it. A fraction without decimals comes as a whole
// number, which databases take for it.
func plain(number json.Number) (any, error) {
	if strings.ContainsAny(number.String(), ".eE") {
		return number.Float64()
	}
	return number.Int64()
}

func (r *reading) finish(content []byte, sum string, f *File) error {
	var end End
	if err := json.Unmarshal(content, &end); err != nil {
		return damaged(err)
	}
	if end.SHA256 != sum || end.Rows != r.rows || end.Pictures != r.pictures {
		return ErrDamaged
	}
	if err := r.End(); err != nil {
		return damaged(err)
	}
	f.End = end
	return nil
}
