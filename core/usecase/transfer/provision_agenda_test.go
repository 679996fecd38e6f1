package transfer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// booked describes the agenda of site 1: two types, when user 101 works, and what
// can be booked with agency 11.
func booked() transfer.Setup {
	setup := apitest.Network()
	setup.Sites = setup.Sites[:1]
	setup.Credentials = nil
	home, two, none := &setup.Sites[0], 2, 0
	home.AgendaTypes = []transfer.SetupAgendaType{
		{ID: 1, Model: "VISITE", Label: "Visite", DurationMinutes: 40, BufferBefore: 10, BufferAfter: 5, Color: "#27ae60", Position: 2},
		{ID: 2, Model: "CONGE", Label: "Congé", DurationMinutes: 1440, IsLeave: true, Position: 1},
	}
	home.Users = slices.Clone(home.Users)
	home.Users[0].WorkingTime = &transfer.SetupWorkingTime{
		Patterns: []transfer.SetupPattern{{ValidFrom: "2026-01-01", CycleWeeks: &two, Days: []transfer.SetupWorkDay{
			{Weekday: 1, Periods: []transfer.SetupPeriod{{Start: "09:00", End: "12:30"}, {Start: "14:00", End: "18:30"}}},
			{Weekday: 2, Week: &two, Periods: []transfer.SetupPeriod{{Start: "20:00", End: "24:00"}}},
		}}},
		Exceptions: []transfer.SetupWorkException{{From: "2026-12-24", To: "2026-12-31", Periods: []transfer.SetupPeriod{}, Reason: "CONGE"}},
	}
	home.Agencies = slices.Clone(home.Agencies)
	home.Agencies[0].OnlineBooking = &transfer.SetupOnlineBooking{
		Enabled: true, NoticeMinutes: &none, Confirmation: "MANUELLE", UserIDs: []int64{101}, PageURL: "https://example.org/{product_id}",
	}
	return setup
}

func TestTheAgendaIsProvisioned(t *testing.T) {
	w := apitest.New(t)
	seq := w.Seq(1)
	w.Provision(booked())
	if got := told(w, seq); !slices.Equal(got, []string{"WORKTIME_UPDATE 101"}) {
		t.Errorf("it tells %v", got)
	}
	full := w.As("full", 1)
	types, err := w.Agenda.ListEventTypes(t.Context(), full, kernel.Nothing{})
	if err != nil || len(types.Data) != 2 || types.Data[0].Model != "CONGE" || !types.Data[0].IsLeave || types.Data[1].DurationMinutes != 40 || !types.Data[1].IsBusy || !types.Data[1].IsActive {
		t.Errorf("the types are %+v, %v", types.Data, err)
	}
	work, err := w.Agenda.GetWorkingTime(t.Context(), full, agenda.UserPath{ID: 101})
	if err != nil || !work.Bookable || len(work.Patterns) != 1 || work.Patterns[0].CycleWeeks != 2 || len(work.Exceptions) != 1 || len(work.Exceptions[0].Periods) != 0 {
		t.Fatalf("user 101 works %+v, %v", work, err)
	}
	if days := work.Patterns[0].Days; days[0].Week != 1 || days[0].Periods[1].Start != "14:00" || days[1].Week != 2 || days[1].Periods[0].End != "24:00" {
		t.Errorf("user 101 works %+v", days)
	}
	settings, err := w.Agenda.GetAgendaSettings(t.Context(), full, agenda.AgencyPath{ID: 11})
	if err != nil {
		t.Fatal(err)
	}
	s := settings.OnlineBooking
	if !s.Enabled || s.DurationMinutes != 40 || s.BufferBefore != 10 || s.NoticeMinutes != 0 || s.HorizonDays != 30 || s.Confirmation != "MANUELLE" || !slices.Equal(s.UserIDs, []int64{101}) || *s.PageURL != "https://example.org/{product_id}" {
		t.Errorf("agency 11 has chosen %+v", s)
	}
}

func TestTheAgendaIsProvisionedOnce(t *testing.T) {
	w := apitest.New(t)
	first, err := w.Transfer.Provision(t.Context(), booked())
	if err != nil || first.Added != 4 || first.Changed != 0 {
		t.Fatalf("first: %+v, %v", first, err)
	}
	head, _ := w.Store.Head(t.Context(), 1)
	second, err := w.Transfer.Provision(t.Context(), booked())
	if err != nil || second.Added != 0 || second.Changed != 0 {
		t.Errorf("second: %+v, %v", second, err)
	}
	if again, _ := w.Store.Head(t.Context(), 1); again != head {
		t.Errorf("the head went from %+v to %+v", head, again)
	}
	changed := booked()
	changed.Sites[0].AgendaTypes[0].DurationMinutes = 45
	changed.Sites[0].Users[0].WorkingTime.Exceptions = nil
	changed.Sites[0].Agencies[0].OnlineBooking.Enabled = false
	if third, err := w.Transfer.Provision(t.Context(), changed); err != nil || third.Added != 0 || third.Changed != 3 {
		t.Errorf("third: %+v, %v", third, err)
	}
}

// What a setup does not name stays, whoever chose it.
func TestProvisioningLeavesTheAgendaAlone(t *testing.T) {
	w := apitest.New(t)
	w.Provision(booked())
	full := w.As("full", 1)
	if _, err := w.Agenda.PutWorkingTime(t.Context(), full, agenda.PutWorkingTime{ID: 101, WorkingTimeInput: agenda.WorkingTimeInput{Bookable: opt.Of(false)}}); err != nil {
		t.Fatal(err)
	}
	seq := w.Seq(1)
	w.Provision(apitest.Network())
	if got := told(w, seq); len(got) > 0 {
		t.Errorf("it tells %v", got)
	}
	full = w.As("full", 1)
	work, err := w.Agenda.GetWorkingTime(t.Context(), full, agenda.UserPath{ID: 101})
	if err != nil || work.Bookable {
		t.Errorf("user 101 works %+v, %v", work, err)
	}
	settings, err := w.Agenda.GetAgendaSettings(t.Context(), full, agenda.AgencyPath{ID: 11})
	if err != nil || !settings.OnlineBooking.Enabled {
		t.Errorf("agency 11 has chosen %+v, %v", settings, err)
	}
	if types, err := w.Agenda.ListEventTypes(t.Context(), full, kernel.Nothing{}); err != nil || len(types.Data) != 2 {
		t.Errorf("the types are %+v, %v", types.Data, err)
	}
}

func TestAnAgendaThatCannotBeIsRefused(t *testing.T) {
	zero, long := 0, 1441
	for want, spoil := range map[string]func(*transfer.SetupSite){
		`agenda type "VISITE": it needs an id`:                           func(s *transfer.SetupSite) { s.AgendaTypes[0].ID = 0 },
		`agenda type "": it needs`:                                       func(s *transfer.SetupSite) { s.AgendaTypes[0].Model = "" },
		`"VISITE": duration_minutes must be 5 to 1440`:                   func(s *transfer.SetupSite) { s.AgendaTypes[0].DurationMinutes = 4 },
		`"CONGE": duration_minutes must be 5 to 1440`:                    func(s *transfer.SetupSite) { s.AgendaTypes[1].DurationMinutes = long },
		`"VISITE": buffer_before must be 0 to 240`:                       func(s *transfer.SetupSite) { s.AgendaTypes[0].BufferBefore = -1 },
		`"VISITE": buffer_after must be 0 to 240`:                        func(s *transfer.SetupSite) { s.AgendaTypes[0].BufferAfter = 241 },
		`agenda type "VISITE": types 1 and 2 both`:                       func(s *transfer.SetupSite) { s.AgendaTypes[1].Model = "VISITE" },
		`user 101: working_time: patterns[0].cycle_weeks: `:              func(s *transfer.SetupSite) { s.Users[0].WorkingTime.Patterns[0].CycleWeeks = &zero },
		`user 101: working_time: patterns[0].valid_from: `:               func(s *transfer.SetupSite) { s.Users[0].WorkingTime.Patterns[0].ValidFrom = "" },
		`user 101: working_time: patterns[0].days[0].weekday: `:          func(s *transfer.SetupSite) { s.Users[0].WorkingTime.Patterns[0].Days[0].Weekday = 0 },
		`user 101: working_time: patterns[0].days[0].periods[1].start: `: func(s *transfer.SetupSite) { s.Users[0].WorkingTime.Patterns[0].Days[0].Periods[1].Start = "2pm" },
		`user 101: working_time: patterns[0].days[0].periods[1]: `:       func(s *transfer.SetupSite) { s.Users[0].WorkingTime.Patterns[0].Days[0].Periods[1].Start = "12:00" },
		`user 101: working_time: exceptions[0].periods: `:                func(s *transfer.SetupSite) { s.Users[0].WorkingTime.Exceptions[0].Periods = nil },
		`user 101: working_time: exceptions[0].reason: `:                 func(s *transfer.SetupSite) { s.Users[0].WorkingTime.Exceptions[0].Reason = "SIESTE" },
		`agency 11: online_booking.type: `:                               func(s *transfer.SetupSite) { s.Agencies[0].OnlineBooking.Type = "RDV" },
		`agency 11: online_booking.duration_minutes: `:                   func(s *transfer.SetupSite) { s.Agencies[0].OnlineBooking.DurationMinutes = &long },
		`agency 11: online_booking.step_minutes: `:                       func(s *transfer.SetupSite) { s.Agencies[0].OnlineBooking.StepMinutes = &zero },
		`agency 11: online_booking.confirmation: `:                       func(s *transfer.SetupSite) { s.Agencies[0].OnlineBooking.Confirmation = "PEUT_ETRE" },
		`agency 11: online_booking.page_url: `:                           func(s *transfer.SetupSite) { s.Agencies[0].OnlineBooking.PageURL = "ftp://example.org" },
		`agency 11: online_booking.user_ids[0]: `:                        func(s *transfer.SetupSite) { s.Agencies[0].OnlineBooking.UserIDs = []int64{102} },
	} {
		w := apitest.New(t)
		setup := booked()
		spoil(&setup.Sites[0])
		seq := w.Seq(1)
		if _, err := w.Transfer.Provision(t.Context(), setup); err == nil || !strings.Contains(err.Error(), "site 1: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("refused with %v, want a word about %q", err, want)
		}
		if w.Seq(1) != seq {
			t.Errorf("after the error about %q, something was told", want)
		}
	}
}

// Two types may change their models with each other.
func TestTypesOfTheAgendaKeepTheirIDs(t *testing.T) {
	w := apitest.New(t)
	w.Provision(booked())
	swapped := booked()
	types := swapped.Sites[0].AgendaTypes
	types[0].Model, types[1].Model = types[1].Model, types[0].Model
	w.Provision(swapped)
	listed, err := w.Agenda.ListEventTypes(t.Context(), w.As("full", 1), kernel.Nothing{})
	if err != nil || len(listed.Data) != 2 || listed.Data[0].ID != 2 || listed.Data[0].Model != "VISITE" {
		t.Errorf("the types are %+v, %v", listed.Data, err)
	}
	alone := booked()
	alone.Sites[0].AgendaTypes = []transfer.SetupAgendaType{{ID: 3, Model: "CONGE", DurationMinutes: 60}}
	if _, err := w.Transfer.Provision(t.Context(), alone); err == nil || !strings.Contains(err.Error(), "types 1 and 3") {
		t.Errorf("a model that another type has: %v", err)
	}
}
