package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
	area "github.com/vitrine-crm/vitrine/core/usecase/requests"
)

// asItIs is a request log nobody disturbs.
func asItIs(l porttest.RequestLog) porttest.RequestLog { return l }

// keeping runs a scenario in a world that keeps requests, on every store.
func keeping(t *testing.T, scenario func(t *testing.T, w *world)) {
	t.Helper()
	onEach(t, "requests", scenario, keepingRequests(asItIs), overOneConnection)
}

// flush stores what is kept of requests so far.
func (w *world) flush(t testing.TB) {
	t.Helper()
	if err := w.Requests.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// kept is what is kept of a request. A long answer arrives a little earlier than it is kept.
func (c *client) kept(a answer) (found answer) {
	c.t.Helper()
	eventually(c.t, "the request is kept", func() bool {
		found = c.get("/requests/" + a.header.Get("X-Request-Id"))
		return found.status == 200
	})
	return found
}

// lookedUp is what is kept of a request, before it is stored and after.
func (c *client) lookedUp(a answer) answer {
	c.t.Helper()
	before := c.kept(a)
	c.w.flush(c.t)
	after := c.get("/requests/" + a.header.Get("X-Request-Id")).is(200)
	if string(before.body) != string(after.body) {
		c.t.Errorf("before it is stored it is %s, afterwards %s", before.body, after.body)
	}
	return after
}

func TestG35_AClientLooksItsOwnRequestsUp(t *testing.T) {
	keeping(t, func(t *testing.T, w *world) {
		c := w.network(t)
		refused := c.send("POST", "/customers?dry=Annabelle", object{
			"type": "VENDEUR", "lastname": "Annabelle", "agencyId": 11, "emails": list{object{"email": "no address", "type": "PERSO"}}, "Annabelle": "Belle", "budget": 1,
		}, "X-Request-Id", "mine").refused(422, "invalid_format")
		found := c.lookedUp(refused)
		found.equals("data.request_id", refused.header.Get("X-Request-Id")).equals("data.client_request_id", "mine").
			equals("data.operation", "customer.create").equals("data.method", "POST").equals("data.path", "/api/v2/site/customers").
			equals("data.query", "dry=‹string, 9›").equals("data.status", 422.0).equals("data.code", "invalid_format").equals("data.one_in", 1.0).
			equals("data.deprecated_fields", list{"agencyId"})
		sent := found.text("data.sent")
		for _, want := range []string{`"lastname":"‹string, 9›"`, `"agencyId":11`, `"type":"PERSO"`, `"email":"‹string, 10›"`, `"Annabelle":"‹string, 5›"`, `"budget":"‹number, 1›"`} {
			if !strings.Contains(sent, want) {
				t.Errorf("%s is not in %s", want, sent)
			}
		}
		if answered := found.text("data.answered"); !strings.HasPrefix(answered, `{"error":{"code":"invalid_format","details":[{"field":"emails[0].email","code":"invalid_format","message":"`) || strings.Contains(answered, "no address") {
			t.Errorf("the answer is kept as %s", answered)
		}
		for _, other := range []*client{w.website(t), w.rival(t)} {
			other.get("/requests/"+refused.header.Get("X-Request-Id")).refused(404, "not_found")
		}
		c.get("/requests/"+"66a46de1-7fb5-4316-aa61-9965eef7d554").refused(404, "not_found")

		read := c.lookedUp(c.get("/customers/999999").is(404))
		read.equals("data.path", "/api/v2/site/customers/999999").equals("data.sent", nil)
		good := c.lookedUp(c.get("/site").is(200))
		good.equals("data.status", 200.0).equals("data.code", nil).equals("data.answered", nil)

		created := c.post("/products", object{"agency_id": 11, "criterias": criteria("Prix", 250000, "Titre", "Belle vue", "Chauffage", "nobody knows")})
		if created.status == 201 {
			t.Fatal("a heating that does not exist is taken")
		}
		sent = c.lookedUp(created).text("data.sent")
		for _, want := range []string{`"id":"Prix","value":250000`, `"value":"‹string, 9›"`} {
			if !strings.Contains(sent, want) {
				t.Errorf("%s is not in %s", want, sent)
			}
		}
		if answered := c.lookedUp(created).text("data.answered"); !strings.Contains(answered, `"accepted_count":`) {
			t.Errorf("it is not kept how many codes there are: %s", answered)
		}
		if strings.Contains(sent, "nobody") {
			t.Errorf("what is no code of the criterion is kept: %s", sent)
		}
	})
}

func TestReadinessTellsWhoStillSendsDeprecatedNames(t *testing.T) {
	keeping(t, func(t *testing.T, w *world) {
		c := w.as(t, "sandbox-group", 1)
		for range 3 {
			c.post("/customers/search", object{"sortType": "id"}).is(200)
		}
		last := c.post("/customers/search", object{"sortType": "id", "sortOrder": "asc"}).is(200)
		c.kept(last)
		w.flush(t)
		got := c.get("/requests/readiness").is(200)
		want := map[string]float64{"sortType": 4, "sortOrder": 1}
		if n := len(got.list("data")); n != len(want) {
			t.Fatalf("%s has %d lines", got, n)
		}
		for _, line := range got.list("data") {
			line := line.(object)
			name := line["name"].(string)
			if line["count"] != want[name] || line["operation"] != "customer.search" || line["last_request_id"] != last.header.Get("X-Request-Id") {
				t.Errorf("%v", line)
			}
		}
		w.network(t).get("/requests/readiness").is(200)
		if other := w.as(t, "sandbox-website", 1).get("/requests/readiness").is(200); strings.Contains(string(other.body), "sortType") {
			t.Errorf("another client is told %s", other)
		}
	})
}

func TestWithoutARequestLogNothingIsFound(t *testing.T) {
	c := ownWorld(t, keepingNoRequests).network(t)
	c.get("/requests/"+c.get("/site").is(200).header.Get("X-Request-Id")).refused(404, "not_found")
	c.get("/requests/readiness").refused(404, "not_found")
}

// spy is a request log that remembers what it stored. What it could not store, because
// the writer was told to stop, is given to it again.
type spy struct {
	porttest.RequestLog
	mu   sync.Mutex
	seen []trace.Request
	// stalled keeps Add waiting until it is closed; entered is told.
	stalled, entered chan struct{}
}

func (s *spy) Add(ctx context.Context, added []trace.Request) error {
	if s.stalled != nil {
		select {
		case s.entered <- struct{}{}:
		default:
		}
		<-s.stalled
	}
	if err := s.RequestLog.Add(ctx, added); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, added...)
	return nil
}

// spying is a world that keeps requests in a log that remembers them.
func spying(t *testing.T, engine string, s *spy) *world {
	t.Helper()
	return withOwnStore(t, engine, keepingRequests(func(l porttest.RequestLog) porttest.RequestLog {
		s.RequestLog = l
		return s
	}))
}

// bird looks like a code, the birds of a person do not.
const (
	bird   = "zanarixq"
	monkey = "ouistiti"
)

// birds returns canaries in turn.
func birds(all ...string) func() string {
	n := 0
	return func() string {
		n++
		return all[n%len(all)]
	}
}

// canaries fills every field of a request that can hold text with a canary.
func canaries(of reflect.Type, next func() string) any {
	if inner, ok := opt.Elem(of); ok {
		return canaries(inner, next)
	}
	switch {
	case of == reflect.TypeFor[kernel.Object]():
		return object{"deep": object{"deeper": list{next()}}}
	case of.Kind() == reflect.Slice:
		return list{canaries(of.Elem(), next), canaries(of.Elem(), next)}
	case of.Kind() == reflect.Map:
		return object{"X-Header": next()}
	case of.Kind() != reflect.Struct || of.String() == "criteria.Raw":
		return next() // also where a number is expected
	}
	filled := object{"unknown": next()}
	for field := range of.Fields() {
		switch name := field.Tag.Get("json"); {
		case field.Anonymous && field.Tag == "":
			for name, value := range canaries(field.Type, next).(object) {
				filled[name] = value
			}
		case name != "" && field.IsExported():
			filled[name] = canaries(field.Type, next)
		}
	}
	return filled
}

// queryOf fills the query of a request.
func queryOf(of reflect.Type, next func() string) url.Values {
	query := url.Values{"unknown": {next()}}
	for field := range of.Fields() {
		switch name := field.Tag.Get("query"); {
		case field.Anonymous && field.Tag == "":
			for name, value := range queryOf(field.Type, next) {
				query[name] = value
			}
		case name != "":
			query.Set(name, next())
		}
	}
	return query
}

// What a refusal shows, and of which fields it shows no value, whatever was sent.
var (
	shownTexts = regexp.MustCompile(`"(?:value|message)":"(?:\\.|[^"\\])*"`)
	shownField = regexp.MustCompile(`"field":"([^"]*)","code":"[^"]*","value":"` + bird)
	ofPeople   = regexp.MustCompile(`name|mail|phone|comment|message|birth|address|line|city|title|text|note|url|secret|label|description`)
)

var anyParameter = regexp.MustCompile(`\{\w+\}`)

// Whatever a client sends in whatever field, none of it is in what is kept: not before
// it is sealed, and not in the files or in the log of the server. What looks like a code is, but
// in a refusal, for a field that takes codes.
func TestNothingPersonalIsKeptOfRequests(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			var log spy
			var lines bytes.Buffer
			w := withOwnStore(t, engine, logging(&lines), keepingRequests(func(l porttest.RequestLog) porttest.RequestLog {
				log.RequestLog = l
				return &log
			}))
			c, sent := w.network(t), 0
			people := birds(monkey+" dupont", monkey+"@example.org", monkey+"-0612345678", monkey+"é")
			for _, o := range w.Operations() {
				for _, try := range []struct {
					id   string
					next func() string
				}{{"1", birds(bird)}, {"1", people}, {bird, people}} {
					path := anyParameter.ReplaceAllString(o.Path, try.id) + "?" + queryOf(o.In, try.next).Encode()
					var body any
					if o.Method != http.MethodGet && o.Method != http.MethodDelete {
						body, sent = canaries(o.In, try.next), sent+1
					}
					c.send(o.Method, path, body)
					if sent%100 == 0 {
						time.Sleep(50 * time.Millisecond) // all of them are to be kept
					}
				}
			}
			somebody := object{
				"type": "VENDEUR", "agency_id": 11, "lastname": bird, "firstname": bird, "email": bird + "@example.org", "phone": "0612345678", "comment": bird,
				"addresses": list{object{"line1": bird, "city": bird}}, "birth_place": bird,
			}
			created := c.post("/customers", somebody).is(201)
			own := fmt.Sprintf("/customers/%d", created.id("data.id"))
			c.send("PUT", own, object{"lastname": bird + "too"})
			c.post("/leads/buyer", object{"agency_id": 11, "transaction_type": "Vente", "lastname": bird, "email": bird + "@example.org", "message": bird})
			c.get("/" + bird)
			w.stranger(t).get(own + "?" + bird + "=" + bird)
			w.flush(t)

			clean := func(what, text string) {
				t.Helper()
				if strings.Contains(shownTexts.ReplaceAllString(text, ""), bird) || strings.Contains(text, monkey) || strings.Contains(text, "0612345678") {
					t.Errorf("%s: %s", what, text)
				}
				for _, found := range shownField.FindAllStringSubmatch(text, -1) {
					flag := strings.HasPrefix(found[1], "consent") // which are true or false
					if !flag && ofPeople.MatchString(found[1][strings.LastIndexByte(found[1], '.')+1:]) {
						t.Errorf("%s: what was sent for %s is shown", what, found[1])
					}
				}
			}
			for line := range strings.Lines(lines.String()) {
				if strings.Contains(line, `"msg":"request"`) && !strings.Contains(line, `"op":"none"`) { // a path that there is not is logged
					clean("the log", line)
				}
			}
			bodies, values := 0, 0
			for _, r := range log.seen {
				clean(r.Operation, fmt.Sprintf("%+v", r))
				values += len(shownField.FindAllString(r.Answered, -1))
				if r.Sent != "" {
					bodies++
				}
			}
			if values < 20 {
				t.Errorf("of what looks like a code %d values are kept", values)
			}
			if bodies < 60 {
				t.Errorf("of %d requests with a body %d are kept", sent, bodies)
			}
			if i := slices.IndexFunc(log.seen, func(r trace.Request) bool { return r.ID == created.header.Get("X-Request-Id") }); i < 0 || !log.seen[i].IsAbout(customer.ID(created.id("data.id"))) {
				t.Error("the request that created a customer is not known to be about them")
			}
			if engine != "sqlite" {
				return
			}
			for _, suffix := range []string{"-requests", "-requests-wal"} {
				content, err := os.ReadFile(w.database + suffix)
				if err != nil || strings.Contains(string(content), bird) || strings.Contains(string(content), monkey) {
					t.Errorf("%s holds what was sent, or %v", suffix, err)
				}
			}
		})
	}
}

// While the log stalls, 20,000 requests are answered; afterwards each of them is stored
// or was counted as dropped.
func TestAStalledRequestLogSlowsNobody(t *testing.T) {
	log := spy{stalled: make(chan struct{}), entered: make(chan struct{}, 1)}
	w := spying(t, "sqlite", &log)
	ctx, stop := context.WithCancel(t.Context())
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var run sync.WaitGroup
	run.Go(func() {
		w.Requests.Run(ctx, area.Options{Store: tick.C, Trouble: func(err error) { t.Error(err) }})
	})
	const n, clients = 20_000, 4
	token := w.network(t).token
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range n / clients {
				r := httptest.NewRequest(http.MethodGet, kernel.BasePath+"/products/999999", http.NoBody)
				r.Header.Set("Authorization", "Bearer "+token)
				answer := httptest.NewRecorder()
				w.handler.ServeHTTP(answer, r)
				if answer.Code != http.StatusNotFound {
					t.Errorf("it answers %d", answer.Code)
				}
			}
		})
	}
	all.Wait()    // all are answered
	<-log.entered // while the log is stalled in its first batch
	if len(log.seen) != 0 {
		t.Error("the log was not stalled")
	}
	close(log.stalled)
	stop()
	run.Wait()
	w.flush(t)
	stored := 0
	for _, r := range log.seen {
		if r.Operation == "product.get" {
			stored++
		}
	}
	if stored+int(w.Requests.Dropped()) != n || stored < 500 {
		t.Errorf("of %d requests %d are stored and %d dropped", n, stored, w.Requests.Dropped())
	}
	caller, err := w.Admit(t.Context(), access.Grant{Site: 1})
	if err != nil {
		t.Fatal(err)
	}
	series, err := w.Requests.Traffic(t.Context(), caller, w.clock.now().Add(-time.Hour), w.clock.now().Add(time.Hour), time.Hour)
	counted := int64(0)
	for _, s := range series {
		if s.Operation == "product.get" {
			counted += s.Sum().N
		}
	}
	if err != nil || counted != n {
		t.Errorf("%d are counted, %v", counted, err)
	}
}

// Whoever is anonymised is forgotten by the request log, too.
func TestWhoIsAnonymisedIsForgottenByTheRequestLog(t *testing.T) {
	keeping(t, func(t *testing.T, w *world) {
		c := w.network(t)
		created := c.post("/customers", object{"type": "VENDEUR", "agency_id": 11, "lastname": "Partie"}).is(201)
		id := created.id("data.id")
		if sent := c.lookedUp(created).text("data.sent"); sent == "" {
			t.Fatal("nothing is kept of the request")
		}
		c.post(fmt.Sprintf("/customers/%d/anonymize", id), nil).is(204)
		ctx, stop := context.WithCancel(t.Context())
		tick := make(chan time.Time)
		var run sync.WaitGroup
		run.Go(func() { w.Requests.ForgetCustomers(ctx, tick, func(err error) { t.Error(err) }) })
		tick <- w.clock.now()
		tick <- w.clock.now() // the first is over
		stop()
		run.Wait()
		c.get("/requests/"+created.header.Get("X-Request-Id")).is(200).equals("data.sent", nil).equals("data.answered", nil)
	})
}

// A value that was refused is kept and logged, in the same words, if it looks like a code and its
// field takes codes.
func TestTheValueOfARefusalIsKeptAndLogged(t *testing.T) {
	for _, engine := range []string{"memory", "sqlite"} {
		t.Run(engine, func(t *testing.T) {
			var lines bytes.Buffer
			w := withOwnStore(t, engine, logging(&lines), keepingRequests(asItIs))
			c := w.network(t)
			for _, try := range []struct {
				answer      answer
				shown, dark []string
			}{
				{
					c.post("/products", object{"agency_id": 11, "criterias": criteria("Prix", "12m2", "Chauffage", "gazz")}),
					[]string{`"field":"criteria[0].value"`, `"value":"12m2"`, `"value":"gazz"`, `"accepted_values":["`, `Chauffage: the value is not a code`}, nil,
				},
				{
					c.post("/customers", object{"type": "VENDEURR", "lastname": "Lea", "agency_id": 11, "birth_date": "2026-02-30", "emails": list{object{"email": "lea", "type": "PERSOO"}}}),
					[]string{`"value":"VENDEURR"`, `"value":"PERSOO"`}, []string{`"lea`, "Lea", "2026-02-30"},
				},
				{
					c.post("/products", object{"agency_id": "Lea Dupont", "criterias": criteria("Chauffage", "Lea Dupont")}),
					[]string{`"code":"invalid_type"`}, []string{"Lea"},
				},
			} {
				if try.answer.status < 400 {
					t.Fatal(try.answer)
				}
				answered, logged := c.lookedUp(try.answer).text("data.answered"), ""
				for line := range strings.Lines(lines.String()) {
					if strings.Contains(line, try.answer.header.Get("X-Request-Id")) && strings.Contains(line, `"msg":"request"`) && !strings.Contains(line, "request.get") {
						logged = line
					}
				}
				for _, text := range []string{answered, logged} {
					for _, want := range try.shown {
						if !strings.Contains(text, want) {
							t.Errorf("%s is not in %s", want, text)
						}
					}
					for _, never := range try.dark {
						if strings.Contains(text, never) {
							t.Errorf("%s is in %s", never, text)
						}
					}
				}
			}
		})
	}
}
