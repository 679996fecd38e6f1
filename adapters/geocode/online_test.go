package geocode_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/geocode"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

var house = address{Street: "12 rue du Lac", PostalCode: "69003", City: "Lyon", Country: "FR"}

// service answers every request in one way, and remembers the requests.
type service struct {
	url      string
	answer   http.HandlerFunc
	mu       sync.Mutex
	requests []*http.Request
}

func newService(t *testing.T, answer http.HandlerFunc) *service {
	t.Helper()
	s := &service{answer: answer}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		s.mu.Unlock()
		s.answer(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *service) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func (s *service) last() *http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[len(s.requests)-1]
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// fast are options that do not slow tests down.
func fast(url string) geocode.Options {
	return geocode.Options{URL: url, PerSecond: 10_000, Timeout: 5 * time.Second}
}

func ban(t *testing.T, o geocode.Options) *geocode.Online {
	t.Helper()
	g, err := geocode.BAN(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

func nominatim(t *testing.T, o geocode.Options) *geocode.Online {
	t.Helper()
	g, err := geocode.Nominatim(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

func feature(kind string, score string) string {
	return `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[4.8512,45.7603]},` +
		`"properties":{"label":"x","score":` + score + `,"type":"` + kind + `","city":"Lyon"}}]}`
}

func place(latitude, longitude float64, from product.Source, score float64) product.Place {
	return product.Place{Position: criteria.Position{Latitude: latitude, Longitude: longitude}, Source: from, Score: score}
}

func TestBANNamesTheCommune(t *testing.T) {
	body := strings.Replace(feature("housenumber", "0.97"), `"city":`, `"citycode":"69383","city":`, 1)
	got, err := ban(t, fast(newService(t, says(body)).url)).Locate(t.Context(), house)
	if err != nil || got.Commune != "69383" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Coordinates come as longitude, latitude.
func TestBANAnswersBecomePlaces(t *testing.T) {
	for _, c := range []struct {
		name, body string
		about      address
		want       product.Place
	}{
		{"a house", feature("housenumber", "0.97"), house, place(45.7603, 4.8512, product.FromAddress, 0.97)},
		{"a street", feature("street", "0.7"), house, place(45.7603, 4.8512, product.FromAddress, 0.7)},
		{"a locality", feature("locality", "0.7"), house, place(45.7603, 4.8512, product.FromAddress, 0.7)},
		{"a town", feature("municipality", "0.9"), house, place(45.7603, 4.8512, product.FromCity, 0.9)},
		{"an unsure house", feature("housenumber", "0.4"), house, product.Place{}},
		{"a town at its postal code", feature("municipality", "0.3"), address{PostalCode: "69003", City: "Lyon"}, place(45.7603, 4.8512, product.FromCity, 0.3)},
		{"a town of a similar name", feature("municipality", "0.3"), address{City: "Lyon"}, product.Place{}},
		{"nothing", `{"type":"FeatureCollection","features":[]}`, house, product.Place{}},
	} {
		c.about.Country = "FR"
		got, err := ban(t, fast(newService(t, says(c.body)).url)).Locate(t.Context(), c.about)
		if got != c.want || errors.Is(err, fault.NotFound) != (c.want == product.Place{}) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestBANIsAskedInItsTerms(t *testing.T) {
	s := newService(t, says(feature("housenumber", "0.9")))
	g := ban(t, fast(s.url+"/geocodage/"))
	for _, c := range []struct {
		about address
		want  string
	}{
		{house, "q=12 rue du Lac 69003 Lyon&limit=1&autocomplete=0&postcode=69003"},
		{address{PostalCode: "69003", City: "Lyon", Country: "FR"}, "q=69003 Lyon&limit=1&autocomplete=0&postcode=69003&type=municipality"},
		{address{City: "Y", PostalCode: " 80 190", Country: "FR"}, "q=80 190 Y&limit=1&autocomplete=0&postcode=80190&type=municipality"},
		{address{Street: "« 3, rue & Cie »", City: "Lyon", PostalCode: "cedex", Country: "FR"}, "q=3, rue %26 Cie » cedex Lyon&limit=1&autocomplete=0"},
		{address{City: "Saint-Denis", Country: "RE"}, "q=Saint-Denis&limit=1&autocomplete=0&type=municipality"},
		{
			address{Street: strings.Repeat("é", 300), City: "Lyon", Country: "FR"},
			"q=" + strings.Repeat("é", 200) + "&limit=1&autocomplete=0",
		},
	} {
		if _, err := g.Locate(t.Context(), c.about); err != nil {
			t.Errorf("%+v: %v", c.about, err)
		}
		want, err := url.ParseQuery(strings.ReplaceAll(c.want, " ", "+"))
		if got := s.last(); err != nil || got.URL.Path != "/geocodage/search" || got.URL.Query().Encode() != want.Encode() || got.Method != http.MethodGet {
			t.Errorf("%+v: asked %s\nwant %s (%v)", c.about, got.URL, want.Encode(), err)
		}
	}
	if agent := s.last().UserAgent(); !strings.HasPrefix(agent, "Vitrine ") {
		t.Errorf("the agent is %q", agent)
	}
	before := s.count()
	if _, err := g.Locate(t.Context(), address{City: "Bruxelles", Country: "BE"}); !errors.Is(err, fault.NotFound) || s.count() != before {
		t.Errorf("asked about Belgium, it says %v", err)
	}
}

func TestNominatimAnswersBecomePlaces(t *testing.T) {
	at := func(rank string) string {
		return `[{"lat":"45.7603","lon":"4.8512","place_rank":` + rank + `,"importance":0.7}]`
	}
	for _, c := range []struct {
		name, body string
		want       product.Place
	}{
		{"a house", at("30"), place(45.7603, 4.8512, product.FromAddress, 0)},
		{"a street", at("26"), place(45.7603, 4.8512, product.FromAddress, 0)},
		{"a hamlet", at("20"), place(45.7603, 4.8512, product.FromCity, 0)},
		{"a town", at("16"), place(45.7603, 4.8512, product.FromCity, 0)},
		{"a county", at("12"), product.Place{}},
		{"nothing", `[]`, product.Place{}},
	} {
		got, err := nominatim(t, fast(newService(t, says(c.body)).url)).Locate(t.Context(), house)
		if got != c.want || errors.Is(err, fault.NotFound) != (c.want == product.Place{}) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestNominatimIsAskedInItsTerms(t *testing.T) {
	s := newService(t, says(`[]`))
	g := nominatim(t, fast(s.url))
	for want, about := range map[string]address{
		"city=Lyon&countrycodes=fr&format=jsonv2&limit=1&postalcode=69003&street=12+rue+du+Lac": house,
		"city=Bruxelles&countrycodes=be&format=jsonv2&limit=1":                                  {City: "Bruxelles", Country: "BE"},
		"countrycodes=fr&format=jsonv2&limit=1&postalcode=97400":                                {PostalCode: "97400", Country: "RE"},
	} {
		_, _ = g.Locate(t.Context(), about)
		if got := s.last().URL; got.Path != "/search" || got.RawQuery != want {
			t.Errorf("asked %s, want %s", got, want)
		}
	}
}

// What a service does wrong, and what that says about the address.
func TestErrorsSayWhatTheyAreAbout(t *testing.T) {
	all := []error{fault.NotFound, fault.Invalid, fault.Limited, fault.Unavailable}
	huge := strings.Repeat(" ", 300<<10)
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   error // nil: none of all
	}{
		{"400", status(400), fault.Invalid}, {"414", status(414), fault.Invalid}, {"422", status(422), fault.Invalid},
		{"429", status(429), fault.Limited}, {"503", status(503), fault.Limited},
		{"301", status(301), fault.Unavailable}, {"401", status(401), fault.Unavailable}, {"403", status(403), fault.Unavailable},
		{"404", status(404), fault.Unavailable},
		{"500", status(500), nil}, {"502", status(502), nil},
		{"no JSON", says("<html>"), nil}, {"nothing", says(""), nil}, {"null", says("null"), nil}, {"a number", says("1"), nil},
		{"an object", says(`{"error": "x"}`), nil}, {"huge features", says(feature("housenumber", "0.9") + huge), nil}, {"a huge list", says(`[{"lat":"1","lon":"1","place_rank":30}]` + huge), nil},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "999")
			_, _ = w.Write([]byte("["))
		}, nil},
		{"a feature without coordinates", says(`{"features":[{"properties":{"score":1}}]}`), nil},
		{"a place without coordinates", says(`[{"place_rank":30}]`), nil},
	} {
		for protocol, make := range map[string]func(*testing.T, geocode.Options) *geocode.Online{"BAN": ban, "Nominatim": nominatim} {
			got, err := make(t, fast(newService(t, c.answer).url)).Locate(t.Context(), house)
			if err == nil {
				t.Errorf("%s, %s: %+v", protocol, c.name, got)
			}
			for _, kind := range all {
				if errors.Is(err, kind) != (kind == c.want) { //nolint:errorlint // kinds are values
					t.Errorf("%s, %s: %v is %v: %t", protocol, c.name, err, kind, errors.Is(err, kind))
				}
			}
			if err != nil && strings.Contains(err.Error(), "Lac") {
				t.Errorf("%s, %s: the error tells the address: %v", protocol, c.name, err)
			}
		}
	}
}

func TestAServiceThatIsNotThereIsUnavailable(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	if _, err := ban(t, fast(server.URL)).Locate(t.Context(), house); !errors.Is(err, fault.Unavailable) || strings.Contains(err.Error(), "Lac") {
		t.Errorf("%v", err)
	}
}

func TestASlowServiceIsGivenUp(t *testing.T) {
	gone := make(chan struct{})
	s := newService(t, func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(gone)
	})
	o := fast(s.url)
	o.Timeout = 20 * time.Millisecond
	if _, err := ban(t, o).Locate(t.Context(), house); err == nil || isKnown(err) {
		t.Errorf("%v", err)
	}
	<-gone
}

func isKnown(err error) bool {
	var kind fault.Kind
	return errors.As(err, &kind)
}

func TestACallerThatGivesUpIsNoFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newService(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	g := ban(t, fast(s.url))
	for range 10 {
		if _, err := g.Locate(ctx, house); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, want context.Canceled", err)
		}
	}
}

func TestTheBreakerLeavesAServiceThatFailsAlone(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	s := newService(t, func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		says(feature("housenumber", "0.9"))(w, r)
	})
	o := fast(s.url)
	o.BreakerTimeout = time.Hour
	registry := prometheus.NewRegistry()
	o.Registerer = registry
	g := ban(t, o)
	for range 20 {
		_, err := g.Locate(t.Context(), house)
		if err == nil {
			t.Fatal("a service that fails answers")
		}
	}
	if n := s.count(); n != 5 {
		t.Errorf("%d requests were made, want 5", n)
	}
	if _, err := g.Locate(t.Context(), house); !errors.Is(err, fault.Unavailable) {
		t.Errorf("behind the open breaker: %v", err)
	}
	if open := gauge(t, registry, "vitrine_geocoder_breaker_open"); open != 1 {
		t.Errorf("the breaker is shown as %v", open)
	}

	o.BreakerTimeout, o.Registerer = time.Millisecond, nil
	g = ban(t, o)
	for range 20 {
		if _, err := g.Locate(t.Context(), house); err == nil {
			t.Fatal("a service that fails answers")
		}
	}
	broken.Store(false)
	for range 1000 {
		if _, err := g.Locate(t.Context(), house); err == nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("the breaker stays open for ever")
}

func gauge(t *testing.T, from prometheus.Gatherer, name string) float64 {
	t.Helper()
	families, err := from.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no %s", name)
	return 0
}

func TestAnswersAboutAddressesDoNotOpenTheBreaker(t *testing.T) {
	answers := []http.HandlerFunc{status(400), says(`{"features":[]}`), status(422)}
	for _, answer := range answers {
		s := newService(t, answer)
		g := ban(t, fast(s.url))
		for i := range 20 {
			if _, err := g.Locate(t.Context(), address{City: strings.Repeat("a", i+1), Country: "FR"}); errors.Is(err, fault.Unavailable) {
				t.Fatal(err)
			}
		}
		if n := s.count(); n != 20 {
			t.Errorf("%d requests of 20", n)
		}
	}
}

func TestRetryAfterIsRespected(t *testing.T) {
	for name, c := range map[string]struct {
		header      string
		least, most time.Duration
	}{
		"seconds": {"7", 7 * time.Second, 8 * time.Second}, "nothing": {"", 5 * time.Second, 6 * time.Second},
		"nonsense": {"soon", 5 * time.Second, 6 * time.Second}, "negative": {"-5", time.Second, 2 * time.Second},
		"years": {"999999999999", 5 * time.Second, time.Hour + time.Second}, "a date gone by": {"Mon, 02 Jan 1995 15:04:05 GMT", time.Second, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			wait := geocode.QuietAfter(c.header)
			if wait < c.least || wait > c.most {
				t.Errorf("%s: it is left alone for %s", name, wait)
			}
		})
	}
	s := newService(t, status(429))
	g := ban(t, fast(s.url))
	for range 10 {
		if _, err := g.Locate(t.Context(), house); !errors.Is(err, fault.Limited) {
			t.Fatal(err)
		}
	}
	if n := s.count(); n != 1 {
		t.Errorf("%d requests were made after the service asked for silence", n-1)
	}
}

func TestAnAddressIsAskedAboutOnce(t *testing.T) {
	for name, body := range map[string]string{"found": feature("housenumber", "0.9"), "not found": `{"features":[]}`} {
		s := newService(t, says(body))
		g := ban(t, fast(s.url))
		first, firstErr := g.Locate(t.Context(), house)
		shouted := house
		shouted.Street, shouted.Country = " 12 RUE  du lac", "fr"
		again, err := g.Locate(t.Context(), shouted)
		if again != first || errors.Is(err, fault.NotFound) != errors.Is(firstErr, fault.NotFound) || s.count() != 1 {
			t.Errorf("%s: %+v, %v after %d requests", name, again, err, s.count())
		}
	}
}

// The pace holds for all who ask at once.
func TestRequestsAreSentAtAPace(t *testing.T) {
	s := newService(t, says(feature("housenumber", "0.9")))
	o := fast(s.url)
	o.PerSecond = 0.001 // the next in a quarter of an hour
	g := ban(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() { _, _ = g.Locate(ctx, address{City: strings.Repeat("a", i+1), Country: "FR"}) })
	}
	for s.count() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	cancel()
	work.Wait()
	if n := s.count(); n != 1 {
		t.Errorf("%d requests were made, want 1", n)
	}
}

func TestAURLIsRequired(t *testing.T) {
	for _, url := range []string{"", "geocoder.example.org", "ftp://geocoder.example.org", "https://", ":"} {
		if _, err := geocode.Nominatim(geocode.Options{URL: url}); err == nil {
			t.Errorf("%q is a URL", url)
		}
	}
	if g, err := geocode.BAN(geocode.Options{}); err != nil {
		t.Errorf("BAN without options: %v", err)
	} else {
		g.Close()
	}
}

type fixed struct {
	place product.Place
	err   error
}

func (f fixed) Locate(context.Context, product.Address) (product.Place, error) { return f.place, f.err }

func TestTheSecondGeocoderIsAskedAboutWhatTheFirstDoesNotKnow(t *testing.T) {
	first, second := place(1, 1, product.FromAddress, 1), place(2, 2, product.FromCity, 0)
	down := errors.New("down")
	for _, c := range []struct {
		first   fixed
		want    product.Place
		wantErr error
	}{
		{fixed{first, nil}, first, nil}, {fixed{err: fault.NotFound}, second, nil},
		{fixed{err: down}, product.Place{}, down}, {fixed{err: fault.Invalid}, product.Place{}, fault.Invalid},
	} {
		got, err := geocode.Either{First: c.first, Second: fixed{place: second}}.Locate(t.Context(), house)
		if got != c.want || !errors.Is(err, c.wantErr) {
			t.Errorf("%+v: %+v, %v", c.first, got, err)
		}
	}
}
