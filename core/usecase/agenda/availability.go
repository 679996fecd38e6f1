package agenda

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// What slots are like where a request says nothing, in minutes.
const (
	defaultDuration = 60
	defaultStep     = 30
)

// Views of free time.
const (
	slotsView  = "slots"
	rangesView = "ranges"
)

func (u Unit) listAvailabilities(in ListAvailabilities) (Availabilities, error) {
	var problems fault.Problems
	users, outside := u.askedUsers(in, &problems)
	q := u.readQuery(in, u.zoneAmong(users), &problems)
	view := slotsView
	form.Form{Problems: &problems}.Code("view", &view, in.View, []string{slotsView, rangesView})
	if err := invalid(outside, &problems); err != nil {
		return Availabilities{}, err
	}
	agents, err := agendarecords.Agents(u.kernel(), users, q, nil)
	if err != nil {
		return Availabilities{}, err
	}
	list := Availabilities{Data: []Availability{}}
	if view == rangesView {
		var ranges []slot.Range
		ranges, list.Truncated = slot.Ranges(q, agents)
		for _, r := range ranges {
			id := int64(r.User)
			list.Data = append(list.Data, Availability{UserID: &id, StartAt: kernel.Instant{Time: r.Start}, EndAt: kernel.Instant{Time: r.End}})
		}
		return list, nil
	}
	var slots []slot.Slot
	slots, list.Truncated = slot.Slots(q, agents)
	for _, s := range slots {
		ids := agendarecords.Numbers(s.Users)
		list.Data = append(list.Data, Availability{StartAt: kernel.Instant{Time: s.Start}, EndAt: kernel.Instant{Time: s.End}, UserIDs: &ids})
	}
	return list, nil
}

// askedUsers returns those whose free time is asked for: named, or all of an agency.
func (u Unit) askedUsers(in ListAvailabilities, problems *fault.Problems) (users []site.UserID, outside error) {
	if (strings.TrimSpace(in.UserIDs.Or("")) != "") == in.AgencyID.Given() {
		problems.Add("user_ids", fault.CodeExactlyOneOf, "exactly one of user_ids and agency_id is given")
		return nil, nil
	}
	if in.AgencyID.Given() {
		outside = u.CheckAgency(in.AgencyID, problems)
		return agendarecords.ActiveUsers(u.Site.SiteView, site.AgencyID(in.AgencyID.Value)), outside
	}
	users = listedUsers("user_ids", in.UserIDs, problems)
	u.checkUsers("user_ids", users, true, problems)
	return users, nil
}

// readQuery reads what free time is asked for. A type gives duration and buffers,
// each of which a request may give instead.
func (u Unit) readQuery(in ListAvailabilities, zone *time.Location, problems *fault.Problems) slot.Query {
	f := form.Form{Problems: problems}
	duration, step, before, after, notice := defaultDuration, defaultStep, 0, 0, 0
	if model := in.Type.Or(""); model != "" {
		kind, known := u.Site.AppointmentTypes.Find(model)
		if !known {
			f.Refuse("type", u.Site.AppointmentTypes.Unknown(model, fault.Textf("no type of event has this model")))
		}
		duration, before, after = kind.Duration, kind.Before, kind.After
	}
	for _, n := range []struct {
		field     string
		target    *int
		given     opt.Field[int]
		low, high int
	}{
		{"duration", &duration, in.Duration, planning.MinDuration, planning.MaxDuration},
		{"step", &step, in.Step, planning.MinStep, planning.MaxStep},
		{"buffer_before", &before, in.BufferBefore, 0, planning.MaxBuffer},
		{"buffer_after", &after, in.BufferAfter, 0, planning.MaxBuffer},
		{"notice", &notice, in.Notice, 0, planning.MaxNotice},
	} {
		if n.given.Given() {
			f.Between(n.field, n.target, n.given, n.low, n.high)
		}
	}
	q := slot.Query{
		Zone: zone, Now: u.Now, Window: window(zone, in.From, in.To, maxFree, problems), Duration: planning.Minutes(duration),
		Step: planning.Minutes(step), Before: planning.Minutes(before), After: planning.Minutes(after), Notice: planning.Minutes(notice), Limit: maxListed,
	}
	if in.Horizon.Given() {
		horizon := 0
		f.Between("horizon", &horizon, in.Horizon, 0, maxHorizon)
		q.Horizon = &horizon
	}
	mode := "any"
	f.Code("mode", &mode, in.Mode, []string{"any", "all"})
	q.Together = mode == "all"
	return q
}

// maxHorizon is how many days ahead a request can look for free time.
const maxHorizon = 3_660

func (u Unit) listFreeBusy(in ListFreeBusy) (FreeBusy, error) {
	var problems fault.Problems
	form.Form{Problems: &problems}.Required("user_ids", strings.TrimSpace(in.UserIDs.Or("")) == "")
	users := listedUsers("user_ids", in.UserIDs, &problems)
	u.checkUsers("user_ids", users, false, &problems)
	window := window(u.zoneAmong(users), in.From, in.To, maxFree, &problems)
	if err := problems.Err(); err != nil {
		return FreeBusy{}, err
	}
	taken, err := agendarecords.TakenFrom(u.kernel(), users, window)
	slices.Sort(users)
	list := FreeBusy{Data: []UserBusy{}}
	for _, id := range users {
		var busy []slot.Busy
		for _, t := range taken {
			if t.User == id {
				busy = append(busy, t.Busy)
			}
		}
		record := UserBusy{UserID: int64(id), Busy: []BusyPeriod{}}
		for _, o := range slot.FreeBusy(window, busy) {
			record.Busy = append(record.Busy, BusyPeriod{agendarecords.OfInterval(o.Interval), string(o.Kind)})
		}
		list.Data = append(list.Data, record)
	}
	return list, err
}
