package exchange

import (
	"bufio"
	"io"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// listingWriter writes the listings of a file, one after the other.
type listingWriter interface {
	write(e transfer.Exported) error
	// end writes what is behind the last of them.
	end() error
}

// Writer writes a file of listings.
type Writer struct {
	out *bufio.Writer
	// Name is what a file of the format is called.
	Name string
	listingWriter
}

// NewWriter writes one of Written to w, in UTF-8 but for Poliris. A partial file has what was added, changed
// or is gone, in a format that can say that.
func NewWriter(w io.Writer, as Format, partial bool) (*Writer, error) {
	f := formatOf(as)
	switch {
	case f == nil || f.writer == nil:
		return nil, fault.Textf("the format %q is not written", as)
	case partial && !f.saysGone():
		return nil, fault.Textf("the format %q cannot say that a listing is gone", as)
	}
	made := newWriter(w, f)
	if feed, is := made.listingWriter.(*feedWriter); is && partial {
		feed.begins = feed.partial
	}
	return made, nil
}

// saysGone reports whether a format says of a listing that it is gone.
func (f *format) saysGone() bool {
	return f == own || slices.ContainsFunc(f.fields, func(c field) bool { return c.key == keyGone && c.write != nil })
}

func newWriter(w io.Writer, f *format) *Writer {
	out := bufio.NewWriter(w)
	return &Writer{out, f.file, f.writer(f, out)}
}

// Write adds a listing.
func (w *Writer) Write(e transfer.Exported) error { return w.write(e) }

// Flush ends the file.
func (w *Writer) Flush() error {
	if err := w.end(); err != nil {
		return err
	}
	return w.out.Flush()
}
