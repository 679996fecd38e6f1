package archive

import (
	"iter"
	"reflect"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Kind is one kind of record of a site.
type Kind struct {
	// Name is what it is called in archives.
	Name string
	// About says what one record is, for readers of the schema.
	About string
	// Record is the type of its records.
	Record reflect.Type
	// Sealed are the fields of a record that nobody may read in an archive.
	Sealed []string

	pages   func(port.Tx, site.ID) iter.Seq2[[]any, error]
	restore func(port.Tx, site.ID, []any) error
	// vacant reports what is there already where a record is to be; nil where a
	// site that is not there has no such record, and where the store says so.
	vacant func(port.Tx, site.ID, any) error
}

// lines are how the records of a kind are listed, page by page in the order of
// their keys, and put back.
type lines[T any] struct {
	pages   func(port.Tx, site.ID) iter.Seq2[[]T, error]
	restore func(port.Tx, site.ID, []T) error
}

// kindOf makes a kind.
func kindOf[T any](name, about string, l lines[T], sealed ...string) Kind {
	return Kind{
		Name: name, About: about, Record: reflect.TypeFor[T](), Sealed: sealed,
		pages: func(tx port.Tx, id site.ID) iter.Seq2[[]any, error] {
			return func(yield func([]any, error) bool) {
				for page, err := range l.pages(tx, id) {
					records := make([]any, len(page))
					for i, v := range page {
						records[i] = v
					}
					if !yield(records, err) {
						return
					}
				}
			}
		},
		restore: func(tx port.Tx, id site.ID, records []any) error {
			page := make([]T, len(records))
			for i, v := range records {
				page[i] = v.(T)
			}
			return l.restore(tx, id, page)
		},
	}
}

// unlessTaken adds to a kind what must not be there already.
func unlessTaken[T any](k Kind, vacant func(port.Tx, site.ID, T) error) Kind {
	k.vacant = func(tx port.Tx, id site.ID, record any) error { return vacant(tx, id, record.(T)) }
	return k
}

// pageSize is how many records are read and stored at a time, productPage how many
// products, which come with their pictures, and importedPage how many of the
// calendars elsewhere, which have thousands of intervals.
const (
	pageSize     = 500
	productPage  = 50
	importedPage = 20
)

// archived are the records of a port.Archive.
func archived[T any](size int, records func(port.Archive) port.Records[T]) lines[T] {
	return lines[T]{
		pages: func(tx port.Tx, id site.ID) iter.Seq2[[]T, error] {
			return paged(size, func(last *T) ([]T, error) { return records(tx.Archive()).After(id, last, size) })
		},
		restore: func(tx port.Tx, _ site.ID, page []T) error { return records(tx.Archive()).Restore(page) },
	}
}

// inTable are the records of a port.Table. A scan may leave out what lists do not
// show, so it only tells the ids.
func inTable[ID ~int64, T any](table func(port.Tx) port.Table[ID, T], key func(T) ID) lines[T] {
	return lines[T]{
		pages: func(tx port.Tx, id site.ID) iter.Seq2[[]T, error] {
			return paged(pageSize, func(last *T) ([]T, error) {
				var above ID
				if last != nil {
					above = key(*last)
				}
				found, err := table(tx).Scan(id, above, pageSize)
				if err != nil {
					return nil, err
				}
				ids := make([]ID, len(found))
				for i, v := range found {
					ids[i] = key(v)
				}
				return table(tx).Many(id, ids)
			})
		},
		restore: func(tx port.Tx, _ site.ID, page []T) error { return each(page, table(tx).Put) },
	}
}

// inRegister are the records of a port.Register.
func inRegister[T any](register func(port.Tx) port.Register[T]) lines[T] {
	return listed(
		func(tx port.Tx, id site.ID) ([]T, error) { return register(tx).Of(id) },
		func(tx port.Tx, _ site.ID, v T) error { return register(tx).Put(v) },
	)
}

// inVocabulary are the records of a port.Vocabulary.
func inVocabulary[T any](vocabulary func(port.Tx) port.Vocabulary[T]) lines[T] {
	return listed(
		func(tx port.Tx, id site.ID) ([]T, error) { return vocabulary(tx).Of(id) },
		func(tx port.Tx, id site.ID, v T) error { return vocabulary(tx).Put(id, v) },
	)
}

// listed are records that are few enough to be listed at once.
func listed[T any](list func(port.Tx, site.ID) ([]T, error), put func(port.Tx, site.ID, T) error) lines[T] {
	return lines[T]{
		pages: func(tx port.Tx, id site.ID) iter.Seq2[[]T, error] {
			return func(yield func([]T, error) bool) { yield(list(tx, id)) }
		},
		restore: func(tx port.Tx, id site.ID, page []T) error {
			return each(page, func(v T) error { return put(tx, id, v) })
		},
	}
}

// paged goes from page to page, until one is not full.
func paged[T any](size int, next func(last *T) ([]T, error)) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		for page, err := next(nil); ; page, err = next(&page[len(page)-1]) {
			if !yield(page, err) || err != nil || len(page) < size {
				return
			}
		}
	}
}

func each[T any](page []T, do func(T) error) error {
	for _, v := range page {
		if err := do(v); err != nil {
			return err
		}
	}
	return nil
}
