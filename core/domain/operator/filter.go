package operator

import "slices"

// Bounds of the filters that an operator saves: how many, characters of a name, and bytes of
// the page and of the query.
const (
	MaxFilters     = 50
	MaxFilterName  = 60
	MaxFilterPage  = 100
	MaxFilterQuery = 2000
)

// Filter is a filter of a list of the console, saved under a name.
type Filter struct {
	// Name is what its operator calls it. A page has one filter of a name.
	Name string
	// Page is the path of the page with the list, below the prefix of the console, such as /requests.
	Page string
	// Query are the parameters that narrow the list, encoded as in its address.
	Query string
}

// WithFilter returns the filters of the operator with one more, which takes the place of the
// one with its page and name.
func (o Operator) WithFilter(f Filter) []Filter {
	filters := slices.Clone(o.Filters)
	if i := o.filter(f.Page, f.Name); i >= 0 {
		filters[i] = f
		return filters
	}
	return append(filters, f)
}

// WithoutFilter returns the filters of the operator without the one with a page and a name, and
// whether there was one.
func (o Operator) WithoutFilter(page, name string) (left []Filter, found bool) {
	i := o.filter(page, name)
	if i < 0 {
		return o.Filters, false
	}
	return slices.Delete(slices.Clone(o.Filters), i, i+1), true
}

func (o Operator) filter(page, name string) int {
	return slices.IndexFunc(o.Filters, func(f Filter) bool { return f.Page == page && f.Name == name })
}
