package agenda

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// AgencyPath is an agency, named in the path.
type AgencyPath struct {
	ID int64 `path:"agencyId"`
}

// PutSettings is PUT /agenda/settings/{agencyId}: it replaces what there is.
type PutSettings struct {
	ID            int64                         `path:"agencyId"`
	IfMatch       kernel.IfMatch                `header:"If-Match"`
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

	Version kernel.Version `json:"-" header:"ETag"`
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
