package pages

import (
	"html/template"
	"regexp"
	"strings"
)

var (
	inlineCode = regexp.MustCompile("`([^`]+)`")
	inlineLink = regexp.MustCompile(`\[([^\]]+)\]\((/[^)\s]*|https?://[^)\s]+)\)`)
)

// prose shows the little Markdown that descriptions have: paragraphs, lists, code
// and links.
func prose(text string) template.HTML {
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if block == "" {
			continue
		}
		if items, list := strings.CutPrefix(block, "- "); list {
			out.WriteString("<ul>")
			for item := range strings.SplitSeq(items, "\n- ") {
				out.WriteString("<li>" + inline(item) + "</li>")
			}
			out.WriteString("</ul>")
			continue
		}
		out.WriteString("<p>" + inline(block) + "</p>")
	}
	return template.HTML(out.String()) //nolint:gosec // everything but the tags is escaped
}

// line returns a description without paragraphs.
func line(text string) template.HTML {
	return template.HTML(inline(text)) //nolint:gosec // everything but the tags is escaped
}

func inline(text string) string {
	text = template.HTMLEscapeString(text)
	text = inlineCode.ReplaceAllString(text, "<code>$1</code>")
	return inlineLink.ReplaceAllString(text, `<a href="$2">$1</a>`)
}
