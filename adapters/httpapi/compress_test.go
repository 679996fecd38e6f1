package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

func TestEncodingsAreReadAsRFC9110Says(t *testing.T) {
	for text, want := range map[string]string{
		"": " ", "gzip": "gzip ", "zstd": "zstd ", "gzip, zstd": "zstd gzip ", "GZIP;q=1.0": "gzip ", "gzip, deflate, br": "gzip ",
		"*": "zstd gzip ", "*;q=0": " ", "gzip;q=0": " ", "zstd;q=0, *": "gzip ", "identity": " ", "zstd;q=0.5, gzip": "gzip zstd ",
		"gzip;q=0.5, identity": " ", "identity;q=0, gzip;q=0.1": "gzip ", "gzip;q=x": " ", " gzip ; q=0.3 , zstd;q=0.2": "gzip zstd ",
		"x-gzip": " ", "gzipped": " ", ";q=1": " ", "gzip; q=0.000": " ",
	} {
		var got strings.Builder
		for _, c := range accepted([]string{text}) {
			fmt.Fprintf(&got, "%s ", c)
		}
		if strings.TrimSpace(got.String()) != strings.TrimSpace(want) || !strings.HasSuffix(got.String(), " ") {
			t.Errorf("%q is %q, want %q", text, got.String(), want)
		}
	}
	if got := accepted([]string{"gzip;q=0.5", "zstd;q=0.7"}); !slices.Equal(got, []coding{zstandard, gzipped, identity}) {
		t.Errorf("two lines are %q", got)
	}
	if got := accepted(nil); !slices.Equal(got, []coding{identity}) {
		t.Errorf("no header is %q", got)
	}
}

func FuzzAcceptEncoding(f *testing.F) {
	f.Add("gzip;q=0.5, *;q=0")
	f.Fuzz(func(t *testing.T, text string) {
		got := accepted([]string{text})
		if got[len(got)-1] != identity || len(got) > 3 || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("%q is %q", text, got)
		}
	})
}

func TestWhatIsCompressedComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := slices.Concat(rapid.SliceOf(rapid.SampledFrom([][]byte{[]byte(`{"id":1},`), {0, 255}, []byte("éà")})).Draw(t, "body")...)
		for _, c := range codings {
			if got := c.decoded(t, c.compress(body).Bytes()); !bytes.Equal(got, body) {
				t.Fatalf("%s makes %q of %q", c, got, body)
			}
		}
	})
}

// decoded undoes a coding with another function than the server's.
func (c coding) decoded(t interface{ Fatal(...any) }, body []byte) []byte {
	if c == identity {
		return body
	}
	var from io.Reader
	var err error
	if c == gzipped {
		from, err = gzip.NewReader(bytes.NewReader(body))
	} else {
		from, err = zstd.NewReader(bytes.NewReader(body))
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// guarded are records that must not be compressed.
type guarded struct{ lazy }

func (guarded) Guarded() bool { return true }

// library has answers that are long, short, and not to be compressed.
func library(opts Options) *rig {
	long := thingOut{1, strings.Repeat("un appartement, ", 1000)}
	compressed := func(o operation) operation { o.Compressed = true; return o }
	names := make([]listing.RenderKey, 1000)
	return newRig(opts,
		compressed(line("long", "GET", "/long", 200, access.Rule{}, ok[kernel.Nothing](long))),
		compressed(line("long.post", "POST", "/long", 200, access.Rule{}, ok[kernel.Nothing](long))),
		compressed(line("short", "GET", "/short", 200, access.Rule{}, ok[kernel.Nothing](thingOut{1, "a"}))),
		line("secret", "GET", "/secret", 200, access.Rule{}, ok[kernel.Nothing](long)),
		compressed(line("guarded", "GET", "/guarded", 200, access.Rule{}, ok[kernel.Nothing](struct {
			Data guarded `json:"data"`
		}{guarded{lazy{names: names, builds: new([]int)}}}))),
	)
}

func TestAnswersAreCompressed(t *testing.T) {
	r := library(Options{CORSOrigins: []string{"https://app.example"}})
	bare := r.ask("full", "GET "+base+"/long", "")
	tags := map[string]bool{}
	for accept, want := range map[string]coding{"": identity, "br": identity, "gzip": gzipped, "gzip, zstd": zstandard, "zstd;q=0.1, gzip": gzipped} {
		for _, request := range []string{"GET " + base + "/long", "HEAD " + base + "/long", "POST " + base + "/long"} {
			w := r.ask("full", request, "", "Accept-Encoding", accept)
			check(t, request, w, 200, "")
			h := w.Header()
			if h.Get("Content-Encoding") != string(want) || !slices.Equal(h.Values("Vary"), []string{"Origin", "Accept-Encoding"}) || h.Get("Content-Type") != "application/json" {
				t.Errorf("%s, %s: %v", accept, request, h)
			}
			if !strings.HasPrefix(request, "HEAD") {
				if h.Get("Content-Length") != fmt.Sprint(w.Body.Len()) || string(want.decoded(t, w.Body.Bytes())) != bare.Body.String() {
					t.Errorf("%s, %s: %v %d bytes", accept, request, h, w.Body.Len())
				}
				if want != identity && w.Body.Len() > bare.Body.Len()/10 {
					t.Errorf("%s: %d of %d bytes", accept, w.Body.Len(), bare.Body.Len())
				}
			} else if w.Body.Len() != 0 || h.Get("Content-Length") != r.ask("full", "GET "+base+"/long", "", "Accept-Encoding", accept).Header().Get("Content-Length") {
				t.Errorf("%s, %s: %v", accept, request, h)
			}
			if tag := h.Get("ETag"); strings.HasPrefix(request, "POST") != (tag == "") || strings.HasPrefix(tag, "W/") {
				t.Errorf("%s has the tag %s", request, tag)
			} else if tag != "" {
				tags[string(want)+" "+tag] = true
			}
		}
	}
	if len(tags) != 3 {
		t.Errorf("three forms have the tags %v", tags)
	}
}

func TestShortAnswersAndErrorsAreNotCompressed(t *testing.T) {
	r := library(Options{})
	for request, status := range map[string]int{"GET " + base + "/short": 200, "GET " + base + "/things/404": 404} {
		w := r.ask("full", request, "", "Accept-Encoding", "gzip, zstd")
		check(t, request, w, status, "")
		if w.Header().Get("Content-Encoding") != "" || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %v", request, w.Header())
		}
	}
	if vary := r.ask("full", "GET "+base+"/short", "").Header().Get("Vary"); vary != "Accept-Encoding" {
		t.Errorf("it varies by %q, as the long ones do", vary)
	}
}

func TestSecretsAreNotCompressed(t *testing.T) {
	r := library(Options{})
	for _, request := range []string{"GET " + base + "/secret", "GET " + base + "/guarded"} {
		w := r.ask("full", request, "", "Accept-Encoding", "gzip, zstd")
		check(t, request, w, 200, "")
		if w.Header().Get("Content-Encoding") != "" || w.Body.Len() < compressFrom {
			t.Errorf("%s: %v", request, w.Header())
		}
	}
}

// TestEveryFormHasATagOfItsOwn: whoever has one of the forms is told that it still
// holds, by the name of that form.
func TestEveryFormHasATagOfItsOwn(t *testing.T) {
	r := library(Options{})
	ask := func(headers ...string) *httptest.ResponseRecorder {
		return r.ask("full", "GET "+base+"/long", "", headers...)
	}
	tag := func(accept string) string { return ask("Accept-Encoding", accept).Header().Get("ETag") }
	bare, gz, zs := tag(""), tag("gzip"), tag("zstd")
	for _, c := range []struct {
		accept, noneMatch string
		status            int
		tag               string
	}{
		{"gzip", gz, 304, gz}, {"gzip", "W/" + gz, 304, gz}, {"gzip", bare, 304, bare}, {"gzip", bare + ", " + gz, 304, gz}, {"gzip", "*", 304, gz},
		{"zstd, gzip", gz, 304, gz}, {"zstd, gzip", zs, 304, zs}, {"", bare, 304, bare}, {"", "*", 304, bare},
		{"", gz, 304, gz}, {"gzip", zs, 304, zs}, {"zstd", gz, 304, gz}, {"gzip", `"x"`, 200, gz}, {"", `"x-gzip"`, 200, bare},
	} {
		w := ask("Accept-Encoding", c.accept, "If-None-Match", c.noneMatch)
		if w.Code != c.status || w.Header().Get("ETag") != c.tag || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q with %s: %d %v, want %d %s", c.accept, c.noneMatch, w.Code, w.Header(), c.status, c.tag)
		}
		if c.status == 304 && (w.Body.Len() != 0 || w.Header().Get("Content-Encoding") != "") {
			t.Errorf("%q with %s: %v %d bytes", c.accept, c.noneMatch, w.Header(), w.Body.Len())
		}
	}
}

func TestTagsOfCompressedFormsMeetConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		version := kernel.Version(rapid.Int64Range(1, 1<<62).Draw(t, "version"))
		whole := tagOf(version, rapid.SliceOf(rapid.Byte()).Draw(t, "body"))
		c := rapid.SampledFrom([]coding{identity, gzipped, zstandard}).Draw(t, "coding")
		got := ifMatch(http.Header{"If-Match": {c.tag(whole)}})
		if want := (kernel.IfMatch{Given: true, Versions: []kernel.Version{version}}); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is %+v", c.tag(whole), got)
		}
	})
}

// TestNoSecretIsEverCompressed goes through the table: what is compressed stands
// here, and has no field for a secret or something personal, except in the blocks
// of a product that are guarded when they are asked for.
func TestNoSecretIsEverCompressed(t *testing.T) {
	may := []string{
		"discovery.list", "site.get", "agency.list", "agency.get", "user.list", "user.get", "user.groups", "user.types", "user.genders",
		"criteria.all", "criteria.get", "criteria.values", "list.all", "list.values", "action.types", "agenda.types", "hook.origines", "event.list",
		"product.search", "product.facets", "product.get", "product.criteria", "product.lots", "customer.products",
	}
	// guardedBlocks are those of personal, and the pictures with signed URLs.
	guardedBlocks := []string{"customer", "actions_history", "log_actions", "sale_agreement", "active_sale_agreement", "statistic", "products_photos"}
	secret := regexp.MustCompile(`secret|token|passw|auth|signature|signing|header|(api|secret|private)_key|credential|excerpt|birth|phone_numbers|customer$|lead`)
	for _, o := range newService(t).Operations() {
		if o.Compressed != slices.Contains(may, o.ID) {
			t.Errorf("%s is compressed: %t; this test says otherwise", o.ID, o.Compressed)
		}
		if o.Compressed && o.Public {
			t.Errorf("%s hands out tokens", o.ID)
		}
		if !o.Compressed {
			continue
		}
		for _, name := range fieldsOf(o.Out, guardedBlocks, map[reflect.Type]bool{}) {
			if secret.MatchString(name) {
				t.Errorf("%s is compressed and has %s", o.ID, name)
			}
		}
	}
	for _, o := range newService(t).TokenOperations() {
		if o.Compressed {
			t.Errorf("%s hands out tokens, compressed", o.ID)
		}
	}
}

// fieldsOf are the names of all fields of an answer, at any depth, but for those
// to be left out.
func fieldsOf(of reflect.Type, without []string, seen map[reflect.Type]bool) (names []string) {
	if of.Implements(lazyType) {
		of = reflect.New(of).Elem().Interface().(listing.Lazy).Elem()
	}
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return fieldsOf(of.Elem(), without, seen)
	case reflect.Struct:
	default:
		return nil
	}
	if seen[of] {
		return nil
	}
	seen[of] = true
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || slices.Contains(without, name) {
			continue
		}
		if name != "" {
			names = append(names, name)
		}
		names = append(names, fieldsOf(f.Type, without, seen)...)
	}
	return names
}

func TestTheDocumentIsCompressed(t *testing.T) {
	c := newCRM(t, Options{})
	var whole string
	for _, want := range []coding{identity, gzipped, zstandard} {
		r := httptest.NewRequest(http.MethodGet, "/openapi.json", nil)
		r.Header.Set("Accept-Encoding", string(want))
		w := c.send(r)
		got := string(want.decoded(t, w.Body.Bytes()))
		if want == identity {
			whole = got
		}
		if w.Code != 200 || w.Header().Get("Content-Encoding") != string(want) || w.Header().Get("Vary") != "Accept-Encoding" || got != whole || !json.Valid([]byte(got)) {
			t.Errorf("%s: %d %v", want, w.Code, w.Header())
		}
	}
}
