package agenda

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

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
	StartAt kernel.Instant `json:"start_at"`
	EndAt   kernel.Instant `json:"end_at"`
	UserIDs *[]int64       `json:"user_ids,omitempty"`
	UserID  *int64         `json:"user_id,omitempty"`
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
