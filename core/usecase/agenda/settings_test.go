package agenda_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

func (w *world) putSettings(in agenda.OnlineBookingInput) (agenda.AgencySettings, error) {
	return w.use.PutAgendaSettings(w.T.Context(), w.Again(w.full), agenda.PutSettings{ID: 11, OnlineBooking: opt.Of(in)})
}

func TestSettingsAreReplacedWhole(t *testing.T) {
	w := newWorld(t)
	defaults := agenda.OnlineBookingSettings{
		Type: "VISITE", DurationMinutes: 45, StepMinutes: 30, BufferBefore: 15, BufferAfter: 15, NoticeMinutes: 1440, HorizonDays: 30, Confirmation: "AUTO",
		HoldSeconds: 600, CancelNoticeMinutes: 120, UserIDs: []int64{},
	}
	read := func() agenda.AgencySettings {
		got, err := w.use.GetAgendaSettings(t.Context(), w.Again(w.full), agenda.AgencyPath{ID: 11})
		w.must(err)
		return got
	}
	if got := read(); got.AgencyID != 11 || fmt.Sprintf("%+v", got.OnlineBooking) != fmt.Sprintf("%+v", defaults) {
		t.Errorf("the settings are %+v", got)
	}
	own := agenda.OnlineBookingInput{
		Enabled: opt.Of(true), Type: opt.Of("RDV"), BufferAfter: opt.Of(5), NoticeMinutes: opt.Of(0), CancelNoticeMinutes: opt.Of(0), UserIDs: opt.Of([]int64{105, 101}), PageURL: opt.Of("https://x.example.org/{product_id}"),
	}
	w.told(func() error { _, err := w.putSettings(own); return err })
	if got := read().OnlineBooking; !got.Enabled || got.Type != "RDV" || got.DurationMinutes != 60 || got.BufferBefore != 0 || got.BufferAfter != 5 || got.NoticeMinutes != 0 ||
		got.CancelNoticeMinutes != 0 || !slices.Equal(got.UserIDs, []int64{105, 101}) || *got.PageURL != "https://x.example.org/{product_id}" || got.StepMinutes != 30 {
		t.Errorf("the settings are %+v", got)
	}
	before := read().Version
	if _, err := w.putSettings(own); err != nil || read().Version != before {
		t.Errorf("the same again: %v, the version is %d", err, read().Version)
	}
	if got, err := w.putSettings(agenda.OnlineBookingInput{}); err != nil || fmt.Sprintf("%+v", got.OnlineBooking) != fmt.Sprintf("%+v", defaults) {
		t.Errorf("what is not given stays: %+v, %v", got, err)
	}
	list, err := w.use.ListAgendaSettings(t.Context(), w.Again(w.full), struct{}{})
	if err != nil || len(list.Data) != 2 || list.Data[0].AgencyID != 11 || list.Data[1].AgencyID != 12 {
		t.Errorf("listed are %+v, %v", list, err)
	}
}

func TestSettingsSayWhatIsWrongWithThem(t *testing.T) {
	w := newWorld(t)
	numbers := func(set func(*agenda.OnlineBookingInput, opt.Field[int])) func(int) agenda.OnlineBookingInput {
		return func(n int) (in agenda.OnlineBookingInput) { set(&in, opt.Of(n)); return in }
	}
	for field, c := range map[string]struct {
		in        func(int) agenda.OnlineBookingInput
		low, high int
	}{
		"duration_minutes":      {numbers(func(in *agenda.OnlineBookingInput, n opt.Field[int]) { in.DurationMinutes = n }), 5, 1440},
		"step_minutes":          {numbers(func(in *agenda.OnlineBookingInput, n opt.Field[int]) { in.StepMinutes = n }), 5, 240},
		"buffer_before":         {numbers(func(in *agenda.OnlineBookingInput, n opt.Field[int]) { in.BufferBefore = n }), 0, 240},
		"buffer_after":          {numbers(func(in *agenda.OnlineBookingInput, n opt.Field[int]) { in.BufferAfter = n }), 0, 240},
		"notice_minutes":        {numbers(func(in *agenda.OnlineBookingInput, n opt.Field[int]) { in.NoticeMinutes = n }), 0, 43_200},
		"horizon_days":          {numbers(func(in *agenda.OnlineBookingInput, n opt.Field[int]) { in.HorizonDays = n }), 1, 180},
		"hold_seconds":          {numbers(func(in *agenda.OnlineBookingInput, n opt.Field[int]) { in.HoldSeconds = n }), 1, 1800},
		"cancel_notice_minutes": {numbers(func(in *agenda.OnlineBookingInput, n opt.Field[int]) { in.CancelNoticeMinutes = n }), 0, 43_200},
	} {
		for _, n := range []int{c.low - 1, c.high + 1} {
			w.invalid(fault.CodeOutOfRange, "online_booking."+field, func() error { _, err := w.putSettings(c.in(n)); return err })
		}
		for _, n := range []int{c.low, c.high} {
			if _, err := w.putSettings(c.in(n)); err != nil {
				t.Errorf("%s of %d: %v", field, n, err)
			}
		}
	}
	for field, c := range map[string]struct {
		in   agenda.OnlineBookingInput
		code fault.Code
	}{
		"type":         {agenda.OnlineBookingInput{Type: opt.Of("X")}, fault.CodeUnknownAppointmentType},
		"confirmation": {agenda.OnlineBookingInput{Confirmation: opt.Of("X")}, fault.CodeCriteriaValueUnknown},
		"page_url":     {agenda.OnlineBookingInput{PageURL: opt.Of("x")}, fault.CodeInvalidFormat},
		"user_ids[0]":  {agenda.OnlineBookingInput{UserIDs: opt.Of([]int64{107})}, fault.CodeUnknownUser},
		"user_ids[1]":  {agenda.OnlineBookingInput{UserIDs: opt.Of([]int64{101, 106})}, fault.CodeUnknownUser},
	} {
		w.invalid(c.code, "online_booking."+field, func() error { _, err := w.putSettings(c.in); return err })
	}
	w.invalid(fault.CodeRequired, "online_booking", func() error {
		_, err := w.use.PutAgendaSettings(t.Context(), w.full, agenda.PutSettings{ID: 11, IfMatch: stale()})
		return err
	})
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error {
		_, err := w.use.PutAgendaSettings(t.Context(), w.full, agenda.PutSettings{ID: 11, IfMatch: stale(), OnlineBooking: opt.Of(agenda.OnlineBookingInput{})})
		return err
	})
}
