package console_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// asked keeps requests of a client, n of them a minute apart, each answered with a
// status.
func (w *world) asked(client string, n, status int, deprecated ...string) {
	w.Helper()
	now := w.clock.Now()
	var rows []trace.Request
	var counts []trace.Count
	for i := range n {
		at := now.Add(-time.Duration(i) * time.Minute)
		rows = append(rows, trace.Request{
			ID: fmt.Sprintf("%s-%d-%08d", client, status, i), Site: 1, At: at, Operation: "product.update", Method: "PATCH", Path: "/api/v2/site/products/7",
			Credential: "full", Status: status, OneIn: 1, Took: 480 * time.Microsecond, Bytes: 632, Deprecated: deprecated,
			Sent: `{"criteria":[{"id":"Prix","value":1}],"note":"it's"}`, Answered: `{"id":7}`, Agent: "portal-sync/2.4", Peer: "192.0.2.9",
		})
		tally := trace.Tally{}
		tally.Add(480 * time.Microsecond)
		for _, width := range []time.Duration{time.Minute, time.Hour} {
			counts = append(counts, trace.Count{
				Kind: trace.Kind{Site: 1, Operation: "product.update", Credential: "full", Class: status / 100}, Start: at.Truncate(width), Width: width, Tally: tally,
			})
		}
	}
	var used []trace.Deprecated
	for _, name := range deprecated {
		used = append(used, trace.Deprecated{Site: 1, Credential: "full", Operation: "product.update", Name: name, Day: now.Truncate(24 * time.Hour), N: int64(n), Last: rows[0].ID})
	}
	w.must(w.requests.Add(w.Context(), rows))
	w.must(w.requests.Count(w.Context(), counts, used))
}

func TestTheOverviewSumsUpTheLastHour(t *testing.T) {
	w := newWorld(t)
	w.asked("a", 30, 200)
	w.asked("b", 40, 400, "typeBien")
	w.signedIn("claire@example.org").get("/").is(200).says(
		"Réseau · 2 agencies · 0 products", ">70 <small>in the last hour", ">57.1 <small>%", "full is mostly refused",
		`aria-label="Requests of the last hour: 30 answered, 40 refused"`, "40 with camelCase",
	)
}

func TestRequestsAreFoundAndShown(t *testing.T) {
	w := newWorld(t)
	w.asked("a", 60, 200)
	w.asked("b", 3, 400, "typeBien", "=cmd")
	b := w.signedIn("claire@example.org")
	b.get("/requests").is(200).says("Older requests", "a-200-00000000", "data-live")
	b.get("/requests?status=4&deprecated=yes").is(200).says("b-400-00000001", "camelCase").saysNot("a-200-", "Older requests")
	b.get("/requests?credential=website").is(200).says("No requests are like that", "Clear the filter")
	b.get("/requests?from=yesterday").is(200).says(`id="field-from-wrong"`, `value="yesterday"`)
	b.get("/requests/b-400-00000001").is(200).says(
		"product.update", "typeBien, =cmd", "0.48", "portal-sync/2.4", "Others by full", "&#34;id&#34;: &#34;Prix&#34;",
		"curl -X PATCH &#39;https://crm.example.org/api/v2/site/products/7&#39;", `it&#39;\&#39;&#39;s`, "$TOKEN",
	)
	b.get("/requests/readiness").is(200).says("typeBien", "product.update")
	file := b.get("/requests/readiness?csv=1").is(200)
	if got := file.Header.Get("Content-Disposition"); got != "attachment; filename=requests-readiness.csv" {
		t.Errorf("Content-Disposition is %q", got)
	}
}

func TestOperatorsAreInvitedChangedAndKeptOut(t *testing.T) {
	w := newWorld(t)
	root := w.signedIn("claire@example.org")
	root.post("/operators/invite?site=1", "name", "", "email", "nobody", "role", "reader").is(422).
		says(`id="field-name-wrong"`, `id="field-email-wrong"`, `id="field-sites-wrong"`, `value="nobody"`, `value="reader" selected`)
	link := root.post("/operators/invite?site=1", "name", "Paul", "email", "paul@example.org", "role", "reader", "sites", "1").is(200).isAt("/operators").secretOf()
	path, outside := strings.CutPrefix(link, "https://crm.example.org/console")
	if !outside || !strings.HasPrefix(path, "/invitations/") {
		t.Fatalf("the link is %q", link)
	}
	paul := w.browser()
	paul.get(path).is(200).says("You are invited as reader", "paul@example.org", "readonly")
	paul.post(path, "password", "short").is(422).says(`id="field-password-wrong"`).saysNot(`value="short"`)
	paul.post(path, "password", goodPassword).is(200).isAt("/").says("Paul")
	w.browser().get(path).is(404).says("the link was used before")

	root.post("/operators/2?site=1", "name", "Paul P.", "role", "integrator", "sites", "1", "sites", "2").is(200).says("Saved.", "Paul P.")
	paul.get("/").is(200).says("integrator", "2 · Quais")
	root.post("/operators/2/disable?site=1", "disabled", "yes").is(200).says("They cannot sign in any more", "disabled")
	paul.get("/").is(200).isAt("/sign-in")
	root.post("/operators/1/disable?site=1", "disabled", "yes").is(409).says("conflict")
	root.get("/audit").is(200).says("Invite an operator", "operator 2", "<del>reader</del>", "<ins>integrator</ins>", "Sign in by a link", "invitation ", `<span class="soft">Paul P.</span>`, "<dt>role</dt>")
	root.get("/audit?operation=session.refused").is(200).says("Fail to sign in</option>", "Nothing like that was done")
	root.get("/audit?operation=invitation.accept&operator=2").is(200).says("Paul P.", `<option value="2" selected>Paul P.</option>`).saysNot("operator.invite</code>")
	root.get("/audit?operation=operator.disable").is(200).says("Disable an operator").saysNot("operator.change</code>")
	root.get("/audit?operation=lead.hand-on").is(200).says("Nothing like that was done", "Clear the filter")
}

func TestOneSeesAndEndsOnesOwnSessions(t *testing.T) {
	w := newWorld(t)
	here, there := w.signedIn("claire@example.org"), w.signedIn("claire@example.org")
	here.get("/me").is(200).says("claire@example.org", "administrator of all sites", "this one", "Sign out there")
	here.post("/me?site=1", "password", "password1234567").is(422).says(`id="field-password-wrong"`)
	here.post("/me?site=1", "password", "another good sentence").is(200).isAt("/me").says("Your password is changed.")
	there.get("/me").is(200).isAt("/sign-in?to=%2Fconsole%2Fme")
	here.post("/me/sign-out-everywhere?site=1").is(200).isAt("/sign-in")
	here.get("/me").is(200).isAt("/sign-in?to=%2Fconsole%2Fme")
}

// A page that is open on one site, and sent after another one was chosen elsewhere,
// still means the site it shows.
func TestAFormIsAboutTheSiteItWasShownFor(t *testing.T) {
	w := newWorld(t)
	w.hook("PRODUCT_CREATE")
	b := w.signedIn("claire@example.org")
	b.get("/webhooks/1?site=1").is(200).says(`action="/console/webhooks/1/test?site=1"`)
	b.get("/?site=2").is(200).says("Quais")
	b.get("/webhooks").is(200).says("No webhooks yet")
	b.post("/webhooks/1/test?site=1")
	b.get("/webhooks/1?site=1&open=1").is(200).says("HOOK_TEST")
	b.post("/webhooks/1/test").is(404)
}

func TestReadersAreLedNowhereTheyMayNotGo(t *testing.T) {
	w := newWorld(t)
	w.hook("PRODUCT_CREATE")
	w.asked("b", 1, 400, "typeBien")
	b := w.signedIn(w.operator(operator.Reader, 1))
	for _, path := range []string{"/", "/webhooks/1", "/requests", "/requests/readiness", "/requests/b-400-00000000"} {
		b.get(path).is(200).says("full").saysNot(`href="/console/credentials`)
	}
	b.get("/requests/b-400-00000000").says("Your role does not see bodies", "-d &#39;@body.json&#39;", "body.json the body").saysNot("No body is kept", "Prix")
	w.signedIn("claire@example.org").get("/requests/b-400-00000000").says("Prix").saysNot("body.json")
}

// The first administrator of a new server is told the same wherever they look.
func TestAServerWithoutASite(t *testing.T) {
	w := worldOf(t, false)
	b := w.signedIn("claire@example.org")
	const told = "There is no site yet. An administrator makes the first one on the overview, or “vitrine init”"
	b.get("/").is(200).says("<h1>The first site</h1>")
	w.signedIn(w.operator(operator.Reader)).get("/").is(200).says(told)
	for _, path := range []string{"/webhooks", "/webhooks/new", "/credentials/new", "/requests", "/products", "/events", "/people", "/privacy", "/imports", "/site"} {
		b.get(path).is(404).says("<h1>There is no site yet</h1>", told)
	}
	b.post("/site/settings").is(404).says(told)
	for _, path := range []string{"/credentials", "/operators", "/operators/invite", "/audit", "/me"} {
		b.get(path).is(200)
	}
	b.get("/webhooks?site=99").is(404).says("there is no such site")
}

func TestPagesForWhoHoldsNoSite(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn(w.operator(operator.Reader, 2))
	b.get("/").is(200).says("2 · Quais").saysNot("1 · Réseau")
	b.get("/?site=99").is(403).says("your role does not hold for this site")
	w.signedIn("claire@example.org").get("/?site=99").is(404).says("there is no such site")
}

// A column and a row of the traffic lead to the requests that they count.
func TestRequestsOverTimeLeadToWhatTheyCount(t *testing.T) {
	w := newWorld(t)
	w.asked("a", 30, 200)
	w.asked("b", 10, 400)
	b := w.signedIn("claire@example.org")
	b.get("/requests").is(200).says(`href="/console/requests/traffic"`)
	for _, period := range []string{"hour", "day", "week", "quarter", "nonsense"} {
		b.get("/requests/traffic?period="+period).is(200).says(">40<", `aria-label="Requests: 30 answered, 10 refused"`, "product.update")
	}
	page := b.get("/requests/traffic?period=quarter").is(200)
	column := regexp.MustCompile(`href="/console(/requests\?from=[^"]+)"`).FindStringSubmatch(page.text)
	if column == nil {
		t.Fatalf("no column leads anywhere:\n%s", page.text)
	}
	b.get(html.UnescapeString(column[1])).is(200).says("a-200-00000000", "b-400-00000009")
	row := regexp.MustCompile(`href="/console(/requests\?credential=full[^"]+)"`).FindStringSubmatch(page.text)
	if row == nil {
		t.Fatalf("no row leads to the requests of a client:\n%s", page.text)
	}
	b.get(html.UnescapeString(row[1])).is(200).says("a-200-00000000")
	b.get("/requests/traffic?credential=website").is(200).says("No requests in this time", "Clear").saysNot("product.update</a>")
	b.get("/requests/traffic?credential=full&operation=product.update&sort=-1.6").is(200).says(`aria-sort="descending"`, ">40<span")
	w.signedIn(w.operator(operator.Privacy, 1)).get("/requests/traffic").is(403)
}
