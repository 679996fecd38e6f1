package kit

import (
	"cmp"
	"html/template"
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

// listFiles names the lists of a page, with the addresses of their files; none where nobody reads them.
func (v *Request) listFiles(content template.HTML) ([]Ref, error) {
	if v.HTTP.Method != http.MethodGet || isRefresh(v.HTTP) || !strings.Contains(string(content), "<table") {
		return nil, nil
	}
	lists, err := tables.Read(string(content), v.thousands())
	query := v.HTTP.URL.Query()
	query.Set("site", v.SiteParameter())
	var files []Ref
	for i, list := range lists {
		query.Set(csvQuery, strconv.Itoa(i+1))
		files = append(files, Ref{Label: list.Name, Href: v.HTTP.URL.Path + "?" + query.Encode()})
	}
	return files, err
}

// handList sends one of the lists of a page as CSV, with those of the pages that continue it.
func (v *Request) handList(p Page, model any, number string) error {
	lists, err := v.readLists(p, model)
	n, _ := strconv.Atoi(number)
	if err == nil && (n < 1 || n > len(lists)) {
		err = kernel.Unknown("there is no such page")
	}
	if err != nil {
		return err
	}
	list := lists[n-1]
	rows, next := list.Rows, list.Next
	for pages := 1; next != ""; pages++ {
		if pages == mostPages {
			return fault.New(fault.TooLarge, fault.CodePayloadTooLarge, "the list has more than %d pages: narrow it", mostPages)
		}
		more, err := v.readContinued(p, next, list.Name)
		if err != nil {
			return err
		}
		rows, next = append(rows, more.Rows...), more.Next
	}
	file := strings.ReplaceAll(strings.Trim(strings.TrimPrefix(v.HTTP.URL.Path, v.Prefix), "/"), "/", "-")
	made, err := CSV(cmp.Or(file, "overview")+".csv", rows)
	if err == nil {
		v.hand(made)
	}
	return err
}

// readLists draws what a page shows without what stands around it, and returns its lists.
func (v *Request) readLists(p Page, model any) ([]tables.Table, error) {
	f := v.bare(v.HTTP)
	f.Site, f.All, f.Page = v.SiteParameter(), v.All, model
	content, err := v.contentOf(p.Template, f)
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
	model, err := p.Show(&at)
	if err != nil {
		return tables.Table{}, err
	}
	lists, err := at.readLists(p, model)
	i := slices.IndexFunc(lists, func(t tables.Table) bool { return t.Name == name })
	if i < 0 {
		return tables.Table{}, err
	}
	lists[i].Rows = lists[i].Rows[1:]
	return lists[i], err
}
