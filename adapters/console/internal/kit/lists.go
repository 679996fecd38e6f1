package kit

import (
	"cmp"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/tables"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Parameters of a page that are about its lists: csvQuery asks for one of them as CSV, by its place on the page, and sortQuery
// for one that is sorted, as tables.OrderOf reads it. The others name the part of a list that is shown.
const (
	csvQuery  = "csv"
	sortQuery = "sort"
)

var ofLists = [...]string{csvQuery, sortQuery, "after", "before", "cursor", "skip"}

const (
	// mostPages is how many pages of a list are in its file, and sortedPages how many are sorted.
	mostPages   = 100
	sortedPages = 20
	// againForm is the form that asks again for a page that was asked for by one.
	againForm = "again"
)

// hasLists reports whether the lists of a page are what was asked for, and not the page of a form that was refused.
func (v *Request) hasLists(p Page) bool {
	return v.Refused == nil && (p.Asks || v.HTTP.Method == http.MethodGet)
}

// parameter returns a parameter of the page, of its address or of the form that asked for it.
func (v *Request) parameter(p Page, name string) string {
	if p.Asks {
		return v.Sent(name)
	}
	return v.Query(name)
}

// fromStart returns the parameters of the page without those that are about its lists.
func (v *Request) fromStart(p Page) url.Values {
	asked := v.HTTP.URL.Query()
	asked.Set("site", v.SiteParameter())
	if p.Asks {
		asked = maps.Clone(v.HTTP.PostForm)
	}
	for _, name := range ofLists {
		asked.Del(name)
	}
	return asked
}

// addLists makes the lists of a page ones that can be sorted, sorts one of them if that is asked for, and has the page lead to them
// as CSV.
func (v *Request) addLists(p Page, f *Frame) error {
	if !v.hasLists(p) || !strings.Contains(string(f.Content), "<table") {
		return nil
	}
	page, err := tables.Read(string(f.Content), v.thousands())
	if err != nil {
		return err
	}
	asked, by, form := v.fromStart(p), tables.OrderOf(v.parameter(p, sortQuery)), ""
	address := func(name, value string) string {
		asked.Set(name, value)
		defer asked.Del(name)
		return v.HTTP.URL.Path + "?" + asked.Encode()
	}
	sorted := func(o tables.Order) string { return address(sortQuery, o.String()) }
	if p.Asks {
		form, f.AskedAt = againForm, v.HTTP.URL.Path+"?site="+v.SiteParameter()
		for _, name := range slices.Sorted(maps.Keys(asked)) {
			f.Again = append(f.Again, Choice{Value: name, Label: asked.Get(name)})
		}
	}
	for i, list := range page.Lists {
		place := strconv.Itoa(i + 1)
		file := Ref{Label: list.Name, Href: place}
		if !p.Asks {
			file.Href = address(csvQuery, place)
		}
		f.Lists = append(f.Lists, file)
		if by.List == i+1 {
			if err := v.sort(p, f, list, by, sorted(by)); err != nil {
				return err
			}
		}
		if list.Next != "" || list.Len() > 1 {
			list.LinkHeads(i+1, by, form, sorted)
		}
	}
	text, err := page.HTML()
	f.Content = template.HTML(text) //nolint:gosec // a template has escaped it
	return err
}

// sort sorts a list with all that continues it, or says how much of it is sorted.
func (v *Request) sort(p Page, f *Frame, list *tables.List, by tables.Order, here string) error {
	if list.Next != "" {
		here = ""
	}
	cut, err := v.continued(p, list, sortedPages)
	if err != nil {
		return err
	}
	if cut && f.Flash == nil {
		f.Flash = &Flash{Tone: Told, Text: Text(v.Say("Only the first %s rows are sorted: the list is longer. A filter makes it shorter.", v.Count(int64(list.Len()))))}
	}
	list.Sort(by)
	list.Whole(here)
	return nil
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
	cut, err := v.continued(p, list, mostPages)
	if cut {
		err = fault.New(fault.TooLarge, fault.CodePayloadTooLarge, "the list has more than %d pages: narrow it", mostPages)
	}
	if err != nil {
		return err
	}
	file := strings.ReplaceAll(strings.Trim(strings.TrimPrefix(v.HTTP.URL.Path, v.Prefix), "/"), "/", "-")
	made, err := CSV(cmp.Or(file, "overview")+".csv", list.Rows())
	if err == nil {
		v.hand(made)
	}
	return err
}

// readLists draws what a page shows without what stands around it, and returns its lists.
func (v *Request) readLists(p Page, model any) ([]*tables.List, error) {
	f := v.bare(v.HTTP)
	f.Site, f.All, f.Page = v.SiteParameter(), v.All, model
	content, err := v.contentOf(p.Template, f)
	if err != nil {
		return nil, err
	}
	page, err := tables.Read(string(content), v.thousands())
	if err != nil {
		return nil, err
	}
	return page.Lists, nil
}

// continued adds to a list those of the same name on the pages that continue it, so that it has as many pages as a number at
// most, and reports whether there are more.
func (v *Request) continued(p Page, list *tables.List, most int) (more bool, err error) {
	for pages := 1; list.Next != ""; pages++ {
		if pages == most {
			return true, nil
		}
		at := *v
		at.HTTP = v.HTTP.Clone(v.Ctx)
		if list.NextField != "" {
			at.HTTP.PostForm.Set(list.NextField, list.Next)
		} else if at.HTTP.URL, err = url.Parse(list.Next); err != nil {
			return false, err
		}
		model, err := p.Show(&at)
		if err != nil {
			return false, err
		}
		lists, err := at.readLists(p, model)
		if err != nil {
			return false, err
		}
		i := slices.IndexFunc(lists, func(l *tables.List) bool { return l.Name == list.Name })
		if i < 0 {
			return false, nil
		}
		list.Continue(lists[i])
	}
	return false, nil
}
