package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"html"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

var (
	rootElement = regexp.MustCompile(`<([A-Za-z_][\w.:-]*)`)
	tagName     = regexp.MustCompile(`^</?(?:[\w.-]+:)?([\w.-]+)`)
	pageTitle   = regexp.MustCompile(`(?is)<title[^>]*>([^<]*)</title>`)
)

// feedOf returns the format of a feed, by the first element that is a sign of one; nil if there is none.
// Of one that is wanted, a listing is enough. It reads up to that element.
func feedOf(r io.Reader, wanted *format) (*format, error) {
	content, _ := inUTF8(r) // an error is told of the listings
	all := slices.DeleteFunc(slices.Clone(formats), func(f *format) bool { return f.feed == nil })
	var signs []string
	for _, f := range all {
		signs = append(signs, f.feed.signs...)
	}
	if wanted != nil && wanted.feed != nil {
		all, signs = []*format{wanted}, append(wanted.feed.signs, wanted.feed.listing)
	}
	for in := newTagReader(content, tagPattern(signs...)); ; {
		if !in.Scan() {
			return nil, in.Err()
		}
		if in.found == other {
			continue
		}
		name := string(tagName.FindSubmatch(in.Bytes())[1])
		for _, f := range all {
			if slices.ContainsFunc(append(f.feed.signs, f.feed.listing), func(s string) bool { return strings.EqualFold(s, name) }) {
				return f, nil
			}
		}
	}
}

// unknown returns the error of a file that has no listings in a known form: it names what the file
// seems to be.
func unknown(content io.Reader) (nothing struct{}, err error) {
	first, err := bufio.NewReaderSize(unmarked(content), 4096).Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return nothing, err
	}
	return nothing, fault.Textf("%s; %s", seems(first), listingsAre())
}

// listingsAre says what files of listings are.
func listingsAre() fault.Text {
	var all []string
	for _, f := range formats {
		all = append(all, operator.ImportFormatTitle(string(f.name))+": "+f.hint)
	}
	return fault.Textf("listings are in %s, or a ZIP archive with one of them", strings.Join(all, ", "))
}

// seems says what the beginning of a file looks like.
func seems(first []byte) fault.Text {
	text := bytes.TrimSpace(first)
	kind, _, _ := strings.Cut(http.DetectContentType(first), ";")
	switch {
	case len(text) == 0:
		return fault.Textf("the file is empty")
	case kind == "text/html":
		if title := pageTitle.FindSubmatch(text); title != nil {
			return fault.Textf("the file is a web page (%q), perhaps to sign in or of an error", short(strings.TrimSpace(html.UnescapeString(string(title[1])))))
		}
		return fault.Textf("the file is a web page, perhaps to sign in or of an error")
	case text[0] == '<':
		shown := xmlNoise.ReplaceAll(text, nil)
		if root := rootElement.FindSubmatch(shown); root != nil {
			return fault.Textf("the file is XML of another kind, with the root <%s>", short(string(root[1])))
		}
		return fault.Textf("the file begins like XML, and has no element")
	case text[0] == '{' || text[0] == '[':
		return fault.Textf("the file is JSON (%s)", short(oneLine(text)))
	case kind == "application/zip":
		return fault.Textf("the file is a ZIP archive that is damaged or cut off")
	case bytes.HasPrefix(first, []byte("\xd0\xcf\x11\xe0")):
		return fault.Textf("the file is of an office program (such as .xls)")
	case strings.HasPrefix(kind, "text/"):
		return fault.Textf("the file is a text that begins with %q", short(oneLine([]byte(decode(string(text), utf8.Valid(text))))))
	case kind == "application/octet-stream":
		return fault.Textf("the file is of an unknown kind")
	}
	return fault.Textf("the file is of the kind %s", kind)
}

// xmlNoise may come before the root of a document.
var xmlNoise = regexp.MustCompile(`(?s)<[?!](?:--.*?--|[^>]*?)>`)

func oneLine(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }
