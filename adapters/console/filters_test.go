package console_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

var savedFilter = regexp.MustCompile(`<form class="filters" method="post" action="/console(/me/filters[^"]*)"><input type="hidden" name="page" value="([^"]*)"><input type="hidden" name="query" value="([^"]*)">`)

// saves sends the form of a list that saves its filter, as a browser without scripts does.
func (b *browser) saves(page, name string) shown {
	b.Helper()
	list := b.get(page).is(200)
	form := savedFilter.FindStringSubmatch(list.text)
	if form == nil {
		b.Fatalf("%s has no form to save its filter:\n%s", page, list.text)
	}
	return b.post(html.UnescapeString(form[1]), "page", html.UnescapeString(form[2]), "query", html.UnescapeString(form[3]), "name", name)
}

func TestAFilterIsSavedFollowedReplacedAndRemoved(t *testing.T) {
	w := filledWorld(t)
	b := w.signedIn("claire@example.org")
	b.get("/requests").is(200).saysNot("Save this filter", "Saved filters")
	// What is not the filter, such as the place in the list, is not saved.
	b.saves("/requests?status=4&code=&cursor=&open=7&language=en", "refused").is(200).isAt("/requests?site=1&status=4").
		says("The filter is saved.", `<a aria-current="true" href="/console/requests?site=1&amp;status=4">refused</a>`).saysNot("Save this filter")
	b.get("/requests").says(`<a href="/console/requests?site=1&amp;status=4">refused</a>`)
	b.get("/events").saysNot("Saved filters")
	b.saves("/requests?status=5&site=all&sort=-1.3", "refused").isAt("/requests?site=all&sort=-1.3&status=5")
	b.saves("/requests?status=5&site=all", "refused").isAt("/requests?site=all&status=5")
	me := b.get("/me").says("Saved filters", `<a href="/console/requests?site=all&amp;status=5">refused</a>`, "Requests").saysNot("status=4")
	if n := strings.Count(me.text, `/me/filters/remove`); n != 1 {
		t.Errorf("%d filters can be removed", n)
	}
	b.get("/requests?site=all&status=5").is(200).says(`aria-current="true">refused<`)
	w.signedIn(w.operator(operator.Reader, 1)).get("/requests?status=5").saysNot("refused</a>")
	b.post("/me/filters/remove", "page", "/requests", "name", "refused").is(200).isAt("/me").says("The filter is removed.").saysNot("Saved filters")
	b.post("/me/filters/remove", "page", "/requests", "name", "refused").is(404).says("you have no such filter")
}

// TestEveryListWithFiltersSavesThem saves a filter by each parameter that narrows a list.
func TestEveryListWithFiltersSavesThem(t *testing.T) {
	w := filledWorld(t)
	b := w.signedIn("claire@example.org")
	for page, query := range map[string]string{
		"/requests": "site=1&which=4", "/requests/traffic": "period=week&site=1", "/events": "site=1&types=PRODUCT_CREATE", "/products": "TypeBien=Maison&q=lyon&site=1",
		"/audit": "operation=operator.sign-in", "/site/users": "active=yes&site=1", "/people/leads": "kind=buyer&site=1",
	} {
		b.saves(page+"?"+query, "mine").is(200).isAt(page+"?"+query).says(`href="/console`+page+"?"+html.EscapeString(query)+`"`, `aria-current="true"`, ">mine</a>")
	}
	w.signedIn("claire@example.org").prefers("fr").get("/products?q=nantes").says("Filtres enregistrés", "Enregistrer ce filtre")
}

func TestAFilterLeadsNowhereButToItsList(t *testing.T) {
	w := filledWorld(t)
	b := w.signedIn("claire@example.org")
	for _, page := range []string{"", "/", "/me", "/nowhere", "//evil.example.org/requests", "https://evil.example.org", "/requests/../me", "/requests?x=y", "/webhooks/{id}"} {
		b.post("/me/filters?site=1", "page", page, "query", "status=4", "name", "x").is(422).says("there is no such page")
	}
	b.post("/me/filters?site=1", "page", "/requests", "query", "%zz", "name", "x").is(422).says("the parameters of a filter")
	b.post("/me/filters?site=1", "page", "/requests", "query", "csv=1&cursor=7", "name", "x").is(422)
	b.post("/me/filters?site=1", "page", "/requests", "query", "status=4", "name", " ").is(422).says("a name has 1 to 60 characters")
	b.get("/me").saysNot("Saved filters")
	// A page that there is no more, or that the role does not have, is named and leads nowhere.
	in, err := w.backoffice.SignIn(t.Context(), backoffice.SignIn{Email: w.operator(operator.Privacy, 1), Password: goodPassword, Peer: "192.0.2.1"})
	w.must(err)
	for _, page := range []string{"/gone", "/requests"} {
		_, err := w.backoffice.SaveFilter(t.Context(), in.Actor, operator.Filter{Name: "old", Page: page, Query: "a=b"})
		w.must(err)
	}
	w.signedIn("privacy@example.org").get("/me").says(`<td role="cell" class="name break">old</td><td role="cell">/gone</td>`).saysNot("?a=b")
}

func TestTheNameOfAFilterIsNothingButText(t *testing.T) {
	w := filledWorld(t)
	b := w.signedIn("claire@example.org")
	name := `"><script>alert(1)</script>{{.}}`
	code := `"><script>alert(2)</script>&site=2#x`
	b.saves("/requests?"+url.Values{"code": {code}}.Encode(), name).is(200).says("&lt;script&gt;").saysNot("<script>alert")
	b.get("/me").says("&lt;script&gt;").saysNot("<script>alert")
	b.post("/me/filters/remove", "page", "/requests", "name", name).is(200).saysNot("Saved filters")
}

func TestThePortalSavesNoFilters(t *testing.T) {
	w := filledWorld(t).portal()
	b := w.clientIn("full")
	b.get("/requests?status=4").is(200).saysNot("Save this filter", "Saved filters")
	b.post("/me/filters?site=1", "page", "/requests", "query", "status=4", "name", "x").is(404)
}
