package wire_test

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/demo"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// browsing is a server without data, and its answers.
type browsing struct {
	t       *testing.T
	service *siteapi.Service
	handler http.Handler
}

func browse(t *testing.T, c config.Server) browsing {
	t.Helper()
	service, err := wire.Describe(memstore.New())
	if err != nil {
		t.Fatal(err)
	}
	handler, err := wire.Handler(service, c, nil, nil, prometheus.NewRegistry(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	return browsing{t, service, handler}
}

// sandboxed is a server that shows what everybody may know of it.
func sandboxed() config.Server {
	c := config.Server{Environment: wire.SandboxEnvironment}
	c.ConsoleBeside, c.Portal, c.Demo = true, true, demo.Look(wire.Ports(memstore.New()))
	c.Demo.Requests = nil // there is no data to ask
	return c
}

// open asks for a page as browsers do, with further headers.
func (b browsing) open(method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	return w
}

// operations are those of the table, as method and path.
func (b browsing) operations() map[string]kernel.Operation {
	all := map[string]kernel.Operation{}
	for _, o := range b.service.Operations() {
		all[o.Method+" "+kernel.BasePath+o.Path] = o
	}
	for _, o := range b.service.TokenOperations() {
		all[o.Method+" "+o.Path] = o
	}
	return all
}

// pageOf is where the reference has an operation.
func (b browsing) pageOf(method, path string) string {
	b.t.Helper()
	for _, found := range listed.FindAllStringSubmatch(b.open("GET", "/docs").Body.String(), -1) {
		if found[2] == method && html.UnescapeString(found[3]) == path {
			return found[1]
		}
	}
	b.t.Fatalf("%s %s is not listed", method, path)
	return ""
}

// search is an operation with a query and a body, token one that takes a secret.
func (b browsing) search() string { return b.pageOf("POST", kernel.BasePath+"/products/search") }
func (b browsing) token() string  { return b.pageOf("POST", "/api/client/token/site") }

var listed = regexp.MustCompile(`<a href="(/docs/[^"]+)">[^<]*</a><span class="where"><span class="method (\w+)">\w+</span> <code>([^<]+)</code>`)

func TestEachOperationIsInTheReferenceAndHasAPage(t *testing.T) {
	b := browse(t, config.Server{})
	left, listedOnce := b.operations(), map[string]bool{}
	for _, found := range listed.FindAllStringSubmatch(b.open("GET", "/docs").Body.String(), -1) {
		name := found[2] + " " + html.UnescapeString(found[3])
		if listedOnce[name] {
			t.Errorf("%s is listed twice", name)
		}
		listedOnce[name] = true
		o, inTable := left[name]
		if delete(left, name); !inTable {
			continue
		}
		page := b.open("GET", found[1])
		if text := page.Body.String(); page.Code != http.StatusOK || !strings.Contains(text, "<h1>"+html.EscapeString(o.Summary)+"</h1>") ||
			strings.Count(text, `<div class="sample"`) != 4 || !strings.Contains(text, "data-try") {
			t.Errorf("%s: %d, without its summary, samples or form", found[1], page.Code)
		}
	}
	for name := range left {
		t.Errorf("%s is not listed", name)
	}
}

func TestOperationsAreFoundByPathSummaryAndFieldWithoutScripts(t *testing.T) {
	b := browse(t, config.Server{})
	entries, hidden := regexp.MustCompile(`<li data-entry="\w+"`), regexp.MustCompile(`<li data-entry="\w+" hidden>`)
	for query, want := range map[string]string{"products/search": "Search products", "search+PRODUCTS": "Search products", "has_visit360": "Search products", "client/token": "Obtain a token"} {
		page := b.open("GET", "/docs?q="+query).Body.String()
		_, main, _ := strings.Cut(page, "<main")
		all := len(entries.FindAllString(main, -1))
		shown := all - len(hidden.FindAllString(main, -1))
		found := regexp.MustCompile(`<li data-entry="[^"]*"><a href="[^"]*">` + want).MatchString(main)
		if !found || shown < 1 || shown > 20 {
			t.Errorf("%s finds %d of %d operations, among them %q: %t", query, shown, all, want, found)
		}
	}
	if page := b.open("GET", "/docs?q=%3Cscript%3E"); strings.Contains(page.Body.String(), `"<script>`) || !strings.Contains(page.Body.String(), "0 found") {
		t.Error("what is looked for is not escaped, or found")
	}
}

func TestH17_PagesRunNothingButTheirOwnScriptsAndCannotBeFramed(t *testing.T) {
	b := browse(t, sandboxed())
	inline := regexp.MustCompile(`(?i)<script[^>]*>[^<]|<style|\son\w+\s*=|\sstyle\s*=|javascript:|https?://[^"]*\.(js|css)`)
	for path, status := range map[string]int{"/": 200, "/docs": 200, "/docs/": 200, "/docs?q=price": 200, b.search(): 200, "/docs/nothing": 404, "/docs/assets/nothing.js": 404} {
		page := b.open("GET", path)
		policy := page.Header().Get("Content-Security-Policy")
		if page.Code != status || !strings.HasPrefix(policy, "default-src 'none';") || !strings.Contains(policy, "script-src 'self';") || !strings.Contains(policy, "frame-ancestors 'none'") ||
			strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || page.Header().Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %d, %v", path, page.Code, page.Header())
		}
		if found := inline.FindString(page.Body.String()); found != "" {
			t.Errorf("%s has %q, which the policy forbids", path, found)
		}
	}
}

func TestPagesAreCompressedAndKept(t *testing.T) {
	b := browse(t, sandboxed())
	paths := []string{"/", "/docs", b.search()}
	for _, asset := range regexp.MustCompile(`"(/docs/assets/[^"]+)"`).FindAllStringSubmatch(b.open("GET", "/docs").Body.String(), -1) {
		paths = append(paths, asset[1])
	}
	if len(paths) < 3+5 {
		t.Errorf("the assets are %v", paths)
	}
	for _, path := range paths {
		plain, packed, zstd := b.open("GET", path), b.open("GET", path, "Accept-Encoding", "gzip, deflate"), b.open("GET", path, "Accept-Encoding", "gzip, zstd")
		tag := plain.Header().Get("ETag")
		if plain.Code != http.StatusOK || tag == "" || plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("Cache-Control") == "" {
			t.Errorf("%s: %d %v", path, plain.Code, plain.Header())
		}
		if isPage := !strings.Contains(path, "assets"); isPage != (plain.Header().Get("Cache-Control") == "no-cache") {
			t.Errorf("%s: Cache-Control is %s", path, plain.Header().Get("Cache-Control"))
		}
		if known := b.open("GET", path, "If-None-Match", `"other", W/`+tag); known.Code != http.StatusNotModified || known.Body.Len() != 0 {
			t.Errorf("%s: what is known is answered %d with %d bytes", path, known.Code, known.Body.Len())
		}
		if head := b.open("HEAD", path); head.Code != http.StatusOK || head.Body.Len() != 0 || head.Header().Get("ETag") != tag || head.Header().Get("Content-Length") == "" {
			t.Errorf("%s: HEAD is %d %v", path, head.Code, head.Header())
		}
		if strings.HasSuffix(path, ".woff2") {
			continue
		}
		if zstd.Header().Get("Content-Encoding") != "zstd" || zstd.Header().Get("ETag") == packed.Header().Get("ETag") || packed.Header().Get("ETag") == tag {
			t.Errorf("%s: its forms are %v and %v", path, zstd.Header(), packed.Header())
		}
		if packed.Header().Get("Content-Encoding") != "gzip" || !strings.Contains(strings.Join(packed.Header().Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%s: %v", path, packed.Header())
			continue
		}
		reader, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		if content, err := io.ReadAll(reader); err != nil || !bytes.Equal(content, plain.Body.Bytes()) {
			t.Errorf("%s: compressed it is something else: %v", path, err)
		}
	}
}

func TestTheFrontPageIsForBrowsersAndCurl(t *testing.T) {
	b := browse(t, config.Server{})
	if page := b.open("GET", "/"); page.Code != http.StatusOK || !strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") || !strings.Contains(page.Body.String(), `href="/docs"`) {
		t.Errorf("it is %d %v", page.Code, page.Header())
	}
	off := browse(t, config.Server{Pages: config.Pages{NoFrontPage: true}})
	for name, w := range map[string]*httptest.ResponseRecorder{
		"a client that does not say": b.open("GET", "/", "Accept", ""), "a client of the API": b.open("GET", "/", "Accept", "application/json"), "POST": b.open("POST", "/"),
		"another path": b.open("GET", "/nowhere"), "turned off": off.open("GET", "/"),
	} {
		if w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "application/json" || !strings.Contains(w.Body.String(), `"unknown_route"`) {
			t.Errorf("%s: %d %v %s", name, w.Code, w.Header(), w.Body)
		}
	}
	curl := b.open("GET", "/", "Accept", "*/*")
	if text := curl.Body.String(); curl.Code != http.StatusOK || strings.Count(text, "\n") != 3 || !strings.Contains(text, "/docs") ||
		!strings.Contains(text, "/api/client/token/site") || !strings.Contains(text, "/api/v2/site/discovery") {
		t.Errorf("curl is answered %d\n%s", curl.Code, text)
	}
	if vary := curl.Header().Values("Vary"); !strings.Contains(strings.Join(vary, ","), "Accept") {
		t.Errorf("a cache would give the answer to browsers: Vary is %v", vary)
	}
}

func TestOnlyASandboxTellsSecrets(t *testing.T) {
	for name, c := range map[string]config.Server{"sandbox": sandboxed(), "other": {Environment: wire.SandboxEnvironment}} {
		b := browse(t, c)
		for _, path := range []string{"/", "/docs", b.search(), b.token()} {
			text := b.open("GET", path).Body.String()
			if tells := strings.Contains(text, "sandbox-network-secret"); tells != (name == "sandbox") {
				t.Errorf("%s of the %s server tells a secret: %t", path, name, tells)
			}
			if strings.Contains(text, demo.OperatorPassword) != (name == "sandbox" && path == "/") {
				t.Errorf("%s of the %s server: the operator's password", path, name)
			}
		}
		if runs := strings.Count(b.open("GET", "/").Body.String(), `#send"`); (runs >= 3) != (name == "sandbox") {
			t.Errorf("the front page of the %s server has %d first calls", name, runs)
		}
		if portal := strings.Contains(b.open("GET", "/").Body.String(), `href="/portal/"`); portal != (name == "sandbox") {
			t.Errorf("%s: the front page leads to a portal: %t", name, portal)
		}
		if console := strings.Contains(b.open("GET", "/").Body.String(), `href="/console/"`); console != (name == "sandbox") {
			t.Errorf("the front page of the %s server leads to the console: %t", name, console)
		}
	}
}

// What is sent as soon as a page is opened changes nothing, and asks for nothing that
// has to be known.
func TestFirstCallsOnlyRead(t *testing.T) {
	n := 0
	for name, o := range browse(t, config.Server{}).operations() {
		if o.First {
			n++
			if o.Writes() || strings.Contains(o.Path, "{") || o.Public {
				t.Errorf("%s is no call to begin with", name)
			}
		}
	}
	if n == 0 {
		t.Error("there is nothing to begin with")
	}
}
