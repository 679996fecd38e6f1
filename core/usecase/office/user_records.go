package office

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// UserSummary is an agent or collaborator in short.
type UserSummary struct {
	ID        int64   `json:"id"`
	Firstname string  `json:"firstname"`
	Lastname  string  `json:"lastname"`
	Email     *string `json:"email"`
	Phone     *string `json:"phone"`
	PhotoURL  *string `json:"photo_url"`
	AgencyID  int64   `json:"agency_id"`
}

// User is an agent or collaborator.
type User struct {
	UserSummary
	AgencyIDs        []int64        `json:"agency_ids"`
	GroupID          *int64         `json:"group_id"`
	TypeID           *int64         `json:"type_id" doc:"id of a type of GET /users/types"`
	GenderID         *int64         `json:"gender_id" doc:"id of a gender of GET /users/genders"`
	Mobile           *string        `json:"mobile"`
	JobTitle         *string        `json:"job_title"`
	Languages        []string       `json:"languages"`
	StatusKind       *string        `json:"status_kind" enum:"SALARIE,AGENT_COMMERCIAL,DIRIGEANT"`
	RSAC             *string        `json:"rsac"`
	SIRET            *string        `json:"siret"`
	ProfessionalCard *string        `json:"professional_card"`
	IsActive         bool           `json:"is_active"`
	WebVisible       bool           `json:"web_visible"`
	Biography        *string        `json:"biography"`
	Zone             *string        `json:"zone" doc:"where the user works"`
	DateAdded        kernel.Instant `json:"date_added"`
	LastModified     kernel.Instant `json:"last_modified"`
}

// UserGroup is a team of users.
type UserGroup struct {
	ID          int64    `json:"id"`
	Name        string   `json:"name"`
	AgencyID    *int64   `json:"agency_id" doc:"null: of the whole site"`
	UsersCount  int      `json:"users_count"`
	Permissions []string `json:"permissions" doc:"always empty: permissions belong to credentials"`
}

// LabelRecord is an entry of a fixed list.
type LabelRecord struct {
	ID    int64  `json:"id"`
	Model string `json:"model"`
	Label string `json:"label"`
}

// ListUsers is GET /users.
type ListUsers struct {
	AgencyID opt.Field[int64] `query:"agency_id" doc:"one of the token's agencies"`
	Active   opt.Field[bool]  `query:"active"`
	kernel.PageQuery
}

// UserPath is a user, named in the path.
type UserPath struct {
	ID int64 `path:"userId"`
}

// UserPage is a page of users.
type UserPage struct {
	Data  []User                       `json:"data"`
	Meta  kernel.CursorPaginationMeta  `json:"meta"`
	Links kernel.CursorPaginationLinks `json:"links"`
}
