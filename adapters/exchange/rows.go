package exchange

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

const (
	separator = "!#"
	// maxColumns is the most columns that a row may have: the newest version of the
	// format has 334, and later ones add a few.
	maxColumns = 400
)

// row is a row of the CSV. Its texts may have ends of lines in them.
type row struct {
	// line is where it begins, from 1.
	line   int
	fields fields
	// quoted: its first column is between quotes.
	quoted bool
	// problem is why the row cannot be read; empty when it can.
	problem string
}

// fields are the columns of a row as the file has them, without the quotes around
// them and before any decoding.
type fields []string

// at returns the content of a column, by its rank.
func (f fields) at(rank int) string {
	if rank > len(f) {
		return ""
	}
	return f[rank-1]
}

// shape is what most rows of a CSV have in common, as far as it is known.
type shape struct {
	// width is how many columns they have.
	width int
	// agency is the first of them.
	agency string
	// quoted: it is between quotes.
	quoted bool
	// separator, of a table with headings, stands between columns; begins reports whether a row looks like
	// a whole one, and headings are the columns by their names.
	separator string
	begins    func(fields) bool
	headings  []string
}

// shapeOf returns the shape of a CSV.
func shapeOf(r io.Reader) (shape, error) {
	widths, agencies, quoted := map[int]int{}, map[string]int{}, map[bool]int{}
	for next, err := range rows(r, shape{}) {
		if err != nil {
			return shape{}, err
		}
		agencies[next.fields.at(agencyColumn)]++
		quoted[next.quoted]++
		// As many rows may be damaged as are whole. Those whose columns are shifted do
		// not count, and two rows in one count for their half, but less.
		switch n := len(next.fields); {
		case n > maxColumns:
			widths[(n+1)/2]++
		case !versionShifted(next.fields):
			widths[n] += 2
		}
	}
	s := shape{width: most(widths), agency: most(agencies), quoted: most(quoted)}
	if widths[s.width] < 4 {
		s.width = 0
	}
	return s, nil
}

// most returns the key with the highest count.
func most[T comparable](counts map[T]int) (best T) {
	for one, n := range counts {
		if n > counts[best] || n == counts[best] && fmt.Sprint(one) > fmt.Sprint(best) {
			best = one
		}
	}
	return best
}

// rows reads the CSV row by row. A damaged row has a problem; the rows after it are not
// affected.
func rows(r io.Reader, of shape) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		in := rowReader{lines: newLineReader(r), shape: of}
		for {
			next, ok := in.row()
			if !ok {
				break
			}
			if !yield(next, nil) {
				return
			}
		}
		if err := in.lines.Err(); err != nil {
			yield(row{}, err)
		}
	}
}

// rowReader puts lines together to rows.
type rowReader struct {
	shape
	lines *lineReader
	// ahead is a line that was read and belongs to the next row.
	ahead *fileLine
}

func (in *rowReader) next() (fileLine, bool) {
	if in.ahead != nil {
		l := *in.ahead
		in.ahead = nil
		return l, true
	}
	return in.lines.next()
}

func (in *rowReader) row() (row, bool) {
	first, ok := in.next()
	for ok && first.blank() {
		first, ok = in.next()
	}
	if !ok {
		return row{}, false
	}
	quoted := bytes.HasPrefix(bytes.TrimLeft(first.content, blanks), []byte(`"`))
	in.quoted = in.quoted || in.agency == "" && quoted
	p := rowParser{}
	p.feed(first)
	for p.open || len(p.fields) < in.width || p.dangling {
		next, ok := in.lines.next()
		if !ok {
			break
		}
		if in.begins(next, &p) || !p.open && (next.blank() || !in.completes(next, &p)) {
			in.ahead = &next
			break
		}
		if !p.open {
			p.wrong(fault.Textf("the row breaks off, and seems to go on in line %d", next.number).String())
			p.resume()
		}
		p.feed(next)
	}
	p.end()
	if p.problem == "" {
		in.agency = p.fields.at(agencyColumn)
	}
	return row{line: first.number, fields: p.fields, quoted: quoted, problem: p.problem}, true
}

// begins reports whether a line looks like the beginning of a row, and not like a
// continuation: the row before is full, or the line has all columns of a row, a kind of
// offer in its third column, or the agency of the row before.
func (in *rowReader) begins(l fileLine, before *rowParser) bool {
	columns := bytes.Split(l.content, []byte(separator))
	word := func(i int) string { return strings.Trim(string(columns[i]), blanks+`"`) }
	agency := bytes.TrimLeft(columns[0], blanks)
	switch {
	case len(columns) < 2:
		return false
	case in.width > 1 && before.open && len(before.fields) > 0 && len(before.fields)%(in.width-1) == 0:
		return true
	case in.quoted && !bytes.HasPrefix(agency, []byte(`"`)) && in.agency != word(0),
		before.unseparated() && in.agency != "" && in.agency == before.text()+word(0):
		return false
	case len(columns) > 2 && word(2) != "" && offers.knows(decode(word(2), utf8.ValidString(word(2)))),
		in.agency != "" && in.agency == word(0):
		return true
	}
	agency = bytes.TrimRight(agency, blanks)
	looks := in.quoted && len(agency) > 1 && bytes.IndexByte(agency[1:], '"') == len(agency)-2
	if in.width == 0 {
		return looks
	}
	p := rowParser{}
	p.feed(l)
	return len(p.fields) >= in.width && p.problem == ""
}

// completes reports whether a line has as many columns as a row lacks, or one more
// or less, for what broke the row may have been a separator.
func (in *rowReader) completes(l fileLine, before *rowParser) bool {
	p := rowParser{}
	p.feed(l)
	columns := len(before.fields) + len(p.fields) - 1
	return columns >= in.width-1 && columns <= in.width+1 || p.open && columns < in.width
}

// blanks are the characters between columns that mean nothing.
const blanks = " \t"

// rowParser splits a row into fields, line by line. Fields are between quotes, as in any
// CSV, but some software leaves quotes out, or does not double those within a text.
type rowParser struct {
	fields  fields
	problem string
	field   []byte
	size    int
	// open: a quote was opened and not closed yet.
	open bool
	// doubtful: the last line ended with quotes that close the field only if they
	// are not a quote of the text.
	doubtful bool
	// dangling: the last line ended with a separator.
	dangling bool
}

// unseparated reports whether there was no separator at all.
func (p *rowParser) unseparated() bool { return len(p.fields) == 0 || !p.open && len(p.fields) == 1 }

// text returns the content of the first field.
func (p *rowParser) text() string {
	if len(p.fields) > 0 {
		return p.fields[0]
	}
	return string(p.field)
}

func (p *rowParser) wrong(problem string) {
	if p.problem == "" {
		p.problem = problem
	}
}

// resume reopens the last field, which goes on in the next line.
func (p *rowParser) resume() {
	last := len(p.fields) - 1
	p.field, p.fields, p.open = []byte(p.fields[last]), p.fields[:last], true
}

func (p *rowParser) feed(l fileLine) {
	if p.size += len(l.content); p.size > maxListing || l.cut {
		p.wrong(tooLong)
	}
	rest := l.content
	if p.open {
		p.append("\n")
		p.doubtful = false
		if rest = p.quoted(rest); rest == nil {
			return
		}
	}
	for rest != nil {
		if trimmed := bytes.TrimLeft(rest, blanks); bytes.HasPrefix(trimmed, []byte(`"`)) {
			p.open = true
			rest = p.quoted(trimmed[1:])
		} else {
			rest = p.bare(rest)
		}
	}
}

// append adds to the text of a field; of a row with a problem it keeps the beginning only.
func (p *rowParser) append(text string) {
	if p.problem == "" || len(p.field) < 1<<10 {
		p.field = append(p.field, text...)
	}
}

func (p *rowParser) close() {
	p.fields = append(p.fields, strings.TrimSpace(string(p.field)))
	p.field, p.open, p.doubtful = p.field[:0], false, false
}

// bare reads a field without quotes, and returns what follows its separator.
func (p *rowParser) bare(text []byte) []byte {
	content, rest, more := bytes.Cut(text, []byte(separator))
	content = bytes.Trim(content, blanks)
	p.dangling = !more && len(content) == 0
	if bytes.HasSuffix(content, []byte(`"`)) && bytes.Count(content, []byte(`"`))%2 == 1 {
		p.wrong(fault.Textf("column %d has a quote that is not opened", len(p.fields)+1).String())
	}
	p.append(string(content))
	p.close()
	if !more {
		return nil
	}
	return rest
}

// quoted reads on in a field with quotes around it, and returns what follows its
// separator: nil at the end of the line.
func (p *rowParser) quoted(text []byte) []byte {
	for {
		at := bytes.IndexByte(text, '"')
		if at < 0 {
			p.append(string(text))
			return nil
		}
		p.append(string(text[:at]))
		text = text[at:]
		n := len(text) - len(bytes.TrimLeft(text, `"`))
		text = text[n:]
		after := bytes.TrimLeft(text, blanks)
		ends, separated := len(after) == 0, bytes.HasPrefix(after, []byte(separator))
		closes := n%2 == 1 && (ends || separated)
		if !closes && bytes.HasSuffix(bytes.TrimRight(p.field, blanks), []byte(separator)) {
			p.wrong(fault.Textf("column %d has a quote that is not closed", len(p.fields)+1).String())
		}
		switch {
		case closes:
			p.append(strings.Repeat(`"`, n/2))
		case separated && bytes.HasPrefix(bytes.TrimLeft(after[len(separator):], blanks), []byte(`"`)):
			// Not doubled: the last one closes the field, and another is opened.
			p.append(strings.Repeat(`"`, n/2))
		default:
			p.append(strings.Repeat(`"`, (n+1)/2))
			if p.doubtful = ends; ends {
				p.append(string(text))
				return nil
			}
			continue
		}
		p.close()
		if ends {
			return nil
		}
		return after[len(separator):]
	}
}

// end closes the last field of the row.
func (p *rowParser) end() {
	if !p.open {
		return
	}
	if !p.doubtful {
		p.wrong(fault.Textf("column %d has a quote that is not closed", len(p.fields)+1).String())
	}
	p.close()
}

// fileLine is a line of the file, without what ends it.
type fileLine struct {
	number  int
	content []byte
	// cut: the line is longer than any listing, and its rest is dropped.
	cut bool
}

// endOfFile is the character that some software ends files with.
const endOfFile = "\x1a"

func (l fileLine) blank() bool { return len(bytes.Trim(l.content, blanks+endOfFile+"\x00")) == 0 }

// lineReader reads lines that end with CR LF, LF or CR.
type lineReader struct {
	*bufio.Scanner
	number int
	whole  bool
	// searched is the number of bytes ahead that were searched for the end of a line.
	searched int
}

// unmarked removes a byte order mark, and converts UTF-16 with one to UTF-8.
func unmarked(r io.Reader) io.Reader {
	all := bufio.NewReaderSize(r, 64<<10)
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "\xef\xbb\xbf"} {
		if first, _ := all.Peek(len(mark)); string(first) == mark {
			return transform.NewReader(all, unicode.BOMOverride(transform.Nop))
		}
	}
	return all
}

func newLineReader(r io.Reader) *lineReader {
	l := &lineReader{Scanner: bufio.NewScanner(unmarked(r))}
	l.Buffer(nil, 2*maxListing)
	l.Split(l.split)
	return l
}

func (l *lineReader) split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	end := bytes.IndexAny(data[l.searched:], "\r\n")
	if end < 0 && !atEOF && len(data) <= maxListing {
		l.searched = len(data)
		return 0, nil, nil
	}
	end += l.searched
	found := end >= l.searched
	if found && data[end] == '\r' && end == len(data)-1 && !atEOF {
		return 0, nil, nil
	}
	l.searched, l.whole = 0, found || atEOF
	switch {
	case !found && len(data) == 0:
		return 0, nil, nil
	case !found:
		return len(data), data, nil
	case bytes.HasPrefix(data[end:], []byte("\r\n")):
		return end + 2, data[:end], nil
	}
	return end + 1, data[:end], nil
}

func (l *lineReader) next() (fileLine, bool) {
	if !l.Scan() {
		return fileLine{}, false
	}
	l.number++
	next := fileLine{number: l.number, content: bytes.Clone(l.Bytes())}
	for !l.whole {
		next.cut = true
		if !l.Scan() {
			break
		}
	}
	return next, true
}
