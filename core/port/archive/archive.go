package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Sink takes what an archive consists of, in order.
type Sink interface {
	// Records takes some records of a kind, and a Source gives them out as they were
	// taken together. All of one kind come one after the other, with pictures
	// between products.
	Records(k Kind, records []any) error
	// Picture takes the content of pictures of the products that were taken last.
	Picture(sha256 string, content []byte) error
}

// Source is an archive that has been checked.
type Source interface {
	// Site is whose archive it is.
	Site() site.ID
	// Each gives a sink everything in the archive, from the beginning. An error of
	// the sink ends it.
	Each(context.Context, Sink) error
}

// Summary counts what an archive has.
type Summary struct {
	Records, Pictures int
	// Lost are pictures of which there is a record and no content.
	Lost int
}

// Progress is told from time to time how much is done. The records of an import
// may begin anew.
type Progress func(Summary)

// Export writes a site to a sink, as it is at one moment. The content of pictures
// is read from blobs, which is nil where none is kept.
func Export(ctx context.Context, store port.Store, blobs port.Blobs, id site.ID, to Sink, progress Progress) (done Summary, err error) {
	err = store.View(ctx, func(tx port.Tx) error {
		// The ledger of a site that is not there would be the first to be missed.
		if _, err := theSite(tx, id); err != nil {
			return err
		}
		for _, k := range Kinds() {
			for page, err := range k.pages(tx, id) {
				if err == nil && len(page) > 0 {
					err = to.Records(k, page)
				}
				if err == nil {
					err = exportPictures(ctx, blobs, page, to, &done)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", k.Name, err)
				}
				done.Records += len(page)
				progress(done)
			}
		}
		return nil
	})
	return done, err
}

// exportPictures writes the content of the pictures of some products, each once.
func exportPictures(ctx context.Context, blobs port.Blobs, page []any, to Sink, done *Summary) error {
	written, missing := map[string]bool{}, map[string]int{}
	for _, record := range page {
		p, ok := record.(port.StoredProduct)
		if !ok {
			return nil
		}
		for _, q := range p.Pictures {
			if written[q.SHA256] {
				continue
			}
			content, err := content(ctx, blobs, p.PictureKey(q))
			if err != nil && !errors.Is(err, fault.NotFound) {
				return err
			}
			if sum := sha256.Sum256(content); err == nil && hex.EncodeToString(sum[:]) == q.SHA256 {
				if err := to.Picture(q.SHA256, content); err != nil {
					return err
				}
				written[q.SHA256] = true
				done.Pictures++
			} else {
				missing[q.SHA256]++
			}
		}
	}
	for sum, n := range missing {
		if !written[sum] {
			done.Lost += n
		}
	}
	return nil
}

func content(ctx context.Context, blobs port.Blobs, key string) ([]byte, error) {
	if blobs == nil {
		return nil, fault.NotFound
	}
	r, err := blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// Check reports why a site cannot be imported into a store: what is there
// already.
func Check(ctx context.Context, store port.Store, from Source) error {
	return store.View(ctx, func(tx port.Tx) error {
		err := from.Each(ctx, &checker{importer: importer{tx: tx, id: from.Site()}})
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	})
}

// Import stores a site that is not there: first the content of its pictures, which
// nobody is shown without their records, then all records in one unit of work. If
// anything fails there is no site, and it can be repeated. first is done in the
// same unit of work before everything else.
func Import(ctx context.Context, store port.Store, blobs port.Blobs, from Source, first func(port.Tx) error, progress Progress) (done Summary, err error) {
	if err := Check(ctx, store, from); err != nil {
		return done, err
	}
	pictures := &pictureImporter{ctx: ctx, blobs: blobs, progress: progress}
	if err := from.Each(ctx, pictures); err != nil && !errors.Is(err, errEnough) {
		return done, err
	}
	pictures.settle()
	done = pictures.done
	err = store.Update(ctx, func(tx port.Tx) error {
		done.Records = 0
		if err := first(tx); err != nil {
			return err
		}
		return from.Each(ctx, &importer{tx: tx, id: from.Site(), progress: progress, done: &done})
	})
	return done, err
}

// importer stores records.
type importer struct {
	tx       port.Tx
	id       site.ID
	progress Progress
	done     *Summary
	last     Kind
}

func (im *importer) Records(k Kind, records []any) error {
	im.last = k
	if err := im.vacant(k, records); err != nil {
		return err
	}
	for page := range slices.Chunk(records, pageSize) {
		if err := k.restore(im.tx, im.id, page); err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		im.done.Records += len(page)
		im.progress(*im.done)
	}
	return nil
}

// vacant reports the first record that has no room.
func (im *importer) vacant(k Kind, records []any) error {
	if k.vacant == nil {
		return nil
	}
	for _, record := range records {
		if err := k.vacant(im.tx, im.id, record); err != nil {
			return err
		}
	}
	return nil
}

// Picture looks only whether a picture is where the content of pictures was taken
// from.
func (im *importer) Picture(sha256 string, _ []byte) error {
	if im.last.Record != reflect.TypeFor[port.StoredProduct]() {
		return ofNobody(sha256)
	}
	return nil
}

func ofNobody(sha256 string) error {
	return fault.New(fault.Invalid, fault.CodeInvalidFormat, "the picture %s is none of the products before it", sha256)
}

// errEnough ends what goes through an archive.
var errEnough = errors.New("enough of the archive is read")

// checker looks whether there is room for records, which those at the beginning
// of an archive tell.
type checker struct{ importer }

func (c *checker) Records(k Kind, records []any) error {
	if k.vacant == nil {
		return errEnough
	}
	return c.vacant(k, records)
}

// pictureImporter keeps the content of pictures.
type pictureImporter struct {
	ctx      context.Context
	blobs    port.Blobs
	progress Progress
	done     Summary
	// wanted are the keys of the pictures of the last products, by content, and
	// missing those of them that have not come.
	wanted, missing map[string][]string
	// began tells that products have come.
	began bool
}

func (im *pictureImporter) Records(_ Kind, records []any) error {
	im.settle()
	for _, record := range records {
		p, ok := record.(port.StoredProduct)
		if !ok && im.began {
			return errEnough // all pictures come with products
		}
		if !ok {
			return nil
		}
		im.began = true
		for _, q := range p.Pictures {
			im.wanted[q.SHA256] = append(im.wanted[q.SHA256], p.PictureKey(q))
			im.missing[q.SHA256] = im.wanted[q.SHA256]
		}
	}
	return nil
}

// settle counts the pictures that did not come with their products.
func (im *pictureImporter) settle() {
	for _, keys := range im.missing {
		im.done.Lost += len(keys)
	}
	im.wanted, im.missing = map[string][]string{}, map[string][]string{}
}

func (im *pictureImporter) Picture(sha256 string, content []byte) error {
	keys := im.wanted[sha256]
	if len(keys) == 0 {
		return ofNobody(sha256)
	}
	if im.blobs == nil {
		return fault.New(fault.Invalid, fault.CodeInvalidFormat, "the archive has pictures, and there is no place for them")
	}
	for _, key := range keys {
		if err := im.blobs.Put(im.ctx, key, content); err != nil {
			return fmt.Errorf("the picture %s: %w", sha256, err)
		}
	}
	delete(im.missing, sha256)
	im.done.Pictures++
	im.progress(im.done)
	return nil
}
