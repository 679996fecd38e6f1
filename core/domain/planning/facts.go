package planning

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Facts are what a search looks at.
type Facts struct {
	ID     ID
	Agency site.AgencyID
	Users  []site.UserID
	// Customers are those who attend, and those whom reports are about.
	Customers []customer.ID
	// Products are those of all occurrences.
	Products    []product.ID
	Type        string
	Status      Status
	ExternalID  string
	Recurs      bool
	Start       time.Time
	From, Until time.Time
	Due         time.Time
	Modified    time.Time
}

// Of returns the facts of an appointment.
func Of(a Appointment) Facts {
	return Facts{
		ID: a.ID, Agency: a.Agency, Users: a.Users(), Customers: a.Concerned(), Products: a.AllProducts(), Type: a.Type, Status: a.Status,
		ExternalID: a.ExternalID, Recurs: a.Recurs(), Start: a.Start, From: a.From, Until: a.Until, Due: a.Due, Modified: a.Modified,
	}
}

// Recurring reports whether a search wants series.
type Recurring uint8

// What a search wants of series and of single appointments.
const (
	Any Recurring = iota
	Single
	Series
)

// Filter says which appointments a search wants. Every part that is set must hold.
type Filter struct {
	// Agencies limits the search; it is never open. A filter without agencies
	// matches nothing.
	Agencies []site.AgencyID
	// Users are any of those who attend.
	Users    []site.UserID
	Customer customer.ID
	Product  product.ID
	Types    []string
	// Statuses are those of single appointments. Occurrences of a series have their
	// own, so every series matches.
	Statuses   []Status
	ExternalID string
	// ModifiedSince is inclusive; zero is any.
	ModifiedSince time.Time
	// Window has time in common with the bounds of an appointment. The empty window
	// is any time.
	Window    calendar.Interval
	Recurring Recurring
}

// Reaches reports whether the bounds of an appointment have time in common with a
// window, as nothing has with an empty one.
func (f Facts) Reaches(window calendar.Interval) bool {
	return !window.Empty() && f.From.Before(window.End) && (f.Until.IsZero() || window.Start.Before(f.Until))
}

// Matches specifies search: every store must agree with it.
func (f Filter) Matches(of Facts) bool {
	switch {
	case !slices.Contains(f.Agencies, of.Agency),
		len(f.Users) > 0 && !slices.ContainsFunc(f.Users, func(u site.UserID) bool { return slices.Contains(of.Users, u) }),
		f.Customer != 0 && !slices.Contains(of.Customers, f.Customer),
		f.Product != 0 && !slices.Contains(of.Products, f.Product),
		len(f.Types) > 0 && !slices.Contains(f.Types, of.Type),
		len(f.Statuses) > 0 && !of.Recurs && !slices.Contains(f.Statuses, of.Status),
		f.ExternalID != "" && f.ExternalID != of.ExternalID,
		!f.Window.Empty() && !of.Reaches(f.Window),
		f.Recurring == Single && of.Recurs, f.Recurring == Series && !of.Recurs:
		return false
	}
	return f.ModifiedSince.IsZero() || !of.Modified.Before(f.ModifiedSince)
}

// Place is where an appointment stands among others: by ID alone, or by start and
// then by ID.
type Place struct {
	Start time.Time
	ID    ID
}

// Compare returns which of two places comes first.
func (p Place) Compare(q Place) int { return cmp.Or(p.Start.Compare(q.Start), cmp.Compare(p.ID, q.ID)) }
