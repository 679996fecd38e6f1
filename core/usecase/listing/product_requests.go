package listing

import (
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// CreateProduct is the body of POST /products. Nothing is required, except
// agency_id when the token reaches several agencies.
type CreateProduct struct {
	product.Change
	Relations
}

// Relations are what a request says about who owns a product, and what it is a
// lot of.
type Relations struct {
	CustomerID opt.Field[int64] `json:"customer_id" doc:"owner"`
	ParentID   opt.Field[int64] `json:"parent_id" doc:"makes the product a lot of another"`
}

// UpdateProduct is the body of PATCH /products/{productId}: only what is given
// changes.
type UpdateProduct struct {
	ID        int64            `path:"productId"`
	IfMatch   kernel.IfMatch   `header:"If-Match"`
	ProductID opt.Field[int64] `json:"product_id" required:"true" doc:"equal to the id in the path"`
	product.Change
	Relations
}

// ProductFilters is what search and count have in common. All of it is
// optional; what is given must all hold.
type ProductFilters struct {
	Criterias       opt.Field[[]criteria.ConditionInput] `json:"criterias" alias:"criteria" max:"criteria.MaxConditions"`
	Keyword         opt.Field[string]                    `json:"keyword" max:"kernel.MaxText" doc:"part of the reference, of address and city or of the owner's name; a number also finds prices within 10 percent"`
	Model           opt.Field[string]                    `json:"model" max:"kernel.MaxText" doc:"exact reference"`
	CustomerID      opt.Field[int64]                     `json:"customer_id" doc:"owner; not for credentials that only feed websites"`
	AgencyID        opt.Field[int64]                     `json:"agency_id" doc:"one of the token's agencies"`
	ProductsAdminID opt.Field[IDList]                    `json:"products_admin_id" max:"kernel.MaxPageIDs" doc:"assigned agents"`
	LastModified    opt.Field[string]                    `json:"last_modified" format:"date-time" doc:"modified on or after"`
	StatusWeb       opt.Field[bool]                      `json:"status_web" alias:"web_status"`
	HasVisit360     opt.Field[bool]                      `json:"has_visit360" alias:"hasVisit360,has_visit_360"`
	ParentID        opt.Field[int64]                     `json:"parent_id" doc:"lots of this product; null: no lots" nullmeans:"value"`
	Near            opt.Field[NearInput]                 `json:"near" doc:"extension: positions in a circle"`
	Within          opt.Field[WithinInput]               `json:"within" doc:"extension: positions in a box"`
}

// NearInput is a circle around a position.
type NearInput struct {
	Latitude  float64 `json:"latitude" required:"true" minimum:"-90" maximum:"90"`
	Longitude float64 `json:"longitude" required:"true" minimum:"-180" maximum:"180"`
	RadiusKM  float64 `json:"radius_km" required:"true" minimum:"0" maximum:"1000" doc:"above 0"`
}

// WithinInput is a box between two parallels and two meridians.
type WithinInput struct {
	South float64 `json:"south" required:"true" minimum:"-90" maximum:"90"`
	West  float64 `json:"west" required:"true" minimum:"-180" maximum:"180" doc:"above east when the box crosses the antimeridian"`
	North float64 `json:"north" required:"true" minimum:"-90" maximum:"90"`
	East  float64 `json:"east" required:"true" minimum:"-180" maximum:"180"`
}

// IDList is ids as an array or as one string separated by commas. An empty array
// names none; an empty string, which makes a nil list, says nothing.
type IDList []int64

// Fetch names blocks of a product, separated by commas.
type Fetch string

// Choices implements kernel.Choices.
func (Fetch) Choices() []string { return product.PartNames() }

// SearchProducts is POST /products/search.
type SearchProducts struct {
	Fetch Fetch `query:"fetch" doc:"blocks; without it the result is ids only"`
	ProductFilters
	SortType  opt.Field[string] `json:"sort_type" enum:"id,prix,date,surface,date_added"`
	SortOrder opt.Field[string] `json:"sort_order" enum:"asc,desc"`
	kernel.Paging
}

// SearchResult is a page of products.
type SearchResult struct {
	Data       Records[ProductSummary] `json:"data"`
	NextCursor *string                 `json:"next_cursor"`
	HasMore    bool                    `json:"has_more"`
	// Mode is cursor or offset.
	Mode string `json:"-" header:"X-Pagination-Mode"`
}

// CountProducts is POST /products/search/count.
type CountProducts struct{ ProductFilters }

// CountResult is how many products a search matches.
type CountResult struct {
	Count int `json:"count"`
}

// ProductFacets is POST /products/search/facets: the filters of a search, and
// what to count by.
type ProductFacets struct {
	ProductFilters
	Facets []FacetInput `json:"facets" required:"true" max:"listing.MaxFacets"`
}

// FacetInput names a criterion to count by.
type FacetInput struct {
	ID    string                    `json:"id" required:"true" doc:"key, or numeric id, of any type but TEXT" coerce:"string"`
	Bands opt.Field[[]criteria.Raw] `json:"bands" items:"number,string" max:"listing.MaxBounds" doc:"NUMBER and DATE, required there: bounds, ascending; n bounds make n+1 bands"`
}

// FacetsResult is how the products a search matches spread over some criteria.
type FacetsResult struct {
	Data  []Facet `json:"data" doc:"one for each facet asked for, in their order"`
	Count int     `json:"count" doc:"how many products match"`
}

// Facet has values for a UNIQUE, MULTIPLE or FLAG criterion and bands for a
// NUMBER or DATE.
type Facet struct {
	ID     string        `json:"id" doc:"key of the criterion"`
	Values *[]FacetValue `json:"values,omitempty" doc:"in the order of the referential: active values, and others that have products"`
	Bands  *[]FacetBand  `json:"bands,omitempty"`
}

// FacetValue is how many products have a value.
type FacetValue struct {
	Value any     `json:"value" type:"string,integer" doc:"a code; 0 or 1 for a FLAG, where none counts as 0"`
	Label *string `json:"label" doc:"null for a FLAG"`
	Count int     `json:"count"`
}

// FacetBand is how many products have a value from one bound up to, and without,
// the next.
type FacetBand struct {
	From  any `json:"from" type:"number,string,null" doc:"a number or a date; null in the first band"`
	To    any `json:"to" type:"number,string,null" doc:"null in the last band"`
	Count int `json:"count"`
}

// ProductPath is a product, named in the path.
type ProductPath struct {
	ID int64 `path:"productId"`
}

// ReadProduct is a read of a product with blocks.
type ReadProduct struct {
	ID    int64 `path:"productId"`
	Fetch Fetch `query:"fetch" doc:"blocks"`
}

// Lots are the lots of a product, by reference.
type Lots struct {
	Data    Records[Product] `json:"data"`
	HasMore bool             `json:"has_more" doc:"true: there are more than the thousand shown"`
}

// DeleteProduct is DELETE /products/{productId}.
type DeleteProduct struct {
	ID      int64          `path:"productId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// DeleteRoom is DELETE /products/{productId}/rooms/{roomId}. The condition is on
// the product.
type DeleteRoom struct {
	ID      int64          `path:"productId"`
	RoomID  int64          `path:"roomId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}
