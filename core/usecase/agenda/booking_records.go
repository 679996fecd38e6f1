package agenda

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// ListBookingSlots is GET /products/{productId}/booking-slots.
type ListBookingSlots struct {
	ID   int64             `path:"productId"`
	From opt.Field[string] `query:"from" format:"date-time" doc:"now where nothing is said"`
	To   opt.Field[string] `query:"to" format:"date-time" doc:"as far as can be booked where nothing is said; at most 62 days after from"`
}

// BookingSlots are the times at which a product can be booked, by start. One that is
// shown is not promised: only a hold is.
type BookingSlots struct {
	Data []agendarecords.Slot `json:"data" doc:"user_ids is empty for websites"`
}

// CreateHold is POST /products/{productId}/booking-holds.
type CreateHold struct {
	ID      int64             `path:"productId"`
	StartAt opt.Field[string] `json:"start_at" format:"date-time" required:"true" doc:"start of a slot"`
}

// CreatedHold is time that is kept until expires_at. The token is shown once.
type CreatedHold struct {
	kernel.Created
	Token     string         `json:"token"`
	StartAt   kernel.Instant `json:"start_at"`
	EndAt     kernel.Instant `json:"end_at"`
	ExpiresAt kernel.Instant `json:"expires_at"`
}

// DeleteHold is DELETE /booking-holds/{holdId}.
type DeleteHold struct {
	ID    int64  `path:"holdId"`
	Token string `header:"X-Booking-Token" doc:"the token of the hold"`
}

// CreateBooking is POST /products/{productId}/bookings.
type CreateBooking struct {
	ID        int64                            `path:"productId"`
	StartAt   opt.Field[string]                `json:"start_at" format:"date-time" required:"true" doc:"start of a slot, or of the hold"`
	Contact   opt.Field[ContactInput]          `json:"contact" required:"true"`
	Message   opt.Field[string]                `json:"message" max:"form.MaxComment"`
	Consent   opt.Field[customer.ConsentInput] `json:"consent"`
	HoldID    opt.Field[int64]                 `json:"hold_id" doc:"with hold_token"`
	HoldToken opt.Field[string]                `json:"hold_token" max:"form.MaxName" doc:"with hold_id"`
}

// ContactInput is who books.
type ContactInput struct {
	_ struct{} `anyOf:"email,phone"`

	Civility  opt.Field[string] `json:"civility" doc:"code of list 6"`
	Firstname opt.Field[string] `json:"firstname" max:"form.MaxName"`
	Lastname  opt.Field[string] `json:"lastname" max:"form.MaxName"`
	Email     opt.Field[string] `json:"email" max:"form.MaxName" format:"email"`
	Phone     opt.Field[string] `json:"phone" max:"customer.MaxNumber"`
}

// CreatedBooking is what was booked. The token is shown once.
type CreatedBooking struct {
	kernel.Created
	Token   string         `json:"token" doc:"for X-Booking-Token"`
	StartAt kernel.Instant `json:"start_at"`
	EndAt   kernel.Instant `json:"end_at"`
	Status  string         `json:"status" enum:"PREVU,CONFIRME"`
}

// BookingPath is a booking, named in the path.
type BookingPath struct {
	ID    int64  `path:"bookingId"`
	Token string `header:"X-Booking-Token" doc:"the token of the booking; not needed with the pack agenda"`
}

// Booking is a visit that somebody booked.
type Booking struct {
	ID          int64          `json:"id"`
	ProductID   *int64         `json:"product_id" ref:"product"`
	EventID     *int64         `json:"event_id" doc:"null for websites"`
	CustomerID  *int64         `json:"customer_id" ref:"customer" doc:"null for websites"`
	LeadID      *int64         `json:"lead_id" doc:"null for websites"`
	StartAt     kernel.Instant `json:"start_at"`
	EndAt       kernel.Instant `json:"end_at"`
	Status      string         `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT" doc:"that of the event"`
	User        *BookedUser    `json:"user" doc:"null for websites unless web_visible"`
	CancelUntil kernel.Instant `json:"cancel_until" doc:"until when the visitor may cancel or move it"`
	DateAdded   kernel.Instant `json:"date_added"`

	Version kernel.Version `json:"-" header:"ETag"`
}

// BookedUser is the agent whom a visitor meets.
type BookedUser struct {
	ID        int64  `json:"id"`
	Firstname string `json:"firstname"`
	Lastname  string `json:"lastname"`
}

// CancelBooking is POST /bookings/{bookingId}/cancel.
type CancelBooking struct {
	ID     int64             `path:"bookingId"`
	Token  string            `header:"X-Booking-Token" doc:"the token of the booking; not needed with the pack agenda"`
	Reason opt.Field[string] `json:"reason" max:"form.MaxComment"`
}

// RescheduleBooking is POST /bookings/{bookingId}/reschedule.
type RescheduleBooking struct {
	ID      int64             `path:"bookingId"`
	Token   string            `header:"X-Booking-Token" doc:"the token of the booking; not needed with the pack agenda"`
	StartAt opt.Field[string] `json:"start_at" format:"date-time" required:"true" doc:"start of a slot"`
}
