package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gorilla/mux"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// decoder reads the request of one operation from everywhere its type says:
// path, query, form, files, body, headers and Basic credentials.
type decoder struct {
	in    reflect.Type
	path  []field
	query *record
	form  *record
	body  *record
	files uploads
	basic map[string][]int
	// ifMatch is where the condition of a write goes, if it takes one.
	ifMatch []int
	// strict: fields of the body that mean nothing are refused.
	strict bool
	// headers are texts that come from headers, each by its name.
	headers map[string][]int
}

var ifMatchType = reflect.TypeFor[kernel.IfMatch]()

// decoderOf plans the reading of the requests of an operation.
func decoderOf(o operation) *decoder {
	d := newDecoder(o.In, o.Path)
	d.strict = o.Searches()
	return d
}

// newDecoder plans the reading of a request type with the given path. It panics where
// the two disagree.
func newDecoder(in reflect.Type, path string) *decoder {
	d := &decoder{in: in, query: newRecord(), form: newRecord(), body: newRecord(), basic: map[string][]int{}, headers: map[string][]int{}}
	eachField(in, nil, func(f reflect.StructField, index []int) {
		switch tag := f.Tag; {
		case tag.Get("path") != "":
			d.addPath(tag.Get("path"), path, f, index)
		case tag.Get("query") != "":
			d.query.add(tag.Get("query"), f, index)
		case tag.Get("form") != "":
			d.form.add(tag.Get("form"), f, index)
		case tag.Get("file") != "":
			d.files.add(tag.Get("file"), f, index)
		case tag.Get("basic") != "":
			d.basic[tag.Get("basic")] = index
		case f.Type == ifMatchType && tag.Get("header") == "If-Match":
			d.ifMatch = index
		case tag.Get("header") != "" && f.Type.Kind() == reflect.String:
			d.headers[tag.Get("header")] = index
		case tag.Get("json") != "":
			d.body.add(tag.Get("json"), f, index)
		default:
			panic(fmt.Sprintf("%s.%s does not say where it comes from", in, f.Name))
		}
	})
	if parameters := strings.Count(path, "{"); parameters != len(d.path) {
		panic(fmt.Sprintf("%s takes %d of the %d parameters of %s", in, len(d.path), parameters, path))
	}
	return d
}

func (d *decoder) addPath(name, path string, f reflect.StructField, index []int) {
	kind := f.Type.Kind()
	if !strings.Contains(path, "{"+name+"}") || kind != reflect.String && kind != reflect.Int64 {
		panic(fmt.Sprintf("%s.%s cannot come from the path %s", d.in, f.Name, path))
	}
	d.path = append(d.path, field{name: name, index: index, kind: kind})
}

// decode makes a value of the request type. An id in the path that cannot exist
// is reported before anything about the body.
func (d *decoder) decode(x *exchange, r *http.Request) (any, error) {
	in := reflect.New(d.in).Elem()
	if len(d.path) > 0 {
		if err := d.bindPath(mux.Vars(r), in); err != nil {
			return nil, err
		}
	}
	if err := uncoded(r.Header); err != nil {
		return nil, err
	}
	if len(d.basic) > 0 {
		d.bindBasic(x, r, in)
	}
	if d.ifMatch != nil {
		in.FieldByIndex(d.ifMatch).Set(reflect.ValueOf(ifMatch(r.Header)))
	}
	if err := d.bindHeaders(r.Header, in); err != nil {
		return nil, err
	}
	var b binding
	defer func() { x.ignored, x.deprecated = b.ignored, b.deprecated }()
	if len(d.query.fields) > 0 {
		d.query.bind(&b, d.query.pairs(&b, r.URL.RawQuery, false), in)
	}
	if len(d.form.fields) > 0 {
		form, err := readForm(x, r)
		if err != nil {
			return nil, err
		}
		d.form.bind(&b, d.form.pairs(&b, form, true), in)
	}
	if len(d.files.fields) > 0 {
		if err := d.files.read(&b, x, r, in); err != nil {
			return nil, err
		}
	}
	if len(d.body.fields) > 0 {
		body, err := readJSON(x, r)
		if err != nil {
			return nil, err
		}
		b.strict = d.strict
		d.body.bind(&b, body, in)
	}
	if err := b.problems.Err(); err != nil {
		return nil, err
	}
	return in.Interface(), nil
}

var errNoSuchID = fault.New(fault.NotFound, fault.CodeNotFound, "there is no such resource")

func (d *decoder) bindPath(vars map[string]string, in reflect.Value) error {
	for i := range d.path {
		f := &d.path[i]
		text := vars[f.name]
		if f.kind == reflect.String {
			if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
				return errNoSuchID
			}
			in.FieldByIndex(f.index).SetString(text)
			continue
		}
		id, err := strconv.ParseUint(text, 10, 63)
		if err != nil || id == 0 {
			return errNoSuchID
		}
		in.FieldByIndex(f.index).SetInt(int64(id))
	}
	return nil
}

// bindHeaders fills in what comes from headers. What is present twice is refused: it
// is not for the server to choose.
func (d *decoder) bindHeaders(header http.Header, in reflect.Value) error {
	for name, index := range d.headers {
		lines := header.Values(name)
		if len(lines) > 1 {
			return kernel.Invalid(name, fault.CodeAmbiguousField, "%s is present more than once", name)
		}
		if len(lines) == 1 && utf8.ValidString(lines[0]) && strings.IndexByte(lines[0], 0) < 0 {
			in.FieldByIndex(index).SetString(lines[0])
		}
	}
	return nil
}

// bindBasic fills in the credentials of token operations. Those that no store
// could keep are as good as none.
func (d *decoder) bindBasic(x *exchange, r *http.Request, in reflect.Value) {
	user, password, _ := r.BasicAuth()
	if !utf8.ValidString(user) || strings.IndexByte(user, 0) >= 0 {
		return
	}
	if password != "" { // without one the only text may be the secret
		x.client = tokens.DecodedClientID(user)
	}
	for part, index := range d.basic {
		switch part {
		case "user":
			in.FieldByIndex(index).SetString(user)
		case "password":
			in.FieldByIndex(index).SetString(password)
		}
	}
}

// uncoded refuses a request whose body is compressed, or coded in another way: what
// a small body would unpack to has no bound.
func uncoded(header http.Header) error {
	for _, line := range header.Values("Content-Encoding") {
		for coding := range strings.SplitSeq(line, ",") {
			if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
				return fault.New(fault.Unsupported, fault.CodeUnsupportedMediaType, "bodies are sent as they are, without Content-Encoding")
			}
		}
	}
	return nil
}

// readJSON reads a body as JSON whatever its content type, which many clients
// forget to set; what is declared to be a form is refused.
func readJSON(x *exchange, r *http.Request) (*node, error) {
	switch mediaType(r) {
	case "multipart/form-data", "application/x-www-form-urlencoded":
		return nil, fault.New(fault.Unsupported, fault.CodeUnsupportedMediaType, "this operation reads application/json")
	}
	body, err := readBody(x, r)
	if err != nil {
		return nil, err
	}
	x.query, x.body = r.URL.RawQuery, body
	x.sent, err = parseJSON(body)
	return x.sent, err
}

// readForm reads the body as a form. Any other body is an empty form: the use
// case says what is missing.
func readForm(x *exchange, r *http.Request) (string, error) {
	if mediaType(r) != "application/x-www-form-urlencoded" {
		return "", nil
	}
	body, err := readBody(x, r)
	return string(body), err
}

func mediaType(r *http.Request) string {
	declared := r.Header.Get("Content-Type")
	if declared == "" || declared == "application/json" {
		return declared
	}
	name, _, err := mime.ParseMediaType(declared)
	if err != nil {
		name, _, _ = strings.Cut(declared, ";")
		name = strings.ToLower(strings.TrimSpace(name))
	}
	return name
}

// readBody reads the whole body, which the server has bounded.
func readBody(x *exchange, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		if x.print != nil {
			_, _ = x.print.Write(body)
		}
		return body, nil
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, fault.New(fault.TooLarge, fault.CodePayloadTooLarge, "the body is larger than %d bytes", large.Limit)
	}
	return nil, fault.New(fault.Invalid, fault.CodeMalformedJSON, "the body could not be read to its end").Because(err)
}
