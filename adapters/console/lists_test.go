package console_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
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

func TestAListIsSortedByAColumnWithThePagesThatContinueIt(t *testing.T) {
	w := newWorld(t)
	for i := range 60 {
		w.product("TypeBien", "Maison", "Ville", fmt.Sprintf("Lyon %d", i), "Prix", 250_000+(i*37)%60)
	}
	b := w.signedIn("claire@example.org")
	prices := func(page shown) (all []string) {
		for _, price := range regexp.MustCompile(`class="number">250,0(\d\d)`).FindAllStringSubmatch(page.text, -1) {
			all = append(all, price[1])
		}
		return all
	}
	first := b.get("/products?TypeBien=Maison").is(200).says("Next page", `href="/console/products?TypeBien=Maison&amp;site=1&amp;sort=-1.4" class="sort"`)
	if got := prices(first); len(got) != 50 || slices.IsSorted(got) {
		t.Fatalf("%v", got)
	}
	down := b.get("/products?TypeBien=Maison&skip=50&sort=-1.4").is(200).saysNot("Next page")
	for i, price := range prices(b.get("/products?TypeBien=Maison&sort=1.4").is(200).says(`aria-sort="ascending"`, "sort=-1.4").saysNot("Next page")) {
		if price != fmt.Sprintf("%02d", i) {
			t.Fatalf("row %d has the price 250,0%s", i, price)
		}
	}
	if got := prices(down); len(got) != 10 || got[0] < got[9] {
		t.Errorf("what a page and those behind it have is %v", got)
	}
	if next := regexp.MustCompile(`rel="next"[^>]*|[^<]*rel="next"`).FindString(first.text); !strings.Contains(next, "skip=50") {
		t.Fatalf("the next page is %q", next)
	}
	// A file that is asked for on a later page is of the whole list all the same.
	if rows := b.file("/products?TypeBien=Maison&skip=50", "Products"); len(rows) != 61 {
		t.Errorf("60 products are %d rows", len(rows))
	}
	b.get("/products?TypeBien=Maison&sort=9.9").is(200).says("Next page").saysNot("aria-sort")
	// How a list is sorted narrows nothing.
	b.get("/products?sort=1.4").is(200).says("aria-sort").saysNot(">Clear<")
	b.get("/products?TypeBien=Maison").is(200).says(">Clear<")
}

func TestAListThatIsSortedSaysNoOtherOrder(t *testing.T) {
	w := newWorld(t)
	w.product("Ville", "Lyon")
	w.product("Ville", "Nice")
	w.asked("a", 2, 200)
	b := w.signedIn("claire@example.org")
	for page, order := range map[string]string{"/products?": "the last changed first", "/requests?": "latest first", "/events?": "latest first"} {
		b.get(page).is(200).says(order)
		b.get(page + "sort=1.1").is(200).saysNot(order)
	}
}

func TestOfAListThatIsLongTheFirstRowsAreSorted(t *testing.T) {
	w := newWorld(t)
	var rows []trace.Request
	for i := range 1_050 {
		rows = append(rows, trace.Request{ID: fmt.Sprintf("row-%d", i), Site: 1, At: w.clock.Now().Add(-time.Duration(i) * time.Second), Operation: "product.get", Status: 200 + i%7, OneIn: 1})
	}
	w.must(w.requests.Add(t.Context(), rows))
	b := w.signedIn("claire@example.org")
	page := b.get("/requests?operation=product.get&sort=-1.3").is(200).says("Only the first 1,000 rows are sorted").saysNot("Older requests", "data-live", "row-1000<")
	if n := strings.Count(page.text, `id="request-row-`); n != 1_000 {
		t.Errorf("%d rows", n)
	}
	b.get("/requests?operation=product.get").is(200).says("data-live", "Older requests")
}

func TestListsOfAFormAreSortedAndHandedOutWithoutItsWordsInAnAddress(t *testing.T) {
	w := newWorld(t)
	for n := range 51 {
		in := people.CreateCustomer{Change: customer.Change{Type: opt.Of("VENDEUR"), AgencyID: opt.Of(int64(11)), Lastname: opt.Of(fmt.Sprintf("Martin %02d", n*7%51))}}
		_, err := w.site.People.CreateCustomer(w.Context(), w.full(), in)
		w.must(err)
	}
	b := w.signedIn("claire@example.org")
	b.post("/people?site=1", "keyword", "martin").is(200).isAt("/people?site=1").says(
		`<form id="again" method="post" action="/console/people?site=1"><input type="hidden" name="keyword" value="martin">`,
		`<button class="plain" name="csv" value="1">Customers</button>`, `<button form="again" name="sort" value="1.1" class="sort">Name</button>`,
	)
	// The list of all, before something is searched for, goes on in the same way, and is sorted by no address.
	b.get("/people?sort=1.1").is(200).says(`<form id="again" method="post" action="/console/people?site=1">`, "Next page", `<button form="again" name="sort"`).saysNot("aria-sort")
	names := regexp.MustCompile(`Martin (\d\d)</a>`).FindAllStringSubmatch(b.post("/people?site=1", "keyword", "martin", "sort", "1.1").is(200).isAt("/people?site=1").saysNot("Next page").text, -1)
	if len(names) != 51 || names[0][1] != "00" || names[50][1] != "50" {
		t.Errorf("%v", names)
	}
	file := b.post("/people?site=1", "keyword", "martin", "csv", "1").is(200)
	if rows, err := csv.NewReader(strings.NewReader(file.text)).ReadAll(); err != nil || len(rows) != 52 || rows[0][0] != "Name" {
		t.Errorf("%v, %d rows: %v", err, len(rows), rows[:min(2, len(rows))])
	}
	b.post("/people?site=1", "phone", "1", "csv", "1").is(422).says(`id="field-phone-wrong"`)
	w.signedIn(w.operator(operator.Reader, 1)).post("/people?site=1", "csv", "1").is(403)
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
