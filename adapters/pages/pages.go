package pages

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"sync"

	"github.com/vitrine-crm/vitrine/adapters/internal/look"
)

// Options say what pages are about. Document is required.
type Options struct {
	// Document returns the OpenAPI document, which is served at /openapi.json.
	Document func() ([]byte, error)
	// Origin is the scheme and host that samples call.
	Origin string
	// Environment is shown on each page, such as sandbox; empty for nothing.
	Environment string
	// Console is where operators sign in; empty where that is nobody's business.
	Console string
	// Portal is where clients of the API see what is their own; empty for none.
	Portal string
	// Health reports that the server answers /healthz where the pages are.
	Health bool
	// First are the calls to begin with, in a server with a Demo.
	First []Call
	// Demo is what everybody may know; nil shows no secret and fills in nothing.
	Demo *Demo
}

// Demo is how to look around in a server with invented data.
type Demo struct {
	// Clients are those of the API; the first one is filled in where somebody signs in.
	Clients []Client
	// Operator and Password are for the console.
	Operator, Password string
	// Requests tells with what operations are first tried here, instead of the examples
	// of the document. It is asked when somebody first opens a page.
	Requests func(context.Context) ([]Request, error)
	// Picture draws the file that is sent where nobody chooses one.
	Picture func() []byte
}

// Request is sent to an operation. The path has the query in it; the body is JSON, also
// of forms, or empty.
type Request struct{ Method, Path, Body string }

// Client is a client of the API.
type Client struct {
	ID, Secret string
	Site       int64
	// Reaches says what it may do, and where.
	Reaches string
}

// Call names an operation.
type Call struct{ Method, Path string }

// Pages answer the requests of browsers.
type Pages struct {
	// Front is the page at /; Reference answers /docs and below.
	Front, Reference http.Handler
}

//go:embed *.html
var sources embed.FS

//go:embed assets
var files embed.FS

// Base is where the reference is.
const Base = "/docs"

// New makes pages. The document is read when somebody first opens one.
func New(o Options) *Pages {
	p := &opened{Options: o}
	return &Pages{
		Front:     p.handler(func(s *site) http.Handler { return s.frontPage }),
		Reference: p.handler(func(s *site) http.Handler { return s.referencePages }),
	}
}

// opened makes the site for the first visitor, and again as long as that fails.
type opened struct {
	Options
	mu   sync.Mutex
	made *site
}

func (p *opened) site(ctx context.Context) (*site, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made != nil {
		return p.made, nil
	}
	s, err := newSite(ctx, p.Options)
	if err != nil {
		return nil, err
	}
	p.made = s
	return s, nil
}

func (p *opened) handler(part func(*site) http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := p.site(r.Context())
		if err != nil {
			cannotBeShown(w)
			return
		}
		part(s).ServeHTTP(w, r)
	})
}

func cannotBeShown(w http.ResponseWriter) {
	http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
}

// newSite reads the document, and makes what all pages have in common.
func newSite(ctx context.Context, o Options) (*site, error) {
	assets, err := look.NewAssets(Base + "/assets/")
	if err != nil {
		return nil, err
	}
	s := &site{Options: o, assets: assets}
	document, err := o.Document()
	if err != nil {
		return nil, err
	}
	if s.document, s.operations, err = readDocument(document); err != nil {
		return nil, err
	}
	if s.requests, err = newRequests(ctx, s.document, s.operations, o.Demo); err != nil {
		return nil, err
	}
	if s.guides, err = newGuides(s.operations); err != nil {
		return nil, err
	}
	s.readings = readings(s.guides, s.operations)
	s.finder = newFinder(s.document, s.operations, s.guides, s.readings)
	if err := s.addAssets(); err != nil {
		return nil, err
	}
	if s.templates, err = template.New("").Funcs(template.FuncMap{"asset": assets.Path, "prose": prose, "line": line, "page": pagePath}).
		Option("missingkey=error").ParseFS(sources, "*.html"); err != nil {
		return nil, err
	}
	if s.sampler, err = newSampler(o.Origin, s.demoClient()); err != nil {
		return nil, err
	}
	s.frontPage, s.referencePages = s.once("front", func() any { return s.front() }), s.reference()
	return s, nil
}

// site is what all pages have in common.
type site struct {
	Options
	document   *document
	operations []*operation
	guides     []*guide
	// readings are the sections of guides about an operation, by its id.
	readings  map[string][]reading
	requests  requests
	finder    finder
	sampler   sampler
	assets    *look.Assets
	templates *template.Template

	frontPage, referencePages http.Handler
}

// addAssets adds what only these pages load: styles, the script, and what the script
// finds entries by.
func (s *site) addAssets() error {
	if err := s.assets.AddFrom(files, "pages.css"); err != nil {
		return err
	}
	index, err := s.finder.index()
	if err != nil {
		return err
	}
	if err := s.assets.Add("index.json", index); err != nil {
		return err
	}
	if s.hasPicture() {
		if err := s.assets.Add(picture, s.Demo.Picture()); err != nil {
			return err
		}
	}
	return s.assets.AddFrom(files, "pages.js")
}

// Info returns what the document says of itself.
func (s *site) Info() info { return s.document.Info }

// picture is the asset that is sent where a file is wanted.
const picture = "picture.webp"

func (s *site) hasPicture() bool { return s.Demo != nil && s.Demo.Picture != nil }

func (s *site) demoClient() Client {
	if s.Demo == nil || len(s.Demo.Clients) == 0 {
		return Client{Site: 1}
	}
	return s.Demo.Clients[0]
}

// frame is what templates show around a page, and the page.
type frame struct {
	*site
	Title string
	// Query is what is looked for, Current where the page is that is shown.
	Query, Current string
	Groups         []group
	Page           any
}

// pagePath returns where the page of an operation is.
func pagePath(id string) string { return Base + "/" + id }

func secure(header http.Header) {
	look.Policy{}.Set(header)
	header.Set("Referrer-Policy", "no-referrer")
}

// htmlType is the type of pages.
const htmlType = "text/html; charset=utf-8"

// once serves a page that is made when it is first asked for. Browsers keep it, and
// ask each time whether it has changed.
func (s *site) once(name string, content func() any) http.Handler {
	return s.onceMade(htmlType, func() ([]byte, error) { return s.render(name, content()) })
}

func (s *site) onceMade(contentType string, content func() ([]byte, error)) http.Handler {
	made := sync.OnceValues(func() (look.File, error) {
		text, err := content()
		if err != nil {
			return look.File{}, err
		}
		return look.NewFile(contentType, text)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		file, err := made()
		if err != nil {
			cannotBeShown(w)
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		file.ServeHTTP(w, r)
	})
}

func (s *site) render(name string, content any) ([]byte, error) {
	var page bytes.Buffer
	if err := s.templates.ExecuteTemplate(&page, name, content); err != nil {
		return nil, fmt.Errorf("showing %s: %w", name, err)
	}
	return page.Bytes(), nil
}
