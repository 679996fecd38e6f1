package pages

import (
	"cmp"
	"embed"
	"html"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// guideFiles are pages for those who write clients, as HTML without a frame. `make golden`
// makes them from the docs.
//
//go:embed guides
var guideFiles embed.FS

// guideGroups are the guides in the order in which they are listed, and the folder of each group.
var guideGroups = []struct {
	lang, name, folder string
	guides             []string
}{
	{"en", "Guides", "", forClients},
	{"fr", "Guides en français", "fr/", slices.DeleteFunc(slices.Clone(forClients), func(name string) bool { return name == "rights" })},
	{"en", "The contract", "contract/", []string{
		"about", "requests", "access", "criteria", "products", "pictures", "searching", "customers", "transactions", "agenda", "events", "coverage",
	}},
}

// otherFolder is where the guides of a folder are in the other language.
var otherFolder = map[string]string{"": "fr/", "fr/": ""}

var forClients = []string{
	"quickstart", "about", "clients", "conform", "access", "catalogue", "webhooks", "searching", "matching", "writing", "pictures",
	"customers", "transactions", "visits", "errors", "error-codes", "rights", "limits", "format",
}

// Guides returns the paths of the guides below /docs/guides, sorted.
func Guides() []string {
	var all []string
	for _, group := range guideGroups {
		for _, name := range group.guides {
			all = append(all, group.folder+name)
		}
	}
	slices.Sort(all)
	return all
}

// guide is a page for those who write clients.
type guide struct {
	Lang, Group, Title string
	// Path is where it is; Other is where it is in the other language, if it is there.
	Path, Other string
	Body        template.HTML
	Sections    []section
}

// idOf returns by which id a section is found.
func (g *guide) idOf(s section) string { return g.Path + "#" + s.ID }

// section is what stands below a heading of a guide, or in an entry of a list that has an id.
type section struct {
	ID, Title, text string
}

var (
	sectionStart = regexp.MustCompile(`<(h[1-6]|li) id="([^"]+)">`)
	titleOf      = regexp.MustCompile(`(?s)^<(?:h[1-6])[^>]*>(.*?)</h|^<li.*?<code>(.*?)</code>`)
	tag          = regexp.MustCompile(`<[^>]*>`)
	codeOfCall   = regexp.MustCompile(`<code>` + call + `[^<]*</code>`)
	callInText   = regexp.MustCompile(call)
)

// call matches a method and a path, with or without a host in braces before it, or the path
// alone of a call in a shell.
const call = `(?:(GET|POST|PUT|PATCH|DELETE) +(?:\{\w+\})?|\$API)(/[^\s<?&"]+)`

// scrolled has keys reach what scrolls sideways on narrow screens.
var scrolled = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<table tabindex="0">`)

// newGuides reads the guides, and links the calls in them to the pages of operations.
func newGuides(operations []*operation) ([]*guide, error) {
	var all []*guide
	for _, group := range guideGroups {
		for _, name := range group.guides {
			text, err := fs.ReadFile(guideFiles, path.Join("guides", group.folder+name+".html"))
			if err != nil {
				return nil, err
			}
			body := linked(string(text), operations)
			g := &guide{Lang: group.lang, Group: group.name, Path: Base + "/guides/" + group.folder + name}
			if other, translated := otherFolder[group.folder]; translated && slices.Contains(Guides(), other+name) {
				g.Other = Base + "/guides/" + other + name
			}
			g.Body = template.HTML(scrolled.Replace(body)) //nolint:gosec // it was made of the docs
			g.Sections = sectionsOf(body)
			g.Title = g.Sections[0].Title
			all = append(all, g)
		}
	}
	return all, nil
}

// sectionsOf divides a guide at its headings and the entries of lists that have an id.
func sectionsOf(body string) []section {
	starts := sectionStart.FindAllStringSubmatchIndex(body, -1)
	var all []section
	for i, start := range starts {
		end := len(body)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		part := body[start[0]:end]
		title := titleOf.FindStringSubmatch(part)
		all = append(all, section{ID: body[start[4]:start[5]], Title: plain(cmp.Or(title[1], title[2])), text: plain(part)})
	}
	return all
}

// plain returns the text of HTML.
func plain(text string) string { return html.UnescapeString(tag.ReplaceAllString(text, " ")) }

// linked makes links to the pages of operations of the calls that a guide names.
func linked(body string, operations []*operation) string {
	return codeOfCall.ReplaceAllStringFunc(body, func(code string) string {
		named := codeOfCall.FindStringSubmatch(code)
		if o := operationCalled(operations, named[1], named[2]); o != nil {
			return `<a href="` + pagePath(o.ID) + `">` + code + `</a>`
		}
		return code
	})
}

// operationCalled returns the operation that a text calls by its method, if it gives one, and the end of
// its path, in which "{productId}", "{id}" and "4711" are the same. Of several it is the one with
// the fewest of them, then with the shortest path.
func operationCalled(operations []*operation, method, path string) (called *operation) {
	segments := strings.Split(strings.TrimRight(path, ".,;:)"), "/")[1:]
	fewest := 0
	for _, o := range operations {
		all := strings.Split(o.Path, "/")[1:]
		if method != "" && o.Method != method || len(all) < len(segments) {
			continue
		}
		variables, same := 0, true
		for i, named := range all[len(all)-len(segments):] {
			if strings.HasPrefix(named, "{") {
				variables++
			} else {
				same = same && named == segments[i]
			}
		}
		if same && variables < len(segments) && (called == nil || variables < fewest || variables == fewest && len(o.Path) < len(called.Path)) {
			called, fewest = o, variables
		}
	}
	return called
}

// reading is a section of a guide that names an operation.
type reading struct {
	Guide   *guide
	Section section
}

// Path returns where the section is.
func (r reading) Path() string { return r.Guide.idOf(r.Section) }

// listings are the guides that name every operation, and say little of each.
var listings = []string{Base + "/guides/rights", Base + "/guides/contract/coverage"}

// readings returns for each operation the sections that call it, one of each guide.
func readings(guides []*guide, operations []*operation) map[string][]reading {
	of := map[string][]reading{}
	for _, g := range guides {
		if slices.Contains(listings, g.Path) {
			continue
		}
		for _, s := range g.Sections {
			for _, named := range callInText.FindAllStringSubmatch(s.text, -1) {
				o := operationCalled(operations, named[1], named[2])
				if o != nil && !slices.ContainsFunc(of[o.ID], func(r reading) bool { return r.Guide == g }) {
					of[o.ID] = append(of[o.ID], reading{g, s})
				}
			}
		}
	}
	return of
}
