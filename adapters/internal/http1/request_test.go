package http1

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parsed(t interface{ Fatal(...any) }, text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestARequestOnTheWire(t *testing.T) {
	got := appendRequest(nil, Request{
		URL: parsed(t, "https://Portal.example:8443/hook/%C3%A9?key=a%20b&c"),
		Header: []Field{
			{"Content-Type", "application/json"}, {"User-Agent", "Vitrine/1.2.3"}, {"webhook-id", "msg_1"}, {"X-Event-Type", "PRODUCT_UPDATE"},
			{"x-api-KEY", " été\t"}, {"Authorization", "Bearer t"}, {"X-Empty", ""},
		},
		Body: []byte(`{"event_type":"PRODUCT_UPDATE"}`),
	})
	want := strings.ReplaceAll(`POST /hook/%C3%A9?key=a%20b&c HTTP/1.1
Host: Portal.example:8443
User-Agent: Vitrine/1.2.3
Content-Length: 31
Authorization: Bearer t
Content-Type: application/json
X-Empty:`+" "+`
X-Event-Type: PRODUCT_UPDATE
webhook-id: msg_1
x-api-KEY: été

`, "\n", "\r\n") + `{"event_type":"PRODUCT_UPDATE"}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// Receivers must not notice who writes the requests.
func TestRequestsAreWrittenAsNetHTTPDoes(t *testing.T) {
	names := rapid.StringMatching("[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,12}")
	values := rapid.StringMatching("[ \ta-zA-Z0-9é=;,\"\\\\-]{0,20}")
	rapid.Check(t, func(t *rapid.T) {
		r := Request{Body: []byte(rapid.StringN(0, 50, -1).Draw(t, "body"))}
		host := rapid.SampledFrom([]string{"portal.example", "Portal.EXAMPLE", "portal.example.", "portal.example:", "10.0.0.1:80", "[2001:db8::1]", "[2001:db8::1]:8443"}).Draw(t, "host")
		path := rapid.StringMatching(`(/[a-zA-Z0-9%.~:@!$&'()*+,;=-]{0,8}){0,3}(\?[a-zA-Z0-9=&/?:;+-]{0,10})?`).Draw(t, "path")
		u, err := url.Parse("https://" + host + path)
		if err != nil {
			t.Skip(err)
		}
		r.URL = u
		reference, err := http.NewRequest(http.MethodPost, u.String(), bytes.NewReader(r.Body))
		if err != nil {
			t.Fatal(err)
		}
		reference.Header["User-Agent"] = []string{""}
		for name, value := range rapid.MapOfN(rapid.OneOf(names, rapid.Just("User-Agent")), values, 0, 10).Draw(t, "header") {
			if framing(name) {
				continue
			}
			r.Header = append(r.Header, Field{name, value})
			reference.Header[name] = []string{value}
		}
		var want bytes.Buffer
		if err := reference.Write(&want); err != nil {
			t.Fatal(err)
		}
		if err := r.check(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), string(appendRequest(nil, r))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestNothingIsWrittenWithHeadersThatAreNotValid(t *testing.T) {
	for _, f := range []Field{
		{"", "v"}, {"a b", "v"}, {"a:", "v"}, {"é", "v"}, {"a\r\nb", "v"}, {"a", "v\r\nb: c"}, {"a", "v\n"}, {"a", "\x00"},
		{"Host", "elsewhere"}, {"content-length", "1"}, {"Transfer-Encoding", "chunked"}, {"TRAILER", "a"},
	} {
		var c Client // without Dial, which would panic
		_, err := c.Post(t.Context(), Request{URL: parsed(t, "http://portal.example/"), Header: []Field{f}})
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", f, err)
		}
	}
}
