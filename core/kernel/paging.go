package kernel

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// Page sizes of lists with meta and links.
const (
	defaultPerPage = 50
	maxPerPage     = 200
)

// PageQuery asks for a page of a list with meta and links.
type PageQuery struct {
	PerPage opt.Field[int] `query:"per_page" minimum:"1" maximum:"200" doc:"default 50"`
	Cursor  string         `query:"cursor" doc:"meta.next_cursor of the previous page"`
}

// CursorPaginationMeta is the position of a page.
type CursorPaginationMeta struct {
	Path       string  `json:"path"`
	PerPage    int     `json:"per_page"`
	NextCursor *string `json:"next_cursor"`
	PrevCursor *string `json:"prev_cursor"`
}

// CursorPaginationLinks are the URLs around a page.
type CursorPaginationLinks struct {
	First *string `json:"first" doc:"always null"`
	Last  *string `json:"last" doc:"always null"`
	Prev  *string `json:"prev"`
	Next  *string `json:"next"`
}

// Paginate returns the requested page of all items, which are in the order of their ids.
// path is the URL of the list.
func Paginate[T any](path string, in PageQuery, items []T, id func(T) int64) (page []T, meta CursorPaginationMeta, links CursorPaginationLinks, err error) {
	var problems fault.Problems
	perPage := in.PerPage.Or(defaultPerPage)
	if perPage < 1 || perPage > maxPerPage {
		problems.Wrong("per_page", fault.CodeOutOfRange, perPage, "per_page must be 1 to %d", maxPerPage)
	}
	from, ok := parsePageCursor(in.Cursor)
	if !ok {
		problems.Wrong("cursor", fault.CodeInvalidCursor, in.Cursor, "the cursor is not one this list gave")
	}
	if err := problems.Err(); err != nil {
		return nil, meta, links, err
	}
	begin, end := window(from, items, id, perPage)
	meta.Path, meta.PerPage = path, perPage
	link := func(cursor pageCursor) (*string, *string) {
		text := cursor.String()
		u := path + "?" + url.Values{"cursor": {text}, "per_page": {strconv.Itoa(perPage)}}.Encode()
		return &text, &u
	}
	if end < len(items) && end > begin {
		meta.NextCursor, links.Next = link(pageCursor{id: id(items[end-1])})
	}
	if begin > 0 && end > begin {
		meta.PrevCursor, links.Prev = link(pageCursor{id: id(items[begin]), backwards: true})
	}
	return items[begin:end], meta, links, nil
}

// pageCursor is a position between two items: after id, or before it when backwards.
type pageCursor struct {
	id        int64
	backwards bool
}

func (p pageCursor) String() string {
	direction := "a"
	if p.backwards {
		direction = "b"
	}
	return base64.RawURLEncoding.EncodeToString([]byte(direction + strconv.FormatInt(p.id, 10)))
}

func parsePageCursor(text string) (pageCursor, bool) {
	if text == "" {
		return pageCursor{}, true
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || len(raw) < 2 || raw[0] != 'a' && raw[0] != 'b' {
		return pageCursor{}, false
	}
	id, err := strconv.ParseInt(string(raw[1:]), 10, 64)
	return pageCursor{id: id, backwards: raw[0] == 'b'}, err == nil && id > 0
}

// window returns the part of the items that a page shows.
func window[T any](from pageCursor, items []T, id func(T) int64, size int) (begin, end int) {
	if from.backwards {
		for end < len(items) && id(items[end]) < from.id {
			end++
		}
		return max(0, end-size), end
	}
	for begin < len(items) && id(items[begin]) <= from.id {
		begin++
	}
	return begin, min(len(items), begin+size)
}
