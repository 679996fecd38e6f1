package agenda

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

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
	ID      int64          `path:"userId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
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

	Version kernel.Version `json:"-" header:"ETag"`
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
	IfMatch kernel.IfMatch         `header:"If-Match"`
	Busy    opt.Field[[]BusyInput] `json:"busy" required:"true" max:"slot.MaxImported"`
}

// BusyInput is a stretch of time.
type BusyInput struct {
	StartAt opt.Field[string] `json:"start_at" format:"date-time" required:"true"`
	EndAt   opt.Field[string] `json:"end_at" format:"date-time" required:"true" doc:"after start_at, at most 31 days later"`
}

// DeleteImported is DELETE /agenda/external-busy/{userId}/{source}.
type DeleteImported struct {
	ID      int64          `path:"userId"`
	Source  string         `path:"source" doc:"1 to 40 of the characters a-z, 0-9 and -"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// ExternalBusy is when a calendar elsewhere says that a user is busy, by start.
type ExternalBusy struct {
	UserID       int64                  `json:"user_id"`
	Source       string                 `json:"source"`
	Busy         []agendarecords.Period `json:"busy"`
	LastModified kernel.Instant         `json:"last_modified"`

	Version kernel.Version `json:"-" header:"ETag"`
}
