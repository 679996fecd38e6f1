package main

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"github.com/vitrine-crm/vitrine/adapters/pages"
)

// TestGoldenGuides holds the guides that a server shows below /docs/guides against the
// pages of docs that they are made of. `make golden` writes them anew.
func TestGoldenGuides(t *testing.T) {
	guides := map[string]string{}
	for from, to := range map[string]string{"integrating/": "", "contract/": "contract/", "quickstart": "quickstart", "reference/errors": "error-codes", "reference/authorisation": "rights"} {
		for _, language := range []string{"", "fr/"} {
			for _, page := range documentation(t) {
				name, here := strings.CutPrefix(strings.TrimSuffix(page.path, ".md"), "docs/"+language+from)
				if here {
					guides[page.path] = language + to + strings.Replace(name, "README", "about", 1)
				}
			}
		}
	}
	var made []string
	for page, name := range guides {
		made = append(made, name)
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(filepath.Join("..", "..", page))
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "../../adapters/pages/guides/"+name+".html", guideOf(t, source, page, guides))
		})
	}
	slices.Sort(made)
	if shown := pages.Guides(); !slices.Equal(shown, made) {
		t.Errorf("a server shows the guides %q; the docs have %q", shown, made)
	}
}

// guideOf renders a page. Links to other guides and to the API document lead to where a
// server shows them; other links, and pictures, would lead nowhere and are left out.
func guideOf(t *testing.T, source []byte, from string, guides map[string]string) []byte {
	t.Helper()
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()), goldmark.WithRendererOptions(html.WithXHTML()),
	)
	page := markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(anchorIDs{}))))
	var gone []ast.Node
	err := ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, isLink := n.(*ast.Link)
		switch {
		case !entering:
		case n.Kind() == ast.KindImage, n.Kind() == ast.KindHTMLBlock:
			gone = append(gone, n)
		case n.Kind() == ast.KindListItem && originalOf(from) == "docs/reference/errors.md":
			n.SetAttributeString("id", n.FirstChild().FirstChild().FirstChild().(*ast.Text).Segment.Value(source))
		case isLink && originalOf(path.Join(path.Dir(from), string(link.Destination))) == originalOf(from):
			gone = append(gone, n.Parent()) // the link to the other language, which the server shows by itself
		case isLink:
			if target, shown := shownAt(string(link.Destination), from, guides); shown {
				link.Destination = []byte(target)
			} else {
				gone = append(gone, n)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range gone {
		parent := n.Parent()
		for n.Kind() == ast.KindLink && n.FirstChild() != nil {
			parent.InsertBefore(parent, n, n.FirstChild())
		}
		parent.RemoveChild(parent, n)
		if parent.Kind() == ast.KindParagraph && !parent.HasChildren() {
			parent.Parent().RemoveChild(parent.Parent(), parent)
		}
	}
	var out bytes.Buffer
	out.WriteString(generated[:len(generated)-1])
	if err := markdown.Renderer().Render(&out, source, page); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// anchorIDs give headings the ids by which other pages link them.
type anchorIDs struct{}

func (anchorIDs) Generate(heading []byte, _ ast.NodeKind) []byte {
	return []byte(anchorOf(string(heading)))
}
func (anchorIDs) Put([]byte) {}

// shownAt returns the address below which a server shows what a link of a page leads to.
func shownAt(link, from string, guides map[string]string) (address string, shown bool) {
	target, fragment, _ := strings.Cut(link, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	switch {
	case strings.Contains(target, "://"):
		return link, true
	case target == "":
		return fragment, true
	}
	target = path.Join(path.Dir(from), target)
	if target == "docs/reference/openapi.json" {
		return "/openapi.json", true
	}
	name, isGuide := guides[target]
	return pages.Base + "/guides/" + name + fragment, isGuide
}
