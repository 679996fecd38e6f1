package transfer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// SetupPublicationTarget is a portal that gets the listings of a site.
type SetupPublicationTarget struct {
	ID     int64  `yaml:"id"`
	Name   string `yaml:"name"`
	Folder string `yaml:"folder"`
	URL    string `yaml:"url"`
	// Format is poliris where it is empty, Pictures urls.
	Format   string `yaml:"format"`
	Pictures string `yaml:"pictures"`
	// Agencies are those whose listings are sent, by what the portal calls them; none is all.
	Agencies  map[string]int64       `yaml:"agencies"`
	Criterias []SetupTargetCondition `yaml:"criterias"`
	Complete  bool                   `yaml:"complete"`
	// Incremental sends only what has changed, and what is gone.
	Incremental bool `yaml:"incremental"`
	// Every is a duration such as 15m; empty is operator.DefaultEvery.
	Every string `yaml:"every"`
	// Paused is nil where it stays as it is.
	Paused *bool `yaml:"paused"`
}

// SetupTargetCondition is a clause on a criterion, as in a search of products.
type SetupTargetCondition struct {
	ID       string `yaml:"id"`
	Operator string `yaml:"operator"`
	// Value is a text or a number, or a list of them.
	Value any `yaml:"value"`
}

// publicationTargets stores the targets of a site. What is known of their runs stays.
func (p provisioner) publicationTargets(id site.ID, in SetupSite) error {
	changed := false
	for _, described := range in.PublicationTargets {
		wanted := operator.PublicationTarget{ID: operator.TargetID(described.ID), Site: id, Name: described.Name}
		// Held, so that nobody begins a run of it meanwhile.
		existing, err := among(p.PublicationTargets().Get(id, wanted.ID))
		if err != nil {
			return err
		}
		before := operator.PublicationTarget{State: operator.TargetState{Added: p.Now, Due: p.Now}}
		if len(existing) > 0 {
			before = existing[0]
		}
		if wanted.Settings, err = described.settings(before.Settings.Paused); err == nil {
			err = p.checkTarget(wanted)
		}
		if err != nil {
			return fmt.Errorf("publication target %d %q: %w", described.ID, described.Name, err)
		}
		if wanted.State = before.State; before.Settings.Location != wanted.Settings.Location {
			wanted.State.Sent = "" // nothing is there
		}
		if wanted.State.Run == 0 && before.Settings.Every != wanted.Settings.Every {
			wanted.State.Due = p.Now
		}
		kept, err := keep(p, existing, func(operator.PublicationTarget) bool { return true }, wanted, p.PublicationTargets().Put)
		if err != nil {
			return err
		}
		changed = changed || kept
	}
	if !changed {
		return nil
	}
	return p.Ledger().Touch(id, port.AspectSettings)
}

// checkTarget returns what is wrong with a target of the site.
func (p provisioner) checkTarget(t operator.PublicationTarget) error {
	if err := t.Check(func(id site.AgencyID) bool { return p.Site.Scope.Has(id) }); err != nil {
		return err
	}
	var problems fault.Problems
	p.Site.Dictionary.Conditions("criterias", t.Settings.Conditions(), criteria.Reading{Zone: p.Site.Zone}, &problems)
	if err := problems.Err(); err != nil {
		return explain(err)
	}
	return nil
}

// settings returns the settings that are described, of a target that is paused or not.
func (in SetupPublicationTarget) settings(paused bool) (s operator.TargetSettings, err error) {
	s = operator.TargetSettings{
		Location: operator.Location{Folder: in.Folder, URL: in.URL}, Format: cmp.Or(in.Format, "poliris"),
		Pictures: cmp.Or(in.Pictures, operator.PicturesAsURLs), Complete: in.Complete, Incremental: in.Incremental, Every: operator.DefaultEvery, Paused: paused,
	}
	for _, code := range slices.Sorted(maps.Keys(in.Agencies)) {
		if s.Agencies == nil {
			s.Agencies = map[site.AgencyID]string{}
		}
		s.Agencies[site.AgencyID(in.Agencies[code])] = code
	}
	for _, c := range in.Criterias {
		made := operator.TargetCondition{Criterion: c.ID, Operator: c.Operator}
		values, list := c.Value.([]any)
		if made.List = list; !list {
			values = []any{c.Value}
		}
		for _, v := range values {
			made.Values = append(made.Values, fmt.Sprint(v))
		}
		s.Criterias = append(s.Criterias, made)
	}
	if in.Paused != nil {
		s.Paused = *in.Paused
	}
	if in.Every != "" {
		s.Every, err = time.ParseDuration(in.Every)
	}
	return s, err
}
