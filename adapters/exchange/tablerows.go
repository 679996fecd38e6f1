package exchange

import (
	"bytes"
	"io"
	"iter"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// tableRows reads a table row by row. A row ends with its line, unless that is within a column that is
// closed further on, as RFC 4180 has it. Otherwise the row is damaged, and its next line begins another one.
type tableRows struct {
	shape
	lines *lineReader
	// ahead are lines that were read and belong to rows to come.
	ahead []fileLine
	// torn: the last row is damaged, and what follows may be the rest of it.
	torn bool
}

// tableRow is a row of a table.
type tableRow struct {
	row
	// rest: the row is what is left of one before it.
	rest bool
}

func newTableRows(r io.Reader, of shape) *tableRows {
	return &tableRows{shape: of, lines: newLineReader(r)}
}

// all returns the rows, and how reading ended if that was before the end.
func (in *tableRows) all() iter.Seq2[tableRow, error] {
	return func(yield func(tableRow, error) bool) {
		for next, ok := in.row(); ok; next, ok = in.row() {
			if !yield(next, nil) {
				return
			}
		}
		if err := in.lines.Err(); err != nil {
			yield(tableRow{}, err)
		}
	}
}

func (in *tableRows) line() (l fileLine, ok bool) {
	if len(in.ahead) == 0 {
		return in.lines.next()
	}
	l, in.ahead = in.ahead[0], in.ahead[1:]
	return l, true
}

// peek returns the line that is n lines ahead.
func (in *tableRows) peek(n int) (l fileLine, ok bool) {
	for len(in.ahead) <= n {
		if l, ok = in.lines.next(); !ok {
			return l, false
		}
		in.ahead = append(in.ahead, l)
	}
	return in.ahead[n], true
}

func (in *tableRows) row() (tableRow, bool) {
	first, ok := in.line()
	for ok && first.blank() {
		first, ok = in.line()
	}
	if !ok {
		return tableRow{}, false
	}
	p := tableParser{separator: in.separator}
	rest := in.torn && !bytes.Contains(first.content, []byte(in.separator))
	if p.feed(first); p.onlyOpen() || p.open && rest {
		p.unclosed()
	}
	var more []fileLine
	for p.open && p.problem == "" {
		next, ok := in.line()
		if !ok {
			break
		}
		if more = append(more, next); in.looksWhole(next) {
			break
		}
		p.feed(next)
	}
	if p.end(); len(more) > 0 && len(p.fields) != in.width {
		p.wrong(fault.Textf("the row has %d columns, and there are %d headings", len(p.fields), in.width).String())
	}
	if problem := p.problem; problem != "" || in.goesOn(&p, len(more) > 0) {
		// Lines behind the first may be rows of their own.
		in.ahead = append(more, in.ahead...)
		p = tableParser{separator: in.separator, problem: problem}
		if p.feed(first); p.problem == "" {
			p.wrong(fault.Textf("the row breaks off, and seems to go on in the next line").String())
		}
		p.end()
	}
	return in.judged(tableRow{row{line: first.number, fields: p.fields, problem: p.problem}, rest}), true
}

// judged returns a row with a problem if it is what is left of one before it.
func (in *tableRows) judged(r tableRow) tableRow {
	short := len(r.fields) < in.width
	switch {
	case r.rest:
	case r.problem != "":
		in.torn = true
	case in.torn && short:
		r.problem = fault.Textf("the row has %d columns, and there are %d headings: it may be the rest of one before it", len(r.fields), in.width).String()
	default:
		in.torn = false
	}
	return r
}

// looksWhole reports whether a line within quotes looks like a row, so that a quote before it is not closed.
func (in *tableRows) looksWhole(l fileLine) bool {
	p := tableParser{separator: in.separator}
	p.feed(l)
	columns := len(p.fields)
	if p.open {
		columns++
	}
	return columns == in.width && in.begins(p.fields)
}

// maxPeeked is how many lines are looked at for whether a row goes on in them.
const maxPeeked = 100

// goesOn reports whether a row seems to go on behind its end: lines without a separator, or of one that is
// short or runs over several lines, a line with half a quote.
func (in *tableRows) goesOn(p *tableParser, severalLines bool) bool {
	short := len(p.fields) < in.width
	for n := range maxPeeked {
		next, ok := in.peek(n)
		if !ok || next.blank() && !severalLines {
			return false
		}
		if next.blank() {
			continue
		}
		line := tableParser{separator: in.separator}
		line.feed(next)
		broken := line.unopened || severalLines && (line.problem != "" || line.onlyOpen())
		switch alone := len(line.fields) == 1 && !line.open; {
		case broken && (alone || short || severalLines) && len(line.fields) < in.width:
			return true
		case !alone || in.width < 2:
			return false
		case short:
			return true
		}
	}
	return false
}

// tableParser splits a row into fields, line by line.
type tableParser struct {
	separator string

	fields  fields
	problem string
	field   []byte
	size    int
	// open: a quote was opened and not closed yet; loose: there is a quote in its column that is not doubled.
	open, loose bool
	// unopened: the first problem is a quote that is not opened.
	unopened bool
}

func (p *tableParser) wrong(problem string) {
	if p.problem == "" {
		p.problem = problem
	}
}

// unclosed says that the quote of the present column is not closed.
func (p *tableParser) unclosed() {
	p.wrong(fault.Textf("column %d has a quote that is not closed", len(p.fields)+1).String())
}

// onlyOpen reports whether there is nothing but a quote that is open.
func (p *tableParser) onlyOpen() bool {
	return p.open && len(p.fields)+len(bytes.TrimSpace(p.field)) == 0
}

func (p *tableParser) feed(l fileLine) {
	if p.size += len(l.content); p.size > maxListing || l.cut {
		p.wrong(tooLong)
	}
	rest := l.content
	if p.open {
		p.field = append(p.field, '\n')
		rest = p.quoted(rest, true)
	}
	for rest != nil {
		if trimmed := bytes.TrimLeft(rest, p.blanks()); bytes.HasPrefix(trimmed, []byte(`"`)) {
			p.open = true
			rest = p.quoted(trimmed[1:], false)
		} else {
			rest = p.bare(rest)
		}
	}
	if p.open && p.loose {
		p.unclosed()
	}
}

func (p *tableParser) close() {
	p.fields = append(p.fields, strings.TrimSpace(string(p.field)))
	p.field, p.open, p.loose = p.field[:0], false, false
}

// bare reads a column without quotes, and returns what follows its separator.
func (p *tableParser) bare(text []byte) []byte {
	content, rest, more := bytes.Cut(text, []byte(p.separator))
	content = bytes.Trim(content, p.blanks())
	if bytes.HasSuffix(content, []byte(`"`)) && bytes.Count(content, []byte(`"`))%2 == 1 {
		p.unopened = p.unopened || p.problem == ""
		p.wrong(fault.Textf("column %d has a quote that is not opened", len(p.fields)+1).String())
	}
	p.field = append(p.field, content...)
	p.close()
	if !more {
		return nil
	}
	return rest
}

// quoted reads on in a column with quotes around it, and returns what follows its separator: nil at the end
// of the line. Within one line, quotes of the text need not be doubled.
func (p *tableParser) quoted(text []byte, further bool) []byte {
	for {
		at := bytes.IndexByte(text, '"')
		if at < 0 {
			p.field = append(p.field, text...)
			return nil
		}
		p.field, text = append(p.field, text[:at]...), text[at:]
		n := len(text) - len(bytes.TrimLeft(text, `"`))
		text = text[n:]
		after := bytes.TrimLeft(text, p.blanks())
		ends := len(after) == 0
		switch {
		case n%2 == 1 && (ends || bytes.HasPrefix(after, []byte(p.separator))):
			p.field = append(p.field, strings.Repeat(`"`, n/2)...)
			if p.close(); ends {
				return nil
			}
			return after[len(p.separator):]
		case n%2 == 1 && (further || bytes.HasSuffix(bytes.TrimRight(p.field, p.blanks()), []byte(p.separator))):
			p.unclosed()
		}
		p.loose = p.loose || n%2 == 1
		p.field = append(p.field, strings.Repeat(`"`, (n+1)/2)...)
	}
}

// blanks are the characters between columns that mean nothing.
func (p *tableParser) blanks() string { return strings.Replace(blanks, p.separator, "", 1) }

// end closes the last field of the row.
func (p *tableParser) end() {
	if p.open {
		p.unclosed()
		p.close()
	}
}
