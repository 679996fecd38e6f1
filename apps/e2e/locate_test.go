package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/geocode"
	"github.com/vitrine-crm/vitrine/core/engine/locate"
)

// addressService speaks the protocol of the national address service. It knows
// every house at 45.x, 4.8, x being its number, and every town at 46, 5.
type addressService struct {
	mu    sync.Mutex
	asked []string
	down  bool
}

func (s *addressService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.FormValue("q")
	s.asked = append(s.asked, q)
	var number int
	_, _ = fmt.Sscan(q, &number)
	switch {
	case s.down:
		w.WriteHeader(http.StatusInternalServerError)
	case r.FormValue("type") == "municipality":
		fmt.Fprint(w, `{"features":[{"geometry":{"coordinates":[5,46]},"properties":{"type":"municipality","score":0.7}}]}`)
	case strings.Contains(q, "introuvable"):
		fmt.Fprint(w, `{"features":[]}`)
	default:
		time.Sleep(2 * time.Millisecond) // so that times in milliseconds differ
		fmt.Fprintf(w, `{"features":[{"geometry":{"coordinates":[4.8,45.%d]},"properties":{"type":"housenumber","score":0.93}}]}`, number)
	}
}

// heard counts the questions that contain a text.
func (s *addressService) heard(part string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.asked {
		if strings.Contains(q, part) {
			n++
		}
	}
	return n
}

func (s *addressService) fail(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// locating looks up addresses while a scenario runs.
func locating(t *testing.T, scenario func(t *testing.T, w *world, s *addressService)) {
	t.Helper()
	onEach(t, "locate", func(t *testing.T, w *world) {
		s := &addressService{}
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		geocoder, err := geocode.BAN(geocode.Options{URL: server.URL, PerSecond: 10_000, BreakerTimeout: 20 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(geocoder.Close)
		ticker := time.NewTicker(5 * time.Millisecond)
		ctx, stop := context.WithCancel(context.Background())
		o := locate.DefaultOptions()
		o.Tick, o.Pause = ticker.C, 20*time.Millisecond
		var work sync.WaitGroup
		work.Go(func() {
			if err := w.Locate.Run(ctx, geocoder, o); err != nil {
				t.Error(err)
			}
		})
		t.Cleanup(func() {
			stop()
			work.Wait()
			ticker.Stop()
		})
		w.located(t)
		scenario(t, w, s)
	}, overOneConnection)
}

// located waits until everything has been looked at.
func (w *world) located(t *testing.T) {
	t.Helper()
	for range 4000 {
		if behind, err := w.Locate.Backlog(t.Context()); err != nil {
			t.Fatal(err)
		} else if behind == (locate.Backlog{}) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the locator never catches up")
}

func TestK19_K20_P35_AddressesAreGeocodedAfterTheCommit(t *testing.T) {
	locating(t, func(t *testing.T, w *world, s *addressService) {
		c := w.network(t)
		ledger := c.ledger()
		id := c.create(object{"criteria": criteria("Adresse", "12 rue Boussole", "CodePostal", "69003", "Ville", "Lyon")})
		w.located(t)
		read := c.get(product(id)).is(200).equals("data.position.latitude", 45.12).equals("data.position.longitude", 4.8).
			equals("data.position.source", "address").equals("data.position.score", 0.93)
		if read.text("data.last_modified") <= read.text("data.date_added") {
			t.Errorf("%s\nlast_modified is that of the creation", read)
		}
		ledger.tells(fmt.Sprintf("PRODUCT_CREATE %d", id), fmt.Sprintf("PRODUCT_UPDATE %d", id))
		c.search(object{"keyword": "12 rue Boussole"}, "?fetch=rooms").is(200).equals("data.0.position.source", "address")
		w.website(t).get(product(id)).is(200).equals("data.position.latitude", 45.12)
		if c.criterion(id, "Alentour") != nil {
			t.Error("the answer was written into Alentour")
		}

		// Another address: the old position goes with it, the new one comes.
		c.change(id, object{"criteria": criteria("Adresse", "34 rue Boussole")}).is(204)
		if now := c.get(product(id)).is(200); now.at("data.position") != nil {
			now.equals("data.position.latitude", 45.34)
		}
		w.located(t)
		c.get(product(id)).is(200).equals("data.position.latitude", 45.34)
		ledger.tells(fmt.Sprintf("PRODUCT_UPDATE %d", id), fmt.Sprintf("PRODUCT_UPDATE %d", id))

		// A change that leaves the address alone asks nobody.
		c.change(id, object{"criteria": criteria("Prix", "1")}).is(204)
		w.located(t)
		ledger.tells(fmt.Sprintf("PRODUCT_UPDATE %d", id))
		if n := s.heard("34 rue Boussole"); n != 1 {
			t.Errorf("it was asked %d times", n)
		}

		c.change(id, object{"criteria": criteria("Adresse", "chemin introuvable")}).is(204)
		w.located(t)
		c.get(product(id)).is(200).equals("data.position.latitude", 46.0).equals("data.position.source", "city")

		c.change(id, object{"criteria": criteria("Adresse", nil, "CodePostal", nil, "Ville", nil)}).is(204)
		w.located(t)
		c.get(product(id)).is(200).equals("data.position", nil)
	})
}

func TestK18_AlentourIsUsedAndItsRemovalGeocodes(t *testing.T) {
	locating(t, func(t *testing.T, w *world, s *addressService) {
		c := w.network(t)
		id := c.create(object{"criteria": criteria("Adresse", "56 quai Vu", "Ville", "Lyon", "Alentour", "45.5,4.5")})
		w.located(t)
		c.get(product(id)).is(200).equals("data.position.latitude", 45.5).equals("data.position.source", "alentour").equals("data.position.score", nil)
		if n := s.heard("quai Vu"); n != 0 {
			t.Errorf("the service was asked %d times", n)
		}
		ledger := c.ledger()
		c.change(id, object{"criteria": criteria("Alentour", nil)}).is(204)
		w.located(t)
		c.get(product(id)).is(200).equals("data.position.latitude", 45.56).equals("data.position.source", "address")
		ledger.tells(fmt.Sprintf("PRODUCT_UPDATE %d", id), fmt.Sprintf("PRODUCT_UPDATE %d", id))
	})
}

// The program itself: the towns of the sandbox, and a service by its URL.
func TestTheServerLocatesAsItIsTold(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(&addressService{})
	defer service.Close()
	for name, c := range map[string]struct {
		args   []string
		source any
	}{
		"towns": {[]string{"--geocoder=offline"}, "city"},
		"ban":   {[]string{"--geocoder=ban", "--geocoder-rate=1000", "--geocoder-url=" + service.URL}, "address"},
	} {
		t.Run(name, func(t *testing.T) {
			p := serving(t, filepath.Join(t.TempDir(), "vitrine.db"), c.args...)
			client := p.network(t)
			id := client.create(object{"criteria": criteria("Adresse", "9 rue Boussole", "CodePostal", "69003", "Ville", "Lyon")})
			eventually(t, "the product is located", func() bool { return client.get(product(id)).is(200).at("data.position") != nil })
			client.get(product(id)).is(200).equals("data.position.source", c.source)
			eventually(t, "all have been looked at", func() bool {
				response, err := p.http.Get(p.url + "/metrics")
				if err != nil {
					t.Fatal(err)
				}
				defer response.Body.Close()
				metrics := string(read(response.Body))
				return strings.Contains(metrics, "\nvitrine_geocoder_events_behind 0\n") && strings.Contains(metrics, "\nvitrine_geocoder_sites_behind 0\n")
			})
			p.stop()
		})
	}
}

func TestAWriteNeverWaitsForTheGeocoder(t *testing.T) {
	locating(t, func(t *testing.T, w *world, s *addressService) {
		c := w.network(t)
		s.fail(true)
		id := c.create(object{"criteria": criteria("Adresse", "78 rue Sourde", "Ville", "Lyon")})
		for s.heard("78 rue Sourde") == 0 {
			time.Sleep(time.Millisecond)
		}
		c.get(product(id)).is(200).equals("data.position", nil)
		s.fail(false)
		w.located(t)
		c.get(product(id)).is(200).equals("data.position.latitude", 45.78)
	})
}
