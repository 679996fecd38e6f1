package archive

import (
	"bytes"
	"context"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/internal/tarfile"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port/archive"
)

// ErrDamaged is that a file is an archive no more, or not whole.
var ErrDamaged = errors.New("the archive is damaged or cut off")

// File is an archive that was checked from its beginning to its end.
type File struct {
	from     io.ReadSeeker
	manifest manifest
	codec    codec
	hashKey  string
	end      end
}

// Open checks an archive whole: what it is, that somebody with the same keys made
// it, that nothing of it is altered or missing, and that every record is one this
// program knows.
func Open(ctx context.Context, from io.ReadSeeker, keys Keys) (*File, error) {
	f := &File{from: from, codec: codec{keys: keys}}
	if err := f.Each(ctx, discard{}); err != nil {
		return nil, err
	}
	return f, nil
}

// Site implements archive.Source.
func (f *File) Site() site.ID { return f.codec.site }

// HashKey is the key under which the secrets of clients and tokens are hashed;
// empty when the archive has none.
func (f *File) HashKey() string { return f.hashKey }

// Size tells how many records and pictures there are.
func (f *File) Size() (records, pictures int) { return f.end.Records, f.end.Pictures }

// discard is a sink for those who only check.
type discard struct{}

func (discard) Records(archive.Kind, []any) error { return nil }

func (discard) Picture(string, []byte) error { return nil }

func damaged(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }

// reading is one way through an archive.
type reading struct {
	file  *File
	sink  archive.Sink
	tar   *tarfile.Reader
	got   end
	files int
	lines map[string]int
	// kinds are the names of the kinds yet to come.
	kinds []string
}

// Each implements archive.Source. It checks everything anew.
func (f *File) Each(ctx context.Context, sink archive.Sink) error {
	if _, err := f.from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	files, err := tarfile.NewReader(f.from)
	if err != nil {
		return damaged(err)
	}
	r := &reading{file: f, sink: sink, tar: files, lines: map[string]int{}}
	for _, k := range archive.Kinds() {
		r.kinds = append(r.kinds, k.Name)
	}
	name, content, err := r.tar.Next()
	if err != nil || name != manifestName {
		return errors.New("the file is no archive of Vitrine")
	}
	if err := f.open(content); err != nil {
		return err
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		sum := r.tar.Sum()
		name, content, err := r.tar.Next()
		if err != nil {
			return damaged(err)
		}
		if name == endName {
			return r.finish(content, sum)
		}
		if err := r.hand(name, content); err != nil {
			return err
		}
	}
}

// open reads what decides whether the rest can be read.
func (f *File) open(content []byte) error {
	var m manifest
	if err := json.Unmarshal(content, &m); err != nil || m.Format != formatName {
		return errors.New("the file is no archive of Vitrine")
	}
	if m.Version != Version {
		return fmt.Errorf("the archive has version %d of the schema, and this program reads version %d", m.Version, Version)
	}
	if m.Key != f.codec.keys.id {
		return fmt.Errorf("the archive was made with another secret key (%s, and this one is %s): nobody can open its secrets without it", m.Key, f.codec.keys.id)
	}
	f.manifest, f.codec.site, f.hashKey = m, site.ID(m.Site), ""
	if m.HashKey == "" {
		return nil
	}
	key, err := f.codec.keys.open(m.HashKey, hashKeyPlace(m.Site))
	if err != nil {
		return fmt.Errorf("%w: the key of the hashes: %w", ErrDamaged, err)
	}
	f.hashKey = key
	return nil
}

// hand gives a file to the sink.
func (r *reading) hand(name string, content []byte) error {
	if sum, found := strings.CutPrefix(name, pictureDir); found {
		if hexOf(content) != sum {
			return fmt.Errorf("%w: %s is another picture", ErrDamaged, name)
		}
		r.got.Pictures++
		return r.sink.Picture(sum, content)
	}
	k, err := r.kind(name)
	if err != nil {
		return err
	}
	var records []any
	for len(content) > 0 {
		line, rest, _ := bytes.Cut(content, []byte("\n"))
		content = rest
		r.lines[k.Name]++
		record, err := r.file.codec.decode(k, r.lines[k.Name], line)
		if err != nil {
			err = fmt.Errorf("%s, line %d: %w", k.Name, r.lines[k.Name], err)
			if !errors.Is(err, errUnknown) {
				err = damaged(err)
			}
			return err
		}
		records = append(records, record)
	}
	r.got.Records += len(records)
	return r.sink.Records(k, records)
}

// kind is what the name of a file says is in it. Files are counted, and kinds come
// in their order.
func (r *reading) kind(name string) (archive.Kind, error) {
	r.files++
	kind, records := strings.CutSuffix(name, recordsEnd)
	kind, numbered := strings.CutPrefix(kind, fmt.Sprintf("%08d-", r.files))
	if !records || !numbered {
		return archive.Kind{}, fmt.Errorf("%w: the file %q is not expected", ErrDamaged, name)
	}
	k, known := archive.KindOf(kind)
	if !known {
		return k, fmt.Errorf("this program does not know the kind of record %q: the archive is of a later one", kind)
	}
	for len(r.kinds) > 0 && r.kinds[0] != kind {
		r.kinds = r.kinds[1:]
	}
	if len(r.kinds) == 0 {
		return k, fmt.Errorf("%w: %s are not in their place", ErrDamaged, kind)
	}
	return k, nil
}

// finish checks that all of it was there and nothing follows.
func (r *reading) finish(content []byte, sum string) error {
	var e end
	if err := json.Unmarshal(content, &e); err != nil {
		return fmt.Errorf("%w: %s is not what it should be", ErrDamaged, endName)
	}
	keys := r.file.codec.keys
	mac, err := hex.DecodeString(e.MAC)
	if err != nil || e.SHA256 != sum || !hmac.Equal(mac, keys.digest(keys.mac, sum)) ||
		e.Records != r.got.Records || e.Pictures != r.got.Pictures {
		return fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	if err := r.tar.End(); err != nil {
		return damaged(err)
	}
	r.file.end = e
	return nil
}
