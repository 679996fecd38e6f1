package conform

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The operations that take filters.
const searchPath, countPath = "/products/search", "/products/search/count"

// filter is one of a search, by a field of records: what of a record it is given, whether it finds another
// one, and a value by which it does not find the record.
type filter struct {
	name   string
	number int
	field  string
	value  func(any) any
	finds  func(other, picked any) bool
	other  func(*Probe, any) any
}

func same(value any) any               { return value }
func equal(other, picked any) bool     { return other == picked }
func listOf(value any) any             { return list{value} }
func text(value any) any               { return fmt.Sprint(value) }
func notBefore(other, picked any) bool { return !moment(other).Before(moment(picked)) }

func opposite(_ *Probe, value any) any { return value == false }
func next(_ *Probe, value any) any     { n, _ := integer(value); return n + 1 }

var filters = []filter{
	{"model", 120, "model", same, equal, func(p *Probe, _ any) any { return p.reference() }},
	{"customer_id", 121, "customer_id", same, equal, next},
	{"agency_id", 122, "agency_id", same, equal, func(p *Probe, value any) any {
		return first(p, "second agency", p.agencies(), func(one object) bool { return one["agency_id"] != value })["agency_id"]
	}},
	{"products_admin_id", 123, "user_id", listOf, equal, func(p *Probe, value any) any { return list{next(p, value)} }},
	{"products_admin_id.text", 123, "user_id", text, equal, func(p *Probe, value any) any { return fmt.Sprint(next(p, value)) }},
	{"last_modified", 124, "last_modified", same, notBefore, func(*Probe, any) any { return "2999-01-01T00:00:00Z" }},
	{"status_web", 125, "web_status", same, equal, opposite},
	{"hasVisit360", 126, "has_visit360", same, equal, opposite},
}

// key is the field of the request.
func (f filter) key() string { name, _, _ := strings.Cut(f.name, "."); return name }

// operator is one of a condition: whether it finds a product whose criterion has a value.
type operator struct {
	name      string
	number    int
	criterion string // empty is any with several values
	value     func(any) any
	finds     func(other, picked any) bool
}

var operators = []operator{
	{"EGAL", 132, "TypeBien", text, equal},
	{"DIFFERENT", 133, "TypeBien", text, func(other, picked any) bool { return other != picked }},
	{"SUPERIEUR", 134, "Prix", number64, func(other, picked any) bool { return other.(float64) >= picked.(float64) }},
	{"INFERIEUR", 135, "Prix", number64, func(other, picked any) bool { return other.(float64) <= picked.(float64) }},
	{"CONTIENT", 136, "Ville", part, func(other, picked any) bool { return strings.Contains(other.(string), part(picked).(string)) }},
	{"COMPREND", 137, "", head, includes},
	{"NE_COMPREND_PAS", 138, "", head, func(other, picked any) bool { return !includes(other, picked) }},
}

func number64(value any) any { n, _ := number(value); return strconv.FormatFloat(n, 'f', -1, 64) }
func head(value any) any     { return list{value.(list)[0]} }
func includes(other, picked any) bool {
	return slices.Contains(other.(list), picked.(list)[0])
}

// ascii texts are the same to servers that compare without accents and to others.
var ascii = regexp.MustCompile(`^[a-zA-Z0-9 -]{2,}$`)

// part is the second half of a text.
func part(value any) any {
	runes := []rune(value.(string))
	return string(runes[len(runes)/2:])
}

func searchChecks() []Check {
	var all []Check
	for _, f := range filters {
		all = append(all, Check{ID: "search.filter." + f.name, Number: f.number, Run: func(p *Probe) {
			picked := first(p, f.field, p.products(), func(one product) bool { return one.record[f.field] != nil })
			filter := object{f.key(): f.value(picked.record[f.field])}
			for _, one := range p.products() {
				if one.record[f.field] != nil {
					p.found(filter, one, f.finds(one.record[f.field], picked.record[f.field]))
				}
			}
			p.found(object{f.key(): f.other(p, picked.record[f.field])}, picked, false)
		}})
	}
	for _, o := range operators {
		all = append(all, Check{ID: "search.operator." + o.name, Number: o.number, Run: func(p *Probe) {
			criterion := o.criterion
			has := func(one product) bool {
				text, _ := one.criteria[criterion].(string)
				return one.criteria[criterion] != nil && (o.name != "CONTIENT" || ascii.MatchString(text))
			}
			if criterion == "" {
				for _, one := range p.products() {
					for _, key := range slices.Sorted(maps.Keys(one.criteria)) {
						if values, ok := one.criteria[key].(list); ok && len(values) > 0 && criterion == "" {
							criterion = key
						}
					}
				}
			}
			picked := first(p, "product with the criterion", p.products(), has)
			filter := clause(criterion, o.name, o.value(picked.criteria[criterion]))
			for _, one := range p.products() {
				if has(one) {
					p.found(filter, one, o.finds(one.criteria[criterion], picked.criteria[criterion]))
				}
			}
		}})
	}
	for _, c := range []struct {
		id   string
		body object
	}{
		{"id", object{"operator": "EGAL", "value": 1}},
		{"operator", object{"id": "Prix", "value": 1}},
		{"value", object{"id": "Prix", "operator": "EGAL"}},
	} {
		all = append(all, Check{ID: "search.criterias.requires." + c.id, Number: 118, Run: func(p *Probe) {
			p.Post(searchPath, object{"criterias": list{c.body}}).Refused(422)
		}})
	}
	for _, order := range []struct{ name, criterion, field string }{
		{"id", "", "id"}, {"prix", "Prix", ""}, {"surface", "Surface", ""}, {"date", "", "last_modified"}, {"date_added", "", "date_added"},
	} {
		all = append(all, Check{ID: "search.sort." + order.name, Number: 127, Run: func(p *Probe) {
			for _, direction := range []string{"asc", "desc"} {
				ids := p.Post(searchPath, object{"sort_type": order.name, "sort_order": direction, "count": sampled}).Is(200).IDs()
				p.ordered(ids, order.criterion, order.field, direction == "desc")
			}
		}})
	}
	return append(all,
		Check{ID: "search.sort.unknown", Number: 127, Run: func(p *Probe) { p.Post(searchPath, object{"sort_type": "price"}).Refused(422) }},
		Check{ID: "search.order.default", Number: 128, Run: func(p *Probe) {
			p.ordered(p.Post(searchPath, object{"count": sampled}).Is(200).IDs(), "", "id", true)
			p.ordered(p.Post(searchPath, object{"count": sampled, "sort_order": "asc"}).Is(200).IDs(), "", "id", false)
		}},
		Check{ID: "search.order.unknown", Number: 128, Run: func(p *Probe) { p.Post(searchPath, object{"sort_order": "up"}).Refused(422) }},
		Check{ID: "search.answer", Number: 141, Run: func(p *Probe) {
			a := p.Post(searchPath, object{}).Is(200)
			a.List("data")
			_, boolean := a.JSON("has_more").(bool)
			_, string := a.JSON("next_cursor").(string)
			p.Want(boolean && (string || a.JSON("next_cursor") == nil), "next_cursor is a string or null, has_more a boolean", a)
		}},
		Check{ID: "search.has_more", Number: 87, Run: func(p *Probe) {
			a, all := p.Post(searchPath, object{}).Is(200), p.count(object{})
			p.Want((a.JSON("has_more") == true) == (int64(len(a.IDs())) < all), fmt.Sprintf("has_more is true until all %d products were told", all), a)
			p.Want(int64(len(p.everything())) == all, "pages as long as has_more is true", "another number of products")
		}},
		Check{ID: "search.ids_only", Number: 116, Run: func(p *Probe) {
			for _, record := range p.Post(searchPath, object{}).Is(200).records() {
				_, id := integer(record["id"])
				p.Want(id && len(record) == 1, "only the id of each product", record)
			}
		}},
		Check{ID: "search.hydrated", Number: 117, Run: func(p *Probe) {
			for _, record := range p.Post(searchPath+"?fetch=rooms", object{"count": 5}).Is(200).records() {
				p.Want(len(record) > 2, "more than the id", record)
			}
		}},
		Check{ID: "search.fetch.list", Number: 115, Run: func(p *Probe) {
			for i, name := range fetchValues {
				p.Post(searchPath+"?fetch="+name+","+fetchValues[(i+1)%len(fetchValues)], object{"count": 1}).Is(200).List("data")
			}
		}},
		Check{ID: "search.cursor.ascending", Number: 139, Run: func(p *Probe) { p.ordered(p.Post(searchPath, object{}).Is(200).IDs(), "", "id", false) }},
		Check{ID: "search.cursor.all", Number: 19, Run: func(p *Probe) {
			ids := p.everything()
			p.Want(slices.IsSorted(ids) && len(slices.Compact(slices.Clone(ids))) == len(ids), "each product once, over all pages", ids)
			p.Want(int64(len(ids)) == p.count(object{}), "as many products as are counted", len(ids))
		}},
		Check{ID: "search.cursor.base64", Number: 129, Run: func(p *Probe) {
			one := first(p, "product", p.products(), func(product) bool { return true })
			for _, id := range p.Post(searchPath, object{"cursor": cursorOf(one.id)}).Is(200).IDs() {
				p.Want(id > one.id, "only what follows the product of the cursor", id)
			}
			p.found(object{}, one, true)
			a := p.Post(searchPath, object{}).Is(200)
			if a.JSON("next_cursor") != nil {
				last, err := base64.StdEncoding.DecodeString(a.Text("next_cursor"))
				ids := a.IDs()
				p.Want(err == nil && string(last) == fmt.Sprint(ids[len(ids)-1]), "next_cursor is base64 of the last id", string(last))
			}
		}},
		Check{ID: "search.cursor.ignores", Number: 129, Run: func(p *Probe) {
			cursor := cursorOf(p.products()[0].id)
			plain := p.Post(searchPath, object{"cursor": cursor}).Is(200).IDs()
			p.Want(slices.Equal(plain, p.Post(searchPath, object{"cursor": cursor, "skip": 1, "count": 1}).Is(200).IDs()), "skip and count are ignored with a cursor", "another page")
		}},
		Check{ID: "search.skip", Number: 130, Run: func(p *Probe) {
			all := p.Post(searchPath, object{"skip": 0, "count": 6}).Is(200).IDs()
			if len(all) < 3 {
				p.Skip("the site has fewer than 3 products")
			}
			p.Want(slices.Equal(all[2:], p.Post(searchPath, object{"skip": 2, "count": len(all) - 2}).Is(200).IDs()), "what follows the first two", "something else")
		}},
		Check{ID: "search.count", Number: 131, Run: func(p *Probe) { // Q10
			p.Want(len(p.Post(searchPath, object{"count": 3}).Is(200).List("data")) <= 3, "at most as many as count says", "more")
			p.Want(len(p.Post(searchPath, object{"skip": 0}).Is(200).List("data")) <= 100, "at most 100 by default", "more")
		}},
		Check{ID: "search.count.ids", Number: 140, Run: func(p *Probe) {
			want := min(p.count(object{}), 2000)
			got := len(p.Post(searchPath, object{"count": 2000}).Is(200).List("data"))
			p.Want(int64(got) == want, fmt.Sprintf("%d ids", want), got)
		}},
		Check{ID: "search.count.max", Number: 222, Run: func(p *Probe) {
			p.Post(searchPath+"?fetch=rooms", object{"count": 100}).Is(200)
			for i, path := range []string{searchPath, searchPath + "?fetch=rooms"} {
				most := []int{2000, 100}[i]
				a := p.Post(path, object{"count": most + 1})
				p.Want(a.Status == 422 || len(a.Is(200).List("data")) <= most, fmt.Sprintf("at most %d products", most), a)
			}
		}},
		Check{ID: "search.offset.2000", Number: 223, Run: func(p *Probe) {
			p.Want(len(p.Post(searchPath, object{"count": 2000}).Is(200).List("data")) <= 2000, "at most 2000 ids", "more")
		}},
		Check{ID: "search.keyword.reference", Number: 119, Run: func(p *Probe) {
			one := first(p, "reference", p.products(), func(one product) bool { _, ok := one.record["model"].(string); return ok })
			p.found(object{"keyword": one.record["model"]}, one, true)
			p.found(object{"keyword": "no such reference " + p.run.name}, one, false)
		}},
		Check{ID: "search.keyword.address", Number: 119, Run: func(p *Probe) {
			one := first(p, "address", p.products(), func(one product) bool {
				address, _ := one.criteria["Adresse"].(string)
				city, _ := one.criteria["Ville"].(string)
				return address != "" && city != "" && utf8.RuneCountInString(address+city) < 200
			})
			p.found(object{"keyword": fmt.Sprint(one.criteria["Adresse"], " ", one.criteria["Ville"])}, one, true)
		}},
		Check{ID: "search.keyword.price", Number: 119, Run: func(p *Probe) {
			one := first(p, "price", p.products(), func(one product) bool { n, ok := number(one.criteria["Prix"]); return ok && n > 1000 })
			price, _ := number(one.criteria["Prix"])
			for _, far := range []float64{0.92, 1, 1.08} {
				p.found(object{"keyword": strconv.Itoa(int(price / far))}, one, true)
			}
			p.found(object{"keyword": strconv.Itoa(int(math.Floor(price/1.2) - 7))}, one, false)
		}},
		Check{ID: "search.last_modified.bounds", Number: 124, Run: func(p *Probe) {
			p.Want(p.count(object{"last_modified": time.Now().AddDate(1, 0, 0).UTC().Format(time.RFC3339)}) == 0, "nothing was modified after next year", "a product")
			p.Want(p.count(object{"last_modified": "1970-01-01T00:00:00Z"}) == p.count(object{}), "everything was modified after 1970", "fewer products")
		}},
		parts("search.status_web.parts", 125, "status_web"),
		parts("search.hasVisit360.parts", 126, "hasVisit360"),
		Check{ID: "search.null", Number: 141, Run: func(p *Probe) {
			body := object{}
			for _, name := range []string{"keyword", "model", "customer_id", "agency_id", "last_modified", "status_web", "hasVisit360", "sort_type", "sort_order", "cursor", "count"} {
				body[name] = nil
			}
			p.Want(slices.Equal(p.Post(searchPath, body).Is(200).IDs(), p.Post(searchPath, object{}).Is(200).IDs()), "null is as nothing", "other products")
		}},
		Check{ID: "search.agency.scope", Number: 194, Needs: SecondSite, Run: func(p *Probe) {
			a := p.Post(searchPath, object{"agency_id": p.theirAgency()})
			p.Want(a.Status == 403 || a.Status == 404 || a.Status == 422 || a.Status == 200 && len(a.List("data")) == 0, "nothing of an agency out of scope", a)
		}},
		Check{ID: "search.scope", Number: 193, Needs: SecondSite, Run: func(p *Probe) {
			mine := p.Post(searchPath, object{}).Is(200).IDs()
			p.other(func(p *Probe) {
				for _, id := range p.Post(searchPath, object{}).Is(200).IDs() {
					p.Want(!slices.Contains(mine, id), "no product of another site", id)
				}
			})
		}},
		Check{ID: "count.answer", Number: 144, Run: func(p *Probe) { p.Want(p.count(object{}) >= 0, "a number of products", "less than none") }},
		Check{ID: "count.filters", Number: 143, Run: func(p *Probe) {
			one := p.products()[0]
			total := p.count(object{})
			for _, f := range filters {
				if value := one.record[f.field]; value != nil {
					body := object{f.key(): f.value(value)}
					got, want := p.count(body), total
					if want <= 2000 {
						with := object{"count": 2000}
						for k, v := range body {
							with[k] = v
						}
						want = int64(len(p.Post(searchPath, with).Is(200).List("data")))
						p.Want(got == want, fmt.Sprintf("%d products, as a search by %s finds", want, f.key()), got)
					}
					p.Want(got >= 1 && got <= total, "between one product and all", got)
				}
			}
		}},
	)
}

// parts is the check that a boolean filter parts all products.
func parts(id string, number int, field string) Check {
	return Check{ID: id, Number: number, Run: func(p *Probe) {
		yes, no, all := p.count(object{field: true}), p.count(object{field: false}), p.count(object{})
		p.Want(yes+no == all, fmt.Sprintf("%d products with %s true or false", all, field), fmt.Sprintf("%d and %d", yes, no))
	}}
}

// found demands that a search finds a product, or does not.
func (p *Probe) found(filter object, one product, want bool) {
	if got := p.finds(filter, one.id); got != want {
		p.Fail(fmt.Sprintf("%v finds product %d: %v", filter, one.id, want), got)
	}
}

// ordered demands that products are in an order, by a criterion or a field of their records.
func (p *Probe) ordered(ids []int64, criterion, field string, descending bool) {
	if len(ids) < 2 {
		p.Skip("the site has fewer than 2 products")
	}
	var values []float64
	for _, id := range ids {
		if field == "id" {
			values = append(values, float64(id))
			continue
		}
		one := once(p, fmt.Sprint("product ", id), func(p *Probe) product { return p.product(id) })
		value, ok := number(one.criteria[criterion])
		if criterion == "" {
			at := moment(one.record[field])
			value, ok = float64(at.UnixMilli()), !at.IsZero()
			if !ok {
				p.Skip("products show no %s", field)
			}
		}
		if ok {
			values = append(values, value)
		}
	}
	p.Want(sorted(values, descending), fmt.Sprintf("products by %s%s, descending %v", criterion, field, descending), values)
}

// theirAgency is an agency of the second site.
func (p *Probe) theirAgency() (id int64) {
	p.other(func(p *Probe) { id = p.Get("/discovery").Is(200).Int("data.0.agency_id") })
	return id
}

func productChecks() []Check {
	return []Check{
		{ID: "product.answer", Number: 149, Run: func(p *Probe) { one := p.products()[0]; p.Get(one.path()).Is(200).Equals("data.id", one.id) }},
		{ID: "product.id", Number: 42, Run: func(p *Probe) {
			for _, one := range p.products() {
				id, ok := integer(one.record["id"])
				p.Want(ok && id == one.id, "the id that was asked for", one.record["id"])
			}
		}},
		{ID: "product.base", Number: 148, Run: func(p *Probe) {
			one := p.products()[0]
			p.Want(len(p.Get(one.path()).Is(200).Object("data")) > 2, "base fields", one.record)
		}},
		{ID: "product.404", Number: 149, Run: func(p *Probe) { p.Get("/products/" + unknownID).Refused(404) }},
		{ID: "product.scope", Number: 149, Needs: SecondSite, Run: func(p *Probe) {
			var theirs int64
			p.other(func(p *Probe) {
				ids := p.Post(searchPath, object{}).Is(200).IDs()
				if len(ids) == 0 {
					p.Skip("the second site has no products")
				}
				theirs = ids[0]
			})
			for _, more := range []string{"", "/criteria", "/lots"} {
				p.Get(fmt.Sprintf("/products/%d%s", theirs, more)).Refused(403, 404)
			}
		}},
		{ID: "product.fetch", Number: 147, Run: func(p *Probe) {
			one := p.products()[0]
			p.Get(one.path("?fetch=", strings.Join(fetchValues, ","))).Is(200).Equals("data.id", one.id)
		}},
		{ID: "product.fetch.values", Number: 73, Run: func(p *Probe) {
			for _, name := range fetchValues {
				p.Get(p.products()[0].path("?fetch=", name)).Is(200).Object("data")
			}
		}},
		{ID: "product.criteria.answer", Number: 160, Run: func(p *Probe) {
			a := p.Get(p.products()[0].path("/criteria")).Is(200)
			for i, item := range a.records() {
				a.Text(fmt.Sprintf("data.%d.id", i))
				a.JSON(fmt.Sprintf("data.%d.value", i))
				_, text := item["label"].(string)
				p.Want(text || a.JSON(fmt.Sprintf("data.%d.label", i)) == nil, "label is a string or null", item)
			}
		}},
		{ID: "product.lots.answer", Number: 163, Run: func(p *Probe) { p.Get(p.products()[0].path("/lots")).Is(200).records() }},
		{ID: "product.lots.fetch", Number: 162, Run: func(p *Probe) { p.Get(p.products()[0].path("/lots?fetch=rooms,descriptions")).Is(200).records() }},
		{ID: "product.lots.lot", Number: 74, Run: func(p *Probe) {
			for _, one := range p.products() {
				for _, lot := range p.Get(one.path("/lots")).Is(200).records() {
					id, ok := integer(lot["id"])
					p.Want(ok && id != one.id, "a product that is another one", lot)
					p.Get(fmt.Sprint("/products/", id)).Is(200)
				}
			}
		}},
		{ID: "product.actions.answer", Number: 169, Run: func(p *Probe) { p.Get(p.products()[0].path("/actions")).Is(200).List("data") }},
		{ID: "product.actions.404", Number: 169, Run: func(p *Probe) { p.Get("/products/" + unknownID + "/actions").Refused(404) }},
		{ID: "product.active.visible", Number: 88, Run: func(p *Probe) {
			one := first(p, "active product", p.products(), func(one product) bool { return one.criteria["Statut"] == "EnCours" })
			p.found(clause("Statut", "EGAL", "EnCours"), one, true)
			p.found(clause("Statut", "DIFFERENT", "EnCours"), one, false)
		}},
		{ID: "product.active.value", Number: 60, Run: func(p *Probe) {
			p.Want(slices.Contains(p.values("/criterias/product/Statut/values"), "EnCours"), "EnCours is a value of Statut", "others")
		}},
	}
}

// kinds are the types of criteria, and what values of them look like.
var kinds = []struct {
	name   string
	number int
	fits   func(p *Probe, key string, value any) bool
}{
	{"UNIQUE", 62, func(p *Probe, key string, value any) bool { return p.isCode(key, value) }},
	{"NUMBER", 63, func(_ *Probe, _ string, value any) bool { _, ok := value.(float64); return ok }},
	{"FLAG", 64, func(_ *Probe, _ string, value any) bool {
		return value == 0.0 || value == 1.0 || value == "0" || value == "1"
	}},
	{"TEXT", 65, func(_ *Probe, _ string, value any) bool { _, ok := value.(string); return ok }},
	{"MULTIPLE", 66, func(p *Probe, key string, value any) bool {
		values, ok := value.(list)
		return ok && !slices.ContainsFunc(values, func(one any) bool { return !p.isCode(key, one) })
	}},
	{"DATE", 67, func(_ *Probe, _ string, value any) bool {
		text, _ := value.(string)
		for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", "02/01/2006"} {
			if _, err := time.Parse(layout, text); err == nil {
				return true
			}
		}
		return false
	}},
}

// isCode reports whether a value is a code of a criterion, deactivated ones too.
func (p *Probe) isCode(key string, value any) bool {
	text, ok := value.(string)
	if !ok || slices.Contains(p.values("/criterias/product/"+key+"/values"), text) {
		return ok
	}
	_, err := strconv.Atoi(text)
	return err != nil
}

func criteriaChecks() []Check {
	all := []Check{
		{ID: "criteria.all", Number: 174, Run: func(p *Probe) { p.Get("/criterias/product/all").Is(200).records() }},
		{ID: "criteria.definition", Number: 79, Run: func(p *Probe) {
			a := p.Get("/criterias/product/all").Is(200)
			for i := range a.List("data") {
				kind := a.Text(fmt.Sprintf("data.%d.type", i))
				a.Text(fmt.Sprintf("data.%d.label", i))
				p.Want(slices.Contains([]string{"UNIQUE", "NUMBER", "FLAG", "TEXT", "MULTIPLE", "DATE"}, kind), "a type of the contract", kind)
			}
		}},
		{ID: "criteria.one", Number: 175, Run: func(p *Probe) {
			kind := p.definition("TypeBien")
			p.Want(kind["type"] == "UNIQUE", "TypeBien is UNIQUE", kind)
			values := slices.ContainsFunc(slices.Collect(maps.Values(kind)), func(value any) bool { items, ok := value.(list); return ok && len(items) > 0 })
			p.Want(values, "the definition with its values", kind)
		}},
		{ID: "criteria.values", Number: 176, Run: func(p *Probe) { p.values("/criterias/product/TypeBien/values") }},
		{ID: "criteria.value", Number: 69, Run: func(p *Probe) {
			a := p.Get("/criterias/product/TypeBien/values").Is(200)
			for i := range a.List("data") {
				a.Int(fmt.Sprintf("data.%d.id", i))
				a.Text(fmt.Sprintf("data.%d.model", i))
				a.Text(fmt.Sprintf("data.%d.label", i))
			}
			a.JSON("data.0")
		}},
		{ID: "lists.answer", Number: 177, Run: func(p *Probe) { p.Get("/configs/listes/1/values").Is(200).records() }},
		{ID: "lists.four", Number: 71, Run: func(p *Probe) {
			seen := map[string]bool{}
			for n := 1; n <= 4; n++ {
				seen[fmt.Sprint(p.values(fmt.Sprintf("/configs/listes/%d/values", n)))] = true
			}
			p.Want(len(seen) == 4, "four lists with values of their own", len(seen))
		}},
		{ID: "criteria.common", Number: 68, Run: func(p *Probe) {
			common := map[string]string{
				"TypeBien": "UNIQUE", "TypeTransaction": "UNIQUE", "NbPieces": "NUMBER", "Surface": "NUMBER", "Prix": "NUMBER", "conso_energ": "NUMBER",
				"ConsoEner": "UNIQUE", "Adresse": "TEXT", "CodePostal": "TEXT", "Ville": "TEXT", "Alentour": "TEXT",
			}
			for _, key := range slices.Sorted(maps.Keys(common)) {
				kind := common[key]
				p.Want(p.definition(key)["type"] == kind, key+" is "+kind, p.definition(key)["type"])
			}
		}},
		{ID: "criteria.energy.numeric", Number: 54, Run: func(p *Probe) {
			for _, key := range []string{"conso_energ", "valeur_GES"} {
				p.Want(p.definition(key)["type"] == "NUMBER", key+" is NUMBER", p.definition(key)["type"])
			}
		}},
		{ID: "criteria.energy.letters", Number: 56, Run: func(p *Probe) {
			for _, key := range []string{"ConsoEner", "GES"} {
				for _, letter := range []string{"A", "B", "C", "D", "E", "F", "G"} {
					p.Want(slices.Contains(p.values("/criterias/product/"+key+"/values"), letter), key+" has the value "+letter, "others")
				}
			}
		}},
		{ID: "criteria.position", Number: 57, Run: func(p *Probe) {
			one := first(p, "position", p.products(), func(one product) bool { return one.criteria["Alentour"] != nil })
			latitude, longitude, found := strings.Cut(fmt.Sprint(one.criteria["Alentour"]), ",")
			_, ok := number(strings.TrimSpace(latitude))
			_, too := number(strings.TrimSpace(longitude))
			p.Want(found && ok && too, "lat,lng", one.criteria["Alentour"])
		}},
		{ID: "users.named", Number: 189, Run: func(p *Probe) { p.Get("/users").Is(200).List("data") }},
		{ID: "action_types.named", Number: 189, Run: func(p *Probe) { p.Get("/actions/types").Is(200).List("data") }},
		{ID: "customers.search.named", Number: 189, Run: func(p *Probe) { p.Post("/customers/search", object{}).Is(200).List("data") }},
		{ID: "customers.search.contact", Number: 15, Run: func(p *Probe) {
			some := p.Post("/customers/search", object{}).Is(200).records()
			known := first(p, "customer with an address", some, func(o object) bool { _, ok := o["email"].(string); return ok })
			ids := p.Post("/customers/search", object{"email": known["email"]}).Is(200).records()
			p.Want(slices.ContainsFunc(ids, func(o object) bool { return reflect.DeepEqual(o["id"], known["id"]) }), "the customer with the address", ids)
			p.Want(len(p.Post("/customers/search", object{"email": strings.ToLower(p.run.name) + "@conform.example"}).Is(200).List("data")) == 0, "nobody with an address that nobody has", "somebody")
		}},
	}
	for _, kind := range kinds {
		all = append(all, Check{ID: "criteria.type." + kind.name, Number: kind.number, Run: func(p *Probe) {
			looked := false
			for _, one := range p.products() {
				for _, key := range slices.Sorted(maps.Keys(one.criteria)) {
					value := one.criteria[key]
					if p.typeOf(key) == kind.name {
						looked = true
						p.Want(kind.fits(p, key, value), key+" has a value of "+kind.name, fmt.Sprintf("%#v", value))
					}
				}
			}
			if !looked {
				p.Skip("no product has a criterion that is %s", kind.name)
			}
		}})
	}
	return all
}

// typeOf is the type of a criterion by its key.
func (p *Probe) typeOf(key string) any {
	types := once(p, "types", func(p *Probe) map[string]any {
		a, all := p.Get("/criterias/product/all").Is(200), map[string]any{}
		for _, record := range a.records() {
			for _, name := range []string{"key", "name", "xml_key", "id"} {
				if known, ok := record[name].(string); ok {
					all[known] = record["type"]
				}
			}
		}
		return all
	})
	if kind, ok := types[key]; ok {
		return kind
	}
	return p.definition(key)["type"]
}
