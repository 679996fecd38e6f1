package transfer

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

func (p provisioner) agendaTypes(id site.ID, in SetupSite) error {
	existing, err := p.AppointmentTypes().Of(id)
	if err != nil {
		return err
	}
	models := map[planning.TypeID]string{}
	for _, t := range existing {
		models[t.ID] = t.Model
	}
	for _, t := range in.AgendaTypes {
		wanted := planning.Type{
			ID: planning.TypeID(t.ID), Model: t.Model, Label: t.Label, Active: trueByDefault(t.IsActive), Busy: trueByDefault(t.IsBusy), Leave: t.IsLeave,
			Duration: t.DurationMinutes, Before: t.BufferBefore, After: t.BufferAfter, Color: t.Color, Position: t.Position,
		}
		if err := wanted.Validate(); err != nil {
			return fmt.Errorf("agenda type %q: %w", t.Model, err)
		}
		models[wanted.ID] = wanted.Model
		if _, err := keep(p, existing, func(t planning.Type) bool { return t.ID == wanted.ID }, wanted,
			func(t planning.Type) error { return p.AppointmentTypes().Put(id, t) }); err != nil {
			return err
		}
	}
	return checkModels(models)
}

// checkModels reports a model that two types of a site have: events name their type
// by it.
func checkModels(models map[planning.TypeID]string) error {
	holders := map[string]planning.TypeID{}
	for _, id := range slices.Sorted(maps.Keys(models)) {
		if holder, taken := holders[models[id]]; taken {
			return fmt.Errorf("agenda type %q: types %d and %d both have this model", models[id], holder, id)
		}
		holders[models[id]] = id
	}
	return nil
}

// holdCalendars locks the calendars of users whose working time is
// described. A booking locks calendars before anything else, so it comes first.
func (p provisioner) holdCalendars(in SetupSite) error {
	var ids []site.UserID
	for _, u := range in.Users {
		if u.WorkingTime != nil {
			ids = append(ids, site.UserID(u.ID))
		}
	}
	return p.Calendars().Hold(site.ID(in.ID), ids)
}

// agenda gives users and agencies the working time and the settings that are
// described.
func (p provisioner) agenda(in SetupSite) error {
	u := agenda.Unit{Unit: p.Unit}
	for _, described := range in.Users {
		if described.WorkingTime == nil {
			continue
		}
		wanted, err := agenda.ReadWorkingTime(described.WorkingTime.change())
		if err != nil {
			return fmt.Errorf("user %d: working_time: %w", described.ID, explain(err))
		}
		before, after, err := u.KeepWorkingTime(p.Site.Users[site.UserID(described.ID)], wanted, kernel.IfMatch{})
		if err != nil {
			return err
		}
		p.replaced(before.Modified, before.Version != after.Version)
	}
	for _, described := range in.Agencies {
		if described.OnlineBooking == nil {
			continue
		}
		wanted, err := u.ReadSettings(site.AgencyID(described.ID), described.OnlineBooking.change())
		if err != nil {
			return fmt.Errorf("agency %d: %w", described.ID, explain(err))
		}
		before, after, err := u.KeepSettings(wanted, kernel.IfMatch{})
		if err != nil {
			return err
		}
		p.replaced(before.Modified, before.Version != after.Version)
	}
	return nil
}

// replaced counts a record that takes the place of one that was stored at a moment,
// or of none: then it is the default that it may leave as it is.
func (p provisioner) replaced(stored time.Time, changed bool) {
	p.done.count(!stored.IsZero() || !changed, changed)
}
