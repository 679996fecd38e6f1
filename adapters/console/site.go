package console

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// sitePages returns the pages about the site that is looked at: its settings, who works
// there, and the words that listings are described with.
func sitePages() []page {
	words := kernel.Needs(access.Websites|access.Properties, access.Config, access.CriteriaAll)
	people := kernel.Needs(access.Users|access.Properties, access.UserRead, access.UserList)
	criterion, list := "/site/criteria/{key}", "/site/lists/{id}"
	return []page{
		{
			path: "/site", title: "Site", template: "site", show: showSite, rule: words,
			menu: &menu{section: network, label: "Site and lists", icon: "building"},
		},
		{path: newSitePath, siteless: true, title: "A new site", template: "form", show: showNewSite, do: createSite, under: "/site", powers: operator.ManageSites},
		{path: "/site/settings", title: "Settings", template: "form", show: showSettings, do: changeSettings, under: "/site", powers: operator.ManageSites},
		{path: "/site/users", title: "Users", template: "users", show: showUsers, under: "/site", rule: people},
		{path: "/site/criteria", title: "Criteria", template: "criteria", show: showCriteria, under: "/site", rule: words},
		{path: criterion, title: "Criterion", template: "values", show: showCriterion, under: "/site", rule: words},
		{path: criterion + "/values", do: changeCriterionValues, on: criterion, powers: operator.ManageSites},
		{path: "/site/lists", title: "Lists", template: "lists", show: showLists, under: "/site", rule: words},
		{path: list, title: "List", template: "values", show: showList, under: "/site", rule: words},
		{path: list + "/values", do: changeListValues, on: list, powers: operator.ManageSites},
		{path: "/site/action-types", title: "Action types", template: "action-types", show: showActionTypes, under: "/site", rule: people},
	}
}

// siteTabs returns the pages about the site that the operator's role can see.
func (v *pageRequest) siteTabs(current string) []tab {
	var tabs []tab
	for _, path := range []string{"/site", "/site/users", "/site/criteria", "/site/lists", "/site/action-types"} {
		if p := v.pages[path]; v.may(p) {
			tabs = append(tabs, tab{p.title, v.Prefix + path, path == current})
		}
	}
	return tabs
}

// sitePage is a site with its settings and agencies.
type sitePage struct {
	Tabs       []tab
	MayChange  bool
	MayMake    bool // other sites
	ID         int64
	Name       string
	Settings   []fact
	Agencies   []agencyRow
	NoAgencies empty
}

type agencyRow struct {
	ID                         int64
	Name, Legal, City, Contact string
	State                      state
	// Outside reports that clients do not reach the agency.
	Outside bool
}

func showSite(v *pageRequest) (any, error) {
	p := sitePage{
		Tabs: v.siteTabs("/site"), MayChange: v.actor.May(operator.ManageSites), MayMake: v.mayMakeSites(), ID: int64(v.site),
		NoAgencies: empty{Title: "No agencies yet", Text: "Clients reach a site when it has one."},
	}
	if p.MayChange {
		return v.addWholeSite(p)
	}
	c, own, err := v.settings()
	if err != nil {
		return nil, err
	}
	p.Name, p.Settings = own.Name, settingFacts(own)
	agencies, err := v.agencies(c)
	for _, a := range agencies {
		p.Agencies = append(p.Agencies, agencyRow{
			ID: a.ID, Name: a.Name, Legal: said(a.LegalName), City: strings.TrimSpace(said(a.PostalCode) + " " + said(a.City)),
			Contact: said(a.Email), State: activity(a.IsActive),
		})
	}
	return p, err
}

// addWholeSite fills the page with the site and all its agencies, also of a site that is disabled
// or has no agency in its scope, which nobody enters.
func (v *pageRequest) addWholeSite(p sitePage) (any, error) {
	whole, err := v.wholeSite()
	p.Name, p.Settings = whole.Record.Name, settingFacts(office.SettingsOf(whole.Record))
	for _, a := range whole.Agencies {
		p.Agencies = append(p.Agencies, agencyRow{
			ID: int64(a.ID), Name: a.Name, Legal: a.LegalName, City: strings.TrimSpace(a.PostalCode + " " + a.City),
			Contact: a.Email, State: activity(a.Active), Outside: !whole.Record.Scope().Has(a.ID),
		})
	}
	return p, err
}

// settings returns those of the chosen site.
func (v *pageRequest) settings() (c kernel.Caller, own office.SiteSettings, err error) {
	if c, err = v.enter(); err == nil {
		own, err = v.Site.Office.Settings(v.ctx, c, kernel.Nothing{})
	}
	return c, own, err
}

// agencies returns those that the operator sees of the site.
func (v *pageRequest) agencies(c kernel.Caller) ([]office.AgencyResponse, error) {
	var all []office.AgencyResponse
	in := office.ListAgencies{PageQuery: kernel.PageQuery{PerPage: opt.Of(200)}}
	for {
		listed, err := v.Site.Office.ListAgencies(v.ctx, c, in)
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
func settingFacts(s office.SiteSettings) []fact {
	return []fact{
		{"Name", s.Name}, {"Status of new products", s.DefaultStatus}, {"Time zone", s.Timezone}, {"Currency", s.Currency}, {"Country", s.Country},
		{"Language", s.Language}, {"References", s.ReferencePattern},
		{"Energy letters by", cmp.Or(strings.Join(s.EnergyScales, ", "), "the usual scales")},
	}
}

// activity reports whether something is in use, as pages say it.
func activity(active bool) state {
	if active {
		return state{well, "active"}
	}
	return state{over, "inactive"}
}

// usersPage is who works at a site.
type usersPage struct {
	Tabs      []tab
	MayChange bool
	Filters   []field
	Filtered  bool
	Rows      []userRow
	Empty     empty
	Next      string
}

type userRow struct {
	ID                       int64
	Name, Email, Job, Agency string
	State                    state
	Web                      bool
}

func showUsers(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	asked := v.r.URL.Query()
	in := office.ListUsers{PageQuery: kernel.PageQuery{Cursor: asked.Get("cursor")}}
	if id, err := strconv.ParseInt(asked.Get("agency_id"), 10, 64); err == nil {
		in.AgencyID = opt.Of(id)
	}
	if chosen := asked.Get("active"); chosen != "" {
		in.Active = opt.Of(chosen == "yes")
	}
	listed, err := v.Site.Office.ListUsers(v.ctx, c, in)
	if err != nil {
		return nil, err
	}
	f := newForm(asked, nil)
	kept := narrowed(asked, []string{"agency_id", "active"})
	p := usersPage{
		Tabs: v.siteTabs("/site/users"), MayChange: v.actor.May(operator.ManageSites), Filtered: len(kept) > 0,
		Empty: empty{Title: "No users yet", Text: "Who works at an agency stands here once they are added."},
		Filters: []field{
			f.one("agency_id", "Agency", "", "", v.agencyChoices(c)),
			f.one("active", "State", "", "", []choice{{Label: "any"}, {Value: "yes", Label: "active"}, {Value: "no", Label: "inactive"}}),
		},
	}
	if p.Filtered {
		p.Empty = empty{Title: "No users are like that", Clear: link(v.Prefix, "site", "users")}
	}
	for _, u := range listed.Data {
		p.Rows = append(p.Rows, userRow{
			ID: u.ID, Name: strings.TrimSpace(u.Firstname + " " + u.Lastname), Email: said(u.Email), Job: said(u.JobTitle),
			Agency: agencyName(c, u.AgencyID), State: activity(u.IsActive), Web: u.WebVisible,
		})
	}
	if next := listed.Meta.NextCursor; next != nil {
		kept.Set("cursor", *next)
		p.Next = link(v.Prefix, "site", "users") + "?" + kept.Encode()
	}
	return p, nil
}

// criteriaPage is the criteria that listings are described with.
type criteriaPage struct {
	Tabs  []tab
	Rows  []criterionRow
	Empty empty
}

type criterionRow struct {
	Key, Label, Type, Group, Traits string
	State                           state
}

func showCriteria(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	listed, err := v.Site.Office.ListCriteria(v.ctx, c, kernel.Nothing{})
	p := criteriaPage{Tabs: v.siteTabs("/site/criteria"), Empty: empty{Title: "No criteria yet", Text: "A provisioning file brings them."}}
	for _, d := range listed {
		p.Rows = append(p.Rows, criterionRow{
			Key: d.Key, Label: d.Label, Type: typeOf(d), Group: said(d.Group), Traits: strings.Join(traits(d), ", "), State: activity(d.IsActive),
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
func traits(d office.CriteriaResource) []string {
	var all []string
	for _, trait := range []struct {
		holds bool
		name  string
	}{
		{d.IsRequiredForPublication, "required to publish"}, {d.IsSearchable, "searchable"}, {d.IsFulltext, "in full-text search"},
		{d.IsPrivate, "private"}, {d.IsCustom, "of this site"},
	} {
		if trait.holds {
			all = append(all, trait.name)
		}
	}
	return all
}

// listsPage is the lists of values.
type listsPage struct {
	Tabs  []tab
	Rows  []listRow
	Empty empty
}

type listRow struct {
	ID         int64
	Key, Label string
}

func showLists(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	listed, err := v.Site.Office.ListLists(v.ctx, c, kernel.Nothing{})
	p := listsPage{Tabs: v.siteTabs("/site/lists"), Empty: empty{Title: "No lists yet", Text: "A provisioning file brings them."}}
	for _, l := range listed {
		p.Rows = append(p.Rows, listRow{l.ID, l.Key, l.Label})
	}
	return p, err
}

// actionTypesPage is what can be written down about products and customers.
type actionTypesPage struct {
	Tabs  []tab
	Rows  []actionTypeRow
	Empty empty
}

type actionTypeRow struct {
	ID                  int64
	Code, Label, Target string
	State               state
	Children            []childRow
}

type childRow struct {
	Code, Label string
	State       state
}

func showActionTypes(v *pageRequest) (any, error) {
	c, err := v.enter()
	if err != nil {
		return nil, err
	}
	listed, err := v.Site.Office.ListActionTypes(v.ctx, c, kernel.Nothing{})
	p := actionTypesPage{Tabs: v.siteTabs("/site/action-types"), Empty: empty{Title: "No action types yet", Text: "A provisioning file brings them."}}
	for _, t := range listed {
		row := actionTypeRow{ID: t.ID, Code: t.Model, Label: t.Label, Target: t.Target, State: activity(t.IsActive)}
		for _, child := range t.Children {
			row.Children = append(row.Children, childRow{child.Model, child.Label, activity(child.IsActive)})
		}
		p.Rows = append(p.Rows, row)
	}
	return p, err
}

// ifStill holds a write to the version of the site that its form was shown for.
func (v *pageRequest) ifStill() kernel.IfMatch {
	version, err := strconv.ParseInt(v.query("version"), 10, 64)
	if err != nil {
		return kernel.IfMatch{}
	}
	return kernel.IfMatch{Given: true, Versions: []kernel.Version{kernel.Version(version)}}
}

// actionOn is action for a form that is about a version of the site.
func (v *pageRequest) actionOn(version kernel.Version, parts ...any) string {
	return v.action(parts...) + "&" + url.Values{"version": {strconv.FormatInt(int64(version), 10)}}.Encode()
}
