package agenda_test

import (
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// elsewhere is opened, with agency 11 in a time zone of its own; 12 and the site stay in Paris.
func elsewhere(t *testing.T, zone string) (*world, int64) {
	t.Helper()
	w, p := opened(t)
	w.works(107)
	n := network()
	n.Sites[0].Agencies[0].Timezone = zone
	w.Provision(n)
	return w, p
}

// span is the first start and the last end of free time.
func span(w *world, found agenda.Availabilities, err error) string {
	w.T.Helper()
	w.must(err)
	if len(found.Data) == 0 {
		return "none"
	}
	return found.Data[0].StartAt.UTC().Format(time.RFC3339) + " " + found.Data[len(found.Data)-1].EndAt.UTC().Format(time.RFC3339)
}

func TestAnAgencyWorksInItsOwnTimeZone(t *testing.T) {
	for _, c := range []struct {
		zone, shown string
		// nine is when it is nine there on 18 September 2026, five when it is five; autumn is
		// when it is nine on 26 October, after the clocks of Paris have changed.
		nine, five, autumn string
	}{
		{"", "Europe/Paris", "2026-09-18T07:00:00Z", "2026-09-18T15:00:00Z", "2026-10-26T08:00:00Z"},
		{"Europe/Paris", "Europe/Paris", "2026-09-18T07:00:00Z", "2026-09-18T15:00:00Z", "2026-10-26T08:00:00Z"},
		{"America/Guadeloupe", "America/Guadeloupe", "2026-09-18T13:00:00Z", "2026-09-18T21:00:00Z", "2026-10-26T13:00:00Z"},
		{"America/Cayenne", "America/Cayenne", "2026-09-18T12:00:00Z", "2026-09-18T20:00:00Z", "2026-10-26T12:00:00Z"},
		{"Indian/Reunion", "Indian/Reunion", "2026-09-18T05:00:00Z", "2026-09-18T13:00:00Z", "2026-10-26T05:00:00Z"},
		{"Pacific/Noumea", "Pacific/Noumea", "2026-09-17T22:00:00Z", "2026-09-18T06:00:00Z", "2026-10-25T22:00:00Z"},
		{"Pacific/Tahiti", "Pacific/Tahiti", "2026-09-18T19:00:00Z", "2026-09-19T03:00:00Z", "2026-10-26T19:00:00Z"},
		{"America/Miquelon", "America/Miquelon", "2026-09-18T11:00:00Z", "2026-09-18T19:00:00Z", "2026-10-26T11:00:00Z"},
	} {
		t.Run(c.zone, func(t *testing.T) {
			w, p := elsewhere(t, c.zone)
			day := agenda.ListAvailabilities{From: opt.Of("2026-09-18T00:00:00"), To: opt.Of("2026-09-19T00:00:00")}
			both := c.nine + " " + c.five
			byAgency, byUser := day, day
			byAgency.AgencyID, byUser.UserIDs = opt.Of(int64(11)), opt.Of("104")
			for name, in := range map[string]agenda.ListAvailabilities{"of the agency": byAgency, "of a user": byUser} {
				found, err := w.use.ListAvailabilities(t.Context(), w.Again(w.full), in)
				if got := span(w, found, err); got != both {
					t.Errorf("the free time %s is %s, want %s", name, got, both)
				}
			}
			paris := day
			paris.UserIDs = opt.Of("107")
			found, err := w.use.ListAvailabilities(t.Context(), w.Again(w.full), paris)
			if got := span(w, found, err); got != "2026-09-18T07:00:00Z 2026-09-18T15:00:00Z" {
				t.Errorf("that of a user in Paris is %s", got)
			}
			slots, err := w.use.ListBookingSlots(t.Context(), w.Again(w.website), agenda.ListBookingSlots{ID: p, From: day.From, To: day.To})
			w.must(err)
			if got := slots.Data[0].StartAt.UTC().Format(time.RFC3339) + " " + slots.Data[len(slots.Data)-1].EndAt.UTC().Format(time.RFC3339); got != both {
				t.Errorf("it can be booked at %s, want %s", got, both)
			}
			made := w.booked(request(p, nine, 1))
			visit := w.get(w.eventOf(made.ID))
			if got := made.StartAt.UTC().Format(time.RFC3339); got != c.nine || visit.Timezone != c.shown {
				t.Errorf("nine is booked at %s, in %s", got, visit.Timezone)
			}

			// Of a series the clock of the agency is kept, whether clocks change there or not.
			weekly := planning.Change{
				Type: opt.Of("VISITE"), Title: opt.Of("Visite"), StartAt: opt.Of("2026-10-19T09:00:00"), EndAt: opt.Of("2026-10-19T10:00:00"),
				UserIDs: opt.Of([]int64{105}), RRule: opt.Of("FREQ=WEEKLY;COUNT=2"),
			}
			id := w.create(weekly)
			if got := w.get(id).Timezone; got != c.shown {
				t.Errorf("an event is in %s", got)
			}
			series, err := w.use.ListOccurrences(t.Context(), w.Again(w.full), agenda.ListOccurrences{ID: id, From: opt.Of("2026-10-26T00:00:00"), To: opt.Of("2026-10-27T00:00:00")})
			if w.must(err); len(series.Data) != 1 || series.Data[0].StartAt.UTC().Format(time.RFC3339) != c.autumn {
				t.Errorf("on 26 October it takes place at %v, want %s", series.Data, c.autumn)
			}
			named := weekly
			named.UserIDs, named.AgencyID = opt.Of([]int64{107}), opt.Of(int64(11))
			if got := w.get(w.create(named)).Timezone; got != c.shown {
				t.Errorf("an event of the agency with somebody of Paris is in %s", got)
			}
			weekly.UserIDs = opt.Of([]int64{107})
			if got := w.get(w.create(weekly)).Timezone; got != "Europe/Paris" {
				t.Errorf("an event of the agency in Paris is in %s", got)
			}
			weekly.Timezone, weekly.UserIDs = opt.Of("Asia/Tokyo"), opt.Of([]int64{104})
			tokyo := w.create(weekly)
			if got := w.get(tokyo).Timezone; got != "Asia/Tokyo" {
				t.Errorf("a zone that is named becomes %s", got)
			}
			if w.must(w.update(tokyo, planning.Change{Timezone: opt.Null[string]()})); w.get(tokyo).Timezone != c.shown {
				t.Errorf("no zone any more is %s", w.get(tokyo).Timezone)
			}

			duty, err := w.use.CreatePermanence(t.Context(), w.Again(w.full), agenda.CreatePermanence{DutyChange: planning.DutyChange{
				AgencyID: opt.Of(int64(11)), UserID: opt.Of(int64(101)), Type: opt.Of("ACCUEIL"), StartAt: opt.Of("2026-09-18T09:00:00"), EndAt: opt.Of("2026-09-18T17:00:00"),
			}})
			w.must(err)
			on, err := w.use.GetPermanence(t.Context(), w.Again(w.full), agenda.PermanencePath{ID: duty.ID})
			if w.must(err); on.Timezone != c.shown || on.StartAt.UTC().Format(time.RFC3339) != c.nine {
				t.Errorf("on duty from %s, in %s", on.StartAt, on.Timezone)
			}

			for id, want := range map[int64]string{11: c.shown, 12: "Europe/Paris"} {
				a, err := w.Office.GetAgency(t.Context(), w.Again(w.full), office.ReadAgency{ID: id})
				if w.must(err); a.Full.Settings.Timezone != want {
					t.Errorf("agency %d is in %s", id, a.Full.Settings.Timezone)
				}
			}
		})
	}
}

// Who works in two zones is free together only while both work.
func TestUsersOfTwoZonesAreFreeTogether(t *testing.T) {
	w, _ := elsewhere(t, "America/Guadeloupe")
	in := agenda.ListAvailabilities{UserIDs: opt.Of("104,107"), From: opt.Of("2026-09-18T00:00:00Z"), To: opt.Of("2026-09-19T00:00:00Z")}
	for mode, want := range map[string]string{
		"any": "2026-09-18T07:00:00Z 2026-09-18T21:00:00Z", "all": "2026-09-18T13:00:00Z 2026-09-18T15:00:00Z",
	} {
		in.Mode = opt.Of(mode)
		found, err := w.use.ListAvailabilities(t.Context(), w.Again(w.full), in)
		if got := span(w, found, err); got != want {
			t.Errorf("%s: %s, want %s", mode, got, want)
		}
	}
	in.View, in.Mode = opt.Of("ranges"), opt.Field[string]{}
	found, err := w.use.ListAvailabilities(t.Context(), w.Again(w.full), in)
	if got := span(w, found, err); got != "2026-09-18T13:00:00Z 2026-09-18T15:00:00Z" || len(found.Data) != 2 {
		t.Errorf("the ranges are %s: %v", got, found.Data)
	}
}
