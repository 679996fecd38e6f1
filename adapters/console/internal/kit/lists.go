package kit

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/tables"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// csvQuery asks for a list of a page as CSV, by its place among the lists of the page.
const csvQuery = "csv"

// mostPages is how many pages of a list are in its file.
const mostPages = 100

// addLists names the lists of the page of a frame, with the addresses of their files.
func (v *Request) addLists(f *Frame) error {
	if v.HTTP.Method != http.MethodGet || !strings.Contains(string(f.Content), "<table") {
		return nil
	}
	lists, err := tables.Read(string(f.Content), v.thousands())
	query := v.HTTP.URL.Query()
	query.Set("site", v.SiteParameter())
	for i, list := range lists {
		query.Set(csvQuery, strconv.Itoa(i+1))
		f.Lists = append(f.Lists, Ref{Label: list.Name, Href: v.HTTP.URL.Path + "?" + query.Encode()})
	}
	return err
}

// listFile returns one of the lists of a page as CSV, with those of the pages that continue it.
func (v *Request) listFile(p Page, number string) (Download, error) {
	lists, err := v.readLists(p)
	n, _ := strconv.Atoi(number)
	if err == nil && (n < 1 || n > len(lists)) {
		err = kernel.Unknown("there is no such page")
	}
	if err != nil {
		return Download{}, err
	}
	list := lists[n-1]
	rows, next := list.Rows, list.Next
	for pages := 1; next != ""; pages++ {
		if pages == mostPages {
			return Download{}, fault.New(fault.TooLarge, fault.CodePayloadTooLarge, "the list has more than %d pages: narrow it", mostPages)
		}
		more, err := v.readContinued(p, next, list.Name)
		if err != nil {
			return Download{}, err
		}
		rows, next = append(rows, more.Rows...), more.Next
	}
	file := strings.ReplaceAll(strings.Trim(strings.TrimPrefix(v.HTTP.URL.Path, v.Prefix), "/"), "/", "-")
	return CSV(cmp.Or(file, "overview")+".csv", rows)
}

// readLists draws a page, and returns its lists.
func (v *Request) readLists(p Page) ([]tables.Table, error) {
	content, err := v.content(p)
	if err != nil {
		return nil, err
	}
	return tables.Read(string(content), v.thousands())
}

// readContinued returns the list with a name on the page at an address, without its headings; an empty one where
// the page has none.
func (v *Request) readContinued(p Page, address, name string) (tables.Table, error) {
	to, err := url.Parse(address)
	if err != nil {
		return tables.Table{}, err
	}
	at := *v
	at.HTTP = v.HTTP.Clone(v.Ctx)
	at.HTTP.URL = to
	lists, err := at.readLists(p)
	i := slices.IndexFunc(lists, func(t tables.Table) bool { return t.Name == name })
	if i < 0 {
		return tables.Table{}, err
	}
	lists[i].Rows = lists[i].Rows[1:]
	return lists[i], err
}
