package agenda

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
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
	planning.Change
}

// CreatedEvent is the answer to the creation of an event.
type CreatedEvent struct {
	kernel.Created
	// Conflicts are the ids of events that it overlaps, separated by commas, at most
	// 20.
	Conflicts string `json:"-" header:"X-Conflicts"`
}

// UpdateEvent is PATCH /agenda/events/{eventId}: only what is given changes.
type UpdateEvent struct {
	ID      int64          `path:"eventId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
	ConflictChoice
	planning.Change
}

// ChangedEvent is the answer to the change of an event.
type ChangedEvent struct {
	kernel.Changed
	Conflicts string `json:"-" header:"X-Conflicts"`
}

// DeleteEvent is DELETE /agenda/events/{eventId}.
type DeleteEvent struct {
	ID      int64          `path:"eventId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// SearchEvents is POST /agenda/events/search. It finds what overlaps a window.
type SearchEvents struct {
	From         opt.Field[string]       `json:"from" format:"date-time" required:"true"`
	To           opt.Field[string]       `json:"to" format:"date-time" required:"true" doc:"after from, at most 366 days later"`
	UserIDs      opt.Field[[]int64]      `json:"user_ids" max:"agenda.MaxListedUsers" doc:"any of whom attends"`
	AgencyID     opt.Field[int64]        `json:"agency_id" doc:"one of the token's agencies"`
	CustomerID   opt.Field[int64]        `json:"customer_id"`
	ProductID    opt.Field[int64]        `json:"product_id"`
	Types        opt.Field[kernel.Codes] `json:"types" doc:"models of types"`
	Statuses     opt.Field[kernel.Codes] `json:"statuses"`
	ExternalID   opt.Field[string]       `json:"external_id" max:"form.MaxName"`
	LastModified opt.Field[string]       `json:"last_modified" format:"date-time" doc:"modified on or after"`
	Expand       opt.Field[bool]         `json:"expand" doc:"one item per occurrence, by start_at and id, where nothing is said; false: one per event, by id"`
	Cursor       opt.Field[string]       `json:"cursor" doc:"next_cursor of the previous page, for the same from, to and expand"`
	Count        opt.Field[int]          `json:"count" minimum:"1" maximum:"500" doc:"default 100"`
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
	Occurrence *kernel.Instant `json:"occurrence" doc:"original start of the occurrence; null of an event that does not repeat, or as a whole"`
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
	Occurrence *kernel.Instant `json:"occurrence" doc:"original start; null of an event that does not repeat"`
	StartAt    kernel.Instant  `json:"start_at"`
	EndAt      kernel.Instant  `json:"end_at"`
	Status     string          `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT"`
}

// UpdateOccurrence is PATCH /agenda/events/{eventId}/occurrences/{start}.
type UpdateOccurrence struct {
	ID      int64          `path:"eventId"`
	Start   string         `path:"start" doc:"original start in UTC, such as 20261025T080000Z; 20261025 of whole days"`
	IfMatch kernel.IfMatch `header:"If-Match"`
	planning.OccurrenceChange
}

// DeleteOccurrence is DELETE /agenda/events/{eventId}/occurrences/{start}.
type DeleteOccurrence struct {
	ID      int64          `path:"eventId"`
	Start   string         `path:"start" doc:"original start in UTC, such as 20261025T080000Z; 20261025 of whole days"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// AnswerEvent is POST /agenda/events/{eventId}/answers.
type AnswerEvent struct {
	ID         int64             `path:"eventId"`
	IfMatch    kernel.IfMatch    `header:"If-Match"`
	AttendeeID opt.Field[int64]  `json:"attendee_id" required:"true" doc:"id of one of attendees"`
	Answer     opt.Field[string] `json:"answer" required:"true" enum:"EN_ATTENTE,ACCEPTE,REFUSE,PEUT_ETRE"`
	Occurrence opt.Field[string] `json:"occurrence" doc:"original start of the occurrence that alone is answered"`
}

// ReportVisit is POST /agenda/events/{eventId}/report.
type ReportVisit struct {
	ID            int64             `path:"eventId"`
	IfMatch       kernel.IfMatch    `header:"If-Match"`
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
	Location string         `json:"-" header:"Location"`
	Version  kernel.Version `json:"-" header:"ETag"`
}
