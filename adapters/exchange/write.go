package exchange

import (
	"bufio"
	"io"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// listingWriter writes the listings of a file, one after the other.
type listingWriter interface {
	write(r record) error
	// end writes what is behind the last of them.
	end() error
}

// Writer writes a file of listings.
type Writer struct {
	out    *bufio.Writer
	format *format
	listingWriter
}

// NewWriter writes Poliris to w.
func NewWriter(w io.Writer) *Writer { return newWriter(w, poliris) }

func newWriter(w io.Writer, f *format) *Writer {
	out := bufio.NewWriter(w)
	return &Writer{out, f, f.writer(out)}
}

// Write adds a listing.
func (w *Writer) Write(e transfer.Exported) error { return w.write(w.format.record(e)) }

// Flush ends the file.
func (w *Writer) Flush() error {
	if err := w.end(); err != nil {
		return err
	}
	return w.out.Flush()
}
