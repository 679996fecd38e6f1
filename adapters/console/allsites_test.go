package console_test

import (
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// everywhere returns the caller of a client who may do everything at a site.
func (w *world) everywhere(client string, id int64) kernel.Caller {
	w.Helper()
	c, err := w.site.Admit(w.Context(), access.Grant{
		Credential: access.CredentialID(client), Site: site.ID(id), Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	})
	w.must(err)
	return c
}

// threeSites is a world with one of everything at each of three sites. What is at the third one has "tiers" in
// its name, and a webhook of the second and of the third is suspended.
func threeSites(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	all := []string{access.All}
	_, err := w.site.Transfer.Provision(t.Context(), transfer.Setup{
		Sites: []transfer.SetupSite{{
			ID: 3, Name: "Tiers",
			SetupVocabulary: transfer.SetupVocabulary{Criteria: append(apitest.Network().Sites[0].Criteria, transfer.SetupCriterion{ID: 90, Key: "Tierstier", Type: "TEXT", Label: "Tiers", Position: 90})},
			Agencies:        []transfer.SetupAgency{{ID: 31, Name: "Trente-et-un"}},
			Users:           []transfer.SetupUser{{ID: 301, AgencyID: 31, Firstname: "Tatiana", Lastname: "Tiers"}},
			Customers:       []transfer.SetupCustomer{{ID: 3001, AgencyID: 31, Type: "VENDEUR", Lastname: "Tiersky"}},
		}},
		Credentials: []transfer.SetupCredential{{ID: "tiers", Secret: "tiers-secret", Sites: []int64{3}, Packs: all, Permissions: all, Rights: all}},
	})
	w.must(err)
	for i, at := range []struct {
		client, town string
		site, agency int64
	}{{"full", "Lyon", 1, 11}, {"rival", "Brest", 2, 21}, {"tiers", "Tiersville", 3, 31}} {
		c := w.everywhere(at.client, at.site)
		in := apitest.InAgency(at.agency)
		in.Model, in.Criteria = opt.Of("REF-"+at.client), apitest.Criteria("TypeBien", "Maison", "Ville", at.town, "Prix", 250_000)
		in.Descriptions = opt.Of([]product.DescriptionInput{{Language: "fr", Title: opt.Of("Maison d'été à " + at.town)}})
		_, err := w.site.Listing.CreateProduct(t.Context(), c, in)
		w.must(err)
		hook := apitest.HookFor("PRODUCT_CREATE")
		hook.URL = opt.Of("https://" + at.client + ".example.org/in")
		made, err := w.site.Hooks.CreateHook(t.Context(), c, hook)
		w.must(err)
		if i > 0 {
			change := hooks.UpdateHook{ID: made.ID}
			change.Status = opt.Of("suspended")
			_, err := w.site.Hooks.UpdateHook(t.Context(), c, change)
			w.must(err)
		}
		asked := trace.Request{ID: "0192f1c2-" + at.client, Site: site.ID(at.site), At: w.clock.Now().Add(-time.Duration(i) * time.Minute), Operation: "product.search", Credential: access.CredentialID(at.client), Status: 422, OneIn: 1}
		w.must(w.requests.Add(t.Context(), []trace.Request{asked}))
		count := trace.Count{Kind: trace.Kind{Site: asked.Site, Operation: asked.Operation, Credential: asked.Credential, Class: 4}, Start: asked.At.Truncate(time.Minute), Width: time.Minute}
		for range i + 1 {
			count.Add(time.Millisecond)
		}
		w.must(w.requests.Count(t.Context(), []trace.Count{count}, nil))
	}
	for _, client := range []access.CredentialID{"rival", "tiers"} {
		count := trace.Count{Kind: trace.Kind{Operation: "token.create", Credential: client, Class: 4}, Start: w.clock.Now().Truncate(time.Minute), Width: time.Minute}
		for range 40 {
			count.Add(time.Millisecond)
		}
		w.must(w.requests.Count(t.Context(), []trace.Count{count}, nil))
	}
	w.must(w.site.Alerts.Look(t.Context()))
	w.clock.Advance(3 * time.Minute)
	return w
}

// box types something into the box on top of a page that is about a site, or about all.
func (b *browser) box(of, text string) shown {
	b.Helper()
	return b.post("/jump?site="+of, "q", text)
}

func TestAnOperatorOfSeveralSitesBeginsWithAllOfThem(t *testing.T) {
	w := threeSites(t)
	b := w.newlySignedIn("claire@example.org")
	page := b.get("/").is(200).isAt("/sites").says(
		"<h1>All sites</h1>", `<option value="all" selected>All sites</option>`, "webhook 2 of site 2 Quais, to rival.example.org, is suspended", "webhook 3 of site 3 Tiers", "3 min ago",
		`<a href="/console/?site=3">Tiers</a>`, `<a href="/console/requests?site=2">2</a>`, `<a href="/console/requests?status=4&amp;site=3">3</a>`, `<a class="state bad" href="/console/webhooks?site=3">1</a>`,
		`<a href="/console/products?web=yes&amp;site=1">`, `href="/console/imports?site=1"`,
	)
	for _, link := range regexp.MustCompile(`href="/console([^"#]*)"`).FindAllStringSubmatch(page.text, -1) {
		if to := html.UnescapeString(link[1]); !strings.HasPrefix(to, "/assets/") && !strings.Contains(to, "language=") {
			b.get(to).is(200)
		}
	}
	// A site that was looked at stays, until all are chosen again.
	b.get("/?site=2").is(200).isAt("/?site=2").says("Quais · 1 agency")
	b.get("/").is(200).isAt("/").says("Quais · 1 agency")
	b.get("/?site=all").is(200).isAt("/sites")
	w.signedIn(w.operator(operator.Reader, 2)).get("/sites").is(200).isAt("/").saysNot("All sites")
}

func TestAllSitesShowWhatTheRoleSees(t *testing.T) {
	w := threeSites(t)
	c, hook := w.everywhere("rival", 2), apitest.HookFor("CUSTOMER_CREATE")
	hook.URL = opt.Of("https://persons.example.org/in")
	made, err := w.site.Hooks.CreateHook(t.Context(), c, hook)
	w.must(err)
	change := hooks.UpdateHook{ID: made.ID}
	change.Status = opt.Of("suspended")
	_, err = w.site.Hooks.UpdateHook(t.Context(), c, change)
	w.must(err)
	w.must(w.site.Alerts.Look(t.Context()))
	for i, role := range roles[:3] {
		page := w.newlySignedIn(w.operator(role, 1, 2)).get("/sites?site=all").is(200).
			says("webhook 2 of site 2", "client rival fails to sign in", "/console/requests?credential=rival&amp;status=4&amp;which=sign-ins&amp;site=all").saysNot("client tiers")
		for text, who := range map[string]string{
			"persons.example.org": "+--", `/console/webhooks?site=2">2</a>`: "+--", `<a class="state bad" href="/console/webhooks?site=2">1</a>`: "-++", "Last successful import": "++-",
		} {
			if sees := who[i] == '+'; sees != strings.Contains(page.text, text) {
				t.Errorf("a %s sees %s: %v\n%s", role, text, !sees, page.text)
			}
		}
	}
	w.newlySignedIn(w.operator(operator.Privacy, 1, 2)).get("/").is(200).isAt("/people").says("Which one?")
}

func TestSitesAreSortedByEachColumn(t *testing.T) {
	w := threeSites(t)
	b := w.newlySignedIn("claire@example.org")
	for column, want := range map[string]string{"": "Quais Réseau Tiers", "-2.1": "Tiers Réseau Quais", "-2.3": "Tiers Quais Réseau", "-2.5": "Quais Tiers Réseau", "-2.8": "Quais Réseau Tiers", "2.9": "Quais Réseau Tiers"} {
		var got []string
		for _, row := range regexp.MustCompile(`<tr role="row"><td role="cell" class="name"><a href="/console/\?site=\d">([^<]+)<`).FindAllStringSubmatch(b.get("/sites?site=all&sort="+column).is(200).text, -1) {
			got = append(got, row[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("by %s: %v, not %s", column, got, want)
		}
	}
}

// An operator of two of three sites sees nothing of the third one, wherever they look.
func TestNobodySeesAnythingOfASiteThatTheirRoleDoesNotHoldFor(t *testing.T) {
	w := threeSites(t)
	for _, role := range roles {
		b := w.newlySignedIn(w.operator(role, 1, 2))
		for _, path := range []string{"/", "/sites?site=all", "/webhooks?site=all", "/credentials?site=all", "/requests?site=all", "/requests/traffic?site=all", "/products?site=all", "/people?site=all", "/alerts?site=all"} {
			if page := b.get(path); strings.Contains(strings.ToLower(page.text), "tiers") {
				t.Errorf("a %s sees at %s:\n%s", role, path, page.text)
			}
		}
		for _, typed := range []string{"tiers", "REF-tiers", "Tiersville", "Tiersky", "3001", "301", "3", "webhook 3", "0192f1c2-tiers", "evt_3_1", "Tatiana", "Tierstier"} {
			page := b.box("all", typed).is(200)
			if strings.Contains(strings.ToLower(page.text), "tiers") || page.Request.URL.Path != "/console/jump" {
				t.Errorf("a %s finds %s at %s:\n%s", role, typed, page.Request.URL, page.text)
			}
		}
		b.box("3", "tiers").is(http.StatusForbidden)
	}
}

// What is found alone is gone to, of whichever site it is, by each role that sees it.
func TestTheBoxOnTopFindsEachKindByNumberAndByWords(t *testing.T) {
	w := threeSites(t)
	ofBrest := strconv.FormatInt(w.firstProduct(2), 10)
	for typed, found := range map[string]struct{ who, to string }{
		"REF-tiers":      {"+++-", "/products/" + strconv.FormatInt(w.firstProduct(3), 10) + "?site=3"},
		"Brest":          {"+++-", "/products/" + ofBrest + "?site=2"},
		"brest ete":      {"+++-", "/products/" + ofBrest + "?site=2"},
		"3001":           {"+--+", "/people/3001?site=3"},
		"tiersky":        {"+--+", "/people/3001?site=3"},
		"301":            {"+---", "/site/users/301?site=3"},
		"tatiana":        {"+---", "/site/users/301?site=3"},
		"webhook 3":      {"+++-", "/webhooks/3?site=3"},
		"https://rival":  {"+++-", "/webhooks/2?site=2"},
		"Website":        {"++--", "/credentials/website"},
		"Tierstier":      {"+++-", "/site/criteria/Tierstier?site=3"},
		"date du mandat": {"+++-", "/site/criteria/DateMandat?site=1"},
		"0192F1C2-rival": {"+++-", "/requests/0192f1c2-rival?site=2"},
		"evt_2_1":        {"+---", "/events?before=2&open=1&site=2"}, // it is about a customer
		"nothing at all": {"----", "/jump?site=all"},
		"whsec_x":        {"----", "/jump?site=all"},
		"evt_9_1":        {"----", "/jump?site=all"},
		"4711":           {"----", "/jump?site=all"},
	} {
		for i, role := range roles {
			b := w.newlySignedIn(w.operatorOnce(role))
			page := b.box("all", typed).is(200)
			want := found.to
			if found.who[i] == '-' {
				want = "/jump?site=all"
				page.says("Nothing that you may see is like that")
			}
			page.isAt(want)
		}
	}
}

func TestTheBoxOnTopShowsSeveralByKindAndSite(t *testing.T) {
	w := threeSites(t)
	b := w.newlySignedIn("claire@example.org")
	b.box("all", "REF").is(200).says("<h2>Products</h2>", "REF-full", "REF-rival", "REF-tiers", ">Réseau<", ">Quais<", ">Tiers<").saysNot("<h2>People</h2>", "There are more")
	b.box("all", "tiers").is(200).says("<h2>Products</h2>", "<h2>People</h2>", "<h2>Users</h2>", "<h2>Webhooks</h2>", "<h2>Credentials</h2>", "<h2>Criteria</h2>")
	b.box("all", "été").is(200).says("<h2>Products</h2>", "REF-full", "REF-rival", "REF-tiers", "Maison d&#39;été à Lyon")
	b.box("2", "").is(200).says("Nothing that you may see is like that")
	b.get("/jump").is(200)
	// What is typed, perhaps a name, is in no address.
	if page := b.box("all", "Tiersky"); strings.Contains(page.Request.URL.String(), "Tiersky") {
		t.Errorf("the browser is at %s", page.Request.URL)
	}
}

func TestListsOverAllSitesNameTheSite(t *testing.T) {
	w := threeSites(t)
	b := w.newlySignedIn("claire@example.org")
	b.get("/webhooks").is(200).says(`>Site</a></th>`, `href="/console/webhooks/3?site=3"`, `<td role="cell">Tiers</td>`, `<td role="cell">Quais</td>`)
	b.get("/requests").is(200).says(`>Site</a></th>`, `href="/console/requests/0192f1c2-tiers?site=3"`, `<td role="cell">Tiers</td>`, "site=all")
	b.get("/requests?credential=rival").is(200).says("0192f1c2-rival").saysNot("0192f1c2-full")
	b.get("/credentials").is(200).says("tiers", "rival", "3 refused", "2 refused")
	b.get("/webhooks?site=1").is(200).saysNot(`>Site</a></th>`, "rival.example.org")
	b.get("/requests?site=1").is(200).saysNot(`>Site</a></th>`, "0192f1c2-rival").says("site=1")
}

// The requests of several sites are turned over like those of one: each once, the latest first.
func TestRequestsOfAllSitesAreTurnedOver(t *testing.T) {
	w := threeSites(t)
	var rows []trace.Request
	for i := range 170 {
		rows = append(rows, trace.Request{ID: "row-" + strconv.Itoa(1000+i), Site: site.ID(1 + i%7%3), At: w.clock.Now().Add(-time.Hour - time.Duration(i)*time.Second), Operation: "product.get", Status: 200, OneIn: 1})
	}
	w.must(w.requests.Add(t.Context(), rows))
	b := w.newlySignedIn("claire@example.org")
	var got []string
	older := regexp.MustCompile(`href="/console(/requests\?[^"]+)"[^>]*>Older requests`)
	for path := "/requests?operation=product.get"; path != ""; {
		page := b.get(path).is(200)
		for _, id := range regexp.MustCompile(`id="request-(row-\d+)"`).FindAllStringSubmatch(page.text, -1) {
			got = append(got, id[1])
		}
		path = ""
		if next := older.FindStringSubmatch(page.text); next != nil {
			path = html.UnescapeString(next[1])
		}
	}
	var want []string
	for _, r := range rows {
		want = append(want, r.ID)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%d of %d:\n%v", len(got), len(want), got)
	}
}

func TestAPageAboutOneSiteAsksWhichOne(t *testing.T) {
	w := threeSites(t)
	b := w.newlySignedIn("claire@example.org")
	b.get("/products?web=yes").is(200).says("<h1>Catalogue</h1>", "Which one?", `href="/console/products?site=3&amp;web=yes"`)
	b.get("/products?site=3&web=yes").is(200).says("<h1>Catalogue</h1>").saysNot("Which one?")
	b.get("/products?site=all").is(200).says("Which one?")
	b.post("/site/settings?site=all").is(http.StatusNotFound).says("choose it first")
	w.newlySignedIn(w.operator(operator.Privacy)).get("/products").is(http.StatusForbidden)
}

// A part of a page that is read again in the background does not change what is looked at elsewhere.
func TestAPageThatReadsItselfAgainChoosesNoSite(t *testing.T) {
	w := threeSites(t)
	b := w.newlySignedIn("claire@example.org")
	b.get("/?site=2").is(200)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url+"/sites?site=all", nil)
	w.must(err)
	r.Header.Set("Hx-Request", "true")
	b.do(r).is(200).says("<h1>All sites</h1>")
	b.get("/").is(200).isAt("/").says("Quais · 1 agency")
}

// No line of the menu, and no link two pages behind it, leads to "not found" or "not for you", whatever there is
// on the server.
func TestNoLinkIsADeadEnd(t *testing.T) {
	for name, world := range map[string]struct {
		make func(*testing.T) *world
		// deep is how far the walk goes. Where there are several sites, links from there on are about the one
		// that was looked at last.
		deep int
	}{
		"no site":       {func(t *testing.T) *world { t.Helper(); return worldOf(t, false) }, 3},
		"an empty site": {emptySite, 3},
		"several sites": {threeSites, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := world.make(t)
			for _, role := range roles {
				b := w.newlySignedIn(w.operatorOnce(role))
				next := []string{"/"}
				been := map[string]bool{"/": true}
				for range world.deep + 1 {
					var links []string
					for _, path := range next {
						page := b.get(path)
						if page.StatusCode != http.StatusOK {
							t.Errorf("a %s at %s gets %d:\n%s", role, path, page.StatusCode, page.text)
						}
						for _, link := range regexp.MustCompile(`<a [^>]*href="/console([^"#]*)`).FindAllStringSubmatch(page.text, -1) {
							if to := html.UnescapeString(link[1]); !been[to] {
								been[to], links = true, append(links, to)
							}
						}
					}
					next = links
				}
			}
		})
	}
}

// emptySite is a world with a site in which there is nothing.
func emptySite(t *testing.T) *world {
	t.Helper()
	w := worldOf(t, false)
	_, err := w.site.Transfer.Provision(t.Context(), transfer.Setup{Sites: []transfer.SetupSite{{ID: 1, Name: "Vide", Agencies: []transfer.SetupAgency{{ID: 1, Name: "Vide"}}}}})
	w.must(err)
	return w
}

// operatorOnce returns the e-mail of an operator of all sites with a role, who is added unless there is one.
func (w *world) operatorOnce(role operator.Role) string {
	w.Helper()
	email := string(role) + "@example.org"
	known, err := w.backoffice.ListOperators(w.Context(), w.root, kernel.Nothing{})
	w.must(err)
	for _, o := range known.Operators {
		if o.Email == email {
			return email
		}
	}
	return w.operator(role)
}

// firstProduct returns the id of the first product of a site.
func (w *world) firstProduct(of site.ID) (id int64) {
	w.Helper()
	w.must(w.store.View(w.Context(), func(tx port.Tx) error {
		found, err := tx.Products().Scan(of, 0, 1)
		id = int64(found[0].ID)
		return err
	}))
	return id
}
