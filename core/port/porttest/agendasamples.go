package porttest

import (
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// span is the time between two instants.
func span(from, until int) calendar.Interval {
	return calendar.Interval{Start: instant(from), End: instant(until)}
}

func sampleAppointmentType(id planning.TypeID) planning.Type {
	return planning.Type{
		ID: id, Model: "VISITE", Label: awkward, Active: true, Busy: true, Leave: true, Duration: 45, Before: 15, After: 10,
		Color: "#27ae60", Position: -1,
	}
}

func sampleAppointment(s site.ID, id planning.ID) planning.Appointment {
	latitude, longitude := 0.0, -1.5
	start, end, status := instant(30), instant(31), planning.Done
	text, none := awkward, ""
	return planning.Appointment{
		ID: id, Site: s, Agency: 1, Type: "VISITE", Title: awkward, Description: awkward, Location: awkward,
		MeetingURL: "https://é.example/m?a=1&b=2", Latitude: &latitude, Longitude: &longitude, Status: planning.Confirmed,
		Start: instant(1), End: instant(2), AllDay: true, First: calendar.Of(2026, 3, 1), Last: calendar.Of(2026, 3, 2),
		Zone: "Indian/Reunion", Rule: "FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6", Except: []time.Time{instant(11), instant(12)},
		Changed: []planning.Changed{
			{
				Original: instant(13), Start: &start, End: &end, Title: &text, Description: &none, Location: &text, MeetingURL: &text,
				Status: &status, Products: &[]product.ID{8, 7},
				Answers: []planning.OccurrenceAnswer{{Attendee: 2, Answer: planning.Refused}, {Attendee: 1, Answer: planning.Maybe}},
			},
			{Original: instant(14), Products: &[]product.ID{}}, // which is not the same as no word about products
			{Original: instant(15)},
		},
		Attendees: []planning.Attendee{
			{ID: 2, Kind: planning.User, User: 2, Customer: 9, Name: awkward, Email: "É@d.fr", Role: planning.Organiser, Answer: planning.Accepted},
			{ID: 1, Kind: planning.Customer, Customer: 3, Role: planning.Required, Answer: planning.Waiting},
			{ID: 5, Kind: planning.Guest, Name: awkward},
			{ID: 4, Kind: planning.User, User: 1, Role: planning.Optional, Answer: planning.Refused},
		},
		LastAttendee: 5, Products: []product.ID{4, 3}, Search: 5, Busy: true, Before: 15, After: 10, Visibility: planning.Private,
		LiveVisit: true, Reminders: []int{1440, 0}, ExternalID: awkward, Booking: 6,
		Reports: []planning.Report{
			{
				ID: 2, Occurrence: instant(13), Customer: 3, Product: 4, Outcome: planning.SecondVisit, Rating: 5, RefusalReason: "PRIX",
				Comment: awkward, Slip: "75A-V12", Signed: instant(16), Added: instant(17),
			},
			{ID: 1},
		},
		LastReport: 3, CreatedBy: "client", Sequence: 7, Told: instant(18), From: instant(1), Until: instant(31), Due: instant(29),
		Added: instant(9), Modified: instant(10), Version: 1 << 48,
	}
}

func samplePermanence(s site.ID, id planning.DutyID) planning.Duty {
	return planning.Duty{
		ID: id, Site: s, Agency: 1, User: 2, Kind: planning.DutyOnCall, Start: instant(1), End: instant(2), Zone: "Europe/Paris",
		Rule: "FREQ=DAILY", Except: []time.Time{instant(3), instant(4)}, Bookable: true, Comment: awkward, Sequence: 3,
		From: instant(1), Until: instant(20), Added: instant(5), Modified: instant(6), Version: 1 << 49,
	}
}

func sampleSchedule(s site.ID, user site.UserID) slot.Schedule {
	return slot.Schedule{
		Site: s, User: user,
		WorkingTime: slot.WorkingTime{
			Patterns: []slot.Pattern{
				{
					ValidFrom: calendar.Of(2026, 1, 5), ValidTo: calendar.Of(2026, 12, 31), CycleWeeks: 2,
					Days: []slot.Weekday{
						{Weekday: 1, Week: 2, Periods: []slot.Period{{Start: 9 * 60, End: 12*60 + 30}, {Start: 0, End: slot.EndOfDay}}},
						{Weekday: 7, Week: 1},
					},
				},
				{CycleWeeks: 1},
			},
			Exceptions: []slot.Exception{
				{From: calendar.Of(2026, 5, 1), To: calendar.Of(2026, 5, 2), Periods: []slot.Period{{Start: 1, End: 2}}, Reason: slot.Training},
				{From: calendar.Of(2026, 8, 1), To: calendar.Of(2026, 8, 31), Reason: slot.Leave},
			},
			WorksHolidays: true, Bookable: true,
		},
		Modified: instant(7), Version: 1 << 50,
	}
}

func sampleImported(s site.ID, user site.UserID, source slot.Source) slot.Imported {
	return slot.Imported{
		Site: s, User: user, Source: source, Busy: []calendar.Interval{span(3, 4), span(1, 2)}, Modified: instant(8), Version: 1 << 51,
	}
}

func sampleSettings(s site.ID, agency site.AgencyID) planning.BookingSettings {
	duration, before, after := 45, 0, 10
	return planning.BookingSettings{
		Site: s, Agency: agency, Enabled: true, Type: "VISITE", Duration: &duration, Before: &before, After: &after, Step: 15, Notice: 60,
		HorizonDays: 30, Confirmation: planning.ByHand, HoldSeconds: 600, CancelNotice: 120, Users: []site.UserID{2, 1},
		PageURL: "https://é.example/{product_id}?a=1&b=2", Modified: instant(9), Version: 1 << 52,
	}
}

func sampleHold(s site.ID, id planning.HoldID) planning.Hold {
	return planning.Hold{
		ID: id, Site: s, Product: 3, Credential: "client", User: 2, Start: instant(1), End: instant(2), Before: 15, After: 10,
		Expires: instant(20), Token: access.Hash(fmt.Sprint("hold-", s, "-", id)),
	}
}

func sampleBooking(s site.ID, id planning.BookingID) planning.Booking {
	return planning.Booking{
		ID: id, Site: s, Agency: 1, Product: 2, Appointment: 3, Customer: 4, Lead: 5, Start: instant(1), End: instant(2), Reason: awkward,
		Token: access.Hash(fmt.Sprint("booking-", s, "-", id)), Added: instant(3), Modified: instant(4), Version: 1 << 53,
	}
}

// sampleFeed has a token that no other feed has.
func sampleFeed(s site.ID, user site.UserID) planning.Feed {
	return planning.Feed{Site: s, User: user, Detail: planning.FeedBusy, Token: feedToken(s, user), Added: instant(5)}
}

func feedToken(s site.ID, user site.UserID) access.Hash {
	return access.Hash(fmt.Sprint("feed-", s, "-", user))
}
