package e2e_test

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// operator is the demo operator of a sandbox, who has signed in to its console.
type operator struct {
	t    *testing.T
	w    *world
	http *http.Client
}

func (p *process) operator(words func() string) *operator {
	p.t.Helper()
	signIn := regexp.MustCompile(`(\S+@\S+), password (\S+)`)
	var printed []string
	for printed == nil {
		printed = signIn.FindStringSubmatch(words())
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	o := &operator{t: p.t, w: p.world, http: &http.Client{Jar: jar}}
	if page, at := o.send("/console/sign-in", url.Values{"email": {printed[1]}, "password": {printed[2]}}); at == "/console/sign-in" {
		p.t.Fatalf("nobody is let in: %s", page)
	}
	return o
}

// page is what a path shows.
func (o *operator) page(path string) string {
	o.t.Helper()
	answer, err := o.http.Get(o.w.url + path)
	if err != nil {
		o.t.Fatal(err)
	}
	text, at := o.read(answer)
	if answer.StatusCode != http.StatusOK {
		o.t.Fatalf("%s answers %d:\n%s", at, answer.StatusCode, text)
	}
	return text
}

func (o *operator) read(answer *http.Response) (text, at string) {
	o.t.Helper()
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		o.t.Fatal(err)
	}
	return string(raw), answer.Request.URL.Path
}

// send fills a form in, and is the page it leads to.
func (o *operator) send(path string, typed url.Values) (text, at string) {
	o.t.Helper()
	return o.sent(path, "application/x-www-form-urlencoded", strings.NewReader(typed.Encode()))
}

func (o *operator) sent(path, format string, body io.Reader) (text, at string) {
	o.t.Helper()
	r, err := http.NewRequestWithContext(o.t.Context(), http.MethodPost, o.w.url+path, body)
	if err != nil {
		o.t.Fatal(err)
	}
	r.Header.Set("Content-Type", format)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := o.http.Do(r)
	if err != nil {
		o.t.Fatal(err)
	}
	text, at = o.read(answer)
	if answer.StatusCode >= http.StatusBadRequest {
		o.t.Fatalf("%s answers %d:\n%s", path, answer.StatusCode, text)
	}
	return text, at
}

// action is where the form of a page is sent to whose address contains part.
func (o *operator) action(page, part string) string {
	o.t.Helper()
	found := regexp.MustCompile(`action="([^"]*` + regexp.QuoteMeta(part) + `[^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		o.t.Fatalf("there is no form %s:\n%s", part, page)
	}
	return html.UnescapeString(found[1])
}

// all are the values of the fields of a name.
func all(page, name string) (values []string) {
	for _, found := range regexp.MustCompile(`name="`+name+`"[^>]* value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		values = append(values, html.UnescapeString(found[1]))
	}
	return values
}

// What an operator does in the console is what clients of the API read, and the
// ledger tells them of.
func TestWhatTheConsoleChangesIsServed(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		p, words := started(t, "sandbox", "--listen=127.0.0.1:0", "--rate-limit=0", "--geocoder=none", "--no-pictures", "--database", database)
		address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
		for p.world == nil {
			if found := address.FindString(words()); found != "" {
				p.world = &world{url: found, http: &http.Client{}, tokens: map[string]string{}}
			}
		}
		o, c := p.operator(words), p.network(t)
		told := c.ledger()

		t.Log("a file is imported")
		columns := make([]string, 329)
		columns[0], columns[1], columns[2], columns[3], columns[4], columns[5] = "a", "CONSOLE-1", "vente", "maison", "54000", "Nancy"
		columns[10], columns[19], columns[20], columns[300] = "250 000 €", "Maison", "Belle maison", "4.09"
		var body bytes.Buffer
		upload := multipart.NewWriter(&body)
		part, err := upload.CreateFormFile("file", "annonces.csv")
		if err == nil {
			_, err = part.Write([]byte(`"` + strings.Join(columns, `"!#"`) + `"`))
		}
		if err == nil {
			err = upload.WriteField("agency_id", "11")
		}
		if err == nil {
			err = upload.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		_, at := o.sent(o.action(o.page("/console/imports?site=1"), "imports"), upload.FormDataContentType(), &body)
		over := func(at string) (page string) {
			eventually(t, at+" is over", func() bool { page = o.page(at); return strings.Contains(page, `state ok">done`) })
			return page
		}
		dry := over(at)
		told.tells()
		_, at = o.send(o.action(dry, "carry-out"), nil)
		real := over(at)
		id := c.search(object{"model": "CONSOLE-1"}).is(200).ids()
		if len(id) != 1 {
			t.Fatalf("the listing is the products %v", id)
		}
		told.tells(fmt.Sprintf("PRODUCT_CREATE %d", id[0]))
		c.get(product(id[0])).is(200).equals("data.city", "Nancy").equals("data.web_status", true)

		t.Log("the import is undone")
		_, at = o.send(o.action(real, "undo"), nil)
		dry = over(at)
		told.tells()
		_, at = o.send(o.action(dry, "carry-out"), nil)
		over(at)
		told.tells(fmt.Sprintf("PRODUCT_UPDATE %d", id[0]))
		c.get(product(id[0])).is(200).equals("data.web_status", false)

		t.Log("an agency and a user are added")
		o.send("/console/site/agencies/new?site=1", url.Values{"id": {"77"}, "name": {"Belvédère Voiron"}, "flags": {"active", "in_scope"}})
		o.send("/console/site/users/new?site=1", url.Values{"id": {"771"}, "agency_id": {"77"}, "firstname": {"Ada"}, "lastname": {"Martin"}, "flags": {"active"}})
		told.tells("USER_CREATE 771") // of a new agency a file tells nothing, either
		c.get("/agencies/77").is(200).equals("data.name", "Belvédère Voiron")
		c.get("/users?agency_id=77").is(200).equals("data.0.lastname", "Martin")
		o.send(o.action(o.page("/console/site/agencies/77?site=1"), "/agencies/77"), url.Values{"name": {"Voiron"}, "flags": {"active", "in_scope"}})
		told.tells("AGENCY_UPDATE 77")

		t.Log("the values of a list are labelled anew")
		values := o.page("/console/site/lists/3?site=1")
		typed := url.Values{"model": all(values, "model"), "label": all(values, "label"), "active": all(values, "model")}
		for i := range typed["model"] {
			typed.Add("place", fmt.Sprint(i+1))
		}
		if len(typed["model"]) < 2 || len(typed["label"]) != len(typed["model"]) {
			t.Fatalf("the page has %v:\n%s", typed, values)
		}
		typed["label"][0] = "Vue <dégagée> & calme"
		o.send(o.action(values, "/lists/3/values"), typed)
		c.get("/configs/listes/3/values").is(200).equals("data.0.label", "Vue <dégagée> & calme")

		t.Log("the settings of the site are changed")
		settings := o.page("/console/site/settings?site=1")
		o.send(o.action(settings, "/site/settings"), url.Values{
			"name": all(settings, "name"), "reference_pattern": all(settings, "reference_pattern"), "energy_scales": {"fr-2021"},
			"default_status": {"Projet"}, "timezone": {"Europe/Paris"}, "currency": {"EUR"}, "country": {"FR"}, "language": {"fr"},
		})
		created := c.post("/products", object{"agency_id": 11, "model": "console"}).is(201)
		c.get(product(created.id("data.id"))).is(200).equals("data.status", "Projet")

		audit := o.page("/console/audit?site=1")
		for _, want := range []string{"import.start", "import.carry-out", "site.list", "site.settings", "<del>EnCours</del>"} {
			if !strings.Contains(audit, want) {
				t.Errorf("the audit lacks %s", want)
			}
		}
		p.stop()
	})
}
