package console

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// productPages returns the pages about the catalogue.
func productPages() []page {
	one := "/products/{id}"
	return []page{
		{
			path: "/products", title: "Catalogue", template: "products", show: showProducts,
			rule: kernel.Needs(access.Properties|access.Websites, access.ProductRead, access.ProductSearch), menu: &menu{section: data, label: "Catalogue", icon: "home"},
		},
		{path: one, title: "Product", template: "product", show: showProduct, under: "/products"},
		{path: one + "/pictures/{picture}", file: pictureFile},
	}
}

// productsPerPage is how many products a page lists.
const productsPerPage = 50

// facetKeys returns the criteria whose values narrow the list, as far as the site has them.
func facetKeys() []string {
	return []string{criteria.KeyPropertyType, criteria.KeyTransactionType, criteria.KeyStatus}
}

// productsPage is a search of products.
type productsPage struct {
	Form     *form
	Filters  []field
	Filtered bool
	Total    string
	Facets   []facetLinks
	Rows     []productRow
	Empty    empty
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
	State                             state
	Changed                           moment
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
			return in, wrongField("agency", fault.CodeInvalidType, fault.Textf("the number of an agency"))
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
func (q productQuery) with(v *pageRequest, name, value string) string {
	next := url.Values{}
	for known := range q.asked {
		if known != "skip" && known != "site" {
			next.Set(known, q.asked.Get(known))
		}
	}
	if next.Set(name, value); value == "" {
		next.Del(name)
	}
	to := link(v.Prefix, "products")
	if len(next) > 0 {
		to += "?" + next.Encode()
	}
	return to
}

func showProducts(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	q := productQuery{asked: v.r.URL.Query()}
	q.skip, _ = strconv.Atoi(q.asked.Get("skip"))
	filters, refused := q.filters()
	p := productsPage{Empty: empty{Title: "No products yet", Text: "Products appear here as soon as one is created, with POST /products or by an import."}}
	for name := range q.asked {
		p.Filtered = p.Filtered || name != "skip" && name != "site" && q.asked.Get(name) != ""
	}
	if p.Filtered {
		p.Empty = empty{Title: "No products are like that", Clear: link(v.Prefix, "products")}
	}
	if refused == nil {
		refused = v.findProducts(c, &p, q, filters)
	}
	if refused != nil && !isMendable(refused) {
		return nil, refused
	}
	f := newForm(q.asked, refused)
	p.Form = &f
	p.Filters = []field{
		f.text("q", "Text", "", "").as("search"),
		f.one("agency", "Agency", "", "", v.agencyChoices(c)),
		f.one("web", "On the web", "", "", []choice{{Label: "any"}, {Value: "yes", Label: "yes"}, {Value: "no", Label: "no"}}),
	}
	return p, nil
}

// agencyChoices returns the agencies that the caller reaches, and any of them.
func (v *pageRequest) agencyChoices(c kernel.Caller) []choice {
	choices := []choice{{Label: "any"}}
	for _, a := range c.Site.Agencies {
		if c.Scope.Has(a.ID) {
			choices = append(choices, choice{Value: strconv.FormatInt(int64(a.ID), 10), Label: a.Name})
		}
	}
	return choices
}

// findProducts fills the page with what a search finds.
func (v *pageRequest) findProducts(c kernel.Caller, p *productsPage, q productQuery, filters listing.ProductFilters) error {
	search := listing.SearchProducts{Fetch: "category", ProductFilters: filters, SortType: opt.Of("date"), SortOrder: opt.Of("desc")}
	search.Skip, search.Count = opt.Of(max(0, q.skip)), opt.Of(productsPerPage)
	found, err := v.Site.Listing.SearchProducts(v.ctx, c, search)
	if err != nil {
		return err
	}
	products, err := found.Data.All(v.ctx)
	if err != nil {
		return err
	}
	for _, one := range products {
		p.Rows = append(p.Rows, v.productRow(c, one))
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
	p.Curl = searchCurl(filters, q.skip)
	return v.countProducts(c, p, q, filters)
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
func (v *pageRequest) countProducts(c kernel.Caller, p *productsPage, q productQuery, filters listing.ProductFilters) error {
	ask := listing.ProductFacets{ProductFilters: filters}
	var labels []string
	for _, key := range facetKeys() {
		if d, known := c.Site.Dictionary.ByKey(key); known && d.Searchable && d.Active {
			ask.Facets, labels = append(ask.Facets, listing.FacetInput{ID: key}), append(labels, d.Label)
		}
	}
	if len(ask.Facets) == 0 {
		all, err := v.Site.Listing.CountProducts(v.ctx, c, listing.CountProducts{ProductFilters: filters})
		p.Total = counted(all.Count, "product")
		return err
	}
	counts, err := v.Site.Listing.CountFacets(v.ctx, c, ask)
	if err != nil {
		return err
	}
	p.Total = counted(counts.Count, "product")
	for i, f := range counts.Data {
		p.Facets = append(p.Facets, q.facet(v, f, labels[i]))
	}
	return nil
}

func (q productQuery) facet(v *pageRequest, f listing.Facet, label string) facetLinks {
	links, chosen := facetLinks{Label: label}, q.asked.Get(f.ID)
	for _, value := range *f.Values {
		code := fmt.Sprint(value.Value)
		if value.Count == 0 && code != chosen {
			continue
		}
		l := facetLink{Label: code, Count: count(value.Count), Current: code == chosen, Href: q.with(v, f.ID, code)}
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

func (v *pageRequest) productRow(c kernel.Caller, p listing.ProductSummary) productRow {
	return productRow{
		ID: p.ID, Reference: p.Model, Title: said(p.Title), Place: strings.TrimSpace(said(p.PostalCode) + " " + said(p.City)),
		Kind: labelOf(c, criteria.KeyPropertyType, said(p.PropertyType)), Price: amount(p.Price, c.Site.Settings().Currency),
		Surface: amount(p.Surface, "m²"), Consumption: said(p.Energy.ConsoEner), State: productState(c, p.ProductFields), Changed: v.when(p.LastModified.Time),
	}
}

// productState returns the status of a product, with what it means for the web.
func productState(c kernel.Caller, p *listing.ProductFields) state {
	code := said(p.Status)
	word := cmp.Or(labelOf(c, criteria.KeyStatus, code), "no status")
	switch {
	case code == criteria.StatusActive && p.WebStatus:
		return state{well, word}
	case code == criteria.StatusActive:
		return state{told, word + ", not on the web"}
	}
	return state{over, word}
}

// labelOf returns the label of a code of a criterion, or else the code.
func labelOf(c kernel.Caller, key, code string) string {
	d, _ := c.Site.Dictionary.ByKey(key)
	chosen, _ := d.Choice(code)
	return cmp.Or(chosen.Label, code)
}

// said returns a text that may be absent.
func said(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// amount returns a number with its unit, to two decimals and with commas between thousands;
// empty when there is none.
func amount(n *float64, unit string) string {
	if n == nil {
		return ""
	}
	digits, decimals, _ := strings.Cut(strconv.FormatFloat(math.Abs(criteria.Cents(*n)), 'f', 2, 64), ".")
	whole, err := strconv.ParseInt(digits, 10, 64)
	if err != nil { // no price or surface has so many digits
		return strings.TrimSpace(strconv.FormatFloat(*n, 'g', -1, 64) + " " + unit)
	}
	text := strings.TrimSuffix(count(whole)+"."+strings.TrimRight(decimals, "0"), ".")
	if *n < 0 {
		text = "-" + text
	}
	return strings.TrimSpace(text + " " + unit)
}

// searchCurl returns the request of the API that finds the same.
func searchCurl(filters listing.ProductFilters, skip int) string {
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
	return apiCurl("POST", "/products/search?fetch=category", string(text))
}

// apiCurl returns a command that asks the API, without a token.
func apiCurl(method, path, body string) string {
	lines := []string{"curl -X " + method + " " + shellQuoted("https://YOUR-HOST"+kernel.BasePath+path), "-H 'Authorization: Bearer '\"$TOKEN\""}
	if body != "" {
		lines = append(lines, "-H 'Content-Type: application/json'", "-d "+shellQuoted(body))
	}
	return strings.Join(lines, " \\\n  ")
}

// sortedFacts puts facts in the order of their labels.
func sortedFacts(facts []fact) []fact {
	slices.SortStableFunc(facts, func(a, b fact) int { return strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label)) })
	return facts
}
