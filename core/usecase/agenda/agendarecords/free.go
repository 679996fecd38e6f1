package agendarecords

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Taken is time of a user that is given away already. Appointment is zero where a
// hold or another calendar takes it.
type Taken struct {
	User site.UserID
	slot.Busy
	Appointment planning.ID
}

// TakenFrom reads when users are busy, as far as it has time in common with a
// window, buffers included.
func TakenFrom(u kernel.Unit, users []site.UserID, window calendar.Interval) ([]Taken, error) {
	wide := window.Widen(planning.Minutes(planning.MaxBuffer), planning.Minutes(planning.MaxBuffer))
	attended, err := u.Appointments().AttendedBy(u.Site.ID, users, wide)
	if err != nil {
		return nil, err
	}
	var all []Taken
	for _, a := range attended {
		if all, err = appendTaken(all, u, a, users, wide); err != nil {
			return nil, err
		}
	}
	held, err := u.Holds().Of(u.Site.ID, users, u.Now)
	if err != nil {
		return nil, err
	}
	for _, h := range held {
		all = append(all, Taken{User: h.User, Busy: slot.Busy{Interval: h.Interval(), Kind: slot.Hold, Before: planning.Minutes(h.Before), After: planning.Minutes(h.After)}})
	}
	imported, err := u.ImportedBusy().Of(u.Site.ID, users)
	for _, i := range imported {
		for _, busy := range i.Busy {
			if busy.Meets(wide) {
				all = append(all, Taken{User: i.User, Busy: slot.Busy{Interval: busy, Kind: slot.External}})
			}
		}
	}
	return all, err
}

// appendTaken adds the time that an appointment takes of some users.
func appendTaken(all []Taken, u kernel.Unit, a planning.Appointment, users []site.UserID, window calendar.Interval) ([]Taken, error) {
	if !a.Busy {
		return all, nil
	}
	var zone *time.Location
	if a.Recurs() {
		var err error
		if zone, err = u.Location(a.Zone); err != nil {
			return nil, err
		}
	}
	kind := slot.Event
	if u.Site.AppointmentTypes.IsLeave(a.Type) {
		kind = slot.OnLeave
	}
	for _, o := range a.Overlapping(window, zone) {
		if !o.Status.Occupies() {
			continue
		}
		busy := slot.Busy{Interval: o.Interval, Kind: kind, Before: planning.Minutes(a.Before), After: planning.Minutes(a.After)}
		for _, user := range a.At(o, zone).Attending() {
			if slices.Contains(users, user) {
				all = append(all, Taken{User: user, Busy: busy, Appointment: a.ID})
			}
		}
	}
	return all, nil
}

// Agents reads when users work, are on duty and are busy, as far as a query looks
// at it. What is taken by something else than but is left out.
func Agents(u kernel.Unit, users []site.UserID, q slot.Query, but func(Taken) bool) ([]slot.Agent, error) {
	reach := q.Reach()
	for _, id := range users {
		there := q.At(u.Site.ZoneOf(u.Site.Users[id].Agency)).Reach()
		if there.Start.Before(reach.Start) {
			reach.Start = there.Start
		}
		if there.End.After(reach.End) {
			reach.End = there.End
		}
	}
	schedules, err := u.Schedules().Many(u.Site.ID, users)
	if err != nil {
		return nil, err
	}
	duties, err := u.Duties().Within(port.DutyQuery{Site: u.Site.ID, Window: reach, Users: users})
	if err != nil || len(users) == 0 {
		return nil, err
	}
	taken, err := TakenFrom(u, users, reach)
	if err != nil {
		return nil, err
	}
	agents := make([]slot.Agent, len(users))
	places := make(map[site.UserID]int, len(users))
	for n, id := range users {
		places[id] = n
		agency := u.Site.Users[id].Agency
		agents[n] = slot.Agent{
			ID: id, Zone: u.Site.ZoneOf(agency), Region: RegionOf(u.Site.SiteView, agency), Work: slot.NoSchedule(u.Site.ID, id).WorkingTime,
		}
	}
	for _, s := range schedules {
		agents[places[s.User]].Work = s.WorkingTime
	}
	for _, p := range duties {
		zone, err := u.Location(p.Zone)
		if err != nil {
			return nil, err
		}
		of := &agents[places[p.User]]
		for _, o := range p.Overlapping(reach, zone) {
			of.Duties = append(of.Duties, slot.Duty{Interval: o.Interval, Bookable: p.Bookable})
		}
	}
	for _, t := range taken {
		if but == nil || !but(t) {
			of := &agents[places[t.User]]
			of.Busy = append(of.Busy, t.Busy)
		}
	}
	return agents, nil
}

// RegionOf returns where an agency keeps public holidays.
func RegionOf(v *kernel.SiteView, id site.AgencyID) calendar.Region {
	agency, _ := v.Agency(id)
	return calendar.RegionOf(agency.PostalCode)
}

// ActiveUsers returns the active users of an agency, by id.
func ActiveUsers(v *kernel.SiteView, agency site.AgencyID) []site.UserID {
	ids := []site.UserID{}
	for _, user := range v.Staff[agency] {
		if user.Active {
			ids = append(ids, user.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
