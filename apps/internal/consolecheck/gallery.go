package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/browser"
)

// shown is a page of the gallery.
type shown struct {
	// path is the words of its address; a star is the name of a record.
	path, address, title string
}

// file returns the picture of the page.
func (s shown) file() string {
	name := strings.Trim(strings.NewReplacer("/", "-", "*", "one").Replace(s.path), "-")
	if name == "" {
		name = "front"
	}
	return name + ".webp"
}

// gallery draws one page of each path, and writes the page of the documentation that
// shows them all.
func gallery(b *browser.Browser, box *sandbox, folder string) error {
	if err := b.As(browser.View{Name: "gallery", Scheme: "light", Width: 1280, Height: 900, Scripts: true}); err != nil {
		return err
	}
	operation, err := firstCall(b, box)
	if err != nil {
		return err
	}
	operation, _, _ = strings.Cut(operation, "#")
	found, err := crawl(b, box)
	if err != nil {
		return err
	}
	pages := []shown{
		{path: "/", address: box.url("/")}, {path: "/docs", address: box.url("/docs")}, {path: "/docs/*", address: operation},
		{path: console + "sign-in", address: box.url(console + "sign-in")},
	}
	for _, address := range found {
		if known := func(p shown) bool { return p.path == path(address) }; !slices.ContainsFunc(pages, known) {
			pages = append(pages, shown{path: path(address), address: address})
		}
	}
	for i := range pages {
		if err := pages[i].draw(b, filepath.Join(folder, "pages")); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, "README.md"), []byte(describe(pages)), 0o644) //nolint:gosec // for everybody
}

func (s *shown) draw(b *browser.Browser, folder string) (err error) {
	if err := b.Show(s.address); err != nil {
		return err
	}
	if s.title, err = browser.Evaluate[string](b, `document.title`); err != nil {
		return err
	}
	return b.Shot(filepath.Join(folder, s.file()), false)
}

// describe returns the page that shows all pictures.
func describe(pages []shown) string {
	var out strings.Builder
	out.WriteString("<!-- Written by `make console-check`; do not edit. -->\n\n# Every page\n\n")
	out.WriteString("What the sandbox shows in a browser: one picture for each page. A star in an address is the name of a record.\n")
	for _, p := range pages {
		// A title such as "Webhook 2 · Belvédère · Console" begins with what the page is.
		title, _, _ := strings.Cut(p.title, " · ")
		fmt.Fprintf(&out, "\n## %s, `%s`\n\n![%s](pages/%s)\n", title, p.path, title, url.PathEscape(p.file()))
	}
	return out.String()
}
