package transfer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// setRentRules gives a site the values of indices and the caps of fees that a setup
// names; values that it does not name stay as they are.
func setRentRules(wanted *site.Site, existing []site.Site, in SetupSite) error {
	if n := slices.IndexFunc(existing, func(s site.Site) bool { return s.ID == wanted.ID }); n >= 0 {
		wanted.Settings.Indices = slices.Clone(existing[n].Settings.Indices)
		wanted.Settings.FeeCaps = existing[n].Settings.FeeCaps
	}
	for _, described := range in.Indices {
		if err := setIndexValue(&wanted.Settings, described); err != nil {
			return fmt.Errorf("index %q of %q: %w", described.Index, described.Quarter, err)
		}
	}
	slices.SortFunc(wanted.Settings.Indices, func(a, b site.IndexValue) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Quarter, b.Quarter), cmp.Compare(a.Territory, b.Territory))
	})
	if len(in.FeeCaps) == 0 {
		return nil
	}
	caps := make([]site.FeeCap, len(in.FeeCaps))
	for i, c := range in.FeeCaps {
		if _, err := calendar.Parse(c.From); err != nil {
			return fmt.Errorf("fee cap: from: %w", err)
		}
		if min(c.VeryTight, c.Tight, c.Other, c.Inventory) <= 0 {
			return fmt.Errorf("fee cap from %s: very_tight, tight, other and inventory are above 0", c.From)
		}
		caps[i] = site.FeeCap(c)
	}
	slices.SortFunc(caps, func(a, b site.FeeCap) int { return cmp.Compare(a.From, b.From) })
	wanted.Settings.FeeCaps = caps
	return nil
}

func setIndexValue(s *site.Settings, in SetupIndexValue) error {
	if !slices.Contains(letting.Indices(), letting.Index(in.Index)) {
		return fmt.Errorf("there is no such index; the indices are %v", letting.Indices())
	}
	quarter, err := letting.ParseQuarter(in.Quarter)
	if err != nil {
		return err
	}
	if in.Value <= 0 {
		return fmt.Errorf("the value %v is not above 0", in.Value)
	}
	switch {
	case in.Territory == "":
	case !letting.Index(in.Index).HasTerritories(quarter):
		return errors.New("the value holds everywhere, and has no territory")
	case !slices.Contains(letting.Territories(), letting.Territory(in.Territory)):
		return fmt.Errorf("there is no territory %q; the territories are %v", in.Territory, letting.Territories())
	case in.Territory == string(letting.Mainland):
		in.Territory = "" // that of values that do not say so
	}
	if in.PublishedOn != "" {
		if _, err := calendar.Parse(in.PublishedOn); err != nil {
			return fmt.Errorf("published_on: %w", err)
		}
	}
	value := site.IndexValue{Index: in.Index, Quarter: quarter.String(), Territory: in.Territory, Value: in.Value, Published: in.PublishedOn}
	same := func(v site.IndexValue) bool {
		return v.Index == value.Index && v.Quarter == value.Quarter && v.Territory == value.Territory
	}
	if n := slices.IndexFunc(s.Indices, same); n >= 0 {
		s.Indices[n] = value
	} else {
		s.Indices = append(s.Indices, value)
	}
	return nil
}
