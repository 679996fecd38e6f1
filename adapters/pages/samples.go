package pages

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

//go:embed samples.tmpl
var sampleSources string

// languages are those of samples.
var languages = []struct{ id, name string }{{"curl", "curl"}, {"php", "PHP"}, {"js", "JavaScript"}, {"go", "Go"}}

// sample is a request in a language.
type sample struct{ ID, Language, Text string }

// sampler writes requests to a server.
type sampler struct {
	origin string
	// client is whom samples speak for where they need a secret.
	client    Client
	templates *template.Template
}

func newSampler(origin string, client Client) (sampler, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"shell": shellQuoted, "php": phpQuoted, "js": jsQuoted, "go": goQuoted, "indent": indentedBy,
	}).Parse(sampleSources)
	return sampler{origin, client, t}, err
}

// sampled is what the templates of samples have.
type sampled struct {
	request
	URL            string
	ID, Secret     string
	Headers        []pair
	Fields, Values []pair
}

func (s sampler) samples(r request) ([]sample, error) {
	data := sampled{request: r, URL: s.origin + r.Path, ID: s.client.ID, Secret: s.client.Secret}
	if len(r.Query) > 0 {
		data.URL += "?" + strings.ReplaceAll(r.Query.Encode(), "%2C", ",")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		data.Headers = append(data.Headers, pair{Name: name, Value: r.Header[name]})
	}
	if r.Body != "" {
		data.Headers = append(data.Headers, pair{Name: "Content-Type", Value: r.Media})
	}
	for _, p := range r.Form {
		if p.File {
			data.Fields = append(data.Fields, p)
		} else if p.Value != "" {
			data.Values = append(data.Values, p)
		}
	}
	var all []sample
	for _, l := range languages {
		var out strings.Builder
		if err := s.templates.ExecuteTemplate(&out, l.id, data); err != nil {
			return nil, err
		}
		all = append(all, sample{l.id, l.name, strings.TrimSpace(out.String())})
	}
	return all, nil
}

func shellQuoted(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func phpQuoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

func jsQuoted(text string) (string, error) {
	out, err := json.Marshal(text)
	return string(out), err
}

func goQuoted(text string) string {
	if strings.Contains(text, "\n") && strconv.CanBackquote(strings.ReplaceAll(text, "\n", "")) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// indentedBy moves all lines but the first to the right.
func indentedBy(by, text string) string { return strings.ReplaceAll(text, "\n", "\n"+by) }
