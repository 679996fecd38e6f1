package kit

import (
	"html/template"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/phrases"
)

// Only words of the console are shown in another language: what people wrote stays, even where
// it reads the same.
func TestValuesThatAreTextsAreShownInTheLanguage(t *testing.T) {
	french := Language{words: map[Text]Text{"never": "jamais", "<b>": "<i>"}}
	page := template.Must(template.New("x").Funcs(template.FuncMap{shownBy: french.shown}).Parse(
		`{{.Said}} {{.Wrote}} {{range .All}}{{.}}{{else}}-{{end}} {{with .Said}}{{.}}{{end}} <a title="{{.Said}}" href="{{.Href}}">{{$x := .Said}}{{$x}}</a>{{template "y" .}}{{define "y"}}{{if .Said}} {{.Said}}{{end}}{{end}}`))
	phrases.ShowBy(page, shownBy)
	var drawn strings.Builder
	if err := page.Execute(&drawn, struct {
		Said        Text
		Wrote, Href string
		All         []Text
	}{"never", "never", "/x?a=b&c", []Text{"<b>", "other"}}); err != nil {
		t.Fatal(err)
	}
	want := `jamais never &lt;i&gt;other jamais <a title="jamais" href="/x?a=b&amp;c">jamais</a> jamais`
	if drawn.String() != want {
		t.Errorf("%s\nwant %s", drawn.String(), want)
	}
}

func TestNumbersAndDatesAreWrittenAsInTheLanguage(t *testing.T) {
	english, french := Language{}, Language{API: 1, words: map[Text]Text{"request": "requête", "requests": "requêtes"}}
	n := -1234567.5
	for got, want := range map[string]string{
		english.Count(1234567): "1,234,567", french.Count(1234567): "1\u202f234\u202f567", french.Amount(&n, "€"): "-1\u202f234\u202f567,5 €",
		english.Counted(0, "request", "requests"): "0 requests", french.Counted(0, "request", "requests"): "0 requête",
		french.Counted(1, "request", "requests"): "1 requête", french.Counted(2, "request", "requests"): "2 requêtes",
		french.Percent(1, 3): "33,3", english.Percent(1, 3): "33.3",
		french.Say("%s", Text("request")): "requête", french.Say("%s", "request"): "request",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
