package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// entries is how the front of a stand treats what visitors send: what has to do with leads and bookings.
type entries struct {
	// down answers 502 before the server has it, loses after that, and forbids 403.
	down, loses, forbids atomic.Bool
	// refuses is a field that is at fault.
	refuses atomic.Value

	mu sync.Mutex
	// keys counts the requests with an Idempotency-Key that reached the server and were answered with success.
	keys map[string]int
}

var entry = regexp.MustCompile(`/(leads/buyers|bookings|bookings/.*|booking-slots)$`)

// pass passes a request on.
func (e *entries) pass(to http.Handler, w http.ResponseWriter, r *http.Request) {
	field, _ := e.refuses.Load().(string)
	switch {
	case !entry.MatchString(r.URL.Path):
		to.ServeHTTP(w, r)
		return
	case e.down.Load():
		w.WriteHeader(http.StatusBadGateway)
		return
	case e.forbids.Load():
		w.WriteHeader(http.StatusForbidden)
		return
	case field != "" && r.Method == http.MethodPost:
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = fmt.Fprintf(w, `{"error":{"code":"validation_failed","message":"no","details":[{"field":%q,"code":"invalid","message":"no"}]}}`, field)
		return
	}
	answer := httptest.NewRecorder()
	to.ServeHTTP(answer, r)
	if r.Method == http.MethodPost && answer.Code < http.StatusMultipleChoices {
		e.mu.Lock()
		if e.keys == nil {
			e.keys = map[string]int{}
		}
		e.keys[r.Header.Get("Idempotency-Key")]++
		e.mu.Unlock()
		if e.loses.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// sent returns under how many keys something was accepted, and how often in all.
func (e *entries) sent() (keys, times int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, n := range e.keys {
		times += n
	}
	return len(e.keys), times
}

// visitor has an address of their own.
type visitor struct {
	*stand
	address, path string
}

func (s *stand) visitor(n int) visitor {
	return visitor{s, fmt.Sprintf("192.0.2.%d", n), s.page(1)}
}

var stamp = regexp.MustCompile(`name="stamp" value="([^"]+)"`)

// form returns what is sent with a form of the listing's page.
func (v visitor) form(kind string) url.Values {
	v.t.Helper()
	_, text := v.get(v.path)
	_, form, found := strings.Cut(text, `/`+kind+`"`)
	if !found {
		v.t.Fatalf("there is no form %s:\n%s", kind, text)
	}
	return url.Values{
		"stamp": {stamp.FindStringSubmatch(form)[1]}, "name": {"Clothilde Vaugirard"}, "email": {"clothilde" + v.address + "@courriel.example"},
		"phone": {"06 39 98 44 " + v.address[len(v.address)-2:]}, "message": {"Y a-t-il des hulottes ?"}, "consent": {kind},
	}
}

var starts = regexp.MustCompile(`name="start_at" value="([^"]+)"`)

// times returns the times that a page shows.
func times(text string) (found []string) {
	for _, one := range starts.FindAllStringSubmatch(text, -1) {
		found = append(found, one[1])
	}
	return found
}

// post sends a form.
func (v visitor) post(path string, form url.Values) (code int, text, location string) {
	v.t.Helper()
	request, err := http.NewRequest(http.MethodPost, "http://"+v.mirror.Address+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("X-Forwarded-For", v.address)
	answer, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(request)
	if err != nil {
		v.t.Error(err)
		return 0, "", ""
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Error(err)
	}
	return answer.StatusCode, string(body), answer.Header.Get("Location")
}

// report returns what the mirror says of itself.
func (s *stand) report() report {
	s.t.Helper()
	said, err := s.control().call(s.t.Context(), http.MethodGet, "/control/status")
	if err != nil {
		s.t.Fatal(err)
	}
	return said
}

// delivered waits until no message waits.
func (s *stand) delivered() {
	s.t.Helper()
	if !rig.Until(s.t.Context(), time.Minute, 50*time.Millisecond, func() bool { return s.report().Leads == 0 }) {
		s.t.Fatalf("%+v", s.report())
	}
}

// leads returns the leads with an e-mail address.
func (s *stand) leads(email string) (found []client.Lead) {
	s.t.Helper()
	for one, err := range s.agent.ListLeadsAll(s.t.Context(), nil) {
		if err != nil {
			s.t.Fatal(err)
		}
		if one.Email.GetOrEmpty() == email {
			found = append(found, one)
		}
	}
	return found
}

// noTrace checks that nothing that visitors entered can be read in the files of the mirror.
func (s *stand) noTrace(words ...string) {
	s.t.Helper()
	for _, end := range []string{"", "-wal"} {
		text, err := os.ReadFile(s.database + end)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, word := range words {
			if bytes.Contains(text, []byte(word)) {
				s.t.Errorf("%q stands in the file %q", word, end)
			}
		}
	}
}

// TestMirrored_OneLeadPerForm: answers are lost, the form is sent again and again, and the mirror is killed after the server has
// accepted the lead and before the mirror knows.
func TestMirrored_OneLeadPerForm(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	v := s.visitor(11)
	form := v.form("contact")
	s.entries.loses.Store(true)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if code, text, location := v.post(v.path+"/contact", form); code != http.StatusSeeOther || location != v.path+"/merci" {
				t.Errorf("%d %s", code, text)
			}
		})
	}
	group.Wait()
	if !rig.Until(t.Context(), 30*time.Second, 20*time.Millisecond, func() bool { _, n := s.entries.sent(); return n > 1 }) {
		t.Fatal("what is lost is not sent again")
	}
	if err := s.mirror.Kill(); err != nil {
		t.Fatal(err)
	}
	s.noTrace("Clothilde", "Vaugirard", "courriel.example", "98 44", "hulottes")
	s.entries.loses.Store(false)
	s.start(s.mirror)
	s.delivered()
	if code, text, _ := v.post(v.path+"/contact", form); code != http.StatusSeeOther {
		t.Errorf("%d %s", code, text)
	}
	found := s.leads(form.Get("email"))
	if len(found) != 1 || found[0].Message.GetOrEmpty() != form.Get("message") || found[0].Firstname.GetOrEmpty() != "Clothilde" || found[0].ProductID.GetOrEmpty() != 1 ||
		!strings.HasSuffix(found[0].OriginDetail.GetOrEmpty(), v.path) {
		t.Errorf("%+v", found)
	}
	if keys, n := s.entries.sent(); keys != 1 || n < 2 {
		t.Errorf("%d leads were sent, %d times", keys, n)
	}
	customer, err := s.agent.GetCustomer(t.Context(), found[0].CustomerID.GetOrEmpty())
	if err != nil {
		t.Fatal(err)
	}
	if c := customer.Data.Consent; !c.Email.GetOrEmpty() || !c.Phone.GetOrEmpty() || !strings.Contains(c.Source.GetOrEmpty(), "texte 1 : J’accepte que Belvédère Lyon") || c.ObtainedAt.GetOrEmpty().IsZero() {
		t.Errorf("%+v", c)
	}
	s.noTrace("Clothilde", "Vaugirard", "courriel.example", "98 44", "hulottes")
}

// TestMirrored_AMessageWaitsForTheServer: the visitor is thanked at once.
func TestMirrored_AMessageWaitsForTheServer(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	v := s.visitor(12)
	form, visit := v.form("contact"), v.form("visite")
	_, text := s.get(v.path)
	visit.Set("start_at", times(text)[0])
	s.entries.down.Store(true)
	begin := time.Now()
	if code, text, _ := v.post(v.path+"/contact", form); code != http.StatusSeeOther || time.Since(begin) > 3*time.Second {
		t.Errorf("%d after %v: %s", code, time.Since(begin), text)
	}
	if said := s.report(); said.Leads != 1 || said.OldestLead == nil {
		t.Errorf("%+v", said)
	}
	// A visit is not promised.
	if code, text, _ := v.post(v.path+"/visite", visit); code != http.StatusServiceUnavailable || !strings.Contains(text, `href="tel:0465711100"`) || !strings.Contains(text, `/contact"`) {
		t.Errorf("%d %s", code, text)
	}
	s.entries.down.Store(false)
	s.delivered()
	if found := s.leads(form.Get("email")); len(found) != 1 {
		t.Errorf("%+v", found)
	}
}

// TestMirrored_ARefusalIsSeen: by the visitor where it comes at once, and by the operator where it comes later.
func TestMirrored_ARefusalIsSeen(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	v := s.visitor(13)
	s.entries.refuses.Store("phone")
	if code, text, _ := v.post(v.path+"/contact", v.form("contact")); code != http.StatusUnprocessableEntity || !strings.Contains(text, `id="contact-phone-error"`) {
		t.Errorf("%d %s", code, text)
	}
	s.delivered() // it is not kept
	s.entries.down.Store(true)
	if code, text, _ := v.post(v.path+"/contact", v.form("contact")); code != http.StatusSeeOther {
		t.Errorf("%d %s", code, text)
	}
	s.entries.down.Store(false)
	const want = "1 messages of visitors: the server answers 422 validation_failed: phone"
	if !rig.Until(t.Context(), 30*time.Second, 50*time.Millisecond, func() bool { p := s.report().Problems; return len(p) == 1 && p[0] == want }) {
		t.Errorf("%+v", s.report())
	}
	s.noTrace("Clothilde")
}

// TestMirrored_TwoVisitorsWantOneTime: one gets it, though the answer is lost at first, and the other is shown new times. The page of
// the one cancels the visit, and the time is free again.
func TestMirrored_TwoVisitorsWantOneTime(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	_, text := s.get(s.page(1))
	all := times(text)
	if len(all) < 2 {
		t.Fatalf("%s", text)
	}
	type answer struct {
		who            visitor
		form           url.Values
		code           int
		text, location string
	}
	answers := make([]answer, 2)
	s.entries.loses.Store(true)
	var group sync.WaitGroup
	for n := range answers {
		v := s.visitor(21 + n)
		form := v.form("visite")
		form.Set("start_at", all[0])
		group.Go(func() {
			code, text, location := v.post(v.path+"/visite", form)
			answers[n] = answer{v, form, code, text, location}
		})
	}
	time.Sleep(time.Second)
	s.entries.loses.Store(false)
	group.Wait()
	won, lost := answers[0], answers[1]
	if won.code != http.StatusSeeOther {
		won, lost = lost, won
	}
	if won.code != http.StatusSeeOther || lost.code != http.StatusConflict {
		t.Fatalf("%d and %d\n%s%s", won.code, lost.code, won.text, lost.text)
	}
	if left := times(lost.text); len(left) == 0 || left[0] == all[0] {
		t.Errorf("the other is shown %v", left)
	}
	if found := s.leads(lost.form.Get("email")); len(found) != 0 {
		t.Errorf("%+v", found)
	}
	if keys, _ := s.entries.sent(); keys != 1 {
		t.Errorf("%d visits were booked", keys)
	}
	// A mirror that was killed knows the visit, and one that lost the answer for good books it no second time.
	s.kill(s.mirror)
	s.settle()
	if code, text, location := won.who.post(won.who.path+"/visite", won.form); code != http.StatusSeeOther || location != won.location {
		t.Errorf("%d %s", code, text)
	}
	code, page := s.get(won.location)
	if code != http.StatusOK || !strings.Contains(page, "réservée") {
		t.Errorf("%d %s", code, page)
	}
	s.noTrace("Clothilde", "courriel.example", strings.TrimPrefix(won.location, "/rendez-vous/"))
	if code, text, location := won.who.post(won.location+"/annuler", nil); code != http.StatusSeeOther || location != won.location {
		t.Errorf("%d %s", code, text)
	}
	if code, page := s.get(won.location); code != http.StatusOK || !strings.Contains(page, "annulée") {
		t.Errorf("%d %s", code, page)
	}
	if _, text := s.get(won.who.path); times(text)[0] != all[0] {
		t.Errorf("the time is not free again: %v", times(text)[:2])
	}
}

// TestMirrored_WhatTheCredentialMayNotIsNotOffered: and is, when the right is there at the next start.
func TestMirrored_WhatTheCredentialMayNotIsNotOffered(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	s.entries.forbids.Store(true)
	s.kill(s.mirror)
	s.settle()
	path := s.page(1)
	if _, text := s.get(path); strings.Contains(text, "<form method=\"post\"") || !strings.Contains(text, "mailto:lyon@belvedere.example") {
		t.Error(text)
	}
	s.entries.forbids.Store(false)
	s.kill(s.mirror)
	s.settle()
	if _, text := s.get(path); !strings.Contains(text, `/contact"`) || !strings.Contains(text, `/visite"`) {
		t.Error(text)
	}
}

// TestMirrored_AServerWithoutBookings takes messages.
func TestMirrored_AServerWithoutBookings(t *testing.T) {
	s := newStand(t, true, "--keep")
	s.settle()
	v := s.visitor(14)
	if _, text := s.get(v.path); strings.Contains(text, `/visite"`) {
		t.Error(text)
	}
	if code, text, _ := v.post(v.path+"/contact", v.form("contact")); code != http.StatusSeeOther {
		t.Errorf("%d %s", code, text)
	}
	s.delivered()
	if found := s.leads("clothilde192.0.2.14@courriel.example"); len(found) != 1 {
		t.Errorf("%+v", found)
	}
}

// TestMirrored_AVisitWhoseAnswerWasLostIsBookedOnce: the visitor is told that nothing is promised, the mirror is killed, and the form
// is sent again.
func TestMirrored_AVisitWhoseAnswerWasLostIsBookedOnce(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	v := s.visitor(31)
	form := v.form("visite")
	_, text := s.get(v.path)
	form.Set("start_at", times(text)[0])
	s.entries.loses.Store(true)
	if code, text, _ := v.post(v.path+"/visite", form); code != http.StatusServiceUnavailable {
		t.Errorf("%d %s", code, text)
	}
	s.entries.loses.Store(false)
	s.kill(s.mirror)
	s.settle()
	code, text, page := v.post(v.path+"/visite", form)
	if code != http.StatusSeeOther {
		t.Fatalf("%d %s", code, text)
	}
	if keys, _ := s.entries.sent(); keys != 1 {
		t.Errorf("%d visits were booked", keys)
	}
	if code, text := s.get(page); code != http.StatusOK || !strings.Contains(text, "réservée") {
		t.Errorf("%d %s", code, text)
	}
}

// TestMirrored_AMessageAboutWhatWasDeletedArrives without the listing, whose address it has.
func TestMirrored_AMessageAboutWhatWasDeletedArrives(t *testing.T) {
	s := newStand(t, false, "--keep")
	s.settle()
	v := s.visitor(32)
	form := v.form("contact")
	s.entries.down.Store(true)
	if code, text, _ := v.post(v.path+"/contact", form); code != http.StatusSeeOther {
		t.Errorf("%d %s", code, text)
	}
	if err := s.agent.DeleteProduct(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	s.entries.down.Store(false)
	s.delivered()
	found := s.leads(form.Get("email"))
	if len(found) != 1 || found[0].ProductID.GetOrEmpty() != 0 || found[0].AgencyID != 11 || !strings.HasSuffix(found[0].OriginDetail.GetOrEmpty(), v.path) {
		t.Errorf("%+v, %+v", found, s.report())
	}
}
