package porttest

import (
	"errors"
	"reflect"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// entities are all kinds of record that are kept alike: those of port.Kinds, the customers
// and the webhooks.
func entities() []entity {
	all := []entity{hookKind{}}
	for _, k := range recordKinds() {
		all = append(all, k)
	}
	return all
}

// entityExamples are those of all kinds of record.
func entityExamples() []example {
	all := []example{{"RecordsAreFoundByWhatTheyAreFoundBy", recordsAreFound}}
	for _, e := range entities() {
		all = append(all, e.examples()...)
	}
	return all
}

// entity is a kind of record, whatever its type.
type entity interface {
	examples() []example
	// seed puts a first record into a site, writes are the ways to change something
	// about that one, and picture is all that can be read then.
	seed(port.Tx, site.ID) error
	writes(port.Tx, site.ID) map[string]func() error
	picture(port.Tx, site.ID) (any, error)
	// command makes up one command of a program.
	command(program) command
}

// notFound looks for what is absent, in a unit that must be none the worse for it.
func (w *world) notFound(t *testing.T, what string, look func(port.Tx) error) {
	t.Helper()
	var found error
	err := w.Update(t.Context(), func(tx port.Tx) error {
		found = look(tx)
		return nil
	})
	if !errors.Is(found, fault.NotFound) {
		t.Errorf("%s: %v, want fault.NotFound", what, found)
	}
	if err != nil {
		t.Errorf("%s: looking for what is absent spoils the unit: %v", what, err)
	}
}

// spoil overwrites everything that the values behind some pointers refer to.
func spoil(pointers ...any) {
	for _, p := range pointers {
		overwrite(reflect.ValueOf(p).Elem())
	}
}

func overwrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			overwrite(v.Elem())
			v.Elem().SetZero()
		}
	case reflect.Slice:
		for i := range v.Len() {
			overwrite(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			overwrite(value)
			v.SetMapIndex(key, reflect.Value{})
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				overwrite(v.Field(i))
			}
		}
	default: // nothing is shared; a criterion's value is never changed
	}
}
