package planning

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// HoldID identifies a hold.
type HoldID int64

// Confirmation reports whether a booking is confirmed at once.
type Confirmation string

// The ways.
const (
	Automatic Confirmation = "AUTO"
	ByHand    Confirmation = "MANUELLE"
)

// BookingSettings are what visitors can book with an agency. Numbers are minutes unless
// they say otherwise.
type BookingSettings struct {
	Site    site.ID
	Agency  site.AgencyID
	Enabled bool
	// Type is the model of the appointments.
	Type string
	// Duration, Before and After are nil where they are those of the type.
	Duration, Before, After *int
	Step                    int
	Notice                  int
	HorizonDays             int
	Confirmation            Confirmation
	HoldSeconds             int
	CancelNotice            int
	// Users can be booked where a product has nobody; none is everybody.
	Users    []site.UserID
	PageURL  string
	Modified time.Time
	Version  int64
}

// Limits of settings.
const (
	MinStep, MaxStep     = 5, 240
	MaxNotice            = 43_200
	MaxHorizonDays       = 180
	MaxHoldSeconds       = 1_800
	MaxHolds             = 20
	productInPageURL     = "{product_id}"
	defaultStep          = 30
	defaultNotice        = 24 * 60
	defaultHorizonDays   = 30
	defaultHoldSeconds   = 600
	defaultCancelMinutes = 120
)

// BookingDefaults returns the settings of an agency that has none. Their version is 1, and that
// of what is stored a later one.
func BookingDefaults(of site.ID, agency site.AgencyID) BookingSettings {
	return BookingSettings{
		Site: of, Agency: agency, Type: VisitModel, Step: defaultStep, Notice: defaultNotice, HorizonDays: defaultHorizonDays,
		Confirmation: Automatic, HoldSeconds: defaultHoldSeconds, CancelNotice: defaultCancelMinutes, Version: 1,
	}
}

// Timing returns how long a visit takes and what is kept free around it, in minutes.
func (s BookingSettings) Timing(types Types) (duration, before, after int) {
	kind, _ := types.Find(s.Type)
	duration, before, after = kind.Duration, kind.Before, kind.After
	for target, own := range map[*int]*int{&duration: s.Duration, &before: s.Before, &after: s.After} {
		if own != nil {
			*target = *own
		}
	}
	return duration, before, after
}

// URL returns the page on which a product is booked; empty without one.
func (s BookingSettings) URL(id string) string {
	return strings.ReplaceAll(s.PageURL, productInPageURL, id)
}

// CancelUntil is until when the visitor may cancel or move what begins at a start.
func (s BookingSettings) CancelUntil(start time.Time) time.Time {
	return start.Add(-Minutes(s.CancelNotice))
}

// Candidates returns those of the active users of an agency who can be booked about a
// product with a user of its own, in ascending order.
func (s BookingSettings) Candidates(own site.UserID, active, staff []site.UserID) []site.UserID {
	if slices.Contains(active, own) {
		return []site.UserID{own}
	}
	candidates := slices.Clone(staff)
	if len(s.Users) > 0 {
		candidates = slices.DeleteFunc(candidates, func(u site.UserID) bool { return !slices.Contains(s.Users, u) })
	}
	slices.Sort(candidates)
	return slices.Compact(candidates)
}

// Hold is time of a user that is kept for a visitor, for a while.
type Hold struct {
	ID         HoldID
	Site       site.ID
	Product    product.ID
	Credential access.CredentialID
	User       site.UserID
	Start, End time.Time
	// Before and After are minutes.
	Before, After int
	Expires       time.Time
	Token         access.Hash
}

// Interval returns the time that is held.
func (h Hold) Interval() calendar.Interval { return calendar.Interval{Start: h.Start, End: h.End} }

// Live reports whether a hold is not over at a moment.
func (h Hold) Live(now time.Time) bool { return now.Before(h.Expires) }

// Booking is a visit that somebody booked. Its status is that of the appointment.
type Booking struct {
	ID          BookingID
	Site        site.ID
	Agency      site.AgencyID
	Product     product.ID
	Appointment ID
	Customer    customer.ID
	Lead        demand.LeadID
	// Start and End are when it was booked for, for the time after the appointment is
	// gone.
	Start, End time.Time
	// Reason is why the visitor cancelled.
	Reason string
	// Token is the hash of what the visitor proves to be the same with; empty once it
	// ended.
	Token           access.Hash
	Added, Modified time.Time
	Version         int64
}

// Anonymous returns what is left of a booking by somebody whom nobody may know any more.
func (b Booking) Anonymous() Booking {
	b.Reason, b.Token = "", ""
	return b
}
