package agenda

import (
	"reflect"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// schedule returns the working time of a user, who may have none.
func (u Unit) schedule(id site.UserID) (slot.Schedule, error) {
	found, err := u.Schedules().Many(u.Site.ID, []site.UserID{id})
	if err != nil || len(found) == 0 {
		return slot.NoSchedule(u.Site.ID, id), err
	}
	return found[0], nil
}

func (u Unit) getWorkingTime(in UserPath) (WorkingTime, error) {
	of, err := user(u.Caller, in.ID)
	if err != nil {
		return WorkingTime{}, err
	}
	s, err := u.schedule(of.ID)
	return ofSchedule(s), err
}

func (u Unit) listWorkingTimes(in ListWorkingTimes) (WorkingTimes, error) {
	var problems fault.Problems
	agencies, outside := u.ListedAgencies(in.AgencyID, &problems)
	named := listedUsers("user_ids", in.UserIDs, &problems)
	u.checkUsers("user_ids", named, true, &problems)
	if err := invalid(outside, &problems); err != nil {
		return WorkingTimes{}, err
	}
	var ids []site.UserID
	for _, agency := range agencies {
		ids = append(ids, agendarecords.ActiveUsers(u.Site.SiteView, agency)...)
	}
	ids = slices.DeleteFunc(ids, func(id site.UserID) bool { return in.UserIDs.Given() && !slices.Contains(named, id) })
	slices.Sort(ids)
	found, err := u.Schedules().Many(u.Site.ID, ids)
	list := WorkingTimes{Data: []WorkingTime{}}
	for _, id := range ids {
		s := slot.NoSchedule(u.Site.ID, id)
		if n := slices.IndexFunc(found, func(s slot.Schedule) bool { return s.User == id }); n >= 0 {
			s = found[n]
		}
		list.Data = append(list.Data, ofSchedule(s))
	}
	return list, err
}

func (u Unit) putWorkingTime(in PutWorkingTime) (WorkingTime, error) {
	of, err := user(u.Caller, in.ID)
	if err != nil {
		return WorkingTime{}, err
	}
	wanted, err := ReadWorkingTime(in.WorkingTimeInput)
	if err != nil {
		return WorkingTime{}, err
	}
	_, kept, err := u.KeepWorkingTime(of, wanted, in.IfMatch)
	return ofSchedule(kept), err
}

// KeepWorkingTime replaces the working time of a user, records an event,
// and returns both. Where they are the same nothing is stored, and nothing told.
func (u Unit) KeepWorkingTime(of site.User, wanted slot.WorkingTime, match kernel.IfMatch) (before, after slot.Schedule, err error) {
	if err := u.Calendars().Hold(u.Site.ID, []site.UserID{of.ID}); err != nil {
		return before, after, err
	}
	before, err = u.schedule(of.ID)
	if err := kernel.FirstError(err, match.Check(kernel.Version(before.Version))); err != nil {
		return before, before, err
	}
	if reflect.DeepEqual(ofSchedule(slot.Schedule{WorkingTime: before.WorkingTime}), ofSchedule(slot.Schedule{WorkingTime: wanted})) {
		return before, before, nil
	}
	after = before
	after.WorkingTime = wanted
	if after.Version, after.Modified, err = u.recordWorktime(of); err != nil {
		return before, before, err
	}
	return before, after, u.Schedules().Put(after)
}

// recordWorktime reports that the working time of a user changed, or when they are
// busy elsewhere.
func (u Unit) recordWorktime(of site.User) (version int64, at time.Time, err error) {
	recorded, err := u.Record(event.Event{Type: event.WorktimeUpdate, Resource: int64(of.ID), Agency: of.Agency})
	return recorded.Seq + slot.FirstScheduleVersion, recorded.At, err
}

// ReadWorkingTime reads working time that replaces what there is. What is wrong with
// it is Invalid.
func ReadWorkingTime(in WorkingTimeInput) (slot.WorkingTime, error) {
	var problems fault.Problems
	w := readWorkingTime(in, &problems)
	if problems.Empty() {
		w.Check(&problems)
	}
	return w, problems.Err()
}

// readWorkingTime reads working time field by field. Days that are not given are
// none. slot.WorkingTime.Check finds what is wrong with the whole.
func readWorkingTime(in WorkingTimeInput, problems *fault.Problems) slot.WorkingTime {
	f := form.Form{Problems: problems}
	w := slot.WorkingTime{WorksHolidays: in.WorksHolidays.Or(false), Bookable: in.Bookable.Or(true)}
	if !f.Few("patterns", len(in.Patterns.Value), slot.MaxPatterns) || !f.Few("exceptions", len(in.Exceptions.Value), slot.MaxExceptions) {
		return w
	}
	for n, given := range in.Patterns.Value {
		f := f.In("patterns[%d]", n)
		p := slot.Pattern{CycleWeeks: given.CycleWeeks.Or(1)}
		f.CalendarDay("valid_from", &p.ValidFrom, given.ValidFrom)
		f.CalendarDay("valid_to", &p.ValidTo, given.ValidTo)
		if !f.Few("days", len(given.Days.Value), slot.MaxDays) {
			continue
		}
		for n, given := range given.Days.Value {
			f := f.In("days[%d]", n)
			f.Required("weekday", !given.Weekday.Given())
			p.Days = append(p.Days, slot.Weekday{Weekday: given.Weekday.Or(1), Week: given.Week.Or(1), Periods: periods(f, given.Periods)})
		}
		w.Patterns = append(w.Patterns, p)
	}
	for n, given := range in.Exceptions.Value {
		f := f.In("exceptions[%d]", n)
		var e slot.Exception
		f.Required("from", given.From.Or("") == "")
		f.Required("periods", !given.Periods.Given())
		f.CalendarDay("from", &e.From, given.From)
		if e.To = e.From; given.To.Or("") != "" {
			f.CalendarDay("to", &e.To, given.To)
		}
		e.Periods = periods(f, given.Periods)
		form.OneOf(f, "reason", &e.Reason, given.Reason, slot.Reasons())
		w.Exceptions = append(w.Exceptions, e)
	}
	return w
}

func periods(f form.Form, given opt.Field[[]PeriodInput]) (all []slot.Period) {
	if !f.Few("periods", len(given.Value), slot.MaxPeriods) {
		return nil
	}
	for n, one := range given.Value {
		f := f.In("periods[%d]", n)
		all = append(all, slot.Period{Start: clock(f, "start", one.Start), End: clock(f, "end", one.End)})
	}
	return all
}

func clock(f form.Form, field string, given opt.Field[string]) slot.Clock {
	if f.Required(field, given.Or("") == ""); given.Or("") == "" {
		return 0
	}
	at, err := slot.ParseClock(given.Value)
	if err != nil {
		f.Wrong(field, fault.CodeInvalidFormat, given.Value, "%s is a time such as 09:00, up to 24:00", field)
	}
	return at
}

func ofSchedule(s slot.Schedule) WorkingTime {
	record := WorkingTime{
		UserID: int64(s.User), Patterns: []WorkPattern{}, Exceptions: []WorkException{}, WorksHolidays: s.WorksHolidays, Bookable: s.Bookable,
		Version: kernel.Version(s.Version),
	}
	for _, p := range s.Patterns {
		pattern := WorkPattern{ValidFrom: calendarDay(p.ValidFrom), ValidTo: calendarDay(p.ValidTo), CycleWeeks: p.CycleWeeks, Days: []WorkDay{}}
		for _, d := range p.Days {
			pattern.Days = append(pattern.Days, WorkDay{d.Weekday, d.Week, ofPeriods(d.Periods)})
		}
		record.Patterns = append(record.Patterns, pattern)
	}
	for _, e := range s.Exceptions {
		record.Exceptions = append(record.Exceptions, WorkException{e.From.String(), e.To.String(), ofPeriods(e.Periods), kernel.Nullable(string(e.Reason))})
	}
	return record
}

func ofPeriods(all []slot.Period) []WorkPeriod {
	records := []WorkPeriod{}
	for _, p := range all {
		records = append(records, WorkPeriod{p.Start.String(), p.End.String()})
	}
	return records
}

// calendarDay returns a day, or null for none.
func calendarDay(d calendar.Day) *string { return kernel.Nullable(d.String()) }

// source returns the calendar elsewhere that a path names.
func source(name string) (slot.Source, error) {
	if s := slot.Source(name); s.Valid() {
		return s, nil
	}
	return "", kernel.Unknown("a source is named by 1 to 40 of the characters a-z, 0-9 and -")
}

// importedOf returns a user and a source that a path names.
func (u Unit) importedOf(id int64, name string) (site.User, slot.Source, error) {
	of, err := user(u.Caller, id)
	if err != nil {
		return of, "", err
	}
	from, err := source(name)
	return of, from, err
}

func (u Unit) getImported(in ImportedPath) (ExternalBusy, error) {
	of, from, err := u.importedOf(in.ID, in.Source)
	if err != nil {
		return ExternalBusy{}, err
	}
	found, err := u.ImportedBusy().Get(u.Site.ID, of.ID, from)
	return ofImported(found), kernel.AbsentIs(err, kernel.Unknown("nothing was imported from this source"))
}

func (u Unit) putImported(in PutImported) (ExternalBusy, error) {
	of, from, err := u.importedOf(in.ID, in.Source)
	if err != nil {
		return ExternalBusy{}, err
	}
	busy, err := readBusy(in, u.Site.ZoneOf(of.Agency))
	if err != nil {
		return ExternalBusy{}, err
	}
	if err := u.Calendars().Hold(u.Site.ID, []site.UserID{of.ID}); err != nil {
		return ExternalBusy{}, err
	}
	before, err := u.ImportedBusy().Get(u.Site.ID, of.ID, from)
	exists := err == nil
	if err := kernel.FirstError(kernel.AbsentIs(err, nil), in.IfMatch.Check(kernel.Version(before.Version))); err != nil {
		return ExternalBusy{}, err
	}
	same := func(a, b calendar.Interval) bool { return a.Start.Equal(b.Start) && a.End.Equal(b.End) }
	if exists && slices.EqualFunc(before.Busy, busy, same) {
		return ofImported(before), nil
	}
	after := slot.Imported{Site: u.Site.ID, User: of.ID, Source: from, Busy: busy}
	if after.Version, after.Modified, err = u.recordWorktime(of); err != nil {
		return ExternalBusy{}, err
	}
	return ofImported(after), u.ImportedBusy().Put(after)
}

func readBusy(in PutImported, zone *time.Location) (busy []calendar.Interval, err error) {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	f.Required("busy", !in.Busy.Given())
	if f.Few("busy", len(in.Busy.Value), slot.MaxImported) {
		for n, given := range in.Busy.Value {
			f := f.In("busy[%d]", n)
			var i calendar.Interval
			f.Required("start_at", given.StartAt.Or("") == "")
			f.Required("end_at", given.EndAt.Or("") == "")
			if given.StartAt.Or("") == "" || given.EndAt.Or("") == "" {
				continue
			}
			f.Moment("start_at", &i.Start, given.StartAt, zone)
			f.Moment("end_at", &i.End, given.EndAt, zone)
			if !i.Start.IsZero() && !i.End.IsZero() && (i.Empty() || i.End.Sub(i.Start) > slot.MaxImportedLength) {
				f.Wrong("end_at", fault.CodeOutOfRange, given.EndAt.Value, "end_at is after start_at, at most %d days later", int(slot.MaxImportedLength/day))
			}
			busy = append(busy, i)
		}
	}
	slices.SortStableFunc(busy, func(a, b calendar.Interval) int { return a.Start.Compare(b.Start) })
	return busy, problems.Err()
}

func (u Unit) deleteImported(in DeleteImported) (kernel.None, error) {
	of, from, err := u.importedOf(in.ID, in.Source)
	if err != nil {
		return kernel.None{}, err
	}
	before, err := u.ImportedBusy().Get(u.Site.ID, of.ID, from)
	if err != nil {
		return kernel.None{}, kernel.AbsentIs(err, kernel.Unknown("nothing was imported from this source"))
	}
	if err := in.IfMatch.Check(kernel.Version(before.Version)); err != nil {
		return kernel.None{}, err
	}
	if _, _, err := u.recordWorktime(of); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.ImportedBusy().Delete(u.Site.ID, of.ID, from)
}

func ofImported(i slot.Imported) ExternalBusy {
	record := ExternalBusy{UserID: int64(i.User), Source: string(i.Source), Busy: []agendarecords.Period{}, LastModified: kernel.Instant{Time: i.Modified}, Version: kernel.Version(i.Version)}
	for _, busy := range i.Busy {
		record.Busy = append(record.Busy, agendarecords.OfInterval(busy))
	}
	return record
}
