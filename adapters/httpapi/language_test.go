package httpapi

import (
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestG18_ErrorsAreInTheLanguageThatIsPreferred(t *testing.T) {
	const english, french = "no operation has this path", "aucune opération n'a ce chemin"
	r := newRig(Options{})
	for lines, want := range map[string]string{
		"":                              english,
		"fr":                            french,
		"fr-CH, en;q=0.5":               french,
		"FR-be":                         french,
		"en, fr":                        english,
		"en;q=0.5, fr;q=0.6":            french,
		"de, fr;q=0.1":                  french,
		"de, ja;q=0.9":                  english,
		"fr;q=0, de":                    english,
		"*":                             english,
		"en-GB":                         english,
		"fr;q=x":                        english,
		"français":                      english,
		";;;":                           english,
		strings.Repeat("de-AT,", 2_000): english,
		strings.Repeat("x-", 5_000):     english,
	} {
		w := r.ask("full", "GET "+base+"/nowhere", "", "Accept-Language", lines)
		check(t, lines, w, 404, "unknown_route")
		if !strings.Contains(w.Body.String(), `"message":"`+want+`"`) {
			t.Errorf("to %q: %s", lines, w.Body)
		}
		if told := w.Header().Get("Content-Language"); told == "fr" != (want == french) {
			t.Errorf("to %q the answer is said to be in %q", lines, told)
		}
		if !slices.Contains(w.Header().Values("Vary"), "Accept-Language") {
			t.Errorf("to %q the answer varies with %q", lines, w.Header().Values("Vary"))
		}
	}
}

func TestG18_SeveralLinesAreOneList(t *testing.T) {
	w := newRig(Options{}).ask("full", "GET "+base+"/nowhere", "", "Accept-Language", "de", "Accept-Language", "fr")
	if w.Header().Get("Content-Language") != "fr" {
		t.Error(w.Header(), w.Body)
	}
}

func TestG18_AnswersThatAreNoErrorsHaveNoLanguage(t *testing.T) {
	w := newRig(Options{}).ask("full", "GET "+base+"/things/1", "", "Accept-Language", "fr")
	check(t, "a read", w, 200, "")
	if h := w.Header(); h.Get("Content-Language") != "" || slices.Contains(h.Values("Vary"), "Accept-Language") {
		t.Error(h)
	}
}

var (
	messages   = regexp.MustCompile(`"message":"[^"]*"`)
	requestIDs = regexp.MustCompile(`"request_id":"[^"]*"`)
)

// refusals are requests that the transport and the core refuse in every way.
var refusals = []struct{ token, request, body, contentType string }{
	{"full", "GET " + base + "/nowhere", "", ""},
	{"full", "PUT " + base + "/things/1", "", ""},
	{"weak", "POST " + base + "/things", "{}", ""},
	{"full", "GET " + base + "/things/x", "", ""},
	{"full", "POST " + base + "/things", "{", ""},
	{"full", "POST " + base + "/things", "[1]", ""},
	{"full", "POST " + base + "/things", "a=b", "application/x-www-form-urlencoded"},
	{"full", "POST " + base + "/things", `{"name":"` + strings.Repeat("x", 200) + `"}`, ""},
	{"full", "PATCH " + base + "/things/1", `{"price":"x"}`, ""},
	{"full", "PATCH " + base + "/things/1", `{"price":[],"name":3}`, ""},
}

func (r *rig) refused(n int, language string) *httptest.ResponseRecorder {
	q := refusals[n]
	return r.ask(q.token, q.request, q.body, "Content-Type", q.contentType, "Accept-Language", language)
}

func TestG18_FrenchChangesMessagesAndNothingElse(t *testing.T) {
	r := newRig(Options{BodyLimit: 150})
	for n, q := range refusals {
		english, french := r.refused(n, ""), r.refused(n, "fr")
		if english.Code < 400 || english.Code != french.Code {
			t.Errorf("%s is answered with %d and %d", q.request, english.Code, french.Code)
		}
		if masked(english) != masked(french) {
			t.Errorf("%s\nin English %s\nin French  %s", q.request, english.Body, french.Body)
		}
		said, dit := messages.FindAllString(english.Body.String(), -1), messages.FindAllString(french.Body.String(), -1)
		for i := range said {
			if said[i] == dit[i] {
				t.Errorf("%s: %s is the same in French", q.request, said[i])
			}
		}
	}
}

// masked is the body of an answer without what may differ.
func masked(w *httptest.ResponseRecorder) string {
	return requestIDs.ReplaceAllString(messages.ReplaceAllString(w.Body.String(), "message"), "id")
}

func TestG18_WhoeverAsksForNoFrenchGetsTheSameBytes(t *testing.T) {
	r := newRig(Options{BodyLimit: 150})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, len(refusals)-1).Draw(t, "request")
		language := rapid.SampledFrom([]string{"en", "en-US,en;q=0.9,fr;q=0.8", "de", "*", "not a language"}).Draw(t, "language")
		plain, asked := r.refused(n, ""), r.refused(n, language)
		if without(plain) != without(asked) {
			t.Fatalf("%s\nbecomes %s", plain.Body, asked.Body)
		}
	})
}

// without is the body of an answer without its request_id.
func without(w *httptest.ResponseRecorder) string {
	return requestIDs.ReplaceAllString(w.Body.String(), "id")
}
