package console_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// secretOf is the secret that a page shows once.
func (s shown) secretOf() string {
	s.Helper()
	found := regexp.MustCompile(`<code id="secret">([^<]+)</code>`).FindStringSubmatch(s.text)
	if found == nil {
		s.Fatalf("%s shows no secret:\n%s", s.Request.URL, s.text)
	}
	return found[1]
}

// token obtains a token, and says why it cannot.
func (w *world) token(client, secret string) error {
	w.Helper()
	in := tokens.IssueToken{Basic: tokens.Basic{ClientID: client, ClientSecret: secret}}
	in.SiteID.Set, in.SiteID.Value = true, "1"
	_, err := w.site.Tokens.IssueToken(w.Context(), kernel.Caller{}, in)
	return err
}

func TestACredentialLivesAndEnds(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	made := b.post("/credentials/new?site=1", "id", "portal", "name", "A portal", "sites", "1", "packs", "websites", "permissions", "SITE_PRODUCT:READ", "rights", "RS:PRODUCT_GET").
		is(200).isAt("/credentials/portal").says("The credential is made.", "A portal", "websites", "SITE_PRODUCT:READ", "RS:PRODUCT_GET")
	first := made.secretOf()
	w.must(w.token("portal", first))
	b.get("/credentials/portal").is(200).says(`<dt>Live tokens</dt><dd>1`)

	second := b.post("/credentials/portal/rotate?site=1").is(200).isAt("/credentials/portal").says("The former secret ends").secretOf()
	w.must(w.token("portal", first))
	third := b.post("/credentials/portal/rotate?site=1", "at_once", "yes").is(200).says("The former one has ended.").secretOf()
	if w.token("portal", second) == nil || w.token("portal", first) == nil {
		t.Error("a secret that has ended is good")
	}
	w.must(w.token("portal", third))

	b.get("/credentials/portal/disable").is(200).says("All its requests are refused", `name="disabled" value="yes"`)
	b.get("/credentials/portal/rotate").is(200).says("cannot obtain tokens", `name="at_once" value="yes"`)
	b.post("/credentials/portal/disable?site=1", "disabled", "yes").is(200).says("It is disabled from the next request on.", "disabled", "Enable it")
	if w.token("portal", third) == nil {
		t.Error("a client that is disabled obtains a token")
	}
	b.post("/credentials/portal/disable?site=1", "disabled", "no").is(200)
	w.must(w.token("portal", third))
	b.post("/credentials/portal/revoke?site=1", "confirm", "other").is(422).says(`id="field-confirm-wrong"`)
	ended := b.post("/credentials/portal/revoke?site=1", "confirm", "portal").is(200).isAt("/credentials/portal").says("The credential has ended for good.", "revoked")
	if strings.Contains(ended.text, "Rotate it") {
		t.Error("a client that has ended can be changed")
	}
}

// What is picked is shown as the operations it makes callable, before anything is
// stored.
func TestThePickerShowsWhatBecomesCallable(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	b.get("/credentials/new").is(200).says("operations can be called").saysNot("product.get")
	b.get("/credentials/new?id=mine&packs=websites&permissions=SITE_PRODUCT%3AREAD&rights=RS%3APRODUCT_GET").is(200).
		says(`value="mine"`, `value="websites" checked`, "product.get").saysNot("product.create", "lead.get")
	b.get("/credentials/new?id=mine&preset=portal").is(200).says(`value="mine"`, `value="webhooks" checked`, "product.search", "hook.create").saysNot("customer.search")
	b.post("/credentials/new?site=1", "id", "no good id", "sites", "1", "packs", "websites").is(422).says(`id="field-id-wrong"`, `value="no good id"`, `value="websites" checked`)
	b.get("/credentials/website/edit").is(200).says(`value="webhooks" checked`, "product.search")
}

// An integrator may not give what they have not, nor touch who has more.
func TestNobodyGivesMoreThanTheyHave(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn(w.operator(operator.Integrator, 1))
	b.post("/credentials/new?site=1", "id", "grabber", "sites", "1", "packs", "customers", "permissions", "SITE_CUSTOMER:READ", "rights", "RS:CUSTOMER_SEARCH").is(403).
		says("This was not done.", "you cannot give a client more than the packs", `value="grabber"`).saysNot("You may not")
	b.get("/credentials/new").is(200).says(`value="properties"`, `value="SITE_PRODUCT:WRITE"`).saysNot(`value="customers"`, `value="sales"`, `value="all"`, "SITE_CUSTOMER", "RS:CUSTOMER")
	b.get("/webhooks/new").is(200).says(`value="PRODUCT_CREATE"`).saysNot("CUSTOMER_CREATE")
	b.post("/credentials/full/rotate?site=1").is(403)
	b.get("/credentials/full").is(200).saysNot("Rotate it")
	b.post("/operators/invite?site=1", "name", "Paul").is(403).says("You may not do this")
}

func TestAKeyIsMadeAndEnds(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	key := b.post("/credentials/website/keys/new?site=1", "name", "nightly", "key_site", "1", "packs", "websites", "addresses", "192.0.2.0/24, 198.51.100.7").
		is(200).isAt("/credentials/website").says("This is the key nightly.", "192.0.2.0/24, 198.51.100.7/32", "active").secretOf()
	if !strings.HasPrefix(key, "sk_") {
		t.Errorf("the key is %q", key)
	}
	b.post("/credentials/website/keys/new?site=1", "name", "nightly", "key_site", "1", "packs", "websites", "addresses", "somewhere").is(422).says(`id="field-addresses-wrong"`)
	b.get("/credentials/website").is(200).says(`href="/console/credentials/website/keys/1/revoke"`).saysNot(`action="/console/credentials/website/keys/`)
	b.get("/credentials/website/keys/1/revoke").is(200).says("Revoke the key nightly", key[:8], `action="/console/credentials/website/keys/1/revoke?site=1"`)
	b.get("/credentials/website/keys/2/revoke").is(404)
	b.post("/credentials/website/keys/1/revoke?site=1").is(200).says("The key has ended.", "revoked")
}
