package api

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Site is a site as one request sees it: what changes rarely as of one revision,
// and where its ledger and its counts stood when the caller was identified.
type Site struct {
	*SiteView
	Head port.Head
}

// SiteView is everything about a site that changes rarely and is needed often,
// as it was at one revision. It is immutable, and shared by all requests.
type SiteView struct {
	Revision int64
	ID       site.ID
	// Record is the site itself; its settings have their defaults filled in.
	Record      site.Site
	Zone        *time.Location
	Scope       site.Scope
	Agencies    []site.Agency
	Users       map[site.UserID]site.User
	Staff       map[site.AgencyID][]site.User
	Dictionary  *criteria.Dictionary
	ActionTypes action.Types
	// Unsearchable are the keys of criteria no search can name.
	Unsearchable map[string]bool
	// Veil hides from website credentials what they have no use for.
	Veil product.Veil
}

// NewSiteView is the view of a site with some definitions, lists and action
// types, without agencies and users. zone finds time zones.
func NewSiteView(
	of site.Site, definitions []criteria.Definition, lists []criteria.List, types []action.Type, zone func(string) (*time.Location, error),
) (*SiteView, error) {
	of.Settings = of.Settings.WithDefaults()
	v := &SiteView{
		ID: of.ID, Record: of, Scope: of.Scope(), Dictionary: criteria.NewDictionary(definitions, lists), ActionTypes: action.Types{},
		Users: map[site.UserID]site.User{}, Staff: map[site.AgencyID][]site.User{},
		Unsearchable: map[string]bool{}, Veil: product.Veil{Private: map[string]bool{}, Addresses: true},
	}
	for _, t := range types {
		v.ActionTypes[t.ID] = t
	}
	for _, d := range definitions {
		if !d.Searchable {
			v.Unsearchable[d.Key] = true
		}
		if d.Private {
			v.Veil.Private[d.Key] = true
		}
	}
	var err error
	if v.Zone, err = zone(of.Settings.TimeZone); err != nil {
		return nil, fmt.Errorf("site %d: %w", of.ID, err)
	}
	return v, nil
}

// AddUsers puts users into a view that nobody else has yet.
func (v *SiteView) AddUsers(users []site.User) {
	for _, u := range users {
		v.Users[u.ID] = u
		v.Staff[u.Agency] = append(v.Staff[u.Agency], u)
	}
}

// Settings are the site's choices, with defaults filled in.
func (v *SiteView) Settings() site.Settings { return v.Record.Settings }

// ProductRules are what changes of products are judged by.
func (v *SiteView) ProductRules() product.Rules {
	chosen := v.Settings()
	return product.Rules{
		Dictionary: v.Dictionary, Zone: v.Zone, DefaultStatus: chosen.DefaultStatus,
		Country: chosen.Country, EnergyScales: chosen.EnergyScales,
	}
}

// Reading is how values of criteria are read.
func (v *SiteView) Reading() criteria.Reading { return criteria.Reading{Zone: v.Zone} }

// Agency finds an agency of the site, in scope or not.
func (v *SiteView) Agency(id site.AgencyID) (site.Agency, bool) {
	for _, a := range v.Agencies {
		if a.ID == id {
			return a, true
		}
	}
	return site.Agency{}, false
}

// Today is the day of a moment where the site is, as YYYY-MM-DD.
func (v *SiteView) Today(now time.Time) string { return now.In(v.Zone).Format(time.DateOnly) }

// Date reads a date-time of a request, in the site's zone when it has no offset;
// zero when there is none.
func (v *SiteView) Date(field, text string, problems *fault.Problems) time.Time {
	if text = strings.TrimSpace(text); text == "" {
		return time.Time{}
	}
	date, ok := criteria.ParseDate(text, v.Zone)
	if !ok {
		problems.Append(fault.Detail{
			Field: field, Code: fault.CodeInvalidFormat, Value: text, Message: field + " is a date-time such as 2026-09-16T08:30:00Z",
		})
	}
	return date.Instant(v.Zone)
}

// loadView reads a site in one snapshot.
func (k *Kernel) loadView(ctx context.Context, id site.ID) (fresh *SiteView, err error) {
	err = k.Store.View(ctx, func(tx port.Tx) error {
		fresh, err = ReadSiteView(tx, id, k.Zone)
		return err
	})
	return fresh, err
}

// ReadSiteView reads a site as a unit of work sees it. An unknown site is
// NotFound.
func ReadSiteView(tx port.Tx, id site.ID, zone func(string) (*time.Location, error)) (*SiteView, error) {
	head, err := tx.Ledger().Head(id)
	if err != nil {
		return nil, err
	}
	record, err := tx.Sites().Get(id)
	if err != nil {
		return nil, err
	}
	definitions, err := tx.Criteria().Of(id)
	if err != nil {
		return nil, err
	}
	lists, err := tx.Lists().Of(id)
	if err != nil {
		return nil, err
	}
	types, err := tx.ActionTypes().Of(id)
	if err != nil {
		return nil, err
	}
	fresh, err := NewSiteView(record, definitions, lists, types, zone)
	if err != nil {
		return nil, err
	}
	fresh.Revision = head.Settings
	if fresh.Agencies, err = tx.Agencies().Of(id); err != nil {
		return nil, err
	}
	users, err := tx.Users().Of(id)
	if err != nil {
		return nil, err
	}
	fresh.AddUsers(users)
	return fresh, nil
}
