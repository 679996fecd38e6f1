package console

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// maxMatches is how many matches a page lists.
const maxMatches = 50

// searchPage is a search request with the products that match it.
type searchPage struct {
	Customer, ID int64
	State        state
	Facts        []fact
	Tabs         []tab
	Count        string
	Rows         []matchRow
	Empty        empty
	More         string
}

func (p searchPage) title() string { return fmt.Sprintf("Search request %d", p.ID) }

// matchRow is a product that matches, or nearly does.
type matchRow struct {
	Product         ref
	Score           int
	State           state
	Reasons, Misses []finding
}

// finding is one demand compared with a product.
type finding struct {
	What, Wanted, Found string
	// By is how far off it is, if that can be said.
	By   string
	Wish bool
}

func showSearchRequest(v *pageRequest) (any, error) {
	of, err := v.id("id")
	if err != nil {
		return nil, err
	}
	id, err := v.id("search")
	if err != nil {
		return nil, err
	}
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	r, err := v.Site.People.GetSearchRequest(v.ctx, c, people.SearchRequestPath{CustomerID: of, ID: id})
	if err != nil {
		return nil, err
	}
	near := v.query("near") != ""
	skip, _ := strconv.Atoi(v.query("skip"))
	skip = max(skip, 0)
	found, err := v.Site.People.ListMatchingProducts(v.ctx, c, people.MatchingProducts{
		CustomerID: of, ID: id, MatchQuery: people.MatchQuery{NearMisses: near, Skip: opt.Of(skip), Count: opt.Of(maxMatches)},
	})
	if err != nil {
		return nil, err
	}
	here := link(v.Prefix, "people", of, "searches", id)
	p := searchPage{
		Customer: of, ID: id, State: searchState(r), Facts: searchFacts(c, r), Count: counted(found.Count, "product"),
		Tabs:  []tab{{Label: "Matches", Href: here, Current: !near}, {Label: "Near misses too", Href: here + "?near=yes", Current: near}},
		Empty: empty{Title: "No product matches", Text: "Active products that have all that is wanted appear here, the best first."},
	}
	names, err := v.productNames(c, productsOf(found.Data, func(m people.MatchingProduct) *int64 { return &m.ProductID })...)
	if err != nil {
		return nil, err
	}
	for _, m := range found.Data {
		p.Rows = append(p.Rows, v.matchRow(c, names, m))
	}
	if found.HasMore {
		p.More = p.Tabs[0].Href + "?skip=" + strconv.Itoa(skip+maxMatches)
		if near {
			p.More += "&near=yes"
		}
	}
	return p, nil
}

func (v *pageRequest) matchRow(c kernel.Caller, names productNames, m people.MatchingProduct) matchRow {
	row := matchRow{Product: v.toProduct(names, &m.ProductID), Score: m.Score, State: state{well, "matches"}}
	if !m.Match {
		row.State = state{wanted, "misses little"}
	}
	for _, r := range m.Reasons {
		row.Reasons = append(row.Reasons, findingOf(c, r))
	}
	for _, miss := range m.Misses {
		f := findingOf(c, miss.MatchReason)
		f.By = amount(miss.By, "")
		row.Misses = append(row.Misses, f)
	}
	return row
}

// findingOf returns what was wanted, and what there is.
func findingOf(c kernel.Caller, r people.MatchReason) finding {
	return finding{What: demandInWords(c, r.ID), Wanted: wantedInWords(r.Wanted), Found: plain(r.Found), Wish: r.Wish}
}

// demandInWords names a demand: a criterion by its label.
func demandInWords(c kernel.Caller, id string) string {
	switch id {
	case "transaction_type":
		return "Transaction"
	case "property_types":
		return "Kind of property"
	case "areas":
		return "Where"
	}
	d, _ := c.Site.Dictionary.ByKey(id)
	return cmp.Or(d.Label, wordOf(c, criteria.KeyPoints, id))
}

// wantedInWords returns what a search request asks of a product.
func wantedInWords(w people.MatchWanted) string {
	value := plain(w.Value)
	switch w.Operator {
	case "SUPERIEUR":
		return "at least " + value
	case "INFERIEUR":
		return "at most " + value
	case "DIFFERENT", "NE_COMPREND_PAS", "EXCLU":
		return "not " + value
	case "COMPREND":
		return "one of " + value
	case "CONTIENT":
		return "with " + value
	case "WITHIN":
		return "in " + value
	}
	return value
}

// searchFacts returns what is wanted.
func searchFacts(c kernel.Caller, r people.SearchRequest) []fact {
	list := facts(
		"Name", said(r.Name), "Transaction", labelOf(c, criteria.KeyTransactionType, r.TransactionType),
		"Kinds of property", strings.Join(labelsOf(c, criteria.KeyPropertyType, r.PropertyTypes), ", "),
		"Where", areasInWords(r.Areas),
	)
	for _, clause := range r.Criteria {
		list = append(list, fact{demandInWords(c, clause.ID), wantedInWords(people.MatchWanted{Operator: clause.Operator, Value: clause.Value})})
	}
	for _, k := range r.KeyPoints {
		value := ""
		if k.Value != nil {
			value = plain(k.Value)
		}
		list = append(list, fact{demandInWords(c, k.ID), joined(importanceInWords(k.Importance), value, said(k.Comment))})
	}
	return append(list, facts(
		"Budget", amount(r.Financing.BudgetTotal, ""), "Contribution", amount(r.Financing.Contribution, ""), "Urgency", wordOf(c, criteria.Urgencies, said(r.Urgency)), "Origin", wordOf(c, criteria.Origins, said(r.Origin)),
		"Agency", agencyName(c, r.AgencyID), "Agent", userName(c, r.UserID), "Comment", said(r.Comment),
	)...)
}
