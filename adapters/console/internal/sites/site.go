package sites

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/filters"
	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// sitePages returns the pages about the site that is looked at: its settings, who works
// there, and the words that listings are described with.
func sitePages() []kit.Page {
	words := kernel.Needs(access.Websites|access.Properties, access.Config, access.CriteriaAll)
	people := kernel.Needs(access.Users|access.Properties, access.UserRead, access.UserList)
	criterion, list := "/site/criteria/{key}", "/site/lists/{id}"
	return []kit.Page{
		{
			Path: "/site", Title: "Site", Template: "site", Show: showSite, Rule: words,
			Menu: &kit.Menu{Section: kit.Network, Label: "Site and lists", Icon: "building"},
		},
		{Path: kit.NewSitePath, Siteless: true, Title: "A new site", Template: "form", Show: showNewSite, Do: createSite, Under: "/site", Powers: operator.ManageSites},
		{Path: "/site/settings", Title: "Settings", Template: "form", Show: showSettings, Do: changeSettings, Under: "/site", Powers: operator.ManageSites},
		{Path: "/site/users", Title: "Users", Template: "users", Show: showUsers, Filters: userFilters[:], Under: "/site", Rule: people},
		{Path: "/site/criteria", Title: "Criteria", Template: "criteria", Show: showCriteria, Under: "/site", Rule: words},
		{Path: criterion, Title: "Criterion", Template: "values", Show: showCriterion, Under: "/site", Rule: words},
		{Path: criterion + "/values", Do: changeCriterionValues, On: criterion, Powers: operator.ManageSites},
		{Path: "/site/lists", Title: "Lists", Template: "lists", Show: showLists, Under: "/site", Rule: words},
		{Path: list, Title: "List", Template: "values", Show: showList, Under: "/site", Rule: words},
		{Path: list + "/values", Do: changeListValues, On: list, Powers: operator.ManageSites},
		{Path: "/site/action-types", Title: "Action types", Template: "action-types", Show: showActionTypes, Under: "/site", Rule: people},
	}
}

// siteTabs returns the pages about the site that the operator's role can see.
func siteTabs(v *kit.Request, current string) []kit.Tab {
	var tabs []kit.Tab
	for _, path := range []string{"/site", "/site/users", "/site/criteria", "/site/lists", "/site/action-types"} {
		if p := v.Pages[path]; v.May(p) {
			tabs = append(tabs, kit.Tab{Label: p.Title, Href: v.Prefix + path, Current: path == current})
		}
	}
	return tabs
}

// sitePage is a site with its settings and agencies.
type sitePage struct {
	Tabs       []kit.Tab
	MayChange  bool
	MayMake    bool // other sites
	ID         int64
	Name       string
	Settings   []kit.Fact
	Agencies   []agencyRow
	NoAgencies kit.Empty
}

type agencyRow struct {
	ID                         int64
	Name, Legal, City, Contact string
	State                      kit.State
	// Outside reports that clients do not reach the agency.
	Outside bool
}

func showSite(v *kit.Request) (any, error) {
	p := sitePage{
		Tabs: siteTabs(v, "/site"), MayChange: v.Actor.May(operator.ManageSites), MayMake: v.MayMakeSites(), ID: int64(v.SiteID),
		NoAgencies: kit.Empty{Title: "No agencies yet", Text: "Clients reach a site when it has one."},
	}
	if p.MayChange {
		return addWholeSite(v, p)
	}
	c, own, err := settings(v)
	if err != nil {
		return nil, err
	}
	p.Name, p.Settings = own.Name, settingFacts(v, own)
	agencies, err := agencies(v, c)
	for _, a := range agencies {
		p.Agencies = append(p.Agencies, agencyRow{
			ID: a.ID, Name: a.Name, Legal: kit.Said(a.LegalName), City: strings.TrimSpace(kit.Said(a.PostalCode) + " " + kit.Said(a.City)),
			Contact: kit.Said(a.Email), State: activity(a.IsActive),
		})
	}
	return p, err
}

// addWholeSite fills the page with the site and all its agencies, also of a site that is disabled
// or has no agency in its scope, which nobody enters.
func addWholeSite(v *kit.Request, p sitePage) (any, error) {
	whole, err := wholeSite(v)
	p.Name, p.Settings = whole.Record.Name, settingFacts(v, office.SettingsOf(whole.Record))
	for _, a := range whole.Agencies {
		p.Agencies = append(p.Agencies, agencyRow{
			ID: int64(a.ID), Name: a.Name, Legal: a.LegalName, City: strings.TrimSpace(a.PostalCode + " " + a.City),
			Contact: a.Email, State: activity(a.Active), Outside: !whole.Record.Scope().Has(a.ID),
		})
	}
	return p, err
}

// settings returns those of the chosen site.
func settings(v *kit.Request) (c kernel.Caller, own office.SiteSettings, err error) {
	if c, err = v.Enter(); err == nil {
		own, err = v.Site.Office.Settings(v.Ctx, c, kernel.Nothing{})
	}
	return c, own, err
}

// agencies returns those that the operator sees of the site.
func agencies(v *kit.Request, c kernel.Caller) ([]office.AgencyResponse, error) {
	var all []office.AgencyResponse
	in := office.ListAgencies{PageQuery: kernel.PageQuery{PerPage: opt.Of(200)}}
	for {
		listed, err := v.Site.Office.ListAgencies(v.Ctx, c, in)
		if err != nil {
			return nil, err
		}
		all = append(all, listed.Data...)
		if listed.Meta.NextCursor == nil {
			return all, nil
		}
		in.Cursor = *listed.Meta.NextCursor
	}
}

// settingFacts returns settings as they stand.
func settingFacts(v *kit.Request, s office.SiteSettings) []kit.Fact {
	return []kit.Fact{
		v.Fact("Name", s.Name), v.Fact("Status of new products", s.DefaultStatus), v.Fact("Time zone", s.Timezone), v.Fact("Currency", s.Currency), v.Fact("Country", s.Country),
		v.Fact("Language", s.Language), v.Fact("References", s.ReferencePattern),
		v.Fact("Energy letters by", cmp.Or(strings.Join(s.EnergyScales, ", "), v.Say("the usual scales"))),
	}
}

// activity reports whether something is in use, as pages say it.
func activity(active bool) kit.State {
	if active {
		return kit.State{Tone: kit.Well, Word: "active"}
	}
	return kit.State{Tone: kit.Over, Word: "inactive"}
}

// usersPage is who works at a site.
type usersPage struct {
	Tabs      []kit.Tab
	MayChange bool
	Filters   []kit.Field
	Filtered  bool
	Rows      []userRow
	Empty     kit.Empty
	Next      string
}

type userRow struct {
	ID                       int64
	Name, Email, Job, Agency string
	State                    kit.State
	Web                      bool
}

// userFilters are the names of the parameters of the address that narrow the list of users.
var userFilters = [...]string{"agency_id", "active"}

func showUsers(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	asked := v.HTTP.URL.Query()
	in := office.ListUsers{PageQuery: kernel.PageQuery{Cursor: asked.Get("cursor")}}
	if id, err := strconv.ParseInt(asked.Get("agency_id"), 10, 64); err == nil {
		in.AgencyID = opt.Of(id)
	}
	if chosen := asked.Get("active"); chosen != "" {
		in.Active = opt.Of(chosen == "yes")
	}
	listed, err := v.Site.Office.ListUsers(v.Ctx, c, in)
	if err != nil {
		return nil, err
	}
	f := kit.NewForm(v.Language, asked, nil)
	kept := filters.Narrowed(asked, userFilters[:])
	p := usersPage{
		Tabs: siteTabs(v, "/site/users"), MayChange: v.Actor.May(operator.ManageSites), Filtered: len(kept) > 0,
		Empty: kit.Empty{Title: "No users yet", Text: "Who works at an agency stands here once they are added."},
		Filters: []kit.Field{
			f.One("agency_id", "Agency", "", "", v.AgencyChoices(c)),
			f.One("active", "State", "", "", []kit.Choice{{Label: v.Say("any")}, {Value: "yes", Label: v.Say("active")}, {Value: "no", Label: v.Say("inactive")}}),
		},
	}
	if p.Filtered {
		p.Empty = kit.Empty{Title: "No users are like that", Clear: v.Link("site", "users")}
	}
	for _, u := range listed.Data {
		p.Rows = append(p.Rows, userRow{
			ID: u.ID, Name: strings.TrimSpace(u.Firstname + " " + u.Lastname), Email: kit.Said(u.Email), Job: kit.Said(u.JobTitle),
			Agency: kit.AgencyName(c, u.AgencyID), State: activity(u.IsActive), Web: u.WebVisible,
		})
	}
	if next := listed.Meta.NextCursor; next != nil {
		kept.Set("cursor", *next)
		p.Next = v.Link("site", "users") + "?" + kept.Encode()
	}
	return p, nil
}

// criteriaPage is the criteria that listings are described with.
type criteriaPage struct {
	Tabs  []kit.Tab
	Rows  []criterionRow
	Empty kit.Empty
}

type criterionRow struct {
	Key, Label, Type, Group, Traits string
	State                           kit.State
}

func showCriteria(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	listed, err := v.Site.Office.ListCriteria(v.Ctx, c, kernel.Nothing{})
	p := criteriaPage{Tabs: siteTabs(v, "/site/criteria"), Empty: kit.Empty{Title: "No criteria yet", Text: "A provisioning file brings them."}}
	for _, d := range listed {
		p.Rows = append(p.Rows, criterionRow{
			Key: d.Key, Label: d.Label, Type: typeOf(d), Group: kit.Said(d.Group), Traits: traits(v, d), State: activity(d.IsActive),
		})
	}
	return p, err
}

// typeOf returns the type of a criterion, with its unit.
func typeOf(d office.CriteriaResource) string {
	if d.Unit != nil {
		return d.Type + ", " + *d.Unit
	}
	return d.Type
}

// traits returns what is particular about a criterion.
func traits(v *kit.Request, d office.CriteriaResource) string {
	var all []string
	for _, trait := range []struct {
		holds bool
		name  kit.Text
	}{
		{d.IsRequiredForPublication, "required to publish"}, {d.IsSearchable, "searchable"}, {d.IsFulltext, "in full-text search"},
		{d.IsPrivate, "private"}, {d.IsCustom, "of this site"},
	} {
		if trait.holds {
			all = append(all, v.Show(trait.name))
		}
	}
	return strings.Join(all, ", ")
}

// listsPage is the lists of values.
type listsPage struct {
	Tabs  []kit.Tab
	Rows  []listRow
	Empty kit.Empty
}

type listRow struct {
	ID         int64
	Key, Label string
}

func showLists(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	listed, err := v.Site.Office.ListLists(v.Ctx, c, kernel.Nothing{})
	p := listsPage{Tabs: siteTabs(v, "/site/lists"), Empty: kit.Empty{Title: "No lists yet", Text: "A provisioning file brings them."}}
	for _, l := range listed {
		p.Rows = append(p.Rows, listRow{l.ID, l.Key, l.Label})
	}
	return p, err
}

// actionTypesPage is what can be written down about products and customers.
type actionTypesPage struct {
	Tabs  []kit.Tab
	Rows  []actionTypeRow
	Empty kit.Empty
}

type actionTypeRow struct {
	ID          int64
	Code, Label string
	Target      kit.Text
	State       kit.State
	Children    []childRow
}

type childRow struct {
	Code, Label string
	State       kit.State
}

func showActionTypes(v *kit.Request) (any, error) {
	c, err := v.Enter()
	if err != nil {
		return nil, err
	}
	listed, err := v.Site.Office.ListActionTypes(v.Ctx, c, kernel.Nothing{})
	p := actionTypesPage{Tabs: siteTabs(v, "/site/action-types"), Empty: kit.Empty{Title: "No action types yet", Text: "A provisioning file brings them."}}
	for _, t := range listed {
		row := actionTypeRow{ID: t.ID, Code: t.Model, Label: t.Label, Target: kit.Text(t.Target), State: activity(t.IsActive)}
		for _, child := range t.Children {
			row.Children = append(row.Children, childRow{child.Model, child.Label, activity(child.IsActive)})
		}
		p.Rows = append(p.Rows, row)
	}
	return p, err
}
