package conform

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// fetchValues are the read options of the contract.
var fetchValues = []string{
	"criteres_text", "criteres_number", "criteres_fulltext", "criteres_flag", "criteres_publication_errors", "descriptions", "rooms", "products_photos",
	"customer", "assigned_to", "created_by", "publications", "actions_history", "sale_agreement", "active_sale_agreement", "log_actions", "live_visit",
	"scopes", "statistic", "insee", "online_booking", "category", "themes",
}

// product is one that checks look at: its id, what is read of it, and its criteria by their id.
type product struct {
	id       int64
	record   object
	criteria map[string]any
}

// path is where a product is read, with more behind.
func (p product) path(more ...any) string { return fmt.Sprint("/products/", p.id, fmt.Sprint(more...)) }

// agencies are the records of discovery, of which there must be one.
func (p *Probe) agencies() []object {
	return once(p, "agencies", func(p *Probe) []object {
		a := p.Get("/discovery").Is(200)
		all := a.records()
		p.Want(len(all) > 0, "an agency in scope", a)
		return all
	})
}

// agency is the id of the first agency in scope.
func (p *Probe) agency() int64 {
	id, ok := integer(p.agencies()[0]["agency_id"])
	p.Want(ok, "agency_id is an integer", p.agencies()[0])
	return id
}

// sampled is how many products checks look at.
const sampled = 10

// products are some of the site, picked by the seed.
func (p *Probe) products() []product {
	return once(p, "products", func(p *Probe) []product {
		ids := p.Post("/products/search", object{}).Is(200).IDs()
		if len(ids) == 0 {
			p.Skip("the site has no products")
		}
		p.random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		var all []product
		for _, id := range ids[:min(sampled, len(ids))] {
			all = append(all, p.product(id))
		}
		return all
	})
}

// product reads one product.
func (p *Probe) product(id int64) product {
	one := product{id: id}
	one.record = p.Get(one.path()).Is(200).Object("data")
	one.criteria = p.criteria(id)
	return one
}

// criteria are the values of a product by their criteria, read now.
func (p *Probe) criteria(id int64) map[string]any {
	a, values := p.Get(product{id: id}.path("/criteria")).Is(200), map[string]any{}
	for i := range a.List("data") {
		values[a.Text(fmt.Sprintf("data.%d.id", i))] = a.JSON(fmt.Sprintf("data.%d.value", i))
	}
	return values
}

// criterion is the value of a criterion of a product, read now; nil without one.
func (p *Probe) criterion(id int64, key string) any { return p.criteria(id)[key] }

// cursorOf is the cursor behind a product.
func cursorOf(id int64) string {
	return base64.StdEncoding.EncodeToString([]byte(strconv.FormatInt(id, 10)))
}

// finds reports whether a search finds a product: it is the first one behind the number before its own.
func (p *Probe) finds(filter object, id int64) bool {
	body := object{}
	if id > 1 {
		body["cursor"] = cursorOf(id - 1)
	}
	maps.Copy(body, filter)
	ids := p.Post("/products/search", body).Is(200).IDs()
	return len(ids) > 0 && ids[0] == id
}

// walk follows a search in cursor mode, and skips the check where there are more pages than it looks at.
func (p *Probe) walk(filter object) []int64 {
	const most = 20
	all, body := []int64{}, object{}
	maps.Copy(body, filter)
	for range most {
		a := p.Post("/products/search", body).Is(200)
		ids := a.IDs()
		p.Want(len(all) == 0 || len(ids) == 0 || ids[0] > all[len(all)-1], "a page that follows the one before", a)
		all = append(all, ids...)
		next := a.JSON("next_cursor")
		p.Want((next != nil) == (a.JSON("has_more") == true), "has_more is true where there is a next_cursor, and false where it is null", a)
		if next == nil {
			return all
		}
		body["cursor"] = a.Text("next_cursor")
	}
	p.Skip("the site has more than %d pages of products", most)
	return nil
}

// everything are the ids of all products.
func (p *Probe) everything() []int64 {
	return once(p, "everything", func(p *Probe) []int64 { return p.walk(object{}) })
}

// count counts what a search finds.
func (p *Probe) count(filter object) int64 {
	return p.Post("/products/search/count", filter).Is(200).Int("count")
}

// clause is a condition of a search.
func clause(id, operator string, value any) object {
	return object{"criterias": list{object{"id": id, "operator": operator, "value": value}}}
}

// records are those in data, each an object.
func (a *Answer) records() []object {
	var all []object
	for i := range a.List("data") {
		all = append(all, a.Object(fmt.Sprint("data.", i)))
	}
	return all
}

// values are the codes that a criterion or list has.
func (p *Probe) values(path string) []string {
	return once(p, path, func(p *Probe) []string {
		a := p.Get(path).Is(200)
		var all []string
		for i := range a.List("data") {
			all = append(all, a.Text(fmt.Sprintf("data.%d.model", i)))
		}
		p.Want(len(all) > 0, "a value", a)
		return all
	})
}

// home is a type of product that the server knows, that of a dwelling if it is called as in France.
func (p *Probe) home() string {
	codes := p.values("/criterias/product/TypeBien/values")
	if slices.Contains(codes, "Maison") {
		return "Maison"
	}
	return codes[0]
}

// definition is that of a criterion.
func (p *Probe) definition(key string) object {
	return once(p, "definition of "+key, func(p *Probe) object { return p.Get("/criterias/product/" + key).Is(200).Object("data") })
}

// first returns the first of some that is as it should be, and skips the check where none is.
func first[T any](p *Probe, what string, all []T, ok func(T) bool) T {
	i := slices.IndexFunc(all, ok)
	if i < 0 {
		p.Skip("there is no %s to look at", what)
	}
	return all[i]
}
