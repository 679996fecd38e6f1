package kit

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/phrases"
	"github.com/vitrine-crm/vitrine/adapters/internal/look"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// sources are the templates that rooms share: the layout, and the parts pages are made of.
//
//go:embed layout.html parts.html confirm.html
var sources embed.FS

// Material is what pages are made of, whatever console shows them.
type Material struct {
	assets *look.Assets
	// Languages are those that pages are shown in, and templates those of all pages in each.
	Languages []Language
	templates []*template.Template
}

// Prepare parses the templates of rooms in each language, and compresses the assets. It is done
// once for all consoles of a process.
func Prepare(rooms []Room) (Material, error) {
	assets, err := loadAssets()
	if err != nil {
		return Material{}, err
	}
	m := Material{assets: assets, Languages: []Language{{}, {API: fault.French, words: map[Text]Text{}}}}
	for _, table := range []map[string]string{phrases.Codes, phrases.Words} {
		for english, french := range table {
			m.Languages[fault.French].words[Text(english)] = Text(french)
		}
	}
	for _, r := range rooms {
		maps.Copy(m.Languages[fault.French].words, r.French)
	}
	for _, l := range m.Languages {
		parsed, err := parseTemplates(rooms, l)
		if err != nil {
			return Material{}, err
		}
		m.templates = append(m.templates, parsed)
	}
	return m, nil
}

// Draw writes a template in a frame.
func (m Material) Draw(w io.Writer, name string, f Frame) error {
	f.assets = m.assets
	if f.Content == "" {
		content, err := m.contentOf(name, f)
		if err != nil {
			return err
		}
		f.Content = content
	}
	return m.templates[f.Language.API].ExecuteTemplate(w, "document", f)
}

// contentOf returns what a template shows of a page.
func (m Material) contentOf(name string, f Frame) (template.HTML, error) {
	f.assets = m.assets
	var content bytes.Buffer
	err := m.templates[f.Language.API].ExecuteTemplate(&content, name, f)
	return template.HTML(content.String()), err //nolint:gosec // a template has escaped it
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

// Shared returns the templates that all rooms share, and their French.
func Shared() Room { return Room{Templates: sources, FrenchPhrases: phrases.Phrases} }

// parseTemplates parses the templates of rooms in a language.
func parseTemplates(rooms []Room, l Language) (*template.Template, error) {
	base := template.New("console").Option("missingkey=error").Funcs(template.FuncMap{shownBy: l.shown})
	for _, r := range append([]Room{Shared()}, rooms...) {
		if r.Templates == nil {
			continue
		}
		names, err := fs.Glob(r.Templates, "*.html")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			source, err := fs.ReadFile(r.Templates, name)
			if err != nil {
				return nil, err
			}
			if base, err = base.Parse(r.inLanguage(l, string(source))); err != nil {
				return nil, err
			}
		}
	}
	if l.API != fault.English {
		phrases.ShowBy(base, shownBy)
	}
	for _, name := range TemplateNames(rooms) {
		if base.Lookup(name) == nil {
			return nil, fmt.Errorf("there is no template %q", name)
		}
	}
	return base, nil
}

// inLanguage returns a template of the room in a language.
func (r Room) inLanguage(l Language, source string) string {
	if l.API == fault.English {
		return source
	}
	return phrases.Translated(source, r.InFrench)
}

// InFrench returns a phrase of a template of the room in French.
func (r Room) InFrench(phrase string) (french string, known bool) {
	if french, known = r.FrenchPhrases[phrase]; !known {
		french, known = phrases.Phrases[phrase]
	}
	return french, known
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

	// Language is what the page is shown in, Languages lead to the page in the others.
	Language  Language
	Languages []Choice

	Title, Nonce, Environment string
	// Zone is the name of the time zone of the times on the page.
	Zone  string
	Flash *Flash
	// Menu is empty where nobody has signed in.
	Menu           []Section
	Sites          []Choice
	Operator, Role string
	// Self is the address of the page about who has signed in.
	Self string
	// JumpsTo names what the box on top finds; empty where there is none.
	JumpsTo string
	// Filters are those of the list of the page; nil where there are none.
	Filters *filters.Shown
	Page    any
	// Content is the page as its template shows it; Draw makes it where it is empty.
	Content template.HTML
	// Lists are those of the page, which lead to them as CSV.
	Lists []Ref
	// Again are the fields of the form that asked for the page, which is sent again to AskedAt to sort a list,
	// to go on in it or for its file; AskedAt is empty for what was asked for by an address.
	Again   []Choice
	AskedAt string
}

// Section is a part of the menu.
type Section struct {
	Label Text
	Items []Item
}

// Item is a line of the menu.
type Item struct {
	Label             Text
	Href, Icon, Badge string
	Current           bool
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

// Merged returns several tables as one.
func Merged(tables ...map[Text]Text) map[Text]Text {
	all := map[Text]Text{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}
