package backoffice

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/alerts"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Summary is what goes on at the sites of an actor, as far as the role sees it.
type Summary struct {
	// Attention is what stands and is not silent: what is critical first, then what has stood longest.
	Attention []alerts.Stands
	// Sites are those of the actor, by id.
	Sites []SiteSummary
}

// SiteSummary is what goes on at a site. What the role does not see is 0.
type SiteSummary struct {
	ID   site.ID
	Name string
	// Requests are those of the last hour; Refused are those of them answered with a 4xx, Failed with a 5xx.
	Requests, Refused, Failed int64
	// Webhooks are all that the role may read, Suspended are those of them that receive nothing.
	Webhooks, Suspended int
	// LastImport is when an import source was last as it should be; zero for never.
	LastImport time.Time
	// OnWeb is how many products are shown on websites.
	OnWeb int
}

func (s *Service) sumUpSites(ctx context.Context, a Actor, in kernel.Nothing) (Summary, error) {
	standing, err := s.site.Alerts.List(ctx, kernel.Caller{}, in)
	if err != nil {
		return Summary{}, err
	}
	sum, err := view(ctx, s, func(u unit) (Summary, error) { return u.sumUp(a, s.rules["hook.list"], standing.Standing) })
	if err != nil {
		return Summary{}, err
	}
	if err := s.countLately(ctx, a, sum.Sites); err != nil {
		return Summary{}, err
	}
	for i := range sum.Sites {
		found, err := through(s, s.site.Listing.CountProducts)(ctx, a, At[listing.CountProducts]{
			Site: int64(sum.Sites[i].ID), In: listing.CountProducts{ProductFilters: listing.ProductFilters{StatusWeb: opt.Of(true)}},
		})
		if err != nil && !errors.Is(err, fault.Forbidden) {
			return Summary{}, err
		}
		sum.Sites[i].OnWeb = found.Count
	}
	return sum, nil
}

// countLately adds the requests of the last hour.
func (s *Service) countLately(ctx context.Context, a Actor, sites []SiteSummary) error {
	if !a.May(operator.SeeRequests) || s.k.Traffic == nil {
		return nil
	}
	places, ids := map[site.ID]int{}, make([]site.ID, len(sites))
	for i, known := range sites {
		places[known.ID], ids[i] = i, known.ID
	}
	now := s.k.Moment()
	totals, err := s.k.Traffic.Totals(ctx, ids, time.Minute, now.Add(-time.Hour).Truncate(time.Minute).Add(time.Minute), now.Add(time.Minute))
	for _, t := range totals {
		of := &sites[places[t.Site]]
		of.Requests += t.N
		switch t.Class {
		case 4:
			of.Refused += t.N
		case 5:
			of.Failed += t.N
		}
	}
	return err
}

func (u unit) sumUp(a Actor, readsHooks access.Rule, standing []alerts.Stands) (Summary, error) {
	var sum Summary
	read := map[alert.Key]bool{} // the subjects of alerts about webhooks that the actor may read
	all, err := u.Sites().All()
	if err != nil {
		return sum, err
	}
	for _, known := range all {
		if !a.Operator.Reaches(known.ID) {
			continue
		}
		one := SiteSummary{ID: known.ID, Name: known.Name}
		if grant := a.Grant(known.ID); readsHooks.Check(grant) == nil {
			if err := u.countHooks(grant.Packs, &one, read); err != nil {
				return sum, err
			}
		}
		sum.Sites = append(sum.Sites, one)
	}
	if err := u.addSources(a, sum.Sites); err != nil {
		return sum, err
	}
	for _, stands := range standing {
		sees, err := u.sees(a, read, stands)
		if err != nil {
			return sum, err
		}
		if sees && !stands.Silent(u.Now) {
			sum.Attention = append(sum.Attention, stands)
		}
	}
	slices.SortStableFunc(sum.Attention, func(a, b alerts.Stands) int {
		return cmp.Or(b.Severity.Compare(a.Severity), a.Since.Compare(b.Since))
	})
	return sum, nil
}

// countHooks counts the webhooks of a site that packs may read, and adds them to those that are read.
func (u unit) countHooks(packs access.Packs, of *SiteSummary, read map[alert.Key]bool) error {
	subscribed, err := u.Webhooks().Of(of.ID)
	for _, w := range subscribed {
		if !hooks.Manages(packs, w) {
			continue
		}
		of.Webhooks++
		if w.State == webhook.Suspended {
			of.Suspended++
		}
		read[alerts.SuspendedKey(w)] = true
	}
	return err
}

// addSources adds when the import sources of sites were last as they should be.
func (u unit) addSources(a Actor, sites []SiteSummary) error {
	if !a.May(operator.ManageImports) {
		return nil
	}
	sources, err := u.ImportSources().All()
	for _, source := range sources {
		for i := range sites {
			if sites[i].ID == source.Site && source.State.Good.After(sites[i].LastImport) {
				sites[i].LastImport = source.State.Good
			}
		}
	}
	return err
}

// sees reports whether an actor sees what stands: it is about one of their sites, about a client that reaches
// one, or about all sites and they hold for all.
func (u unit) sees(a Actor, read map[alert.Key]bool, s alerts.Stands) (bool, error) {
	if s.Cause == alerts.Suspended {
		return read[s.Key], nil
	}
	switch {
	case !a.May(s.Sees | operator.ManageAlerts):
		return false, nil
	case a.Operator.Everywhere:
		return true, nil
	case s.Site != 0:
		return a.Operator.Reaches(s.Site), nil
	case s.Client == "":
		return false, nil
	}
	client, err := u.Credentials().Get(s.Client)
	return slices.ContainsFunc(client.Sites, a.Operator.Reaches), kernel.AbsentIs(err, nil)
}
