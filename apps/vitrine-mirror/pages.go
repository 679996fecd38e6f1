package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/adapters/copy"
	"github.com/vitrine-crm/vitrine/core/mirror"
)

//go:embed pages.html
var pageText string

var pages = template.Must(template.New("").Funcs(template.FuncMap{"euros": euros, "plain": plain}).Parse(pageText))

// perPage is how many listings are on a page of results.
const perPage = 24

// site serves what the copy has.
type site struct {
	copy    *copy.Copy
	runner  *runner
	control string
	hooks   *receiver
	log     *slog.Logger
}

func (s *site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /hook/{token}", s.hooks)
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /annonces", s.ready(s.results))
	mux.HandleFunc("GET /annonces/{name}", s.ready(s.listing))
	mux.Handle("GET /{$}", http.RedirectHandler("/annonces", http.StatusFound))
	mux.HandleFunc("GET /control/status", s.commanded(func() {}))
	mux.HandleFunc("POST /control/catch-up", s.commanded(func() { s.doubt(mirror.Doubted{Sweep: true}) }))
	mux.HandleFunc("POST /control/rebuild", s.commanded(func() { s.doubt(mirror.Doubted{Rebuild: true}) }))
	return mux
}

// doubt passes on what an operator asks for. One that is still waiting stands for another.
func (s *site) doubt(d mirror.Doubted) {
	select {
	case s.runner.doubts <- d:
	default:
	}
}

// commanded answers commands of who runs the mirror with its report.
func (s *site) commanded(do func()) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !same(r.Header.Get(controlHeader), s.control) {
			http.NotFound(w, r)
			return
		}
		do()
		said, err := newReport(r.Context(), s.runner, s.copy, s.hooks.refused.Load())
		if err != nil {
			s.fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(said) // who asked is gone
	}
}

// health answers 200 once there is something to show.
func (s *site) health(w http.ResponseWriter, _ *http.Request) {
	state := s.runner.State()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !state.Read {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = fmt.Fprintln(w, state.Mode()) // who asked is gone
}

func (s *site) ready(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.runner.State().Read {
			w.Header().Set("Retry-After", "5")
			http.Error(w, "les annonces ne sont pas encore lues", http.StatusServiceUnavailable)
			return
		}
		next(w, r)
	}
}

// card is a listing as pages show it.
type card struct {
	ID      int64
	Path    string
	Title   string
	City    string
	Price   *float64
	Surface *float64
	Texts   []string
	Photos  []string
}

func cardOf(r mirror.Record) (card, error) {
	var p client.Product
	if err := json.Unmarshal(r.Body, &p); err != nil {
		return card{}, err
	}
	c := card{ID: p.ID, Title: p.Title.GetOrEmpty(), City: p.City.GetOrEmpty()}
	if price, err := p.Price.Get(); err == nil {
		c.Price = &price
	}
	if surface, err := p.Surface.Get(); err == nil {
		c.Surface = &surface
	}
	if c.Title == "" {
		c.Title = "Annonce " + strconv.FormatInt(p.ID, 10)
	}
	for _, d := range p.Descriptions {
		if d.Language == "fr" {
			c.Texts = append(c.Texts, d.Text)
		}
	}
	for _, photo := range p.ProductsPhotos {
		c.Photos = append(c.Photos, photo.URL)
	}
	c.Path = "/annonces/" + slug(c.Title) + "-" + strconv.FormatInt(p.ID, 10)
	return c, nil
}

var unslugged = regexp.MustCompile(`[^a-z0-9]+`)

// slug returns a title as it stands in addresses.
func slug(title string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 0x300 && r < 0x370 { // an accent
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(title)))
	return strings.Trim(unslugged.ReplaceAllString(plain, "-"), "-")
}

func (s *site) results(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil || number < 1 || number > math.MaxInt32 {
		number = 1
	}
	count, _, _, err := s.copy.Counts(r.Context())
	if err != nil {
		s.fail(w, err)
		return
	}
	records, err := s.copy.Listings(r.Context(), (number-1)*perPage, perPage)
	if err != nil {
		s.fail(w, err)
		return
	}
	page := struct {
		Count, Previous, Next int
		Listings              []card
	}{Count: count, Previous: number - 1}
	if number*perPage < count {
		page.Next = number + 1
	}
	for _, record := range records {
		c, err := cardOf(record)
		if err != nil {
			s.fail(w, err)
			return
		}
		page.Listings = append(page.Listings, c)
	}
	s.render(w, http.StatusOK, "results", page)
}

func (s *site) listing(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	id, err := strconv.ParseInt(name[strings.LastIndexByte(name, '-')+1:], 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	record, err := s.copy.Record(r.Context(), mirror.Key{Kind: mirror.Product, ID: id})
	switch {
	case err != nil:
		s.fail(w, err)
		return
	case record.Gone:
		s.render(w, http.StatusGone, "gone", nil)
		return
	case !record.Shown:
		http.NotFound(w, r)
		return
	}
	c, err := cardOf(record)
	if err != nil {
		s.fail(w, err)
		return
	}
	if want := (&url.URL{Path: c.Path}).EscapedPath(); r.URL.EscapedPath() != want {
		http.Redirect(w, r, want, http.StatusMovedPermanently)
		return
	}
	s.render(w, http.StatusOK, "listing", c)
}

func (s *site) render(w http.ResponseWriter, code int, name string, content any) {
	var out bytes.Buffer
	if err := pages.ExecuteTemplate(&out, name, content); err != nil {
		s.fail(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src http: https:; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(code)
	_, _ = out.WriteTo(w) // who asked is gone
}

func (s *site) fail(w http.ResponseWriter, err error) {
	if errors.Is(err, http.ErrAbortHandler) {
		return
	}
	s.log.Error("answering", "error", err)
	http.Error(w, "la page ne peut pas être faite", http.StatusInternalServerError)
}

// plain writes a number without exponent.
func plain(number *float64) string { return strconv.FormatFloat(*number, 'f', -1, 64) }

// euros writes a price as the French do: thousands apart, cents only where there are some.
func euros(price *float64) string {
	whole, cents := math.Modf(math.Round(*price*100) / 100)
	digits := strconv.FormatFloat(whole, 'f', 0, 64)
	var out strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteRune('\u202f')
		}
		out.WriteRune(d)
	}
	if part := int(math.Round(cents * 100)); part != 0 {
		fmt.Fprintf(&out, ",%02d", part)
	}
	return out.String() + "\u00a0€"
}
