package exchange

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// feedEnds is what a feed has around its listings.
type feedEnds struct {
	begins, ends string
	// partial is begins of a file that has a part of the listings.
	partial string
	// owner are the elements of the agency around listings, in their order.
	owner []string
}

// feedWriting returns what writes a feed.
func feedWriting(around feedEnds) func(*format, io.Writer) listingWriter {
	return func(f *format, w io.Writer) listingWriter {
		return &feedWriter{out: xmlWriter{Writer: w}, feedEnds: around, format: f, shape: f.feed}
	}
}

// feedWriter writes listings as elements, and those of one agency after the other in one element of it.
type feedWriter struct {
	feedEnds
	*format
	out   xmlWriter
	shape *feedShape
	begun bool
	// open is the agency whose element is open.
	open record
}

func (w *feedWriter) begin() {
	if !w.begun {
		w.begun = true
		w.out.raw(xml.Header + w.begins)
	}
}

func (w *feedWriter) write(e transfer.Exported) error {
	w.begin()
	var agency record
	root := node{segment: w.shape.listing}
	for _, v := range w.record(e) {
		if strings.HasPrefix(v.at, "../") {
			agency = append(agency, v)
		} else {
			root.put(v)
		}
	}
	if w.shape.owner != "" && !slices.Equal(agency, w.open) {
		w.close()
		w.out.raw("<" + w.shape.owner + ">")
		for _, name := range w.owner {
			said := agency.like(value{at: "../" + name})
			w.out.element(&node{segment: name, content: said, full: true})
		}
		w.out.raw("\n")
		w.open = agency
	}
	w.out.element(&root)
	w.out.raw("\n")
	return w.out.err
}

func (w *feedWriter) close() {
	if w.open != nil {
		w.out.raw("</" + w.shape.owner + ">\n")
	}
}

func (w *feedWriter) end() error {
	w.begin()
	w.close()
	w.out.raw(w.ends)
	return w.out.err
}

// node is an element that is written.
type node struct {
	// segment is the part of its place, with its values of attributes; n tells several of it apart.
	segment  string
	n        int
	attrs    []xml.Attr
	content  string
	children []*node
	// full: it is written though nothing is in it.
	full bool
}

// put adds a value to an element, at its place in it.
func (e *node) put(v value) {
	said := v.content
	at := v.by.at
	if star := strings.HasSuffix(at, "*"); star && v.language != "" {
		at = strings.TrimSuffix(at, "*") + v.language
	} else if star {
		at, said = strings.TrimSuffix(at, "*")+said, ""
	}
	for segment := range strings.SplitSeq(at, "/") {
		name, attribute := segment, ""
		if i := strings.LastIndexByte(segment, '@'); i >= 0 && !strings.Contains(segment[i:], "=") {
			name, attribute = segment[:i], segment[i+1:]
		}
		if e = e.child(name, v.n); attribute != "" {
			e.attrs = append(e.attrs, xml.Attr{Name: xml.Name{Local: attribute}, Value: said})
			return
		}
	}
	if _, is, equal := strings.Cut(e.segment, "="); equal && !strings.Contains(e.segment, "@") {
		said = is
	}
	e.content, e.full = said, true
}

// child returns the element in another one, which is made where it is not there yet.
func (e *node) child(segment string, n int) *node {
	name, several := strings.CutSuffix(segment, "+")
	if !several {
		n = 0
	}
	for _, c := range e.children {
		if c.segment == name && c.n == n {
			return c
		}
	}
	made := &node{segment: name, n: n}
	e.children = append(e.children, made)
	return made
}

// xmlWriter writes elements until there is an error.
type xmlWriter struct {
	io.Writer
	err error
}

func (w *xmlWriter) raw(text string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.Writer, text)
	}
}

func (w *xmlWriter) element(e *node) {
	name, values, _ := strings.Cut(e.segment, "@")
	name, _, _ = strings.Cut(name, "=")
	w.raw("<" + name)
	if values != "" {
		for pair := range strings.SplitSeq(values, "@") {
			key, is, _ := strings.Cut(pair, "=")
			w.raw(" " + key + `="` + escaped(is) + `"`)
		}
	}
	for _, a := range e.attrs {
		w.raw(" " + a.Name.Local + `="` + escaped(a.Value) + `"`)
	}
	w.raw(">" + strings.ReplaceAll(escaped(e.content), "&#xA;", "\n"))
	for _, c := range e.children {
		w.element(c)
	}
	w.raw("</" + name + ">")
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer has no errors
	return b.String()
}

// sayableInXML returns what is left of a text in XML.
func sayableInXML(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case breaksLine(r):
			return '\n'
		case r == '\ufffe' || r == '\uffff':
			return -1
		}
		return r
	}, strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), ""))
	return decode(text, true)
}
