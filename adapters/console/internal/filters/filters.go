// Package filters has the parameters of addresses that narrow lists, and those that an operator saved.
package filters

import (
	"net/url"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// Narrowed returns those of some parameters of an address that are given.
func Narrowed(asked url.Values, names []string) url.Values {
	kept := url.Values{}
	for _, name := range names {
		if value := asked.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	return kept
}

// Query returns the parameters that narrow a list, encoded, with the site that it is about if there
// is one; empty where the list is not narrowed.
func Query(asked url.Values, names []string, site string) string {
	kept := Narrowed(asked, names)
	if len(kept) > 0 && site != "" {
		kept.Set("site", site)
	}
	return kept.Encode()
}

// Shown are the filters beside a list.
type Shown struct {
	// Page and Query are the filter of the list that can be saved. Query is empty where the list is not
	// narrowed, or its filter is saved already.
	Page, Query string
	Saved       []Saved
}

// Saved is a saved filter. Current reports that the list is narrowed by it.
type Saved struct {
	Name, Href string
	Current    bool
}

// On returns the filters beside the list of a page, which is narrowed by a query; saved are those of
// all pages.
func On(prefix, page, query string, saved []operator.Filter) *Shown {
	s := &Shown{Page: page, Query: query}
	for _, f := range saved {
		if f.Page != page {
			continue
		}
		one := Saved{Name: f.Name, Href: prefix + page + "?" + f.Query, Current: f.Query == query}
		if one.Current {
			s.Query = ""
		}
		s.Saved = append(s.Saved, one)
	}
	return s
}
