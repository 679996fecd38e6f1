package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// part is a part of a feed: a listing with its tags, as far as it has them, or what is
// between two of them.
type part struct {
	shape *feedShape
	// line is where it begins, from 1; number is how many listings have begun so far.
	line, number int
	// started and ended: it has the tag that begins a listing, and the one that ends it.
	started, ended bool
	// last: nothing comes after it.
	last    bool
	content []byte
	// cut parts were longer than any listing; the rest of them is dropped.
	cut bool
}

// outside reports whether the part is no listing, and no piece of one that shows.
func (p *part) outside() bool { return !p.started && !p.ended }

func (p *part) add(content []byte) {
	if p.cut = p.cut || len(p.content)+len(content) > maxListing; !p.cut {
		p.content = append(p.content, content...)
	}
}

// source names the part in a report.
func (p *part) source() string {
	blank := p.content[:len(p.content)-len(bytes.TrimLeft(p.content, "\r\n"+blanks))]
	line := fmt.Sprintf("line %d", p.line+bytes.Count(blank, []byte("\n")))
	switch {
	case p.started:
		return fmt.Sprintf("%s %d, %s", p.shape.listing, p.number, line)
	case p.ended:
		return fmt.Sprintf("after %s %d, %s", p.shape.listing, p.number, line)
	case p.number == 0:
		return "before the first " + p.shape.listing
	}
	return fmt.Sprintf("after %s %d", p.shape.listing, p.number)
}

// parts takes a feed apart, whatever is wrong with it: nothing but the tags of
// listings counts. They are never nested, so one that begins ends the one before.
func (s *feedShape) parts(r io.Reader) iter.Seq2[*part, error] {
	return func(yield func(*part, error) bool) {
		in, line, number := newTagReader(r, s.tag), 1, 0
		now := &part{shape: s, line: line}
		for in.Scan() {
			piece := in.Bytes()
			tooLong := now.outside() && len(now.content)+len(piece) > maxListing
			if in.found == beginning || tooLong {
				if !yield(now, nil) {
					return
				}
				now = &part{shape: s, line: line, number: number}
			}
			line += bytes.Count(piece, []byte("\n"))
			now.add(piece)
			if in.found == beginning {
				number++
				now.number, now.started = number, true
			}
			if now.ended = in.found == ending || now.started && in.found == beginning && bytes.HasSuffix(piece, []byte("/>")); now.ended {
				if !yield(now, nil) {
					return
				}
				now = &part{shape: s, line: line, number: number}
			}
		}
		if err := in.Err(); err != nil {
			yield(nil, err)
			return
		}
		now.last = true
		yield(now, nil)
	}
}

// tag says which tag of a listing a piece of a feed is.
type tag uint8

const (
	other tag = iota
	beginning
	ending
)

// tagReader cuts a feed into the tags of listings and whatever is between them.
type tagReader struct {
	*bufio.Scanner
	pattern *regexp.Regexp
	found   tag
}

func newTagReader(r io.Reader, pattern *regexp.Regexp) *tagReader {
	t := &tagReader{Scanner: bufio.NewScanner(filling{r}), pattern: pattern}
	t.Buffer(nil, 2*maxListing)
	t.Split(t.split)
	return t
}

// filling reads as much as it is asked for, so that what is looked for in a buffer
// is looked for once each time that the buffer has doubled.
type filling struct{ r io.Reader }

func (f filling) Read(p []byte) (int, error) {
	n, err := io.ReadFull(f.r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, err
}

const (
	commentBegins = "<!--"
	verbatim      = "<![CDATA["
	verbatimEnds  = "]]>"
	// maxTagName is more than a tag of a listing has before its attributes.
	maxTagName = 64
)

// tagPattern returns the pattern of the tags of some elements, whatever their case and their prefix are.
func tagPattern(names ...string) *regexp.Regexp {
	return regexp.MustCompile(`^<(/?)(?:[A-Za-z_][\w.-]{0,40}:)?(?i:` + strings.Join(names, "|") + `)(?:[^\w.:-]|$)`)
}

// tagOf returns the tag of a listing that a text begins with, if it does.
func (s *feedShape) tagOf(text []byte) tag { return tagOf(s.tag, text) }

func tagOf(pattern *regexp.Regexp, text []byte) tag {
	found := pattern.FindSubmatch(text[:min(len(text), maxTagName)])
	switch {
	case found == nil:
		return other
	case len(found[1]) > 0:
		return ending
	}
	return beginning
}

func (t *tagReader) split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	// A piece that has no end within the longest listing is broken.
	final := atEOF || len(data) > maxListing
	t.found = other
	var n int
	switch {
	case len(data) == 0:
		return 0, nil, nil
	case data[0] == '<' && len(data) < maxTagName && !final:
		return 0, nil, nil
	case bytes.HasPrefix(data, []byte(commentBegins)):
		n = comment(t.pattern, data, final)
	case bytes.HasPrefix(data, []byte(verbatim)):
		n = verbatimText(t.pattern, data, final)
	default:
		if n = 1 + bytes.IndexByte(data[1:], '<'); n == 0 {
			n = len(data)
		}
		t.found = tagOf(t.pattern, data)
		if end := bytes.IndexByte(data[:n], '>'); t.found != other && end >= 0 {
			n = end + 1
		} else if t.found != other && n == len(data) && !final {
			n = 0
		}
	}
	if n == 0 {
		return 0, nil, nil
	}
	return n, data[:n], nil
}

// comment returns how long the comment is that a text begins with; only as long as its
// beginning if it is not closed. Two hyphens within it mean that, and so do listings and
// CDATA sections that are only half in it. 0 asks for more text.
func comment(pattern *regexp.Regexp, text []byte, final bool) int {
	end := bytes.Index(text[len(commentBegins):], []byte("--"))
	closed := end + len(commentBegins) + len("-->")
	switch {
	case !final && (end < 0 || closed > len(text)):
		return 0
	case end < 0 || closed > len(text) || text[closed-1] != '>':
		return len(commentBegins)
	}
	open := false
	for rest := text[:closed]; ; {
		next := bytes.IndexByte(rest[1:], '<')
		if next < 0 {
			break
		}
		rest = rest[1+next:]
		switch found := tagOf(pattern, rest); {
		case found != other && (found == ending) != open:
			return len(commentBegins)
		case found != other:
			open = !open
		}
	}
	if open || bytes.LastIndex(text[:closed], []byte(verbatim)) > bytes.LastIndex(text[:closed], []byte(verbatimEnds)) {
		return len(commentBegins)
	}
	return closed
}

// verbatimText returns how long the CDATA section is that a text begins with; if it is
// not closed, up to the tag of a listing after it. Another section that begins behind
// such a tag means that. 0 asks for more text.
func verbatimText(pattern *regexp.Regexp, text []byte, final bool) int {
	listing := 0
	for at := len(verbatim); ; at++ {
		next := bytes.IndexAny(text[at:], "<]")
		at += next
		switch {
		case !final && (next < 0 || len(text)-at < maxTagName && !bytes.HasPrefix(text[at:], []byte(verbatimEnds))):
			return 0
		case next < 0 && listing > 0:
			return listing
		case next < 0:
			return len(text)
		case bytes.HasPrefix(text[at:], []byte(verbatimEnds)):
			return at + len(verbatimEnds)
		case listing > 0 && bytes.HasPrefix(text[at:], []byte(verbatim)):
			return listing
		case listing == 0 && tagOf(pattern, text[at:]) != other:
			listing = at
		}
	}
}

var declaration = regexp.MustCompile(`^[^>]{0,200}\bencoding\s*=\s*["']([^"'>]+)["']`)

// charsets are the encodings of Western Europe by the names that feeds have for them. Those
// of the rest of the world are 600 kB of tables. What says ISO 8859-1 or ASCII is read as
// Windows-1252, which browsers do as well: it has the same letters and more.
var charsets = map[string]*charmap.Charmap{
	"windows-1252": charmap.Windows1252, "cp1252": charmap.Windows1252, "x-cp1252": charmap.Windows1252,
	"iso-8859-1": charmap.Windows1252, "iso8859-1": charmap.Windows1252, "iso_8859-1": charmap.Windows1252, "latin1": charmap.Windows1252,
	"us-ascii": charmap.Windows1252, "ascii": charmap.Windows1252,
	"iso-8859-15": charmap.ISO8859_15, "iso8859-15": charmap.ISO8859_15, "iso_8859-15": charmap.ISO8859_15, "latin9": charmap.ISO8859_15,
	"macintosh": charmap.Macintosh, "mac": charmap.Macintosh, "x-mac-roman": charmap.Macintosh,
}

// inUTF8 brings a feed into UTF-8, out of the encoding that it declares.
func inUTF8(r io.Reader) (io.Reader, error) {
	all := bufio.NewReaderSize(unmarked(r), 64<<10)
	head, _ := all.Peek(512)
	found := declaration.FindSubmatch(head)
	if found == nil {
		return all, nil
	}
	name := strings.ToLower(strings.TrimSpace(string(found[1])))
	if name == "utf-8" || name == "utf8" || strings.HasPrefix(name, "utf-16") {
		return all, nil // of UTF-16 the byte order mark has said so already
	}
	charset, known := charsets[name]
	if !known {
		return all, fault.Textf("the encoding %q is not known", found[1])
	}
	return charset.NewDecoder().Reader(all), nil
}
