package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// encoder writes the answers of one operation, planned once at start-up.
type encoder struct {
	status  int
	headers []headerField
	// write is nil when the answer has no body.
	write writer
}

// headerField is a field of the answer that goes into a header.
type headerField struct {
	name  string
	index []int
}

// writer appends the JSON of a value.
type writer func(ctx context.Context, out *bytes.Buffer, v reflect.Value) error

var (
	noneType     = reflect.TypeFor[siteapi.None]()
	oneOfType    = reflect.TypeFor[siteapi.OneOf]()
	deferredType = reflect.TypeFor[siteapi.Deferred]()
)

func newEncoder(out reflect.Type, status int, records *renderings) *encoder {
	e := &encoder{status: status}
	e.headers = headersOf(out, nil)
	if out != noneType {
		if e.write = special(out, records); e.write == nil {
			e.write = writeJSON
		}
	}
	return e
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maxPooled keeps a rare huge answer from staying in memory.
const maxPooled = 1 << 20

// reuse gives a buffer back.
func reuse(b *bytes.Buffer) {
	if b.Cap() <= maxPooled {
		b.Reset()
		buffers.Put(b)
	}
}

// encode assembles the whole answer before anything of it goes out, so that
// whatever fails on the way is still told as an error.
func (e *encoder) encode(ctx context.Context, w http.ResponseWriter, answer any) error {
	v := reflect.ValueOf(answer)
	if e.write == nil {
		e.tell(ctx, w.Header(), v)
		w.WriteHeader(e.status)
		return nil
	}
	out := buffers.Get().(*bytes.Buffer)
	defer reuse(out)
	if err := e.write(ctx, out, v); err != nil {
		return err
	}
	e.tell(ctx, w.Header(), v)
	send(w, e.status, out.Bytes())
	return nil
}

func (e *encoder) tell(ctx context.Context, header http.Header, v reflect.Value) {
	exchangeOf(ctx).tellSpelling(header)
	for _, h := range e.headers {
		if value := v.FieldByIndex(h.index).String(); value != "" {
			header.Set(h.name, value)
		}
	}
}

// headersOf finds the header fields of an answer and of the records in it.
func headersOf(t reflect.Type, parent []int) []headerField {
	if t.Kind() != reflect.Struct || t.Implements(deferredType) {
		return nil
	}
	var found []headerField
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int(nil), parent...), i)
		if name := f.Tag.Get("header"); name != "" {
			if f.Type.Kind() != reflect.String {
				panic(fmt.Sprintf("%s.%s: a header must be a string", t, f.Name))
			}
			found = append(found, headerField{name, index})
		} else if f.IsExported() {
			found = append(found, headersOf(f.Type, index)...)
		}
	}
	return found
}

func writeJSON(_ context.Context, out *bytes.Buffer, v reflect.Value) error {
	return appendJSON(out, v.Interface())
}

// special plans the writing of a type that encoding/json alone cannot write: a
// deferred answer, a choice, or a struct that has one among its fields. It is
// nil for all others.
func special(t reflect.Type, records *renderings) writer {
	switch {
	case t.Implements(deferredType):
		return func(ctx context.Context, out *bytes.Buffer, v reflect.Value) error {
			return records.append(ctx, out, v.Interface().(siteapi.Deferred))
		}
	case t.Kind() != reflect.Struct:
		return nil
	case isOneOf(t):
		return writeOneOf
	}
	return specialObject(t, records)
}

func isOneOf(t reflect.Type) bool {
	f, ok := t.FieldByName("OneOf")
	return ok && f.Anonymous && f.Type == oneOfType
}

func writeOneOf(_ context.Context, out *bytes.Buffer, v reflect.Value) error {
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			return appendJSON(out, f.Interface())
		}
	}
	return fmt.Errorf("nothing is set in %s", v.Type())
}

// member is a field of an object written field by field.
type member struct {
	// opening is what stands before the value, such as {"data": or ,"count":.
	opening string
	index   int
	write   writer
}

func specialObject(t reflect.Type, records *renderings) writer {
	var members []member
	needed := false
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		write := special(f.Type, records)
		needed = needed || write != nil
		if write == nil {
			write = writeJSON
		}
		opening := ","
		if len(members) == 0 {
			opening = "{"
		}
		if needed && (name == "" || options != "") {
			panic(fmt.Sprintf("%s.%s: beside a deferred field every field has a plain json name", t, f.Name))
		}
		members = append(members, member{opening + `"` + name + `":`, i, write})
	}
	if !needed {
		return nil
	}
	return func(ctx context.Context, out *bytes.Buffer, v reflect.Value) error {
		for _, m := range members {
			out.WriteString(m.opening)
			if err := m.write(ctx, out, v.Field(m.index)); err != nil {
				return err
			}
		}
		out.WriteByte('}')
		return nil
	}
}
