package httpapi

import (
	"net/http"
	"strings"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// The headers every answer has hold the same values throughout.
var (
	contractVersion = []string{kernel.ContractVersion}
	noSniff         = []string{"nosniff"}
	// deprecated is the day camelCase was deprecated (RFC 9745), 2026-09-16.
	deprecated     = []string{"@1789516800"}
	deprecatedLink = []string{`</changelog#1.1.0>; rel="deprecation"`}
)

func (s *server) commonHeaders(header http.Header, id string) {
	header["X-Request-Id"] = []string{id}
	header["X-Contract-Version"] = contractVersion
	header["X-Content-Type-Options"] = noSniff
	if s.environment != nil {
		header["X-Environment"] = s.environment
	}
}

// tellSpelling says which names of the request had no effect and whether some
// were written in camelCase.
func (x *exchange) tellSpelling(header http.Header) {
	if names := joinBounded(x.ignored, 1024); names != "" {
		header.Set("X-Ignored-Fields", names)
	}
	if len(x.deprecated) > 0 {
		header["Deprecation"] = deprecated
		header["Link"] = deprecatedLink
	}
}

// joinBounded lists as many names as fit.
func joinBounded(names []string, most int) string {
	var list strings.Builder
	for _, name := range names {
		if list.Len()+len(", ")+len(name) > most {
			continue
		}
		if list.Len() > 0 {
			list.WriteString(", ")
		}
		list.WriteString(name)
	}
	return list.String()
}
