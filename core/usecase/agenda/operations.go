package agenda

import (
	"context"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// API is the use cases about the agenda. Each checks pack, permission and right of
// the caller first, and is Forbidden where one is missing.
//
// A record of another site, or none at all, is NotFound; one of an agency outside
// the scope is Forbidden, and so is an agency_id outside it. What is wrong with a
// request is Invalid, with every field named, and changes nothing. What would give
// the same time away twice is a Conflict. Under an If-Match that does not hold a
// write is Stale. See docs/contract/agenda.md.
type API struct {
	// ListEventTypes lists the types of calendar event, by position.
	ListEventTypes kernel.UseCase[kernel.Nothing, AppointmentTypes]
	// SearchCalendarEvents finds what overlaps a window, each occurrence or each event once.
	SearchCalendarEvents kernel.UseCase[SearchEvents, FoundEvents]
	// GetCalendarEvent reads an event.
	GetCalendarEvent kernel.UseCase[EventPath, agendarecords.CalendarEvent]
	// ListOccurrences lists when an event takes place.
	ListOccurrences kernel.UseCase[ListOccurrences, Occurrences]
	// CreateCalendarEvent writes an event down. Which others it overlaps is told, or it is a
	// Conflict where that is asked for.
	CreateCalendarEvent kernel.UseCase[CreateEvent, CreatedEvent]
	// UpdateCalendarEvent changes the given fields of an event, of all its occurrences.
	UpdateCalendarEvent kernel.UseCase[UpdateEvent, ChangedEvent]
	// DeleteCalendarEvent deletes an event with all occurrences.
	DeleteCalendarEvent kernel.UseCase[DeleteEvent, kernel.None]
	// UpdateOccurrence changes one occurrence.
	UpdateOccurrence kernel.UseCase[UpdateOccurrence, kernel.Changed]
	// DeleteOccurrence takes one occurrence out of its series.
	DeleteOccurrence kernel.UseCase[DeleteOccurrence, kernel.Changed]
	// AnswerCalendarEvent writes down what an attendee says. Who refuses has the time again.
	AnswerCalendarEvent kernel.UseCase[AnswerEvent, kernel.Changed]
	// ReportVisit writes down what came of a visit: the event took place, the
	// follow-up of the customer goes on, and the product has an action more.
	ReportVisit kernel.UseCase[ReportVisit, Reported]

	// ListAvailabilities lists when users are free.
	ListAvailabilities kernel.UseCase[ListAvailabilities, Availabilities]
	// ListFreeBusy lists when users are busy.
	ListFreeBusy kernel.UseCase[ListFreeBusy, FreeBusy]

	// ListPermanences lists who is on duty in a window, each occurrence once.
	ListPermanences kernel.UseCase[ListPermanences, Permanences]
	// CreatePermanence puts a user on duty.
	CreatePermanence kernel.UseCase[CreatePermanence, kernel.Created]
	// GetPermanence reads a permanence.
	GetPermanence kernel.UseCase[PermanencePath, Permanence]
	// UpdatePermanence changes the given fields of a permanence.
	UpdatePermanence kernel.UseCase[UpdatePermanence, kernel.Changed]
	// DeletePermanence deletes a permanence with all occurrences.
	DeletePermanence kernel.UseCase[DeletePermanence, kernel.None]
	// ListOnDuty lists who is on duty at a moment.
	ListOnDuty kernel.UseCase[ListOnDuty, OnDuty]

	// ListWorkingTimes lists when the active users work, by id.
	ListWorkingTimes kernel.UseCase[ListWorkingTimes, WorkingTimes]
	// GetWorkingTime reads when a user works.
	GetWorkingTime kernel.UseCase[UserPath, WorkingTime]
	// PutWorkingTime says when a user works. What is booked stays.
	PutWorkingTime kernel.UseCase[PutWorkingTime, WorkingTime]

	// GetExternalBusy reads what a calendar elsewhere said of a user.
	GetExternalBusy kernel.UseCase[ImportedPath, ExternalBusy]
	// PutExternalBusy says when a calendar elsewhere has a user busy.
	PutExternalBusy kernel.UseCase[PutImported, ExternalBusy]
	// DeleteExternalBusy forgets what a calendar elsewhere said.
	DeleteExternalBusy kernel.UseCase[DeleteImported, kernel.None]

	// ListAgendaSettings lists what the agencies in scope have chosen.
	ListAgendaSettings kernel.UseCase[kernel.Nothing, AllAgencySettings]
	// GetAgendaSettings reads what an agency has chosen.
	GetAgendaSettings kernel.UseCase[AgencyPath, AgencySettings]
	// PutAgendaSettings replaces what an agency has chosen.
	PutAgendaSettings kernel.UseCase[PutSettings, AgencySettings]

	// CreateCalendarFeed makes a calendar feed for a user. One that there was ends.
	CreateCalendarFeed kernel.UseCase[CreateFeed, CreatedFeed]
	// DeleteCalendarFeed ends the calendar feed of a user.
	DeleteCalendarFeed kernel.UseCase[UserPath, kernel.None]

	// ListBookingSlots lists when a product can be booked.
	ListBookingSlots kernel.UseCase[ListBookingSlots, BookingSlots]
	// CreateBookingHold keeps a time for a visitor, for a while.
	CreateBookingHold kernel.UseCase[CreateHold, CreatedHold]
	// DeleteBookingHold gives a time back that was kept.
	DeleteBookingHold kernel.UseCase[DeleteHold, kernel.None]
	// CreateBooking books a visit: a lead, and an event, all or nothing. Of any number
	// at once, as many succeed as there are users who are free.
	CreateBooking kernel.UseCase[CreateBooking, CreatedBooking]
	// GetBooking reads a booking.
	GetBooking kernel.UseCase[BookingPath, Booking]
	// CancelBooking cancels a booking, which gives the time back.
	CancelBooking kernel.UseCase[CancelBooking, kernel.Changed]
	// RescheduleBooking moves a booking to another time.
	RescheduleBooking kernel.UseCase[RescheduleBooking, kernel.Changed]
}

// The words of the table.
const (
	packs       = kernel.AgendaPacks
	publicPacks = access.Agenda | access.Websites
	read        = access.AgendaRead
	write       = access.AgendaWrite
)

func (s *Service) table(a *API) []kernel.Operation {
	search, get := kernel.Needs(packs, read, access.AgendaSearch), kernel.Needs(packs, read, access.AgendaGet)
	create, update, remove := kernel.Needs(packs, write, access.AgendaCreate), kernel.Needs(packs, write, access.AgendaUpdate), kernel.Needs(packs, write, access.AgendaDelete)
	book := kernel.Needs(publicPacks, access.BookingWrite, access.BookingCreate)
	return []kernel.Operation{
		kernel.Op(&a.ListEventTypes, "agenda.types", kernel.GET, "/agenda/types", 200, get, "List the types of calendar event", reads(s, Unit.listTypes)).IsCompressed(),
		kernel.Op(&a.SearchCalendarEvents, "appointment.search", kernel.POST, "/agenda/events/search", 200, search, "Search calendar events", reads(s, Unit.searchEvents)).Weighs(kernel.Heavy),
		kernel.Op(&a.CreateCalendarEvent, "appointment.create", kernel.POST, "/agenda/events", 201, create, "Create a calendar event", writes(s, Unit.createEvent)).InData().Fails(fault.Conflict),
		kernel.Op(&a.GetCalendarEvent, "appointment.get", kernel.GET, "/agenda/events/{eventId}", 200, get, "Read a calendar event", reads(s, Unit.getEvent)).InData(),
		kernel.Op(&a.UpdateCalendarEvent, "appointment.update", kernel.PATCH, "/agenda/events/{eventId}", 204, update, "Change the given fields of a calendar event", writes(s, Unit.updateEvent)).Fails(fault.Conflict),
		kernel.Op(&a.DeleteCalendarEvent, "appointment.delete", kernel.DELETE, "/agenda/events/{eventId}", 204, remove, "Delete a calendar event with all occurrences", writes(s, Unit.deleteEvent)),
		kernel.Op(&a.ListOccurrences, "appointment.occurrences", kernel.GET, "/agenda/events/{eventId}/occurrences", 200, get, "List when an event takes place", reads(s, Unit.listOccurrences)),
		kernel.Op(&a.UpdateOccurrence, "appointment.occurrence.update", kernel.PATCH, "/agenda/events/{eventId}/occurrences/{start}", 204, update, "Change one occurrence of an event", writes(s, Unit.updateOccurrence)).Fails(fault.Conflict),
		kernel.Op(&a.DeleteOccurrence, "appointment.occurrence.delete", kernel.DELETE, "/agenda/events/{eventId}/occurrences/{start}", 204, update, "Take one occurrence out of an event", writes(s, Unit.deleteOccurrence)),
		kernel.Op(&a.AnswerCalendarEvent, "appointment.answer", kernel.POST, "/agenda/events/{eventId}/answers", 204, update, "Write down what an attendee answers", writes(s, Unit.answerEvent)),
		kernel.Op(&a.ReportVisit, "appointment.report", kernel.POST, "/agenda/events/{eventId}/report", 201, update, "Report a visit", writes(s, Unit.reportVisit)).InData().Fails(fault.Conflict),

		kernel.Op(&a.ListAvailabilities, "agenda.availabilities", kernel.GET, "/agenda/availabilities", 200, search, "List when users are free", reads(s, Unit.listAvailabilities)).Weighs(kernel.Heavy),
		kernel.Op(&a.ListFreeBusy, "agenda.free-busy", kernel.GET, "/agenda/free-busy", 200, search, "List when users are busy", reads(s, Unit.listFreeBusy)).Weighs(kernel.Heavy),

		kernel.Op(&a.ListPermanences, "permanence.list", kernel.GET, "/agenda/permanences", 200, get, "List who is on duty in a window", reads(s, Unit.listPermanences)).Weighs(kernel.Heavy),
		kernel.Op(&a.CreatePermanence, "permanence.create", kernel.POST, "/agenda/permanences", 201, update, "Put a user on duty", writes(s, Unit.createPermanence)).InData().Fails(fault.Conflict),
		kernel.Op(&a.GetPermanence, "permanence.get", kernel.GET, "/agenda/permanences/{permanenceId}", 200, get, "Read a permanence", reads(s, Unit.getPermanence)).InData(),
		kernel.Op(&a.UpdatePermanence, "permanence.update", kernel.PATCH, "/agenda/permanences/{permanenceId}", 204, update, "Change the given fields of a permanence", writes(s, Unit.updatePermanence)).Fails(fault.Conflict),
		kernel.Op(&a.DeletePermanence, "permanence.delete", kernel.DELETE, "/agenda/permanences/{permanenceId}", 204, update, "Delete a permanence with all occurrences", writes(s, Unit.deletePermanence)),
		kernel.Op(&a.ListOnDuty, "agenda.on-duty", kernel.GET, "/agenda/on-duty", 200, get, "List who is on duty at a moment", reads(s, Unit.listOnDuty)),

		kernel.Op(&a.ListWorkingTimes, "worktime.list", kernel.GET, "/agenda/working-times", 200, get, "List when the active users work", reads(s, Unit.listWorkingTimes)).Weighs(kernel.Heavy),
		kernel.Op(&a.GetWorkingTime, "worktime.get", kernel.GET, "/agenda/working-times/{userId}", 200, get, "Read when a user works", reads(s, Unit.getWorkingTime)).InData(),
		kernel.Op(&a.PutWorkingTime, "worktime.put", kernel.PUT, "/agenda/working-times/{userId}", 200, update, "Say when a user works", writes(s, Unit.putWorkingTime)).InData(),

		kernel.Op(&a.GetExternalBusy, "external-busy.get", kernel.GET, "/agenda/external-busy/{userId}/{source}", 200, get, "Read when another calendar has a user busy", reads(s, Unit.getImported)).InData(),
		kernel.Op(&a.PutExternalBusy, "external-busy.put", kernel.PUT, "/agenda/external-busy/{userId}/{source}", 200, update, "Say when another calendar has a user busy", writes(s, Unit.putImported)).InData(),
		kernel.Op(&a.DeleteExternalBusy, "external-busy.delete", kernel.DELETE, "/agenda/external-busy/{userId}/{source}", 204, update, "Forget what another calendar said", writes(s, Unit.deleteImported)),

		kernel.Op(&a.ListAgendaSettings, "agenda.settings.list", kernel.GET, "/agenda/settings", 200, get, "List the agenda settings of the agencies in scope", reads(s, Unit.listSettings)),
		kernel.Op(&a.GetAgendaSettings, "agenda.settings.get", kernel.GET, "/agenda/settings/{agencyId}", 200, get, "Read the agenda settings of an agency", reads(s, Unit.getSettings)).InData(),
		kernel.Op(&a.PutAgendaSettings, "agenda.settings.put", kernel.PUT, "/agenda/settings/{agencyId}", 200, update, "Replace the agenda settings of an agency", writes(s, Unit.putSettings)).InData(),

		kernel.Op(&a.CreateCalendarFeed, "feed.create", kernel.POST, "/agenda/feeds/{userId}", 201, update, "Make a calendar feed for a user", withToken(s, Unit.createFeed)).InData(),
		kernel.Op(&a.DeleteCalendarFeed, "feed.delete", kernel.DELETE, "/agenda/feeds/{userId}", 204, update, "End the calendar feed of a user", writes(s, Unit.deleteFeed)),

		kernel.Op(&a.ListBookingSlots, "booking.slots", kernel.GET, "/products/{productId}/booking-slots", 200, kernel.Needs(publicPacks, access.ProductRead, access.ProductGet), "List when a product can be booked", reads(s, Unit.listBookingSlots)).Weighs(kernel.Heavy),
		kernel.Op(&a.CreateBookingHold, "booking.hold", kernel.POST, "/products/{productId}/booking-holds", 201, book, "Keep a time for a visitor", withToken(s, Unit.createHold)).InData().Fails(fault.Conflict),
		kernel.Op(&a.DeleteBookingHold, "booking.release", kernel.DELETE, "/booking-holds/{holdId}", 204, book, "Give a time back that was kept", writes(s, Unit.deleteHold)),
		kernel.Op(&a.CreateBooking, "booking.create", kernel.POST, "/products/{productId}/bookings", 201, book, "Book a visit", withToken(s, Unit.createBooking)).InData().Fails(fault.Conflict),
		kernel.Op(&a.GetBooking, "booking.get", kernel.GET, "/bookings/{bookingId}", 200, book, "Read a booking", reads(s, Unit.getBooking)).InData(),
		kernel.Op(&a.CancelBooking, "booking.cancel", kernel.POST, "/bookings/{bookingId}/cancel", 204, book, "Cancel a booking", writes(s, Unit.cancelBooking)).Fails(fault.Conflict),
		kernel.Op(&a.RescheduleBooking, "booking.reschedule", kernel.POST, "/bookings/{bookingId}/reschedule", 204, book, "Move a booking to another time", writes(s, Unit.rescheduleBooking)).Fails(fault.Conflict),
	}
}

// tokenHeader holds the token of a booking or a hold.
const tokenHeader = "X-Booking-Token"

// Places returns what the paths of the area name. Whether there is a booking or a hold
// is told to nobody without its token.
func (s *Service) Places() []kernel.Place {
	return []kernel.Place{
		{Path: "/agenda/events/{eventId}", Exists: kernel.Exists(s.k, NewUnit, Unit.eventExists)},
		{Path: "/agenda/events/{eventId}/occurrences/{start}", Exists: s.occurrenceExists},
		{Path: "/agenda/permanences/{permanenceId}", Exists: kernel.Exists(s.k, NewUnit, Unit.permanenceExists)},
		{Path: "/agenda/working-times/{userId}", Exists: userExists},
		{Path: "/agenda/feeds/{userId}", Exists: userExists},
		{Path: "/agenda/external-busy/{userId}/{source}", Exists: importedExists},
		{Path: "/agenda/settings/{agencyId}", Exists: kernel.ByID(func(_ context.Context, c kernel.Caller, ids []int64) error {
			_, err := agency(c, ids[0])
			return err
		})},
		{Path: "/booking-holds/{holdId}", Exists: s.proven(Unit.holdExists), Proof: tokenHeader},
		{Path: "/bookings/{bookingId}", Exists: s.proven(Unit.bookingExists), Proof: tokenHeader},
	}
}

func (u Unit) eventExists(ids []int64) error {
	_, err := u.appointments().Get(u, planning.ID(ids[0]))
	return err
}

func (s *Service) occurrenceExists(ctx context.Context, c kernel.Caller, names []string) error {
	id, err := strconv.ParseInt(names[0], 10, 64)
	if err != nil {
		return kernel.Unknown("no event has this id")
	}
	return kernel.View(ctx, s.k, c, func(of kernel.Unit) error {
		u := NewUnit(of)
		a, err := u.appointments().Get(u, planning.ID(id))
		if err != nil {
			return err
		}
		_, err = u.occurrence(a, names[1])
		return err
	})
}

func (u Unit) permanenceExists(ids []int64) error {
	_, err := u.permanences().Get(u, planning.DutyID(ids[0]))
	return err
}

func userExists(ctx context.Context, c kernel.Caller, names []string) error {
	return kernel.ByID(func(_ context.Context, c kernel.Caller, ids []int64) error {
		_, err := user(c, ids[0])
		return err
	})(ctx, c, names)
}

func importedExists(ctx context.Context, c kernel.Caller, names []string) error {
	if err := userExists(ctx, c, names[:1]); err != nil {
		return err
	}
	_, err := source(names[1])
	return err
}

// proven returns the Exists of a place that is named by an id, and known to who has its
// token.
func (s *Service) proven(find func(u Unit, id int64, token string) error) func(context.Context, kernel.Caller, []string) error {
	return func(ctx context.Context, c kernel.Caller, names []string) error {
		token := names[len(names)-1]
		return kernel.Exists(s.k, NewUnit, func(u Unit, ids []int64) error { return find(u, ids[0], token) })(ctx, c, names[:len(names)-1])
	}
}

func (u Unit) holdExists(id int64, token string) error {
	_, err := u.heldTime(id, token)
	return err
}

func (u Unit) bookingExists(id int64, token string) error {
	_, _, err := u.booked(id, token)
	return err
}

func reads[In, Out any](s *Service, use func(Unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Reads(s.k, NewUnit, use)
}

func writes[In, Out any](s *Service, use func(Unit, In) (Out, error)) kernel.UseCase[In, Out] {
	return kernel.Writes(s.k, NewUnit, use)
}

// withToken returns the use case that hands out a token, which is drawn before the unit of
// work: that may run more than once.
func withToken[In, Out any](s *Service, use func(u Unit, in In, token string) (Out, error)) kernel.UseCase[In, Out] {
	return func(ctx context.Context, c kernel.Caller, in In) (Out, error) {
		token, err := access.NewSecret(s.k.Rand)
		if err != nil {
			var none Out
			return none, err
		}
		return writes(s, func(u Unit, in In) (Out, error) { return use(u, in, token) })(ctx, c, in)
	}
}
