package sqlstore_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
)

// As TestTheStoredFormIsWhatItWas.
func TestTheStoredFormOfTheAgendaIsWhatItWas(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		half, two, text, done := 0.5, 2, "T", planning.Done
		day, at := calendar.Of(2026, 1, 2), time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
		none := []product.ID{}
		update(t, s, func(tx port.Tx) error {
			return errors.Join(
				tx.AppointmentTypes().Put(1, planning.Type{
					ID: 1, Model: "M", Label: "L", Active: true, Busy: true, Leave: true, Duration: 2, Before: 3, After: 4, Color: "#fff", Position: 5,
				}),
				tx.Appointments().Put(planning.Appointment{
					ID: 1, Site: 1, Agency: 2, Type: "VISITE", Title: "T", Description: "D", Location: "L", MeetingURL: "U", Latitude: &half,
					Status: planning.Planned, Start: at, End: at, AllDay: true, First: day, Last: day, Zone: "Europe/Paris", Rule: "FREQ=DAILY",
					Except: []time.Time{at}, Changed: []planning.Changed{{
						Original: at, Start: &at, End: &at, Title: &text, Status: &done, Products: &none,
						Answers: []planning.OccurrenceAnswer{{Attendee: 1, Answer: planning.Refused}},
					}},
					Attendees: []planning.Attendee{
						{ID: 1, Kind: planning.User, User: 3, Role: planning.Organiser, Answer: planning.Accepted},
						{ID: 2, Kind: planning.Customer, Customer: 4, Name: "N", Email: "E", Role: planning.Required, Answer: planning.Waiting},
					}, LastAttendee: 2, Products: []product.ID{5}, Search: 6, Busy: true, Before: 7, After: 8, Visibility: planning.Private,
					LiveVisit: true, Reminders: []int{60}, ExternalID: "X", Booking: 9, Reports: []planning.Report{{
						ID: 1, Occurrence: at, Customer: 4, Product: 5, Outcome: planning.Interested, Rating: 5, RefusalReason: "R", Comment: "C",
						Slip: "2-V1", Signed: at, Added: at,
					}}, LastReport: 1, CreatedBy: "c", Sequence: 10, Told: at, From: at, Until: at, Due: at, Added: at, Modified: at, Version: 11,
				}),
				tx.Duties().Put(planning.Duty{
					ID: 1, Site: 1, Agency: 2, User: 3, Kind: planning.DutyTelephone, Start: at, End: at, Zone: "Europe/Paris", Rule: "FREQ=DAILY",
					Except: []time.Time{at}, Bookable: true, Comment: "C", Sequence: 4, From: at, Added: at, Modified: at, Version: 5,
				}),
				tx.Schedules().Put(slot.Schedule{
					Site: 1, User: 3, WorkingTime: slot.WorkingTime{
						Patterns: []slot.Pattern{{ValidFrom: day, CycleWeeks: 2, Days: []slot.Weekday{
							{Weekday: 1, Week: 2, Periods: []slot.Period{{Start: 9 * 60, End: slot.EndOfDay}}},
						}}},
						Exceptions:    []slot.Exception{{From: day, To: day, Reason: slot.Leave}},
						WorksHolidays: true, Bookable: true,
					}, Modified: at, Version: 4,
				}),
				tx.ImportedBusy().Put(slot.Imported{
					Site: 1, User: 3, Source: "s", Busy: []calendar.Interval{{Start: at, End: at}}, Modified: at, Version: 4,
				}),
				tx.BookingSettings().Put(planning.BookingSettings{
					Site: 1, Agency: 2, Enabled: true, Type: "VISITE", Duration: &two, Before: &two, Step: 3, Notice: 4, HorizonDays: 5,
					Confirmation: planning.ByHand, HoldSeconds: 6, CancelNotice: 7, Users: []site.UserID{3}, PageURL: "U", Modified: at, Version: 8,
				}),
				tx.Holds().Put(planning.Hold{
					ID: 1, Site: 1, Product: 5, Credential: "c", User: 3, Start: at, End: at, Before: 1, After: 2, Expires: at, Token: "h",
				}),
				tx.Bookings().Put(planning.Booking{
					ID: 1, Site: 1, Agency: 2, Product: 5, Appointment: 6, Customer: 4, Lead: 7, Start: at, End: at, Reason: "R", Token: "h",
					Added: at, Modified: at, Version: 8,
				}),
				tx.Feeds().Put(planning.Feed{Site: 1, User: 3, Detail: planning.FeedFull, Token: "h", Added: at}),
			)
		})
		db := p.raw(t)
		const instant = `"2026-01-02T03:04:05.000006Z"`
		for _, c := range []struct{ query, want string }{
			{"SELECT body FROM appointment_type", `{"Site":1,"Of":{"ID":1,"Model":"M","Label":"L","Active":true,"Busy":true,"Leave":true,` +
				`"Duration":2,"Before":3,"After":4,"Color":"#fff","Position":5}}`},
			{"SELECT body FROM appointment", `{"ID":1,"Site":1,"Agency":2,"Type":"VISITE","Title":"T","Description":"D","Location":"L","MeetingURL":"U",` +
				`"Latitude":0.5,"Longitude":null,"Status":"PREVU","Start":` + instant + `,"End":` + instant + `,"AllDay":true,"First":"2026-01-02",` +
				`"Last":"2026-01-02","Zone":"Europe/Paris","Rule":"FREQ=DAILY","Except":[` + instant + `],"Changed":[{"Original":` + instant + `,` +
				`"Start":` + instant + `,"End":` + instant + `,"Title":"T","Description":null,"Location":null,"MeetingURL":null,"Status":"REALISE",` +
				`"Products":[],"Answers":[{"Attendee":1,"Answer":"REFUSE"}]}],"Attendees":[{"ID":1,"Kind":"USER","User":3,"Customer":0,"Name":"",` +
				`"Email":"","Role":"ORGANISATEUR","Answer":"ACCEPTE"},{"ID":2,"Kind":"CUSTOMER","User":0,"Customer":4,"Name":"N","Email":"E",` +
				`"Role":"REQUIS","Answer":"EN_ATTENTE"}],"LastAttendee":2,"Products":[5],"Search":6,"Busy":true,"Before":7,"After":8,` +
				`"Visibility":"PRIVE","LiveVisit":true,"Reminders":[60],"ExternalID":"X","Booking":9,"Reports":[{"ID":1,"Occurrence":` + instant + `,` +
				`"Customer":4,"Product":5,"Outcome":"INTERESSE","Rating":5,"RefusalReason":"R","Comment":"C","Slip":"2-V1","Signed":` + instant + `,` +
				`"Added":` + instant + `}],"LastReport":1,"CreatedBy":"c","Sequence":10,"Told":` + instant + `,"From":` + instant + `,"Until":` + instant + `,` +
				`"Due":` + instant + `,"Added":` + instant + `,"Modified":` + instant + `,"Version":11}`},
			{
				"SELECT agency_id || ' ' || type || ' ' || status || ' ' || external_id || ' ' || start_at || ' ' || from_at || ' ' || until_at || ' ' || due_at || ' ' || modified_at " +
					"FROM appointment WHERE recurs",
				"2 VISITE PREVU X 1767323045000006 1767323045000006 1767323045000006 1767323045000006 1767323045000006",
			},
			{"SELECT linked_id || ' ' || from_at || ' ' || until_at FROM appointment_link WHERE kind = 'user'", "3 1767323045000006 1767323045000006"},
			{"SELECT linked_id || ' ' || record_id FROM appointment_link WHERE kind = 'customer'", "4 1"},
			{"SELECT linked_id || ' ' || record_id FROM appointment_link WHERE kind = 'product'", "5 1"},
			{"SELECT body FROM permanence", `{"ID":1,"Site":1,"Agency":2,"User":3,"Kind":"TELEPHONE","Start":` + instant + `,"End":` + instant + `,` +
				`"Zone":"Europe/Paris","Rule":"FREQ=DAILY","Except":[` + instant + `],"Bookable":true,"Comment":"C","Sequence":4,"From":` + instant + `,` +
				`"Until":"0001-01-01T00:00:00Z","Added":` + instant + `,"Modified":` + instant + `,"Version":5}`},
			{
				"SELECT agency_id || ' ' || user_id || ' ' || kind || ' ' || from_at || ' ' || until_at FROM permanence",
				"2 3 TELEPHONE 1767323045000006 9223372036854775807",
			},
			{"SELECT body FROM schedule WHERE id = 3", `{"Site":1,"User":3,"Patterns":[{"ValidFrom":"2026-01-02","ValidTo":"","CycleWeeks":2,"Days":[` +
				`{"Weekday":1,"Week":2,"Periods":[{"Start":"09:00","End":"24:00"}]}]}],"Exceptions":[{"From":"2026-01-02","To":"2026-01-02",` +
				`"Periods":null,"Reason":"CONGE"}],"WorksHolidays":true,"Bookable":true,"Modified":` + instant + `,"Version":4}`},
			{
				"SELECT body FROM imported_busy WHERE id = 3",
				`{"Site":1,"User":3,"Sources":[{"Site":1,"User":3,"Source":"s","Busy":[{"Start":` + instant + `,"End":` + instant + `}],` +
					`"Modified":` + instant + `,"Version":4}]}`,
			},
			{"SELECT body FROM booking_settings WHERE id = 2", `{"Site":1,"Agency":2,"Enabled":true,"Type":"VISITE","Duration":2,"Before":2,"After":null,` +
				`"Step":3,"Notice":4,"HorizonDays":5,"Confirmation":"MANUELLE","HoldSeconds":6,"CancelNotice":7,"Users":[3],"PageURL":"U",` +
				`"Modified":` + instant + `,"Version":8}`},
			{"SELECT body FROM booking_hold", `{"ID":1,"Site":1,"Product":5,"Credential":"c","User":3,"Start":` + instant + `,"End":` + instant + `,` +
				`"Before":1,"After":2,"Expires":` + instant + `,"Token":"h"}`},
			{"SELECT user_id || ' ' || product_id || ' ' || credential_id || ' ' || expires_at FROM booking_hold", "3 5 c 1767323045000006"},
			{"SELECT body FROM booking WHERE customer_id = 4", `{"ID":1,"Site":1,"Agency":2,"Product":5,"Appointment":6,"Customer":4,"Lead":7,` +
				`"Start":` + instant + `,"End":` + instant + `,"Reason":"R","Token":"h","Added":` + instant + `,"Modified":` + instant + `,"Version":8}`},
			{"SELECT body FROM calendar_feed WHERE id = 3 AND token_hash = 'h'", `{"Site":1,"User":3,"Detail":"FULL","Token":"h","Added":` + instant + `}`},
		} {
			answers(t, db, c.query, c.want)
		}
	})
}

func TestNoLinkIsLeftOfAnAppointmentThatIsGone(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		with := func(id planning.ID, users ...site.UserID) planning.Appointment {
			a := planning.Appointment{ID: id, Site: 1, Products: []product.ID{7}}
			for _, user := range users {
				a.Attendees = append(a.Attendees, planning.Attendee{Kind: planning.User, User: user})
			}
			a.Attendees = append(a.Attendees, planning.Attendee{Kind: planning.Customer, Customer: customer.ID(8)})
			return a
		}
		update(t, s, func(tx port.Tx) error {
			return errors.Join(
				tx.Appointments().Put(with(1, 5, 6)), tx.Appointments().Put(with(2, 5, 6, 6)), tx.Appointments().Put(with(2, 6)), tx.Appointments().Delete(1, 1),
			)
		})
		answers(t, p.raw(t), "SELECT count(*) || ' of ' || min(record_id) || ', users from ' || min(CASE WHEN kind = 'user' THEN linked_id END) FROM appointment_link",
			"3 of 2, users from 6")
	})
}

// Who holds calendars sees what was given away of them before, also where nothing is
// known of the users; and nobody waits for each other in a circle, after which units
// would have to run again.
func TestCalendarsThatAreHeldAreGivenAwayOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		const users, units = 8, 48
		at := time.UnixMicro(1).UTC()
		var runs atomic.Int64
		var group sync.WaitGroup
		for n := range units {
			group.Go(func() {
				wanted := []site.UserID{site.UserID(n % users), site.UserID((3*n + 1) % users), site.UserID(n % users)}
				if err := s.Update(t.Context(), func(tx port.Tx) error {
					runs.Add(1)
					if err := tx.Calendars().Hold(1, wanted); err != nil {
						return err
					}
					given, err := tx.Holds().Of(1, wanted, at)
					if err != nil {
						return err
					}
					for _, user := range wanted[:2] {
						if !slices.ContainsFunc(given, func(h planning.Hold) bool { return h.User == user }) {
							h := planning.Hold{ID: planning.HoldID(1 + n*users + int(user)), Site: 1, User: user, Expires: at.Add(time.Hour)}
							if err := tx.Holds().Put(h); err != nil {
								return err
							}
						}
					}
					return nil
				}); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		answers(t, p.raw(t), "SELECT count(*) || ' of ' || count(DISTINCT user_id) FROM booking_hold", "8 of 8")
		if n := runs.Load(); n != units {
			t.Errorf("%d units ran %d times", units, n)
		}
		for _, held := range [][]site.UserID{nil, {1}} {
			if err := s.View(t.Context(), func(tx port.Tx) error { return tx.Calendars().Hold(1, held) }); err == nil {
				t.Errorf("a view holds %v", held)
			}
		}
	})
}
