package pages

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// finder finds operations by what is known of them, by their ids.
type finder map[string]known

// known is what an operation is found by: what it says of itself, in small letters,
// and the names of the fields that it sends and answers.
type known struct {
	Said   string   `json:"said"`
	Fields []string `json:"fields"`
}

func newFinder(d *document, operations []*operation) finder {
	f := finder{}
	for _, o := range operations {
		names := map[string]bool{}
		for _, p := range o.Parameters {
			names[p.Name] = true
		}
		if o.RequestBody != nil {
			_, c := best(o.RequestBody.Content)
			gather(names, d.fields(c.Schema, nil))
		}
		_, answer := o.succeeds()
		_, c := best(d.response(answer).Content)
		gather(names, d.fields(c.Schema, nil))
		said := strings.Join([]string{o.ID, o.Method, o.Path, o.Summary, o.Tag()}, " ")
		f[o.ID] = known{strings.ToLower(said), slices.Sorted(maps.Keys(names))}
	}
	return f
}

func gather(names map[string]bool, fields []field) {
	for _, f := range fields {
		names[f.Name] = true
		gather(names, f.Fields)
	}
}

// index returns what the script of the pages finds operations by.
func (f finder) index() ([]byte, error) { return json.Marshal(f) }

// found reports whether each word of what is looked for is in what an operation says
// of itself, or in the name of a field. field is the first that has a word which is
// nowhere else.
func (f finder) found(o *operation, query string) (field string, ok bool) {
	of := f[o.ID]
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
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
