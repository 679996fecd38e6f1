package kernel

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// Site is a site as one request sees it: its settings at one revision, and its head as of the
// time when the caller was identified.
type Site struct {
	*SiteView
	Head port.Head
}

// SiteView has everything about a site that changes rarely and is needed often, at one
// revision. It is immutable, and shared by all requests.
type SiteView struct {
	Revision int64
	ID       site.ID
	// Record is the site itself; its settings have their defaults filled in.
	Record site.Site
	Zone   *time.Location
	// zones are those of the agencies that have one of their own.
	zones    map[site.AgencyID]*time.Location
	Scope    site.Scope
	Agencies []site.Agency
	Users    map[site.UserID]site.User
	Staff    map[site.AgencyID][]site.User
	// Portals are the names of the publication targets.
	Portals map[operator.TargetID]string
	*Vocabulary
	// Veil hides personal data from website credentials.
	Veil product.Veil
}

// Settings returns the site's choices, with defaults filled in.
func (v *SiteView) Settings() site.Settings { return v.Record.Settings }

// ProductRules returns what changes of products are judged by.
func (v *SiteView) ProductRules() product.Rules {
	chosen := v.Settings()
	return product.Rules{
		Dictionary: v.Dictionary, Zone: v.Zone, DefaultStatus: chosen.DefaultStatus,
		Country: chosen.Country, EnergyScales: chosen.EnergyScales,
	}
}

// Agency returns an agency of the site, in scope or not.
func (v *SiteView) Agency(id site.AgencyID) (site.Agency, bool) {
	for _, a := range v.Agencies {
		if a.ID == id {
			return a, true
		}
	}
	return site.Agency{}, false
}

// ZoneOf returns the time zone of an agency: its own, or else that of the site.
func (v *SiteView) ZoneOf(id site.AgencyID) *time.Location {
	if own := v.zones[id]; own != nil {
		return own
	}
	return v.Zone
}

// Today returns the day of a moment where an agency is, as YYYY-MM-DD.
func (v *SiteView) Today(id site.AgencyID, now time.Time) string {
	return now.In(v.ZoneOf(id)).Format(time.DateOnly)
}

// Date returns a date-time of a request, in the site's zone when it has no offset; zero when
// there is none.
func (v *SiteView) Date(field, text string, problems *fault.Problems) time.Time {
	if text = strings.TrimSpace(text); text == "" {
		return time.Time{}
	}
	return v.Since(field, opt.Of(text), problems)
}

// Since is Date for a field of which an empty text is an error, because it would not mean the
// same as leaving it out.
func (v *SiteView) Since(field string, given opt.Field[string], problems *fault.Problems) time.Time {
	if !given.Given() {
		return time.Time{}
	}
	date, ok := criteria.ParseDate(strings.TrimSpace(given.Value), v.Zone)
	if !ok {
		problems.Wrong(field, fault.CodeInvalidFormat, given.Value, "%s is a date-time such as 2026-09-16T08:30:00Z", field)
	}
	return date.Instant(v.Zone)
}

// loadView returns a site as of one snapshot.
func (k *Kernel) loadView(ctx context.Context, id site.ID) (fresh *SiteView, err error) {
	err = k.Store.View(ctx, func(tx port.Tx) error {
		fresh, err = ReadSiteView(tx, id, k.location)
		return err
	})
	if err != nil {
		return nil, err
	}
	fresh.Vocabulary = k.vocabularies.share(fresh.Vocabulary)
	fresh.Veil.Private = fresh.private
	return fresh, nil
}

// ReadSiteView returns a site as a unit of work sees it; zone returns time zones. An unknown
// site is NotFound.
func ReadSiteView(tx port.Tx, id site.ID, zone func(string) (*time.Location, error)) (*SiteView, error) {
	v := &SiteView{ID: id, Users: map[site.UserID]site.User{}, Staff: map[site.AgencyID][]site.User{}}
	head, err := tx.Ledger().Head(id)
	if err != nil {
		return nil, err
	}
	v.Revision = head.Settings
	if v.Record, err = tx.Sites().Get(id); err != nil {
		return nil, err
	}
	v.Record.Settings = v.Record.Settings.WithDefaults()
	v.Scope = v.Record.Scope()
	agencies, err := tx.Agencies().Of(id)
	if err != nil {
		return nil, err
	}
	v.Agencies = slices.Clone(agencies) // a store may return spare capacity
	users, err := tx.Users().Of(id)
	if err != nil {
		return nil, err
	}
	for _, u := range users {
		v.Users[u.ID] = u
		v.Staff[u.Agency] = append(v.Staff[u.Agency], u)
	}
	targets, err := tx.PublicationTargets().Of(id)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		if v.Portals == nil {
			v.Portals = map[operator.TargetID]string{}
		}
		v.Portals[t.ID] = t.Name
	}
	if v.Vocabulary, err = readVocabulary(tx, id); err != nil {
		return nil, err
	}
	v.Veil = product.Veil{Private: v.private, Addresses: true}
	if v.Zone, err = zone(v.Settings().TimeZone); err != nil {
		return nil, fmt.Errorf("site %d: %w", id, err)
	}
	for _, a := range v.Agencies {
		if a.TimeZone == "" {
			continue
		}
		own, err := zone(a.TimeZone)
		if err != nil {
			return nil, fmt.Errorf("agency %d: %w", a.ID, err)
		}
		if v.zones == nil {
			v.zones = map[site.AgencyID]*time.Location{}
		}
		v.zones[a.ID] = own
	}
	return v, nil
}

// bytes estimates the memory of the view without what it shares with others.
func (v *SiteView) bytes() int {
	own := *v
	own.Vocabulary, own.Veil.Private = nil, nil
	return memory.Footprint(own, reflect.TypeFor[*time.Location]())
}
