package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// mountPages publishes what anyone may read: the document, the pages about it, and
// the changelog.
func (s *server) mountPages() {
	for _, prefix := range []string{"", kernel.BasePath} {
		s.routes.add(s, http.MethodGet, prefix+"/changelog", "changelog", serveChangelog())
	}
	if s.opts.Document != nil {
		document := s.document()
		s.routes.add(s, http.MethodGet, "/openapi.json", "openapi", document)
		s.routes.add(s, http.MethodGet, kernel.BasePath+"/openapi.json", "openapi", document)
	}
	if s.opts.Docs != nil {
		s.routes.add(s, http.MethodGet, "/docs", "docs", s.opts.Docs)
		s.routes.add(s, http.MethodGet, "/docs/{page}", "docs", s.opts.Docs)
		for _, below := range []string{"assets/{asset}", "guides/{guide}", "guides/{folder}/{guide}"} {
			s.routes.add(s, http.MethodGet, "/docs/"+below, "docs", s.opts.Docs)
		}
	}
}

// document answers with the document in the forms that clients take. They are made for the first
// of them: a server that nobody asks starts sooner.
func (s *server) document() http.Handler {
	made := sync.OnceValues(func() (forms, error) {
		document, err := s.opts.Document()
		return formsOf(document), err
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		document, err := made()
		if err != nil {
			s.fail(r.Context(), err, w)
			return
		}
		document.ServeHTTP(w, r)
	})
}

// front answers browsers that open the server's own address with a page, and programs such as
// curl, which accept anything, with the first two calls. It reports whether it did: for those
// who want JSON, and for those who do not say what they want, there is nothing.
func (s *server) front(w http.ResponseWriter, r *http.Request) bool {
	if s.opts.Front == nil || r.URL.Path != "/" {
		return false
	}
	w.Header().Add("Vary", "Accept")
	accepted := r.Header.Get("Accept")
	inBrowser := strings.Contains(accepted, "text/html")
	if r.Method != http.MethodGet && r.Method != http.MethodHead || !inBrowser && accepted != "*/*" {
		return false
	}
	x := exchangeOf(r.Context())
	x.path, x.op = "/", "front"
	if inBrowser {
		s.opts.Front.ServeHTTP(w, r)
		return true
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintf(w, firstCalls, kernel.ContractVersion, kernel.BasePath)
	return true
}

const firstCalls = `Vitrine serves the Site API of a real-estate CRM, contract %s. Its reference is at /docs.
A token:  curl -u CLIENT_ID:SECRET -d site_id=SITE_ID ADDRESS/api/client/token/site
Then:     curl -H "Authorization: Bearer TOKEN" ADDRESS%s/discovery
`
