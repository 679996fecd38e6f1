package exchange

import (
	"cmp"
	stdhtml "html"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// describe adds the texts of a language, if there are any.
func describe(l *transfer.Listing, language, title, text string) {
	d := product.DescriptionInput{Language: language}
	if title = phrase(l, "description "+language+", title", title); title != "" {
		d.Title = opt.Of(title)
	}
	if text = withoutMarkup(l, "description "+language+", text", text); text != "" {
		d.Text = opt.Of(text)
	}
	if language != "" && (d.Title.Set || d.Text.Set) {
		l.Descriptions = append(l.Descriptions, d)
	}
}

// phrase returns a text without markup, on one line where it had any.
func phrase(l *transfer.Listing, source, said string) string {
	text := withoutMarkup(l, source, said)
	if text != said {
		text = oneLine([]byte(text))
	}
	return text
}

// withoutMarkup returns a text without markup, and notes that it had some beside ends of lines.
func withoutMarkup(l *transfer.Listing, source, said string) string {
	text, tag := plainText(said)
	if tag != "" {
		l.NotUnderstood = append(l.NotUnderstood, transfer.NotUnderstood{Source: source, Value: tag, Why: fault.Textf("markup was taken out of the text").String()})
	}
	return text
}

// maxEscaped is how often markup may be escaped within markup.
const maxEscaped = 5

var (
	blankEnds  = regexp.MustCompile(`[ \t\x{a0}]+\n`)
	blankLines = regexp.MustCompile(`\n{3,}`)
)

// plainText returns a text without markup, and the first tag that was taken out of it; ends of lines
// do not count. Entities are decoded, ends of paragraphs, list items and other blocks are ends of
// lines, and scripts and styles go with their content. Markup that was escaped once more is markup
// too.
func plainText(said string) (text, tag string) {
	text = said
	for range maxEscaped {
		if !strings.ContainsAny(text, "<&") {
			break
		}
		once, first := unmarkedOnce(text)
		if tag == "" {
			tag = first
		}
		if once == text {
			break
		}
		text = once
	}
	if text != said {
		text = blankLines.ReplaceAllString(blankEnds.ReplaceAllString(strings.TrimSpace(text), "\n"), "\n\n")
	}
	return text, tag
}

// entity is a character by its name or number. Without a semicolon it is text: URLs have & before the
// names of parameters.
var entity = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

func unescape(text string) string {
	return entity.ReplaceAllStringFunc(text, func(name string) string {
		switch decoded := stdhtml.UnescapeString(name); decoded {
		case "\u00a0":
			return " "
		case "\u00ad", "\x00":
			return ""
		default:
			return decoded
		}
	})
}

// unread are elements whose content nobody is to read.
var unread = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Iframe: true}

// blocks are elements that begin and end on lines of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Li: true, atom.Ul: true, atom.Ol: true, atom.Dl: true, atom.Dt: true, atom.Dd: true, atom.H1: true, atom.H2: true,
	atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Tr: true, atom.Table: true, atom.Blockquote: true, atom.Section: true,
	atom.Article: true, atom.Header: true, atom.Footer: true, atom.Pre: true, atom.Hr: true, atom.Title: true,
}

// unmarkedOnce is plainText of markup that is escaped once. An opening angle that begins no tag, or
// one without an end, is text.
func unmarkedOnce(said string) (text, tag string) {
	in := html.NewTokenizer(strings.NewReader(said))
	var w lineWriter
	skips := false
	for {
		kind := in.Next()
		raw := string(in.Raw())
		if kind == html.TextToken || kind == html.ErrorToken {
			if !skips {
				w.text(unescape(raw))
			}
			if kind == html.ErrorToken {
				return w.String(), tag
			}
			continue
		}
		if kind == html.CommentToken && !strings.HasSuffix(raw, ">") {
			// It has no end, and neither have those in it: the rest is text.
			if !strings.HasPrefix(raw, commentBegins) {
				w.text(unescape(raw))
				return w.String(), tag
			}
			rest, _ := unmarkedOnce(strings.ReplaceAll(raw, commentBegins, ""))
			w.text(rest)
			return w.String(), cmp.Or(tag, commentBegins)
		}
		name, _ := in.TagName()
		element := atom.Lookup(name)
		switch {
		case element == atom.Br:
			w.endLine()
			continue
		case blocks[element]:
			w.ownLine()
		}
		skips = kind == html.StartTagToken && unread[element]
		if tag == "" {
			tag = short(raw)
		}
	}
}

// lineWriter puts lines together.
type lineWriter struct {
	strings.Builder
	// ended: the last that was written is an end of a line that markup asked for. One in the source
	// behind it is that same one.
	ended bool
	// filled: there is something on the line.
	filled bool
}

func (w *lineWriter) text(text string) {
	if w.ended {
		if rest := strings.TrimLeft(text, " \t\r"); strings.HasPrefix(rest, "\n") {
			text = rest[1:]
		}
	}
	if text != "" {
		w.WriteString(text)
		last := strings.LastIndexByte(text, '\n') + 1
		w.filled = strings.Trim(text[last:], " \t") != "" || w.filled && last == 0
		w.ended = false
	}
}

func (w *lineWriter) endLine() {
	w.WriteByte('\n')
	w.ended, w.filled = true, false
}

// ownLine ends a line unless nothing is on it.
func (w *lineWriter) ownLine() {
	if w.filled {
		w.WriteByte('\n')
	}
	w.ended, w.filled = true, false
}
