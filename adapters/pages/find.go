package pages

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// finder finds operations.
type finder struct {
	// fields are the names of what operations send and answer, by their ids.
	fields map[string][]string
}

func newFinder(d *document, operations []*operation) finder {
	f := finder{map[string][]string{}}
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
		f.fields[o.ID] = slices.Sorted(maps.Keys(names))
	}
	return f
}

func gather(names map[string]bool, fields []field) {
	for _, f := range fields {
		names[f.Name] = true
		gather(names, f.Fields)
	}
}

// index is what the script of the pages finds operations by.
func (f finder) index() ([]byte, error) { return json.Marshal(f.fields) }

// found reports whether an operation has each word of what is looked for in its id,
// method, path, summary or tag, or in the name of a field. field is the first that
// has a word which is nowhere else.
func (f finder) found(o *operation, query string) (field string, ok bool) {
	said := strings.ToLower(strings.Join([]string{o.ID, o.Method, o.Path, o.Summary, o.Tag()}, " "))
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if strings.Contains(said, word) {
			continue
		}
		i := slices.IndexFunc(f.fields[o.ID], func(name string) bool { return strings.Contains(strings.ToLower(name), word) })
		if i < 0 {
			return "", false
		}
		if field == "" {
			field = f.fields[o.ID][i]
		}
	}
	return field, true
}
