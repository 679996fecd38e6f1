package e2e_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	conditions "github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Two worlds are alike but for a person: who they are, what they own, what is
// said of them. Whatever a credential of websites reads or searches, it gets the
// same answer in both, and no word of that person. It asks every operation of the
// table that reads, with every parameter and field that a request has: what is
// added to the table is asked too.
func TestR6_WebsitesLearnNothingAboutPeople(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"memory", "postgres"} { // what a query of SQLite finds is law of the stores
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			mustHave(t, engine)
			const aurore, brumes = person("aurore"), person("brumes")
			var worlds [2]*world
			var paths [2]privacyParameters
			for i, who := range []person{aurore, brumes} {
				w := withOwnStore(t, engine, standingStill(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)))
				w.addWebsiteCredentials(t)
				worlds[i], paths[i] = w, plant(t, w, who, who == aurore)
			}
			if diff := cmp.Diff(paths[0], paths[1]); diff != "" {
				t.Fatalf("the worlds differ in their ids:\n%s", diff)
			}
			questions := asker{t: t, paths: paths[0], person: aurore, words: aurore.words(), texts: texts(worlds[0].network(t))}.questions(worlds[0].Operations())

			secrets := append(aurore.words(), happenings...)
			seen := map[string]bool{}
			for _, q := range questions {
				told := q.ask(worlds[0].network(t))
				for _, word := range secrets {
					if strings.Contains(string(told.body), word) && !q.says(word) {
						seen[word] = true
					}
				}
				if len(seen) == len(secrets) {
					break
				}
			}
			for _, word := range secrets {
				if !seen[word] {
					t.Errorf("nobody sees %q: it was not planted, or is not asked for", word)
				}
			}
			for credential, packs := range websiteCredentials {
				good, refused := 0, 0
				asked := map[string]int{}
				for _, q := range questions {
					if asked[q.ID] >= enoughRefusals {
						refused++
						continue
					}
					told := q.ask(worlds[0].as(t, credential, 1))
					switch told.status {
					case 200:
						good++
					case 403:
						refused++
					}
					if q.closed(packs) {
						asked[q.ID]++
						if told.status != 403 {
							t.Errorf("%s has no pack for %s", credential, told)
						}
					}
					for _, word := range secrets {
						if strings.Contains(fmt.Sprint(told.header, string(told.body)), word) && !q.says(word) {
							t.Errorf("%s sees %q: %s", credential, word, told)
						}
					}
					if strings.Contains(string(told.body), reason) {
						t.Errorf("%s sees what a receiver said: %s", credential, told)
					}
					for _, leak := range internals(told) {
						t.Errorf("%s sees %s: %s", credential, leak, told)
					}
					other := q.ask(worlds[1].as(t, credential, 1))
					if diff := cmp.Diff(tells(worlds[0], told), tells(worlds[1], other)); diff != "" {
						t.Errorf("%s can tell two people apart by %s %v:\n%s", credential, told.request, q.body, diff)
					}
				}
				t.Logf("%s: %d questions, %d answered with 200, %d with 403", credential, len(questions), good, refused)
				if good < (len(questions)-refused)/2 || good < 700 {
					t.Errorf("%s: only %d of %d questions are answered, and %d refused", credential, good, len(questions), refused)
				}
			}
		})
	}
}

// enoughRefusals is how often a credential asks an operation that its packs close to
// it: such a request is refused before anybody reads what it asks.
const enoughRefusals = 5

// internals are the internal fields of products that an answer shows, and the
// internal criteria, wherever in it they are.
func internals(told answer) (leaks []string) {
	var whole any
	if json.Unmarshal(told.body, &whole) != nil {
		return nil
	}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case list:
			for _, item := range value {
				walk(item)
			}
		case object:
			if _, isProduct := value["lots_count"]; isProduct {
				for _, name := range listing.InternalNames() {
					if content, there := value[name]; !there || content != nil {
						leaks = append(leaks, fmt.Sprintf("%s, %v", name, content))
					}
				}
			}
			if _, isValue := value["value"]; isValue && slices.Contains(conditions.InternalKeys(), fmt.Sprint(value["id"])) {
				leaks = append(leaks, fmt.Sprintf("%v", value))
			}
			for _, part := range value {
				walk(part)
			}
		}
	}
	walk(whole)
	return leaks
}

// texts are the keys of the TEXT criteria of a site.
func texts(c *client) (keys []string) {
	for _, d := range c.get("/criterias/product/all").is(200).list("data") {
		if d := d.(object); d["type"] == "TEXT" {
			keys = append(keys, d["key"].(string))
		}
	}
	return keys
}

var (
	ofTheRequest = regexp.MustCompile(`"request_id":"[^"]+"`)
	ofChance     = regexp.MustCompile(`whsec_[\w+/=]+|/photos/[\w./-]+`)
)

// tells is what there is to compare of an answer: not what names the
// request, nor what was drawn at random.
func tells(w *world, a answer) any {
	body := ofTheRequest.ReplaceAllString(strings.ReplaceAll(string(a.body), w.url, ""), "")
	headers := http.Header{}
	// The client of net/http takes gzip, which the tag of a long answer tells.
	if version, _, both := strings.Cut(strings.Replace(a.header.Get("ETag"), `-gzip"`, `"`, 1), "-"); both {
		headers.Set("ETag", version)
	}
	for name, values := range a.header {
		if strings.HasPrefix(name, "X-") && name != "X-Request-Id" {
			headers[name] = values
		}
	}
	return []any{a.status, ofChance.ReplaceAllString(body, ""), headers}
}

// question is a request that reads.
type question struct {
	kernel.Operation
	path string
	body object
}

// closed reports whether the operation needs another pack than some.
func (q question) closed(packs []string) bool {
	return q.Rule.Packs != 0 && !slices.ContainsFunc(packs, func(name string) bool {
		pack, err := access.ParsePack(name)
		return err == nil && q.Rule.Packs.Any(pack)
	})
}

func (q question) ask(c *client) answer {
	c.t.Helper()
	if q.Method == http.MethodGet {
		return c.get(q.path)
	}
	return c.send(q.Method, q.path, q.body)
}

// says reports whether a word of the answer may be an echo of the question.
func (q question) says(word string) bool {
	return strings.Contains(q.path, url.QueryEscape(word)) || strings.Contains(fmt.Sprint(q.body), word)
}

// asker makes up questions.
type asker struct {
	t      *testing.T
	paths  privacyParameters
	person person
	words  []string
	texts  []string
}

// questions asks every operation that reads, once with what it requires, and once
// for each further parameter or field with each value of interest.
func (a asker) questions(table []kernel.Operation) (all []question) {
	for _, o := range table {
		if o.Writes() {
			continue
		}
		for _, path := range a.fill(o.Path) {
			base, fields := a.base(o.In), a.fields(o.In)
			all = append(all, question{o, path, base})
			for _, f := range fields {
				for _, value := range a.values(f) {
					q := question{o, path, base}
					if name := f.Tag.Get("query"); name != "" {
						q.path += "?" + name + "=" + url.QueryEscape(fmt.Sprint(value))
					} else {
						q.body = with(base, f.Tag.Get("json"), value)
					}
					all = append(all, q)
				}
			}
		}
	}
	return all
}

var parameter = regexp.MustCompile(`{(\w+)}`)

// fill puts every planted id in the place of each parameter of a path.
func (a asker) fill(path string) []string {
	found := parameter.FindStringSubmatchIndex(path)
	if found == nil {
		return []string{path}
	}
	values := a.paths[path[found[2]:found[3]]]
	if len(values) == 0 {
		a.t.Fatalf("%s: plant something to put in the place of the parameter", path)
	}
	var all []string
	for _, value := range values {
		all = append(all, a.fill(path[:found[0]]+value+path[found[1]:])...)
	}
	return all
}

// fields are what a request takes in its query and its body.
func (a asker) fields(in reflect.Type) (fields []reflect.StructField) {
	for _, f := range reflect.VisibleFields(in) {
		if !f.Anonymous && (f.Tag.Get("query") != "" || f.Tag.Get("json") != "") {
			fields = append(fields, f)
		}
	}
	return fields
}

// base is what a request cannot do without, and begins before what was planted.
func (a asker) base(in reflect.Type) object {
	body := object{}
	for _, f := range a.fields(in) {
		switch {
		case f.Tag.Get("json") == "cursor":
			body["cursor"] = a.cursor()
		case f.Tag.Get("required") != "":
			body[f.Tag.Get("json")] = a.values(f)[0]
		}
	}
	return body
}

func (a asker) cursor() string {
	return base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(a.number("productId") - 1)))
}

// number is the first id of a kind.
func (a asker) number(name string) int {
	id, err := strconv.Atoi(a.paths[name][0])
	if err != nil {
		a.t.Fatal(err)
	}
	return id
}

// with is a body with one more field. What says how to page has no place beside
// a cursor.
func with(base object, name string, value any) object {
	body := object{name: value}
	for key, given := range base {
		paging := slices.Contains([]string{"sort_type", "sort_order", "skip", "count"}, name)
		if key != name && (!paging || key != "cursor") {
			body[key] = given
		}
	}
	return body
}

// values are those of interest for a field: the words of the person, their ids,
// and every choice there is.
func (a asker) values(f reflect.StructField) (values []any) {
	kind := f.Type
	if kind.Kind() == reflect.Struct && strings.HasPrefix(kind.Name(), "Field[") {
		kind = kind.Field(0).Type
	}
	if choices, ok := reflect.Zero(kind).Interface().(kernel.Choices); ok {
		return anyOf(choices.Choices()...)
	}
	if enum := f.Tag.Get("enum"); enum != "" {
		return anyOf(strings.Split(enum, ",")...)
	}
	switch kind {
	case reflect.TypeFor[[]conditions.ConditionInput]():
		return a.conditions()
	case reflect.TypeFor[[]listing.FacetInput]():
		return []any{list{object{"id": "TypeBien"}}, list{object{"id": "AdresseMasquee"}}, list{object{"id": "Remarques"}}, list{object{"id": "Prix", "bands": list{543209, 543211}}},
			list{object{"id": "TypeMandat"}}, list{object{"id": "DateFinMandat", "bands": list{"2033-06-01"}}}}
	case reflect.TypeFor[kernel.Codes]():
		return []any{"BROUILLON", list{"PREPARATION", "PROJET"}, "COMPROMIS"}
	case reflect.TypeFor[[]int64]():
		return []any{list{a.number("customerId")}, list{101}}
	case reflect.TypeFor[[]deals.DeadlineInput]():
		return []any{list{object{"kind": "REVISION", "from": "2026-01-01"}}}
	case reflect.TypeFor[[]deals.AmountInput]():
		return []any{list{object{"kind": "VAT", "fees_amount": 1, "vat_rate": 20}}}
	case reflect.TypeFor[listing.NearInput]():
		return []any{object{"latitude": 45.75, "longitude": 4.85, "radius_km": 50}}
	case reflect.TypeFor[listing.WithinInput]():
		return []any{object{"south": 45, "west": 4, "north": 46, "east": 5}}
	case reflect.TypeFor[listing.IDList]():
		return anyOf(a.paths["customerId"]...)
	}
	switch kind.Kind() {
	case reflect.String:
		names := []string{a.person.word("first"), a.person.word("first")[:4], a.person.word("first") + " " + a.person.word("last"), a.person.word("last") + " " + a.person.word("first"), "rue " + a.person.word("first")[:6], "2026-01-01"}
		return anyOf(append(names, a.words...)...)
	case reflect.Int, reflect.Int64:
		var ids []any
		for _, name := range []string{"customerId", "productId", "searchId", "leadId"} {
			for _, id := range a.paths[name] {
				n, err := strconv.Atoi(id)
				if err != nil {
					a.t.Fatal(err)
				}
				ids = append(ids, n)
			}
		}
		return ids
	case reflect.Bool:
		return []any{true, false}
	default:
		a.t.Fatalf("say how to ask by %s, which is a %s", f.Name, f.Type)
		return nil
	}
}

// conditions hold words, and the beginning of all words, against every text.
func (a asker) conditions() (all []any) {
	for _, key := range a.texts {
		for _, word := range []string{a.person.word("first")[:4], a.person.word("street"), a.person.word("remark"), a.person.word("last")} {
			for _, operator := range []string{"CONTIENT", "EGAL", "DIFFERENT"} {
				all = append(all, list{condition(key, operator, word)})
			}
		}
	}
	for _, code := range []string{"EXCLUSIF", "SIMPLE"} {
		for _, operator := range []string{"EGAL", "DIFFERENT", "COMPREND", "NE_COMPREND_PAS"} {
			all = append(all, list{condition("TypeMandat", operator, code)})
		}
	}
	for _, operator := range []string{"SUPERIEUR", "INFERIEUR", "EGAL", "DIFFERENT"} {
		all = append(all, list{condition("DateFinMandat", operator, a.person.mandateEnd())})
	}
	return all
}

func anyOf(values ...string) (all []any) {
	for _, value := range values {
		all = append(all, value)
	}
	return all
}
