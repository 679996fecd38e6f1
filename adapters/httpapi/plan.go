package httpapi

import (
	"fmt"
	"reflect"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// record is how an object of a known type is read, planned once at start-up.
type record struct {
	names  spellings
	fields []field
}

// field is one field of a record.
type field struct {
	name string
	// doc is what the documentation says of it.
	doc   string
	index []int
	bind  binder
	// optional: the field tells null apart, and nobody but the use case says
	// whether it is required.
	optional bool
	required bool
	// raw: null is a value like another.
	raw bool
	// kind is what is read, without opt.Field around it.
	kind reflect.Kind
}

func newRecord() *record { return &record{names: spellings{}} }

func (r *record) add(name string, f reflect.StructField, index []int) {
	inner := f.Type
	value, isOpt := opt.Elem(f.Type)
	if isOpt {
		inner = value
	}
	r.names.add(len(r.fields), name, f.Tag.Get("alias"))
	r.fields = append(r.fields, field{
		name: name, doc: f.Tag.Get("doc"), index: index, bind: binderOf(f.Type, f.Tag),
		optional: isOpt, required: f.Tag.Get("required") == "true" && !isOpt,
		raw: inner == rawType, kind: inner.Kind(),
	})
}

// named returns the field with a spelling that there is.
func (r *record) named(name string) field { return r.fields[r.names[name].field] }

// bind reads the members of an object into v.
func (r *record) bind(b *binding, n *node, v reflect.Value) {
	if n.kind != objectNode {
		b.wrongType(fault.Textf("an object"), n)
		return
	}
	picks := make([]pick, len(r.fields))
	for i := range n.list {
		member := &n.list[i]
		if found, ok := r.names.find(member.name); ok {
			b.choose(picks, found, member)
		} else if b.strict && !b.pages(member.name) {
			b.refuse(member.name, r)
		} else {
			b.ignore(member.name)
		}
	}
	for i := range r.fields {
		f, p := &r.fields[i], &picks[i]
		b.enter(f.name)
		switch absent := p.node == nil || p.node.kind == nullNode && !f.optional && !f.raw; {
		case p.contradicted:
			b.problem(fault.CodeAmbiguousField, "two spellings of %s are present", b.field())
		case !absent:
			f.bind(b, p.node, v.FieldByIndex(f.index))
		case f.required:
			b.problem(fault.CodeRequired, "%s is required", b.field())
		}
		b.leave()
	}
}

var (
	rawType    = reflect.TypeFor[criteria.Raw]()
	idsType    = reflect.TypeFor[listing.IDList]()
	codesType  = reflect.TypeFor[kernel.Codes]()
	objectType = reflect.TypeFor[kernel.Object]()
)

// binderOf plans the reading of a type. What it does not know is a mistake in
// the table of operations, found by the first test that mounts it.
func binderOf(t reflect.Type, tag reflect.StructTag) binder {
	if value, ok := opt.Elem(t); ok {
		return bindOpt(binderOf(value, tag))
	}
	switch {
	case t == rawType:
		return bindRaw
	case t == idsType:
		return bindIDs
	case t == codesType:
		return bindCodes
	case t == objectType:
		return bindObject
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && t.Elem().Kind() == reflect.String:
		return bindMap
	}
	switch t.Kind() {
	case reflect.String:
		if tag.Get("coerce") == "string" {
			return bindText
		}
		return bindString
	case reflect.Bool:
		return bindBool
	case reflect.Int, reflect.Int64:
		return bindInt
	case reflect.Float64:
		return bindFloat
	case reflect.Slice:
		return bindList(binderOf(t.Elem(), ""))
	case reflect.Struct:
		return jsonRecord(t).bind
	default:
		panic(fmt.Sprintf("requests cannot hold a %s", t))
	}
}

// jsonRecord plans a record inside a body, all of whose fields are JSON.
func jsonRecord(t reflect.Type) *record {
	r := newRecord()
	eachField(t, nil, func(f reflect.StructField, index []int) {
		name := f.Tag.Get("json")
		if name == "" {
			panic(fmt.Sprintf("%s.%s has no json tag", t, f.Name))
		}
		r.add(name, f, index)
	})
	return r
}

// eachField visits the fields of a struct, those of embedded structs in their
// place.
func eachField(t reflect.Type, parent []int, visit func(f reflect.StructField, index []int)) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int(nil), parent...), i)
		if f.Anonymous && f.Tag == "" && f.Type.Kind() == reflect.Struct {
			eachField(f.Type, index, visit)
			continue
		}
		if f.IsExported() {
			visit(f, index)
		}
	}
}
