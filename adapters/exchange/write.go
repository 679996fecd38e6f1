package exchange

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/vitrine-crm/vitrine/core/transfer"
)

// Writer writes the Poliris CSV, in Windows-1252, which all of its readers know.
// A character that it lacks becomes a control character that readers ignore.
type Writer struct {
	out     *bufio.Writer
	encoder *encoding.Encoder
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{bufio.NewWriter(w), encoding.ReplaceUnsupported(charmap.Windows1252.NewEncoder())}
}

// Write adds a listing.
func (w *Writer) Write(e transfer.Exported) error {
	line := make(fields, lastColumn)
	set := func(rank int, content string) { line[rank-1] = content }
	set(agencyColumn, strconv.FormatInt(int64(e.Agency), 10))
	set(referenceColumn, e.Reference)
	set(technicalColumn, strconv.FormatInt(int64(e.ID), 10))
	set(versionColumn, version)
	for _, c := range columns {
		if value, given := e.Criteria[c.key]; given && c.write != nil {
			set(c.rank, sum(line.at(c.rank), c.write(value)))
		}
	}
	next := languagesColumn
	for _, d := range e.Descriptions {
		switch {
		case d.Language == "fr":
			set(titleColumn, d.Title)
			set(textColumn, d.Text)
		case next < languagesColumn+4*languages:
			set(next, strings.ToUpper(d.Language))
			set(next+2, d.Title)
			set(next+3, d.Text)
			next += 4
		}
	}
	ranks := pictureColumns()
	for i, url := range e.Pictures[:min(len(e.Pictures), len(ranks))] {
		set(ranks[i], url)
	}
	return w.line(line)
}

// sum adds up the parts of a column that holds several; the content of any other
// column is alone in it.
func sum(before, part string) string {
	a, errA := strconv.Atoi(before)
	b, errB := strconv.Atoi(part)
	if before == "" || errA != nil || errB != nil {
		return part
	}
	return strconv.Itoa(a + b)
}

// clean replaces what the format cannot write.
var clean = strings.NewReplacer(`"`, "'", "\r\n", "<BR>", "\n", "<BR>", "\r", "<BR>", separator, "! #")

func (w *Writer) line(f fields) error {
	for i, content := range f {
		if i > 0 {
			content = separator + `"` + clean.Replace(content) + `"`
		} else {
			content = `"` + clean.Replace(content) + `"`
		}
		encoded, err := w.encoder.String(content)
		if err != nil {
			return err
		}
		if _, err := w.out.WriteString(encoded); err != nil {
			return err
		}
	}
	_, err := w.out.WriteString("\r\n")
	return err
}

// Flush writes what is still held back.
func (w *Writer) Flush() error { return w.out.Flush() }
