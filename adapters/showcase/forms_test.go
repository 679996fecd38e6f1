package showcase

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// desk is where what visitors send goes, in memory.
type desk struct {
	mu             sync.Mutex
	now            time.Time
	leads, books   bool
	taken          map[string]Message
	refuses        error
	slots          []Slot
	asked          int
	slow           time.Duration
	booked         map[string]Booked
	looked, tried  int
	cancelRefused  error
	bookingRefused error
}

func newDesk() *desk {
	at := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	d := &desk{now: at, leads: true, books: true, taken: map[string]Message{}, booked: map[string]Booked{}}
	for day := range 5 {
		for hour := range 3 {
			start := time.Date(2026, 11, 30+day, 8+hour, 0, 0, 0, time.UTC)
			d.slots = append(d.slots, Slot{start, start.Add(45 * time.Minute)})
		}
	}
	return d
}

func (d *desk) Take(_ context.Context, id string, m Message) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuses == nil {
		d.taken[id] = m
	}
	return d.refuses
}

func (d *desk) Slots(ctx context.Context, _ int64) ([]Slot, error) {
	d.mu.Lock()
	d.asked++
	slow, slots := d.slow, d.slots
	d.mu.Unlock()
	select {
	case <-time.After(slow):
		return slots, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (d *desk) Book(_ context.Context, key string, v Visit) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tried++
	if d.bookingRefused != nil {
		return d.bookingRefused
	}
	if _, is := d.booked[key]; is {
		return nil
	}
	for i, s := range d.slots {
		if s.Start.Equal(v.Start) {
			d.slots = append(d.slots[:i:i], d.slots[i+1:]...)
			d.booked[key] = Booked{Listing: v.Listing, Start: s.Start, End: s.End, CancelUntil: s.Start.Add(-24 * time.Hour)}
			return nil
		}
	}
	return ErrTaken
}

func (d *desk) Booked(_ context.Context, key string) (Booked, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looked++
	b, is := d.booked[key]
	if !is {
		return b, ErrNoBooking
	}
	return b, nil
}

func (d *desk) Cancel(_ context.Context, key string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.booked[key]
	b.Cancelled = d.cancelRefused == nil
	d.booked[key] = b
	return d.cancelRefused
}

const flatPath = "/annonces/appartement-script-a-lyon-7"

// visited is a site with a listing whose forms go to a desk.
func visited(t testing.TB, d *desk) http.Handler {
	t.Helper()
	k := &kept{records: map[mirror.Key]mirror.Record{}}
	k.put(shown(t, flat()))
	k.put(agencies())
	other := flat()
	other["id"] = 8
	k.put(shown(t, other))
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	site, err := New(Config{Source: k, PublicURL: "https://www.example.org", Log: slog.New(slog.DiscardHandler), Visitors: Visitors{
		Leads: d, Bookings: d, Offered: func() (bool, bool) { return d.leads, d.books }, Secret: []byte("secret"), Delay: 3 * time.Second, Zone: zone, Now: func() time.Time { return d.now },
	}})
	if err != nil {
		t.Fatal(err)
	}
	site.Register(mux, func(h http.HandlerFunc) http.HandlerFunc { return h })
	return mux
}

func post(h http.Handler, path string, v url.Values, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(v.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// filled returns what is sent with the form of a kind on a page, filled in.
func filled(t testing.TB, text, kind string) url.Values {
	t.Helper()
	found := regexp.MustCompile(`(?s)action="[^"]*/` + kind + `".*?name="stamp" value="([^"]+)"`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("the page has no form %s", kind)
	}
	v := url.Values{"stamp": {found[1]}, "name": {" Jeanne  Caron "}, "email": {"jeanne@example.org"}, "phone": {"06 39 98 01 07"}, "consent": {kind}, "message": {"Bonjour\r\n& à bientôt"}}
	if kind == "visite" {
		v.Set("start_at", "2026-11-30T08:00:00Z")
	}
	return v
}

func TestAMessageIsTakenOnce(t *testing.T) {
	d := newDesk()
	h := visited(t, d)
	_, text, _ := get(t, h, flatPath)
	v := filled(t, text, "contact")
	d.now = d.now.Add(time.Minute)
	for range 3 { // a double click and a reload
		if w := post(h, flatPath+"/contact", v); w.Code != http.StatusSeeOther || w.Header().Get("Location") != flatPath+"/merci" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if len(d.taken) != 1 {
		t.Fatalf("%d messages", len(d.taken))
	}
	for _, m := range d.taken {
		if m.Listing != 7 || m.Agency != 11 || m.Name != "Jeanne Caron" || m.Text != "Bonjour\n& à bientôt" || m.Page != "https://www.example.org"+flatPath || !strings.Contains(m.Consent, "texte 1 : J’accepte que Belvédère Lyon me recontacte") {
			t.Errorf("%+v", m)
		}
	}
	if code, text, _ := get(t, h, flatPath+"/merci"); code != http.StatusOK || !strings.Contains(text, "Belvédère Lyon vous répondra") {
		t.Errorf("%d %s", code, text)
	}
	// Who goes back and writes something else on the same page sends a second message.
	v.Set("message", "Encore une question")
	if post(h, flatPath+"/contact", v); len(d.taken) != 2 {
		t.Errorf("%d messages", len(d.taken))
	}
}

// TestWhatIsWrongStandsBesideItsField: and what was entered is still there.
func TestWhatIsWrongStandsBesideItsField(t *testing.T) {
	d := newDesk()
	h := visited(t, d)
	_, text, _ := get(t, h, flatPath)
	d.now = d.now.Add(time.Minute)
	for field, c := range map[string]struct {
		change map[string]string
		want   string
	}{
		"name":     {map[string]string{"name": " "}, "Indiquez votre nom."},
		"email":    {map[string]string{"email": "jeanne@example"}, "n’est pas complète"},
		"phone":    {map[string]string{"phone": "zéro six"}, "n’est pas complet."},
		"consent":  {map[string]string{"consent": ""}, "Cochez cette case"},
		"message":  {map[string]string{"message": strings.Repeat("é", maxText+1)}, "trop long"},
		"start_at": {map[string]string{"start_at": "demain"}, "Choisissez un créneau."},
		"neither":  {map[string]string{"email": "", "phone": ""}, "Indiquez une adresse e-mail ou un numéro"},
	} {
		kind := "contact"
		if field == "start_at" {
			kind = "visite"
		}
		v := filled(t, text, kind)
		for name, value := range c.change {
			v.Set(name, value)
		}
		w := post(h, flatPath+"/"+kind, v)
		body := w.Body.String()
		error := regexp.MustCompile(`<p class="error" id="([a-z-]+)">([^<]*)</p>`).FindStringSubmatch(body)
		if w.Code != http.StatusUnprocessableEntity || error == nil || !strings.Contains(error[2], c.want) {
			t.Errorf("%s: %d %v", field, w.Code, error)
			continue
		}
		if !regexp.MustCompile(`aria-describedby="[^"]*\b` + error[1] + `"`).MatchString(body) {
			t.Errorf("%s: nothing refers to the error", field)
		}
		if field != "name" && !strings.Contains(body, `value="Jeanne Caron"`) {
			t.Errorf("%s: what was entered is lost", field)
		}
	}
	if len(d.taken) != 0 {
		t.Errorf("%v", d.taken)
	}
}

func TestWhatTheServerRefusesStandsBesideItsField(t *testing.T) {
	d := newDesk()
	h := visited(t, d)
	_, text, _ := get(t, h, flatPath)
	d.now, d.refuses = d.now.Add(time.Minute), &Refusal{[]string{"phone"}}
	v := filled(t, text, "contact")
	w := post(h, flatPath+"/contact", v)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `id="contact-phone-error">Ce numéro`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	// The form that is shown again can be sent at once, and is another one.
	again := filled(t, w.Body.String(), "contact")
	if again.Get("stamp") == v.Get("stamp") {
		t.Error("the form that was refused has its key again")
	}
	d.refuses = nil
	if w := post(h, flatPath+"/contact", again); w.Code != http.StatusSeeOther {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	d.refuses = &Refusal{}
	again.Set("message", "autre")
	if w := post(h, flatPath+"/contact", again); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "n’est pas acceptée. Appelez") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	d.refuses = errors.New("disk full")
	if w := post(h, flatPath+"/contact", again); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "04 65 71 11 00") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestFormsAreForPeople: what programs do with forms sends nothing.
func TestFormsAreForPeople(t *testing.T) {
	d := newDesk()
	h := visited(t, d)
	_, text, _ := get(t, h, flatPath)
	begin := d.now
	for name, c := range map[string]struct {
		after  time.Duration
		change func(url.Values)
		header []string
		path   string
		want   int
	}{
		"at once":                  {after: time.Second, want: 422},
		"after a day":              {after: 25 * time.Hour, want: 422},
		"without a stamp":          {after: time.Minute, change: func(v url.Values) { v.Del("stamp") }, want: 422},
		"with a stamp of its own":  {after: time.Minute, change: func(v url.Values) { v.Set("stamp", strings.Replace(v.Get("stamp"), ".", "x.", 1)) }, want: 422},
		"with that of another":     {after: time.Minute, path: "/annonces/appartement-script-a-lyon-8/contact", want: 422},
		"into the unseen field":    {after: time.Minute, change: func(v url.Values) { v.Set("url", "https://example.org") }, want: 303},
		"from another site":        {after: time.Minute, header: []string{"Sec-Fetch-Site", "cross-site"}, want: 403},
		"from another origin":      {after: time.Minute, header: []string{"Origin", "https://evil.example"}, want: 403},
		"without end":              {after: time.Minute, change: func(v url.Values) { v.Set("message", strings.Repeat("x", maxForm)) }, want: 400},
		"about what never was":     {after: time.Minute, path: "/annonces/x-99/contact", want: 303},
		"about what has no number": {after: time.Minute, path: "/annonces/x/contact", want: 303},
	} {
		d.now = begin.Add(c.after)
		v := filled(t, text, "contact")
		if c.change != nil {
			c.change(v)
		}
		if c.path == "" {
			c.path = flatPath + "/contact"
		}
		if w := post(h, c.path, v, c.header...); w.Code != c.want || w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if len(d.taken) != 0 {
		t.Errorf("%v", d.taken)
	}
	// A proxy passes another host on: the public address is the site's own.
	d.now = begin.Add(time.Minute)
	if w := post(h, flatPath+"/contact", filled(t, text, "contact"), "Origin", "https://www.example.org"); w.Code != http.StatusSeeOther {
		t.Errorf("the site's own origin is %d", w.Code)
	}
}

func TestFiveFormsAnHourAndAddress(t *testing.T) {
	d := newDesk()
	h := visited(t, d)
	_, text, _ := get(t, h, flatPath)
	d.now = d.now.Add(time.Minute)
	send := func(n string) int {
		v := filled(t, text, "contact")
		v.Set("message", n)
		return post(h, flatPath+"/contact", v).Code
	}
	for _, n := range []string{"1", "2", "3", "4", "5", "5"} {
		if code := send(n); code != http.StatusSeeOther {
			t.Errorf("message %s is %d", n, code)
		}
	}
	if code := send("6"); code != http.StatusTooManyRequests {
		t.Errorf("the sixth is %d", code)
	}
	d.now = d.now.Add(time.Hour)
	if code := send("7"); code != http.StatusSeeOther {
		t.Errorf("after an hour it is %d", code)
	}
}

// A household has a network of IPv6 to itself.
func TestPeersByTheirNetwork(t *testing.T) {
	f := &forms{}
	for remote, want := range map[string]string{"2001:db8:1:2:3::4": "2001:db8:1:2::/64", "192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "::ffff:192.0.2.7", "unix": "unix"} {
		if got := f.peer(&http.Request{RemoteAddr: remote}); got != want {
			t.Errorf("%s is %s", remote, got)
		}
	}
}

func TestQuota_NoHourHasMoreThanFive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q, at, passed := newQuota(), time.Unix(0, 0), []time.Time{}
		for range rapid.IntRange(1, 60).Draw(t, "sent") {
			at = at.Add(time.Duration(rapid.IntRange(0, 1800).Draw(t, "later")) * time.Second)
			if q.allows("peer", rapid.StringN(6, 6, -1).Draw(t, "id"), at) {
				passed = append(passed, at)
			}
		}
		for i := range passed {
			if i >= mostForms && passed[i].Sub(passed[i-mostForms]) < formsIn {
				t.Fatalf("%v", passed[i-mostForms:i+1])
			}
		}
	})
}

// TestWithoutTheRightThereIsNoForm: telephone and e-mail stand in its place.
func TestWithoutTheRightThereIsNoForm(t *testing.T) {
	for _, c := range []struct{ leads, books bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		d := newDesk()
		d.leads, d.books = c.leads, c.books
		h := visited(t, d)
		_, text, _ := get(t, h, flatPath)
		if strings.Contains(text, `/contact"`) != c.leads || strings.Contains(text, `/visite"`) != c.books || !strings.Contains(text, "mailto:lyon@belvedere.example") {
			t.Errorf("%+v: %s", c, text)
		}
		for kind, offered := range map[string]bool{"contact": c.leads, "visite": c.books} {
			if w := post(h, flatPath+"/"+kind, url.Values{}); !offered && w.Code != http.StatusSeeOther || offered && w.Code != http.StatusUnprocessableEntity {
				t.Errorf("%+v: %s is %d", c, kind, w.Code)
			}
		}
	}
	if code, text, _ := get(t, served(&kept{records: map[mirror.Key]mirror.Record{}}), "/rendez-vous/x"); code != http.StatusNotFound {
		t.Errorf("%d %s", code, text)
	}
}

func TestAVisitIsBookedShownAndCancelled(t *testing.T) {
	d := newDesk()
	h := visited(t, d)
	_, text, _ := get(t, h, flatPath)
	for _, want := range []string{"<legend>lundi 30\u00a0novembre</legend>", ">9\u00a0h\u00a000<", "<legend>mardi 1er\u00a0décembre</legend>", "<summary>Plus tard</summary>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	d.now = d.now.Add(time.Minute)
	v := filled(t, text, "visite")
	w := post(h, flatPath+"/visite", v)
	page := w.Header().Get("Location")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(page, "/rendez-vous/") {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := post(h, flatPath+"/visite", v); w.Header().Get("Location") != page || len(d.booked) != 1 {
		t.Errorf("sent again it is %d, %d are booked", w.Code, len(d.booked))
	}
	code, text, header := get(t, h, page)
	if code != http.StatusOK || !strings.Contains(text, "lundi 30\u00a0novembre, 9\u00a0h\u00a000") || !strings.Contains(text, "noindex") || header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s", code, text)
	}
	// Another visitor wants the same time, and is shown those that are left.
	other := filled(t, listingPage(t, h), "visite")
	other.Set("start_at", "2026-11-30T08:00:00Z")
	other.Set("email", "paul@example.org")
	d.now = d.now.Add(time.Minute)
	if w := post(h, flatPath+"/visite", other); w.Code != http.StatusConflict || strings.Contains(w.Body.String(), `value="2026-11-30T08:00:00Z"`) || !strings.Contains(w.Body.String(), `value="2026-11-30T09:00:00Z"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := post(h, page+"/annuler", nil, "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("another site cancels: %d", w.Code)
	}
	d.cancelRefused = ErrLate
	if w := post(h, page+"/annuler", nil); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "trop tard") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	d.cancelRefused = errors.New("down")
	if w := post(h, page+"/annuler", nil); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "04 65 71 11 00") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	d.cancelRefused = nil
	if w := post(h, page+"/annuler", nil); w.Code != http.StatusSeeOther || w.Header().Get("Location") != page {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if _, text, _ := get(t, h, page); !strings.Contains(text, "annulée") || strings.Contains(text, "/annuler") {
		t.Error(text)
	}
	for _, path := range []string{"/rendez-vous/other", "/rendez-vous/"} {
		if code, _, _ := get(t, h, path); code != http.StatusNotFound {
			t.Errorf("%s is %d", path, code)
		}
	}
	if w := post(h, "/rendez-vous/other/annuler", nil); w.Code != http.StatusNotFound {
		t.Errorf("%d", w.Code)
	}
}

func listingPage(t *testing.T, h http.Handler) string {
	t.Helper()
	_, text, _ := get(t, h, flatPath)
	return text
}

// TestABookingThatCannotBePromised: the page says so, names the telephone, and has a message about the visit ready.
func TestABookingThatCannotBePromised(t *testing.T) {
	d := newDesk()
	h := visited(t, d)
	_, text, _ := get(t, h, flatPath)
	d.now, d.bookingRefused = d.now.Add(time.Minute), errors.New("down")
	v := filled(t, text, "visite")
	w := post(h, flatPath+"/visite", v)
	body := w.Body.String()
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(body, "04 65 71 11 00") || !strings.Contains(body, "si possible le lundi 30\u00a0novembre, 9\u00a0h\u00a000") {
		t.Fatalf("%d %s", w.Code, body)
	}
	if got := filled(t, body, "visite").Get("stamp"); got != v.Get("stamp") {
		t.Error("what is sent again is another booking")
	}
	filled(t, body, "contact")
	for _, c := range []struct {
		err  error
		code int
		want string
	}{{ErrBooked, 409, "déjà rendez-vous"}, {&Refusal{[]string{"start_at"}}, 422, "autre créneau"}, {&Refusal{[]string{"email"}}, 422, "n’est pas acceptée"}} {
		d.bookingRefused = c.err
		if w := post(h, flatPath+"/visite", v); w.Code != c.code || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%v: %d %s", c.err, w.Code, w.Body)
		}
	}
	// Nobody is free any more: there is a message instead.
	d.bookingRefused, d.slots = ErrTaken, nil
	d.now = d.now.Add(time.Hour)
	if w := post(h, flatPath+"/visite", v); w.Code != http.StatusConflict || strings.Contains(w.Body.String(), "start_at") {
		t.Errorf("%d %s", w.Code, w.Body)
	} else {
		filled(t, w.Body.String(), "contact")
	}
}

// TestTimesAreAskedForOnce: all who look at a listing within 30 seconds ask once, and nobody waits longer than a second.
func TestTimesAreAskedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		d.slow = 300 * time.Millisecond
		ts := newTimes(d)
		defer ts.kept.StopAllGoroutines()
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				if found := ts.of(t.Context(), 7); len(found) != len(d.slots) {
					t.Errorf("%d times", len(found))
				}
			})
		}
		group.Wait()
		if d.asked != 1 {
			t.Errorf("asked %d times", d.asked)
		}
		ts.forget(7)
		if ts.of(t.Context(), 7); d.asked != 2 {
			t.Errorf("after a booking asked %d times", d.asked)
		}
		ts.forget(7)
		d.slow = time.Hour
		for range 3 {
			begin := time.Now()
			if found := ts.of(t.Context(), 7); found != nil || time.Since(begin) != slotsWait {
				t.Errorf("%d times after %v", len(found), time.Since(begin))
			}
		}
		time.Sleep(slotsMost)
		begin := time.Now()
		if ts.of(t.Context(), 7); d.asked != 3 || time.Since(begin) != 0 {
			t.Errorf("a server that does not answer is asked %d times; a page waits %v", d.asked, time.Since(begin))
		}
	})
}

// TestAConsentThatIsWordedOtherwiseHasAnotherVersion: raise consentVersion with the text.
func TestAConsentThatIsWordedOtherwiseHasAnotherVersion(t *testing.T) {
	texts := map[int]string{1: "J’accepte que X me recontacte au sujet de ma demande, par e-mail ou par téléphone."}
	if got := consent("X"); got != texts[consentVersion] {
		t.Errorf("version %d is %q", consentVersion, got)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string][2]string{"Jeanne Caron": {"Jeanne", "Caron"}, "Caron": {"", "Caron"}, "Jean de la Tour": {"Jean", "de la Tour"}} {
		if first, last := (Person{Name: name}).Names(); first != want[0] || last != want[1] {
			t.Errorf("%s is %q %q", name, first, last)
		}
	}
}

// TestNoVisitorAsksTheServerForAll: what one reads, repeats and walks through costs the server few questions, so that what it may be
// asked in a day is left for the copy.
func TestNoVisitorAsksTheServerForAll(t *testing.T) {
	d := newDesk()
	h := visited(t, d)
	d.booked["key"] = Booked{Listing: 7, Start: d.now.Add(48 * time.Hour)}
	for range 500 {
		get(t, h, "/rendez-vous/key")
	}
	if d.looked > 1 {
		t.Errorf("a booking was looked up %d times", d.looked)
	}
	_, text, _ := get(t, h, flatPath)
	d.now = d.now.Add(time.Minute)
	d.bookingRefused = ErrTaken
	v := filled(t, text, "visite")
	v.Set("start_at", d.slots[0].Start.Format(time.RFC3339))
	last := 0
	for range 200 {
		last = post(h, flatPath+"/visite", v).Code
	}
	if d.tried > mostRepeats+1 || last != http.StatusTooManyRequests {
		t.Errorf("a form was sent on %d times, and is %d", d.tried, last)
	}
	d.asked = 0
	times := newTimes(d)
	for listing := range int64(1000) {
		times.of(t.Context(), listing)
	}
	if d.asked > slotsBurst+5 {
		t.Errorf("the times of 1,000 listings were asked for %d times", d.asked)
	}
}
