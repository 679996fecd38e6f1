package agenda_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// duty is a duty of a user at the telephone of agency 11, for some hours from so
// long after now.
func (w *world) duty(user int64, after, length time.Duration) planning.DutyChange {
	return planning.DutyChange{AgencyID: opt.Of(int64(11)), UserID: opt.Of(user), Type: opt.Of("TELEPHONE"), StartAt: opt.Of(w.at(after)), EndAt: opt.Of(w.at(after + length))}
}

func (w *world) createDuty(c planning.DutyChange) (int64, error) {
	made, err := w.use.CreatePermanence(w.T.Context(), w.Again(w.full), agenda.CreatePermanence{DutyChange: c})
	return made.ID, err
}

func (w *world) updateDuty(id int64, c planning.DutyChange) error {
	_, err := w.use.UpdatePermanence(w.T.Context(), w.Again(w.full), agenda.UpdatePermanence{ID: id, DutyChange: c})
	return err
}

func TestEachWriteOfAPermanenceIsToldOnce(t *testing.T) {
	w := newWorld(t)
	var id int64
	w.told(func() (err error) { id, err = w.createDuty(w.duty(101, time.Hour, 2*time.Hour)); return err }, "PERMANENCE_CREATE")
	got, err := w.use.GetPermanence(t.Context(), w.Again(w.full), agenda.PermanencePath{ID: id})
	if err != nil || !got.Bookable || got.Timezone != "Europe/Paris" || got.UserID != 101 || got.RRule != nil || got.Exdates == nil {
		t.Errorf("the permanence is %+v, %v", got, err)
	}
	w.told(func() error {
		return w.updateDuty(id, planning.DutyChange{Comment: opt.Of("c"), Bookable: opt.Of(false)})
	}, "PERMANENCE_UPDATE")
	w.told(func() error { return w.updateDuty(id, planning.DutyChange{Comment: opt.Of("c")}) })
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error {
		_, err := w.use.DeletePermanence(t.Context(), w.Again(w.full), agenda.DeletePermanence{ID: id, IfMatch: stale()})
		return err
	})
	w.told(func() error {
		_, err := w.use.DeletePermanence(t.Context(), w.Again(w.full), agenda.DeletePermanence{ID: id})
		return err
	}, "PERMANENCE_DELETE")
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { return w.updateDuty(id, planning.DutyChange{Type: opt.Of("X")}) })
}

func TestAPermanenceSaysWhatIsWrongWithIt(t *testing.T) {
	w := newWorld(t)
	id, err := w.createDuty(w.duty(101, time.Hour, time.Hour))
	w.must(err)
	for name, c := range map[string]struct {
		edit  func(*planning.DutyChange)
		code  fault.Code
		field string
	}{
		"nobody":              {func(c *planning.DutyChange) { c.UserID = opt.Null[int64]() }, fault.CodeRequired, "user_id"},
		"no agency":           {func(c *planning.DutyChange) { c.AgencyID = opt.Null[int64]() }, fault.CodeRequired, "agency_id"},
		"no type":             {func(c *planning.DutyChange) { c.Type = opt.Of("") }, fault.CodeRequired, "type"},
		"another type":        {func(c *planning.DutyChange) { c.Type = opt.Of("X") }, fault.CodeCriteriaValueUnknown, "type"},
		"who is not active":   {func(c *planning.DutyChange) { c.UserID = opt.Of(int64(106)) }, fault.CodeUnknownUser, "user_id"},
		"who is outside":      {func(c *planning.DutyChange) { c.UserID = opt.Of(int64(103)) }, fault.CodeUnknownUser, "user_id"},
		"no start":            {func(c *planning.DutyChange) { c.StartAt = opt.Null[string]() }, fault.CodeRequired, "start_at"},
		"more than a day":     {func(c *planning.DutyChange) { c.EndAt = opt.Of(w.at(25*time.Hour + time.Second)) }, fault.CodeOutOfRange, "end_at"},
		"more than a month":   {func(c *planning.DutyChange) { c.EndAt = opt.Of(w.at(800 * time.Hour)) }, fault.CodeOutOfRange, "end_at"},
		"backwards":           {func(c *planning.DutyChange) { c.EndAt = c.StartAt }, fault.CodeOutOfRange, "end_at"},
		"no such zone":        {func(c *planning.DutyChange) { c.Timezone = opt.Of("X") }, fault.CodeInvalidFormat, "timezone"},
		"a rule of hours":     {func(c *planning.DutyChange) { c.RRule = opt.Of("FREQ=HOURLY") }, fault.CodeRRuleNotSupported, "rrule"},
		"a start out of step": {func(c *planning.DutyChange) { c.RRule = opt.Of("FREQ=WEEKLY;BYDAY=MO") }, fault.CodeRRuleOutOfStep, "rrule"},
	} {
		in := w.duty(101, time.Hour, time.Hour)
		c.edit(&in)
		t.Log(name)
		w.invalid(c.code, c.field, func() error { _, err := w.createDuty(in); return err })
		w.invalid(c.code, c.field, func() error {
			_, err := w.use.UpdatePermanence(t.Context(), w.Again(w.full), agenda.UpdatePermanence{ID: id, IfMatch: stale(), DutyChange: in})
			return err
		})
	}
	outside := planning.DutyChange{AgencyID: opt.Of(int64(13))}
	w.unchanged(fault.Forbidden, fault.CodeAgencyOutOfScope, func() error { return w.updateDuty(id, outside) })
}

func TestTwoDutiesOfAUserDoNotOverlap(t *testing.T) {
	w := newWorld(t)
	weekly := w.duty(101, time.Hour, 2*time.Hour)
	weekly.RRule = opt.Of("FREQ=DAILY;COUNT=5")
	_, err := w.createDuty(weekly)
	w.must(err)
	third := 2*24*time.Hour + 2*time.Hour
	w.unchanged(fault.Conflict, fault.CodePermanenceOverlap, func() error { _, err := w.createDuty(w.duty(101, third, time.Hour)); return err })
	_, err = w.createDuty(w.duty(104, third, time.Hour))
	w.must(err)
	id, err := w.createDuty(w.duty(101, third+time.Hour, time.Hour)) // it begins when the other ends
	w.must(err)
	w.unchanged(fault.Conflict, fault.CodePermanenceOverlap, func() error {
		_, err := w.use.UpdatePermanence(t.Context(), w.Again(w.full), agenda.UpdatePermanence{ID: id, IfMatch: stale(), DutyChange: w.duty(101, third, time.Hour)})
		return err
	})
	w.unchanged(fault.Conflict, fault.CodePermanenceOverlap, func() error {
		return w.updateDuty(id, planning.DutyChange{UserID: opt.Of(int64(104)), StartAt: opt.Of(w.at(third))})
	})
	w.must(w.updateDuty(id, planning.DutyChange{EndAt: opt.Of(w.at(third + 3*time.Hour))}))
}

func TestPermanencesAreListedByOccurrence(t *testing.T) {
	w := newWorld(t)
	daily := w.duty(101, time.Hour, time.Hour)
	daily.RRule, daily.Exdates = opt.Of("FREQ=DAILY;COUNT=4"), opt.Of([]string{w.at(25 * time.Hour)})
	first, err := w.createDuty(daily)
	w.must(err)
	web := w.duty(104, time.Hour, time.Hour)
	web.Type, web.AgencyID = opt.Of("WEB"), opt.Of(int64(12))
	second, err := w.createDuty(web)
	w.must(err)
	list := func(in agenda.ListPermanences) (got []string) {
		in.From, in.To = opt.Of(w.at(0)), opt.Of(w.at(60*time.Hour))
		found, err := w.use.ListPermanences(t.Context(), w.Again(w.full), in)
		w.must(err)
		for _, p := range found.Data {
			got = append(got, fmt.Sprint(p.ID, " ", p.StartAt.Sub(w.Clock.Now()).Hours(), " ", p.Occurrence != nil))
		}
		return got
	}
	one, two, three := fmt.Sprint(first, " 1 true"), fmt.Sprint(second, " 1 false"), fmt.Sprint(first, " 49 true")
	for name, c := range map[string]struct {
		in   agenda.ListPermanences
		want []string
	}{
		"all": {agenda.ListPermanences{}, []string{one, two, three}}, "an agency": {agenda.ListPermanences{AgencyID: opt.Of(int64(12))}, []string{two}},
		"a user": {agenda.ListPermanences{UserID: opt.Of(int64(101))}, []string{one, three}}, "a type": {agenda.ListPermanences{Type: opt.Of("WEB")}, []string{two}},
	} {
		if got := list(c.in); !slices.Equal(got, c.want) {
			t.Errorf("of %s are listed %v, want %v", name, got, c.want)
		}
	}
	w.invalid(fault.CodeRequired, "from", func() error {
		_, err := w.use.ListPermanences(t.Context(), w.full, agenda.ListPermanences{To: opt.Of(w.at(0))})
		return err
	})
	w.Update(func(tx port.Tx) error {
		many, err := tx.Duties().Get(1, planning.DutyID(first))
		many.Rule, many.Until = "FREQ=DAILY", time.Time{}
		for n := range 4 {
			many.ID = planning.DutyID(1000 + n)
			err = firstError(err, tx.Duties().Put(many))
		}
		return err
	})
	found, err := w.use.ListPermanences(t.Context(), w.Again(w.full), agenda.ListPermanences{From: opt.Of(w.at(0)), To: opt.Of(w.at(360 * 24 * time.Hour))})
	if err != nil || len(found.Data) != 1000 || !found.Truncated {
		t.Errorf("of many are listed %d, %v", len(found.Data), err)
	}
}

func TestOnDutyIsWhoIsThereNow(t *testing.T) {
	w := newWorld(t)
	daily := w.duty(101, time.Hour, time.Hour)
	daily.RRule = opt.Of("FREQ=DAILY")
	_, err := w.createDuty(daily)
	w.must(err)
	onDuty := func(in agenda.ListOnDuty) (users []int64) {
		in.AgencyID = opt.Of(int64(11))
		found, err := w.use.ListOnDuty(t.Context(), w.Again(w.full), in)
		w.must(err)
		for _, d := range found.Data {
			users = append(users, d.UserID)
		}
		return users
	}
	if got := onDuty(agenda.ListOnDuty{}); got != nil {
		t.Errorf("now %v are on duty", got)
	}
	w.Clock.Advance(25 * time.Hour)
	if got := onDuty(agenda.ListOnDuty{Type: opt.Of("TELEPHONE")}); !slices.Equal(got, []int64{101}) {
		t.Errorf("now %v are on duty", got)
	}
	if got := onDuty(agenda.ListOnDuty{Type: opt.Of("WEB")}); got != nil {
		t.Errorf("for the web %v are on duty", got)
	}
	if got := onDuty(agenda.ListOnDuty{At: opt.Of(w.at(time.Hour))}); got != nil {
		t.Errorf("when it ends %v are on duty", got)
	}
	w.invalid(fault.CodeRequired, "agency_id", func() error {
		_, err := w.use.ListOnDuty(t.Context(), w.Again(w.full), agenda.ListOnDuty{})
		return err
	})
}
