package account

import (
	"net/url"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// filterRow is a saved filter in the list of its operator.
type filterRow struct {
	kit.Ref
	Path string
	// Title is that of the page, or else its path.
	Title kit.Text
}

// filterRows returns the saved filters of the operator. Those of a page that they do not see lead nowhere.
func filterRows(v *kit.Request) []filterRow {
	var rows []filterRow
	for _, f := range v.Actor.Operator.Filters {
		row := filterRow{kit.Ref{Label: f.Name}, f.Page, kit.Text(f.Page)}
		if p := v.Pages[f.Page]; len(p.Filters) > 0 && v.May(p) {
			row.Title, row.Href = p.Title, v.Prefix+p.Path+"?"+f.Query
		}
		rows = append(rows, row)
	}
	return rows
}

// saveFilter saves the filter of a list, and goes back there.
func saveFilter(v *kit.Request) (kit.Done, error) {
	p := v.Pages[v.Sent("page")]
	if len(p.Filters) == 0 {
		return kit.Done{}, kit.WrongField("page", fault.CodeInvalidFormat, fault.Textf("there is no such page"))
	}
	asked, err := url.ParseQuery(v.Sent("query"))
	if err != nil {
		return kit.Done{}, kit.WrongField("query", fault.CodeInvalidFormat, fault.Textf("the parameters of a filter"))
	}
	var to []any
	for part := range strings.SplitSeq(strings.TrimPrefix(p.Path, "/"), "/") {
		to = append(to, part)
	}
	done := kit.Went(to...).Saying("The filter is saved.")
	done.Query = v.FilterOf(p, asked)
	_, err = v.Backoffice.SaveFilter(v.Ctx, v.Actor, operator.Filter{Name: v.Sent("name"), Page: p.Path, Query: done.Query})
	return done, err
}

func removeFilter(v *kit.Request) (kit.Done, error) {
	_, err := v.Backoffice.RemoveFilter(v.Ctx, v.Actor, backoffice.RemoveFilter{Page: v.Sent("page"), Name: v.Sent("name")})
	return kit.Went("me").Saying("The filter is removed."), err
}
