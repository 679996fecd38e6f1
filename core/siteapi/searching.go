package siteapi

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/fault"
)

// Paging is how a search is paged through (contract: POST /products/search).
type Paging struct {
	Cursor Opt[string] `json:"cursor" doc:"next_cursor of the previous page"`
	Skip   Opt[int]    `json:"skip" minimum:"0"`
	Count  Opt[int]    `json:"count" minimum:"1" maximum:"2000" doc:"default 100; at most 2000 where the result is ids only, else 100"`
}

// Modes of paging.
const (
	cursorMode = "cursor"
	offsetMode = "offset"
)

const defaultPage = 100

// paging is the page that is wanted. Cursor mode, which a search without skip,
// count and sort is in, goes by ascending id; offset mode sorts as asked.
type paging struct {
	mode        string
	after       int64
	skip, limit int
	sort        string
	descending  bool
}

// readPaging reads the paging and sorting of a search. The first of the sorts is
// the one by id.
func readPaging(in Paging, sort, direction Opt[string], sorts []string, most int, problems *fault.Problems) paging {
	p := paging{mode: cursorMode, limit: defaultPage, sort: sorts[0]}
	if in.Cursor.Given() {
		after, ok := catalogue.DecodeCursor(in.Cursor.Value)
		if !ok {
			problems.Wrong("cursor", fault.CodeInvalidCursor, in.Cursor.Value, "the cursor is not one this search gave")
		}
		p.after = int64(after)
		return p
	}
	if !in.Skip.Given() && !in.Count.Given() && !sort.Given() && !direction.Given() {
		return p
	}
	p = paging{mode: offsetMode, skip: in.Skip.Or(0), limit: in.Count.Or(defaultPage), sort: sort.Or(sorts[0])}
	if p.skip < 0 {
		problems.Wrong("skip", fault.CodeOutOfRange, p.skip, "skip is at least 0")
	}
	if p.limit < 1 || p.limit > most {
		problems.Wrong("count", fault.CodeOutOfRange, p.limit, "count is 1 to %d", most)
	}
	if !slices.Contains(sorts, p.sort) {
		problems.Append(fault.Detail{Field: "sort_type", Code: fault.CodeInvalidFormat, Message: "no sort has this name", Value: p.sort, Accepted: sorts})
	}
	switch way := direction.Or("desc"); way {
	case "desc":
		p.descending = true
	case "asc":
	default:
		problems.Append(fault.Detail{
			Field: "sort_order", Code: fault.CodeInvalidFormat, Message: "sort_order is asc or desc",
			Value: way, Accepted: []string{"asc", "desc"},
		})
	}
	return p
}
