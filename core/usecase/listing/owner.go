package listing

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// CustomerSummary is a customer in short.
type CustomerSummary struct {
	ID           int64          `json:"id"`
	Type         string         `json:"type" doc:"code of list 5"`
	Civility     *string        `json:"civility" doc:"code of list 6"`
	Firstname    *string        `json:"firstname"`
	Lastname     *string        `json:"lastname"`
	Company      *string        `json:"company"`
	Email        *string        `json:"email"`
	Phone        *string        `json:"phone"`
	AgencyID     int64          `json:"agency_id"`
	UserID       *int64         `json:"user_id"`
	Color        *int           `json:"color"`
	LastModified kernel.Instant `json:"last_modified"`
}

// CustomerSummaryOf returns the summary of a customer, nil for none.
func CustomerSummaryOf(c customer.Customer) *CustomerSummary {
	if c.ID == 0 {
		return nil
	}
	return &CustomerSummary{
		ID: int64(c.ID), Type: c.Type, Civility: kernel.Nullable(c.Civility), Firstname: kernel.Nullable(c.Firstname), Lastname: kernel.Nullable(c.Lastname),
		Company: kernel.Nullable(c.Company), Email: kernel.Nullable(c.Email()), Phone: kernel.Nullable(c.Phone()), AgencyID: int64(c.Agency),
		UserID: kernel.Nullable(int64(c.User)), Color: kernel.Nullable(c.Color), LastModified: kernel.Instant{Time: c.Modified},
	}
}
