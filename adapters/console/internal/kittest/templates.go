// Package kittest has the test of templates that every room of the console passes.
package kittest

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/phrases"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Templates tests the templates of a room: each is one well-formed document whatever is in
// it, small, and as in its file in testdata. The models are what each template shows, by its
// name: structs, of which the values are made here.
func Templates(t *testing.T, room kit.Room, models map[string]any) {
	t.Helper()
	prepared, err := kit.Prepare([]kit.Room{room})
	if err != nil {
		t.Fatal(err)
	}
	d := drawing{prepared, models}
	for _, name := range kit.TemplateNames([]kit.Room{room}) {
		if _, known := models[name]; !known && !shared[name] {
			t.Errorf("the template %q has no model here", name)
		}
	}
	untold, unused, err := Phrases([]kit.Room{room})
	if err != nil {
		t.Fatal(err)
	}
	for _, phrase := range untold {
		t.Errorf("%q has no French: add it to FrenchPhrases", phrase)
	}
	for _, phrase := range unused {
		if _, own := room.FrenchPhrases[phrase]; own {
			t.Errorf("no template says %q: take it out of FrenchPhrases", phrase)
		}
	}
	t.Run("hold whatever is in them", d.templatesHoldWhateverIsInThem)
	t.Run("golden", d.goldenPages)
	t.Run("are small", d.pagesAreSmall)
	t.Run("enter", d.enterSendsAFormAndNothingElse)
}

// Phrases returns the phrases of the templates of rooms, and of those that all share, that have no French,
// and the French ones that no template has.
func Phrases(rooms []kit.Room) (untold, unused []string, err error) {
	rooms = append([]kit.Room{kit.Shared()}, rooms...)
	told := map[string]bool{}
	for _, r := range rooms {
		if r.Templates == nil {
			continue
		}
		files, err := fs.Glob(r.Templates, "*.html")
		if err != nil {
			return nil, nil, err
		}
		for _, file := range files {
			source, err := fs.ReadFile(r.Templates, file)
			if err != nil {
				return nil, nil, err
			}
			phrases.Translated(string(source), func(phrase string) (string, bool) {
				french, known := r.InFrench(phrase)
				if before, seen := told[phrase]; before || !seen {
					told[phrase] = known
				}
				return french, known
			})
		}
	}
	for _, phrase := range slices.Sorted(maps.Keys(told)) {
		if !told[phrase] {
			untold = append(untold, phrase)
		}
	}
	for _, r := range rooms {
		for _, phrase := range slices.Sorted(maps.Keys(r.FrenchPhrases)) {
			if !told[phrase] {
				unused = append(unused, phrase)
			}
		}
	}
	return untold, unused, nil
}

// shared are the templates of the kit, which has their models.
var shared = map[string]bool{kit.FailureTemplate: true, kit.WhichSiteTemplate: true, "confirm": true, "form": true}

// drawing draws templates of a room with their models.
type drawing struct {
	prepared kit.Material
	models   map[string]any
}

func (d drawing) draw(t *testing.T, name string, f kit.Frame) string {
	t.Helper()
	var page bytes.Buffer
	if err := d.prepared.Draw(&page, name, f); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return page.String()
}

// filled is a model with the same text in each string, and so many elements in each
// list.
func filled(model any, text string, n int) any {
	v := reflect.New(reflect.TypeOf(model)).Elem()
	fill(v, text, n)
	return v.Interface()
}

// withForm is a model with nothing in it but a form, which pages with a form always
// have.
func withForm(model any) any {
	v := reflect.New(reflect.TypeOf(model)).Elem()
	if f := v.FieldByName("Form"); f.IsValid() {
		f.Set(reflect.ValueOf(&kit.Form{}))
	}
	return v.Interface()
}

func fill(v reflect.Value, text string, n int) {
	if !v.CanSet() && v.Kind() != reflect.Struct { // what is exported of an embedded struct can be set
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(v.Index(i), text, n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				fill(v.Field(i), text, n)
			}
		}
	default:
	}
}

// frameOf is the frame of a page of somebody who has signed in.
func frameOf(model any, text string, n int) kit.Frame {
	f := kit.Frame{Prefix: "/console", Site: "1", Title: text, Nonce: "nonce", Environment: text, Operator: text, Role: text, JumpsTo: text, Page: model}
	f.Flash = &kit.Flash{Tone: kit.Well, Text: kit.Text(text), Secret: text, Keep: kit.Text(text)}
	f.Filters = &filters.Shown{}
	fill(reflect.ValueOf(f.Filters).Elem(), text, n)
	for range n {
		f.Sites = append(f.Sites, kit.Choice{Value: text, Label: text, Hint: text, Chosen: true})
		f.Menu = append(f.Menu, kit.Section{Label: kit.Text(text), Items: []kit.Item{{Label: kit.Text(text), Href: "/console/", Icon: "bars", Badge: text, Current: true}}})
	}
	return f
}

// inFrench is a frame in French.
func (d drawing) inFrench(f kit.Frame) kit.Frame {
	f.Language = d.prepared.Languages[fault.French]
	return f
}

const hostile = `</textarea><script>alert(1)</script>"onmouseover='x' javascript:alert(2) {{.}}`

// Whatever is in a page: it is one well-formed document, without anything that the
// policy forbids, and nothing in it is taken for a part of the page.
func (d drawing) templatesHoldWhateverIsInThem(t *testing.T) {
	long := strings.Repeat("0123456789", 1000)
	for name, model := range d.models {
		for kind, page := range map[string]string{
			"empty":      d.draw(t, name, kit.Frame{Prefix: "/console", Nonce: "nonce", Page: withForm(model)}),
			"one":        d.draw(t, name, frameOf(filled(model, "words", 1), "words", 1)),
			"hostile":    d.draw(t, name, frameOf(filled(model, hostile, 2), hostile, 2)),
			"javascript": d.draw(t, name, frameOf(filled(model, "javascript:alert(3)", 1), "javascript:alert(3)", 1)),
			"long":       d.draw(t, name, frameOf(filled(model, long, 1), long, 1)),
			"french":     d.draw(t, name, d.inFrench(frameOf(filled(model, hostile, 2), hostile, 2))),
		} {
			t.Run(name+"/"+kind, func(t *testing.T) { checkPage(t, page) })
		}
	}
}

// void are the elements without an end.
var void = map[string]bool{"wbr": true, "meta": true, "link": true, "input": true, "br": true, "img": true}

// checkPage reads a page tag by tag.
func checkPage(t *testing.T, page string) {
	t.Helper()
	var open []string
	ids := map[string]bool{}
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := tokens.Next()
		token := tokens.Token()
		switch kind {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("%v are not closed", open)
			}
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			checkTag(t, token, ids)
			if !void[token.Data] && kind == html.StartTagToken {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("</%s> closes %v", token.Data, open)
			}
			open = open[:len(open)-1]
		default:
		}
	}
}

func checkTag(t *testing.T, tag html.Token, ids map[string]bool) {
	t.Helper()
	attributes := map[string]string{}
	for _, a := range tag.Attr {
		attributes[a.Key] = a.Val
		if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-on") {
			t.Errorf("<%s> has the attribute %s", tag.Data, a.Key)
		}
		if (a.Key == "href" || a.Key == "action" || a.Key == "src") && strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
			t.Errorf("<%s> leads to %s", tag.Data, a.Val)
		}
		if strings.HasPrefix(a.Key, "hx-") && attributesOf(tag, "hx-nonce") == "" {
			t.Errorf("<%s> has %s and no nonce", tag.Data, a.Key)
		}
	}
	if tag.Data == "script" && attributes["src"] == "" || tag.Data == "style" {
		t.Errorf("the page has an inline %s", tag.Data)
	}
	// In one page there are several rows with the same content here: their ids differ
	// by it.
	if id := attributes["id"]; id != "" && !strings.ContainsAny(id, "-") {
		if ids[id] {
			t.Errorf("two elements have the id %q", id)
		}
		ids[id] = true
	}
}

func attributesOf(tag html.Token, key string) string {
	for _, a := range tag.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func (d drawing) goldenPages(t *testing.T) {
	fingerprint := regexp.MustCompile(`\.[0-9a-f]{12}\.`)
	for name, model := range d.models {
		page := d.draw(t, name, frameOf(filled(model, "words", 1), "words", 1))
		if name != kit.FailureTemplate {
			// The frame is told by one page.
			page = page[strings.Index(page, "<main"):strings.Index(page, "</body>")]
		}
		page = fingerprint.ReplaceAllString(page, ".0.")
		path := filepath.Join("testdata", name+".html")
		if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(golden), page); diff != "" {
			t.Errorf("%s is not as in %s; run make golden and read what changed (-golden +now):\n%s", name, path, diff)
		}
	}
}

// A page with 50 rows of each list is small on its way.
func (d drawing) pagesAreSmall(t *testing.T) {
	for name, model := range d.models {
		// The first level of lists has 50 rows, what is in them little.
		page := filled(model, "some words here", 1)
		v := reflect.New(reflect.TypeOf(model)).Elem()
		v.Set(reflect.ValueOf(page))
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Slice && f.CanSet() {
				rows := reflect.MakeSlice(f.Type(), 50, 50)
				for j := range 50 {
					fill(rows.Index(j), time.Duration(j*1234567).String(), 1)
				}
				f.Set(rows)
			}
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write([]byte(d.draw(t, name, frameOf(v.Interface(), "words", 3))))
		_ = w.Close()
		if packed.Len() > 20<<10 {
			t.Errorf("%s takes %d bytes compressed", name, packed.Len())
		}
	}
}

// Enter in a field presses the first button of its form.
func (d drawing) enterSendsAFormAndNothingElse(t *testing.T) {
	for name, model := range d.models {
		page, err := html.Parse(strings.NewReader(d.draw(t, name, frameOf(filled(model, "text", 2), "text", 2))))
		if err != nil {
			t.Fatal(err)
		}
		pressed := map[*html.Node]bool{}
		for n := range page.Descendants() {
			form := within(n, "form")
			if n.Data != "button" || form == nil || pressed[form] || attribute(n, "type") == "button" {
				continue
			}
			pressed[form] = true
			if to := attribute(n, "formaction"); to != "" {
				t.Errorf("%s: Enter presses %s", name, to)
			}
		}
	}
}

// within is the nearest element of a kind around a node; nil for none.
func within(n *html.Node, kind string) *html.Node {
	for n != nil {
		if n = n.Parent; n != nil && n.Data == kind {
			return n
		}
	}
	return nil
}

// attribute is the value of an attribute, empty where there is none.
func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
