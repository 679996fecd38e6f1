package agenda

import (
	"github.com/vitrine-crm/vitrine/core/agendarecords"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/permanence"
)

// AppointmentType is a kind of calendar event.
type AppointmentType struct {
	ID              int64   `json:"id"`
	Model           string  `json:"model" doc:"code of list 12"`
	Label           string  `json:"label"`
	IsActive        bool    `json:"is_active"`
	IsBusy          bool    `json:"is_busy" doc:"its events take the time of users, unless they say otherwise"`
	IsLeave         bool    `json:"is_leave" doc:"time off"`
	DurationMinutes int     `json:"duration_minutes"`
	BufferBefore    int     `json:"buffer_before" doc:"minutes that are kept free before"`
	BufferAfter     int     `json:"buffer_after" doc:"minutes that are kept free after"`
	Color           *string `json:"color"`
	Position        int     `json:"position"`
}

// AppointmentTypes are the types of a site, by position.
type AppointmentTypes struct {
	Data []AppointmentType `json:"data"`
}

// EventPath is a calendar event, named in the path.
type EventPath struct {
	ID int64 `path:"eventId"`
}

// ConflictChoice says what becomes of an event that overlaps others.
type ConflictChoice struct {
	OnConflict opt.Field[string] `json:"on_conflict" enum:"ALLOW,REFUSE" doc:"REFUSE: a busy event that overlaps busy time of its users is 409 slot_taken; ALLOW, where nothing is said: X-Conflicts names the other events"`
}

// CreateEvent is POST /agenda/events.
type CreateEvent struct {
	_ struct{} `required:"type,title"`
	ConflictChoice
	appointment.Change
}

// CreatedEvent is the answer to the creation of an event.
type CreatedEvent struct {
	api.Created
	// Conflicts are the ids of events that it overlaps, separated by commas, at most
	// 20.
	Conflicts string `json:"-" header:"X-Conflicts"`
}

// UpdateEvent is PATCH /agenda/events/{eventId}: only what is given changes.
type UpdateEvent struct {
	ID      int64       `path:"eventId"`
	IfMatch api.IfMatch `header:"If-Match"`
	ConflictChoice
	appointment.Change
}

// ChangedEvent is the answer to the change of an event.
type ChangedEvent struct {
	api.Changed
	Conflicts string `json:"-" header:"X-Conflicts"`
}

// DeleteEvent is DELETE /agenda/events/{eventId}.
type DeleteEvent struct {
	ID      int64       `path:"eventId"`
	IfMatch api.IfMatch `header:"If-Match"`
}

// SearchEvents is POST /agenda/events/search. It finds what overlaps a window.
type SearchEvents struct {
	From         opt.Field[string]    `json:"from" format:"date-time" required:"true"`
	To           opt.Field[string]    `json:"to" format:"date-time" required:"true" doc:"after from, at most 366 days later"`
	UserIDs      opt.Field[[]int64]   `json:"user_ids" max:"agenda.MaxListedUsers" doc:"any of whom attends"`
	AgencyID     opt.Field[int64]     `json:"agency_id" doc:"one of the token's agencies"`
	CustomerID   opt.Field[int64]     `json:"customer_id"`
	ProductID    opt.Field[int64]     `json:"product_id"`
	Types        opt.Field[api.Codes] `json:"types" doc:"models of types"`
	Statuses     opt.Field[api.Codes] `json:"statuses"`
	ExternalID   opt.Field[string]    `json:"external_id" max:"form.MaxName"`
	LastModified opt.Field[string]    `json:"last_modified" format:"date-time" doc:"modified on or after"`
	Expand       opt.Field[bool]      `json:"expand" doc:"one item per occurrence, by start_at and id, where nothing is said; false: one per event, by id"`
	Cursor       opt.Field[string]    `json:"cursor" doc:"next_cursor of the previous page, for the same from, to and expand"`
	Count        opt.Field[int]       `json:"count" minimum:"1" maximum:"500" doc:"default 100"`
}

// FoundEvents is a page of events.
type FoundEvents struct {
	Data       []FoundEvent `json:"data"`
	NextCursor *string      `json:"next_cursor"`
	HasMore    bool         `json:"has_more"`
}

// FoundEvent is an event, or one occurrence of it.
type FoundEvent struct {
	agendarecords.CalendarEvent
	Occurrence *api.Instant `json:"occurrence" doc:"original start of the occurrence; null of an event that does not repeat, or as a whole"`
}

// ListOccurrences is GET /agenda/events/{eventId}/occurrences.
type ListOccurrences struct {
	ID    int64             `path:"eventId"`
	From  opt.Field[string] `query:"from" format:"date-time" required:"true"`
	To    opt.Field[string] `query:"to" format:"date-time" required:"true" doc:"after from, at most 20 years later"`
	Count opt.Field[int]    `query:"count" minimum:"1" maximum:"1000" doc:"default 100"`
}

// Occurrences are those that start in a window, by start.
type Occurrences struct {
	Data    []Occurrence `json:"data"`
	HasMore bool         `json:"has_more"`
}

// Occurrence is one time at which an event takes place.
type Occurrence struct {
	Occurrence *api.Instant `json:"occurrence" doc:"original start; null of an event that does not repeat"`
	StartAt    api.Instant  `json:"start_at"`
	EndAt      api.Instant  `json:"end_at"`
	Status     string       `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT"`
}

// UpdateOccurrence is PATCH /agenda/events/{eventId}/occurrences/{start}.
type UpdateOccurrence struct {
	ID      int64       `path:"eventId"`
	Start   string      `path:"start" doc:"original start in UTC, such as 20261025T080000Z; 20261025 of whole days"`
	IfMatch api.IfMatch `header:"If-Match"`
	appointment.OccurrenceChange
}

// DeleteOccurrence is DELETE /agenda/events/{eventId}/occurrences/{start}.
type DeleteOccurrence struct {
	ID      int64       `path:"eventId"`
	Start   string      `path:"start" doc:"original start in UTC, such as 20261025T080000Z; 20261025 of whole days"`
	IfMatch api.IfMatch `header:"If-Match"`
}

// AnswerEvent is POST /agenda/events/{eventId}/answers.
type AnswerEvent struct {
	ID         int64             `path:"eventId"`
	IfMatch    api.IfMatch       `header:"If-Match"`
	AttendeeID opt.Field[int64]  `json:"attendee_id" required:"true" doc:"id of one of attendees"`
	Answer     opt.Field[string] `json:"answer" required:"true" enum:"EN_ATTENTE,ACCEPTE,REFUSE,PEUT_ETRE"`
	Occurrence opt.Field[string] `json:"occurrence" doc:"original start of the occurrence that alone is answered"`
}

// ReportVisit is POST /agenda/events/{eventId}/report.
type ReportVisit struct {
	ID            int64             `path:"eventId"`
	IfMatch       api.IfMatch       `header:"If-Match"`
	CustomerID    opt.Field[int64]  `json:"customer_id" doc:"may be left out where one customer attends"`
	ProductID     opt.Field[int64]  `json:"product_id" doc:"may be left out where the event is about one product"`
	Occurrence    opt.Field[string] `json:"occurrence" doc:"original start; required where the event repeats"`
	Outcome       opt.Field[string] `json:"outcome" required:"true" enum:"INTERESSE,CONTRE_VISITE,OFFRE,SANS_SUITE,REFLEXION"`
	Rating        opt.Field[int]    `json:"rating" minimum:"1" maximum:"5"`
	RefusalReason opt.Field[string] `json:"refusal_reason" doc:"code of list 15"`
	Comment       opt.Field[string] `json:"comment" max:"form.MaxComment"`
	SignedAt      opt.Field[string] `json:"signed_at" format:"date-time" doc:"when a visit slip was signed, which then gets a number; not in the future"`
}

// Reported is the answer to the report of a visit.
type Reported struct {
	ID int64 `json:"id" doc:"of the report, within the event"`
	// Location is the URL of the event, which lists its reports.
	Location string      `json:"-" header:"Location"`
	Version  api.Version `json:"-" header:"ETag"`
}

// ListAvailabilities is GET /agenda/availabilities. Numbers are minutes unless they
// say otherwise.
type ListAvailabilities struct {
	UserIDs      opt.Field[string] `query:"user_ids" doc:"ids of active users, separated by commas, at most 50; or else agency_id"`
	AgencyID     opt.Field[int64]  `query:"agency_id" doc:"all its active users"`
	From         opt.Field[string] `query:"from" format:"date-time" required:"true"`
	To           opt.Field[string] `query:"to" format:"date-time" required:"true" doc:"after from, at most 62 days later"`
	Type         opt.Field[string] `query:"type" doc:"model of a type, which gives duration and buffers"`
	Duration     opt.Field[int]    `query:"duration" minimum:"5" maximum:"1440" doc:"default that of the type, or 60"`
	Step         opt.Field[int]    `query:"step" minimum:"5" maximum:"240" doc:"how far starts are apart; default 30"`
	BufferBefore opt.Field[int]    `query:"buffer_before" minimum:"0" maximum:"240"`
	BufferAfter  opt.Field[int]    `query:"buffer_after" minimum:"0" maximum:"240"`
	Notice       opt.Field[int]    `query:"notice" minimum:"0" maximum:"43200" doc:"how far ahead a slot begins, at least"`
	Horizon      opt.Field[int]    `query:"horizon" minimum:"0" maximum:"3660" doc:"on how many days after today a slot may begin"`
	Mode         opt.Field[string] `query:"mode" enum:"any,all" doc:"all: when all users are free at once"`
	View         opt.Field[string] `query:"view" enum:"slots,ranges"`
}

// Availabilities is free time, at most 1,000 slots or ranges.
type Availabilities struct {
	Data      []Availability `json:"data" doc:"slots by start; ranges by user, then start"`
	Truncated bool           `json:"truncated" doc:"there is more"`
}

// Availability is a slot, which has user_ids, or a range, which has user_id.
type Availability struct {
	StartAt api.Instant `json:"start_at"`
	EndAt   api.Instant `json:"end_at"`
	UserIDs *[]int64    `json:"user_ids,omitempty"`
	UserID  *int64      `json:"user_id,omitempty"`
}

// ListFreeBusy is GET /agenda/free-busy.
type ListFreeBusy struct {
	UserIDs opt.Field[string] `query:"user_ids" required:"true" doc:"ids of users, separated by commas, at most 50"`
	From    opt.Field[string] `query:"from" format:"date-time" required:"true"`
	To      opt.Field[string] `query:"to" format:"date-time" required:"true" doc:"after from, at most 62 days later"`
}

// FreeBusy is when users are busy, by user.
type FreeBusy struct {
	Data []UserBusy `json:"data"`
}

// UserBusy is when a user is busy, by start, then kind.
type UserBusy struct {
	UserID int64        `json:"user_id"`
	Busy   []BusyPeriod `json:"busy"`
}

// BusyPeriod is a stretch of time of one kind, without buffers.
type BusyPeriod struct {
	agendarecords.Period
	Kind string `json:"kind" enum:"LEAVE,BUSY,HOLD,EXTERNAL"`
}

// PermanencePath is a permanence, named in the path.
type PermanencePath struct {
	ID int64 `path:"permanenceId"`
}

// ListPermanences is GET /agenda/permanences.
type ListPermanences struct {
	From     opt.Field[string] `query:"from" format:"date-time" required:"true"`
	To       opt.Field[string] `query:"to" format:"date-time" required:"true" doc:"after from, at most 366 days later"`
	AgencyID opt.Field[int64]  `query:"agency_id" doc:"one of the token's agencies"`
	UserID   opt.Field[int64]  `query:"user_id"`
	Type     opt.Field[string] `query:"type" enum:"ACCUEIL,TELEPHONE,WEB,ASTREINTE"`
}

// CreatePermanence is POST /agenda/permanences.
type CreatePermanence struct {
	_ struct{} `required:"agency_id,user_id,type,start_at,end_at"`
	permanence.Change
}

// UpdatePermanence is PATCH /agenda/permanences/{permanenceId}: only what is given
// changes.
type UpdatePermanence struct {
	ID      int64       `path:"permanenceId"`
	IfMatch api.IfMatch `header:"If-Match"`
	permanence.Change
}

// DeletePermanence is DELETE /agenda/permanences/{permanenceId}.
type DeletePermanence struct {
	ID      int64       `path:"permanenceId"`
	IfMatch api.IfMatch `header:"If-Match"`
}

// Permanence is the duty of a user.
type Permanence struct {
	ID           int64         `json:"id"`
	AgencyID     int64         `json:"agency_id"`
	UserID       int64         `json:"user_id"`
	Type         string        `json:"type" enum:"ACCUEIL,TELEPHONE,WEB,ASTREINTE"`
	StartAt      api.Instant   `json:"start_at"`
	EndAt        api.Instant   `json:"end_at"`
	Timezone     string        `json:"timezone"`
	RRule        *string       `json:"rrule"`
	Exdates      []api.Instant `json:"exdates"`
	Bookable     bool          `json:"bookable"`
	Comment      *string       `json:"comment"`
	DateAdded    api.Instant   `json:"date_added"`
	LastModified api.Instant   `json:"last_modified"`

	Version api.Version `json:"-" header:"ETag"`
}

// Permanences are duties by start, then by id, at most 1,000.
type Permanences struct {
	Data      []PermanenceOccurrence `json:"data"`
	Truncated bool                   `json:"truncated" doc:"there is more"`
}

// PermanenceOccurrence is one duty of a permanence.
type PermanenceOccurrence struct {
	Permanence
	Occurrence *api.Instant `json:"occurrence" doc:"original start; null of one that does not repeat"`
}

// ListOnDuty is GET /agenda/on-duty.
type ListOnDuty struct {
	AgencyID opt.Field[int64]  `query:"agency_id" required:"true" doc:"one of the token's agencies"`
	Type     opt.Field[string] `query:"type" enum:"ACCUEIL,TELEPHONE,WEB,ASTREINTE"`
	At       opt.Field[string] `query:"at" format:"date-time" doc:"now where nothing is said"`
}

// OnDuty are those who are on duty at a moment.
type OnDuty struct {
	Data []DutyNow `json:"data"`
}

// DutyNow is the duty of a user.
type DutyNow struct {
	UserID       int64       `json:"user_id"`
	Type         string      `json:"type" enum:"ACCUEIL,TELEPHONE,WEB,ASTREINTE"`
	PermanenceID int64       `json:"permanence_id"`
	StartAt      api.Instant `json:"start_at"`
	EndAt        api.Instant `json:"end_at"`
}

// UserPath is a user, named in the path.
type UserPath struct {
	ID int64 `path:"userId"`
}

// ListWorkingTimes is GET /agenda/working-times.
type ListWorkingTimes struct {
	AgencyID opt.Field[int64]  `query:"agency_id" doc:"one of the token's agencies"`
	UserIDs  opt.Field[string] `query:"user_ids" doc:"ids of active users, separated by commas, at most 50"`
}

// PutWorkingTime is PUT /agenda/working-times/{userId}: it replaces what there is.
type PutWorkingTime struct {
	ID      int64       `path:"userId"`
	IfMatch api.IfMatch `header:"If-Match"`
	WorkingTimeInput
}

// WorkingTimeInput describes when a user works.
type WorkingTimeInput struct {
	Patterns      opt.Field[[]PatternInput]   `json:"patterns" max:"slot.MaxPatterns" doc:"no two from the same valid_from"`
	Exceptions    opt.Field[[]ExceptionInput] `json:"exceptions" max:"slot.MaxExceptions" doc:"what holds instead of the patterns; none overlaps another"`
	WorksHolidays opt.Field[bool]             `json:"works_holidays" doc:"false where nothing is said"`
	Bookable      opt.Field[bool]             `json:"bookable" doc:"true where nothing is said"`
}

// PatternInput is working time that comes again.
type PatternInput struct {
	ValidFrom  opt.Field[string]         `json:"valid_from" format:"date" doc:"required with cycle_weeks above 1"`
	ValidTo    opt.Field[string]         `json:"valid_to" format:"date" doc:"included"`
	CycleWeeks opt.Field[int]            `json:"cycle_weeks" minimum:"1" maximum:"4" doc:"default 1"`
	Days       opt.Field[[]WeekdayInput] `json:"days" max:"slot.MaxDays"`
}

// WeekdayInput is the working time of one day of the week.
type WeekdayInput struct {
	Weekday opt.Field[int]           `json:"weekday" required:"true" minimum:"1" maximum:"7" doc:"Monday is 1"`
	Week    opt.Field[int]           `json:"week" minimum:"1" maximum:"4" doc:"of the cycle; default 1"`
	Periods opt.Field[[]PeriodInput] `json:"periods" max:"slot.MaxPeriods" doc:"ascending, none overlaps another"`
}

// PeriodInput is a part of a day.
type PeriodInput struct {
	Start opt.Field[string] `json:"start" required:"true" doc:"such as 09:00"`
	End   opt.Field[string] `json:"end" required:"true" doc:"after start, up to 24:00"`
}

// ExceptionInput is what holds on some days.
type ExceptionInput struct {
	From    opt.Field[string]        `json:"from" format:"date" required:"true"`
	To      opt.Field[string]        `json:"to" format:"date" doc:"included; from where nothing is said"`
	Periods opt.Field[[]PeriodInput] `json:"periods" required:"true" max:"slot.MaxPeriods" doc:"none: absent"`
	Reason  opt.Field[string]        `json:"reason" enum:"CONGE,MALADIE,FORMATION,AUTRE"`
}

// WorkingTime is when a user works.
type WorkingTime struct {
	UserID        int64           `json:"user_id"`
	Patterns      []WorkPattern   `json:"patterns"`
	Exceptions    []WorkException `json:"exceptions"`
	WorksHolidays bool            `json:"works_holidays"`
	Bookable      bool            `json:"bookable"`

	Version api.Version `json:"-" header:"ETag"`
}

// WorkPattern is working time that comes again.
type WorkPattern struct {
	ValidFrom  *string   `json:"valid_from" format:"date"`
	ValidTo    *string   `json:"valid_to" format:"date"`
	CycleWeeks int       `json:"cycle_weeks"`
	Days       []WorkDay `json:"days"`
}

// WorkDay is the working time of one day of the week.
type WorkDay struct {
	Weekday int          `json:"weekday"`
	Week    int          `json:"week"`
	Periods []WorkPeriod `json:"periods"`
}

// WorkPeriod is a part of a day.
type WorkPeriod struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// WorkException is what holds on some days.
type WorkException struct {
	From    string       `json:"from" format:"date"`
	To      string       `json:"to" format:"date"`
	Periods []WorkPeriod `json:"periods"`
	Reason  *string      `json:"reason" enum:"CONGE,MALADIE,FORMATION,AUTRE"`
}

// WorkingTimes are those of users, by id.
type WorkingTimes struct {
	Data []WorkingTime `json:"data"`
}

// ImportedPath is what a calendar elsewhere says of a user.
type ImportedPath struct {
	ID     int64  `path:"userId"`
	Source string `path:"source" doc:"1 to 40 of the characters a-z, 0-9 and -"`
}

// PutImported is PUT /agenda/external-busy/{userId}/{source}: it replaces what the
// source said before.
type PutImported struct {
	ID      int64                  `path:"userId"`
	Source  string                 `path:"source" doc:"1 to 40 of the characters a-z, 0-9 and -"`
	IfMatch api.IfMatch            `header:"If-Match"`
	Busy    opt.Field[[]BusyInput] `json:"busy" required:"true" max:"worktime.MaxImported"`
}

// BusyInput is a stretch of time.
type BusyInput struct {
	StartAt opt.Field[string] `json:"start_at" format:"date-time" required:"true"`
	EndAt   opt.Field[string] `json:"end_at" format:"date-time" required:"true" doc:"after start_at, at most 31 days later"`
}

// DeleteImported is DELETE /agenda/external-busy/{userId}/{source}.
type DeleteImported struct {
	ID      int64       `path:"userId"`
	Source  string      `path:"source" doc:"1 to 40 of the characters a-z, 0-9 and -"`
	IfMatch api.IfMatch `header:"If-Match"`
}

// ExternalBusy is when a calendar elsewhere says that a user is busy, by start.
type ExternalBusy struct {
	UserID       int64                  `json:"user_id"`
	Source       string                 `json:"source"`
	Busy         []agendarecords.Period `json:"busy"`
	LastModified api.Instant            `json:"last_modified"`

	Version api.Version `json:"-" header:"ETag"`
}

// AgencyPath is an agency, named in the path.
type AgencyPath struct {
	ID int64 `path:"agencyId"`
}

// PutSettings is PUT /agenda/settings/{agencyId}: it replaces what there is.
type PutSettings struct {
	ID            int64                         `path:"agencyId"`
	IfMatch       api.IfMatch                   `header:"If-Match"`
	OnlineBooking opt.Field[OnlineBookingInput] `json:"online_booking" required:"true"`
}

// OnlineBookingInput says what visitors can book.
type OnlineBookingInput struct {
	Enabled             opt.Field[bool]    `json:"enabled" doc:"false where nothing is said"`
	Type                opt.Field[string]  `json:"type" doc:"model of an active type; default VISITE"`
	DurationMinutes     opt.Field[int]     `json:"duration_minutes" minimum:"5" maximum:"1440" doc:"default that of the type"`
	StepMinutes         opt.Field[int]     `json:"step_minutes" minimum:"5" maximum:"240" doc:"how far starts are apart; default 30"`
	BufferBefore        opt.Field[int]     `json:"buffer_before" minimum:"0" maximum:"240" doc:"minutes; default that of the type"`
	BufferAfter         opt.Field[int]     `json:"buffer_after" minimum:"0" maximum:"240" doc:"minutes; default that of the type"`
	NoticeMinutes       opt.Field[int]     `json:"notice_minutes" minimum:"0" maximum:"43200" doc:"how far ahead a visit is booked, at least; default 1440"`
	HorizonDays         opt.Field[int]     `json:"horizon_days" minimum:"1" maximum:"180" doc:"default 30"`
	Confirmation        opt.Field[string]  `json:"confirmation" enum:"AUTO,MANUELLE" doc:"default AUTO"`
	HoldSeconds         opt.Field[int]     `json:"hold_seconds" minimum:"1" maximum:"1800" doc:"default 600"`
	CancelNoticeMinutes opt.Field[int]     `json:"cancel_notice_minutes" minimum:"0" maximum:"43200" doc:"until how long before the start visitors may cancel or move; default 120"`
	UserIDs             opt.Field[[]int64] `json:"user_ids" max:"agenda.MaxBookable" doc:"active users of the agency, for products that have nobody; none: all of them"`
	PageURL             opt.Field[string]  `json:"page_url" max:"form.MaxURL" doc:"where visitors book, with {product_id} in it"`
}

// AgencySettings are what an agency has chosen for its agenda.
type AgencySettings struct {
	AgencyID      int64                 `json:"agency_id"`
	OnlineBooking OnlineBookingSettings `json:"online_booking"`

	Version api.Version `json:"-" header:"ETag"`
}

// OnlineBookingSettings say what visitors can book.
type OnlineBookingSettings struct {
	Enabled             bool    `json:"enabled"`
	Type                string  `json:"type"`
	DurationMinutes     int     `json:"duration_minutes"`
	StepMinutes         int     `json:"step_minutes"`
	BufferBefore        int     `json:"buffer_before" doc:"minutes"`
	BufferAfter         int     `json:"buffer_after" doc:"minutes"`
	NoticeMinutes       int     `json:"notice_minutes"`
	HorizonDays         int     `json:"horizon_days"`
	Confirmation        string  `json:"confirmation" enum:"AUTO,MANUELLE"`
	HoldSeconds         int     `json:"hold_seconds"`
	CancelNoticeMinutes int     `json:"cancel_notice_minutes"`
	UserIDs             []int64 `json:"user_ids"`
	PageURL             *string `json:"page_url"`
}

// AllAgencySettings are those of the agencies in scope, by id.
type AllAgencySettings struct {
	Data []AgencySettings `json:"data"`
}

// CreateFeed is POST /agenda/feeds/{userId}. A feed that the user had ends.
type CreateFeed struct {
	ID     int64             `path:"userId"`
	Detail opt.Field[string] `json:"detail" enum:"FULL,BUSY" doc:"BUSY: only that the time is taken; FULL where nothing is said"`
}

// CreatedFeed are the addresses of a feed. They are secret, and shown once.
type CreatedFeed struct {
	URL         string `json:"url" doc:"iCalendar (RFC 5545), for programs that show calendars"`
	FreeBusyURL string `json:"free_busy_url" doc:"when the user is busy, as iCalendar"`
}

// ListBookingSlots is GET /products/{productId}/booking-slots.
type ListBookingSlots struct {
	ID   int64             `path:"productId"`
	From opt.Field[string] `query:"from" format:"date-time" doc:"now where nothing is said"`
	To   opt.Field[string] `query:"to" format:"date-time" doc:"as far as can be booked where nothing is said; at most 62 days after from"`
}

// BookingSlots are the times at which a product can be booked, by start. One that is
// shown is not promised: only a hold is.
type BookingSlots struct {
	Data []agendarecords.Slot `json:"data" doc:"user_ids is empty for websites"`
}

// CreateHold is POST /products/{productId}/booking-holds.
type CreateHold struct {
	ID      int64             `path:"productId"`
	StartAt opt.Field[string] `json:"start_at" format:"date-time" required:"true" doc:"start of a slot"`
}

// CreatedHold is time that is kept until expires_at. The token is shown once.
type CreatedHold struct {
	api.Created
	Token     string      `json:"token"`
	StartAt   api.Instant `json:"start_at"`
	EndAt     api.Instant `json:"end_at"`
	ExpiresAt api.Instant `json:"expires_at"`
}

// DeleteHold is DELETE /booking-holds/{holdId}.
type DeleteHold struct {
	ID    int64  `path:"holdId"`
	Token string `header:"X-Booking-Token" doc:"the token of the hold"`
}

// CreateBooking is POST /products/{productId}/bookings.
type CreateBooking struct {
	ID        int64                            `path:"productId"`
	StartAt   opt.Field[string]                `json:"start_at" format:"date-time" required:"true" doc:"start of a slot, or of the hold"`
	Contact   opt.Field[ContactInput]          `json:"contact" required:"true"`
	Message   opt.Field[string]                `json:"message" max:"form.MaxComment"`
	Consent   opt.Field[customer.ConsentInput] `json:"consent"`
	HoldID    opt.Field[int64]                 `json:"hold_id" doc:"with hold_token"`
	HoldToken opt.Field[string]                `json:"hold_token" max:"form.MaxName" doc:"with hold_id"`
}

// ContactInput is who books.
type ContactInput struct {
	_ struct{} `anyOf:"email,phone"`

	Civility  opt.Field[string] `json:"civility" doc:"code of list 6"`
	Firstname opt.Field[string] `json:"firstname" max:"form.MaxName"`
	Lastname  opt.Field[string] `json:"lastname" max:"form.MaxName"`
	Email     opt.Field[string] `json:"email" max:"form.MaxName" format:"email"`
	Phone     opt.Field[string] `json:"phone" max:"customer.MaxNumber"`
}

// CreatedBooking is what was booked. The token is shown once.
type CreatedBooking struct {
	api.Created
	Token   string      `json:"token" doc:"for X-Booking-Token"`
	StartAt api.Instant `json:"start_at"`
	EndAt   api.Instant `json:"end_at"`
	Status  string      `json:"status" enum:"PREVU,CONFIRME"`
}

// BookingPath is a booking, named in the path.
type BookingPath struct {
	ID    int64  `path:"bookingId"`
	Token string `header:"X-Booking-Token" doc:"the token of the booking; not needed with the pack agenda"`
}

// Booking is a visit that somebody booked.
type Booking struct {
	ID          int64       `json:"id"`
	ProductID   *int64      `json:"product_id" ref:"product"`
	EventID     *int64      `json:"event_id" doc:"null for websites"`
	CustomerID  *int64      `json:"customer_id" ref:"customer" doc:"null for websites"`
	LeadID      *int64      `json:"lead_id" doc:"null for websites"`
	StartAt     api.Instant `json:"start_at"`
	EndAt       api.Instant `json:"end_at"`
	Status      string      `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT" doc:"that of the event"`
	User        *BookedUser `json:"user" doc:"null for websites unless web_visible"`
	CancelUntil api.Instant `json:"cancel_until" doc:"until when the visitor may cancel or move it"`
	DateAdded   api.Instant `json:"date_added"`

	Version api.Version `json:"-" header:"ETag"`
}

// BookedUser is the agent whom a visitor meets.
type BookedUser struct {
	ID        int64  `json:"id"`
	Firstname string `json:"firstname"`
	Lastname  string `json:"lastname"`
}

// CancelBooking is POST /bookings/{bookingId}/cancel.
type CancelBooking struct {
	ID     int64             `path:"bookingId"`
	Token  string            `header:"X-Booking-Token" doc:"the token of the booking; not needed with the pack agenda"`
	Reason opt.Field[string] `json:"reason" max:"form.MaxComment"`
}

// RescheduleBooking is POST /bookings/{bookingId}/reschedule.
type RescheduleBooking struct {
	ID      int64             `path:"bookingId"`
	Token   string            `header:"X-Booking-Token" doc:"the token of the booking; not needed with the pack agenda"`
	StartAt opt.Field[string] `json:"start_at" format:"date-time" required:"true" doc:"start of a slot"`
}
