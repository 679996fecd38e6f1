package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// The roles in the order of the columns below.
var roles = []operator.Role{operator.Administrator, operator.Integrator, operator.Reader, operator.Privacy}

// newSite is the page for who has a role for all sites.
const newSite = "/sites/new"

// Who may see which page, and send a form to it, typed by hand: one mark per role, in
// the order of roles, + for yes and - for no. A page of the table that is missing here
// is an error, and so is one that is only here.
var (
	seen = map[string]string{
		"/":                                   "++++",
		"/sites":                              "++++", // with one site, that is the overview
		"/jump":                               "++++",
		"/credentials":                        "++--",
		"/credentials/new":                    "++--",
		"/credentials/{id}":                   "++--",
		"/credentials/{id}/edit":              "++--",
		"/credentials/{id}/rotate":            "++--",
		"/credentials/{id}/disable":           "++--",
		"/credentials/{id}/revoke":            "++--",
		"/credentials/{id}/keys/{key}/revoke": "++--",
		"/credentials/{id}/keys/new":          "++--",
		"/webhooks":                           "+++-",
		"/webhooks/new":                       "++--",
		"/webhooks/{id}":                      "+++-",
		"/webhooks/{id}/over-time":            "+++-",
		"/webhooks/{id}/edit":                 "++--",
		"/webhooks/{id}/replay":               "++--",
		"/webhooks/{id}/delete":               "++--",
		"/imports":                            "++--",
		"/imports/{id}":                       "++--",
		"/import-sources/{id}":                "++--",
		"/import-sources/new":                 "++--",
		"/import-sources/{id}/edit":           "++--",
		"/import-sources/{id}/delete":         "++--",
		"/imports/{id}/report.csv":            "++--",
		"/publication-targets":                "++--",
		"/publication-targets/{id}":           "++--",
		"/publication-targets/new":            "++--",
		"/publication-targets/{id}/edit":      "++--",
		"/publication-targets/{id}/delete":    "++--",
		"/requests":                           "+++-",
		"/requests/readiness":                 "+++-",
		"/requests/traffic":                   "+++-",
		"/requests/{id}":                      "+++-",
		"/events":                             "+++-",
		"/events/{id}/replay":                 "++--",
		"/site":                               "+++-",
		"/site/settings":                      "+---",
		newSite:                               "----", // the roles of this test hold for one site
		"/site/users":                         "+---",
		"/site/users/new":                     "+---",
		"/site/users/{id}":                    "+---",
		"/site/agencies/new":                  "+---",
		"/site/agencies/{id}":                 "+---",
		"/site/criteria":                      "+++-",
		"/site/criteria/{key}":                "+++-",
		"/site/lists":                         "+++-",
		"/site/lists/{id}":                    "+++-",
		"/site/action-types":                  "+---",
		"/operators":                          "+---",
		"/operators/invite":                   "+---",
		"/operators/{id}":                     "+---",
		"/alerts":                             "+---",
		"/alerts/channels/new":                "----",
		"/alerts/channels/{id}/edit":          "----",
		"/audit":                              "+--+",
		"/me":                                 "++++",
		"/me/passkeys":                        "++++",
		"/products":                           "+++-",
		"/products/{id}":                      "+++-",
		"/products/{id}/pictures/{picture}":   "+++-",

		"/people":                        "+--+",
		"/people/{id}":                   "+--+",
		"/people/{id}/searches/{search}": "+--+",
		"/people/leads":                  "+--+",
		"/people/leads/{id}":             "+--+",
		"/privacy":                       "+--+",
		"/privacy/{id}":                  "+--+",
	}
	sent = map[string]string{
		"/jump":                                       "++++",
		"/credentials/new":                            "++--",
		"/credentials/{id}/edit":                      "++--",
		"/credentials/{id}/rotate":                    "++--",
		"/credentials/{id}/tokens":                    "++--",
		"/credentials/{id}/disable":                   "++--",
		"/credentials/{id}/revoke":                    "++--",
		"/credentials/{id}/keys/new":                  "++--",
		"/credentials/{id}/keys/{key}/revoke":         "++--",
		"/webhooks/new":                               "++--",
		"/webhooks/{id}/edit":                         "++--",
		"/webhooks/{id}/replay":                       "++--",
		"/webhooks/{id}/test":                         "++--",
		"/webhooks/{id}/resume":                       "++--",
		"/webhooks/{id}/reactivate":                   "++--",
		"/webhooks/{id}/secret":                       "++--",
		"/webhooks/{id}/rotate":                       "++--",
		"/webhooks/{id}/delete":                       "++--",
		"/webhooks/{id}/deliveries/{delivery}/resend": "++--",
		"/events/{id}/replay":                         "++--",
		"/people":                                     "+--+",
		"/people/leads/{id}/hand-on":                  "+---",
		"/privacy":                                    "+--+",
		"/privacy/{id}/export":                        "+--+",
		"/privacy/{id}/anonymize":                     "+--+",
		"/site/settings":                              "+---",
		newSite:                                       "----",
		"/site/users/new":                             "+---",
		"/site/users/{id}":                            "+---",
		"/site/agencies/new":                          "+---",
		"/site/agencies/{id}":                         "+---",
		"/site/criteria/{key}/values":                 "+---",
		"/site/lists/{id}/values":                     "+---",
		"/imports":                                    "++--",
		"/imports/{id}/carry-out":                     "++--",
		"/imports/{id}/stop":                          "++--",
		"/imports/{id}/undo":                          "++--",
		"/import-sources/new":                         "++--",
		"/import-sources/{id}/edit":                   "++--",
		"/import-sources/{id}/delete":                 "++--",
		"/import-sources/{id}/run":                    "++--",
		"/import-sources/{id}/pause":                  "++--",
		"/publication-targets/new":                    "++--",
		"/publication-targets/{id}/edit":              "++--",
		"/publication-targets/{id}/delete":            "++--",
		"/publication-targets/{id}/send":              "++--",
		"/publication-targets/{id}/pause":             "++--",
		"/publication-targets/{id}/reject":            "++--",
		"/operators/invite":                           "+---",
		"/operators/withdraw":                         "+---",
		"/operators/{id}":                             "+---",
		"/operators/{id}/disable":                     "+---",
		"/operators/{id}/recover":                     "+---",
		"/alerts/silence":                             "+---",
		"/alerts/channels/new":                        "----",
		"/alerts/channels/{id}/edit":                  "----",
		"/alerts/channels/{id}/test":                  "----",
		"/alerts/channels/{id}/delete":                "----",
		"/me":                                         "++++",
		"/me/sessions":                                "++++",
		"/me/sign-out-everywhere":                     "++++",
		"/me/passkeys":                                "++++",
		"/me/passkeys/remove":                         "++++",
		"/me/filters":                                 "++++",
		"/me/filters/remove":                          "++++",
	}
)

// filledWorld is a world with something on each page.
func filledWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.picture(w.product("TypeBien", "Maison", "Ville", "Lyon", "Prix", 250_000))
	w.hook("PRODUCT_CREATE", "PRODUCT_UPDATE")
	_, err := w.site.Tokens.CreateKey(t.Context(), kernel.Caller{}, tokens.KeyInput{Credential: "website", Name: "nightly", Site: 1, Packs: []string{"websites"}})
	w.must(err)
	w.buyer()
	w.must(w.store.Update(t.Context(), func(tx port.Tx) error {
		run := operator.ImportRun{ID: 1, Site: 1, Agency: 11, DryRun: true, Name: "annonces.csv", File: "imports/1/1", State: operator.ImportDone, Seen: w.clock.Now()}
		source := operator.ImportSource{ID: 1, Site: 1, Name: "Nantes", Settings: operator.SourceSettings{Location: operator.Location{Folder: "nantes"}, Agency: 11}}
		if err := tx.PublicationTargets().Put(operator.PublicationTarget{ID: 1, Site: 1, Name: "Portail"}); err != nil {
			return err
		}
		if err := tx.ImportSources().Put(source); err != nil {
			return err
		}
		standing := alert.Standing{Condition: alert.Condition{Key: alert.Key{Cause: "import-source", Site: 1, Subject: "1"}, Severity: alert.Critical, Args: []string{"Nantes", "1", "", "x"}}}
		if err := tx.Alerts().PutBoard(alert.Board{ID: alert.TheBoard, Standing: []alert.Standing{standing}}); err != nil {
			return err
		}
		return tx.Imports().Save(run, []operator.ImportLine{{Number: 1, Action: operator.ImportCreated, Reference: "A-1"}})
	}))
	w.must(w.requests.Add(t.Context(), []trace.Request{{
		ID: "6137d4f1", Site: 1, At: w.clock.Now(), Operation: "product.search", Method: "POST", Path: "/api/v2/site/products/search",
		Credential: "full", Status: 422, Code: "validation_error", OneIn: 1, Sent: `{"criterias":[]}`, Answered: `{"error":{}}`,
	}}))
	return w
}

// full is a caller who may do everything at site 1.
func (w *world) full() kernel.Caller {
	w.Helper()
	c, err := w.site.Admit(w.Context(), access.Grant{
		Credential: "full", Site: 1, Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	})
	w.must(err)
	return c
}

// product adds a product to site 1, and returns its id.
func (w *world) product(pairs ...any) int64 {
	w.Helper()
	in := apitest.InAgency(11)
	in.Criteria = apitest.Criteria(pairs...)
	made, err := w.site.Listing.CreateProduct(w.Context(), w.full(), in)
	w.must(err)
	return made.ID
}

// hook adds a webhook of the client full at site 1, and returns its id.
func (w *world) hook(origines ...string) int64 {
	w.Helper()
	made, err := w.site.Hooks.CreateHook(w.Context(), w.full(), apitest.HookFor(origines...))
	w.must(err)
	return made.ID
}

// at puts what there is into the parameters of a path.
func at(path string) string {
	id := "1"
	switch {
	case strings.HasPrefix(path, "/requests/"):
		id = "6137d4f1"
	case strings.HasPrefix(path, "/people/{id}"), strings.HasPrefix(path, "/privacy/"):
		id = "1001"
	case strings.HasPrefix(path, "/credentials/"):
		id = "website"
	case strings.HasPrefix(path, "/site/users/"):
		id = "101"
	case strings.HasPrefix(path, "/site/agencies/"):
		id = "11"
	case strings.HasPrefix(path, "/events/"):
		// Behind those about two customers.
		id = "3"
	case strings.HasPrefix(path, "/operators/"):
		// The first operator is above all roles at one site.
		id = "2"
	}
	return strings.NewReplacer("{id}", id, "{delivery}", "1", "{picture}", "1", "{search}", "1", "{key}", "1").Replace(path)
}

func TestWhoSeesWhichPage(t *testing.T) {
	w := filledWorld(t)
	known := map[string]bool{}
	for _, line := range console.Lines() {
		if line.Shows {
			known[line.Path] = true
			if seen[line.Path] == "" {
				t.Errorf("the page %s is not in the table of this test", line.Path)
			}
		}
	}
	for i, role := range roles {
		b := w.signedIn(w.operator(role, 1))
		for path, who := range seen {
			if !known[path] {
				t.Errorf("%s is no page", path)
			}
			want := map[byte]int{'+': http.StatusOK, '-': http.StatusForbidden}[who[i]]
			if answer := b.get(at(path)); answer.StatusCode != want {
				t.Errorf("a %s at %s gets %d, not %d:\n%s", role, path, answer.StatusCode, want, answer.text)
			}
		}
		// The role holds for site 1 alone.
		if answer := b.get("/?site=2"); answer.StatusCode != http.StatusForbidden {
			t.Errorf("a %s sees site 2: %d", role, answer.StatusCode)
		}
	}
}

// A form that a page does not show can be sent all the same.
func TestWhoMaySendWhichForm(t *testing.T) {
	known := map[string]bool{}
	for _, line := range console.Lines() {
		if line.Does {
			known[line.Path] = true
			if sent[line.Path] == "" {
				t.Errorf("the form %s is not in the table of this test", line.Path)
			}
		}
	}
	for i, role := range roles {
		for path, who := range sent {
			if !known[path] {
				t.Errorf("%s is no form", path)
			}
			w := filledWorld(t)
			b := w.signedIn(w.operator(role, 1))
			answer := b.post(at(path)+"?site=1", "url", "https://portal.example.org/in", "origines", "PRODUCT_CREATE", "credential", "full", "confirm", "website", "webhook", "1")
			refused := answer.StatusCode == http.StatusForbidden
			if allowed := who[i] == '+'; allowed == refused {
				t.Errorf("a %s who sends %s gets %d:\n%s", role, path, answer.StatusCode, answer.text)
			}
			if elsewhere := b.post(at(path) + "?site=2"); elsewhere.StatusCode != http.StatusForbidden && !strings.HasPrefix(elsewhere.Request.URL.Path, "/console/sign-in") {
				t.Errorf("a %s who sends %s for site 2 gets %d", role, path, elsewhere.StatusCode)
			}
		}
	}
}
