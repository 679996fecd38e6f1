package agenda

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

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
	planning.DutyChange
}

// UpdatePermanence is PATCH /agenda/permanences/{permanenceId}: only what is given
// changes.
type UpdatePermanence struct {
	ID      int64          `path:"permanenceId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
	planning.DutyChange
}

// DeletePermanence is DELETE /agenda/permanences/{permanenceId}.
type DeletePermanence struct {
	ID      int64          `path:"permanenceId"`
	IfMatch kernel.IfMatch `header:"If-Match"`
}

// Permanence is the duty of a user.
type Permanence struct {
	ID           int64            `json:"id"`
	AgencyID     int64            `json:"agency_id"`
	UserID       int64            `json:"user_id"`
	Type         string           `json:"type" enum:"ACCUEIL,TELEPHONE,WEB,ASTREINTE"`
	StartAt      kernel.Instant   `json:"start_at"`
	EndAt        kernel.Instant   `json:"end_at"`
	Timezone     string           `json:"timezone"`
	RRule        *string          `json:"rrule"`
	Exdates      []kernel.Instant `json:"exdates"`
	Bookable     bool             `json:"bookable"`
	Comment      *string          `json:"comment"`
	DateAdded    kernel.Instant   `json:"date_added"`
	LastModified kernel.Instant   `json:"last_modified"`

	Version kernel.Version `json:"-" header:"ETag"`
}

// Permanences are duties by start, then by id, at most 1,000.
type Permanences struct {
	Data      []PermanenceOccurrence `json:"data"`
	Truncated bool                   `json:"truncated" doc:"there is more"`
}

// PermanenceOccurrence is one duty of a permanence.
type PermanenceOccurrence struct {
	Permanence
	Occurrence *kernel.Instant `json:"occurrence" doc:"original start; null of one that does not repeat"`
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
	UserID       int64          `json:"user_id"`
	Type         string         `json:"type" enum:"ACCUEIL,TELEPHONE,WEB,ASTREINTE"`
	PermanenceID int64          `json:"permanence_id"`
	StartAt      kernel.Instant `json:"start_at"`
	EndAt        kernel.Instant `json:"end_at"`
}
