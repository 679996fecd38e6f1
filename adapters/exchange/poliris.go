package exchange

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

var poliris = format{
	name: Poliris, noun: "column", unit: "column ", hint: separator + " between columns", file: "Annonces.csv", fields: columns, say: sayable,
	// What is written may, byte by byte, be UTF-8 of something else.
	same:  func(written, said string) bool { return encode(written) == said },
	shows: func(_ *format, first []byte) bool { return bytes.Contains(first, []byte(separator)) }, shape: func(_ *format, r io.Reader) (shape, error) { return shapeOf(r) }, listings: polirisListings,
	writer: func(f *format, w io.Writer) listingWriter { return polirisWriter{w, f} },
}.made()

// polirisListings reads the CSV, a listing at a time.
func polirisListings(f *format, t table, r io.Reader) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		for next, err := range rows(r, t.shape) {
			if err != nil {
				yield(transfer.Listing{}, err)
				return
			}
			if why := noListing(next.fields); why != "" && next.problem == "" {
				if !yield(transfer.Listing{}, Damage{Source: fmt.Sprintf("line %d", next.line), Why: why}) {
					return
				}
				continue
			}
			for _, l := range listingsOf(f, next, t.shape.width) {
				if !yield(l, nil) {
					return
				}
			}
		}
	}
}

// listingsOf returns the listings of a row: one, but where the end of a line is missing
// and several rows are in it, all of which are refused.
func listingsOf(f *format, next row, width int) []transfer.Listing {
	source := fmt.Sprintf("line %d", next.line)
	problem := next.problem
	if problem == "" {
		problem = misfit(next.fields, width)
	}
	if problem == "" {
		l := f.listing(polirisRecord(next.fields))
		l.Source = source
		return []transfer.Listing{l}
	}
	all := []transfer.Listing{{Source: source, Reference: next.fields.reference(), Refused: problem}}
	// The last column of one row and the first of the next are one.
	for more := next.fields; glued(more, width); {
		more = more[width-1:]
		all = append(all, transfer.Listing{Source: source, Reference: more.reference(), Refused: problem})
	}
	return all
}

func glued(f fields, width int) bool {
	return width > 1 && len(f) >= 2*width-1 && f.at(width-1+transactionColumn) != "" && offers.knows(f.text(width-1+transactionColumn))
}

var formatVersion = regexp.MustCompile(`^[vV]?\d{1,2}\.\d`)

// versionShifted reports whether the version of the format is not in its column, but
// beside it.
func versionShifted(f fields) bool {
	return !formatVersion.MatchString(f.at(versionColumn)) && (formatVersion.MatchString(f.at(versionColumn-1)) || formatVersion.MatchString(f.at(versionColumn+1)))
}

// misfit returns why a row cannot have come through whole, if it cannot. A row may have
// fewer columns than others, or more, as long as each of them holds what belongs
// there: one separator more or less, and the price would be taken for a surface.
func misfit(f fields, width int) string {
	switch {
	case strings.Contains(f.at(referenceColumn), "\n"):
		return fault.Textf("the reference has the end of a line in it").String()
	case len(f) > maxColumns:
		return fault.Textf("the row has %d columns, and the format 334 at most", len(f)).String()
	case versionShifted(f):
		return fault.Textf("the version of the format is not in column %d but beside it: columns are shifted", versionColumn).String()
	case width == 0 || len(f) == width:
		return ""
	}
	found := fault.Textf("the row has %d columns, and most of the file %d", len(f), width)
	switch {
	case glued(f, width):
		return fault.Textf("%s: it holds several listings", found).String()
	case width >= versionColumn && len(f) < versionColumn:
		return fault.Textf("%s: it breaks off", found).String()
	case width >= versionColumn && !formatVersion.MatchString(f.at(versionColumn)):
		return fault.Textf("%s: there is no version in column %d, so columns before it are shifted", found, versionColumn).String()
	}
	if impossible, _ := f.typed(); len(impossible) > 0 {
		rank := impossible[0]
		return fault.Textf("%s: columns are shifted, for column %d cannot hold %q", found, rank, short(f.text(rank))).String()
	}
	return ""
}

// typed returns which of the columns that hold a number, a day or a word of a list hold something else,
// and how many hold what they should.
func (f fields) typed() (impossible []int, possible int) {
	for _, c := range typedColumns {
		switch text := f.text(c.rank); {
		case text == "":
		case c.plausible(text):
			possible++
		default:
			impossible = append(impossible, c.rank)
		}
	}
	return impossible, possible
}

// typedColumn is one that cannot hold any text.
type typedColumn struct {
	rank int
	translation
}

var typedColumns = func() (typed []typedColumn) {
	for _, c := range columns {
		if rank, err := strconv.Atoi(c.at); err == nil && c.knows != nil {
			typed = append(typed, typedColumn{rank, c.translation})
		}
	}
	return typed
}()

const (
	// leastTyped is of how many columns a row must hold nothing possible to be no listing, and
	// leastRanked how many columns a row of ranks has.
	leastTyped  = 3
	leastRanked = 3
)

// noListing returns why a row is none at all, if it is none: its columns hold their headings or their ranks.
func noListing(f fields) string {
	if f.ranks() {
		return fault.Textf("the row holds the ranks of its columns, and no listing").String()
	}
	impossible, possible := f.typed()
	if len(impossible) < leastTyped || possible > 0 {
		return ""
	}
	rank := impossible[0]
	return fault.Textf("the row is no listing: none of its columns can hold what is in it, such as %q in column %d", short(f.text(rank)), rank).String()
}

var lastNumber = regexp.MustCompile(`\d+$`)

// ranks reports whether each column holds its rank, from 0 or from 1.
func (f fields) ranks() bool {
	found := map[int]int{}
	given := 0
	for i, content := range f {
		if content = strings.TrimSpace(content); content == "" {
			continue
		}
		given++
		if n, err := strconv.Atoi(lastNumber.FindString(content)); err == nil {
			found[n-i]++
		}
	}
	return given >= leastRanked && (found[0] == given || found[1] == given)
}

// short is as much of a text as is repeated in a message.
func short(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

// text returns the content of a column, decoded.
func (f fields) text(rank int) string { return decode(f.at(rank), f.isUTF8()) }

func (f fields) reference() string { return f.text(referenceColumn) }

// isUTF8 reports whether the row is in UTF-8. Some files have rows of two kinds.
func (f fields) isUTF8() bool {
	return !slices.ContainsFunc(f, func(content string) bool { return !utf8.ValidString(content) })
}

// ranks are the numbers of columns, as text.
var ranks = func() (all [maxColumns]string) {
	for i := range all {
		all[i] = strconv.Itoa(i + 1)
	}
	return all
}()

// polirisRecord returns a row as a record.
func polirisRecord(f fields) (r record) {
	isUTF8 := f.isUTF8()
	for i, content := range f {
		if content != "" {
			r = append(r, value{at: ranks[i], shown: ranks[i], content: decode(content, isUTF8)})
		}
	}
	return r
}

// polirisWriter writes the CSV in Windows-1252, which all of its readers know.
type polirisWriter struct {
	io.Writer
	*format
}

func (w polirisWriter) write(e transfer.Exported) error {
	row := make(fields, lastColumn)
	for _, v := range w.record(e) {
		if rank, err := strconv.Atoi(v.at); err == nil {
			row[rank-1] = encode(v.content)
		}
	}
	_, err := io.WriteString(w, `"`+strings.Join(row, `"`+separator+`"`)+"\"\r\n")
	return err
}

func (polirisWriter) end() error { return nil }

// sayable returns what is left of a text in the CSV.
func sayable(text string) string { return decode(clean.Replace(encode(text)), false) }

// clean replaces what the format cannot write.
var clean = strings.NewReplacer(`"`, "'", "\n", "<BR>", separator, "! #")
