// Package kit is what the pages of the console share: requests of operators who have signed
// in, forms, words, drawings, and the frame around a page.
package kit

import (
	"cmp"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/cookies"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Options are console.Options, which says what they mean.
type Options struct {
	Backoffice  *backoffice.Service
	Site        *siteapi.Service
	Now         func() time.Time
	Rand        io.Reader
	Prefix      string
	Portal      bool
	Locates     bool
	Environment string
	Origin      string
	Peer        func(*http.Request) string
	Logger      *slog.Logger
}

// Console answers the requests of browsers below its prefix.
type Console struct {
	Options
	Material
	cookies.Jar
	rooms []Room
	// table are the pages of all rooms, in the order of the menu; Pages are the same by path.
	table   []Page
	Pages   map[string]Page
	handler http.Handler
}

// maxForm bounds what a form may send, in bytes.
const maxForm = 1 << 20

// New makes a console of rooms and of what Prepare made of the same rooms, or says what is
// missing.
func New(o Options, rooms []Room, prepared Material) (*Console, error) {
	if o.Backoffice == nil || o.Site == nil || o.Now == nil || o.Rand == nil {
		return nil, errors.New("console: Backoffice, Site, Now and Rand must be supplied")
	}
	prefix := "/console"
	if o.Portal {
		prefix = "/portal"
	}
	o.Prefix = strings.TrimRight(cmp.Or(o.Prefix, prefix), "/")
	if o.Peer == nil {
		o.Peer = connected
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	c := &Console{Options: o, Material: prepared, rooms: rooms, Pages: map[string]Page{}}
	if o.Portal {
		c.PortalPath = cmp.Or(o.Prefix, "/")
	}
	for _, r := range rooms {
		for _, p := range r.Pages {
			switch {
			case o.Portal && !p.Clients:
				continue
			case o.Portal && p.Siteless:
				p.Rule = access.Rule{} // it is for roles of operators
			}
			c.table, c.Pages[p.Path] = append(c.table, p), p
		}
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

// routes puts together who answers what.
func (c *Console) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+c.Prefix+"/assets/{name}", c.assets)
	for _, r := range c.rooms {
		if r.Doors != nil {
			r.Doors(c, mux)
		}
	}
	for _, p := range c.table {
		path := p.Path
		if strings.HasSuffix(path, "/") {
			path += "{$}"
		}
		if p.Show != nil {
			mux.HandleFunc("GET "+c.Prefix+path, c.showing(p))
		}
		if p.File != nil {
			mux.HandleFunc("GET "+c.Prefix+path, c.handing(p))
		}
		if p.Do != nil || p.Asks {
			mux.HandleFunc("POST "+c.Prefix+path, c.doing(p))
		}
	}
	mux.HandleFunc(c.Prefix+"/", func(w http.ResponseWriter, r *http.Request) { c.SignedIn(w, r, (*Request).absent) })
	if c.Prefix != "" { // who opens the bare address of the console means its first page
		mux.Handle("GET /{$}", http.RedirectHandler(c.Prefix+"/", http.StatusSeeOther))
	}
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(c.refuseForeign))
	return c.headers(c.choosing(protection.Handler(mux)))
}

// most returns how many bytes a request may send.
func (c *Console) most(r *http.Request) int64 {
	if c.Pages[strings.TrimPrefix(r.URL.Path, c.Prefix)].Uploads {
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
