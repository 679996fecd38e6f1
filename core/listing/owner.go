package listing

import (
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/customer"
)

// CustomerSummary is a customer in short.
type CustomerSummary struct {
	ID           int64       `json:"id"`
	Type         string      `json:"type" doc:"code of list 5"`
	Civility     *string     `json:"civility" doc:"code of list 6"`
	Firstname    *string     `json:"firstname"`
	Lastname     *string     `json:"lastname"`
	Company      *string     `json:"company"`
	Email        *string     `json:"email"`
	Phone        *string     `json:"phone"`
	AgencyID     int64       `json:"agency_id"`
	UserID       *int64      `json:"user_id"`
	Color        *int        `json:"color"`
	LastModified api.Instant `json:"last_modified"`
}

// CustomerSummaryOf is the summary of a customer, nil for none.
func CustomerSummaryOf(c customer.Customer) *CustomerSummary {
	if c.ID == 0 {
		return nil
	}
	return &CustomerSummary{
		ID: int64(c.ID), Type: c.Type, Civility: api.Nullable(c.Civility), Firstname: api.Nullable(c.Firstname), Lastname: api.Nullable(c.Lastname),
		Company: api.Nullable(c.Company), Email: api.Nullable(c.Email()), Phone: api.Nullable(c.Phone()), AgencyID: int64(c.Agency),
		UserID: api.Nullable(int64(c.User)), Color: api.Nullable(c.Color), LastModified: api.Instant{Time: c.Modified},
	}
}
