package catalogue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/formats"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// productPages returns the pages about the catalogue.
func productPages() []kit.Page {
	one := "/products/{id}"
	return []kit.Page{
		{
			Path: "/products", Title: "Catalogue", Template: "products", Show: showProducts, Filters: productFilters(),
			Rule: kernel.Needs(access.Properties|access.Websites, access.ProductRead, access.ProductSearch), Menu: &kit.Menu{Section: kit.Data, Label: "Catalogue", Icon: "home"},
		},
		{Path: one, Title: "Product", Template: "product", Show: showProduct, Under: "/products"},
		{Path: one + "/pictures/{picture}", File: pictureFile},
	}
}

// productsPerPage is how many products a page lists.
const productsPerPage = 50

// productFilters are the names of the parameters of the address that narrow the list.
func productFilters() []string { return append([]string{"q", "agency", "web"}, facetKeys()...) }

// facetKeys returns the criteria whose values narrow the list, as far as the site has them.
func facetKeys() []string {
	return []string{criteria.KeyPropertyType, criteria.KeyTransactionType, criteria.KeyStatus}
}

// productsPage is a search of products.
type productsPage struct {
	Form     *kit.Form
	Filters  []kit.Field
	Filtered bool
	Total    string
	Facets   []facetLinks
	Rows     []productRow
	Empty    kit.Empty
	// Newer and Older are the addresses of the pages around this one.
	Newer, Older string
	Curl         string
}

// facetLinks are the values of a criterion, each a link that narrows the list to it,
// or widens it again.
type facetLinks struct {
	Label  string
	Values []facetLink
}

type facetLink struct {
	Label, Count, Href string
	Current            bool
}

type productRow struct {
	ID                                int64
	Reference, Title, Place           string
	Kind, Price, Surface, Consumption string
	State                             kit.State
	Changed                           kit.Moment
}

// productQuery is a search as the address of the page has it.
type productQuery struct {
	asked url.Values
	skip  int
}

// filters returns those of a search of products.
func (q productQuery) filters() (listing.ProductFilters, error) {
	var in listing.ProductFilters
	if text := strings.TrimSpace(q.asked.Get("q")); text != "" {
		in.Keyword = opt.Of(text)
	}
	if text := q.asked.Get("agency"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return in, kit.WrongField("agency", fault.CodeInvalidType, fault.Textf("the number of an agency"))
		}
		in.AgencyID = opt.Of(id)
	}
	if web := q.asked.Get("web"); web != "" {
		in.StatusWeb = opt.Of(web == "yes")
	}
	for _, key := range facetKeys() {
		if code := q.asked.Get(key); code != "" {
			in.Criterias.Set = true
			in.Criterias.Value = append(in.Criterias.Value, criteria.ConditionInput{ID: key, Operator: opt.Of("EGAL"), Value: criteria.Raw{V: code}})
		}
	}
	return in, nil
}

// with returns the address of the search with one parameter changed; "" takes it away. It
// begins at the first page.
func (q productQuery) with(v *kit.Request, name, value string) string {
	next := url.Values{}
	for known := range q.asked {
		if known != "skip" && known != "site" {
			next.Set(known, q.asked.Get(known))
		}
	}
	if next.Set(name, value); value == "" {
		next.Del(name)
	}
	to := v.Link("products")
	if len(next) > 0 {
		to += "?" + next.Encode()
	}
	return to
}

func showProducts(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	q := productQuery{asked: v.HTTP.URL.Query()}
	q.skip, _ = strconv.Atoi(q.asked.Get("skip"))
	wanted, refused := q.filters()
	p := productsPage{
		Filtered: len(filters.Narrowed(q.asked, productFilters())) > 0,
		Empty:    kit.Empty{Title: "No products yet", Text: "Products appear here as soon as one is created, with POST /products or by an import."},
	}
	if p.Filtered {
		p.Empty = kit.Empty{Title: "No products are like that", Clear: v.Link("products")}
	}
	if refused == nil {
		refused = findProducts(v, c, &p, q, wanted)
	}
	if refused != nil && !kit.IsMendable(refused) {
		return nil, refused
	}
	f := kit.NewForm(v.Language, q.asked, refused)
	p.Form = &f
	p.Filters = []kit.Field{
		f.Text("q", "Text", "", "").As("search"),
		f.One("agency", "Agency", "", "", v.AgencyChoices(c)),
		f.One("web", "On the web", "", "", []kit.Choice{{Label: v.Say("any")}, {Value: "yes", Label: v.Say("yes")}, {Value: "no", Label: v.Say("no")}}),
	}
	return p, nil
}

// findProducts fills the page with what a search finds.
func findProducts(v *kit.Request, c kernel.Caller, p *productsPage, q productQuery, filters listing.ProductFilters) error {
	search := listing.SearchProducts{Fetch: "category", ProductFilters: filters, SortType: opt.Of("date"), SortOrder: opt.Of("desc")}
	search.Skip, search.Count = opt.Of(max(0, q.skip)), opt.Of(productsPerPage)
	found, err := v.Site.Listing.SearchProducts(v.Ctx, c, search)
	if err != nil {
		return err
	}
	products, err := found.Data.All(v.Ctx)
	if err != nil {
		return err
	}
	for _, one := range products {
		p.Rows = append(p.Rows, newProductRow(v, c, one))
	}
	if q.skip > 0 {
		p.Newer = q.with(v, "", "")
		if before := q.skip - productsPerPage; before > 0 {
			p.Newer = withSkip(p.Newer, before)
		}
	}
	if found.HasMore {
		p.Older = withSkip(q.with(v, "", ""), q.skip+productsPerPage)
	}
	p.Curl = searchCurl(v, filters, q.skip)
	return countProducts(v, c, p, q, filters)
}

func withSkip(address string, skip int) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + "skip=" + strconv.Itoa(skip)
}

// countProducts adds how many products there are, and how they spread over the values
// of the criteria that the site has.
func countProducts(v *kit.Request, c kernel.Caller, p *productsPage, q productQuery, filters listing.ProductFilters) error {
	ask := listing.ProductFacets{ProductFilters: filters}
	var labels []string
	for _, key := range facetKeys() {
		if d, known := c.Site.Dictionary.ByKey(key); known && d.Searchable && d.Active {
			ask.Facets, labels = append(ask.Facets, listing.FacetInput{ID: key}), append(labels, d.Label)
		}
	}
	if len(ask.Facets) == 0 {
		all, err := v.Site.Listing.CountProducts(v.Ctx, c, listing.CountProducts{ProductFilters: filters})
		p.Total = v.Counted(int64(all.Count), "product", "products")
		return err
	}
	counts, err := v.Site.Listing.CountFacets(v.Ctx, c, ask)
	if err != nil {
		return err
	}
	p.Total = v.Counted(int64(counts.Count), "product", "products")
	for i, f := range counts.Data {
		p.Facets = append(p.Facets, q.facet(v, f, labels[i]))
	}
	return nil
}

func (q productQuery) facet(v *kit.Request, f listing.Facet, label string) facetLinks {
	links, chosen := facetLinks{Label: label}, q.asked.Get(f.ID)
	for _, value := range *f.Values {
		code := fmt.Sprint(value.Value)
		if value.Count == 0 && code != chosen {
			continue
		}
		l := facetLink{Label: code, Count: v.Count(int64(value.Count)), Current: code == chosen, Href: q.with(v, f.ID, code)}
		if value.Label != nil {
			l.Label = *value.Label
		}
		if l.Current {
			l.Href = q.with(v, f.ID, "")
		}
		links.Values = append(links.Values, l)
	}
	return links
}

func newProductRow(v *kit.Request, c kernel.Caller, p listing.ProductSummary) productRow {
	return productRow{
		ID: p.ID, Reference: p.Model, Title: kit.Said(p.Title), Place: strings.TrimSpace(kit.Said(p.PostalCode) + " " + kit.Said(p.City)),
		Kind: kit.LabelOf(c, criteria.KeyPropertyType, kit.Said(p.PropertyType)), Price: v.Amount(p.Price, c.Site.Settings().Currency),
		Surface: v.Amount(p.Surface, "m²"), Consumption: kit.Said(p.Energy.ConsoEner), State: productState(v, c, p.ProductFields), Changed: v.When(p.LastModified.Time),
	}
}

// productState returns the status of a product, with what it means for the web.
func productState(v *kit.Request, c kernel.Caller, p *listing.ProductFields) kit.State {
	code := kit.Said(p.Status)
	word := cmp.Or(kit.LabelOf(c, criteria.KeyStatus, code), v.Say("no status"))
	switch {
	case code == criteria.StatusActive && p.WebStatus:
		return kit.State{Tone: kit.Well, Said: word}
	case code == criteria.StatusActive:
		return kit.State{Tone: kit.Told, Said: v.Say("%s, not on the web", word)}
	}
	return kit.State{Tone: kit.Over, Said: word}
}

// searchCurl returns the request of the API that finds the same.
func searchCurl(v *kit.Request, filters listing.ProductFilters, skip int) string {
	body := map[string]any{"sort_type": "date", "count": productsPerPage}
	if filters.Keyword.Given() {
		body["keyword"] = filters.Keyword.Value
	}
	if filters.AgencyID.Given() {
		body["agency_id"] = filters.AgencyID.Value
	}
	if filters.StatusWeb.Given() {
		body["status_web"] = filters.StatusWeb.Value
	}
	var conditions []map[string]any
	for _, one := range filters.Criterias.Value {
		conditions = append(conditions, map[string]any{"id": one.ID, "operator": one.Operator.Value, "value": one.Value.V})
	}
	if conditions != nil {
		body["criterias"] = conditions
	}
	if skip > 0 {
		body["skip"] = skip
	}
	text, err := json.Marshal(body)
	if err != nil { // texts and numbers alone are always JSON
		return ""
	}
	return formats.Curl(v, "POST", kernel.BasePath+"/products/search?fetch=category", string(text))
}
