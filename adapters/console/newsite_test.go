package console_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// The first site is made on the page that an administrator comes to, once.
func TestTheFirstSiteIsMade(t *testing.T) {
	w := worldOf(t, false)
	b := w.signedIn("claire@example.org")
	page := b.get("/").is(200).says("<h1>The first site</h1>", "Name of the network", "French vocabulary").saysNot("Cancel")
	if !strings.HasSuffix(page.Request.URL.Path, newSite) {
		t.Errorf("the overview leads to %s", page.Request.URL)
	}
	answers := func(changed ...string) []string {
		return append([]string{
			"site", "1", "name", "Réseau Ouest", "agency", "", "postal_code", "44000", "city", "Nantes", "firstname", "Ada", "lastname", "Martin", "email", "ada@example.org",
		}, changed...)
	}
	b.post(newSite, "site", "1", "name", "Réseau <Ouest>", "postal_code", "4400", "city", "", "firstname", "Ada", "email", "ada").is(422).
		says("Postal code of the agency has five digits", "Town of the agency is required", "Last name is required", "E-mail is an e-mail address", `value="Réseau &lt;Ouest&gt;"`)
	b.post(newSite, "name", "Réseau").is(422).says("site is a number of at least 1")
	b.get("/audit").is(200).saysNot("<code class=\"soft\">site.create")
	b.post(newSite, answers()...).is(200).says("The site is made. This is the secret of its client site-1.", `id="secret"`, "<h1>Réseau Ouest</h1>", "44000 Nantes", "Make another site")
	b.get("/site/users").is(200).says("Ada Martin")
	b.get("/site/criteria").is(200).says("TypeBien", "TypeTransaction", "DepotGarantie")
	b.get("/site/action-types").is(200).says("BAISSE_PRIX")
	b.get("/credentials/site-1").is(200).says("Réseau Ouest")
	b.get("/audit").is(200).says("<code class=\"soft\">site.create", "site 1")
	b.post(newSite, answers()...).is(422).says("there is a site 1 already, Réseau Ouest", "<h1>A new site</h1>")
	second := answers()
	second[1] = "2"
	b.post(newSite, second...).is(200).says("This is the secret of its client site-2.")
	b.get("/?site=2").is(200).says("2 · Réseau Ouest")
}

func TestASiteIsMadeByWhoSeesAll(t *testing.T) {
	w := newWorld(t)
	for role, status := range map[operator.Role]int{operator.Administrator: 200, operator.Integrator: 403, operator.Reader: 403, operator.Privacy: 403} {
		b := w.signedIn(w.operator(role))
		b.get(newSite).is(status)
		if role != operator.Privacy && role != operator.Administrator {
			b.get("/site").is(200).saysNot("Make another site")
		}
	}
}
