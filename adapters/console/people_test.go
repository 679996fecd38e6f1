package console_test

import (
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// buyer has customer 1001 own product 1, and get in touch about it by lead 1, which
// makes search request 1.
func (w *world) buyer() {
	w.Helper()
	home := apitest.InAgency(11)
	home.CustomerID = opt.Of(int64(1001))
	home.Criteria = apitest.Criteria("TypeBien", "Appartement", "TypeTransaction", "Vente", "Prix", 250_000, "Statut", "EnCours")
	made, err := w.site.Listing.CreateProduct(w.Context(), w.full(), home)
	w.must(err)
	lead := people.CreateBuyerLead{ProductID: opt.Of(made.ID), TransactionType: opt.Of("Vente"), PriceMax: opt.Of(300_000.0)}
	lead.AgencyID, lead.Email, lead.Message = opt.Of(int64(11)), opt.Of("eloise@example.org"), opt.Of("Is there <a> lift?")
	_, err = w.site.People.CreateBuyerLead(w.Context(), w.full(), lead)
	w.must(err)
}

func TestCustomersAreSearchedWithoutTheirNamesInAnAddress(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	b.get("/people").is(200).says("Éloïse Lefèvre", "eloise@example.org", ">Onze</td>", `href="/console/people/1001"`).saysNot("Dehors")
	b.post("/people?site=1", "keyword", "lefev").is(200).isAt("/people?site=1").says("Éloïse Lefèvre", `value="lefev"`, "Clear")
	b.post("/people?site=1", "email", "ELOISE@example.org").is(200).says("Éloïse Lefèvre")
	b.post("/people?site=1", "phone", "0612345678").is(200).says("Nobody is like that", "Clear the filter")
	b.post("/people?site=1", "is_archived", "yes").is(200).saysNot("Éloïse")
	b.post("/people?site=1", "agency_id", "12").is(200).saysNot("Éloïse")
	b.post("/people?site=1", "phone", "1").is(422).says(`id="field-phone-wrong"`, `value="1"`).saysNot("Éloïse")
}

func TestSearchesForCustomersGoOnPageByPage(t *testing.T) {
	w := newWorld(t)
	for n := range 51 {
		in := people.CreateCustomer{Change: customer.Change{Type: opt.Of("VENDEUR"), AgencyID: opt.Of(int64(11)), Lastname: opt.Of(fmt.Sprintf("Martin %02d", n))}}
		_, err := w.site.People.CreateCustomer(w.Context(), w.full(), in)
		w.must(err)
	}
	b := w.signedIn("claire@example.org")
	b.post("/people?site=1", "keyword", "martin").is(200).
		says("Martin 50", `<input type="hidden" name="keyword" value="martin">`, `<button class="button" form="again" name="skip" value="50" data-next>`).saysNot("Martin 00")
	b.post("/people?site=1", "keyword", "martin", "skip", "50").is(200).says("Martin 00").saysNot("Martin 50", "Next page")
}

func TestACustomerIsShownWithWhatHangsOnThem(t *testing.T) {
	w := newWorld(t)
	w.buyer()
	b := w.signedIn("claire@example.org")
	b.get("/people/1001").is(200).says(
		"Éloïse Lefèvre", "<title>Customer 1001 ", "eloise@example.org", "Search requests", `href="/console/people/1001/searches/1"`,
		`href="/console/people/leads/1"`, `<a href="/console/products/1">11-1</a>`, "250,000", "PROPOSE", "Export or anonymise",
	).saysNot("product 1")
	b.get("/people/1003").is(403)
	b.get("/people/77").is(404)
}

// Who handles people sees none of the listings.
func TestProductsAreNoLinksForThoseWhoMayNotSeeThem(t *testing.T) {
	w := newWorld(t)
	w.buyer()
	b := w.signedIn(w.operator(operator.Privacy, 1))
	b.get("/people/1001").is(200).says("product 1").saysNot(`href="/console/products/1"`)
	b.get("/people/leads/1").is(200).says("customer 1001").saysNot("Hand it on")
}

func TestMatchesOfASearchRequestSayWhy(t *testing.T) {
	w := newWorld(t)
	w.buyer()
	b := w.signedIn("claire@example.org")
	b.get("/people/1001/searches/1").is(200).says(
		"Search request 1", "1 product", `<a href="/console/products/1">11-1</a>`, `<td role="cell" class="number"><span class="label" aria-hidden="true">Score</span> 100</td>`, "matches", "<dt>Transaction</dt><dd>Vente; has Vente</dd>", "<dt>Prix</dt><dd>at most 300,000; has 250,000</dd>",
	)
	b.get("/people/1001/searches/1?skip=50").is(200).says("No product matches")
	b.get("/people/1001/searches/2").is(404)
}

func TestALeadIsHandedOn(t *testing.T) {
	w := newWorld(t)
	w.buyer()
	b := w.signedIn("claire@example.org")
	b.get("/people/leads").is(200).says("eloise@example.org", "NOUVEAU", "buyer", ">11-1</a>")
	b.get("/people/leads?kind=seller").is(200).says("No leads are like that", "Clear the filter")
	b.get("/people/leads?status=gone").is(200).says(`id="field-status-wrong"`)
	b.get("/people/leads/1").is(200).says("Is there &lt;a&gt; lift?", "Anne Arnaud, Onze", ">11-1</a>", "at most 300,000", "<title>Lead 1 ").saysNot("Bruno Blanc")
	b.post("/people/leads/1/hand-on?site=1").is(422).says(`id="field-user_id-wrong"`)
	b.post("/people/leads/1/hand-on?site=1", "user_id", "999").is(422).says(`id="field-user_id-wrong"`)
	b.post("/people/leads/1/hand-on?site=1", "user_id", "101").is(200).isAt("/people/leads/1").says("The lead is handed on.", "ATTRIBUE", `value="101" selected`, "<dt>Agent</dt><dd>Anne Arnaud</dd>", "<dt>Agency</dt><dd>Onze</dd>")
	w.signedIn(w.operator(operator.Privacy, 1)).get("/people/leads/1").is(200).says("<dt>Agent</dt><dd>user 101</dd>").saysNot("Arnaud")
	b.get("/audit").is(200).says("lead.hand-on", "lead 1")
}
