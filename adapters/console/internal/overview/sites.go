package overview

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/alerts"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// sitesPage is what goes on at all sites of the operator, with what needs attention first.
type sitesPage struct {
	Attention []attention
	Standing  []standing
	Calm      kit.Empty
	Here      string
	Columns   []column
	Rows      []siteRow
}

// standing is something that needs attention, with since when.
type standing struct {
	State       kit.State
	Words, Href string
	Site        string
	Since       kit.Moment
}

// column is a heading of the table of sites.
type column struct {
	Label kit.Text
	// Number reports that the column has numbers, Minor that narrow screens do not show it.
	Number, Minor bool
}

// siteRow is a site, with a cell for each column.
type siteRow struct{ Cells []cell }

// cell is a figure of a site, which leads to what it counts.
type cell struct {
	Href, Text string
	Time       *kit.Moment
	// Alarm reports that the figure is of what is wrong.
	Alarm, Number, Minor bool
}

// siteColumn is a column of the table of sites.
type siteColumn struct {
	label kit.Text
	// page is where its figures lead, and query narrows it.
	page, query   string
	alarm, minor  bool
	count         func(backoffice.SiteSummary) int
	text, instant bool
}

func siteColumns() []siteColumn {
	return []siteColumn{
		{label: "Site", page: "/", text: true},
		{label: "Requests, 1 h", page: "/requests", count: func(s backoffice.SiteSummary) int { return int(s.Requests) }},
		{label: "Refused", page: "/requests", query: "status=4", count: func(s backoffice.SiteSummary) int { return int(s.Refused) }},
		{label: "Failed", page: "/requests", query: "status=5", alarm: true, count: func(s backoffice.SiteSummary) int { return int(s.Failed) }},
		{label: "Webhooks suspended", page: "/webhooks", alarm: true, count: func(s backoffice.SiteSummary) int { return s.Suspended }},
		{label: "Webhooks", page: "/webhooks", minor: true, count: func(s backoffice.SiteSummary) int { return s.Webhooks }},
		{label: "Last successful import", page: "/imports", minor: true, instant: true},
		{label: "Products on the web", page: "/products", query: "web=yes", minor: true, count: func(s backoffice.SiteSummary) int { return s.OnWeb }},
	}
}

func showSites(v *kit.Request) (any, error) {
	if !v.All {
		return nil, kit.Redirect(v.Link())
	}
	sum, err := v.Backoffice.SumUpSites(v.Ctx, v.Actor, kernel.Nothing{})
	if err != nil {
		return nil, err
	}
	var late overviewPage
	if err := addBacklog(v, &late); err != nil && !errors.Is(err, fault.Forbidden) {
		return nil, err
	}
	p := sitesPage{
		Attention: late.Attention, Calm: kit.Empty{Title: "Nothing needs attention", Text: "What is wrong at any site stands here within a minute."},
		Here: v.Link("sites") + "?site=" + v.SiteParameter(),
	}
	for _, s := range sum.Attention {
		one := standing{State: alerts.StateOf(s.Severity), Words: s.Words.In(v.API), Href: v.Prefix + s.Page, Site: v.SiteName(s.Site), Since: v.When(s.Since)}
		p.Standing = append(p.Standing, one)
	}
	columns := slices.DeleteFunc(siteColumns(), func(c siteColumn) bool { return !v.May(v.Pages[c.page]) })
	for _, c := range columns {
		p.Columns = append(p.Columns, column{Label: c.label, Number: c.count != nil, Minor: c.minor})
	}
	slices.SortStableFunc(sum.Sites, func(a, b backoffice.SiteSummary) int { return cmp.Compare(a.Name, b.Name) })
	for _, s := range sum.Sites {
		var row siteRow
		for _, c := range columns {
			row.Cells = append(row.Cells, c.cell(v, s))
		}
		p.Rows = append(p.Rows, row)
	}
	return p, nil
}

func (c siteColumn) cell(v *kit.Request, s backoffice.SiteSummary) cell {
	query := "site=" + strconv.FormatInt(int64(s.ID), 10)
	if c.query != "" {
		query = c.query + "&" + query
	}
	one := cell{Href: v.Prefix + c.page + "?" + query, Minor: c.minor}
	switch {
	case c.text:
		one.Text = s.Name
	case c.instant:
		at := v.When(s.LastImport)
		one.Time = &at
	default:
		one.Text, one.Number, one.Alarm = v.Count(int64(c.count(s))), true, c.alarm && c.count(s) > 0
	}
	return one
}
