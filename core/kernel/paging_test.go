package kernel_test

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

const listPath = "https://crm.example.org/api/v2/site/things"

func page(items []int64, perPage opt.Field[int], cursor string) ([]int64, kernel.CursorPaginationMeta, kernel.CursorPaginationLinks, error) {
	return kernel.Paginate(listPath, kernel.PageQuery{PerPage: perPage, Cursor: cursor}, items, func(id int64) int64 { return id })
}

// Pages show every item once, in order, forwards and backwards, and links say the
// same as cursors.
func TestPagesShowEverythingOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfNDistinct(rapid.Int64Range(1, 60), 0, 25, rapid.ID[int64]).Draw(t, "items")
		slices.Sort(items)
		perPage := opt.Of(rapid.IntRange(1, 10).Draw(t, "per page"))
		follow := func(cursor, link *string) string {
			if (cursor == nil) != (link == nil) {
				t.Fatalf("the cursor is %v, the link %v", cursor, link)
			}
			if cursor == nil {
				return ""
			}
			u, err := url.Parse(*link)
			if err != nil || u.Query().Get("cursor") != *cursor || u.Query().Get("per_page") != strconv.Itoa(perPage.Value) {
				t.Fatalf("the link is %s, the cursor %s", *link, *cursor)
			}
			return *cursor
		}
		var forwards, backwards []int64
		var back string
		for cursor := ""; ; {
			got, meta, links, err := page(items, perPage, cursor)
			if err != nil || len(got) > perPage.Value || meta.Path != listPath || meta.PerPage != perPage.Value || links.First != nil || links.Last != nil {
				t.Fatalf("page %q is %v, %+v, %+v, %v", cursor, got, meta, links, err)
			}
			forwards = append(forwards, got...)
			if (meta.PrevCursor == nil) != (cursor == "") {
				t.Fatalf("before page %q there is %v", cursor, meta.PrevCursor)
			}
			back = follow(meta.PrevCursor, links.Prev)
			if cursor = follow(meta.NextCursor, links.Next); cursor == "" {
				backwards = slices.Clone(got)
				break
			}
		}
		if !slices.Equal(forwards, items) {
			t.Fatalf("forwards %v, of %v", forwards, items)
		}
		for back != "" {
			got, meta, links, err := page(items, perPage, back)
			if err != nil {
				t.Fatal(err)
			}
			backwards = append(slices.Clone(got), backwards...)
			back = follow(meta.PrevCursor, links.Prev)
		}
		if !slices.Equal(backwards, items) {
			t.Fatalf("backwards %v, of %v", backwards, items)
		}
	})
}

// A cursor holds while items come and go: what stays is shown once.
func TestACursorOutlivesItsItem(t *testing.T) {
	_, meta, _, err := page([]int64{1, 3, 5, 7}, opt.Of(2), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _, err := page([]int64{1, 2, 4, 5, 7}, opt.Of(2), *meta.NextCursor); err != nil || !slices.Equal(got, []int64{4, 5}) {
		t.Errorf("without the item at the cursor the next page is %v, %v", got, err)
	}
}

func TestPagesThatAreRefused(t *testing.T) {
	for _, n := range []int{-1, 0, 201} {
		_, _, _, err := page(nil, opt.Of(n), "")
		apitest.RefusedField(t, err, fault.CodeOutOfRange, "per_page")
	}
	if _, meta, _, err := page(nil, opt.Field[int]{}, ""); err != nil || meta.PerPage != 50 {
		t.Errorf("by default a page has %d items, %v", meta.PerPage, err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		cursor := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9_-]{1,12}={0,2}`)).Draw(rt, "cursor")
		got, _, _, err := page([]int64{1, 2, 3}, opt.Field[int]{}, cursor)
		if told := fault.From(err); err != nil && (!errors.Is(err, fault.Invalid) || told.Code != fault.CodeInvalidCursor) || !slices.IsSorted(got) {
			rt.Fatalf("%q: %v, %v", cursor, got, err)
		}
	})
}

// A search without anything goes by cursor, and with anything else by offset, but
// for a cursor, which comes before all.
func TestModesOfSearchPages(t *testing.T) {
	sorts, none := []string{"id", "date"}, opt.Field[string]{}
	cursor := *kernel.SearchPage{Mode: kernel.CursorMode}.Next(7, true)
	for name, c := range map[string]struct {
		in              kernel.Paging
		sort, direction opt.Field[string]
		want            kernel.SearchPage
	}{
		"nothing":   {kernel.Paging{}, none, none, kernel.SearchPage{Mode: "cursor", Limit: 100, Sort: "id"}},
		"cursor":    {kernel.Paging{Cursor: opt.Of(cursor), Skip: opt.Of(-1), Count: opt.Of(0)}, opt.Of("no"), opt.Of("no"), kernel.SearchPage{Mode: "cursor", After: 7, Limit: 100, Sort: "id"}},
		"skip":      {kernel.Paging{Skip: opt.Of(5)}, none, none, kernel.SearchPage{Mode: "offset", Skip: 5, Limit: 100, Sort: "id", Descending: true}},
		"count":     {kernel.Paging{Count: opt.Of(2000)}, none, none, kernel.SearchPage{Mode: "offset", Limit: 2000, Sort: "id", Descending: true}},
		"sort":      {kernel.Paging{}, opt.Of("date"), none, kernel.SearchPage{Mode: "offset", Limit: 100, Sort: "date", Descending: true}},
		"direction": {kernel.Paging{}, none, opt.Of("asc"), kernel.SearchPage{Mode: "offset", Limit: 100, Sort: "id"}},
	} {
		var problems fault.Problems
		if got := c.in.ReadPage(c.sort, c.direction, sorts, kernel.MaxPageIDs, &problems); got != c.want || problems.Err() != nil {
			t.Errorf("%s: %+v, %v", name, got, problems.Err())
		}
	}
	for field, c := range map[string]struct {
		in              kernel.Paging
		sort, direction opt.Field[string]
		code            fault.Code
	}{
		"skip":       {kernel.Paging{Skip: opt.Of(-1)}, none, none, fault.CodeOutOfRange},
		"count":      {kernel.Paging{Count: opt.Of(kernel.MaxPageHydrated + 1)}, none, none, fault.CodeOutOfRange},
		"cursor":     {kernel.Paging{Cursor: opt.Of("?")}, none, none, fault.CodeInvalidCursor},
		"sort_type":  {kernel.Paging{}, opt.Of("price"), none, fault.CodeInvalidFormat},
		"sort_order": {kernel.Paging{}, none, opt.Of("up"), fault.CodeInvalidFormat},
	} {
		var problems fault.Problems
		c.in.ReadPage(c.sort, c.direction, sorts, kernel.MaxPageHydrated, &problems)
		apitest.RefusedField(t, problems.Err(), c.code, field)
	}
}

func TestOnlyCursorModeHasANextCursor(t *testing.T) {
	for _, p := range []kernel.SearchPage{{Mode: kernel.OffsetMode}, {Mode: kernel.CursorMode}} {
		if got := p.Next(7, false); got != nil {
			t.Errorf("%s at the end: %s", p.Mode, *got)
		}
		if got := p.Next(7, true); (got != nil) != (p.Mode == kernel.CursorMode) {
			t.Errorf("%s: %v", p.Mode, got)
		}
	}
}
