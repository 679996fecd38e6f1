package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// request is what an operation is first tried with, and what samples send.
type request struct {
	Method, Path string
	// Query and Header are the parameters that are sent, Media and Body what comes
	// with them; File is the name of the field that is a file.
	Query  url.Values
	Header map[string]string
	Media  string
	Body   string
	Form   []pair
	Needs  needs
}

// pair is a field of a form; File tells that it is a file.
type pair struct {
	Name, Value string
	File        bool
}

// requests makes requests of the examples of a document, and where it has none, of
// its schemas. Values that exist where it is shown win over those of examples.
type requests struct {
	*document
	// values are by the names of parameters and fields.
	values map[string]any
}

func (rs requests) first(o *operation) request {
	r := request{Method: o.Method, Path: o.Path, Query: url.Values{}, Header: map[string]string{}, Needs: o.needs()}
	for _, p := range o.Parameters {
		value := rs.parameter(p)
		switch {
		case p.In == "path":
			r.Path = strings.ReplaceAll(r.Path, "{"+p.Name+"}", url.PathEscape(value))
		case p.In == "query" && rs.isSent(p):
			r.Query.Set(p.Name, value)
		case p.In == "header" && rs.isSent(p):
			r.Header[p.Name] = value
		}
	}
	if o.RequestBody == nil {
		return r
	}
	var c content
	r.Media, c = best(o.RequestBody.Content)
	value := rs.exampleOf(c.Example, c.Examples)
	if value == nil {
		value = rs.body(c.Schema)
	} else {
		value = rs.here(c.Schema, value)
	}
	if r.Media == "application/json" {
		r.Body = indented(value)
		return r
	}
	r.Form = rs.form(c.Schema, value)
	return r
}

// isSent tells of a parameter that a first request has.
func (rs requests) isSent(p parameter) bool {
	_, exists := rs.values[p.Name]
	return p.Required || p.Example != nil || len(p.Examples) > 0 || exists && p.In == "query"
}

// parameter is what a parameter is first tried with.
func (rs requests) parameter(p parameter) string {
	value := rs.exampleOf(p.Example, p.Examples)
	if _, exists := rs.values[p.Name]; exists || value == nil {
		value = rs.named(p.Name, p.Schema, 0)
	}
	return text(value)
}

// here is an example with the values that exist where it is shown: its own may be of
// another site.
func (rs requests) here(s *schema, example any) any {
	record, ok := example.(map[string]any)
	if !ok {
		return example
	}
	record = maps.Clone(record)
	for name, property := range rs.resolve(s).Properties {
		_, sent := record[name]
		if _, exists := rs.values[name]; sent && exists {
			record[name] = rs.named(name, property, 0)
		}
	}
	return record
}

// text is a value as it stands in an address or a form.
func text(value any) string {
	if list, ok := value.([]any); ok {
		var words []string
		for _, one := range list {
			words = append(words, text(one))
		}
		return strings.Join(words, ",")
	}
	switch v := value.(type) {
	case nil:
		return ""
	case float64:
		out, _ := json.Marshal(v) // a number that was read can be written
		return string(out)
	}
	return fmt.Sprint(value)
}

// form are the fields of a form, those first that a first request fills in.
func (rs requests) form(s *schema, value any) []pair {
	given, _ := value.(map[string]any)
	var filled, empty []pair
	properties := rs.resolve(s).Properties
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p := pair{Name: name, File: rs.resolve(properties[name]).Format == "binary"}
		if p.Value = text(given[name]); p.Value != "" || p.File {
			filled = append(filled, p)
		} else {
			empty = append(empty, p)
		}
	}
	return append(filled, empty...)
}

// body is as little as a schema asks for, and the fields of which a value exists.
func (rs requests) body(s *schema) any {
	value := rs.value(s, 0)
	record, ok := value.(map[string]any)
	for name, property := range rs.resolve(s).Properties {
		if _, exists := rs.values[name]; ok && exists {
			record[name] = rs.named(name, property, 0)
		}
	}
	return value
}

// maxDepth bounds schemas that contain themselves.
const maxDepth = 6

// named is the value of something that has a name.
func (rs requests) named(name string, s *schema, depth int) any {
	switch value := rs.values[name].(type) {
	case nil:
		return rs.value(s, depth)
	case time.Time:
		if rs.simple(s).Format == "date" {
			return value.Format(time.DateOnly)
		}
		return value.Format(time.RFC3339)
	default:
		return value
	}
}

// value makes a value of a schema: an example of it, or as little as it asks for.
func (rs requests) value(s *schema, depth int) any {
	s = rs.resolve(s)
	switch {
	case s.Example != nil:
		return s.Example
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Const != nil:
		return s.Const
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case depth > maxDepth:
		return nil
	}
	for _, choices := range [][]*schema{s.OneOf, s.AnyOf} {
		if len(choices) > 0 && len(s.Properties) == 0 {
			return rs.value(choices[0], depth+1)
		}
	}
	return rs.ofType(s, depth)
}

func (rs requests) ofType(s *schema, depth int) any {
	kind := ""
	if len(s.Type) > 0 {
		kind = s.Type[0]
	}
	switch kind {
	case "string":
		return word(s.Format)
	case "integer", "number":
		if s.Minimum != nil && *s.Minimum > 1 {
			return *s.Minimum
		}
		if s.Maximum != nil && *s.Maximum < 1 {
			return *s.Maximum
		}
		return 1
	case "boolean":
		return true
	case "array":
		if s.Items == nil || s.MinItems == nil || *s.MinItems == 0 {
			return []any{}
		}
		return []any{rs.value(s.Items, depth+1)}
	}
	if kind == "null" {
		return nil
	}
	return rs.record(s, depth)
}

// record is an object of the fields that a schema requires, and of those without
// which there would be none of a group.
func (rs requests) record(s *schema, depth int) map[string]any {
	record := map[string]any{}
	for _, part := range s.AllOf {
		if inner, ok := rs.value(part, depth+1).(map[string]any); ok {
			maps.Copy(record, inner)
		}
		for _, group := range [][]*schema{part.OneOf, part.AnyOf} {
			if len(group) > 0 {
				rs.require(record, s, group[0].Required, depth)
			}
		}
	}
	rs.require(record, s, s.Required, depth)
	return record
}

func (rs requests) require(record map[string]any, s *schema, names []string, depth int) {
	for _, name := range names {
		if property, there := s.Properties[name]; there {
			record[name] = rs.named(name, property, depth+1)
		}
	}
}

// word is a text of a format.
func word(format string) string {
	switch format {
	case "date":
		return "2026-09-16"
	case "date-time":
		return "2026-09-16T10:00:00Z"
	case "uuid":
		return "00000000-0000-4000-8000-000000000000"
	case "uri":
		return "https://example.org/hook"
	case "email":
		return "someone@example.org"
	}
	return "text"
}

// indented is a value as people read JSON.
func indented(value any) string {
	var out bytes.Buffer
	w := json.NewEncoder(&out)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	if err := w.Encode(value); err != nil {
		return ""
	}
	return strings.TrimSpace(out.String())
}
