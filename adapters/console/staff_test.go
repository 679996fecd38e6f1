package console_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestAnAgencyIsAddedAndChangedInAForm(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	to := b.get("/site").is(200).says(`href="/console/site/agencies/new"`, `href="/console/site/agencies/11"`).formOf("/sign-out")
	to = strings.Replace(to, "/sign-out", "/site/agencies/new", 1)
	b.get("/site/agencies/new").is(200).says("<h1>A new agency</h1>", "<h2>The company</h2>", `value="in_scope" checked`)
	b.post(to, "id", "zéro", "name", " ", "email", "ada", "timezone", "Paris", "guarantee.amount", "beaucoup").is(422).says(`id="field-guarantee.amount-wrong"`, `value="Paris"`)
	b.post(to, "id", "zéro", "name", " ", "email", "ada", "timezone", "Paris").is(422).
		says("Name is required", "E-mail is an e-mail address", "is not named as the IANA does", "must be at least 1", `id="field-timezone-wrong"`, `value="ada"`)
	b.post(to, "id", "12", "name", "Autre").is(422).says("there is an agency 12 already, Douze")
	b.post(to, "name", "Réseau <Nantes>", "city", "Nantes", "professional_card.mentions", "G", "guarantee.amount", "110000,5", "languages", "fr, en", "flags", "active", "flags", "in_scope").
		is(200).isAt("/site").says("The agency is added.", `href="/console/site/agencies/22"`, "Réseau &lt;Nantes&gt;")
	page := b.get("/site/agencies/22").is(200).says("<h1>Réseau &lt;Nantes&gt;</h1>", `value="G" checked`, `value="110000.5"`, `value="fr, en"`)
	change := page.formOf("/site/agencies/22")
	b.post(change, "name", "Nantes", "flags", "active", "flags", "in_scope", "description", "Une\r\nagence").is(200).says("The agency is changed.")
	b.post(change, "name", "Angers", "flags", "active").is(409).says("Somebody else changed this", `value="Nantes"`, "You had: Angers.")
	detail, err := w.site.Office.GetAgency(t.Context(), w.full(), office.ReadAgency{ID: 22})
	w.must(err)
	if a := detail.Full; a.Name != "Nantes" || a.City != nil || *a.Description != "Une\nagence" || len(a.Languages) != 0 || a.Guarantee != nil {
		t.Errorf("%+v", a)
	}
	b.get("/site/agencies/99").is(404)
	b.get("/audit?operation=agency.change").is(200).says("agency 22")
	// A form keeps what it does not ask for.
	longitude := 4.8
	described := apitest.Network()
	onze := &described.Sites[0].Agencies[0]
	onze.Longitude, onze.OpeningHours = &longitude, []transfer.SetupOpeningHours{{Weekday: 1, Open: "09:00", Close: "18:00"}}
	_, err = w.site.Transfer.Provision(t.Context(), described)
	w.must(err)
	b.post(b.get("/site/agencies/11").is(200).formOf("/site/agencies/11"), "name", "Onze", "flags", "active", "flags", "in_scope").is(200)
	detail, err = w.site.Office.GetAgency(t.Context(), w.full(), office.ReadAgency{ID: 11})
	w.must(err)
	if a := detail.Full; a.Longitude == nil || len(a.OpeningHours) != 1 || a.SIREN != nil {
		t.Errorf("%+v", a)
	}
}

// A site whose last agency has left is shown to those who can put it right.
func TestASiteWithoutAnAgencyInScopeIsNoDeadEnd(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	reader := w.signedIn(w.operator(operator.Reader, 1))
	for _, id := range []string{"11", "12"} {
		b.post(b.get("/site/agencies/"+id).formOf("/site/agencies/"+id), "name", "A", "flags", "active").is(200)
	}
	reader.get("/site").is(403)
	b.get("/site").is(200).says(`href="/console/site/agencies/11"`, "not of the network")
	b.post(b.get("/site/agencies/11").formOf("/site/agencies/11"), "name", "A", "flags", "active", "flags", "in_scope").is(200)
	reader.get("/site").is(200)
}

func TestAUserIsAddedAndChangedInAForm(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	b.get("/site/users").is(200).says(`href="/console/site/users/new"`, `href="/console/site/users/101"`)
	to := b.get("/site/users/new").is(200).says(`<option value="11" selected>Onze`, "Négociateur", `value="web_visible" checked`).formOf("/site/users/new")
	b.post(to, "agency_id", "21", "email", "ada", "type", "x").is(422).says("the site has no agency 21", "E-mail is an e-mail address", `id="field-type-wrong"`)
	b.post(to, "lastname", "Martin").is(422).says("one is needed; the site&#39;s agencies are [11 12 13]")
	b.post(to, "agency_id", "11", "firstname", "Ada", "lastname", "Martin", "type", "2", "gender", "2", "status_kind", "SALARIE", "flags", "active").
		is(200).isAt("/site/users").says("The user is added.", `<a href="/console/site/users/104">Ada Martin</a>`, "not on the web")
	change := b.get("/site/users/104").is(200).says(`<option value="SALARIE" selected>`, `<option value="2" selected>Négociateur`).saysNot("User group").formOf("/site/users/104")
	b.post(change, "agency_id", "12", "firstname", "Ada", "lastname", "Lovelace", "flags", "active", "flags", "web_visible").is(200).says("The user is changed.", "Ada Lovelace")
	b.post(change, "agency_id", "11", "firstname", "Ada", "lastname", "Byron").is(409).says("Somebody else changed this", "You had: Byron.", "You had: Onze.")
	user, err := w.site.Office.GetUser(t.Context(), w.full(), office.UserPath{ID: 104})
	w.must(err)
	if user.AgencyID != 12 || user.TypeID != nil || !user.WebVisible {
		t.Errorf("%+v", user)
	}
	b.get("/site/users/9").is(404)
	b.get("/events?types=USER_CREATE").is(200).says("104")
	b.get("/audit?operation=user.create").is(200).says("user 104").saysNot("Martin")
}
