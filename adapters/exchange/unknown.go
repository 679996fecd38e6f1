package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"
)

// errNoFeed is of a file in XML without a BIEN.
var errNoFeed = errors.New("no feed")

// feedRoot is the element that all listings of AC3 are in.
const feedRoot = "LISTEPA"

var (
	rootElement = regexp.MustCompile(`<([A-Za-z_][\w.:-]*)`)
	pageTitle   = regexp.MustCompile(`(?is)<title[^>]*>([^<]*)</title>`)
)

// asFeed returns errNoFeed where no BIEN begins in a file, unless its root says that it is a feed
// without listings. It reads up to the first BIEN.
func asFeed(r io.Reader) (nothing struct{}, err error) {
	content, err := inUTF8(r)
	if err != nil {
		return nothing, nil //nolint:nilerr // it is told of the listings
	}
	root := ""
	in := newTagReader(content)
	for in.Scan() {
		if in.found != other {
			return nothing, nil
		}
		if found := rootElement.FindSubmatch(in.Bytes()); found != nil && root == "" {
			_, root, _ = strings.Cut(":"+string(found[1]), ":")
		}
	}
	if err := in.Err(); err != nil {
		return nothing, err
	}
	if strings.EqualFold(root, feedRoot) || strings.HasSuffix(strings.ToUpper(root), ":"+feedRoot) {
		return nothing, nil
	}
	return nothing, errNoFeed
}

// unknown returns the error of a file that has no listings in a known form: it names what the file
// seems to be.
func unknown(content io.Reader) (nothing struct{}, err error) {
	first, err := bufio.NewReaderSize(unmarked(content), 4096).Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return nothing, err
	}
	return nothing, fmt.Errorf("%s; listings are in a CSV of Poliris (%s between columns), a feed of AC3 (BIEN in %s), or a ZIP archive with one of them",
		seems(first), separator, feedRoot)
}

// seems says what the beginning of a file looks like.
func seems(first []byte) string {
	text := bytes.TrimSpace(first)
	kind, _, _ := strings.Cut(http.DetectContentType(first), ";")
	switch {
	case len(text) == 0:
		return "the file is empty"
	case kind == "text/html":
		page := "the file is a web page"
		if title := pageTitle.FindSubmatch(text); title != nil {
			page += fmt.Sprintf(" (%q)", short(strings.TrimSpace(html.UnescapeString(string(title[1])))))
		}
		return page + ", perhaps to sign in or of an error"
	case text[0] == '<':
		shown := xmlNoise.ReplaceAll(text, nil)
		if root := rootElement.FindSubmatch(shown); root != nil {
			return fmt.Sprintf("the file is XML of another kind, with the root <%s>", short(string(root[1])))
		}
		return "the file begins like XML, and has no element"
	case text[0] == '{' || text[0] == '[':
		return fmt.Sprintf("the file is JSON (%s)", short(oneLine(text)))
	case kind == "application/zip":
		return "the file is a ZIP archive that is damaged or cut off"
	case bytes.HasPrefix(first, []byte("\xd0\xcf\x11\xe0")):
		return "the file is of an office program (such as .xls)"
	case strings.HasPrefix(kind, "text/"):
		return fmt.Sprintf("the file is a text that begins with %q", short(oneLine([]byte(decode(string(text), utf8.Valid(text))))))
	case kind == "application/octet-stream":
		return "the file is of an unknown kind"
	}
	return "the file is of the kind " + kind
}

// xmlNoise may come before the root of a document.
var xmlNoise = regexp.MustCompile(`(?s)<[?!](?:--.*?--|[^>]*?)>`)

func oneLine(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }
