package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// change changes criteria of a product of site 1.
func (w *world) change(id int64, pairs ...any) {
	w.Helper()
	in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
	in.Criteria = apitest.Criteria(pairs...)
	_, err := w.site.Listing.UpdateProduct(w.Context(), w.full(), in)
	w.must(err)
}

func TestTheLedgerIsFilteredAndAnEventOpened(t *testing.T) {
	w := newWorld(t)
	integrators, readers := w.operator(operator.Integrator, 1), w.operator(operator.Reader, 1)
	id := w.product("Prix", 1)
	w.clock.Advance(time.Hour)
	w.change(id, "Prix", 2, "Remarques", "la clé est chez le voisin")
	b := w.signedIn("claire@example.org")
	b.get("/events").is(200).says("PRODUCT_UPDATE", "PRODUCT_CREATE", "CUSTOMER_CREATE", `href="/console/people/1001"`, `href="/console/products/1"`, "Onze", "data-live").
		saysNot("Older events", "Remarques", `id="event-2"`) // of an agency out of scope
	b.get("/events?open=4").is(200).says(`aria-expanded="true"`, "<dt>Prix</dt>", "<dt>Remarques</dt>", "<dt>Who</dt>", `href="/console/credentials/full"`, `href="/console/events/4/replay"`, `href="/console/events#event-4"`)
	b.get("/events?open=3").is(200).says("The event says no more than this.")
	b.get("/events?types=PRODUCT_CREATE&agency_id=11").is(200).says(`id="event-3"`, `value="PRODUCT_CREATE" selected`, `href="/console/events?agency_id=11&amp;open=3&amp;types=PRODUCT_CREATE#event-3"`).
		saysNot(`id="event-1"`, `id="event-4"`)
	b.get("/events?resource_id=1001").is(200).says(`id="event-1"`).saysNot(`id="event-3"`)
	b.get("/events?from=2026-09-16T11:00").is(200).says(`id="event-4"`).saysNot(`id="event-3"`)
	b.get("/events?resource_id=7").is(200).says("No events are like that", "Clear the filter")
	b.get("/events?resource_id=seven&from=yesterday").is(200).says(`id="field-resource_id-wrong"`, `value="seven"`, `id="field-from-wrong"`)
	b.get("/events?types=PRODUCT_SOLD").is(200).says(`id="field-types-wrong"`)

	integrator := w.signedIn(integrators)
	integrator.get("/events?open=4").is(200).says("<dt>Prix</dt>").saysNot("CUSTOMER_CREATE", "Remarques")
	integrator.get("/events/1/replay").is(404)
	w.signedIn(readers).get("/events?open=4").is(200).says("<dt>Prix</dt>").saysNot("Replay from here")

	_, err := w.site.Listing.DeleteProduct(w.Context(), w.full(), listing.DeleteProduct{ID: id})
	w.must(err)
	b.get("/events?open=4").is(200).says("what it is about is deleted", "PRODUCT_DELETE")
}

func TestTheLedgerIsReadPageByPage(t *testing.T) {
	w := newWorld(t)
	for range 60 {
		w.product()
	}
	b := w.signedIn("claire@example.org")
	b.get("/events?types=PRODUCT_CREATE").is(200).says(`id="event-62"`, `href="/console/events?before=13&amp;types=PRODUCT_CREATE"`, "Older events").saysNot(`id="event-12"`)
	b.get("/events?types=PRODUCT_CREATE&before=13").is(200).says(`id="event-12"`, `id="event-3"`, "before=13&amp;open=12").saysNot(`id="event-13"`, `id="event-2"`, "Older events", "data-live")
}

func TestEventsAreSentAgainFromOneOn(t *testing.T) {
	w := newWorld(t)
	w.product()
	w.product()
	b := w.signedIn("claire@example.org")
	b.get("/events/3/replay").is(200).says("There is no webhook yet.")
	hook := w.hook("PRODUCT_CREATE")
	b.get("/events/4/replay").is(200).says("Replay from event 4", "1 · https://portal.example.org/in", `href="/console/events?before=5&amp;open=4"`)
	b.post("/events/4/replay?site=1").is(422).says(`id="field-webhook-wrong"`)
	b.post("/events/4/replay?site=1", "webhook", "9").is(404)
	b.post("/events/99/replay?site=1", "webhook", "1").is(404)
	b.post("/events/4/replay?site=1", "webhook", "1").is(200).isAt("/webhooks/1").says("1 event on the way again.")
	b.post("/events/1/replay?site=1", "webhook", "1").is(200).says("2 events on the way again.")
	log, err := w.site.Hooks.ListDeliveries(t.Context(), w.full(), hooks.ReadDeliveries{ID: hook})
	w.must(err)
	if n := len(log.Data); n != 3 {
		t.Errorf("%d deliveries", n)
	}
	if audit := b.get("/audit?operation=webhook.replay").text; strings.Count(audit, "webhook 1") != 2 {
		t.Errorf("the audit says %s", audit)
	}
}

// Who changed what from what to what: from a product to the request that did it, and from the
// request to what it caused.
func TestAChangeLeadsToItsRequestAndBack(t *testing.T) {
	w := newWorld(t)
	readers := w.operator(operator.Reader, 1)
	id := w.product("Prix", 1)
	w.clock.Advance(time.Hour)
	c := w.full()
	c.Request = "9f4c2d1e-changed"
	in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
	in.Criteria = apitest.Criteria("Prix", 2)
	_, err := w.site.Listing.UpdateProduct(t.Context(), c, in)
	w.must(err)
	w.must(w.requests.Add(t.Context(), []trace.Request{{
		ID: c.Request, Site: 1, At: w.clock.Now(), Operation: "product.update", Method: "PATCH", Path: "/api/v2/site/products/1", Credential: "full", Status: 200, OneIn: 1,
	}}))
	b := w.signedIn("claire@example.org")
	b.get("/products/1").is(200).says("PRODUCT_CREATE", "<dt>Prix</dt><dd><del>1</del> → <ins>2</ins></dd>", `href="/console/credentials/full"`, `href="/console/requests/9f4c2d1e-changed"`)
	b.get("/requests/9f4c2d1e-changed").is(200).says("What it caused", "PRODUCT_UPDATE", `href="/console/events?before=5&amp;open=4"`)
	b.get("/events?before=5&open=4").is(200).says(`href="/console/requests/9f4c2d1e-changed"`, "<del>1</del>")
	b.get("/people/1001").is(200).says(`id="history"`, "CUSTOMER_CREATE")
	w.signedIn(readers).get("/products/1").is(200).says("<ins>2</ins>").saysNot(`href="/console/credentials`)
}
