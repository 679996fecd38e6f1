package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// encoder writes the answers of one operation, planned once at start-up.
type encoder struct {
	status int
	// read: the answer can be asked for again, so it always has a tag.
	read bool
	// compressed: the answer may be.
	compressed bool
	headers    []headerField
	// version is where the answer says which version it shows, if it does.
	version []int
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
	versionType = reflect.TypeFor[kernel.Version]()
	oneOfType   = reflect.TypeFor[kernel.OneOf]()
	lazyType    = reflect.TypeFor[listing.Lazy]()
)

func newEncoder(o kernel.Operation, records *renderings) *encoder {
	e := &encoder{status: o.Status, read: o.Method == http.MethodGet, compressed: o.Compressed && o.Status != http.StatusNoContent}
	e.addHeaders(o.Out, nil)
	if o.Status != http.StatusNoContent {
		if e.write = special(o.Out, records); e.write == nil {
			e.write = writing(o.Out)
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
	x := exchangeOf(ctx)
	x.tellSpelling(w.Header())
	if again, ok := answer.(replay); ok {
		return e.replay(ctx, w, again)
	}
	a, err := e.compose(ctx, answer)
	if err != nil {
		return err
	}
	defer reuse(a.body)
	form := identity
	if e.compressed {
		if a.body.Len() >= compressFrom && !x.guarded {
			form = accepted(x.encodings)[0]
		}
		form.tell(w.Header())
	}
	if a.tag != "" {
		w.Header()[etagHeader] = []string{form.tag(a.tag)}
		if e.read && len(x.noneMatch) > 0 {
			if tag, ok := known(x.noneMatch, form.tags(a.tag)); ok {
				w.Header()[etagHeader] = []string{tag}
				w.Header().Del(encodingHeader)
				w.WriteHeader(http.StatusNotModified)
				return nil
			}
		}
	}
	body := a.body
	if form != identity {
		body = form.compress(a.body.Bytes())
		defer reuse(body)
	}
	x.done()
	e.send(w, a.header, body.Bytes())
	x.keepAnswer(a.body.Bytes())
	return nil
}

var etagHeader = http.CanonicalHeaderKey("ETag")

// composed is an answer before it is sent.
type composed struct {
	header map[string]string
	tag    string
	body   *bytes.Buffer
}

// compose writes an answer. Its body goes back to the buffers when it was used.
func (e *encoder) compose(ctx context.Context, answer any) (composed, error) {
	v := reflect.ValueOf(answer)
	a := composed{body: buffers.Get().(*bytes.Buffer)}
	if e.write != nil {
		if err := e.write(ctx, a.body, v); err != nil {
			reuse(a.body)
			return composed{}, err
		}
	}
	for _, h := range e.headers {
		if value := v.FieldByIndex(h.index).String(); value != "" {
			if a.header == nil {
				a.header = map[string]string{}
			}
			a.header[h.name] = value
		}
	}
	switch {
	case e.version != nil:
		a.tag = tagOf(kernel.Version(v.FieldByIndex(e.version).Int()), a.body.Bytes())
	case e.read:
		if a.tag = exchangeOf(ctx).tag; a.tag == "" {
			a.tag = tagOf(0, a.body.Bytes())
		}
	}
	return a, nil
}

func (e *encoder) send(w http.ResponseWriter, headers map[string]string, body []byte) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	if e.write == nil {
		w.WriteHeader(e.status)
		return
	}
	send(w, e.status, body)
}

// addHeaders finds the header fields of an answer and of the records in it.
func (e *encoder) addHeaders(t reflect.Type, parent []int) {
	if t.Kind() != reflect.Struct || t.Implements(lazyType) {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int(nil), parent...), i)
		name := f.Tag.Get("header")
		switch {
		case name == "" && f.IsExported():
			e.addHeaders(f.Type, index)
		case name == "":
		case f.Type == versionType:
			e.version = index
		case f.Type.Kind() == reflect.String:
			e.headers = append(e.headers, headerField{name, index})
		default:
			panic(fmt.Sprintf("%s.%s: a header must be a string or a version", t, f.Name))
		}
	}
}

// writing plans the writing of a type that encoding/json alone can write.
func writing(t reflect.Type) writer {
	plan := planAppend(t)
	return func(_ context.Context, out *bytes.Buffer, v reflect.Value) error { return plan.append(out, v) }
}

// special plans the writing of a type that encoding/json alone cannot write: a
// lazy answer, a choice, or a struct that has one among its fields. It is
// nil for all others.
func special(t reflect.Type, records *renderings) writer {
	switch {
	case t.Implements(lazyType):
		record := planAppend(reflect.PointerTo(reflect.Zero(t).Interface().(listing.Lazy).Elem()))
		return func(ctx context.Context, out *bytes.Buffer, v reflect.Value) error {
			return records.append(ctx, out, v.Interface().(listing.Lazy), record)
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
			write = writing(f.Type)
		}
		opening := ","
		if len(members) == 0 {
			opening = "{"
		}
		if needed && (name == "" || options != "") {
			panic(fmt.Sprintf("%s.%s: next to a lazy field every field has a plain json name", t, f.Name))
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
