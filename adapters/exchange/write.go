package exchange

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Writer writes the Poliris CSV, in Windows-1252, which all of its readers know.
type Writer struct{ out *bufio.Writer }

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{bufio.NewWriter(w)} }

// Write adds a listing.
func (w *Writer) Write(e transfer.Exported) error {
	line := `"` + strings.Join(exportedRow(e), `"`+separator+`"`) + "\"\r\n"
	_, err := w.out.WriteString(line)
	return err
}

// Flush writes what is still held back.
func (w *Writer) Flush() error { return w.out.Flush() }

// exportedRow returns a product as the file has it, without the quotes around columns.
func exportedRow(e transfer.Exported) fields {
	f := make(fields, lastColumn)
	set := func(rank int, content string) { f[rank-1] = strings.TrimSpace(clean.Replace(encode(content))) }
	set(agencyColumn, cmp.Or(e.AgencyCode, strconv.FormatInt(int64(e.Agency), 10)))
	set(referenceColumn, e.Reference)
	f[referenceColumn-1] = cmp.Or(f[referenceColumn-1], "?")
	set(technicalColumn, strconv.FormatInt(int64(e.ID), 10))
	set(versionColumn, Version)
	for _, c := range columns {
		if value, given := e.Criteria[c.key]; given && c.write != nil && !withheld(c, e.Criteria) {
			set(c.rank, cmp.Or(sum(f.at(c.rank), c.write(value)), f.at(c.rank)))
		}
	}
	for _, m := range members {
		if slices.Contains(criteria.Codes(e.Criteria[m.key]), m.code) {
			set(m.rank, "OUI")
		}
	}
	if code := e.Criteria.Code(keyOrientation); slices.Contains(orientations, code) {
		for _, d := range directions {
			if strings.IndexByte(code, d.letter) >= 0 {
				set(d.rank, "OUI")
			}
		}
	}
	if e.Position != nil {
		latitude, longitude, _ := strings.Cut(e.Position.String(), ",")
		set(latitudeColumn, latitude)
		set(longitudeColumn, longitude)
	}
	writeTexts(set, e)
	ranks := pictureColumns()
	for i, url := range e.Pictures[:min(len(e.Pictures), len(ranks))] {
		set(ranks[i], url)
	}
	return f
}

func writeTexts(set func(int, string), e transfer.Exported) {
	next := languagesColumn
	for _, d := range e.Descriptions {
		switch {
		case d.Language == "fr":
			set(titleColumn, d.Title)
			set(textColumn, d.Text)
		case next < languagesColumn+4*languages && d.Title+d.Text != "":
			set(next, strings.ToUpper(d.Language))
			set(next+2, d.Title)
			set(next+3, d.Text)
			next += 4
		}
	}
}

// withheld reports whether a column is not told of this product: the price without
// fees is that without what the buyer pays, and not what the seller keeps.
func withheld(c column, values criteria.Values) bool {
	return c.rank == withoutFeesColumn && values.Code("ChargeHonoraires") == "VENDEUR"
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
var clean = strings.NewReplacer(`"`, "'", "\n", "<BR>", separator, "! #")
