package e2e_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

const absentID = "999999"

// attempt is a request with something wrong in it.
type attempt struct {
	query   string
	body    any
	headers []string
}

// wrongInputs are requests for an operation, each wrong in another way, made from
// what it reads.
func wrongInputs(o kernel.Operation) (all []attempt) {
	types, meanings := object{}, object{}
	files, json := false, false
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous && f.Tag == "" {
				visit(f.Type)
				continue
			}
			if name := f.Tag.Get("query"); name != "" {
				for _, value := range []string{"%25", "%00", "-1", "x", "%ff"} {
					all = append(all, attempt{query: "?" + name + "=" + value})
				}
			}
			files = files || f.Tag.Get("file") != ""
			if name := f.Tag.Get("json"); name != "" {
				json = true
				types[name], meanings[name] = wrongType(f.Type), wrongMeaning(f.Type)
			}
		}
	}
	visit(o.In)
	if json {
		all = append(all, attempt{body: "{"}, attempt{body: "[]"}, attempt{body: types}, attempt{body: meanings},
			attempt{body: "{}", headers: []string{"Content-Type", "multipart/form-data; boundary=x"}})
	}
	if files {
		all = append(all, attempt{body: "{}"}, attempt{body: "", headers: []string{"Content-Type", "multipart/form-data; boundary=x"}})
	}
	all = append(all, attempt{headers: []string{"Content-Encoding", "gzip"}}, attempt{headers: []string{"If-Match", `"0"`}})
	if o.Repeatable() {
		all = append(all, attempt{headers: []string{"Idempotency-Key", ""}}, attempt{headers: []string{"Idempotency-Key", "clé"}})
	}
	return all
}

// wrongType is a value of another JSON type than a field has.
func wrongType(t reflect.Type) any {
	if inner, ok := opt.Elem(t); ok {
		t = inner
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "x"
	case reflect.Slice:
		return true
	default:
		return object{}
	}
}

// wrongMeaning is a value of the type of a field that hardly any field takes.
func wrongMeaning(t reflect.Type) any {
	if inner, ok := opt.Elem(t); ok {
		t = inner
	}
	switch t.Kind() {
	case reflect.String:
		return strings.Repeat("no ", 5_000)
	case reflect.Int, reflect.Int64, reflect.Float64:
		return -7
	case reflect.Slice:
		return list{wrongMeaning(t.Elem())}
	case reflect.Bool:
		return true
	default:
		return object{}
	}
}

// Whatever is wrong with a request, that its path names nothing is told first: for
// every operation, every part of its path and everything it reads.
func TestG1_AnAbsentIDWinsOverBadInput(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		hook := c.post("/hooks", object{"url": "https://hooks.example.com/x", "origines": list{"PRODUCT_CREATE"}}).is(201).id("data.id")
		defer c.delete(fmt.Sprintf("/hooks/%d", hook))
		customer := c.post("/customers", object{"agency_id": 11, "type": "ACQUEREUR", "lastname": "Là"}).is(201).id("data.id")
		there := strings.NewReplacer(
			"{productId}", fmt.Sprint(c.create(nil)), "{customerId}", fmt.Sprint(customer), "{hookId}", fmt.Sprint(hook),
		)
		tried := 0
		for _, o := range w.Operations() {
			for _, at := range pathParameter.FindAllStringIndex(o.Path, -1) {
				path := there.Replace(o.Path[:at[0]]) + absentID + pathParameter.ReplaceAllString(o.Path[at[1]:], "1")
				for _, wrong := range wrongInputs(o) {
					tried++
					if got := c.send(o.Method, path+wrong.query, wrong.body, wrong.headers...); got.status != 404 {
						t.Errorf("%.300s\nwith %v %.100v", got, wrong.headers, wrong.body)
					} else {
						got.refused(404, "not_found")
					}
				}
			}
		}
		if tried < 200 {
			t.Errorf("only %d requests were tried", tried)
		}
	})
}
