package demo_test

import (
	"crypto/rand"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/phones"
	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/apps/internal/demo"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// sandbox is a sandbox that starts at a moment.
func sandbox(t *testing.T, now time.Time) (*siteapi.Service, kernel.Ports) {
	t.Helper()
	file, err := os.Open("../../vitrine/sandbox.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	described, err := setup.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	ports := kernel.Ports{Store: memstore.New(), Now: func() time.Time { return now }, Rand: rand.Reader, Zone: time.LoadLocation, E164: phones.E164}
	service, err := siteapi.New(ports, kernel.Options{Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Transfer.Provision(t.Context(), described); err != nil {
		t.Fatal(err)
	}
	if err := demo.Tell(t.Context(), ports); err != nil {
		t.Fatal(err)
	}
	return service, ports
}

func everything(t *testing.T, s *siteapi.Service, id site.ID) kernel.Caller {
	t.Helper()
	c, err := s.Admit(t.Context(), access.Grant{
		Site: id, Credential: "sandbox-network", Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// events are those of a site from three days before a day until three days after.
func events(t *testing.T, s *siteapi.Service, id site.ID, today time.Time) []agenda.FoundEvent {
	t.Helper()
	day := func(from int) opt.Field[string] { return opt.Of(today.AddDate(0, 0, from).Format(time.DateOnly)) }
	found, err := s.Agenda.SearchCalendarEvents(t.Context(), everything(t, s, id), agenda.SearchEvents{From: day(-3), To: day(4), Count: opt.Of(500)})
	if err != nil {
		t.Fatal(err)
	}
	return found.Data
}

// Whichever day it starts on, and at whatever time, also in the week in which the
// clocks change.
func TestAgentsHaveAWeekAroundTheDayOnWhichTheSandboxStarts(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 7 {
		now := time.Date(2026, 10, 21+n, 23-3*n, 30, 0, 0, paris)
		service, ports := sandbox(t, now)
		all := events(t, service, 1, now)
		if len(all) < 20 {
			t.Errorf("%s: site 1 has %d events", now, len(all))
		}
		if other := events(t, service, 2, now); len(other) < 10 {
			t.Errorf("%s: site 2 has %d events", now, len(other))
		}
		kinds, statuses, reports := map[string]int{}, map[string]int{}, 0
		for _, e := range all {
			kinds[e.Type]++
			statuses[e.Status]++
			reports += len(e.Reports)
			over := !e.EndAt.Add(10 * time.Minute).After(now)
			if e.RRule != nil || e.Occurrence != nil {
				t.Errorf("%s: %s repeats", now, *e.Title)
			}
			if settled := e.Status == "REALISE" || e.Status == "ABSENT" || e.Status == "ANNULE"; over && !settled || !over && (e.Status == "REALISE" || e.Status == "ABSENT") {
				t.Errorf("%s: %s, until %s, is %s", now, *e.Title, e.EndAt, e.Status)
			}
		}
		for _, kind := range []string{"VISITE", "ESTIMATION", "RDV", "SIGNATURE", "ETAT_DES_LIEUX", "APPEL", "TACHE", "CONGE"} {
			if kinds[kind] == 0 {
				t.Errorf("%s: there is nothing of type %s", now, kind)
			}
		}
		for _, status := range []string{"PREVU", "CONFIRME", "REALISE", "ABSENT", "ANNULE"} {
			if statuses[status] == 0 {
				t.Errorf("%s: nothing is %s", now, status)
			}
		}
		if reports != 2 {
			t.Errorf("%s: %d visits have a report", now, reports)
		}
		nobodyIsInTwoPlaces(t, now, all)
		if err := demo.Tell(t.Context(), ports); err != nil || len(events(t, service, 1, now)) != len(all) {
			t.Errorf("%s: told again: %v", now, err)
		}
	}
}

// nobodyIsInTwoPlaces: not agents, and not customers either.
func nobodyIsInTwoPlaces(t *testing.T, now time.Time, all []agenda.FoundEvent) {
	t.Helper()
	who := func(e agendarecords.CalendarEvent) []int64 { return slices.Concat(e.UserIDs, e.CustomerIDs) }
	for n, a := range all {
		for _, b := range all[n+1:] {
			disjoint := !a.StartAt.Before(b.EndAt.Time) || !b.StartAt.Before(a.EndAt.Time) || a.Status == "ANNULE" || b.Status == "ANNULE"
			for _, id := range who(a.CalendarEvent) {
				if !disjoint && slices.Contains(who(b.CalendarEvent), id) {
					t.Errorf("%s: %d has %s and %s", now, id, *a.Title, *b.Title)
				}
			}
		}
	}
}

func TestSomebodyAnswersTheTelephone(t *testing.T) {
	now := time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)
	service, _ := sandbox(t, now)
	c := everything(t, service, 1)
	for _, day := range []string{"2026-09-14", "2026-09-15", "2026-09-16", "2026-09-17", "2026-09-18"} {
		for _, hour := range []string{"T09:00:00", "T18:29:00"} {
			on, err := service.Agenda.ListOnDuty(t.Context(), c, agenda.ListOnDuty{AgencyID: opt.Of(int64(11)), At: opt.Of(day + hour)})
			if err != nil || len(on.Data) != 1 || on.Data[0].Type != "TELEPHONE" {
				t.Errorf("%s%s: %+v, %v", day, hour, on.Data, err)
			}
		}
	}
}
