package kit

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/internal/look"
)

// sources are the templates that rooms share: the layout, and the parts pages are made of.
//
//go:embed layout.html parts.html confirm.html
var sources embed.FS

// templates are the pages, ready to be shown, by the name that the table gives them.
type templates map[string]*template.Template

// Material is what pages are made of, whatever console shows them.
type Material struct {
	assets    *look.Assets
	templates templates
}

// Prepare parses the templates of rooms and compresses the assets. It is done once for all
// consoles of a process.
func Prepare(rooms []Room) (Material, error) {
	assets, err := loadAssets()
	if err != nil {
		return Material{}, err
	}
	parsed, err := parseTemplates(rooms)
	return Material{assets, parsed}, err
}

// Draw writes a template in a frame.
func (m Material) Draw(w io.Writer, name string, f Frame) error {
	f.assets = m.assets
	return m.templates[name].Execute(w, f)
}

// TemplateNames returns the templates of rooms, and those that all share.
func TemplateNames(rooms []Room) []string {
	names := []string{FailureTemplate, WhichSiteTemplate, "confirm", "form"}
	for _, r := range rooms {
		names = append(names, r.Others...)
		for _, p := range r.Pages {
			if p.Template != "" {
				names = append(names, p.Template)
			}
		}
	}
	return names
}

// parseTemplates makes a whole document of each template of rooms.
func parseTemplates(rooms []Room) (templates, error) {
	base, err := template.New("console").Option("missingkey=error").ParseFS(sources, "*.html")
	for _, r := range rooms {
		if err == nil && r.Templates != nil {
			base, err = base.ParseFS(r.Templates, "*.html")
		}
	}
	if err != nil {
		return nil, err
	}
	all := templates{}
	for _, name := range TemplateNames(rooms) {
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

// Frame is what the layout shows around a page. Templates of pages have it as $,
// and what is theirs as .Page.
type Frame struct {
	Prefix string
	assets *look.Assets
	// Site is what stands for the site in addresses: 0 where nobody has signed in, or the operator has no
	// site. All reports that the page is about all of them.
	Site string
	All  bool

	Title, Nonce, Environment string
	Flash                     *Flash
	// Menu is empty where nobody has signed in.
	Menu           []Section
	Sites          []Choice
	Operator, Role string
	// JumpsTo names what the box on top finds.
	JumpsTo string
	Page    any
}

// Section is a part of the menu.
type Section struct {
	Label string
	Items []Item
}

// Item is a line of the menu.
type Item struct {
	Label, Href, Icon, Badge string
	Current                  bool
}

// Link returns the address of a page, given the parts of its path.
func (f Frame) Link(parts ...any) string { return Link(f.Prefix, parts...) }

// Action returns where a form is sent to: as Link, and for the site that the page was
// shown for, whatever site the operator looks at by then in another tab.
func (f Frame) Action(parts ...any) string { return action(f.Prefix, f.Site, parts...) }

// Asset returns the address of a file that browsers load besides the page.
func (f Frame) Asset(name string) (string, error) {
	at, err := f.assets.Path(name)
	return f.Prefix + at, err
}

// Link returns the address of a page below a prefix, given the parts of its path.
func Link(prefix string, parts ...any) string {
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

func action(prefix, site string, parts ...any) string {
	return Link(prefix, parts...) + "?site=" + site
}

// write shows a template in the frame. A page is made as a whole before anything of
// it is sent, so that none ends in the middle.
func (c *Console) write(w http.ResponseWriter, status int, name string, f Frame) error {
	var page bytes.Buffer
	if err := c.Draw(&page, name, f); err != nil {
		return fmt.Errorf("showing %s: %w", name, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
	return nil
}
