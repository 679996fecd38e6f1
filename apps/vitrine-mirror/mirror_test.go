package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// eachServer plays against the server as it is, and against one that has the contract and no more.
func eachServer(t *testing.T, play func(*testing.T, *stand)) {
	for name, contractOnly := range map[string]bool{"the server": false, "the contract alone": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, newStand(t, contractOnly, "--keep"))
		})
	}
}

// author writes products, of every way in which a listing changes.
type author struct {
	*stand
	ids []int64
}

func (s *stand) author() *author {
	a := &author{stand: s}
	for one, err := range s.agent.SearchProductsAll(s.t.Context(), nil, client.SearchProductsRequest{}) {
		if err != nil {
			s.t.Fatal(err)
		}
		a.ids = append(a.ids, one.ID)
	}
	return a
}

func criterion(id string, value any) []client.CriterionInput {
	return []client.CriterionInput{{ID: id, Value: value}}
}

func (a *author) create() (int64, error) {
	made, err := a.agent.CreateProduct(a.t.Context(), client.CreateProductRequest{
		AgencyID: client.Some[int64](11), WebStatus: client.Some(true), Criteria: client.Some([]client.CriterionInput{
			{ID: "TypeBien", Value: "Maison"}, {ID: "TypeTransaction", Value: "Vente"}, {ID: "Prix", Value: 1000 * (1 + rand.IntN(900))}, {ID: "Ville", Value: "Lyon"},
		}),
	})
	if err != nil {
		return 0, err
	}
	a.ids = append(a.ids, made.Data.ID)
	return made.Data.ID, nil
}

func (a *author) price(id int64, price float64) error {
	return a.agent.UpdateProduct(a.t.Context(), id, client.UpdateProductRequest{ProductID: id, Criteria: client.Some(criterion("Prix", price))})
}

func (a *author) publish(id int64, online bool) error {
	return a.agent.UpdateProduct(a.t.Context(), id, client.UpdateProductRequest{ProductID: id, WebStatus: client.Some(online)})
}

// write makes one change of any kind. A refusal by the rules of the trade changes nothing, and is none.
func (a *author) write() {
	a.t.Helper()
	id := a.ids[rand.IntN(len(a.ids))]
	var err error
	switch rand.IntN(10) {
	case 0:
		_, err = a.create()
	case 1:
		err = a.agent.DeleteProduct(a.t.Context(), id)
	case 2:
		err = a.agent.RestoreProduct(a.t.Context(), id)
	case 3, 4:
		err = a.publish(id, rand.IntN(2) == 0)
	case 5:
		status := []string{"EnCours", "Vendu", "Archive"}[rand.IntN(3)]
		err = a.agent.UpdateProduct(a.t.Context(), id, client.UpdateProductRequest{ProductID: id, Criteria: client.Some(criterion("Statut", status))})
	default:
		err = a.price(id, float64(1000+rand.IntN(900_000)))
	}
	var refused *client.Error
	if err != nil && (!errors.As(err, &refused) || refused.Status >= 500 || refused.Status == http.StatusUnauthorized) {
		a.t.Fatal(err)
	}
}

// number reads a count from the environment.
func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestMirrored_TheCopyIsTrueAfterLossesKillsAndASuspension writes while deliveries are lost, doubled and
// late, kills both processes, and lets the webhook be suspended. `make chaos-mirror` does the same with
// 5,000 writes and 20 kills of each.
func TestMirrored_TheCopyIsTrueAfterLossesKillsAndASuspension(t *testing.T) {
	writes, kills := number(t, "VITRINE_CHAOS_WRITES", 120), number(t, "VITRINE_CHAOS_KILLS", 1)
	eachServer(t, func(t *testing.T, s *stand) {
		a := s.author()
		s.settle()
		if wrong := s.wrong(); len(wrong) > 0 {
			t.Fatalf("after the first read %v are wrong", wrong)
		}
		s.loses.Store(true)
		for i := range writes {
			a.write()
			switch {
			case i%(writes/kills) == writes/kills/2:
				s.kill(s.mirror)
			case i%(writes/kills) == writes/kills*3/4:
				s.kill(s.server)
			case i == writes/2:
				s.suspend(a)
			}
		}
		s.late.Wait()
		lost := s.wrongNow()
		s.loses.Store(false)
		if err := s.catchUp(); err != nil {
			t.Fatal(err)
		}
		s.settle()
		if wrong := s.wrong(); len(wrong) > 0 {
			t.Errorf("after catching up %v are wrong", wrong)
		}
		if n := s.hooks(); n != 1 {
			t.Errorf("%d webhooks lead to the mirror", n)
		}
		t.Logf("%d writes, %d kills of each: %d wrong before catching up, 0 after; %d requests, %d of them searches", writes, kills, len(lost), s.requests.Load(), s.searches.Load())
	})
}

// catchUp is what the command does.
func (s *stand) catchUp() error {
	return (&catchUp{waiting{s.control(), time.Minute}}).Run(s.t.Context())
}

// suspend has the receiver fail until the server suspends the webhook, and the mirror reactivate it.
func (s *stand) suspend(a *author) {
	s.t.Helper()
	s.refuses.Store(true)
	id, err := a.create()
	if err != nil {
		s.t.Fatal(err)
	}
	status := func() string {
		for one, err := range s.agent.ListHooksAll(s.t.Context(), nil) {
			if err == nil && strings.HasPrefix(one.URL, s.lossy.URL) {
				return one.Status
			}
		}
		return ""
	}
	if !rig.Until(s.t.Context(), 30*time.Second, 50*time.Millisecond, func() bool {
		return status() == "suspended" || s.contractOnly && a.price(id, 7000) == nil && status() == "suspended"
	}) {
		s.t.Fatalf("the webhook is %s", status())
	}
	s.refuses.Store(false)
	if s.contractOnly {
		return // nothing says so until the mirror looks for what it missed
	}
	if !rig.Until(s.t.Context(), 30*time.Second, 50*time.Millisecond, func() bool { return status() == "active" }) {
		s.t.Fatalf("the mirror does not reactivate its webhook, which is %s", status())
	}
}

// TestMirrored_WhatIsGoneStaysGone delivers late what was told before a deletion.
func TestMirrored_WhatIsGoneStaysGone(t *testing.T) {
	eachServer(t, func(t *testing.T, s *stand) {
		a := s.author()
		id, err := a.create()
		if err != nil {
			t.Fatal(err)
		}
		if !rig.Until(t.Context(), 10*time.Second, 5*time.Millisecond, func() bool { _, is := s.shown(id); return is }) {
			t.Fatal("the mirror does not show what was created")
		}
		path := s.page(id)
		if code, _ := s.get(path); code != http.StatusOK {
			t.Errorf("the page is %d", code)
		}
		if err := s.agent.DeleteProduct(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if !rig.Until(t.Context(), 10*time.Second, 5*time.Millisecond, func() bool { code, _ := s.get(path); return code == http.StatusGone }) {
			t.Fatal("the mirror shows what was deleted")
		}
		s.settle()
		if err := s.catchUp(); err != nil {
			t.Fatal(err)
		}
		if code, _ := s.get(path); code != http.StatusGone {
			t.Errorf("the page is %d", code)
		}
		if err := s.agent.RestoreProduct(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if !rig.Until(t.Context(), 10*time.Second, 5*time.Millisecond, func() bool { code, _ := s.get(path); return code == http.StatusOK }) {
			t.Error("the mirror does not show what was restored")
		}
	})
}

// page returns the path of a listing's page.
func (s *stand) page(id int64) string {
	s.t.Helper()
	code, location := s.get(fmt.Sprintf("/annonces/%d", id))
	if code != http.StatusMovedPermanently {
		s.t.Fatalf("a page without its title is %d", code)
	}
	return location
}

// get returns the status of a page, and its text or where it leads.
func (s *stand) get(path string) (int, string) {
	s.t.Helper()
	answer, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Get("http://" + s.mirror.Address + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if location := answer.Header.Get("Location"); location != "" {
		return answer.StatusCode, location
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// However often a mirror is started, and also when its copy was lost, one webhook leads to it. A server
// without a list of webhooks knows the mirror's Idempotency-Key.
func TestMirrored_OneWebhookAfterAnyNumberOfRestartsAndALostCopy(t *testing.T) {
	eachServer(t, func(t *testing.T, s *stand) {
		for range 3 {
			s.settle()
			s.kill(s.mirror)
		}
		s.settle()
		if err := s.mirror.Stop(); err != nil {
			t.Fatal(err)
		}
		for _, end := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(s.database + end)
		}
		s.start(s.mirror)
		s.settle()
		if n := s.hooks(); n != 1 {
			t.Errorf("%d webhooks lead to the mirror", n)
		}
		if wrong := s.wrong(); len(wrong) > 0 {
			t.Errorf("%v are wrong", wrong)
		}
	})
}

// TestMirrored_AServerThatWasSetBackIsReadAgain starts the sandbox afresh: products are as they were, and neither their last
// modification nor any event says so.
func TestMirrored_AServerThatWasSetBackIsReadAgain(t *testing.T) {
	s := newStand(t, false)
	a := s.author()
	for _, id := range a.ids[:20] {
		if err := a.price(id, 4321); err != nil {
			t.Fatal(err)
		}
	}
	s.settle()
	s.kill(s.server)
	if !rig.Until(t.Context(), time.Minute, 200*time.Millisecond, func() bool { return s.hooks() == 1 }) {
		t.Fatal("the mirror does not subscribe again")
	}
	if err := s.catchUp(); err != nil {
		t.Fatal(err)
	}
	if wrong := s.wrong(); len(wrong) > 0 {
		t.Errorf("%v are wrong", wrong)
	}
}

// TestMirrored_StrangersCannotMark: deliveries that are not the server's are refused and store nothing.
func TestMirrored_StrangersCannotMark(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	path := "/hook/" + s.options.derive("path")
	for name, one := range map[string]struct {
		path, key string
		code      int
	}{
		"another path":   {"/hook/0123", s.options.derive("key"), http.StatusNotFound},
		"no key":         {path, "", http.StatusUnauthorized},
		"no signature":   {path, s.options.derive("key"), http.StatusUnauthorized},
		"another method": {"/control/rebuild", "", http.StatusNotFound},
	} {
		request, err := http.NewRequest(http.MethodPost, "http://"+s.mirror.Address+one.path, strings.NewReader(`{"event_type":"PRODUCT_UPDATE","resource_id":999999,"timestamp":"2026-01-01T00:00:00Z"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set(keyHeader, one.key)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != one.code {
			t.Errorf("%s is %d", name, answer.StatusCode)
		}
	}
	s.settle()
	said, err := s.control().call(t.Context(), http.MethodGet, "/control/status")
	if err != nil || said.Refused != 3 {
		t.Errorf("%+v, %v", said, err)
	}
	// What is marked is read, and of what the server does not have it is stored that it is gone.
	if s.record(999999).Gone {
		t.Error("a stranger has a product read")
	}
}

// TestMirrored_Pages: results are in pages, and each listing has one under its title.
func TestMirrored_Pages(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	code, text := s.get("/annonces")
	if code != http.StatusOK || strings.Count(text, "data-listing=") != 24 || !strings.Contains(text, `rel="next" href="/annonces?page=2"`) {
		t.Errorf("%d\n%s", code, text)
	}
	if code, _ := s.get("/annonces/123456"); code != http.StatusNotFound {
		t.Errorf("a listing that never was is %d", code)
	}
	if code, _ := s.get("/annonces/x"); code != http.StatusNotFound {
		t.Errorf("a listing without number is %d", code)
	}
	if code, text := s.get(s.page(1)); code != http.StatusOK || !strings.Contains(text, `data-listing="1"`) || !strings.Contains(text, "€") {
		t.Errorf("%d\n%s", code, text)
	}
	if code, text := s.get("/healthz"); code != http.StatusOK || text != "live\n" {
		t.Errorf("%d %s", code, text)
	}
}

// TestMirrored_AServerWithoutAnOperationIsRefused: a credential that may not search is refused at the start, with the operation.
func TestMirrored_AServerWithoutAnOperationIsRefused(t *testing.T) {
	s := newStand(t, false, "--keep")
	other := s.options
	other.ClientID, other.ClientSecret, other.Site = "sandbox-rival", "wrong", 2
	c := &serve{control: control{other, "127.0.0.1:0"}, PublicURL: "http://127.0.0.1", AllowHTTP: true, Database: t.TempDir() + "/m.db", LookEvery: time.Second, Nightly: "03:10", TimeZone: "Europe/Paris"}
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "POST /products/search") {
		t.Errorf("%v", err)
	}
	if err := (&check{other}).Run(t.Context()); err == nil {
		t.Error("the check passes")
	}
	if err := (&check{s.options}).Run(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestOptionsAtFaultAreNamed(t *testing.T) {
	good := serve{PublicURL: "https://www.example.org", LookEvery: time.Minute, Nightly: "03:10", TimeZone: "Europe/Paris"}
	for option, change := range map[string]func(*serve){
		"--public-url":      func(c *serve) { c.PublicURL = "http://www.example.org" },
		"--look-every":      func(c *serve) { c.LookEvery = 0 },
		"--nightly":         func(c *serve) { c.Nightly = "25:00" },
		"--time-zone":       func(c *serve) { c.TimeZone = "Mars" },
		"--form-delay":      func(c *serve) { c.FormDelay = -1 },
		"--trusted-proxies": func(c *serve) { c.TrustedProxies = []string{"proxy"} },
	} {
		c := good
		change(&c)
		if _, err := c.policy(); err == nil || !strings.Contains(err.Error(), option) {
			t.Errorf("%s: %v", option, err)
		}
	}
	policy, err := good.policy()
	if err != nil {
		t.Fatal(err)
	}
	// The night comes once a day, at its time, also when clocks change.
	var nights []time.Time
	for at := time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC); len(nights) < 4; {
		at = policy.Night(at)
		nights = append(nights, at)
	}
	zone, _ := time.LoadLocation("Europe/Paris")
	if !slices.IsSortedFunc(nights, time.Time.Compare) {
		t.Error(nights)
	}
	for i, at := range nights {
		if local := at.In(zone); local.Hour() != 3 || local.Minute() < 10 || local.Minute() > 40 || local.Day() != 28+i {
			t.Error(local)
		}
	}
}
