package kernel

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// Paging is how a search is paged through (contract: POST /products/search).
type Paging struct {
	Cursor opt.Field[string] `json:"cursor" doc:"next_cursor of the previous page"`
	Skip   opt.Field[int]    `json:"skip" minimum:"0"`
	Count  opt.Field[int]    `json:"count" minimum:"1" maximum:"2000" doc:"default 100; at most 2000 where the result is ids only, else 100"`
}

// CursorQuery asks for a page of a list that goes by ascending id, MaxPageHydrated
// records at a time.
type CursorQuery struct {
	Cursor opt.Field[string] `query:"cursor" doc:"next_cursor of the previous page"`
}

// CursorPage is such a page.
type CursorPage[T any] struct {
	Data       []T     `json:"data"`
	NextCursor *string `json:"next_cursor"`
	HasMore    bool    `json:"has_more"`
}

// ReadPage returns the requested page.
func (in CursorQuery) ReadPage() (SearchPage, error) {
	var problems fault.Problems
	var none opt.Field[string]
	page := Paging{Cursor: in.Cursor}.ReadPage(none, none, []string{"id"}, MaxPageHydrated, &problems)
	return page, problems.Err()
}

// CutPage returns a page of what was found after its cursor: of one record more than the page
// has, if there are so many.
func CutPage[T, R any](p SearchPage, found []T, id func(T) int64, record func(T) R) CursorPage[R] {
	page := CursorPage[R]{Data: []R{}, HasMore: len(found) > p.Limit}
	if page.HasMore {
		found = found[:p.Limit]
		page.NextCursor = p.Next(id(found[p.Limit-1]), true)
	}
	for _, one := range found {
		page.Data = append(page.Data, record(one))
	}
	return page
}

// Modes of paging.
const (
	CursorMode = "cursor"
	OffsetMode = "offset"
)

// How many results a search answers with.
const (
	defaultPage = MaxPageHydrated
	// MaxPageIDs is for results that are ids only, MaxPageHydrated for others.
	MaxPageIDs      = 2000
	MaxPageHydrated = 100
)

// SearchPage is the requested page of a search. Cursor mode, the mode of a search without
// skip, count and sort, goes by ascending id; offset mode has the requested sort.
type SearchPage struct {
	Mode        string
	After       int64
	Skip, Limit int
	Sort        string
	Descending  bool
}

// ReadPage returns the page of the parameters of a search. The first of the sorts is the one
// by id; most is the largest number of results of a page.
func (in Paging) ReadPage(sort, direction opt.Field[string], sorts []string, most int, problems *fault.Problems) SearchPage {
	p := SearchPage{Mode: CursorMode, Limit: defaultPage, Sort: sorts[0]}
	if in.Cursor.Given() {
		after, ok := catalogue.DecodeCursor(in.Cursor.Value)
		if !ok {
			problems.Wrong("cursor", fault.CodeInvalidCursor, in.Cursor.Value, "the cursor is not one this search gave")
		}
		p.After = int64(after)
		return p
	}
	if !in.Skip.Given() && !in.Count.Given() && !sort.Given() && !direction.Given() {
		return p
	}
	p = SearchPage{Mode: OffsetMode, Skip: in.Skip.Or(0), Limit: in.Count.Or(defaultPage), Sort: sort.Or(sorts[0])}
	if p.Skip < 0 {
		problems.Wrong("skip", fault.CodeOutOfRange, p.Skip, "skip is at least 0")
	}
	if p.Limit < 1 || p.Limit > most {
		problems.Wrong("count", fault.CodeOutOfRange, p.Limit, "count is 1 to %d", most)
	}
	if !slices.Contains(sorts, p.Sort) {
		problems.Append(fault.Detail{Field: "sort_type", Code: fault.CodeInvalidFormat, Message: fault.Textf("no sort has this name"), Value: p.Sort, Accepted: sorts})
	}
	switch way := direction.Or("desc"); way {
	case "desc":
		p.Descending = true
	case "asc":
	default:
		problems.Append(fault.Detail{
			Field: "sort_order", Code: fault.CodeInvalidFormat, Message: fault.Textf("sort_order is asc or desc"),
			Value: way, Accepted: []string{"asc", "desc"},
		})
	}
	return p
}

// Next returns the cursor behind the last record of a page; null where there is no
// more, or the page has none.
func (p SearchPage) Next(last int64, more bool) *string {
	if !more || p.Mode != CursorMode {
		return nil
	}
	cursor := catalogue.EncodeCursor(product.ID(last))
	return &cursor
}
