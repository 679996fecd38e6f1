package httpapi

import (
	"net/http"
	"strings"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// mountPages publishes what anyone may read: the document, the pages about it, and
// the changelog.
func (s *server) mountPages() {
	for _, prefix := range []string{"", kernel.BasePath} {
		s.routes.add(s, http.MethodGet, prefix+"/changelog", "changelog", serveChangelog())
	}
	if s.opts.Document != nil {
		document := formsOf(s.opts.Document)
		s.routes.add(s, http.MethodGet, "/openapi.json", "openapi", document)
		s.routes.add(s, http.MethodGet, kernel.BasePath+"/openapi.json", "openapi", document)
	}
	if s.opts.Docs != nil {
		s.routes.add(s, http.MethodGet, "/docs", "docs", s.opts.Docs)
		s.routes.add(s, http.MethodGet, "/docs/{page}", "docs", s.opts.Docs)
		s.routes.add(s, http.MethodGet, "/docs/assets/{asset}", "docs", s.opts.Docs)
	}
}

// front answers browsers that open the server's own address, and reports whether it
// did. To everybody else there is nothing.
func (s *server) front(w http.ResponseWriter, r *http.Request) bool {
	if s.opts.Front == nil || r.URL.Path != "/" {
		return false
	}
	w.Header().Add("Vary", "Accept")
	if r.Method != http.MethodGet && r.Method != http.MethodHead || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		return false
	}
	x := exchangeOf(r.Context())
	x.path, x.op = "/", "front"
	s.opts.Front.ServeHTTP(w, r)
	return true
}
