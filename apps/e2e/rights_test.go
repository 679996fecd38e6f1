package e2e_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
)

// gossip is a receiver that answers every delivery with what it knows about
// somebody, except those about other customers, and accepts every other one.
func gossip(t *testing.T, words string, about *atomic.Int64) (url string) {
	t.Helper()
	var came atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var payload struct {
			Event    string `json:"event_type"`
			Resource int64  `json:"resource_id"`
		}
		if err := json.Unmarshal(read(r.Body), &payload); err != nil {
			t.Error(err)
		}
		about.CompareAndSwap(0, payload.Resource) // the first to come
		if came.Add(1)%2 == 1 {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
		if !strings.HasPrefix(payload.Event, "CUSTOMER") || payload.Resource == about.Load() {
			fmt.Fprintf(w, `{"message": "%s is known here"}`, words)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// requestOf is the type of an operation's request.
func (w *world) requestOf(t testing.TB, id string) reflect.Type {
	t.Helper()
	for _, o := range w.Operations() {
		if o.ID == id {
			return o.In
		}
	}
	t.Fatalf("there is no operation %s", id)
	return nil
}

// somebody is a person in a world about whom everything is written down that can
// be, in every way there is.
type somebody struct {
	*cage
	w    *world
	c    *client
	id   int64
	hook hook
	// known are the operations that were used.
	known map[string]bool
	// shown is what exports told of them.
	shown strings.Builder
	held  []contents
}

// tells sends a filled request under a key that names the person too.
func (p *somebody) tells(operation, path string, given object) answer {
	p.t.Helper()
	p.known[operation] = true
	p.given = given
	key := p.word("Idempotency-Key of " + operation)
	body := p.request(p.w.requestOf(p.t, operation))
	first := p.c.keyed(key, path, body).is(201)
	p.c.keyed(key, path, body).repeats(first)
	return first
}

// look takes down what is kept and what is shown of the person now.
func (p *somebody) look() {
	p.t.Helper()
	p.hook.waitAnswered()
	p.held = append(p.held, p.w.dump(p.t))
	p.shown.WriteString(strings.ToLower(string(p.c.get(customerPath(p.id, "export")).is(200).equals("data.truncated", list{}).body)))
}

// waitAnswered waits until every delivery has been answered.
func (h hook) waitAnswered() {
	h.t.Helper()
	eventually(h.t, "every delivery is answered", func() bool { return len(h.deliveries("status=pending")) == 0 })
}

// polygon is round somebody's home.
func (g *cage) polygon() object {
	corner := func(n int) list {
		longitude := 4.8000371 + float64(10*len(g.birds)+n)/1000
		g.pick("AreaInput.polygon", strconv.FormatFloat(longitude, 'f', -1, 64))
		return list{longitude, 45.5 + float64(n%3)/1000}
	}
	first := corner(1)
	return object{"type": "Polygon", "coordinates": list{list{first, corner(2), corner(4), first}}}
}

// areas are of every type, and use every field of an area.
func (g *cage) areas() list {
	word := func(field string) string { return g.word("AreaInput." + field) }
	made := list{
		object{"type": "CITY", "label": word("label"), "excluded": true},
		object{"type": "POSTAL_CODE", "code": "69003", "label": word("label")},
		object{"type": "RADIUS", "latitude": 45.7310371, "longitude": 4.8310371, "radius_km": 1.7310371, "label": word("label")},
		object{"type": "POLYGON", "polygon": g.polygon(), "label": word("label")},
	}
	for _, number := range []string{"45.7310371", "4.8310371", "1.7310371"} {
		g.pick("AreaInput", number)
	}
	used := map[string]bool{"id": true}
	for _, area := range made {
		for key := range area.(object) {
			used[key] = true
		}
	}
	for field := range reflect.TypeFor[demand.AreaInput]().Fields() {
		if key := field.Tag.Get("json"); !used[key] {
			g.t.Errorf("no area has %s", key)
		}
	}
	return made
}

// meet makes somebody, and writes down about them whatever can be. Of what they
// wrote, property is about what they own.
func meet(t *testing.T, w *world) (p *somebody, property []canary) {
	t.Helper()
	c := w.network(t)
	p = &somebody{cage: &cage{t: t}, w: w, c: c, known: map[string]bool{}}
	home := c.create(object{"agency_id": 11, "criteria": criteria("TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", 300000, "Ville", "Lyon")})
	receiver := gossip(t, p.word("what a receiver says"), new(atomic.Int64))
	p.hook = c.subscribe(receiver, object{"origines": c.get("/hooks/origines").is(200).at("data").(list)})
	p.id = p.tells("customer.create", "/customers", object{
		"agency_id": 11, "language": "fr", "siret": p.pick("siret", "73282932000074"), "country": nil, "is_archived": nil, "_delete": nil,
		"Change.email": nil, "Change.phone": nil, "nationality": p.pick("nationality", "ZANARIENNE"),
	}).id("data.id")
	p.look()
	search := p.tells("search.create", customerPath(p.id, "searches"), object{
		"transaction_type": "Vente", "property_types": list{"Maison"}, "areas": p.areas(), "rooms_min": nil, "rooms_max": nil, "bedrooms_min": nil,
		"agency_id": nil, "criteria": p.town(), "KeyPointInput.id": "Ville", "KeyPointInput.value": list{p.word("KeyPointInput.value")},
	}).id("data.id")
	p.tells("followup.create", customerPath(p.id, "follow-ups"), object{"product_id": home, "search_id": search})
	p.tells("product.action.create", product(home, "/actions"), object{"action_id": 1, "child_action_id": 11, "customer_id": p.id, "date_performed": nil})
	p.tells("customer.action.create", customerPath(p.id, "actions"), object{"action_id": 9, "child_action_id": 91, "date_performed": nil})
	property = p.getsInTouch(home)
	p.given = object{"customer_id": p.id}
	c.post("/customers", object{
		"agency_id": 12, "type": "ACQUEREUR", "lastname": "Voisine", "notary": p.request(reflect.TypeFor[customer.NotaryInput]()),
		"related_contacts": list{p.request(reflect.TypeFor[customer.RelatedInput]())},
	}).is(201)
	p.look()
	return p, property
}

// town is a condition in somebody's own words.
func (g *cage) town() list {
	return list{object{"id": "Ville", "operator": "CONTIENT", "value": list{g.word("ConditionInput.value")}}}
}

// getsInTouch sends the leads of a person who is known.
func (p *somebody) getsInTouch(home int64) (property []canary) {
	p.t.Helper()
	lead := object{
		"agency_id": 11, "LeadInput.email": p.c.get(customerPath(p.id)).is(200).text("data.email"), "country": "FR", "areas": p.areas(),
		"product_id": home, "transaction_type": "Vente", "criterias": p.town(), "criteria": nil, "rooms": nil,
		"consent": nil, // it would add nothing to that of the customer
	}
	from := func(operation, path string) {
		id := p.tells(operation, path, lead).id("data.id")
		p.c.get("/leads/"+strconv.FormatInt(id, 10)).is(200).equals("data.customer_id", p.id)
	}
	from("lead.buyer", "/leads/buyers")
	p.look()
	before := len(p.birds)
	from("lead.seller", "/leads/sellers")
	for _, bird := range p.birds[before:] {
		if slices.Contains([]string{"CreateSellerLead.address", "CreateSellerLead.postal_code", "CreateSellerLead.city"}, bird.field) {
			property = append(property, bird)
		}
	}
	return property
}

// Persons' rights: after anonymisation no field of the person is found anywhere in
// a dump of the database. Before, every one is, and in what they may read of
// themselves.
func TestAfterAnonymisationNothingOfThePersonIsInADump(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		log := new(journal)
		w := withOwnStore(t, engine, deliveringTo("127.0.0.0/8:*"), logging(log))
		p, property := meet(t, w)
		for _, bird := range p.birds {
			if !slices.ContainsFunc(p.held, func(d contents) bool { return len(d.holding(bird.text)) > 0 }) {
				t.Errorf("%s: %q is not in a dump to begin with", bird.field, bird.text)
			}
			secret := strings.HasPrefix(bird.field, "Idempotency-Key") || bird.field == "what a receiver says"
			if !secret && !strings.Contains(p.shown.String(), strings.ToLower(bird.text)) {
				t.Errorf("%s: %q is not in the export", bird.field, bird.text)
			}
		}

		p.c.post(customerPath(p.id, "anonymize"), nil).is(204).empty()
		p.hook.waitAnswered()
		left := w.dump(t)
		for _, bird := range p.birds {
			parts := left.holding(bird.text)
			if slices.Contains(property, bird) { // it is where the property is, of which they wrote
				parts = slices.DeleteFunc(parts, func(part string) bool {
					return slices.Contains([]string{"table product", "memory products", "file"}, part)
				})
			}
			if len(parts) > 0 {
				t.Errorf("%s: %q is still in %q", bird.field, bird.text, parts)
			}
			if log.tells(bird.text) {
				t.Errorf("%s: %q is in the log", bird.field, bird.text)
			}
		}
	}, onEveryStore)
}

// journal is a log that is kept.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.WriteString(strings.ToLower(string(line)))
}

func (j *journal) tells(text string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Contains(j.text.String(), strings.ToLower(text))
}

// Whoever adds an operation that writes about people fills its request here too, unless its
// requests have no texts.
func TestTheCanariesKnowEveryOperation(t *testing.T) {
	t.Parallel()
	w := withOwnStore(t, "memory", deliveringTo("127.0.0.0/8:*"))
	p, _ := meet(t, w)
	for _, o := range w.Operations() {
		about := strings.HasPrefix(o.Path, "/customers") || strings.HasPrefix(o.Path, "/leads") || strings.HasSuffix(o.Path, "/actions")
		if about && o.Repeatable() && !slices.Contains([]string{"customer.anonymize", "customer.merge"}, o.ID) && !p.known[o.ID] {
			t.Errorf("%s is not among them", o.ID)
		}
	}
}

func TestAnAnonymousCustomerIsGoneToEverybody(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		mail := strings.ToLower(rand.Text()) + "@example.com"
		sent := object{"agency_id": 11, "email": mail, "lastname": "Zéphyrine", "transaction_type": "Vente"}
		first := c.get("/leads/" + strconv.FormatInt(c.post("/leads/buyers", sent).is(201).id("data.id"), 10)).is(200)
		who, search := first.id("data.customer_id"), first.id("data.search_id")
		home := c.create(object{"agency_id": 11, "customer_id": who, "criteria": criteria("TypeTransaction", "Vente", "NumeroMandat", "M-31")})
		found := func() list { return c.post("/customers/search", object{"email": mail}).is(200).list("data") }
		if len(found()) != 1 {
			t.Fatal("the customer is not found to begin with")
		}

		ledger := c.ledger()
		c.post(customerPath(who, "anonymize"), nil).is(204).empty()
		ledger.tells(fmt.Sprint("SEARCH_UPDATE ", search), fmt.Sprint("LEAD_UPDATE ", first.id("data.id")), fmt.Sprint("CUSTOMER_DELETE ", who))
		c.send("POST", customerPath(who, "anonymize"), nil).is(204).empty()
		ledger.tells()

		left := c.get(customerPath(who)).is(200).equals("data.lastname", nil).equals("data.emails", list{}).equals("data.is_archived", true).
			equals("data.mandates.0.number", "M-31").equals("data.searches_count", 1)
		left.text("data.anonymized_at")
		c.get(customerPath(who, "searches")).is(200).equals("data.0.is_active", false)
		c.get("/leads/"+strconv.FormatInt(first.id("data.id"), 10)).is(200).equals("data.email", nil).equals("data.customer_id", who)
		c.get(product(home)).is(200).equals("data.customer_id", who)
		c.get(product(home, "?fetch=customer")).is(200).equals("data.customer.lastname", nil)
		for _, body := range []object{{"email": mail}, {"keyword": "zéphyrine"}, {"is_archived": true, "sort_type": "id", "sort_order": "desc", "count": 100}} {
			for _, other := range c.post("/customers/search", body).is(200).list("data") {
				if int64(other.(object)["id"].(float64)) == who {
					t.Errorf("%v finds the customer", body)
				}
			}
		}
		c.search(object{"keyword": "zéphyrine"}).is(200).equals("data", list{})
		c.patch(customerPath(who), object{"is_archived": false}).refused(409, "customer_anonymized")
		c.post(customerPath(who, "searches"), object{"transaction_type": "Vente"}).refused(409, "customer_anonymized")
		c.post(product(home, "/actions"), object{"action_id": 1, "customer_id": who}).refused(422, "unknown_customer", "customer_id")
		ledger.tells()

		again := c.get("/leads/" + strconv.FormatInt(c.post("/leads/buyers", sent).is(201).id("data.id"), 10)).is(200)
		if again.id("data.customer_id") == who || again.id("data.id") == first.id("data.id") {
			t.Errorf("the lead that came again is %s", again)
		}
		w.rival(t).send("POST", customerPath(who, "anonymize"), nil).refused(404, "not_found")
		w.rival(t).get(customerPath(who, "export")).refused(404, "not_found")
	})
}

// Leads that arrive while their sender is anonymised are from before or from
// somebody new: nothing of them is left on the old record.
func TestLeadsThatArriveMeanwhileBringNobodyBack(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		mail := strings.ToLower(rand.Text()) + "@example.com"
		send := func(n int) {
			body := object{"agency_id": 11, "email": mail, "lastname": "Revenant", "external_id": fmt.Sprint(mail, n), "transaction_type": "Vente"}
			if a := c.send("POST", "/leads/buyers", body); a.status != 201 {
				t.Error(a)
			}
		}
		send(0)
		who := c.post("/customers/search", object{"email": mail}).is(200).id("data.0.id")
		var group sync.WaitGroup
		for n := range 6 {
			group.Go(func() { send(n + 1) })
		}
		group.Go(func() {
			if a := c.send("POST", customerPath(who, "anonymize"), nil); a.status != 204 {
				t.Error(a)
			}
		})
		group.Wait()
		export := c.get(customerPath(who, "export")).is(200)
		if body := string(export.body); strings.Contains(strings.ToLower(body), mail) || strings.Contains(body, "Revenant") {
			t.Errorf("what is left says %s", body)
		}
		if leads := len(export.list("data.leads")); leads == 0 {
			t.Error("no lead is left")
		}
	})
}
