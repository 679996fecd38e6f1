package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

var agendaEvents = list{
	"APPOINTMENT_CREATE", "APPOINTMENT_UPDATE", "APPOINTMENT_DELETE", "REMINDER_CREATE", "PERMANENCE_CREATE", "PERMANENCE_UPDATE", "PERMANENCE_DELETE", "WORKTIME_UPDATE",
}

// ears are a receiver that remembers what it heard.
type ears struct {
	mu    sync.Mutex
	heard []string
	url   string
}

func listen(t *testing.T) *ears {
	t.Helper()
	e := new(ears)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var payload struct {
			Event    string `json:"event_type"`
			Resource int64  `json:"resource_id"`
		}
		if err := json.Unmarshal(read(r.Body), &payload); err != nil {
			t.Error(err)
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.heard = append(e.heard, heard(payload.Event, payload.Resource))
	}))
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

// all is what was heard, sorted.
func (e *ears) all() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(slices.Values(e.heard))
}

// agendaListeners are credentials by what packs they have beside webhooks.
func agendaListeners() transfer.Setup {
	all := []string{"all"}
	var extra transfer.Setup
	for _, pack := range []string{"agenda", "customers", "properties", "websites", "leads"} {
		extra.Credentials = append(extra.Credentials, transfer.SetupCredential{
			ID: "hears-" + pack, Secret: "hears-" + pack + "-secret", Sites: []int64{1}, Packs: []string{"webhooks", pack}, Permissions: all, Rights: all,
		})
	}
	return extra
}

// TestHooks_WhatHappensInTheAgendaIsTold to those who may hear of it.
func TestHooks_WhatHappensInTheAgendaIsTold(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		receivers := map[string]*ears{}
		for _, pack := range []string{"agenda", "customers", "properties"} {
			receivers[pack] = listen(t)
			p.w.as(t, "hears-"+pack, 1).subscribe(receivers[pack].url, object{"origines": agendaEvents})
		}
		for _, pack := range []string{"websites", "leads"} {
			c := p.w.as(t, "hears-"+pack, 1)
			for _, kind := range agendaEvents {
				if got := c.send("POST", "/hooks", object{"url": receivers["agenda"].url, "origines": list{kind}}); got.status < 400 {
					t.Errorf("%s may hear of %s: %s", pack, kind, got)
				}
			}
		}
		one := p.event(meeting(28*time.Hour, object{"reminders": list{60, 30}}))
		p.patch(eventPath(one), object{"title": "Autre"}).is(204)
		duty := p.post("/agenda/permanences", object{"agency_id": 11, "user_id": 104, "type": "WEB", "start_at": at(30 * time.Hour), "end_at": at(31 * time.Hour)}).is(201).id("data.id")
		p.patch(fmt.Sprint("/agenda/permanences/", duty), object{"comment": "x"}).is(204)
		p.delete(fmt.Sprint("/agenda/permanences/", duty)).is(204)
		p.send("PUT", "/agenda/working-times/104", object{"patterns": list{}, "exceptions": list{}}).is(200)
		p.send("PUT", "/agenda/external-busy/104/ics", object{"busy": list{}}).is(200)
		p.opens(object{"step_minutes": 60})
		two := p.event(meeting(40 * time.Hour))
		p.delete(eventPath(two)).is(204)
		want := []string{
			heard("APPOINTMENT_CREATE", one), heard("APPOINTMENT_UPDATE", one), heard("PERMANENCE_CREATE", duty), heard("PERMANENCE_UPDATE", duty), heard("PERMANENCE_DELETE", duty),
			heard("WORKTIME_UPDATE", 104), heard("WORKTIME_UPDATE", 104), heard("APPOINTMENT_CREATE", two), heard("APPOINTMENT_DELETE", two),
		}
		slices.Sort(want)
		for pack, e := range receivers {
			eventually(t, pack+" hears of everything", func() bool { return len(e.all()) >= len(want) })
			if got := e.all(); !slices.Equal(got, want) {
				t.Errorf("%s hears %q, want %q", pack, got, want)
			}
		}
	}, described(append(stages(), agendaListeners())...), deliveringTo("127.0.0.0/8:*"))
}

// remindDue tells of reminders in several processes at once.
func (p planner) remindDue() (told int) {
	p.t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, process := range []*siteapi.Service{p.w.Service, p.w.another(p.t), p.w.another(p.t)} {
		all.Go(func() {
			n, err := process.Agenda.RemindDue(p.t.Context())
			if err != nil {
				p.t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			told += n
		})
	}
	all.Wait()
	return told
}

// till turns the clock, and is the client with a token of then.
func (p planner) till(at time.Time) planner {
	p.t.Helper()
	d := dealer{p.client}.till(at.Format(time.RFC3339))
	return planner{d.client, d.w.website(d.t)}
}

// TestReminders_AreToldOfOnce however many processes follow the clock, of what is
// still to take place, and not of what was due before.
func TestReminders_AreToldOfOnce(t *testing.T) {
	planning(t, func(t *testing.T, p planner) {
		one := p.event(meeting(2*time.Hour, object{"reminders": list{60, 30, 180}}))
		series := p.event(meeting(3*time.Hour, object{"rrule": "FREQ=DAILY;COUNT=3", "reminders": list{0}}))
		off := p.event(meeting(2*time.Hour, object{"reminders": list{60}}))
		p.patch(eventPath(off), object{"status": "ANNULE"}).is(204)
		done := p.event(meeting(2*time.Hour, object{"reminders": list{60}}))
		p.patch(eventPath(done), object{"status": "REALISE"}).is(204)
		p.event(meeting(-2*time.Hour, object{"reminders": list{60}}))
		var many []string
		for range 30 {
			many = append(many, heard("REMINDER_CREATE", p.event(meeting(2*time.Hour, object{"reminders": list{60}}))))
		}
		ledger := p.ledger()
		if n := p.remindDue(); n != 0 {
			t.Errorf("%d are told of before they are due", n)
		}
		p = p.till(agendaNow.Add(time.Hour))
		ledger.c = p.client
		if n := p.remindDue(); n != 31 {
			t.Errorf("%d are told of", n)
		}
		ledger.tellsSorted(append(many, heard("REMINDER_CREATE", one))...)
		p.remindDue()
		ledger.tells()
		// Who is late tells of all that were due: of the series today's and tomorrow's.
		p = p.till(agendaNow.Add(28 * time.Hour))
		ledger.c = p.client
		p.remindDue()
		ledger.tellsSorted(heard("REMINDER_CREATE", one), heard("REMINDER_CREATE", series), heard("REMINDER_CREATE", series))
		// A change does not tell of them again.
		p.patch(eventPath(series), object{"title": "Autre"}).is(204)
		ledger.tells(heard("APPOINTMENT_UPDATE", series))
		p.remindDue()
		ledger.tells()
	}, racing, overOneConnection)
}
