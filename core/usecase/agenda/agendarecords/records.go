package agendarecords

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// CalendarEvent is an appointment as answers show it. Of a private one other clients
// see the time, and null or empty elsewhere.
type CalendarEvent struct {
	ID           int64            `json:"id"`
	Type         string           `json:"type" doc:"model of a type of GET /agenda/types"`
	Title        *string          `json:"title" doc:"null: hidden"`
	Description  *string          `json:"description"`
	Location     *string          `json:"location"`
	MeetingURL   *string          `json:"meeting_url"`
	Latitude     *float64         `json:"latitude"`
	Longitude    *float64         `json:"longitude"`
	Status       string           `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT"`
	AllDay       bool             `json:"all_day"`
	StartAt      kernel.Instant   `json:"start_at"`
	EndAt        kernel.Instant   `json:"end_at"`
	StartDate    *string          `json:"start_date" format:"date"`
	EndDate      *string          `json:"end_date" format:"date" doc:"included"`
	Timezone     string           `json:"timezone"`
	RRule        *string          `json:"rrule"`
	Exdates      []kernel.Instant `json:"exdates"`
	AgencyID     int64            `json:"agency_id"`
	Attendees    []Attendee       `json:"attendees"`
	UserIDs      []int64          `json:"user_ids"`
	CustomerIDs  []int64          `json:"customer_ids" ref:"customer"`
	ProductIDs   []int64          `json:"product_ids" ref:"product"`
	SearchID     *int64           `json:"search_id" ref:"search"`
	IsBusy       bool             `json:"is_busy"`
	BufferBefore int              `json:"buffer_before" doc:"minutes"`
	BufferAfter  int              `json:"buffer_after" doc:"minutes"`
	Visibility   string           `json:"visibility" enum:"PUBLIC,PRIVE"`
	IsLiveVisit  bool             `json:"is_live_visit"`
	Reminders    []int            `json:"reminders" doc:"minutes before the start"`
	ExternalID   *string          `json:"external_id"`
	BookingID    *int64           `json:"booking_id"`
	Reports      []VisitReport    `json:"reports"`
	CreatedBy    *string          `json:"created_by" doc:"client id"`
	DateAdded    *kernel.Instant  `json:"date_added"`
	LastModified *kernel.Instant  `json:"last_modified"`
	Version      kernel.Version   `json:"-" header:"ETag"`
}

// Attendee is somebody who attends an event.
type Attendee struct {
	ID         int64   `json:"id" doc:"within the event"`
	Kind       string  `json:"kind" enum:"USER,CUSTOMER,GUEST"`
	UserID     *int64  `json:"user_id"`
	CustomerID *int64  `json:"customer_id" ref:"customer"`
	Name       *string `json:"name"`
	Email      *string `json:"email"`
	Role       string  `json:"role" enum:"ORGANISATEUR,REQUIS,OPTIONNEL"`
	Answer     string  `json:"answer" enum:"EN_ATTENTE,ACCEPTE,REFUSE,PEUT_ETRE"`
}

// VisitReport is what came of a visit ("bon de visite").
type VisitReport struct {
	ID            int64           `json:"id" doc:"within the event"`
	Occurrence    *kernel.Instant `json:"occurrence" doc:"original start; null where the event does not repeat"`
	CustomerID    *int64          `json:"customer_id" ref:"customer"`
	ProductID     *int64          `json:"product_id" ref:"product"`
	Outcome       string          `json:"outcome" enum:"INTERESSE,CONTRE_VISITE,OFFRE,SANS_SUITE,REFLEXION"`
	Rating        *int            `json:"rating" minimum:"1" maximum:"5"`
	RefusalReason *string         `json:"refusal_reason" doc:"code of list 15"`
	Comment       *string         `json:"comment"`
	SlipNumber    *string         `json:"slip_number" doc:"of the visit slip that was signed: that of the agency, -V and a number without gaps"`
	SignedAt      *kernel.Instant `json:"signed_at"`
	DateAdded     kernel.Instant  `json:"date_added"`
}

// OfAppointment returns the record of an appointment, or of one as it is at an
// occurrence, as a client sees it.
func OfAppointment(a planning.Appointment, client access.CredentialID) CalendarEvent {
	record := CalendarEvent{
		ID: int64(a.ID), Type: a.Type, Status: string(a.Status), AllDay: a.AllDay, StartAt: kernel.Instant{Time: a.Start}, EndAt: kernel.Instant{Time: a.End},
		StartDate: kernel.Nullable(a.First.String()), EndDate: kernel.Nullable(a.Last.String()), Timezone: a.Zone, AgencyID: int64(a.Agency),
		UserIDs: numbers(a.Users()), CustomerIDs: []int64{}, ProductIDs: []int64{}, IsBusy: a.Busy, BufferBefore: a.Before, BufferAfter: a.After,
		Visibility: string(a.Visibility), Exdates: []kernel.Instant{}, Attendees: []Attendee{}, Reminders: []int{}, Reports: []VisitReport{},
		Version: kernel.Version(a.Version),
	}
	if a.IsHiddenFrom(client) {
		return record
	}
	record.Title, record.Description, record.Location = &a.Title, kernel.Nullable(a.Description), kernel.Nullable(a.Location)
	record.MeetingURL, record.Latitude, record.Longitude = kernel.Nullable(a.MeetingURL), a.Latitude, a.Longitude
	record.RRule, record.Exdates = kernel.Nullable(a.Rule), instants(a.Except)
	record.CustomerIDs, record.ProductIDs, record.SearchID = numbers(a.Customers()), numbers(a.Products), kernel.Nullable(int64(a.Search))
	record.IsLiveVisit, record.Reminders, record.ExternalID = a.LiveVisit, kernel.List(a.Reminders), kernel.Nullable(a.ExternalID)
	record.BookingID, record.CreatedBy = kernel.Nullable(int64(a.Booking)), kernel.Nullable(string(a.CreatedBy))
	record.DateAdded, record.LastModified = kernel.When(a.Added), kernel.When(a.Modified)
	for _, one := range a.Attendees {
		record.Attendees = append(record.Attendees, Attendee{
			ID: one.ID, Kind: string(one.Kind), UserID: kernel.Nullable(int64(one.User)), CustomerID: kernel.Nullable(int64(one.Customer)),
			Name: kernel.Nullable(one.Name), Email: kernel.Nullable(one.Email), Role: string(one.Role), Answer: string(one.Answer),
		})
	}
	for _, r := range a.Reports {
		record.Reports = append(record.Reports, VisitReport{
			ID: r.ID, Occurrence: kernel.When(r.Occurrence), CustomerID: kernel.Nullable(int64(r.Customer)), ProductID: kernel.Nullable(int64(r.Product)),
			Outcome: string(r.Outcome), Rating: kernel.Nullable(r.Rating), RefusalReason: kernel.Nullable(r.RefusalReason), Comment: kernel.Nullable(r.Comment),
			SlipNumber: kernel.Nullable(r.Slip), SignedAt: kernel.When(r.Signed), DateAdded: kernel.Instant{Time: r.Added},
		})
	}
	return record
}

// AttendedEvent is an appointment as the export of somebody who attends it shows it.
type AttendedEvent struct {
	ID         int64          `json:"id"`
	Type       string         `json:"type"`
	Title      string         `json:"title"`
	Status     string         `json:"status"`
	StartAt    kernel.Instant `json:"start_at"`
	EndAt      kernel.Instant `json:"end_at"`
	Timezone   string         `json:"timezone"`
	RRule      *string        `json:"rrule"`
	ProductIDs []int64        `json:"product_ids" ref:"product"`
	Reports    []VisitReport  `json:"reports"`
}

// OfAttended returns the record of an appointment for a customer who attends it. Reports
// about others are not theirs.
func OfAttended(a planning.Appointment, by Agenda) AttendedEvent {
	record := AttendedEvent{
		ID: int64(a.ID), Type: a.Type, Title: a.Title, Status: string(a.Status), StartAt: kernel.Instant{Time: a.Start}, EndAt: kernel.Instant{Time: a.End},
		Timezone: a.Zone, RRule: kernel.Nullable(a.Rule), ProductIDs: numbers(a.Products), Reports: []VisitReport{},
	}
	for _, r := range OfAppointment(a, a.CreatedBy).Reports {
		if r.CustomerID != nil && *r.CustomerID == int64(by.Customer) {
			record.Reports = append(record.Reports, r)
		}
	}
	return record
}

// Slot is a time that can be given to each of some users.
type Slot struct {
	StartAt kernel.Instant `json:"start_at"`
	EndAt   kernel.Instant `json:"end_at"`
	UserIDs []int64        `json:"user_ids"`
}

// Period is a stretch of time.
type Period struct {
	StartAt kernel.Instant `json:"start_at"`
	EndAt   kernel.Instant `json:"end_at"`
}

// OfInterval returns the record of a stretch of time.
func OfInterval(i calendar.Interval) Period {
	return Period{kernel.Instant{Time: i.Start}, kernel.Instant{Time: i.End}}
}

func instants(all []time.Time) []kernel.Instant {
	out := make([]kernel.Instant, len(all))
	for n, at := range all {
		out[n] = kernel.Instant{Time: at}
	}
	return out
}

// numbers are ids as answers show them; never nil.
func numbers[ID ~int64](ids []ID) []int64 {
	out := make([]int64, len(ids))
	for n, id := range ids {
		out[n] = int64(id)
	}
	return out
}

// Numbers are ids of users as answers show them.
func Numbers(ids []site.UserID) []int64 { return numbers(ids) }

// BookedVisit is a booking as the export of the customer shows it.
type BookedVisit struct {
	ID        int64          `json:"id"`
	ProductID *int64         `json:"product_id" ref:"product"`
	EventID   *int64         `json:"event_id" doc:"null: the event is gone"`
	LeadID    *int64         `json:"lead_id"`
	StartAt   kernel.Instant `json:"start_at"`
	EndAt     kernel.Instant `json:"end_at"`
	Status    string         `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT" doc:"that of the event; ANNULE where it is gone"`
	Reason    *string        `json:"reason" doc:"why the visitor cancelled"`
	DateAdded kernel.Instant `json:"date_added"`
}

// OfBooking returns the record of a booking with its appointment, which is empty where it
// is gone.
func OfBooking(b planning.Booking, a planning.Appointment) BookedVisit {
	record := BookedVisit{
		ID: int64(b.ID), ProductID: kernel.Nullable(int64(b.Product)), EventID: kernel.Nullable(int64(a.ID)), LeadID: kernel.Nullable(int64(b.Lead)),
		StartAt: kernel.Instant{Time: b.Start}, EndAt: kernel.Instant{Time: b.End}, Status: string(planning.Cancelled),
		Reason: kernel.Nullable(b.Reason), DateAdded: kernel.Instant{Time: b.Added},
	}
	if a.ID != 0 {
		record.StartAt, record.EndAt, record.Status = kernel.Instant{Time: a.Start}, kernel.Instant{Time: a.End}, string(a.Status)
	}
	return record
}
