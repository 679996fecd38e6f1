package transfer

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// SetupAgendaType is a kind of calendar event. It is active and takes the time of
// users unless it says otherwise. A site that has any has none of those that are
// shipped.
type SetupAgendaType struct {
	ID              int64  `yaml:"id"`
	Model           string `yaml:"model"`
	Label           string `yaml:"label"`
	IsActive        *bool  `yaml:"is_active"`
	IsBusy          *bool  `yaml:"is_busy"`
	IsLeave         bool   `yaml:"is_leave"`
	DurationMinutes int    `yaml:"duration_minutes"`
	BufferBefore    int    `yaml:"buffer_before"` // minutes
	BufferAfter     int    `yaml:"buffer_after"`  // minutes
	Color           string `yaml:"color"`
	Position        int    `yaml:"position"`
}

// SetupWorkingTime is when a user works, instead of what there is. They can be
// booked unless it says otherwise.
type SetupWorkingTime struct {
	Patterns      []SetupPattern       `yaml:"patterns"`
	Exceptions    []SetupWorkException `yaml:"exceptions"`
	WorksHolidays bool                 `yaml:"works_holidays"`
	Bookable      *bool                `yaml:"bookable"`
}

// SetupPattern is working time that comes again, every week unless it says
// otherwise. It has no first or last day where none is given.
type SetupPattern struct {
	ValidFrom  string         `yaml:"valid_from"`
	ValidTo    string         `yaml:"valid_to"`
	CycleWeeks *int           `yaml:"cycle_weeks"`
	Days       []SetupWorkDay `yaml:"days"`
}

// SetupWorkDay is the working time of a weekday; 1 is Monday. Week is that of the
// cycle, the first unless it says otherwise.
type SetupWorkDay struct {
	Weekday int           `yaml:"weekday"`
	Week    *int          `yaml:"week"`
	Periods []SetupPeriod `yaml:"periods"`
}

// SetupPeriod is a part of a day, such as from 09:00 to 12:30.
type SetupPeriod struct {
	Start string `yaml:"start"`
	End   string `yaml:"end"`
}

// SetupWorkException is what holds on some days instead of the patterns. To is the
// day of From where it is not given. Periods must be given; without any, the user is
// absent.
type SetupWorkException struct {
	From    string        `yaml:"from"`
	To      string        `yaml:"to"`
	Periods []SetupPeriod `yaml:"periods"`
	Reason  string        `yaml:"reason"`
}

// change puts described working time into the terms of a request, so that the same
// rules judge it.
func (in SetupWorkingTime) change() agenda.WorkingTimeInput {
	c := agenda.WorkingTimeInput{WorksHolidays: opt.Of(in.WorksHolidays), Bookable: stated(in.Bookable)}
	for _, p := range in.Patterns {
		pattern := agenda.PatternInput{ValidFrom: given(p.ValidFrom), ValidTo: given(p.ValidTo), CycleWeeks: stated(p.CycleWeeks)}
		for _, d := range p.Days {
			pattern.Days.Value = append(pattern.Days.Value, agenda.WeekdayInput{Weekday: given(d.Weekday), Week: stated(d.Week), Periods: periods(d.Periods)})
		}
		pattern.Days.Set = true
		c.Patterns.Value = append(c.Patterns.Value, pattern)
	}
	for _, e := range in.Exceptions {
		c.Exceptions.Value = append(c.Exceptions.Value, agenda.ExceptionInput{
			From: given(e.From), To: given(e.To), Periods: periods(e.Periods), Reason: given(e.Reason),
		})
	}
	c.Patterns.Set, c.Exceptions.Set = true, true
	return c
}

func periods(in []SetupPeriod) opt.Field[[]agenda.PeriodInput] {
	out := opt.Field[[]agenda.PeriodInput]{Set: in != nil}
	for _, p := range in {
		out.Value = append(out.Value, agenda.PeriodInput{Start: given(p.Start), End: given(p.End)})
	}
	return out
}

// SetupOnlineBooking is what visitors can book with an agency, instead of what there
// is. What is nil or empty is as by default.
type SetupOnlineBooking struct {
	Enabled             bool    `yaml:"enabled"`
	Type                string  `yaml:"type"`
	DurationMinutes     *int    `yaml:"duration_minutes"`
	StepMinutes         *int    `yaml:"step_minutes"`
	BufferBefore        *int    `yaml:"buffer_before"`
	BufferAfter         *int    `yaml:"buffer_after"`
	NoticeMinutes       *int    `yaml:"notice_minutes"`
	HorizonDays         *int    `yaml:"horizon_days"`
	Confirmation        string  `yaml:"confirmation"`
	HoldSeconds         *int    `yaml:"hold_seconds"`
	CancelNoticeMinutes *int    `yaml:"cancel_notice_minutes"`
	UserIDs             []int64 `yaml:"user_ids"`
	PageURL             string  `yaml:"page_url"`
}

// change puts described settings into the terms of a request.
func (in SetupOnlineBooking) change() opt.Field[agenda.OnlineBookingInput] {
	return opt.Of(agenda.OnlineBookingInput{
		Enabled: opt.Of(in.Enabled), Type: given(in.Type), DurationMinutes: stated(in.DurationMinutes), StepMinutes: stated(in.StepMinutes),
		BufferBefore: stated(in.BufferBefore), BufferAfter: stated(in.BufferAfter), NoticeMinutes: stated(in.NoticeMinutes),
		HorizonDays: stated(in.HorizonDays), Confirmation: given(in.Confirmation), HoldSeconds: stated(in.HoldSeconds),
		CancelNoticeMinutes: stated(in.CancelNoticeMinutes), UserIDs: opt.Of(in.UserIDs), PageURL: given(in.PageURL),
	})
}
