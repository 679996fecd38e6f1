// Package references finds the references to records in answers, and sets those to deleted
// records to null.
package references

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// A field of an answer that refers to another record has a tag with the kind of that record,
// such as ref:"product", and the type *int64, or []int64 for several. A record may refer to a
// deleted one; in answers of Reads such a field is null, or a shorter list. The stored record
// keeps the id, so that a restored record is referred to again.

// existing has a function for each kind that returns which of some ids exist.
var existing = map[string]func(port.Tx, site.ID, []int64) ([]int64, error){
	"customer": func(tx port.Tx, of site.ID, ids []int64) ([]int64, error) {
		return among[customer.ID](tx.Customers(), of, ids)
	},
	"product": func(tx port.Tx, of site.ID, ids []int64) ([]int64, error) {
		return among[product.ID](tx.Products(), of, ids)
	},
	"search": func(tx port.Tx, of site.ID, ids []int64) ([]int64, error) {
		return among[demand.SearchID](tx.SearchRequests(), of, ids)
	},
	"followup": func(tx port.Tx, of site.ID, ids []int64) ([]int64, error) {
		return among[demand.FollowUpID](tx.FollowUps(), of, ids)
	},
}

func among[ID ~int64](table interface {
	Existing(site.ID, []ID) ([]ID, error)
}, of site.ID, ids []int64,
) ([]int64, error) {
	found, err := table.Existing(of, as[ID](ids))
	return as[int64](found), err
}

// as returns ids as another type.
func as[To, From ~int64](ids []From) []To {
	out := make([]To, len(ids))
	for i, id := range ids {
		out[i] = To(id)
	}
	return out
}

// References has the places of references in a type of answer: the value itself, its elements,
// or some fields. Nil means none.
type References struct {
	kind string
	// list: the references of the kind are a list.
	list   bool
	elem   *References
	fields []field
}

type field struct {
	index int
	of    *References
}

// Plans caches the references of types of answers.
type Plans struct{ plans sync.Map }

// Of returns the references of a type, nil if it has none.
func (p *Plans) Of(t reflect.Type) *References {
	if made, known := p.plans.Load(t); known {
		return made.(*References)
	}
	made := planned(t, nil)
	p.plans.Store(t, made)
	return made
}

// planned returns the references of a type within other types.
func planned(t reflect.Type, within []reflect.Type) *References {
	if slices.Contains(within, t) {
		return nil
	}
	within = append(within, t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		if elem := planned(t.Elem(), within); elem != nil {
			return &References{elem: elem}
		}
	case reflect.Struct:
		var plan References
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() && !f.Anonymous {
				continue
			}
			of := planned(f.Type, within)
			if kind, tagged := f.Tag.Lookup("ref"); tagged {
				list := f.Type == reflect.TypeFor[[]int64]()
				if existing[kind] == nil || !list && f.Type != reflect.TypeFor[*int64]() {
					panic(fmt.Sprintf("%s.%s: a reference is a *int64 or []int64 to one of the kinds that are known", t, f.Name))
				}
				of = &References{kind: kind, list: list}
			}
			if of != nil {
				plan.fields = append(plan.fields, field{i, of})
			}
		}
		if plan.fields != nil {
			return &plan
		}
	default: // nothing else names records
	}
	return nil
}

// named are the references of an answer to records of a kind.
type named struct {
	one  []**int64
	many []*[]int64
}

// ids returns the ids of the references, each once.
func (n named) ids() []int64 {
	var ids []int64
	for _, place := range n.one {
		ids = append(ids, **place)
	}
	for _, place := range n.many {
		ids = append(ids, *place...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// collect finds the references in a value, by kind.
func (r *References) collect(v reflect.Value, found map[string]named) {
	switch {
	case r.list:
		n := found[r.kind]
		n.many = append(n.many, v.Addr().Interface().(*[]int64))
		found[r.kind] = n
	case r.kind != "":
		if place := v.Addr().Interface().(**int64); *place != nil {
			n := found[r.kind]
			n.one = append(n.one, place)
			found[r.kind] = n
		}
	case r.elem == nil:
		for _, f := range r.fields {
			f.of.collect(v.Field(f.index), found)
		}
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			r.elem.collect(v.Elem(), found)
		}
	default:
		for i := range v.Len() {
			r.elem.collect(v.Index(i), found)
		}
	}
}

// Forget sets the references of an answer to deleted records to null. It reads the store once
// for each kind of reference.
func (r *References) Forget(tx port.Tx, of site.ID, answer reflect.Value) error {
	found := map[string]named{}
	r.collect(answer, found)
	for kind, places := range found {
		there, err := existing[kind](tx, of, places.ids())
		if err != nil {
			return err
		}
		gone := func(id int64) bool {
			_, exists := slices.BinarySearch(there, id)
			return !exists
		}
		for _, place := range places.one {
			if gone(**place) {
				*place = nil
			}
		}
		for _, place := range places.many {
			*place = slices.DeleteFunc(*place, gone)
		}
	}
	return nil
}
