package exchange

import (
	"bufio"
	"fmt"
	"io"

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

// NewWriter writes one of Written to w, in UTF-8 but for Poliris.
func NewWriter(w io.Writer, as Format) (*Writer, error) {
	if f := formatOf(as); f != nil && f.writer != nil {
		return newWriter(w, f), nil
	}
	return nil, fmt.Errorf("the format %q is not written", as)
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
