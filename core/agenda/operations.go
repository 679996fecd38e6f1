package agenda

import (
	"context"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/agendarecords"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/permanence"
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
	ListEventTypes api.UseCase[api.Nothing, AppointmentTypes]
	// SearchCalendarEvents finds what overlaps a window, each occurrence or each event once.
	SearchCalendarEvents api.UseCase[SearchEvents, FoundEvents]
	// GetCalendarEvent reads an event.
	GetCalendarEvent api.UseCase[EventPath, agendarecords.CalendarEvent]
	// ListOccurrences lists when an event takes place.
	ListOccurrences api.UseCase[ListOccurrences, Occurrences]
	// CreateCalendarEvent writes an event down. Which others it overlaps is told, or it is a
	// Conflict where that is asked for.
	CreateCalendarEvent api.UseCase[CreateEvent, CreatedEvent]
	// UpdateCalendarEvent changes the given fields of an event, of all its occurrences.
	UpdateCalendarEvent api.UseCase[UpdateEvent, ChangedEvent]
	// DeleteCalendarEvent deletes an event with all occurrences.
	DeleteCalendarEvent api.UseCase[DeleteEvent, api.None]
	// UpdateOccurrence changes one occurrence.
	UpdateOccurrence api.UseCase[UpdateOccurrence, api.Changed]
	// DeleteOccurrence takes one occurrence out of its series.
	DeleteOccurrence api.UseCase[DeleteOccurrence, api.Changed]
	// AnswerCalendarEvent writes down what an attendee says. Who refuses has the time again.
	AnswerCalendarEvent api.UseCase[AnswerEvent, api.Changed]
	// ReportVisit writes down what came of a visit: the event took place, the
	// follow-up of the customer goes on, and the product has an action more.
	ReportVisit api.UseCase[ReportVisit, Reported]

	// ListAvailabilities lists when users are free.
	ListAvailabilities api.UseCase[ListAvailabilities, Availabilities]
	// ListFreeBusy lists when users are busy.
	ListFreeBusy api.UseCase[ListFreeBusy, FreeBusy]

	// ListPermanences lists who is on duty in a window, each occurrence once.
	ListPermanences api.UseCase[ListPermanences, Permanences]
	// CreatePermanence puts a user on duty.
	CreatePermanence api.UseCase[CreatePermanence, api.Created]
	// GetPermanence reads a permanence.
	GetPermanence api.UseCase[PermanencePath, Permanence]
	// UpdatePermanence changes the given fields of a permanence.
	UpdatePermanence api.UseCase[UpdatePermanence, api.Changed]
	// DeletePermanence deletes a permanence with all occurrences.
	DeletePermanence api.UseCase[DeletePermanence, api.None]
	// ListOnDuty lists who is on duty at a moment.
	ListOnDuty api.UseCase[ListOnDuty, OnDuty]

	// ListWorkingTimes lists when the active users work, by id.
	ListWorkingTimes api.UseCase[ListWorkingTimes, WorkingTimes]
	// GetWorkingTime reads when a user works.
	GetWorkingTime api.UseCase[UserPath, WorkingTime]
	// PutWorkingTime says when a user works. What is booked stays.
	PutWorkingTime api.UseCase[PutWorkingTime, WorkingTime]

	// GetExternalBusy reads what a calendar elsewhere said of a user.
	GetExternalBusy api.UseCase[ImportedPath, ExternalBusy]
	// PutExternalBusy says when a calendar elsewhere has a user busy.
	PutExternalBusy api.UseCase[PutImported, ExternalBusy]
	// DeleteExternalBusy forgets what a calendar elsewhere said.
	DeleteExternalBusy api.UseCase[DeleteImported, api.None]

	// ListAgendaSettings lists what the agencies in scope have chosen.
	ListAgendaSettings api.UseCase[api.Nothing, AllAgencySettings]
	// GetAgendaSettings reads what an agency has chosen.
	GetAgendaSettings api.UseCase[AgencyPath, AgencySettings]
	// PutAgendaSettings replaces what an agency has chosen.
	PutAgendaSettings api.UseCase[PutSettings, AgencySettings]

	// CreateCalendarFeed makes a calendar feed for a user. One that there was ends.
	CreateCalendarFeed api.UseCase[CreateFeed, CreatedFeed]
	// DeleteCalendarFeed ends the calendar feed of a user.
	DeleteCalendarFeed api.UseCase[UserPath, api.None]

	// ListBookingSlots lists when a product can be booked.
	ListBookingSlots api.UseCase[ListBookingSlots, BookingSlots]
	// CreateBookingHold keeps a time for a visitor, for a while.
	CreateBookingHold api.UseCase[CreateHold, CreatedHold]
	// DeleteBookingHold gives a time back that was kept.
	DeleteBookingHold api.UseCase[DeleteHold, api.None]
	// CreateBooking books a visit: a lead, and an event, all or nothing. Of any number
	// at once, as many succeed as there are users who are free.
	CreateBooking api.UseCase[CreateBooking, CreatedBooking]
	// GetBooking reads a booking.
	GetBooking api.UseCase[BookingPath, Booking]
	// CancelBooking cancels a booking, which gives the time back.
	CancelBooking api.UseCase[CancelBooking, api.Changed]
	// RescheduleBooking moves a booking to another time.
	RescheduleBooking api.UseCase[RescheduleBooking, api.Changed]
}

// The words of the table.
const (
	packs       = api.AgendaPacks
	publicPacks = access.Agenda | access.Websites
	read        = access.AgendaRead
	write       = access.AgendaWrite
)

func (s *Service) table(a *API) []api.Operation {
	search, get := api.Needs(packs, read, access.AgendaSearch), api.Needs(packs, read, access.AgendaGet)
	create, update, remove := api.Needs(packs, write, access.AgendaCreate), api.Needs(packs, write, access.AgendaUpdate), api.Needs(packs, write, access.AgendaDelete)
	book := api.Needs(publicPacks, access.BookingWrite, access.BookingCreate)
	return []api.Operation{
		api.Op(&a.ListEventTypes, "agenda.types", api.GET, "/agenda/types", 200, get, "List the types of calendar event", reads(s, Unit.listTypes)).IsCompressed(),
		api.Op(&a.SearchCalendarEvents, "appointment.search", api.POST, "/agenda/events/search", 200, search, "Search calendar events", reads(s, Unit.searchEvents)).Weighs(api.Heavy),
		api.Op(&a.CreateCalendarEvent, "appointment.create", api.POST, "/agenda/events", 201, create, "Create a calendar event", writes(s, Unit.createEvent)).InData().Fails(fault.Conflict),
		api.Op(&a.GetCalendarEvent, "appointment.get", api.GET, "/agenda/events/{eventId}", 200, get, "Read a calendar event", reads(s, Unit.getEvent)).InData(),
		api.Op(&a.UpdateCalendarEvent, "appointment.update", api.PATCH, "/agenda/events/{eventId}", 204, update, "Change the given fields of a calendar event", writes(s, Unit.updateEvent)).Fails(fault.Conflict),
		api.Op(&a.DeleteCalendarEvent, "appointment.delete", api.DELETE, "/agenda/events/{eventId}", 204, remove, "Delete a calendar event with all occurrences", writes(s, Unit.deleteEvent)),
		api.Op(&a.ListOccurrences, "appointment.occurrences", api.GET, "/agenda/events/{eventId}/occurrences", 200, get, "List when an event takes place", reads(s, Unit.listOccurrences)),
		api.Op(&a.UpdateOccurrence, "appointment.occurrence.update", api.PATCH, "/agenda/events/{eventId}/occurrences/{start}", 204, update, "Change one occurrence of an event", writes(s, Unit.updateOccurrence)).Fails(fault.Conflict),
		api.Op(&a.DeleteOccurrence, "appointment.occurrence.delete", api.DELETE, "/agenda/events/{eventId}/occurrences/{start}", 204, update, "Take one occurrence out of an event", writes(s, Unit.deleteOccurrence)),
		api.Op(&a.AnswerCalendarEvent, "appointment.answer", api.POST, "/agenda/events/{eventId}/answers", 204, update, "Write down what an attendee answers", writes(s, Unit.answerEvent)),
		api.Op(&a.ReportVisit, "appointment.report", api.POST, "/agenda/events/{eventId}/report", 201, update, "Report a visit", writes(s, Unit.reportVisit)).InData().Fails(fault.Conflict),

		api.Op(&a.ListAvailabilities, "agenda.availabilities", api.GET, "/agenda/availabilities", 200, search, "List when users are free", reads(s, Unit.listAvailabilities)).Weighs(api.Heavy),
		api.Op(&a.ListFreeBusy, "agenda.free-busy", api.GET, "/agenda/free-busy", 200, search, "List when users are busy", reads(s, Unit.listFreeBusy)).Weighs(api.Heavy),

		api.Op(&a.ListPermanences, "permanence.list", api.GET, "/agenda/permanences", 200, get, "List who is on duty in a window", reads(s, Unit.listPermanences)).Weighs(api.Heavy),
		api.Op(&a.CreatePermanence, "permanence.create", api.POST, "/agenda/permanences", 201, update, "Put a user on duty", writes(s, Unit.createPermanence)).InData().Fails(fault.Conflict),
		api.Op(&a.GetPermanence, "permanence.get", api.GET, "/agenda/permanences/{permanenceId}", 200, get, "Read a permanence", reads(s, Unit.getPermanence)).InData(),
		api.Op(&a.UpdatePermanence, "permanence.update", api.PATCH, "/agenda/permanences/{permanenceId}", 204, update, "Change the given fields of a permanence", writes(s, Unit.updatePermanence)).Fails(fault.Conflict),
		api.Op(&a.DeletePermanence, "permanence.delete", api.DELETE, "/agenda/permanences/{permanenceId}", 204, update, "Delete a permanence with all occurrences", writes(s, Unit.deletePermanence)),
		api.Op(&a.ListOnDuty, "agenda.on-duty", api.GET, "/agenda/on-duty", 200, get, "List who is on duty at a moment", reads(s, Unit.listOnDuty)),

		api.Op(&a.ListWorkingTimes, "worktime.list", api.GET, "/agenda/working-times", 200, get, "List when the active users work", reads(s, Unit.listWorkingTimes)).Weighs(api.Heavy),
		api.Op(&a.GetWorkingTime, "worktime.get", api.GET, "/agenda/working-times/{userId}", 200, get, "Read when a user works", reads(s, Unit.getWorkingTime)).InData(),
		api.Op(&a.PutWorkingTime, "worktime.put", api.PUT, "/agenda/working-times/{userId}", 200, update, "Say when a user works", writes(s, Unit.putWorkingTime)).InData(),

		api.Op(&a.GetExternalBusy, "external-busy.get", api.GET, "/agenda/external-busy/{userId}/{source}", 200, get, "Read when another calendar has a user busy", reads(s, Unit.getImported)).InData(),
		api.Op(&a.PutExternalBusy, "external-busy.put", api.PUT, "/agenda/external-busy/{userId}/{source}", 200, update, "Say when another calendar has a user busy", writes(s, Unit.putImported)).InData(),
		api.Op(&a.DeleteExternalBusy, "external-busy.delete", api.DELETE, "/agenda/external-busy/{userId}/{source}", 204, update, "Forget what another calendar said", writes(s, Unit.deleteImported)),

		api.Op(&a.ListAgendaSettings, "agenda.settings.list", api.GET, "/agenda/settings", 200, get, "List the agenda settings of the agencies in scope", reads(s, Unit.listSettings)),
		api.Op(&a.GetAgendaSettings, "agenda.settings.get", api.GET, "/agenda/settings/{agencyId}", 200, get, "Read the agenda settings of an agency", reads(s, Unit.getSettings)).InData(),
		api.Op(&a.PutAgendaSettings, "agenda.settings.put", api.PUT, "/agenda/settings/{agencyId}", 200, update, "Replace the agenda settings of an agency", writes(s, Unit.putSettings)).InData(),

		api.Op(&a.CreateCalendarFeed, "feed.create", api.POST, "/agenda/feeds/{userId}", 201, update, "Make a calendar feed for a user", withToken(s, Unit.createFeed)).InData(),
		api.Op(&a.DeleteCalendarFeed, "feed.delete", api.DELETE, "/agenda/feeds/{userId}", 204, update, "End the calendar feed of a user", writes(s, Unit.deleteFeed)),

		api.Op(&a.ListBookingSlots, "booking.slots", api.GET, "/products/{productId}/booking-slots", 200, api.Needs(publicPacks, access.ProductRead, access.ProductGet), "List when a product can be booked", reads(s, Unit.listBookingSlots)).Weighs(api.Heavy),
		api.Op(&a.CreateBookingHold, "booking.hold", api.POST, "/products/{productId}/booking-holds", 201, book, "Keep a time for a visitor", withToken(s, Unit.createHold)).InData().Fails(fault.Conflict),
		api.Op(&a.DeleteBookingHold, "booking.release", api.DELETE, "/booking-holds/{holdId}", 204, book, "Give a time back that was kept", writes(s, Unit.deleteHold)),
		api.Op(&a.CreateBooking, "booking.create", api.POST, "/products/{productId}/bookings", 201, book, "Book a visit", withToken(s, Unit.createBooking)).InData().Fails(fault.Conflict),
		api.Op(&a.GetBooking, "booking.get", api.GET, "/bookings/{bookingId}", 200, book, "Read a booking", reads(s, Unit.getBooking)).InData(),
		api.Op(&a.CancelBooking, "booking.cancel", api.POST, "/bookings/{bookingId}/cancel", 204, book, "Cancel a booking", writes(s, Unit.cancelBooking)).Fails(fault.Conflict),
		api.Op(&a.RescheduleBooking, "booking.reschedule", api.POST, "/bookings/{bookingId}/reschedule", 204, book, "Move a booking to another time", writes(s, Unit.rescheduleBooking)).Fails(fault.Conflict),
	}
}

// tokenHeader holds the token of a booking or a hold.
const tokenHeader = "X-Booking-Token"

// Places are what the paths of the area name. Whether there is a booking or a hold
// is told to nobody without its token.
func (s *Service) Places() []api.Place {
	return []api.Place{
		{Path: "/agenda/events/{eventId}", Exists: api.Exists(s.k, NewUnit, Unit.eventExists)},
		{Path: "/agenda/events/{eventId}/occurrences/{start}", Exists: s.occurrenceExists},
		{Path: "/agenda/permanences/{permanenceId}", Exists: api.Exists(s.k, NewUnit, Unit.permanenceExists)},
		{Path: "/agenda/working-times/{userId}", Exists: userExists},
		{Path: "/agenda/feeds/{userId}", Exists: userExists},
		{Path: "/agenda/external-busy/{userId}/{source}", Exists: importedExists},
		{Path: "/agenda/settings/{agencyId}", Exists: api.ByID(func(_ context.Context, c api.Caller, ids []int64) error {
			_, err := agency(c, ids[0])
			return err
		})},
		{Path: "/booking-holds/{holdId}", Exists: s.proven(Unit.holdExists), Proof: tokenHeader},
		{Path: "/bookings/{bookingId}", Exists: s.proven(Unit.bookingExists), Proof: tokenHeader},
	}
}

func (u Unit) eventExists(ids []int64) error {
	_, err := u.appointments().Get(u, appointment.ID(ids[0]))
	return err
}

func (s *Service) occurrenceExists(ctx context.Context, c api.Caller, names []string) error {
	id, err := strconv.ParseInt(names[0], 10, 64)
	if err != nil {
		return api.Unknown("no event has this id")
	}
	return api.View(ctx, s.k, c, func(of api.Unit) error {
		u := NewUnit(of)
		a, err := u.appointments().Get(u, appointment.ID(id))
		if err != nil {
			return err
		}
		_, err = u.occurrence(a, names[1])
		return err
	})
}

func (u Unit) permanenceExists(ids []int64) error {
	_, err := u.permanences().Get(u, permanence.ID(ids[0]))
	return err
}

func userExists(ctx context.Context, c api.Caller, names []string) error {
	return api.ByID(func(_ context.Context, c api.Caller, ids []int64) error {
		_, err := user(c, ids[0])
		return err
	})(ctx, c, names)
}

func importedExists(ctx context.Context, c api.Caller, names []string) error {
	if err := userExists(ctx, c, names[:1]); err != nil {
		return err
	}
	_, err := source(names[1])
	return err
}

// proven is the Exists of a place that is named by an id, and known to who has its
// token.
func (s *Service) proven(find func(u Unit, id int64, token string) error) func(context.Context, api.Caller, []string) error {
	return func(ctx context.Context, c api.Caller, names []string) error {
		token := names[len(names)-1]
		return api.Exists(s.k, NewUnit, func(u Unit, ids []int64) error { return find(u, ids[0], token) })(ctx, c, names[:len(names)-1])
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

func reads[In, Out any](s *Service, use func(Unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Reads(s.k, NewUnit, use)
}

func writes[In, Out any](s *Service, use func(Unit, In) (Out, error)) api.UseCase[In, Out] {
	return api.Writes(s.k, NewUnit, use)
}

// withToken is the use case that hands out a token, which is drawn before the unit of
// work: that may run more than once.
func withToken[In, Out any](s *Service, use func(u Unit, in In, token string) (Out, error)) api.UseCase[In, Out] {
	return func(ctx context.Context, c api.Caller, in In) (Out, error) {
		token, err := access.NewSecret(s.k.Rand)
		if err != nil {
			var none Out
			return none, err
		}
		return writes(s, func(u Unit, in In) (Out, error) { return use(u, in, token) })(ctx, c, in)
	}
}
