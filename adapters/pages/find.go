package pages

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// finder finds the entries of lists by what is known of them, by their ids.
type finder map[string]known

// known is what an entry is found by: what it says of itself, folded, and the names of the
// fields that an operation is sent and answers.
type known struct {
	Said   string   `json:"said"`
	Fields []string `json:"fields"`
}

func newFinder(d *document, operations []*operation, guides []*guide, of map[string][]reading) finder {
	f := finder{}
	for _, o := range operations {
		said := []string{o.ID, o.Method, o.Path, o.Summary, o.Tag(), o.Description}
		for _, r := range of[o.ID] {
			said = append(said, r.Guide.Title, r.Section.Title)
		}
		f[o.ID] = known{wordsOf(strings.Join(said, " ")), d.fieldNames(o)}
	}
	for _, g := range guides {
		for _, s := range g.Sections {
			f[g.idOf(s)] = known{Said: wordsOf(g.Title + " " + s.text)}
		}
	}
	return f
}

// fieldNames returns the names of the parameters, and of the fields of the body and of the answer.
func (d *document) fieldNames(o *operation) []string {
	names := map[string]bool{}
	for _, p := range o.Parameters {
		names[p.Name] = true
	}
	if o.RequestBody != nil {
		_, c := best(o.RequestBody.Content)
		gather(names, d.fields(c.Schema, nil))
	}
	_, answer := o.succeeds()
	for name := range d.response(answer).Headers {
		names[name] = true
	}
	_, c := best(d.response(answer).Content)
	gather(names, d.fields(c.Schema, nil))
	return slices.Sorted(maps.Keys(names))
}

func gather(names map[string]bool, fields []field) {
	for _, f := range fields {
		names[f.Name] = true
		gather(names, f.Fields)
	}
}

// wordsOf returns the words of a text, folded, each once.
func wordsOf(text string) string {
	var once []string
	seen := map[string]bool{}
	for word := range strings.FieldsSeq(folded(text)) {
		if !seen[word] {
			once = append(once, word)
		}
		seen[word] = true
	}
	return strings.Join(once, " ")
}

// folded returns a text in small letters without accents.
func folded(text string) string {
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn))), strings.ToLower(text))
	if err != nil {
		return strings.ToLower(text)
	}
	return plain
}

// index returns what the script of the pages finds entries by.
func (f finder) index() ([]byte, error) { return json.Marshal(f) }

// found reports whether each word of what is looked for is in what an entry says
// of itself, or in the name of a field. field is the first that has a word which is
// nowhere else.
func (f finder) found(id, query string) (field string, ok bool) {
	of := f[id]
	for word := range strings.FieldsSeq(folded(query)) {
		if strings.Contains(of.Said, word) {
			continue
		}
		i := slices.IndexFunc(of.Fields, func(name string) bool { return strings.Contains(strings.ToLower(name), word) })
		if i < 0 {
			return "", false
		}
		if field == "" {
			field = of.Fields[i]
		}
	}
	return field, true
}
