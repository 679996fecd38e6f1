package console

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/vitrine-crm/vitrine/adapters/internal/look"
)

// sources are the templates: the layout, the parts pages are made of, and those of
// each subject next to its code.
//
//go:embed *.html
var sources embed.FS

// templates are the pages, ready to be shown, by the name that the table gives them.
type templates map[string]*template.Template

// material is what pages are made of, whatever console shows them.
type material struct {
	assets    *look.Assets
	templates templates
}

// prepare parses the templates and compresses the assets, once for all consoles.
var prepare = sync.OnceValues(func() (material, error) {
	assets, err := loadAssets()
	if err != nil {
		return material{}, err
	}
	parsed, err := parseTemplates(templateNames())
	return material{assets, parsed}, err
})

// parseTemplates makes a whole document of each of the named templates.
func parseTemplates(names []string) (templates, error) {
	base, err := template.New("console").Option("missingkey=error").ParseFS(sources, "*.html")
	if err != nil {
		return nil, err
	}
	all := templates{}
	for _, name := range names {
		content := base.Lookup(name)
		if content == nil {
			return nil, fmt.Errorf("there is no template %q", name)
		}
		document, err := base.Clone()
		if err != nil {
			return nil, err
		}
		if _, err := document.AddParseTree("content", content.Tree); err != nil {
			return nil, err
		}
		all[name] = document.Lookup("document")
	}
	return all, nil
}

// frame is what the layout shows around a page. Templates of pages have it as $,
// and what is theirs as .Page.
type frame struct {
	prefix string
	assets *look.Assets
	// site is 0 where nobody has signed in, or the operator has no site.
	site int64

	Title, Nonce, Environment string
	Flash                     *flash
	// Menu is empty where nobody has signed in.
	Menu           []section
	Sites          []choice
	Operator, Role string
	// JumpsTo names what the box on top finds.
	JumpsTo string
	Page    any
}

// section is a part of the menu.
type section struct {
	Label string
	Items []item
}

// item is a line of the menu.
type item struct {
	Label, Href, Icon, Badge string
	Current                  bool
}

// Link returns the address of a page, given the parts of its path.
func (f frame) Link(parts ...any) string { return link(f.prefix, parts...) }

// Action returns where a form is sent to: as Link, and for the site that the page was
// shown for, whatever site the operator looks at by then in another tab.
func (f frame) Action(parts ...any) string { return action(f.prefix, f.site, parts...) }

// Asset returns the address of a file that browsers load besides the page.
func (f frame) Asset(name string) (string, error) {
	at, err := f.assets.Path(name)
	return f.prefix + at, err
}

func link(prefix string, parts ...any) string {
	var to strings.Builder
	to.WriteString(prefix)
	for _, part := range parts {
		to.WriteString("/" + url.PathEscape(fmt.Sprint(part)))
	}
	if len(parts) == 0 {
		to.WriteString("/")
	}
	return to.String()
}

func action(prefix string, site int64, parts ...any) string {
	return fmt.Sprintf("%s?site=%d", link(prefix, parts...), site)
}

// write shows a template in the frame. A page is made as a whole before anything of
// it is sent, so that none ends in the middle.
func (c *Console) write(w http.ResponseWriter, status int, name string, f frame) error {
	var page bytes.Buffer
	if err := c.templates[name].Execute(&page, f); err != nil {
		return fmt.Errorf("showing %s: %w", name, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
	return nil
}
