package e2e_test

import (
	"bytes"
	"cmp"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// cannotSucceed are the operations whose first request is refused in a sandbox that has
// just started, with the reason.
var cannotSucceed = map[string]string{
	"POST /api/client/token/refresh":             "a refresh token is secret, and used once",
	"DELETE /api/v2/site/booking-holds/{holdId}": "a hold ends after some minutes, and its token is shown once",
}

// firstTry is what the page of an operation would send.
type firstTry struct {
	method, path, needs, media string
	query                      url.Values
	header                     http.Header
	values                     url.Values
	user, password, body       string
	// file is the name of a field, otherwise where the page has what is sent in it.
	file, otherwise string
	sent            string
}

// tryOf is what the page of an operation would send, read from its form as its script
// reads it; false where there is no form.
func tryOf(t *testing.T, page []byte) (o firstTry, found bool) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var form *html.Node
	for n := range root.Descendants() {
		if _, isForm := attribute(n, "data-try"); isForm {
			form = n
		}
	}
	if form == nil {
		return o, false
	}
	o = firstTry{
		method: valueOf(form, "data-method"), path: valueOf(form, "data-path"), needs: valueOf(form, "data-needs"), media: valueOf(form, "data-media"),
		query: url.Values{}, header: http.Header{}, values: url.Values{},
	}
	o.sent = o.path
	for n := range form.Descendants() {
		if in, isField := attribute(n, "data-in"); isField {
			o.add(in, n)
		}
	}
	return o, true
}

func (o *firstTry) add(in string, field *html.Node) {
	name, filled := valueOf(field, "name"), valueOf(field, "value")
	switch field.Data {
	case "textarea":
		filled = wordsIn(field)
	case "select":
		for option := range field.ChildNodes() {
			if _, chosen := attribute(option, "selected"); chosen {
				filled = wordsIn(option)
			}
		}
	}
	switch in {
	case "path":
		o.sent = strings.ReplaceAll(o.sent, "{"+name+"}", url.PathEscape(filled))
	case "user":
		o.user = filled
	case "password":
		o.password = filled
	case "body":
		o.body = filled
	case "file":
		o.file, o.otherwise = name, valueOf(field, "data-otherwise")
	}
	if filled == "" {
		return
	}
	switch in {
	case "query":
		o.query.Set(name, filled)
	case "header":
		o.header.Set(name, filled)
	case "form":
		o.values.Set(name, filled)
	}
}

func attribute(n *html.Node, name string) (value string, there bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func valueOf(n *html.Node, name string) string {
	value, _ := attribute(n, name)
	return value
}

func wordsIn(n *html.Node) (text string) {
	for inner := range n.Descendants() {
		if inner.Type == html.TextNode {
			text += inner.Data
		}
	}
	return text
}

var pageLinks = regexp.MustCompile(`<a href="(/docs/[^"]+)">[^<]*</a><span class="where">`)

// try sends what a page offers.
func (c *client) try(o firstTry) answer {
	c.t.Helper()
	var body any
	media := o.media
	switch {
	case o.file != "":
		picture := c.stranger().get(o.otherwise)
		var text bytes.Buffer
		w := multipart.NewWriter(&text)
		part, err := w.CreateFormFile(o.file, "picture.jpg")
		if err != nil {
			c.t.Fatal(err)
		}
		_, _ = part.Write(picture.body)
		_ = w.Close()
		body, media = text.String(), w.FormDataContentType()
	case o.media == "application/json" && o.body != "":
		body = o.body
	case len(o.values) > 0:
		body = o.values.Encode()
	}
	path := c.w.url + o.sent
	if len(o.query) > 0 {
		path += "?" + o.query.Encode()
	}
	r := c.request(o.method, path, body)
	if body != nil {
		r.Header.Set("Content-Type", media)
	}
	maps.Copy(r.Header, o.header)
	if o.needs == "secret" {
		r.Header.Del("Authorization")
		r.SetBasicAuth(o.user, o.password)
	}
	return c.do(r)
}

func (c *client) stranger() *client { return c.w.stranger(c.t) }

// firstTries are what all pages would send. What deletes comes last: with a picture its
// content goes, which is not in the store.
func (w *world) firstTries(t *testing.T) (all []firstTry) {
	c := w.stranger(t)
	for _, link := range pageLinks.FindAllSubmatch(c.get("/docs").is(200).body, -1) {
		if o, isTried := tryOf(t, c.get(string(link[1])).is(200).body); isTried { // webhooks are not
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b firstTry) int {
		return cmp.Compare(strings.Count(a.method, "DELETE"), strings.Count(b.method, "DELETE"))
	})
	return all
}

// What the docs page of a sandbox sends first succeeds, whenever the sandbox starts.
func TestTheDocsPageOffersRequestsThatSucceed(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]time.Time{
		"sqlite":   time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC),
		"memory":   time.Date(2027, 2, 27, 22, 40, 0, 0, time.UTC), // a Saturday, late
		"postgres": time.Date(2026, 12, 31, 5, 0, 0, 0, time.UTC),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := everFresh(t, name, at)
			c := w.network(t)
			left := map[string]string{}
			for _, o := range w.Operations() {
				left[o.Method+" "+kernel.BasePath+o.Path] = o.ID
			}
			for _, o := range w.TokenOperations() {
				left[o.Method+" "+o.Path] = o.ID
			}
			for _, o := range w.firstTries(t) {
				call := o.method + " " + o.path
				delete(left, call)
				_, excused := cannotSucceed[call]
				if a := c.try(o); a.status < 200 || a.status > 299 {
					if !excused {
						t.Errorf("%s %s", a, o.body)
					}
				} else if excused {
					t.Errorf("%s succeeds: take it off the list", call)
				}
			}
			if len(left) > 0 {
				t.Errorf("nothing is firstTry for %v", slices.Sorted(maps.Keys(left)))
			}
		})
	}
}
