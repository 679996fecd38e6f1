package transfer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
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
		// Held, so that nobody begins a run of it meanwhile.
		existing, err := among(p.PublicationTargets().Get(id, operator.TargetID(described.ID)))
		if err != nil {
			return err
		}
		before := NewTarget(p.Unit.Unit.Unit, operator.TargetID(described.ID))
		if len(existing) > 0 {
			before = existing[0]
		}
		wanted, err := described.Target(p.Unit.Unit.Unit, before, p.Site.Scope.Has)
		if err != nil {
			return fmt.Errorf("publication target %d %q: %w", described.ID, described.Name, explain(err))
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

// NewTarget returns a target of the site of a unit of work that has no settings yet.
func NewTarget(u kernel.Unit, id operator.TargetID) operator.PublicationTarget {
	return operator.PublicationTarget{ID: id, Site: u.Site.ID, State: operator.TargetState{Added: u.Now, Due: u.Now}}
}

// Target returns a target with the settings that are described, as it goes on from what there is. The error has
// the fields that are wrong.
func (in SetupPublicationTarget) Target(u kernel.Unit, before operator.PublicationTarget, isAgency func(site.AgencyID) bool) (wanted operator.PublicationTarget, err error) {
	var problems fault.Problems
	wanted = operator.PublicationTarget{ID: before.ID, Site: before.Site, Name: in.Name, State: before.State, Settings: in.settings(before.Settings.Paused, &problems)}
	wanted.Check(isAgency, &problems)
	u.Site.Dictionary.Conditions("criterias", wanted.Settings.Conditions(), criteria.Reading{Zone: u.Site.Zone}, &problems)
	if err := problems.Err(); err != nil {
		return wanted, err
	}
	if before.Settings.Location != wanted.Settings.Location {
		wanted.State.Sent = "" // nothing is there
	}
	if wanted.State.Run == 0 && before.Settings.Every != wanted.Settings.Every {
		wanted.State.Due = u.Now
	}
	return wanted, nil
}

// settings returns the settings that are described, of a target that is paused or not.
func (in SetupPublicationTarget) settings(paused bool, problems *fault.Problems) operator.TargetSettings {
	s := operator.TargetSettings{
		Location: operator.Location{Folder: in.Folder, URL: in.URL}, Format: cmp.Or(in.Format, "poliris"),
		Pictures: cmp.Or(in.Pictures, operator.PicturesAsURLs), Complete: in.Complete, Incremental: in.Incremental, Every: readEvery(in.Every, problems), Paused: paused,
	}
	for _, code := range slices.Sorted(maps.Keys(in.Agencies)) {
		if s.Agencies == nil {
			s.Agencies = map[site.AgencyID]string{}
		}
		id := site.AgencyID(in.Agencies[code])
		if _, named := s.Agencies[id]; named {
			problems.Wrong("agencies", fault.CodeInvalidFormat, code, "agency %d has two names", id)
		}
		s.Agencies[id] = code
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
	return s
}
