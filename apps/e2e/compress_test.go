package e2e_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// uncompressed is the body of an answer that is in the form that was asked for.
func uncompressed(t testing.TB, response *http.Response) []byte {
	t.Helper()
	body := read(response.Body)
	if len(body) == 0 {
		return body
	}
	var from io.Reader
	var err error
	switch coding := response.Header.Get("Content-Encoding"); coding {
	case "":
		return body
	case "gzip":
		from, err = gzip.NewReader(bytes.NewReader(body))
	case "zstd":
		from, err = zstd.NewReader(bytes.NewReader(body))
	default:
		t.Fatalf("nobody asked for %s", coding)
	}
	if err != nil {
		t.Fatal(err)
	}
	return read(from)
}

// everyForm asks in each form.
func everyForm(ask func(coding string) answer) map[string]answer {
	forms := map[string]answer{}
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		forms[coding] = ask(coding)
	}
	return forms
}

func TestPagesComeCompressed(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{"criteria": criteria("Ville", "Saint-Compressé")})
		for range 5 {
			c.create(object{"criteria": criteria("Ville", "Saint-Compressé")})
		}
		search := object{"criterias": list{object{"id": "Ville", "operator": "EGAL", "value": "Saint-Compressé"}}}
		forms := everyForm(func(coding string) answer {
			return c.send("POST", "/products/search?fetch=rooms,criteres_text,descriptions", search, "Accept-Encoding", coding).is(200)
		})
		for coding, got := range forms {
			if want := strings.TrimPrefix(coding, "identity"); got.header.Get("Content-Encoding") != want || got.header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s: %v", coding, got.header)
			}
			if string(got.body) != string(forms["identity"].body) || len(got.list("data")) != 6 {
				t.Errorf("in %s the page is another", coding)
			}
		}

		// A read is spared by the tag of each form, and a write meets it.
		whole := product(id, "?fetch=rooms,criteres_text,criteres_number,descriptions,criteres_publication_errors,scopes")
		tags := map[string]bool{}
		for coding, got := range everyForm(func(coding string) answer { return c.send("GET", whole, nil, "Accept-Encoding", coding).is(200) }) {
			if got.header.Get("Content-Encoding") != strings.TrimPrefix(coding, "identity") {
				t.Fatalf("%s: %v", coding, got.header)
			}
			tags[got.tag()] = true
			c.send("GET", whole, nil, "If-None-Match", got.tag(), "Accept-Encoding", coding).is(304).empty()
			c.send("HEAD", whole, nil, "If-None-Match", got.tag()).is(304).empty()
		}
		if len(tags) != 3 {
			t.Errorf("three forms have the tags %v", tags)
		}
		for price, coding := range []string{"identity", "gzip", "zstd"} {
			tag := c.send("GET", whole, nil, "Accept-Encoding", coding).is(200).tag()
			change := func(price int) object {
				return object{"product_id": id, "criteria": criteria("Prix", price)}
			}
			c.send("PATCH", product(id), change(1000+price), "If-Match", tag).is(204)
			c.send("PATCH", product(id), change(2000+price), "If-Match", tag).refused(412, "precondition_failed")
		}
	})
}

// TestSecretsComeUncompressed: how long a compressed answer is tells about it.
func TestSecretsComeUncompressed(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(object{"criteria": criteria("Ville", "Saint-Secret"), "customer_id": 1001})
		hook := c.post("/hooks", object{"url": "https://hooks.example.org/" + strings.Repeat("long/", 300), "origines": list{"PRODUCT_DELETE"}}).is(201).id("data.id")
		defer c.delete(fmt.Sprintf("/hooks/%d", hook))
		for _, request := range []struct{ method, path string }{
			{"GET", "/hooks"}, {"GET", fmt.Sprintf("/hooks/%d", hook)}, {"GET", fmt.Sprintf("/hooks/%d/secret", hook)},
			{"GET", "/customers/1001"}, {"GET", "/customers/1001/export"}, {"POST", "/customers/search"}, {"GET", "/leads"},
			{"GET", product(id, "?fetch=customer,rooms,descriptions,criteres_text,criteres_publication_errors,scopes")},
			{"POST", "/products/search?fetch=customer,rooms,descriptions"}, {"GET", product(id, "?fetch=products_photos,descriptions,rooms,criteres_publication_errors,scopes")},
			{"GET", "/products/0"}, {"POST", "/products"},
		} {
			var body any
			if request.method == "POST" {
				body = object{"model": strings.Repeat("x", 5000)}
				if strings.Contains(request.path, "search") {
					body = object{}
				}
			}
			got := c.send(request.method, request.path, body, "Accept-Encoding", "gzip, zstd")
			if got.header.Get("Content-Encoding") != "" {
				t.Errorf("%s is compressed", got.request)
			}
		}
		r := c.request("POST", "/api/client/token/site", "site_id=1", "Content-Type", "application/x-www-form-urlencoded", "Accept-Encoding", "gzip, zstd")
		r.SetBasicAuth("sandbox-network", "sandbox-network-secret")
		if got := c.do(r).is(200); got.header.Get("Content-Encoding") != "" || got.header.Get("Vary") != "" {
			t.Errorf("tokens: %v", got.header)
		}
	})
}

// TestPicturesComeAsTheyAre: they are compressed already, and parts of them can be
// asked for.
func TestPicturesComeAsTheyAre(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		c.add(id, "public", picture(900, 600, 1))
		address, _ := c.pictures(id)[0]["url"].(string)
		for _, part := range []string{"", "bytes=0-99"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", "gzip, zstd")
			want := http.StatusOK
			if part != "" {
				r.Header.Set("Range", part)
				want = http.StatusPartialContent
			}
			response, err := w.http.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body := read(response.Body)
			response.Body.Close()
			if response.StatusCode != want || response.Header.Get("Content-Encoding") != "" || response.ContentLength != int64(len(body)) {
				t.Errorf("%q: %d %v", part, response.StatusCode, response.Header)
			}
		}
	})
}
