package rig

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// server is as much of a server as a client needs: it grants tokens for all sites
// but 9, and answers with the body it got.
func server(t *testing.T) (address string, asked func() []string) {
	var mu sync.Mutex
	var requests []string
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		requests = append(requests, r.Method+" "+r.URL.Path+" "+string(body))
		mu.Unlock()
		id, secret, _ := r.BasicAuth()
		switch {
		case r.URL.Path == "/api/client/token/site" && id == "me" && secret == "mine" && string(body) != "site_id=9":
			_, _ = io.WriteString(w, `{"access_token":"token of `+strings.TrimPrefix(string(body), "site_id=")+`"}`)
		case strings.HasPrefix(r.Header.Get("Authorization"), "Bearer token of ") && r.URL.Path != kernel.BasePath+"/broken":
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write(body)
		default:
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, "no")
		}
	}))
	t.Cleanup(listening.Close)
	return strings.TrimPrefix(listening.URL, "http://"), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return requests
	}
}

func TestClientAsksOnceForATokenOfASite(t *testing.T) {
	address, asked := server(t)
	c := NewClient("me", "mine", time.Minute)
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if err := c.Do(t.Context(), address, 1, http.MethodGet, "/agencies", nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	tokens := 0
	for _, request := range asked() {
		if strings.HasPrefix(request, "POST /api/client/token/site") {
			tokens++
		}
	}
	if tokens != 1 {
		t.Errorf("it asks %d times", tokens)
	}
	if token, err := c.Token(t.Context(), address, 2); err != nil || token != "token of 2" {
		t.Errorf("for another site: %q, %v", token, err)
	}
	if _, err := c.Token(t.Context(), address, 9); err == nil || err.Error() != "no token for site 9: 403: no" {
		t.Errorf("refused: %v", err)
	}
}

func TestClientSendsBodies(t *testing.T) {
	address, asked := server(t)
	c := NewClient("me", "mine", 0)
	for body, sent := range map[any]string{nil: "", "text": `"text"`, 7: "7"} {
		got, err := c.Call(t.Context(), address, 1, http.MethodPost, "/products", body)
		if err != nil || got.Status != http.StatusCreated || string(got.Body) != sent {
			t.Errorf("of %v it sends %q, and answers %d, %v", body, got.Body, got.Status, err)
		}
	}
	var back Object
	if err := c.Do(t.Context(), address, 1, http.MethodPost, "/products", []byte(`{"a":1}`), &back); err != nil || back["a"] != 1.0 {
		t.Errorf("bytes come back as %v, %v", back, err)
	}
	if id, err := c.Create(t.Context(), address, 1, "/products", Object{"data": Object{"id": 7}}); err != nil || id != 7 {
		t.Errorf("the id is %d, %v", id, err)
	}
	last := ""
	if _, err := c.Subscribe(t.Context(), address, 1, "http://there", "A", "B"); err == nil {
		requests := asked()
		last = requests[len(requests)-1]
	}
	if want := "POST " + kernel.BasePath + `/hooks {"origines":["A","B"],"url":"http://there"}`; last != want {
		t.Errorf("it subscribes with %q, want %q", last, want)
	}
}

func TestClientTellsRefusalsFromSilence(t *testing.T) {
	address, _ := server(t)
	c := NewClient("me", "mine", 0)
	if got, err := c.Call(t.Context(), address, 1, http.MethodGet, "/broken", nil); err != nil || got.Status != http.StatusForbidden {
		t.Errorf("a refusal: %d, %v", got.Status, err)
	}
	if err := c.Do(t.Context(), address, 1, http.MethodGet, "/broken", nil, nil); err == nil || err.Error() != "GET /broken: 403: no" {
		t.Errorf("a refusal of what must succeed: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := c.Call(ended, address, 1, http.MethodGet, "/agencies", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("no answer: %v", err)
	}
}

func TestReceiverShowsWhatIsDelivered(t *testing.T) {
	got := make(chan Delivery, 1)
	r, err := Receive(func(d Delivery) Reply {
		got <- d
		return Reply{Status: http.StatusTeapot}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	body := `{"event_type":"PRODUCT_UPDATE","resource_id":7,"path":"not this one"}`
	if status := post(t, r.URL+"hook/1", body); status != http.StatusTeapot {
		t.Errorf("it answers %d", status)
	}
	d := <-got
	if d.Path != "hook/1" || d.Type != "PRODUCT_UPDATE" || d.Resource != 7 || string(d.Body) != body || d.Header.Get("Content-Type") == "" || time.Since(d.At) > time.Minute {
		t.Errorf("it shows %+v", d)
	}
	if status := post(t, r.URL, "no JSON"); status != http.StatusBadRequest || len(got) > 0 {
		t.Errorf("what is no delivery gets %d", status)
	}
	if !strings.HasSuffix(r.URL, ":"+r.Port()+"/") {
		t.Errorf("the port of %s is %s", r.URL, r.Port())
	}
}

func TestReceiverReleasesWhatWaits(t *testing.T) {
	waiting := make(chan struct{}, 1)
	r, err := Receive(func(Delivery) Reply {
		waiting <- struct{}{}
		return Reply{Status: http.StatusOK, Delay: time.Hour}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 2 {
		answered := make(chan int)
		go func() { answered <- post(t, r.URL, "{}") }()
		<-waiting
		r.Release()
		if status := <-answered; status != http.StatusOK {
			t.Errorf("it answers %d", status)
		}
	}
}

func post(t *testing.T, url, body string) int {
	response, err := http.Post(url, "application/json", bytes.NewReader([]byte(body)))
	if err != nil {
		t.Error(err)
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}
