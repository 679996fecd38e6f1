package agenda_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

func (w *world) putWorkingTime(id int64, in agenda.WorkingTimeInput) (agenda.WorkingTime, error) {
	return w.use.PutWorkingTime(w.T.Context(), w.Again(w.full), agenda.PutWorkingTime{ID: id, WorkingTimeInput: in})
}

func TestWorkingTimeIsReplacedWhole(t *testing.T) {
	w := newWorld(t)
	got, err := w.use.GetWorkingTime(t.Context(), w.full, agenda.UserPath{ID: 101})
	if err != nil || got.UserID != 101 || got.Patterns == nil || len(got.Patterns)+len(got.Exceptions) > 0 || !got.Bookable || got.WorksHolidays {
		t.Errorf("who has said nothing works %+v, %v", got, err)
	}
	in := everyDay("09:00", "24:00")
	in.Exceptions = opt.Of([]agenda.ExceptionInput{{From: opt.Of("2026-10-01"), Periods: opt.Of([]agenda.PeriodInput{}), Reason: opt.Of("CONGE")}})
	in.WorksHolidays, in.Bookable = opt.Of(true), opt.Of(false)
	w.told(func() error { got, err = w.putWorkingTime(101, in); return err }, "WORKTIME_UPDATE")
	if e := got.Exceptions[0]; e.From != "2026-10-01" || e.To != "2026-10-01" || e.Periods == nil || *e.Reason != "CONGE" || got.Bookable || !got.WorksHolidays {
		t.Errorf("the user works %+v", got)
	}
	if d := got.Patterns[0].Days[6]; d.Weekday != 7 || d.Week != 1 || d.Periods[0].End != "24:00" || got.Patterns[0].CycleWeeks != 1 {
		t.Errorf("on Sundays the user works %+v", d)
	}
	w.told(func() error { _, err := w.putWorkingTime(101, in); return err })
	w.told(func() error { got, err = w.putWorkingTime(101, agenda.WorkingTimeInput{}); return err }, "WORKTIME_UPDATE")
	if len(got.Patterns)+len(got.Exceptions) > 0 || !got.Bookable {
		t.Errorf("what is not given stays: %+v", got)
	}
	list, err := w.use.ListWorkingTimes(t.Context(), w.Again(w.full), agenda.ListWorkingTimes{})
	var ids []int64
	for _, one := range list.Data {
		ids = append(ids, one.UserID)
	}
	if err != nil || fmt.Sprint(ids) != "[101 104 105 107]" {
		t.Errorf("listed are %v, %v", ids, err)
	}
	list, err = w.use.ListWorkingTimes(t.Context(), w.Again(w.full), agenda.ListWorkingTimes{AgencyID: opt.Of(int64(11)), UserIDs: opt.Of("105,104")})
	if err != nil || len(list.Data) != 2 || list.Data[0].UserID != 104 {
		t.Errorf("of two are listed %+v, %v", list, err)
	}
	w.invalid(fault.CodeUnknownUser, "user_ids", func() error {
		_, err := w.use.ListWorkingTimes(t.Context(), w.Again(w.full), agenda.ListWorkingTimes{UserIDs: opt.Of("106")})
		return err
	})
}

func TestUsersAreNamedByTheirPath(t *testing.T) {
	w := newWorld(t)
	for id, kind := range map[int64]fault.Kind{103: fault.Forbidden, 201: fault.NotFound, 5: fault.NotFound} {
		before := w.contents()
		for name, err := range map[string]error{
			"get":      outcome(w.use.GetWorkingTime(t.Context(), w.full, agenda.UserPath{ID: id})),
			"put":      outcome(w.putWorkingTime(id, agenda.WorkingTimeInput{Patterns: opt.Of([]agenda.PatternInput{{CycleWeeks: opt.Of(9)}})})),
			"import":   outcome(w.use.PutExternalBusy(t.Context(), w.full, agenda.PutImported{ID: id, Source: "x"})),
			"imported": outcome(w.use.GetExternalBusy(t.Context(), w.full, agenda.ImportedPath{ID: id, Source: "x"})),
			"feed":     outcome(w.use.CreateCalendarFeed(t.Context(), w.full, agenda.CreateFeed{ID: id, Detail: opt.Of("X")})),
			"no feed":  outcome(w.use.DeleteCalendarFeed(t.Context(), w.full, agenda.UserPath{ID: id})),
		} {
			if !errors.Is(err, kind) {
				t.Errorf("%s of user %d: %v, want %v", name, id, err, kind)
			}
		}
		if w.contents() != before {
			t.Errorf("something was written about user %d", id)
		}
	}
	for id, kind := range map[int64]fault.Kind{13: fault.Forbidden, 21: fault.NotFound, 5: fault.NotFound} {
		for name, err := range map[string]error{
			"get": outcome(w.use.GetAgendaSettings(t.Context(), w.full, agenda.AgencyPath{ID: id})),
			"put": outcome(w.use.PutAgendaSettings(t.Context(), w.full, agenda.PutSettings{ID: id})),
		} {
			if !errors.Is(err, kind) {
				t.Errorf("%s of agency %d: %v, want %v", name, id, err, kind)
			}
		}
	}
}

func outcome[Out any](_ Out, err error) error { return err }

func TestWorkingTimeSaysWhatIsWrongWithIt(t *testing.T) {
	w := newWorld(t)
	period := func(start, end string) agenda.PeriodInput {
		return agenda.PeriodInput{Start: opt.Of(start), End: opt.Of(end)}
	}
	on := func(d agenda.WeekdayInput, periods ...agenda.PeriodInput) agenda.WorkingTimeInput {
		if d.Weekday.Or(0) == 0 && !d.Weekday.Null {
			d.Weekday = opt.Of(1)
		}
		d.Periods = opt.Of(periods)
		return agenda.WorkingTimeInput{Patterns: opt.Of([]agenda.PatternInput{{Days: opt.Of([]agenda.WeekdayInput{d})}})}
	}
	patterns := func(all ...agenda.PatternInput) agenda.WorkingTimeInput {
		return agenda.WorkingTimeInput{Patterns: opt.Of(all)}
	}
	absent := func(from, to string) agenda.ExceptionInput {
		return agenda.ExceptionInput{From: opt.Of(from), To: opt.Of(to), Periods: opt.Of([]agenda.PeriodInput{})}
	}
	exceptions := func(all ...agenda.ExceptionInput) agenda.WorkingTimeInput {
		return agenda.WorkingTimeInput{Exceptions: opt.Of(all)}
	}
	var day agenda.WeekdayInput
	many := make([]agenda.PeriodInput, 9)
	for n := range many {
		many[n] = period(fmt.Sprintf("%02d:00", n), fmt.Sprintf("%02d:30", n))
	}
	unexplained := absent("2026-10-01", "2026-10-02")
	unexplained.Reason = opt.Of("X")
	for name, c := range map[string]struct {
		in    agenda.WorkingTimeInput
		code  fault.Code
		field string
	}{
		"periods that overlap":       {on(day, period("09:00", "12:00"), period("11:00", "13:00")), fault.CodePeriodsOverlap, "patterns[0].days[0].periods[1]"},
		"periods out of order":       {on(day, period("14:00", "15:00"), period("09:00", "12:00")), fault.CodePeriodsOverlap, "patterns[0].days[0].periods[1]"},
		"a period backwards":         {on(day, period("09:00", "09:00")), fault.CodeOutOfRange, "patterns[0].days[0].periods[0].end"},
		"a period without an end":    {on(day, agenda.PeriodInput{Start: opt.Of("09:00")}), fault.CodeRequired, "patterns[0].days[0].periods[0].end"},
		"an hour too late":           {on(day, period("09:00", "24:30")), fault.CodeInvalidFormat, "patterns[0].days[0].periods[0].end"},
		"nine periods":               {on(day, many...), fault.CodeOutOfRange, "patterns[0].days[0].periods"},
		"an eighth day":              {on(agenda.WeekdayInput{Weekday: opt.Of(8)}), fault.CodeOutOfRange, "patterns[0].days[0].weekday"},
		"no day":                     {on(agenda.WeekdayInput{Weekday: opt.Null[int]()}), fault.CodeRequired, "patterns[0].days[0].weekday"},
		"a week beyond the cycle":    {on(agenda.WeekdayInput{Week: opt.Of(2)}), fault.CodeOutOfRange, "patterns[0].days[0].week"},
		"a cycle of five weeks":      {patterns(agenda.PatternInput{ValidFrom: opt.Of("2026-01-01"), CycleWeeks: opt.Of(5)}), fault.CodeOutOfRange, "patterns[0].cycle_weeks"},
		"a cycle from nowhere":       {patterns(agenda.PatternInput{CycleWeeks: opt.Of(2)}), fault.CodeRequired, "patterns[0].valid_from"},
		"two patterns from always":   {patterns(agenda.PatternInput{}, agenda.PatternInput{}), fault.CodePatternsOverlap, "patterns[1].valid_from"},
		"two patterns from one day":  {patterns(agenda.PatternInput{ValidFrom: opt.Of("2026-01-01")}, agenda.PatternInput{ValidFrom: opt.Of("2026-01-01")}), fault.CodePatternsOverlap, "patterns[1].valid_from"},
		"a pattern backwards":        {patterns(agenda.PatternInput{ValidFrom: opt.Of("2026-01-02"), ValidTo: opt.Of("2026-01-01")}), fault.CodeOutOfRange, "patterns[0].valid_to"},
		"21 patterns":                {patterns(make([]agenda.PatternInput, 21)...), fault.CodeOutOfRange, "patterns"},
		"exceptions that overlap":    {exceptions(absent("2026-10-01", "2026-10-05"), absent("2026-10-05", "2026-10-06")), fault.CodeExceptionsOverlap, "exceptions[1]"},
		"an exception backwards":     {exceptions(absent("2026-10-05", "2026-10-01")), fault.CodeOutOfRange, "exceptions[0].to"},
		"an exception on no day":     {exceptions(agenda.ExceptionInput{Periods: opt.Of([]agenda.PeriodInput{})}), fault.CodeRequired, "exceptions[0].from"},
		"an exception without hours": {exceptions(agenda.ExceptionInput{From: opt.Of("2026-10-01")}), fault.CodeRequired, "exceptions[0].periods"},
		"another reason":             {exceptions(unexplained), fault.CodeCriteriaValueUnknown, "exceptions[0].reason"},
		"401 exceptions":             {exceptions(make([]agenda.ExceptionInput, 401)...), fault.CodeOutOfRange, "exceptions"},
	} {
		t.Log(name)
		w.invalid(c.code, c.field, func() error {
			_, err := w.use.PutWorkingTime(t.Context(), w.full, agenda.PutWorkingTime{ID: 101, IfMatch: stale(), WorkingTimeInput: c.in})
			return err
		})
	}
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error {
		_, err := w.use.PutWorkingTime(t.Context(), w.full, agenda.PutWorkingTime{ID: 101, IfMatch: stale()})
		return err
	})
}

func TestAnotherCalendarSaysWhenSomebodyIsBusy(t *testing.T) {
	w := newWorld(t)
	put := func(source string, busy ...agenda.BusyInput) (agenda.ExternalBusy, error) {
		return w.use.PutExternalBusy(t.Context(), w.Again(w.full), agenda.PutImported{ID: 101, Source: source, Busy: opt.Of(busy)})
	}
	busy := func(from, to time.Duration) agenda.BusyInput {
		return agenda.BusyInput{StartAt: opt.Of(w.at(from)), EndAt: opt.Of(w.at(to))}
	}
	var got agenda.ExternalBusy
	var err error
	w.told(func() error {
		got, err = put("outlook-1", busy(3*time.Hour, 4*time.Hour), busy(time.Hour, 2*time.Hour))
		return err
	}, "WORKTIME_UPDATE")
	if got.UserID != 101 || got.Source != "outlook-1" || len(got.Busy) != 2 || !got.Busy[0].StartAt.Before(got.Busy[1].StartAt.Time) {
		t.Errorf("the record is %+v", got)
	}
	w.told(func() error {
		_, err := put("outlook-1", busy(time.Hour, 2*time.Hour), busy(3*time.Hour, 4*time.Hour))
		return err
	})
	w.told(func() error { _, err := put("google", busy(time.Hour, 90*time.Minute)); return err }, "WORKTIME_UPDATE")
	free, err := w.use.ListFreeBusy(t.Context(), w.Again(w.full), agenda.ListFreeBusy{UserIDs: opt.Of("101"), From: opt.Of(w.at(0)), To: opt.Of(w.at(24 * time.Hour))})
	if err != nil || len(free.Data[0].Busy) != 2 || free.Data[0].Busy[0].Kind != "EXTERNAL" {
		t.Errorf("busy is %+v, %v", free, err)
	}
	w.told(func() error {
		_, err := w.use.DeleteExternalBusy(t.Context(), w.Again(w.full), agenda.DeleteImported{ID: 101, Source: "google"})
		return err
	}, "WORKTIME_UPDATE")
	for _, name := range []string{"google", "Outlook", "", "a.b", "a234567890123456789012345678901234567890x"} {
		w.unchanged(fault.NotFound, fault.CodeNotFound, func() error {
			_, err := w.use.GetExternalBusy(t.Context(), w.Again(w.full), agenda.ImportedPath{ID: 101, Source: name})
			return err
		})
		w.unchanged(fault.NotFound, fault.CodeNotFound, func() error {
			_, err := w.use.DeleteExternalBusy(t.Context(), w.Again(w.full), agenda.DeleteImported{ID: 101, Source: name})
			return err
		})
	}
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { _, err := put("Outlook"); return err })
	for field, c := range map[string]struct {
		busy []agenda.BusyInput
		code fault.Code
	}{
		"busy":             {make([]agenda.BusyInput, 2001), fault.CodeOutOfRange},
		"busy[0].end_at":   {[]agenda.BusyInput{busy(0, 31*24*time.Hour+time.Second)}, fault.CodeOutOfRange},
		"busy[0].start_at": {[]agenda.BusyInput{{EndAt: opt.Of(w.at(0))}}, fault.CodeRequired},
		"busy[1].end_at":   {[]agenda.BusyInput{busy(0, time.Hour), busy(5, 5)}, fault.CodeOutOfRange},
	} {
		w.invalid(c.code, field, func() error { _, err := put("outlook-1", c.busy...); return err })
	}
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error {
		_, err := w.use.DeleteExternalBusy(t.Context(), w.full, agenda.DeleteImported{ID: 101, Source: "outlook-1", IfMatch: stale()})
		return err
	})
}
