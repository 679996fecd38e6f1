package look

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAFileIsSentInTheShortestFormThatIsTaken(t *testing.T) {
	file, err := NewFile("text/plain", []byte(strings.Repeat("long ", 500)))
	if err != nil {
		t.Fatal(err)
	}
	for accepted, want := range map[string]string{
		"": "", "br": "", "gzip": "gzip", "GZIP;q=0.5": "gzip", "gzip;q=0": "", "gzip; q=0.000": "", "gzip;q=x": "",
		"gzip, deflate, br, zstd": "zstd", "zstd;q=0, gzip": "gzip", "xgzip": "",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", accepted)
		w := httptest.NewRecorder()
		file.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding"); got != want || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q is sent %q, want %q: %v", accepted, got, want, w.Header())
		}
	}
}

func TestAFileThatIsKnownIsNotSentAgain(t *testing.T) {
	file, err := NewFile("text/plain", []byte("short"))
	if err != nil {
		t.Fatal(err)
	}
	tag := `"` + file.Hash() + `"`
	for match, want := range map[string]int{"": 200, tag: 304, "W/" + tag: 304, `"a", ` + tag: 304, "*": 304, `"a"`: 200, file.Hash(): 200} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if match != "" {
			r.Header.Set("If-None-Match", match)
		}
		w := httptest.NewRecorder()
		file.ServeHTTP(w, r)
		if w.Code != want || (w.Body.Len() == 0) != (want == 304) || w.Header().Get("ETag") != tag {
			t.Errorf("If-None-Match %s: %d, %d bytes, %v", match, w.Code, w.Body.Len(), w.Header())
		}
	}
}

func TestAssetsAreNamedByTheirContent(t *testing.T) {
	a, err := NewAssets("/at/")
	if err != nil {
		t.Fatal(err)
	}
	font, err := a.Path("inter.woff2")
	if err != nil {
		t.Fatal(err)
	}
	style, err := a.Path("look.css")
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest(http.MethodGet, style, nil))
	if name := strings.TrimPrefix(font, "/at/"); name == "inter.woff2" || !strings.Contains(w.Body.String(), `url("`+name+`")`) {
		t.Errorf("the style does not name the font %s as it is served", name)
	}
	if !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("the style is not kept: %v", w.Header())
	}
	before, _ := a.Path("look.css")
	if err := a.Add("look.css", []byte("other")); err != nil {
		t.Fatal(err)
	}
	if after, _ := a.Path("look.css"); after == before {
		t.Error("another content has the same name")
	}
	if _, err := a.Path("nothing.css"); err == nil {
		t.Error("an asset that is not there has a path")
	}
}
