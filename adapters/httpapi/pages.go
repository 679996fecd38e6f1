package httpapi

import (
	"net/http"

	"github.com/vitrine-crm/vitrine/core/api"
)

// mountPages publishes what anyone may read: the document, its interactive
// page, and the changelog.
func (s *server) mountPages() {
	for _, prefix := range []string{"", api.BasePath} {
		s.routes.add(s, http.MethodGet, prefix+"/changelog", "changelog", serveChangelog())
	}
	if s.opts.Document != nil {
		document := formsOf(s.opts.Document)
		s.routes.add(s, http.MethodGet, "/openapi.json", "openapi", document)
		s.routes.add(s, http.MethodGet, api.BasePath+"/openapi.json", "openapi", document)
	}
	if s.opts.Docs != nil {
		s.routes.add(s, http.MethodGet, "/docs", "docs", s.opts.Docs)
		s.routes.add(s, http.MethodGet, "/docs/{asset}", "docs", s.opts.Docs)
	}
}
