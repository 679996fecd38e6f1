package showcase

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

var (
	//go:embed templates/*.html
	templates embed.FS
	//go:embed style.css
	style []byte
)

// perPage is how many listings are on a page of results, newest how many on the front page.
const (
	perPage = 24
	newest  = 6
)

var styleHash = func() string {
	sum := sha256.Sum256(style)
	return hex.EncodeToString(sum[:6])
}()

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"euros":   Euros,
	"plain":   plain,
	"decimal": func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) },
	"amount": func(n float64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatFloat(n, 'f', -1, 64)
	},
	"style": func() string { return styleHash },
	"sorts": func() []Facet {
		return []Facet{{Value: recent, Label: "Les plus récentes"}, {Value: priceUp, Label: "Prix croissant"}, {Value: priceDown, Label: "Prix décroissant"}, {Value: larger, Label: "Surface"}}
	},
}).ParseFS(templates, "templates/*.html"))

// Site serves the pages.
type Site struct {
	catalogue catalogue
	public    string
	log       *slog.Logger
}

// Config is what a website is made of.
type Config struct {
	// Source has the listings.
	Source Source
	// PublicURL is the scheme and host at which visitors reach the site.
	PublicURL string
	Log       *slog.Logger
}

// New returns a website.
func New(c Config) *Site {
	return &Site{catalogue: catalogue{source: c.Source, listings: map[int64]*Listing{}}, public: strings.TrimRight(c.PublicURL, "/"), log: c.Log}
}

// Warm reads all listings, which the first visitor would wait for: ten seconds for 100,000.
func (s *Site) Warm(ctx context.Context) error {
	_, err := s.catalogue.all(ctx)
	return err
}

// Register adds the pages to a mux. Each is served through wrap.
func (s *Site) Register(mux *http.ServeMux, wrap func(http.HandlerFunc) http.HandlerFunc) {
	for pattern, answer := range map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /{$}": s.home, "GET /": s.missing, "GET /annonces": s.results, "GET /annonces/{name}": s.listing, "GET /sitemap.xml": s.sitemap,
	} {
		mux.HandleFunc(pattern, wrap(func(w http.ResponseWriter, r *http.Request) {
			if err := answer(w, r); err != nil {
				s.log.Error("answering a visitor", "error", err)
				http.Error(w, "La page ne peut pas être faite en ce moment.", http.StatusInternalServerError)
			}
		}))
	}
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, _ = w.Write(style) // who asked is gone
	})
	mux.HandleFunc("GET /robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("User-agent: *\nDisallow: /hook/\nDisallow: /control/\nSitemap: " + s.public + "/sitemap.xml\n"))
	})
}

// agency is what is published of one.
type agency struct {
	ID         int64  `json:"id"`
	Name       string `json:"name"`
	Phone      string `json:"phone"`
	Email      string `json:"email"`
	Address    string `json:"address"`
	PostalCode string `json:"postal_code"`
	City       string `json:"city"`
}

// Place returns the address of an agency in a line.
func (a agency) Place() string {
	return strings.Trim(strings.TrimSpace(a.Address+", "+strings.TrimSpace(a.PostalCode+" "+a.City)), ", ")
}

// page is what every page has.
type page struct {
	Title, Description, Canonical, Image, Brand string
	Unlisted                                    bool
	Agencies                                    []agency
	Results                                     results
	Listing                                     *Listing
	Agency                                      *agency
	Similar                                     []*Listing
	Data                                        map[string]any
}

// newPage returns a page with the agencies. Where the credential may not read them there are none.
func (s *Site) newPage(ctx context.Context, title string) (page, error) {
	p := page{Brand: "Annonces immobilières"}
	record, err := s.catalogue.source.Record(ctx, mirror.Key{Kind: mirror.Agencies})
	if err != nil {
		return p, err
	}
	if record.Shown {
		if err := json.Unmarshal(record.Body, &p.Agencies); err != nil {
			return p, err
		}
	}
	if len(p.Agencies) == 1 {
		p.Brand = p.Agencies[0].Name
	}
	p.Title = title
	if title == "" {
		p.Title = p.Brand
	}
	return p, nil
}

func (s *Site) home(w http.ResponseWriter, r *http.Request) error {
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	p, err := s.newPage(r.Context(), "")
	if err != nil {
		return err
	}
	p.Results = search(all, query{Sort: recent, Page: 1})
	p.Results.Listings = p.Results.Listings[:min(newest, len(p.Results.Listings))]
	p.Canonical = s.public + "/"
	return render(w, http.StatusOK, "home", p)
}

func (s *Site) results(w http.ResponseWriter, r *http.Request) error {
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	q := queryOf(r.URL.Query())
	p, err := s.newPage(r.Context(), "Annonces")
	if err != nil {
		return err
	}
	p.Results = search(all, q)
	p.Canonical = s.public + "/annonces"
	p.Unlisted = len(r.URL.Query()) > 1
	return render(w, http.StatusOK, "results", p)
}

func (s *Site) listing(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	id, err := strconv.ParseInt(name[strings.LastIndexByte(name, '-')+1:], 10, 64)
	if err != nil {
		return s.missing(w, r)
	}
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	record, err := s.catalogue.source.Record(r.Context(), mirror.Key{Kind: mirror.Product, ID: id})
	if err != nil {
		return err
	}
	if !record.Shown {
		return s.absent(w, r, record, all)
	}
	found, err := Read(record.Body)
	if err != nil {
		return err
	}
	l := &found
	if (&url.URL{Path: l.Path}).EscapedPath() != r.URL.EscapedPath() {
		http.Redirect(w, r, l.Path, http.StatusMovedPermanently)
		return nil
	}
	p, err := s.newPage(r.Context(), l.Title)
	if err != nil {
		return err
	}
	p.Listing, p.Similar, p.Canonical = l, similar(all, l, 3), s.public+l.Path
	p.Description = strings.Join(l.Texts, " ")
	if cut := []rune(p.Description); len(cut) > 160 {
		p.Description = string(cut[:160]) + "…"
	}
	if len(l.Photos) > 0 {
		p.Image = l.Photos[0].URL
	}
	if i := slices.IndexFunc(p.Agencies, func(a agency) bool { return a.ID == l.Agency }); i >= 0 {
		p.Agency = &p.Agencies[i]
	}
	p.Data = s.data(p)
	return render(w, http.StatusOK, "listing", p)
}

// absent answers for a listing that is not shown: 410 when it was, with others like it.
func (s *Site) absent(w http.ResponseWriter, r *http.Request, record mirror.Record, all []*Listing) error {
	if !record.Gone {
		return s.missing(w, r)
	}
	p, err := s.newPage(r.Context(), "Annonce retirée")
	if err != nil {
		return err
	}
	p.Similar, p.Unlisted = all[:min(3, len(all))], true
	return render(w, http.StatusGone, "gone", p)
}

func (s *Site) missing(w http.ResponseWriter, r *http.Request) error {
	p, err := s.newPage(r.Context(), "Page introuvable")
	if err != nil {
		return err
	}
	p.Unlisted = true
	return render(w, http.StatusNotFound, "missing", p)
}

// data returns a listing in the words of schema.org. It has the figures of the page, and no more.
func (s *Site) data(p page) map[string]any {
	l := p.Listing
	home := map[string]any{"@type": "Accommodation", "address": map[string]any{"@type": "PostalAddress", "addressLocality": l.City, "postalCode": l.Postal}}
	if l.Surface > 0 {
		home["floorSize"] = map[string]any{"@type": "QuantitativeValue", "value": l.Surface, "unitCode": "MTK"}
	}
	if l.Rooms > 0 {
		home["numberOfRooms"] = l.Rooms
	}
	data := map[string]any{
		"@context": "https://schema.org", "@type": "RealEstateListing", "name": l.Title, "url": p.Canonical, "datePosted": l.Added.Format("2006-01-02"), "mainEntity": home,
	}
	if l.Price > 0 {
		data["offers"] = map[string]any{"@type": "Offer", "price": l.Price, "priceCurrency": "EUR"}
	}
	if p.Image != "" {
		data["image"] = p.Image
	}
	return data
}

func (s *Site) sitemap(w http.ResponseWriter, r *http.Request) error {
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, path := range append([]string{"/", "/annonces"}, paths(all)...) {
		out.WriteString("<url><loc>" + template.HTMLEscapeString(s.public+path) + "</loc></url>\n")
	}
	out.WriteString("</urlset>\n")
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, _ = out.WriteTo(w) // who asked is gone
	return nil
}

// mostLocations is how many addresses a sitemap may have.
const mostLocations = 50_000

func paths(all []*Listing) []string {
	var found []string
	for _, l := range all[:min(len(all), mostLocations-2)] {
		found = append(found, l.Path)
	}
	return found
}

// render writes a page, or nothing when it cannot be made.
func render(w http.ResponseWriter, code int, name string, p page) error {
	var out bytes.Buffer
	if err := pages.ExecuteTemplate(&out, name, p); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data: http: https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(code)
	_, _ = out.WriteTo(w) // who asked is gone
	return nil
}
