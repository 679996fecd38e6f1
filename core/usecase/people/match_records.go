package people

import "github.com/vitrine-crm/vitrine/core/domain/opt"

// MatchQuery says which matches are wanted.
type MatchQuery struct {
	NearMisses bool           `query:"near_misses" doc:"true: also what misses little"`
	Skip       opt.Field[int] `query:"skip" minimum:"0"`
	Count      opt.Field[int] `query:"count" minimum:"1" maximum:"200" doc:"default 50"`
}

// MatchingSearches is GET /products/{productId}/matching-searches.
type MatchingSearches struct {
	ProductID int64 `path:"productId"`
	MatchQuery
}

// MatchingProducts is GET
// /customers/{customerId}/searches/{searchId}/matching-products.
type MatchingProducts struct {
	CustomerID int64 `path:"customerId"`
	ID         int64 `path:"searchId"`
	MatchQuery
}

// Matching says how well a product answers a search request, and why.
type Matching struct {
	CustomerID int64         `json:"customer_id" doc:"whose search request it is"`
	Match      bool          `json:"match" doc:"false: a near miss"`
	Score      int           `json:"score" minimum:"0" maximum:"100" doc:"100 is everything, wishes included"`
	Reasons    []MatchReason `json:"reasons" doc:"what holds, in the order of the search request"`
	Misses     []MatchMiss   `json:"misses" doc:"what does not, wishes of a match included"`
}

// MatchReason is one demand of a search request, and what the product has for it.
type MatchReason struct {
	ID     string      `json:"id" doc:"key of a criterion, or transaction_type, property_types or areas"`
	Wanted MatchWanted `json:"wanted"`
	Found  any         `json:"found" type:"string,number,strings,null" doc:"what the product says; null when it says nothing"`
	Wish   bool        `json:"wish" doc:"true for what is SOUHAITE"`
}

// MatchMiss is a demand that does not hold.
type MatchMiss struct {
	MatchReason
	By *float64 `json:"by" doc:"how far a number is from its bound, or a position from the circle, in km; null where there is no distance"`
}

// MatchWanted is what a search request asks.
type MatchWanted struct {
	Operator string `json:"operator" doc:"as in a search of products; EXCLU: must not hold; WITHIN: areas"`
	Value    any    `json:"value" type:"string,number,strings" doc:"what is asked, by the criterion's type"`
}

// MatchingSearch is a search request that a product matches.
type MatchingSearch struct {
	SearchID int64 `json:"search_id"`
	Matching
}

// MatchingProduct is a product that matches a search request.
type MatchingProduct struct {
	ProductID int64 `json:"product_id"`
	Matching
}

// MatchPage is a page of matches, the best first.
type MatchPage[T any] struct {
	Data    []T  `json:"data"`
	HasMore bool `json:"has_more"`
	Count   int  `json:"count" doc:"how many there are on all pages together"`
}
