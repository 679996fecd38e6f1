package people

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
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
	State        kit.State
	Facts        []kit.Fact
	Tabs         []kit.Tab
	Count        string
	Rows         []matchRow
	Empty        kit.Empty
	More         string
}

// matchRow is a product that matches, or nearly does.
type matchRow struct {
	Product         kit.Ref
	Score           int
	State           kit.State
	Reasons, Misses []finding
}

// finding is one demand compared with a product.
type finding struct {
	What, Wanted, Found string
	// By is how far off it is, if that can be said.
	By   string
	Wish bool
}

func showSearchRequest(v *kit.Request) (any, error) {
	of, err := v.ID("id")
	if err != nil {
		return nil, err
	}
	id, err := v.ID("search")
	if err != nil {
		return nil, err
	}
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	r, err := v.Site.People.GetSearchRequest(v.Ctx, c, people.SearchRequestPath{CustomerID: of, ID: id})
	if err != nil {
		return nil, err
	}
	near := v.Query("near") != ""
	skip, _ := strconv.Atoi(v.Query("skip"))
	skip = max(skip, 0)
	found, err := v.Site.People.ListMatchingProducts(v.Ctx, c, people.MatchingProducts{
		CustomerID: of, ID: id, MatchQuery: people.MatchQuery{NearMisses: near, Skip: opt.Of(skip), Count: opt.Of(maxMatches)},
	})
	if err != nil {
		return nil, err
	}
	here := v.Link("people", of, "searches", id)
	p := searchPage{
		Customer: of, ID: id, State: searchState(r), Facts: searchFacts(v, c, r), Count: v.Counted(int64(found.Count), "product", "products"),
		Tabs:  []kit.Tab{{Label: "Matches", Href: here, Current: !near}, {Label: "Near misses too", Href: here + "?near=yes", Current: near}},
		Empty: kit.Empty{Title: "No product matches", Text: "Active products that have all that is wanted appear here, the best first."},
	}
	names, err := v.ProductNames(c, productsOf(found.Data, func(m people.MatchingProduct) *int64 { return &m.ProductID })...)
	if err != nil {
		return nil, err
	}
	for _, m := range found.Data {
		p.Rows = append(p.Rows, newMatchRow(v, c, names, m))
	}
	if found.HasMore {
		p.More = p.Tabs[0].Href + "?skip=" + strconv.Itoa(skip+maxMatches)
		if near {
			p.More += "&near=yes"
		}
	}
	return p, nil
}

func newMatchRow(v *kit.Request, c kernel.Caller, names kit.ProductNames, m people.MatchingProduct) matchRow {
	row := matchRow{Product: v.ToProduct(names, &m.ProductID), Score: m.Score, State: kit.State{Tone: kit.Well, Word: "matches"}}
	if !m.Match {
		row.State = kit.State{Tone: kit.Wanted, Word: "misses little"}
	}
	for _, r := range m.Reasons {
		row.Reasons = append(row.Reasons, findingOf(v, c, r))
	}
	for _, miss := range m.Misses {
		f := findingOf(v, c, miss.MatchReason)
		f.By = v.Amount(miss.By, "")
		row.Misses = append(row.Misses, f)
	}
	return row
}

// findingOf returns what was wanted, and what there is.
func findingOf(v *kit.Request, c kernel.Caller, r people.MatchReason) finding {
	return finding{What: demandInWords(v, c, r.ID), Wanted: wantedInWords(v, r.Wanted), Found: v.Plain(r.Found), Wish: r.Wish}
}

// demandInWords names a demand: a criterion by its label.
func demandInWords(v *kit.Request, c kernel.Caller, id string) string {
	switch id {
	case "transaction_type":
		return v.Say("Transaction")
	case "property_types":
		return v.Say("Kind of property")
	case "areas":
		return v.Say("Where")
	}
	d, _ := c.Site.Dictionary.ByKey(id)
	return cmp.Or(d.Label, kit.WordOf(c, criteria.KeyPoints, id))
}

// wantedInWords returns what a search request asks of a product.
func wantedInWords(v *kit.Request, w people.MatchWanted) string {
	value := v.Plain(w.Value)
	switch w.Operator {
	case "SUPERIEUR":
		return v.Say("at least %s", value)
	case "INFERIEUR":
		return v.Say("at most %s", value)
	case "DIFFERENT", "NE_COMPREND_PAS", "EXCLU":
		return v.Say("not %s", value)
	case "COMPREND":
		return v.Say("one of %s", value)
	case "CONTIENT":
		return v.Say("with %s", value)
	case "WITHIN":
		return v.Say("in %s", value)
	}
	return value
}

// searchFacts returns what is wanted.
func searchFacts(v *kit.Request, c kernel.Caller, r people.SearchRequest) []kit.Fact {
	list := kit.Facts(
		v.Fact("Name", kit.Said(r.Name)), v.Fact("Transaction", kit.LabelOf(c, criteria.KeyTransactionType, r.TransactionType)),
		v.Fact("Kinds of property", strings.Join(kit.LabelsOf(c, criteria.KeyPropertyType, r.PropertyTypes), ", ")),
		v.Fact("Where", areasInWords(v, r.Areas)),
	)
	for _, clause := range r.Criteria {
		list = append(list, kit.Fact{Label: demandInWords(v, c, clause.ID), Value: wantedInWords(v, people.MatchWanted{Operator: clause.Operator, Value: clause.Value})})
	}
	for _, k := range r.KeyPoints {
		value := ""
		if k.Value != nil {
			value = v.Plain(k.Value)
		}
		list = append(list, kit.Fact{Label: demandInWords(v, c, k.ID), Value: kit.Joined(v.Show(kit.ImportanceInWords(k.Importance)), value, kit.Said(k.Comment))})
	}
	return append(list, kit.Facts(
		v.Fact("Budget", v.Amount(r.Financing.BudgetTotal, "")), v.Fact("Contribution", v.Amount(r.Financing.Contribution, "")), v.Fact("Urgency", kit.WordOf(c, criteria.Urgencies, kit.Said(r.Urgency))), v.Fact("Origin", kit.WordOf(c, criteria.Origins, kit.Said(r.Origin))),
		v.Fact("Agency", kit.AgencyName(c, r.AgencyID)), v.Fact("Agent", v.UserName(c, r.UserID)), v.Fact("Comment", kit.Said(r.Comment)),
	)...)
}
