package trace

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// Plan says which values of a request or an answer may be kept, by the type of their
// field. It is a list of what is allowed: whatever a plan does not know it hides, and
// so does the nil Plan.
//
// Kept are numbers and booleans, where the field is one; words of an enum; values of
// criteria that are neither private nor TEXT, as far as they are what the criterion
// can be; and fields with the tag `trace:"keep"`, which is for what the server itself
// says. With the tag `trace:"hide"` nothing is. A value that is not what its field takes is hidden, because it may have been
// meant for another one.
type Plan struct {
	numbers, booleans, all bool
	// dates and names: a text is a date, or names a criterion; such texts are not kept, but a
	// refused one may be shown. free: any number or boolean is taken, hidden: nothing is ever
	// shown.
	dates, names, free, hidden bool
	// words are those of an enum.
	words []string
	// definition is that of the criterion whose value it is.
	definition *criteria.Definition
	// customers: the numbers are ids of customers.
	customers bool
	// fields are those of an object, by their names and aliases.
	fields map[string]*Plan
	// criterion: the object has the id of a criterion, which says how its value is
	// shown.
	criterion bool
	// known are the fields of an object about a criterion that is known, and go before those
	// of the same names.
	known *criterionFields
	item  *Plan
}

// criterionFields are the fields of an object about a criterion; value is nil where it has none.
type criterionFields struct{ id, value *Plan }

// shown is the plan of what may be kept whatever it is.
var shown = &Plan{all: true}

// BodyPlan returns the plan of a body that is read into, or written from, a type.
func BodyPlan(of reflect.Type) *Plan {
	return planner{source: "json", known: map[reflect.Type]*Plan{}}.of(of, "")
}

// QueryPlan returns the plan of the query that is read into a type.
func QueryPlan(of reflect.Type) *Plan {
	return planner{source: "query", known: map[reflect.Type]*Plan{}}.of(of, "")
}

// planner makes plans of types. Records inside others are always JSON.
type planner struct {
	source string
	known  map[reflect.Type]*Plan
}

// choices is how types say which words they take, as kernel.Choices does.
type choices interface{ Choices() []string }

func (p planner) of(t reflect.Type, tag reflect.StructTag) *Plan {
	if value, ok := opt.Elem(t); ok {
		return p.of(value, tag)
	}
	switch {
	case tag.Get("trace") == "keep":
		return &Plan{all: true}
	case tag.Get("trace") == "hide":
		return &Plan{hidden: true}
	case t.Kind() == reflect.Pointer:
		return p.of(t.Elem(), tag)
	case t.Implements(reflect.TypeFor[choices]()):
		words := reflect.Zero(t).Interface().(choices).Choices()
		return list(&Plan{words: words})
	case t == reflect.TypeFor[criteria.Raw](), t.Kind() == reflect.Interface:
		free := &Plan{numbers: true, booleans: true, free: true}
		free.item = free
		return free
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Plan{booleans: true}
	case reflect.Int, reflect.Int64, reflect.Float64:
		return &Plan{numbers: true, customers: namesCustomers(tag)}
	case reflect.String:
		if enum := tag.Get("enum"); enum != "" {
			return &Plan{words: strings.Split(enum, ",")}
		}
		if strings.HasPrefix(tag.Get("format"), "date") {
			return &Plan{dates: true}
		}
		return nil
	case reflect.Slice, reflect.Array:
		return list(p.of(t.Elem(), tag))
	case reflect.Struct:
		return p.record(t)
	default:
		return nil
	}
}

// list returns the plan of several values, of which one may stand alone.
func list(item *Plan) *Plan {
	if item == nil {
		return &Plan{}
	}
	all := *item
	all.item = item
	return &all
}

func (p planner) record(t reflect.Type) *Plan {
	if known, ok := p.known[t]; ok {
		return known
	}
	record := &Plan{fields: map[string]*Plan{}}
	p.known[t] = record
	inside := planner{source: "json", known: p.known}
	if p.source != "json" {
		inside.known = map[reflect.Type]*Plan{}
	}
	for _, f := range fieldsOf(t) {
		name, _, _ := strings.Cut(f.Tag.Get(p.source), ",")
		if name == "" || name == "-" {
			continue
		}
		plan := inside.of(f.Type, f.Tag)
		if name == "id" && f.Type.Kind() == reflect.String {
			record.criterion, plan = true, &Plan{names: true}
		}
		for _, spelling := range append(strings.Split(f.Tag.Get("alias"), ","), name) {
			if spelling != "" {
				record.fields[spelling] = plan
			}
		}
	}
	return record
}

// fieldsOf returns the fields of a struct, those of embedded structs in their place.
func fieldsOf(t reflect.Type) (fields []reflect.StructField) {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Anonymous && f.Tag == "" && f.Type.Kind() == reflect.Struct:
			fields = append(fields, fieldsOf(f.Type)...)
		case f.IsExported():
			fields = append(fields, f)
		}
	}
	return fields
}

// customerFields are the names of fields of requests that hold ids of customers.
// Those of answers say so with the tag ref.
var customerFields = []string{
	"customer_id", "customer_ids", "buyers", "sellers", "landlords", "tenants", "guarantors", "buyer_notary_id", "seller_notary_id",
}

func namesCustomers(tag reflect.StructTag) bool {
	name, _, _ := strings.Cut(tag.Get("json"), ",")
	return tag.Get("ref") == "customer" || slices.Contains(customerFields, name) || slices.Contains(customerFields, tag.Get("query"))
}

// Field returns the plan of a field of an object; known reports whether there is such a
// field. Names are as the contract documents them, in snake_case or as an alias.
func (p *Plan) Field(name string) (of *Plan, known bool) {
	if p == nil {
		return nil, false
	}
	if p.known != nil {
		switch {
		case name == "id":
			return p.known.id, true
		case name == "value" && p.known.value != nil:
			return p.known.value, true
		}
	}
	of, known = p.fields[name]
	return of, known
}

// IsObject reports whether fields of an object may be kept.
func (p *Plan) IsObject() bool { return p != nil && p.fields != nil }

// Item returns the plan of the items of an array.
func (p *Plan) Item() *Plan {
	if p == nil {
		return nil
	}
	return p.item
}

// HasCriterion reports whether the object is about the criterion whose id it has.
func (p *Plan) HasCriterion() bool { return p != nil && p.criterion }

// Of returns the plan of an object about a criterion, when it is known which.
func (p *Plan) Of(d criteria.Definition) *Plan {
	about := &Plan{fields: p.fields, known: &criterionFields{id: shown}}
	if _, has := p.fields["value"]; has {
		about.known.value = list(&Plan{definition: &d})
	}
	return about
}

// open reports whether values of the criterion may be kept.
func open(d *criteria.Definition) bool { return d.Type != criteria.TEXT && !d.IsPrivate() }

// ShowsNumber reports whether a number may be kept.
func (p *Plan) ShowsNumber() bool {
	return p != nil && (p.numbers || p.all || p.countable())
}

// countable reports whether it is the value of a criterion that is a number.
func (p *Plan) countable() bool {
	return p.definition != nil && open(p.definition) && (p.definition.Type == criteria.NUMBER || p.definition.Type == criteria.FLAG)
}

// ShowsBoolean reports whether true or false may be kept.
func (p *Plan) ShowsBoolean() bool {
	return p != nil && (p.booleans || p.all || p.countable())
}

// numeric is a number, or several with commas between them.
var numeric = regexp.MustCompile(`^[+-]?\d{1,15}(\.\d{1,9})?( ?, ?[+-]?\d{1,15}(\.\d{1,9})?)*$`)

// ShowsText reports whether a text may be kept.
func (p *Plan) ShowsText(text string) bool {
	switch {
	case p == nil:
		return false
	case p.all, p.numbers && numeric.MatchString(text), p.booleans && slices.Contains([]string{"0", "1", "true", "false"}, text):
		return true
	case p.definition != nil:
		_, wrong := p.definition.Parse(criteria.Raw{V: text}, criteria.Reading{Zone: time.UTC, Operand: true})
		return open(p.definition) && wrong == nil
	case len(p.words) > 0:
		for word := range strings.SplitSeq(text, ",") {
			if !slices.Contains(p.words, word) {
				return false
			}
		}
		return true
	}
	return false
}

// NamesCustomers reports whether numbers are ids of customers.
func (p *Plan) NamesCustomers() bool { return p != nil && p.customers }

// Path returns the path of a field, such as criteria[2].value, as far as it is known:
// what a client made up ends it.
func (p *Plan) Path(field string) string {
	at := p
	for i := 0; i < len(field); {
		end := i + strings.IndexAny(field[i:]+".", ".[")
		name := field[i:end]
		next, known := at.Field(name)
		if !known {
			return field[:i] + "…"
		}
		at = next
		for end < len(field) && field[end] == '[' {
			end += strings.IndexByte(field[end:]+"]", ']') + 1
			at = at.Item()
		}
		i = min(end+1, len(field))
		if end >= len(field) {
			break
		}
	}
	return field
}

// Hidden stands for a value that is not kept: what it was, and how long.
func Hidden(what string, length int) string {
	return "‹" + what + ", " + strconv.Itoa(length) + "›"
}
