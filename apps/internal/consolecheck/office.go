package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/demo"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// importFolder and exportFolder are the folders of the server for files of listings, in that of the sandbox.
const importFolder, exportFolder = "imports", "exports"

// office is an operator who sends forms of the console without a browser.
type office struct {
	box  *sandbox
	http http.Client
}

// enter has an operator send the form of a page by which they come in, and choose site 1.
func (s *sandbox) enter(ctx context.Context, path string, pairs ...string) (*office, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	o := &office{box: s, http: http.Client{Jar: jar, Timeout: time.Minute}}
	if _, _, err = o.post(ctx, path, pairs...); err == nil {
		_, _, err = o.get(ctx, "") // from then on pages are about site 1
	}
	return o, err
}

// post sends a form about site 1, and returns the path below the console and the text of the page that it leads to.
func (o *office) post(ctx context.Context, path string, pairs ...string) (at, text string, err error) {
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return o.send(ctx, http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// get returns the path below the console and the text of a page.
func (o *office) get(ctx context.Context, path string) (at, text string, err error) {
	return o.send(ctx, http.MethodGet, path, "", http.NoBody)
}

func (o *office) send(ctx context.Context, method, path, contentType string, body io.Reader) (at, text string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, o.box.url(console+path)+"?site=1", body)
	if err != nil {
		return "", "", err
	}
	r.Header.Set("Content-Type", contentType)
	answer, err := o.http.Do(r)
	if err != nil {
		return "", "", err
	}
	page, err := io.ReadAll(answer.Body)
	err = errors.Join(err, answer.Body.Close())
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s is answered %d: %s", method, path, answer.StatusCode, page)
	}
	return strings.TrimPrefix(answer.Request.URL.Path, console), string(page), err
}

// until reads a page until it has a text.
func (o *office) until(ctx context.Context, path, text string) error {
	var page string
	var failed error
	if rig.Until(ctx, 2*time.Minute, time.Second, func() bool {
		_, page, failed = o.get(ctx, path)
		return strings.Contains(page, text)
	}) {
		return nil
	}
	return errors.Join(failed, fmt.Errorf("%s never has %q: %s", path, text, page))
}

// long returns a path of an address with so many characters more.
func long(path string, n int) string { return path + strings.Repeat("/long-path", n/10) }

// secretShown finds what a page shows once.
var secretShown = regexp.MustCompile(`id="secret">([^<]+)<`)

// furnish has the operator make what fills every page: keys, operators, channels of alerts, saved filters, sources with a good and a
// refused run, imports that are undone, and portals. It remembers the pages that a crawl would take for others of their kind.
func (s *sandbox) furnish(ctx context.Context) error {
	o, err := s.enter(ctx, "sign-in", "email", demo.OperatorEmail, "password", demo.OperatorPassword)
	if err != nil {
		return err
	}
	s.office = o
	if err := s.subscribe(ctx, "long", long("long", 190)); err != nil {
		return err
	}
	for id := range int64(8) {
		if err := s.reprice(ctx, id+1, s.price.Add(1000)); err != nil {
			return err
		}
	}
	if err := s.suspended(ctx, "long"); err != nil {
		return err
	}
	unreachable := strings.Replace(s.receiver.URL, "http:", "https:", 1)
	for _, form := range [][]string{
		{"credentials/sandbox-website/keys/new", "name", "Nightly export", "key_site", "1", "packs", "websites"},
		{"alerts/channels/new", "kind", "webhook", "address", s.receiver.URL + long("good", 170), "least", "warning", "digest", "at once", "language", "en", "signed", "yes"},
		{"alerts/channels/new", "kind", "webhook", "address", s.receiver.URL + long("broken", 170), "least", "warning", "digest", "at once", "language", "fr"},
		{"alerts/channels/1/test"}, {"alerts/channels/2/test"},
		{"import-sources/new", "name", "Nantes", "agency_id", "11", "folder", "nantes", "mode", "full", "withdrawal", "off_web", "withdrawal_limit", "20", "every", "1h"},
		{"import-sources/new", "name", "A source at a long address", "agency_id", "11", "url", unreachable + long("feed", 180), "mode", "incremental", "withdrawal", "off_web", "withdrawal_limit", "20", "every", "1h"},
		{"publication-targets/new", "name", "Portail Lyon", "folder", "lyon", "format", "poliris", "pictures", "urls", "every", "1h"},
		{"publication-targets/new", "name", "A portal at a long address", "url", unreachable + long("portal", 180), "format", "openimmo", "pictures", "none", "every", "1h"},
		{"me/filters", "page", "/products", "query", "agency=11&site=1", "name", "Agency 11"},
		{"me/filters", "page", "/products", "query", "TypeBien=Maison&site=1&sort=-2", "name", "Houses by price for the letter of every second Saturday"},
		{"me/filters", "page", "/requests", "query", "site=1&status=4", "name", "Refused requests of the group's website by code"},
	} {
		at, _, err := o.post(ctx, form[0], form[1:]...)
		if err != nil {
			return err
		}
		if strings.HasPrefix(at, "import-sources/") || strings.HasPrefix(at, "publication-targets/") {
			s.feeds = append(s.feeds, at)
		}
	}
	_, page, err := o.post(ctx, "operators/invite", "name", "Anne-Charlotte de Montmorency-Laval", "email", "anne-charlotte.de.montmorency-laval@belvedere.example", "role", "reader", "sites", "1")
	if err != nil {
		return err
	}
	if link := secretShown.FindStringSubmatch(page); link != nil {
		s.invitation = link[1]
	}
	_, page, err = o.post(ctx, "operators/invite", "name", "Paul", "email", "paul@belvedere.example", "role", "integrator", "sites", "1")
	link := secretShown.FindStringSubmatch(page)
	if link == nil {
		return errors.Join(err, errors.New("no invitation is shown"))
	}
	_, path, _ := strings.Cut(link[1], console)
	if _, err := s.enter(ctx, path, "name", "Paul", "password", "a sentence of five words"); err != nil {
		return err
	}
	return errors.Join(s.feed(ctx, o), s.undo(ctx, o))
}

// feed has the first source run well and then be held by its withdrawal limit, and waits for the portals, and for an alert.
func (s *sandbox) feed(ctx context.Context, o *office) error {
	source := s.feeds[0]
	for _, run := range []struct {
		listings int
		text     string
	}{{12, "12 of 12"}, {2, `state warn">`}} {
		if err := os.WriteFile(filepath.Join(s.folder, importFolder, "nantes", "listings.csv"), table("NA", run.listings), 0o600); err != nil {
			return err
		}
		if _, _, err := o.post(ctx, source+"/run"); err != nil {
			return err
		}
		if err := o.until(ctx, source, run.text); err != nil {
			return err
		}
	}
	for i, text := range []string{`imports/`, `notice bad`, `state ok">`, `notice bad`} {
		if err := o.until(ctx, s.feeds[i], text); err != nil {
			return err
		}
	}
	return o.until(ctx, "alerts", fmt.Sprintf("/webhooks/%d", s.webhooks["long"]))
}

// undo has an import undone, and leaves the dry run of another undo, some of whose listings a later import names.
func (s *sandbox) undo(ctx context.Context, o *office) error {
	wrong, err := o.imports(ctx, table("LY", 6))
	if err != nil {
		return err
	}
	dry, err := o.begin(ctx, wrong+"/undo", `/carry-out?`)
	if err != nil {
		return err
	}
	undone, err := o.begin(ctx, dry+"/carry-out", `state ok">`)
	if err != nil {
		return err
	}
	if err := o.until(ctx, wrong, "/"+undone+`"`); err != nil {
		return err
	}
	first, err := o.imports(ctx, table("PA", 6))
	if err != nil {
		return err
	}
	if _, err := o.imports(ctx, bytes.ReplaceAll(table("PA", 2), []byte("de ville"), []byte("avec jardin"))); err != nil {
		return err
	}
	waiting, err := o.begin(ctx, first+"/undo", `/carry-out?`)
	s.runs = []string{wrong, dry, undone, waiting}
	return err
}

// imports has a file imported, and returns the page of the run.
func (o *office) imports(ctx context.Context, file []byte) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "listings-of-the-agencies-of-lyon-and-paris.csv")
	if err == nil {
		_, err = part.Write(file)
	}
	if err = errors.Join(err, form.WriteField("agency_id", "11"), form.Close()); err != nil {
		return "", err
	}
	dry, _, err := o.send(ctx, http.MethodPost, "imports", form.FormDataContentType(), &body)
	if err == nil {
		err = o.until(ctx, dry, `/carry-out?`)
	}
	if err != nil {
		return "", err
	}
	return o.begin(ctx, dry+"/carry-out", `/undo?`)
}

// begin sends a form that leads to the page of a run, waits until that page has a text, and returns it.
func (o *office) begin(ctx context.Context, path, text string) (string, error) {
	at, _, err := o.post(ctx, path)
	if err == nil {
		err = o.until(ctx, at, text)
	}
	return at, err
}

// table returns a file of so many listings, the last of which has no price that can be read.
func table(prefix string, n int) []byte {
	var out strings.Builder
	out.WriteString("reference;type;transaction;prix;cp;ville;surface;pieces;titre\r\n")
	for i := 1; i <= n; i++ {
		price := fmt.Sprint(180000 + 1000*i)
		if i == n && n > 3 {
			price = "à débattre"
		}
		fmt.Fprintf(&out, "%s-%d;Maison;Vente;%s;69003;Lyon;%d;4;Maison de ville\r\n", prefix, i, price, 80+i)
	}
	return []byte(out.String())
}
