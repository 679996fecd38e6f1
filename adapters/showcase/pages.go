package showcase

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"rsc.io/qr"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

var (
	//go:embed templates/*.html
	templates embed.FS
)

// perPage is how many listings are on a page of results, newest how many on the front page.
const (
	perPage = 24
	newest  = 6
)

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
	"trim": strings.TrimSpace,
	"capital": func(amount string) string {
		n, err := strconv.ParseFloat(amount, 64)
		if err != nil {
			return amount
		}
		return Euros(n)
	},
	"pair": func(f Form, d Day) map[string]any { return map[string]any{"Form": f, "Day": d} },
	"dial": dial,
	"sorts": func() []Facet {
		return []Facet{{Value: recent, Label: "Les plus récentes"}, {Value: priceUp, Label: "Prix croissant"}, {Value: priceDown, Label: "Prix décroissant"}, {Value: larger, Label: "Surface"}}
	},
}).ParseFS(templates, "templates/*.html"))

// Site serves the pages.
type Site struct {
	catalogue             catalogue
	photographs           *photographs
	directory             directory
	forms                 *forms
	assets                assets
	public, tiles, policy string
	host, publisher       string
	log                   *slog.Logger
}

// Config is what a website is made of.
type Config struct {
	// Source has the listings.
	Source Source
	// PublicURL is the scheme and host at which visitors reach the site.
	PublicURL string
	// Photographs is the folder that photographs, logos and portraits are kept in; "" keeps none.
	Photographs string
	// Accent is the colour of links and buttons, as #rrggbb; "" is the site's own. It is darkened, or lightened in
	// the dark scheme, until text in it can be read.
	Accent string
	// Tiles is the address of a server of map tiles, with {z}, {x} and {y}; "" has the map without streets.
	Tiles string
	// Host is who hosts the site, and Publisher who answers for it: name, address and telephone, as the law wants them.
	Host, Publisher string
	// Visitors is where what visitors send goes.
	Visitors Visitors
	Log      *slog.Logger
}

// New returns a website, and an error that says which field of the configuration is wrong.
func New(c Config) (*Site, error) {
	files, err := newAssets(c.Accent)
	if err != nil {
		return nil, err
	}
	tiles, err := tilesOrigin(c.Tiles)
	if err != nil {
		return nil, err
	}
	public := strings.TrimRight(c.PublicURL, "/")
	return &Site{
		catalogue: catalogue{source: c.Source, listings: map[int64]*Listing{}}, photographs: newPhotographs(c.Photographs), assets: files,
		forms: newForms(c.Visitors, public), public: public, tiles: c.Tiles, policy: strings.TrimSpace(contentPolicy + " " + tiles),
		host: c.Host, publisher: c.Publisher, log: c.Log,
	}, nil
}

// contentPolicy says what pages may load: nothing from others. Where the map has streets, their server is added to its end.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' data:"

// Warm reads all listings, which the first visitor would wait for: ten seconds for 100,000.
func (s *Site) Warm(ctx context.Context) error {
	_, err := s.catalogue.all(ctx)
	return err
}

// Register adds the pages to a mux. Each is served through wrap.
func (s *Site) Register(mux *http.ServeMux, wrap func(http.HandlerFunc) http.HandlerFunc) {
	addresses := s.addresses()
	maps.Copy(addresses, map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /{$}": s.home, "/": s.missing, "GET /annonces": s.results, "GET /annonces/{name}": s.listing, "GET /carte": s.onMap,
		"GET /agences/{name}": s.agency, "GET /mentions-legales": s.legal, "GET /confidentialite": s.privacy,
		"GET /sitemap.xml": s.sitemap, "GET /flux.xml": s.feed,
		"GET /photos/{product}/{file}": s.photograph, "GET /logos/{agency}": s.logo, "GET /portraits/{agency}/{user}": s.face,
	})
	for pattern, answer := range addresses {
		mux.HandleFunc(pattern, wrap(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", s.policy)
			if err := answer(w, r); err != nil {
				s.log.Error("answering a visitor", "error", err)
				http.Error(w, "La page ne peut pas être faite en ce moment.", http.StatusInternalServerError)
			}
		}))
	}
	mux.HandleFunc("GET /assets/{version}/{name}", s.assets.serve)
	mux.HandleFunc("GET /robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("User-agent: *\nDisallow: /hook/\nDisallow: /control/\nDisallow: /rendez-vous/\nSitemap: " + s.public + "/sitemap.xml\n"))
	})
}

// page is what every page has.
type page struct {
	Title, Description, Canonical, Brand string
	// Assets is the folder of the style and the scripts, Tiles the address of map tiles.
	Assets, Tiles string
	// Image is the address of a picture for those who show the page elsewhere.
	Image, Host, Publisher string
	// Action is where the search form leads, and Whole reports whether it has every choice.
	Action   string
	Whole    bool
	Unlisted bool
	Agencies []agency
	Results  results
	Listing  *Listing
	Agency   *agency
	Similar  []*Listing
	Towns    []Town
	// Code is a QR code of the address, for paper.
	Code   template.URL
	Data   map[string]any
	Forms  pageForms
	Booked *Booked
	Wrong  string
}

// noBrand is the name of a site whose agencies have none in common.
const noBrand = "Annonces immobilières"

// newPage returns a page with the agencies. Where the credential may not read them there are none.
func (s *Site) newPage(ctx context.Context, title string) (page, error) {
	agencies, err := s.agencies(ctx)
	p := page{Brand: noBrand, Agencies: agencies, Action: "/annonces", Assets: s.assets.prefix, Tiles: s.tiles}
	if err != nil {
		return p, err
	}
	for n, a := range p.Agencies {
		switch {
		case len(p.Agencies) == 1:
			p.Brand = a.Name
		case n == 0 && a.Network != "":
			p.Brand = a.Network
		case a.Network != p.Agencies[0].Network:
			p.Brand = noBrand
		}
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
	p.Results, p.Whole = search(all, q), true
	p.Canonical = s.public + query{Sort: recent}.address(1)
	if len(r.URL.Query()) == 1 && r.URL.Query().Has("page") {
		p.Canonical = s.public + query{Sort: recent}.address(p.Results.Query.Page)
	}
	p.Unlisted = len(r.URL.Query()) > 1
	return render(w, http.StatusOK, "results", p)
}

func (s *Site) listing(w http.ResponseWriter, r *http.Request) error {
	id, err := idOf(r.PathValue("name"))
	if err != nil {
		return s.missing(w, r)
	}
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	l, gone, err := s.published(r.Context(), id)
	if err != nil {
		return err
	}
	if l == nil {
		return s.absent(w, r, gone, all)
	}
	if (&url.URL{Path: l.Path}).EscapedPath() != r.URL.EscapedPath() {
		http.Redirect(w, r, l.Path, http.StatusMovedPermanently)
		return nil
	}
	p, err := s.newPage(r.Context(), l.Title)
	if err != nil {
		return err
	}
	p.of(l)
	p.Similar, p.Canonical = similar(all, l, 3), s.public+l.Path
	p.Description = excerpt(strings.Join(l.Texts, " "))
	if len(l.Photos) > 0 {
		p.Image = s.public + l.Photos[0].Small()
	}
	p.Data, p.Forms = s.data(p), s.formsOf(r.Context(), p)
	code, err := qr.Encode(p.Canonical, qr.M)
	if err != nil {
		return err
	}
	p.Code = template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(code.PNG())) //nolint:gosec // it is a picture
	return render(w, http.StatusOK, "listing", p)
}

// idOf returns the id that an address ends with.
func idOf(name string) (int64, error) {
	return strconv.ParseInt(name[strings.LastIndexByte(name, '-')+1:], 10, 64)
}

// published returns the listing with an id; nil if it is not shown, and whether it is gone.
func (s *Site) published(ctx context.Context, id int64) (l *Listing, gone bool, err error) {
	record, err := s.catalogue.source.Record(ctx, mirror.Key{Kind: mirror.Product, ID: id})
	if err != nil || !record.Shown {
		return nil, record.Gone, err
	}
	found, err := Read(record.Body)
	if err != nil {
		return nil, false, err
	}
	return &found, false, nil
}

// of has a page be about a listing.
func (p *page) of(l *Listing) {
	p.Listing = l
	if i := slices.IndexFunc(p.Agencies, func(a agency) bool { return a.ID == l.Agency }); i >= 0 {
		p.Agency = &p.Agencies[i]
	}
}

// excerpt returns the beginning of a text, as descriptions of pages have it.
func excerpt(text string) string {
	if cut := []rune(text); len(cut) > 160 {
		return string(cut[:160]) + "…"
	}
	return text
}

// onMap answers with the results on a map, a list of the towns beside it.
func (s *Site) onMap(w http.ResponseWriter, r *http.Request) error {
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	q := queryOf(r.URL.Query())
	p, err := s.newPage(r.Context(), "Carte des annonces")
	if err != nil {
		return err
	}
	p.Action, p.Whole = "/carte", true
	p.Results = search(all, q)
	p.Towns, p.Canonical, p.Unlisted = towns(all, p.Results.Query), s.public+"/carte", len(r.URL.Query()) > 0
	return render(w, http.StatusOK, "map", p)
}

// absent answers for a listing that is not shown: 410 when it was, with others like it.
func (s *Site) absent(w http.ResponseWriter, r *http.Request, gone bool, all []*Listing) error {
	if !gone {
		return s.missing(w, r)
	}
	p, err := s.newPage(r.Context(), "Annonce retirée")
	if err != nil {
		return err
	}
	p.Similar, p.Unlisted = alike(all, r.PathValue("name"), 3), true
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

// document returns things in the words of schema.org as one document.
func document(things ...map[string]any) map[string]any {
	return map[string]any{"@context": "https://schema.org", "@graph": things}
}

// data returns a listing in the words of schema.org. It has the figures of the page, and no more.
func (s *Site) data(p page) map[string]any {
	l := p.Listing
	address := map[string]any{"@type": "PostalAddress"}
	for name, text := range map[string]string{"addressLocality": l.City, "postalCode": l.Postal} {
		if text != "" {
			address[name] = text
		}
	}
	home := map[string]any{"@type": "Accommodation", "address": address}
	if l.Surface > 0 {
		home["floorSize"] = map[string]any{"@type": "QuantitativeValue", "value": l.Surface, "unitCode": "MTK"}
	}
	if l.Rooms > 0 {
		home["numberOfRooms"] = l.Rooms
	}
	if l.Place != nil && l.Place.Exact {
		home["geo"] = map[string]any{"@type": "GeoCoordinates", "latitude": l.Place.Latitude, "longitude": l.Place.Longitude}
	}
	listing := map[string]any{"@type": "RealEstateListing", "name": l.Title, "url": p.Canonical, "datePosted": l.Added.Format(time.DateOnly), "mainEntity": home}
	if l.Price > 0 {
		offer := map[string]any{"@type": "Offer", "price": l.Price, "priceCurrency": "EUR"}
		if l.Per() != "" {
			offer["businessFunction"] = "http://purl.org/goodrelations/v1#LeaseOut"
			offer["priceSpecification"] = map[string]any{"@type": "UnitPriceSpecification", "price": l.Price, "priceCurrency": "EUR", "unitCode": "MON"}
		}
		listing["offers"] = offer
	}
	if p.Image != "" {
		listing["image"] = p.Image
	}
	var crumbs []any
	crumb := func(name, path string) {
		if name != "" {
			crumbs = append(crumbs, map[string]any{"@type": "ListItem", "position": len(crumbs) + 1, "name": name, "item": s.public + path})
		}
	}
	crumb("Annonces", "/annonces")
	crumb(l.City, query{City: l.City, Sort: recent}.address(1))
	crumb(l.Title, l.Path)
	things := []map[string]any{listing, {"@type": "BreadcrumbList", "itemListElement": crumbs}}
	if p.Agency != nil {
		things = append(things, p.Agency.data(s.public))
		listing["provider"] = map[string]any{"@id": s.public + p.Agency.Path()}
	}
	return document(things...)
}

// mostLocations is how many addresses a sitemap may have.
const mostLocations = 50_000

type location struct {
	Loc     string `xml:"loc"`
	Lastmod string `xml:"lastmod,omitempty"`
}

// sitemap answers with the addresses of all pages, or of a list of sitemaps where there are too many for one.
func (s *Site) sitemap(w http.ResponseWriter, r *http.Request) error {
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	agencies, err := s.agencies(r.Context())
	if err != nil {
		return err
	}
	locations := []location{{Loc: s.public + "/"}, {Loc: s.public + "/annonces"}, {Loc: s.public + "/carte"}}
	for _, a := range agencies {
		locations = append(locations, location{Loc: s.public + a.Path()})
	}
	for _, l := range all {
		locations = append(locations, location{s.public + l.Path, l.Modified.Format(time.RFC3339)})
	}
	type set struct {
		XMLName   xml.Name
		Namespace string     `xml:"xmlns,attr"`
		URLs      []location `xml:"url"`
		Maps      []location `xml:"sitemap"`
	}
	answer := set{XMLName: xml.Name{Local: "urlset"}, Namespace: "http://www.sitemaps.org/schemas/sitemap/0.9"}
	part, err := strconv.Atoi(r.URL.Query().Get("partie"))
	switch {
	case err == nil && part > 0 && part <= len(locations)/mostLocations+1:
		answer.URLs = locations[(part-1)*mostLocations : min(part*mostLocations, len(locations))]
	case len(locations) <= mostLocations:
		answer.URLs = locations
	default:
		answer.XMLName.Local = "sitemapindex"
		for n := range (len(locations) + mostLocations - 1) / mostLocations {
			answer.Maps = append(answer.Maps, location{Loc: fmt.Sprintf("%s/sitemap.xml?partie=%d", s.public, n+1)})
		}
	}
	return writeXML(w, "application/xml; charset=utf-8", answer)
}

// inFeed is how many listings are in the feed.
const inFeed = 50

type link struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type entry struct {
	Title     string `xml:"title"`
	ID        string `xml:"id"`
	Link      link   `xml:"link"`
	Published string `xml:"published"`
	Updated   string `xml:"updated"`
	Summary   string `xml:"summary"`
}

// feed answers with the newest listings in Atom (RFC 4287).
func (s *Site) feed(w http.ResponseWriter, r *http.Request) error {
	all, err := s.catalogue.all(r.Context())
	if err != nil {
		return err
	}
	p, err := s.newPage(r.Context(), "")
	if err != nil {
		return err
	}
	answer := struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string   `xml:"title"`
		ID      string   `xml:"id"`
		Links   []link   `xml:"link"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Entries []entry  `xml:"entry"`
	}{Title: p.Title, ID: s.public + "/", Links: []link{{"self", s.public + "/flux.xml"}, {"", s.public + "/annonces"}}, Author: p.Brand}
	latest := time.Unix(0, 0).UTC()
	for _, l := range all[:min(inFeed, len(all))] {
		latest = later(latest, later(l.Added, l.Modified))
		parts := []string{l.TransactionLabel, l.TypeLabel, l.City}
		if l.Price > 0 {
			parts = append(parts, strings.TrimSpace(Euros(l.Price)+" "+l.Per()))
		}
		summary := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
		answer.Entries = append(answer.Entries, entry{
			l.Title, fmt.Sprintf("%s/annonces/%d", s.public, l.ID), link{Href: s.public + l.Path}, l.Added.UTC().Format(time.RFC3339), later(l.Added, l.Modified).UTC().Format(time.RFC3339), summary,
		})
	}
	answer.Updated = latest.UTC().Format(time.RFC3339)
	return writeXML(w, "application/atom+xml; charset=utf-8", answer)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// writeXML answers with a document in XML.
func writeXML(w http.ResponseWriter, kind string, content any) error {
	out, err := xml.Marshal(content)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(append([]byte(xml.Header), out...)) // who asked is gone
	return nil
}

// render writes a page, or nothing when it cannot be made.
func render(w http.ResponseWriter, code int, name string, p page) error {
	var out bytes.Buffer
	if err := pages.ExecuteTemplate(&out, name, p); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cache-Control", cmp.Or(h.Get("Cache-Control"), "no-cache"))
	w.WriteHeader(code)
	_, _ = out.WriteTo(w) // who asked is gone
	return nil
}
