package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// document is what pages show of an OpenAPI 3.1 document.
type document struct {
	Info info
	Tags []struct{ Name, Description string }
	// Paths and Webhooks have an item for each path, or name, which has an
	// operation for each method, and other members.
	Paths, Webhooks map[string]map[string]json.RawMessage
	Components      struct {
		Schemas    map[string]*schema
		Parameters map[string]parameter
		Responses  map[string]response
		Examples   map[string]example
	}
}

type info struct{ Title, Description, Version string }

// operation is one of a document.
type operation struct {
	ID          string `json:"operationId"`
	Summary     string
	Description string
	Tags        []string
	Parameters  []parameter
	RequestBody *body
	Responses   map[string]response
	Security    []map[string][]string
	// Pages says how all pages of the answer are read; nil where there is one.
	Pages *struct{ In, Cursor, Next, Item string } `json:"x-pages"`

	Method, Path string `json:"-"`
	// Sent operations are those of webhooks: the server calls its clients.
	Sent bool `json:"-"`
}

type parameter struct {
	Ref         string `json:"$ref"`
	Name, In    string
	Description string
	Required    bool
	Schema      *schema
	Example     any
	Examples    map[string]example
}

type body struct {
	Required bool
	Content  map[string]content
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Headers     map[string]struct{}
	Content     map[string]content
}

// content is a body in a media type.
type content struct {
	Schema   *schema
	Example  any
	Examples map[string]example
}

type example struct {
	Ref     string `json:"$ref"`
	Summary string
	Value   any
}

// schema is what pages show of a schema.
type schema struct {
	Ref                string `json:"$ref"`
	Type               types
	Format             string
	Description        string
	Properties         map[string]*schema
	Required           []string
	Items              *schema
	More               moreProperties `json:"additionalProperties"`
	OneOf, AnyOf       []*schema
	AllOf              []*schema
	Enum               []any
	Const              any
	Default            any
	Example            any
	Examples           []any
	Minimum, Maximum   *float64
	MaxLength          *int
	MaxItems, MinItems *int
	Deprecated         bool
}

// types are the types a value may have: one, or several in a list.
type types []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *types) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		*t = types{""}
		return json.Unmarshal(text, &(*t)[0])
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// moreProperties is the schema of properties that have no names of their own, where
// there is one; the word may also be true or false.
type moreProperties struct{ *schema }

// UnmarshalJSON implements json.Unmarshaler.
func (m *moreProperties) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return nil
	}
	return json.Unmarshal(text, &m.schema)
}

// methods are those of operations, in the order in which they are shown.
var methods = []string{"get", "post", "put", "patch", "delete"}

// readDocument reads a document and its operations, which it puts into the order of
// tags, paths and methods.
func readDocument(text []byte) (*document, []*operation, error) {
	d := &document{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, nil, fmt.Errorf("reading the OpenAPI document: %w", err)
	}
	called, err := d.operations(d.Paths, false)
	if err != nil {
		return nil, nil, err
	}
	sent, err := d.operations(d.Webhooks, true)
	return d, append(called, sent...), err
}

func (d *document) operations(items map[string]map[string]json.RawMessage, sent bool) ([]*operation, error) {
	var all []*operation
	for _, path := range slices.Sorted(maps.Keys(items)) {
		for _, method := range methods {
			text, there := items[path][method]
			if !there {
				continue
			}
			o := &operation{Method: strings.ToUpper(method), Path: path, Sent: sent}
			if err := json.Unmarshal(text, o); err != nil {
				return nil, fmt.Errorf("reading %s %s: %w", method, path, err)
			}
			o.ID = cmp.Or(o.ID, path)
			for i, p := range o.Parameters {
				if p.Ref != "" {
					o.Parameters[i] = d.Components.Parameters[last(p.Ref)]
				}
			}
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b *operation) int { return d.tagIndex(a) - d.tagIndex(b) })
	return all, nil
}

// tagIndex returns the place of an operation's tag among those of the document.
func (d *document) tagIndex(o *operation) int {
	for i, t := range d.Tags {
		if t.Name == o.Tag() {
			return i
		}
	}
	return len(d.Tags)
}

func (d *document) tagDescription(o *operation) string {
	if i := d.tagIndex(o); i < len(d.Tags) {
		return d.Tags[i].Description
	}
	return ""
}

// Tag returns the first tag of an operation.
func (o *operation) Tag() string {
	if len(o.Tags) > 0 {
		return o.Tags[0]
	}
	if o.Sent {
		return "Webhooks sent"
	}
	return "Others"
}

// succeeds returns the answer that means success.
func (o *operation) succeeds() (status string, r response) {
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		if strings.HasPrefix(status, "2") {
			return status, o.Responses[status]
		}
	}
	return "", response{}
}

// needs is how a caller says who it is.
type needs string

const (
	needsNothing needs = ""
	needsToken   needs = "token"
	needsSecret  needs = "secret"
)

func (o *operation) needs() needs {
	for _, way := range o.Security {
		if _, secret := way["basicAuth"]; secret {
			return needsSecret
		}
		if len(way) > 0 {
			return needsToken
		}
	}
	return needsNothing
}

// mediaTypes are those that pages know to send, the best first.
var mediaTypes = []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data"}

// best returns the content in the media type that pages show.
func best(contents map[string]content) (string, content) {
	for _, media := range append(mediaTypes, slices.Sorted(maps.Keys(contents))...) {
		if c, there := contents[media]; there {
			return media, c
		}
	}
	return "", content{}
}

// resolve follows references to the schema that says something.
func (d *document) resolve(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[last(s.Ref)]
	}
	if s == nil {
		return &schema{}
	}
	return s
}

func (d *document) response(r response) response {
	if r.Ref != "" {
		return d.Components.Responses[last(r.Ref)]
	}
	return r
}

// exampleOf returns an example of a parameter or a body that the document gives.
func (d *document) exampleOf(one any, several map[string]example) any {
	if one != nil {
		return one
	}
	if len(several) == 0 {
		return nil
	}
	e := several[slices.Min(slices.Collect(maps.Keys(several)))]
	if e.Ref != "" {
		e = d.Components.Examples[last(e.Ref)]
	}
	return e.Value
}

// last returns the name that a reference ends with.
func last(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
