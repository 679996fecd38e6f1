package console

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Options are what a console is made of. Backoffice, Site, Now and Rand are required.
type Options struct {
	// Backoffice is what operators do, Site what they read.
	Backoffice *backoffice.Service
	Site       *siteapi.Service
	Now        func() time.Time
	// Rand is a source of unpredictable bytes.
	Rand io.Reader
	// Prefix is the path under which the console is mounted, without a slash at the
	// end; by default /console.
	Prefix string
	// Locates reports that this server looks up addresses.
	Locates bool
	// Environment is shown on each page, such as sandbox; empty for nothing.
	Environment string
	// Origin is the scheme and host under which browsers reach the console, shown
	// in links, and to which passkeys belong; by default those of each request.
	Origin string
	// Peer tells from which address a request came; by default that of the connection.
	Peer func(*http.Request) string
	// Logger hears of pages that failed; nil for nobody.
	Logger *slog.Logger
}

// Console answers the requests of browsers below its prefix.
type Console struct {
	Options
	material
	pages   map[string]page
	handler http.Handler
}

// maxForm bounds what a form may send, in bytes.
const maxForm = 1 << 20

// New makes a console, or says what is missing.
func New(o Options) (*Console, error) {
	if o.Backoffice == nil || o.Site == nil || o.Now == nil || o.Rand == nil {
		return nil, errors.New("console: Backoffice, Site, Now and Rand must be supplied")
	}
	o.Prefix = strings.TrimRight(cmp.Or(o.Prefix, "/console"), "/")
	if o.Peer == nil {
		o.Peer = connected
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	prepared, err := prepare()
	if err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	c := &Console{Options: o, material: prepared, pages: map[string]page{}}
	for _, p := range table() {
		c.pages[p.path] = p
	}
	c.handler = c.routes()
	return c, nil
}

// connected returns the address at the other end of the connection.
func connected(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// ServeHTTP answers a request.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.handler.ServeHTTP(w, r) }

func templateNames() []string {
	names := []string{failureTemplate, "sign-in", "passkey", "enter", "confirm"}
	for _, p := range table() {
		if p.template != "" {
			names = append(names, p.template)
		}
	}
	return names
}

// routes puts together who answers what.
func (c *Console) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+c.Prefix+"/assets/{name}", c.assets)
	c.doors(mux)
	c.passkeyDoors(mux)
	for _, p := range table() {
		path := p.path
		if strings.HasSuffix(path, "/") {
			path += "{$}"
		}
		if p.show != nil {
			mux.HandleFunc("GET "+c.Prefix+path, c.showing(p))
		}
		if p.file != nil {
			mux.HandleFunc("GET "+c.Prefix+path, c.handing(p))
		}
		if p.do != nil || p.asks {
			mux.HandleFunc("POST "+c.Prefix+path, c.doing(p))
		}
	}
	mux.HandleFunc("GET "+c.Prefix+"/jump", func(w http.ResponseWriter, r *http.Request) { c.signedIn(w, r, (*pageRequest).jump) })
	mux.HandleFunc(c.Prefix+"/", func(w http.ResponseWriter, r *http.Request) { c.signedIn(w, r, (*pageRequest).absent) })
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(c.refuseForeign))
	return c.headers(protection.Handler(mux))
}

// most returns how many bytes a request may send.
func (c *Console) most(r *http.Request) int64 {
	if c.pages[strings.TrimPrefix(r.URL.Path, c.Prefix)].uploads {
		return transfer.MaxImportFile + maxForm
	}
	return maxForm
}

// headers sets what every answer has, and bounds what is read of a request.
func (c *Console) headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce, err := newNonce(c.Rand)
		if err != nil {
			c.Logger.Error("drawing a nonce", "error", err)
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		secure(w.Header(), nonce)
		r.Body = http.MaxBytesReader(w, r.Body, c.most(r))
		next.ServeHTTP(w, r.WithContext(withNonce(r.Context(), nonce)))
	})
}
