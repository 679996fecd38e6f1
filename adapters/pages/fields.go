package pages

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// field is one of a record, or of a parameter, as it is shown.
type field struct {
	Name, Type, Description string
	// ID is that of the field in the page: where it is, and its name.
	ID                   string
	Required, Deprecated bool
	// Answered fields are read: the required ones are always there.
	Answered bool
	// Values are the only ones, where there are few.
	Values []string
	// Of names the record that the field is made of, Fields are those of it.
	Of     string
	Fields []field
}

// fields returns those of a schema, the required ones first. within are the records
// that contain it, which are not told again.
func (d *document) fields(s *schema, within []string) []field {
	if s != nil && s.Ref != "" {
		name := last(s.Ref)
		if slices.Contains(within, name) {
			return nil
		}
		within = append(slices.Clone(within), name)
	}
	s = d.resolve(s)
	var found []field
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		f := d.field(name, s.Properties[name], within)
		f.Required = slices.Contains(s.Required, name)
		found = append(found, f)
	}
	for _, parts := range [][]*schema{s.AllOf, s.OneOf, s.AnyOf} {
		for _, part := range parts {
			found = merged(found, d.fields(part, within))
		}
	}
	if s.Items != nil {
		found = merged(found, d.fields(s.Items, within))
	}
	if s.More.schema != nil {
		found = merged(found, d.fields(s.More.schema, within))
	}
	slices.SortStableFunc(found, func(a, b field) int {
		if a.Required == b.Required {
			return strings.Compare(a.Name, b.Name)
		}
		if a.Required {
			return -1
		}
		return 1
	})
	return found
}

// answered returns the fields of an answer.
func answered(fields []field) []field {
	for i := range fields {
		fields[i].Answered = true
		answered(fields[i].Fields)
	}
	return fields
}

// placed gives fields their ids, below that of what they are in.
func placed(fields []field, in string) []field {
	for i, f := range fields {
		fields[i].ID = in + "." + f.Name
		placed(f.Fields, fields[i].ID)
	}
	return fields
}

// merged adds fields that are not there yet.
func merged(all, more []field) []field {
	for _, f := range more {
		if !slices.ContainsFunc(all, func(other field) bool { return other.Name == f.Name }) {
			all = append(all, f)
		}
	}
	return all
}

func (d *document) field(name string, s *schema, within []string) field {
	whole := d.resolve(s)
	f := field{Name: name, Type: d.typeOf(s), Description: whole.Description, Deprecated: whole.Deprecated, Of: d.record(s), Fields: d.fields(s, within)}
	if s != nil && s.Description != "" {
		f.Description = s.Description
	}
	values := d.simple(s).Enum
	if items := d.simple(s).Items; len(values) == 0 && items != nil {
		values = d.resolve(items).Enum
	}
	for _, v := range values {
		if v != nil {
			f.Values = append(f.Values, text(v))
		}
	}
	return f
}

// simple returns a schema without the choice of null.
func (d *document) simple(s *schema) *schema {
	s = d.resolve(s)
	for _, choices := range [][]*schema{s.AnyOf, s.OneOf} {
		for _, choice := range choices {
			if choice = d.resolve(choice); !slices.Equal(choice.Type, types{"null"}) && len(s.Properties) == 0 {
				return choice
			}
		}
	}
	return s
}

// record returns the name of the record that a value is made of, if it has one.
func (d *document) record(s *schema) string {
	if s == nil {
		return ""
	}
	if s.Ref != "" {
		return last(s.Ref)
	}
	for _, inner := range slices.Concat([]*schema{s.Items}, s.AnyOf, s.OneOf) {
		if name := d.record(inner); name != "" {
			return name
		}
	}
	return ""
}

// typeOf says in words what a value is.
func (d *document) typeOf(s *schema) string {
	if s == nil {
		return "any"
	}
	if s.Ref != "" {
		if whole := d.resolve(s); len(whole.Properties) == 0 {
			return d.typeOf(whole)
		}
		return last(s.Ref)
	}
	var words []string
	for _, kind := range s.Type {
		switch {
		case kind == "array" && s.Items != nil:
			words = append(words, "list of "+d.typeOf(s.Items))
		case kind == "string" && s.Format != "":
			words = append(words, s.Format)
		default:
			words = append(words, kind)
		}
	}
	for _, choices := range [][]*schema{s.AnyOf, s.OneOf} {
		for _, choice := range choices {
			if word := d.typeOf(choice); len(choice.Required) == 0 && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	if len(words) == 0 {
		return "any"
	}
	return strings.Join(words, " or ") + bounds(s)
}

// bounds returns how large a value may be.
func bounds(s *schema) string {
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf(", %v to %v", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf(", from %v", *s.Minimum)
	case s.Maximum != nil:
		return fmt.Sprintf(", to %v", *s.Maximum)
	case s.MaxLength != nil:
		return fmt.Sprintf(", at most %d characters", *s.MaxLength)
	case s.MaxItems != nil:
		return fmt.Sprintf(", at most %d", *s.MaxItems)
	}
	return ""
}

// parameters returns those of an operation as fields.
func (d *document) parameters(o *operation, in string) []field {
	var found []field
	for _, p := range o.Parameters {
		if p.In != in {
			continue
		}
		f := d.field(p.Name, p.Schema, nil)
		f.Required = p.Required
		if p.Description != "" {
			f.Description = p.Description
		}
		found = append(found, f)
	}
	return placed(found, in)
}
