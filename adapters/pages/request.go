package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// request is what an operation is first tried with, and what samples send.
type request struct {
	Method, Path string
	// inPath are the parameters in the path; Query and Header are the others that are
	// sent. Media and Body are what comes with them, or Form.
	inPath map[string]string
	Query  url.Values
	Header map[string]string
	Media  string
	Body   string
	Form   []pair
	Needs  needs
}

// value returns that of a parameter, empty where it is not sent.
func (r request) value(p parameter) string {
	switch p.In {
	case "path":
		return r.inPath[p.Name]
	case "query":
		return r.Query.Get(p.Name)
	}
	return r.Header[p.Name]
}

// pair is a field of a form; File reports that it is a file.
type pair struct {
	Name, Value string
	File        bool
}

func (rs requests) first(o *operation) request {
	r := request{Method: o.Method, Path: o.Path, inPath: map[string]string{}, Query: url.Values{}, Header: map[string]string{}, Needs: o.needs()}
	g, isGiven := rs.demo[o.ID]
	if isGiven {
		r.inPath, r.Query = g.inPath, g.query
	} else {
		rs.fill(r, o.Parameters)
	}
	for name, value := range r.inPath {
		r.Path = strings.ReplaceAll(r.Path, "{"+name+"}", url.PathEscape(value))
	}
	if o.RequestBody != nil {
		rs.addBody(&r, *o.RequestBody, g.body)
	}
	return r
}

// fill gives the parameters that have to be sent, and those with examples, their values.
func (rs requests) fill(r request, parameters []parameter) {
	for _, p := range parameters {
		value := rs.exampleOf(p.Example, p.Examples)
		if !p.Required && value == nil {
			continue
		}
		if value == nil {
			value = rs.value(p.Schema, 0)
		}
		switch p.In {
		case "path":
			r.inPath[p.Name] = text(value)
		case "query":
			r.Query.Set(p.Name, text(value))
		case "header":
			r.Header[p.Name] = text(value)
		}
	}
}

// addBody adds the body that is given, or an example, or as little as is asked for.
func (rs requests) addBody(r *request, b body, given string) {
	var c content
	r.Media, c = best(b.Content)
	value := rs.exampleOf(c.Example, c.Examples)
	if given != "" {
		value = json.RawMessage(given)
	}
	if value == nil {
		value = rs.value(c.Schema, 0)
	}
	if r.Media == "application/json" {
		r.Body = indented(value)
		return
	}
	r.Form = rs.form(c.Schema, value)
}

// text returns a value as it stands in an address or a form.
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

// form returns the fields of a form, those first that a first request fills in.
func (rs requests) form(s *schema, value any) []pair {
	given, _ := value.(map[string]any)
	if raw, ok := value.(json.RawMessage); ok {
		_ = json.Unmarshal(raw, &given) // what is no record fills in nothing
	}
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

// maxDepth bounds schemas that contain themselves.
const maxDepth = 6

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

// record returns an object of the fields that a schema requires, and of those without
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
			record[name] = rs.value(property, depth+1)
		}
	}
}

// word returns a text of a format.
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

// indented returns a value as people read JSON.
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
