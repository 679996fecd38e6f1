package console_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// zone returns a time zone.
func (w *world) zone(name string) *time.Location {
	w.Helper()
	zone, err := time.LoadLocation(name)
	w.must(err)
	return zone
}

// file follows the link of a page to a list with a heading as CSV, and returns its rows.
func (b *browser) file(path, heading string) [][]string {
	b.Helper()
	page := b.get(path).is(200)
	link := regexp.MustCompile(`href="/console([^"]*)" download>` + heading + `<`).FindStringSubmatch(page.text)
	if link == nil {
		b.Fatalf("%s has no file of %q:\n%s", path, heading, page.text)
	}
	answer := b.get(html.UnescapeString(link[1])).is(200)
	if kind := answer.Header.Get("Content-Type"); kind != "text/csv; charset=utf-8" {
		b.Fatalf("%s is %s", link[1], kind)
	}
	rows, err := csv.NewReader(strings.NewReader(answer.text)).ReadAll()
	b.must(err)
	return rows
}

func TestAListIsAFileWithThePagesThatContinueIt(t *testing.T) {
	w := newWorld(t)
	for i := range 60 {
		w.product("TypeBien", "Maison", "Ville", fmt.Sprintf("=Lyon %d", i), "Prix", 250_000+i)
	}
	w.asked("b", 3, 400, "typeBien", "=cmd")
	b := w.signedIn("claire@example.org")
	rows := b.file("/products?TypeBien=Maison", "Products")
	if len(rows) != 61 {
		t.Fatalf("60 products are %d rows", len(rows))
	}
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		seen[row[0]] = true
		line := strings.Join(row, "|")
		if !strings.Contains(line, "|2500") || !strings.Contains(line, "|2026-09-16T08:30:00.000Z") {
			t.Fatalf("a row is %q: numbers are without commas, times as ISO 8601 has them", line)
		}
	}
	if len(seen) != 60 {
		t.Errorf("60 products are %d", len(seen))
	}
	if rows := b.file("/products?TypeBien=Maison&q=Lyon+7", "Products"); len(rows) < 2 || len(rows) > 10 {
		t.Errorf("a filter leaves %d rows", len(rows))
	}
	b.get("/products?TypeBien=Terrain").is(200).saysNot("As CSV")
	b.get("/products?csv=2").is(404)
	names := b.file("/requests/readiness", "Deprecated names")
	if got := strings.Join(names[1], "|") + "\n" + strings.Join(names[2], "|"); !strings.Contains(got, "full|product.update|typeBien|3|2026-09-16") || !strings.Contains(got, "|'=cmd|") {
		t.Errorf("the file of deprecated names has\n%s", got)
	}
	w.signedIn(w.operator(operator.Privacy, 1)).get("/products?csv=1").is(403)
}

func TestTimesAreInTheZoneOfTheSite(t *testing.T) {
	w := threeSites(t)
	_, err := w.backoffice.ChangeSettings(t.Context(), w.root, backoffice.At[office.ChangeSettings]{Site: 1, In: office.ChangeSettings{Timezone: opt.Of("Pacific/Noumea")}})
	w.must(err)
	b := w.signedIn("claire@example.org")
	at := w.clock.Now().Add(-3 * time.Minute)
	noumea := at.In(w.zone("Pacific/Noumea"))
	b.get("/requests").is(200).says("Times: Pacific/Noumea", ">"+noumea.Format("15:04:05.000")+"<", noumea.Format("2 January 2006, 15:04:05.000"), at.UTC().Format("2006-01-02T15:04:05.000Z"))
	minute := "2006-01-02T15:04"
	b.get("/requests?from=" + noumea.Add(-time.Minute).Format(minute)).is(200).says("0192f1c2-")
	b.get("/requests?from=" + noumea.Add(time.Minute).Format(minute)).is(200).says("No requests are like that")
	b.get("/requests?from=" + strings.ReplaceAll(at.Add(time.Minute).UTC().Format(time.RFC3339), "+", "%2B")).is(200).says("No requests are like that")
	w.asked("b", 3, 400)
	b.get("/requests/traffic?period=quarter").is(200).says(noumea.Format("2 Jan")+" 00:00: ", "from="+noumea.Format("2006-01-02")+"T00%3A00")
	b.get("/webhooks?site=all").is(200).says("Times: UTC")
	b.get("/webhooks?site=2").is(200).says("Times: Europe/Paris")
}

func TestCriteriaOfAProductAreGroupedAsTheVocabularyHasThem(t *testing.T) {
	w := newWorld(t)
	network := apitest.Network().Sites[0]
	for i := range network.Criteria {
		switch network.Criteria[i].Key {
		case "Prix", "Surface":
			network.Criteria[i].Group = "Chiffres"
		case "Ville":
			network.Criteria[i].Group = "Où"
		}
	}
	_, err := w.site.Transfer.Provision(t.Context(), transfer.Setup{Sites: []transfer.SetupSite{network}})
	w.must(err)
	w.product("Prix", 250_000, "Surface", 90, "Ville", "Lyon", "TypeBien", "Maison")
	page := w.signedIn("claire@example.org").get("/products/1").is(200)
	at := 0
	for _, next := range []string{"<h2>Chiffres</h2>", "<dt>Surface</dt>", "<dt>Prix</dt>", "<h2>Où</h2>", "<dt>Ville</dt>", "<h2>Other criteria</h2>", "<dt>Type</dt>"} {
		i := strings.Index(page.text[at:], next)
		if i < 0 {
			t.Fatalf("%s does not follow:\n%s", next, page.text)
		}
		at += i
	}
}

func TestACommandThatIsCopiedAsksThisServer(t *testing.T) {
	w := newWorld(t)
	w.product("TypeBien", "Maison")
	b := w.signedIn("claire@example.org")
	b.get("/products/1").is(200).says(html.EscapeString(`curl -X GET 'https://crm.example.org/api/v2/site/products/1?fetch=`), html.EscapeString(`-H "Authorization: Bearer $TOKEN"`))
	b.get("/products").is(200).says(html.EscapeString(`curl -X POST 'https://crm.example.org/api/v2/site/products/search?fetch=category'`), html.EscapeString(`--data-raw '{"count":`))
}
