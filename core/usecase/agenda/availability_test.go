package agenda_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// life is what is stored of the time of a user, and the same as core/domain/slot takes it.
func life(t *rapid.T, w *world, id site.UserID, zone *time.Location, put func(func(port.Tx) error)) slot.Agent {
	now := w.Clock.Now()
	around := func(label string) calendar.Interval {
		start := now.Add(time.Duration(rapid.IntRange(-60, 6*24*2).Draw(t, label)) * 30 * time.Minute)
		return calendar.Interval{Start: start, End: start.Add(time.Duration(rapid.IntRange(1, 12).Draw(t, label+" length")) * 30 * time.Minute)}
	}
	agent := slot.Agent{ID: id, Work: slot.WorkingTime{Bookable: rapid.IntRange(0, 4).Draw(t, "bookable") > 0, WorksHolidays: true}}
	pattern := slot.Pattern{CycleWeeks: 1}
	for day := 1; day <= 7; day++ {
		pattern.Days = append(pattern.Days, slot.Weekday{Weekday: day, Week: 1, Periods: []slot.Period{{Start: 9 * 60, End: 12 * 60}, {Start: 14 * 60, End: slot.Clock(rapid.IntRange(15, 24).Draw(t, "end")) * 60}}})
	}
	agent.Work.Patterns = []slot.Pattern{pattern}
	put(func(tx port.Tx) error {
		return tx.Schedules().Put(slot.Schedule{Site: 1, User: id, WorkingTime: agent.Work})
	})
	for n := range rapid.IntRange(0, 3).Draw(t, "duties") {
		of := planning.Duty{ID: planning.DutyID(int(id)*10 + n), Site: 1, Agency: 11, User: id, Kind: planning.DutyWeb, Zone: "Europe/Paris", Bookable: rapid.Bool().Draw(t, "bookable duty")}
		i := around("duty")
		of.Start, of.End = i.Start, i.End
		of.Rule = rapid.SampledFrom([]string{"", "FREQ=DAILY;COUNT=3"}).Draw(t, "rule of duty")
		put(func(tx port.Tx) error { return tx.Duties().Put(of.Foresee(zone)) })
		for day := range map[bool]int{true: 1, false: 3}[of.Rule == ""] {
			agent.Duties = append(agent.Duties, slot.Duty{Interval: calendar.Interval{Start: i.Start.AddDate(0, 0, day), End: i.End.AddDate(0, 0, day)}, Bookable: of.Bookable})
		}
	}
	for n := range rapid.IntRange(0, 4).Draw(t, "events") {
		i := around("event")
		a := planning.Appointment{
			ID: planning.ID(int(id)*10 + n), Site: 1, Agency: 12, Type: rapid.SampledFrom([]string{"RDV", "CONGE"}).Draw(t, "type"), Zone: "Europe/Paris", Start: i.Start, End: i.End,
			Status: rapid.SampledFrom(planning.Statuses()).Draw(t, "status"), Busy: rapid.IntRange(0, 3).Draw(t, "busy") > 0, Before: rapid.SampledFrom([]int{0, 15}).Draw(t, "before"), After: rapid.SampledFrom([]int{0, 240}).Draw(t, "after"),
			Attendees: []planning.Attendee{{ID: 1, Kind: planning.User, User: id, Answer: rapid.SampledFrom(planning.Answers()).Draw(t, "answer")}},
			Rule:      rapid.SampledFrom([]string{"", "FREQ=DAILY;COUNT=2"}).Draw(t, "rule"), Visibility: planning.Private, CreatedBy: "colleague",
		}
		put(func(tx port.Tx) error { return tx.Appointments().Put(a.Foresee(zone)) })
		kind := map[string]slot.Kind{"RDV": slot.Event, "CONGE": slot.OnLeave}[a.Type]
		for day := range map[bool]int{true: 1, false: 2}[a.Rule == ""] {
			if a.Busy && a.Status.Occupies() && a.Attendees[0].Answer != planning.Refused {
				shifted := calendar.Interval{Start: i.Start.AddDate(0, 0, day), End: i.End.AddDate(0, 0, day)}
				agent.Busy = append(agent.Busy, slot.Busy{Interval: shifted, Kind: kind, Before: planning.Minutes(a.Before), After: planning.Minutes(a.After)})
			}
		}
	}
	for n := range rapid.IntRange(0, 2).Draw(t, "holds") {
		i := around("hold")
		h := planning.Hold{ID: planning.HoldID(int(id)*10 + n), Site: 1, User: id, Start: i.Start, End: i.End, Before: 15, Expires: now.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "expires")) * time.Minute)}
		put(func(tx port.Tx) error { return tx.Holds().Put(h) })
		if h.Expires.After(now) {
			agent.Busy = append(agent.Busy, slot.Busy{Interval: i, Kind: slot.Hold, Before: 15 * time.Minute})
		}
	}
	if rapid.Bool().Draw(t, "imported") {
		i := around("imported")
		put(func(tx port.Tx) error {
			return tx.ImportedBusy().Put(slot.Imported{Site: 1, User: id, Source: "x", Busy: []calendar.Interval{i}})
		})
		agent.Busy = append(agent.Busy, slot.Busy{Interval: i, Kind: slot.External})
	} else {
		put(func(tx port.Tx) error {
			return tx.ImportedBusy().Put(slot.Imported{Site: 1, User: id, Source: "x"})
		})
	}
	return agent
}

// forget empties what is stored of the time of users.
func (w *world) forget() {
	w.Update(func(tx port.Tx) error {
		a, err := tx.Appointments().Scan(1, 0, 10_000)
		for _, one := range a {
			err = cmp.Or(err, tx.Appointments().Delete(1, one.ID))
		}
		p, err2 := tx.Duties().Scan(1, 0, 10_000)
		for _, one := range p {
			err = cmp.Or(err, tx.Duties().Delete(1, one.ID))
		}
		h, err3 := tx.Holds().Scan(1, 0, 10_000)
		for _, one := range h {
			err = cmp.Or(err, tx.Holds().Delete(1, one.ID))
		}
		return cmp.Or(err, err2, err3)
	})
}

// What is answered about free time is what core/domain/slot says of what was stored.
func TestFreeTimeIsThatOfWhatWasStored(t *testing.T) {
	w := newWorld(t)
	zone, err := time.LoadLocation("Europe/Paris")
	w.must(err)
	rapid.Check(t, func(t *rapid.T) {
		w.forget()
		agents := []slot.Agent{life(t, w, 101, zone, w.Update), life(t, w, 104, zone, w.Update)}
		from := w.Clock.Now().Add(time.Duration(rapid.IntRange(-48, 48).Draw(t, "from")) * time.Hour)
		horizon := rapid.IntRange(0, 4).Draw(t, "horizon")
		q := slot.Query{
			Zone: zone, Now: w.Clock.Now(), Window: calendar.Interval{Start: from, End: from.Add(time.Duration(rapid.IntRange(1, 96).Draw(t, "hours")) * time.Hour)},
			Duration: time.Duration(rapid.SampledFrom([]int{30, 45, 60}).Draw(t, "duration")) * time.Minute, Step: time.Duration(rapid.SampledFrom([]int{15, 30, 50}).Draw(t, "step")) * time.Minute,
			Before: time.Duration(rapid.SampledFrom([]int{0, 20}).Draw(t, "before")) * time.Minute, After: time.Duration(rapid.SampledFrom([]int{0, 240}).Draw(t, "after")) * time.Minute,
			Notice: time.Duration(rapid.SampledFrom([]int{0, 90}).Draw(t, "notice")) * time.Minute, Horizon: &horizon, Together: rapid.Bool().Draw(t, "together"), Limit: 1000,
		}
		minutes := func(d time.Duration) opt.Field[int] { return opt.Of(int(d.Minutes())) }
		in := agenda.ListAvailabilities{
			UserIDs: opt.Of("104,101"), From: opt.Of(q.Window.Start.Format(time.RFC3339)), To: opt.Of(q.Window.End.Format(time.RFC3339)), Duration: minutes(q.Duration), Step: minutes(q.Step),
			BufferBefore: minutes(q.Before), BufferAfter: minutes(q.After), Notice: minutes(q.Notice), Horizon: opt.Of(horizon), Mode: opt.Of(map[bool]string{true: "all", false: "any"}[q.Together]),
		}
		var got, want []string
		found, err := w.use.ListAvailabilities(w.T.Context(), w.full, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range found.Data {
			got = append(got, fmt.Sprint(s.StartAt.Unix(), s.EndAt.Unix(), *s.UserIDs))
		}
		slots, _ := slot.Slots(q, agents)
		for _, s := range slots {
			want = append(want, fmt.Sprint(s.Start.Unix(), s.End.Unix(), s.Users))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the slots are %v, want %v", got, want)
		}
		in.View, got, want = opt.Of("ranges"), nil, nil
		if found, err = w.use.ListAvailabilities(w.T.Context(), w.full, in); err != nil {
			t.Fatal(err)
		}
		for _, r := range found.Data {
			got = append(got, fmt.Sprint(r.StartAt.Unix(), r.EndAt.Unix(), *r.UserID))
		}
		ranges, _ := slot.Ranges(q, agents)
		for _, r := range ranges {
			want = append(want, fmt.Sprint(r.Start.Unix(), r.End.Unix(), r.User))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the ranges are %v, want %v", got, want)
		}
		got, want = nil, nil
		free, err := w.use.ListFreeBusy(w.T.Context(), w.full, agenda.ListFreeBusy{UserIDs: in.UserIDs, From: in.From, To: in.To})
		if err != nil {
			t.Fatal(err)
		}
		for n, u := range free.Data {
			for _, b := range u.Busy {
				got = append(got, fmt.Sprint(u.UserID, b.StartAt.Unix(), b.EndAt.Unix(), b.Kind))
			}
			for _, b := range slot.FreeBusy(q.Window, agents[n].Busy) {
				want = append(want, fmt.Sprint(agents[n].ID, b.Start.Unix(), b.End.Unix(), b.Kind))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("busy is %v, want %v", got, want)
		}
	})
}

func TestFreeTimeSaysWhatIsWrongWithTheQuestion(t *testing.T) {
	w := newWorld(t)
	fine := agenda.ListAvailabilities{UserIDs: opt.Of("101"), From: opt.Of(w.at(0)), To: opt.Of(w.at(time.Hour))}
	for name, c := range map[string]struct {
		edit  func(*agenda.ListAvailabilities)
		code  fault.Code
		field string
	}{
		"nobody":             {func(in *agenda.ListAvailabilities) { in.UserIDs = opt.Field[string]{} }, fault.CodeExactlyOneOf, "user_ids"},
		"nobody named":       {func(in *agenda.ListAvailabilities) { in.UserIDs = opt.Of(" ") }, fault.CodeExactlyOneOf, "user_ids"},
		"both":               {func(in *agenda.ListAvailabilities) { in.AgencyID = opt.Of(int64(11)) }, fault.CodeExactlyOneOf, "user_ids"},
		"who is not active":  {func(in *agenda.ListAvailabilities) { in.UserIDs = opt.Of("101,106") }, fault.CodeUnknownUser, "user_ids"},
		"who is unreadable":  {func(in *agenda.ListAvailabilities) { in.UserIDs = opt.Of("101,x") }, fault.CodeInvalidFormat, "user_ids"},
		"no from":            {func(in *agenda.ListAvailabilities) { in.From = opt.Field[string]{} }, fault.CodeRequired, "from"},
		"more than 62 days":  {func(in *agenda.ListAvailabilities) { in.To = opt.Of(w.at(62*24*time.Hour + time.Second)) }, fault.CodeOutOfRange, "to"},
		"a short visit":      {func(in *agenda.ListAvailabilities) { in.Duration = opt.Of(4) }, fault.CodeOutOfRange, "duration"},
		"a small step":       {func(in *agenda.ListAvailabilities) { in.Step = opt.Of(4) }, fault.CodeOutOfRange, "step"},
		"a long buffer":      {func(in *agenda.ListAvailabilities) { in.BufferAfter = opt.Of(241) }, fault.CodeOutOfRange, "buffer_after"},
		"a type of nothing":  {func(in *agenda.ListAvailabilities) { in.Type = opt.Of("X") }, fault.CodeUnknownAppointmentType, "type"},
		"a mode of nothing":  {func(in *agenda.ListAvailabilities) { in.Mode = opt.Of("X") }, fault.CodeCriteriaValueUnknown, "mode"},
		"a view of nothing":  {func(in *agenda.ListAvailabilities) { in.View = opt.Of("X") }, fault.CodeCriteriaValueUnknown, "view"},
		"a horizon backward": {func(in *agenda.ListAvailabilities) { in.Horizon = opt.Of(-1) }, fault.CodeOutOfRange, "horizon"},
	} {
		in := fine
		c.edit(&in)
		t.Log(name)
		w.invalid(c.code, c.field, func() error { _, err := w.use.ListAvailabilities(t.Context(), w.full, in); return err })
	}
	w.invalid(fault.CodeRequired, "user_ids", func() error {
		_, err := w.use.ListFreeBusy(t.Context(), w.full, agenda.ListFreeBusy{From: fine.From, To: fine.To})
		return err
	})
	w.unchanged(fault.Forbidden, fault.CodeAgencyOutOfScope, func() error {
		_, err := w.use.ListAvailabilities(t.Context(), w.full, agenda.ListAvailabilities{AgencyID: opt.Of(int64(13)), From: fine.From, To: fine.To})
		return err
	})
}

// A type gives duration and buffers; an agency its active users; and there are a
// thousand slots at most.
func TestFreeTimeOfAnAgency(t *testing.T) {
	w := newWorld(t)
	w.works(101, 104, 105)
	in := agenda.ListAvailabilities{AgencyID: opt.Of(int64(11)), Type: opt.Of("VISITE"), From: opt.Of("2026-09-17T09:00:00"), To: opt.Of("2026-09-17T10:15:00")}
	found, err := w.use.ListAvailabilities(t.Context(), w.Again(w.full), in)
	if err != nil || len(found.Data) != 2 || found.Data[0].EndAt.Sub(found.Data[0].StartAt.Time) != 45*time.Minute || !slices.Equal(*found.Data[0].UserIDs, []int64{101, 104, 105}) || found.Truncated {
		t.Errorf("the slots are %+v, %v", found, err)
	}
	in.To, in.Step = opt.Of("2026-11-17T09:00:00"), opt.Of(5)
	found, err = w.use.ListAvailabilities(t.Context(), w.Again(w.full), in)
	if err != nil || len(found.Data) != 1000 || !found.Truncated {
		t.Errorf("there are %d slots, truncated: %t, %v", len(found.Data), found.Truncated, err)
	}
}
