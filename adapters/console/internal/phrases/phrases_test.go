package phrases_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/phrases"
)

func TestPhrasesOfTemplatesAreTranslated(t *testing.T) {
	known := map[string]string{
		"Webhooks": "Webhooks (fr)", "It was suspended {{template \"time\" .}}.": "Suspendu {{template \"time\" .}}.",
		"Use <code>x</code> now": "Utilisez <code>x</code>", "Go": "Aller", "Search {{.Name}}": "Chercher {{.Name}}", "{{.N}} of {{.All}} rows": "{{.N}} lignes sur {{.All}}",
	}
	for english, want := range map[string]string{
		`<h1 class="a">Webhooks</h1>`:                                                            `<h1 class="a">Webhooks (fr)</h1>`,
		`{{with .Since}} It was suspended {{template "time" .}}.{{end}}`:                         `{{with .Since}} Suspendu {{template "time" .}}.{{end}}`,
		`<p>Use <code>x</code> now</p>`:                                                          `<p>Utilisez <code>x</code></p>`,
		`<a href="{{.Href}}"{{if .Current}} aria-current="true"{{end}}>Go</a>`:                   `<a href="{{.Href}}"{{if .Current}} aria-current="true"{{end}}>Aller</a>`,
		`<input placeholder="Search {{.Name}}" name="Go">`:                                       `<input placeholder="Chercher {{.Name}}" name="Go">`,
		`<p>{{.N}} of {{.All}} rows</p>`:                                                         `<p>{{.N}} lignes sur {{.All}}</p>`,
		`<p>{{.ID}} · {{.Name}}</p>`:                                                             `<p>{{.ID}} · {{.Name}}</p>`,
		`<meta content='{"a":"b","c":false}'><p>{{template "state" .State}}</p>`:                 `<meta content='{"a":"b","c":false}'><p>{{template "state" .State}}</p>`,
		"{{define \"x\"}}Go{{if .A}}Go{{else}} Webhooks\n{{end}}{{template \"empty\" .}}{{end}}": "{{define \"x\"}}Aller{{if .A}}Aller{{else}} Webhooks (fr)\n{{end}}{{template \"empty\" .}}{{end}}",
	} {
		got := phrases.Translated(english, func(phrase string) (string, bool) {
			if known[phrase] == "" {
				t.Errorf("%q is not known", phrase)
			}
			return known[phrase], true
		})
		if got != want {
			t.Errorf("%s\nis %s\nwant %s", english, got, want)
		}
	}
	var missing []string
	same := `<p title="Nobody said this">Nor this</p>`
	got := phrases.Translated(same, func(phrase string) (string, bool) {
		missing = append(missing, phrase)
		return "", false
	})
	if strings.Join(missing, "|") != "Nobody said this|Nor this" || got != same {
		t.Errorf("%q are missing, and %s", missing, got)
	}
}
