package openapi_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/openapi"
)

var (
	element = regexp.MustCompile(`(?s)<(script|style)([^>]*)>(.*?)</`)
	handler = regexp.MustCompile(`(?i)\son\w+\s*=|\sstyle\s*=|javascript:`)
)

// What stands in the page runs by its hash, and nothing else does.
func TestH17_ThePagesPolicyAdmitsThePageAlone(t *testing.T) {
	page := openapi.Page("Title", "/openapi.json", "/docs")
	for _, path := range []string{"/docs", "/docs/", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"} {
		w := httptest.NewRecorder()
		page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != 200 || w.Body.Len() == 0 || w.Header().Get("X-Frame-Options") != "DENY" || !strings.Contains(policy, "frame-ancestors 'none'") ||
			!strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: %d with %d bytes, %v", path, w.Code, w.Body.Len(), w.Header())
		}
	}
	w := httptest.NewRecorder()
	page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/docs", nil))
	policy := map[string]string{}
	for directive := range strings.SplitSeq(w.Header().Get("Content-Security-Policy"), "; ") {
		name, sources, _ := strings.Cut(directive, " ")
		policy[name] = sources
	}
	kinds := map[string]int{}
	for _, found := range element.FindAllStringSubmatch(w.Body.String(), -1) {
		kind, attributes, content := found[1], found[2], found[3]
		kinds[kind]++
		if strings.Contains(attributes, "src=") {
			if !strings.Contains(attributes, `src="/docs/`) {
				t.Errorf("%s is from elsewhere", attributes)
			}
			continue
		}
		hash := sha256.Sum256([]byte(content))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"; !strings.Contains(policy[kind+"-src"], want) {
			t.Errorf("a %s is not admitted: %.80s", kind, content)
		}
	}
	if kinds["script"] < 3 || kinds["style"] < 1 {
		t.Errorf("the page has %v", kinds)
	}
	if found := handler.FindString(element.ReplaceAllString(w.Body.String(), "")); found != "" {
		t.Errorf("the page has %q, which no hash admits", found)
	}
}
