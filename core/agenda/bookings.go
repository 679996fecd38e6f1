package agenda

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/agendarecords"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/appointment"
	"github.com/vitrine-crm/vitrine/core/booking"
	"github.com/vitrine-crm/vitrine/core/calendar"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/interval"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/people"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/transition"
)

// asked is the product that a path names, without holding it: many visitors may ask
// for one at once.
func (u Unit) asked(id int64) (product.Product, error) {
	found, err := u.Products().Many(u.Site.ID, []product.ID{product.ID(id)})
	if err != nil || len(found) == 0 {
		return product.Product{}, api.FirstError(err, api.Unknown(listing.Products.Unknown))
	}
	return found[0], u.Sees(found[0].Agency)
}

// bookable is what can be booked of a product.
func (u Unit) bookable(p product.Product) (agendarecords.Bookable, error) {
	s, err := agendarecords.SettingsOf(u, u.Site.ID, p.Agency)
	return agendarecords.BookableOf(u.Site.SiteView, p, s), err
}

func (u Unit) listBookingSlots(in ListBookingSlots) (BookingSlots, error) {
	p, err := u.asked(in.ID)
	if err != nil {
		return BookingSlots{}, err
	}
	b, err := u.bookable(p)
	if err != nil {
		return BookingSlots{}, err
	}
	var problems fault.Problems
	window := u.bookingWindow(in, b, &problems)
	if err := problems.Err(); err != nil {
		return BookingSlots{}, err
	}
	slots, err := b.Slots(u.kernel(), window, 0, nil)
	list := BookingSlots{Data: []agendarecords.Slot{}}
	for _, s := range slots {
		record := agendarecords.Slot{StartAt: api.Instant{Time: s.Start}, EndAt: api.Instant{Time: s.End}, UserIDs: []int64{}}
		if u.SeesAgenda() {
			record.UserIDs = agendarecords.Numbers(s.Users)
		}
		list.Data = append(list.Data, record)
	}
	return list, err
}

// bookingWindow is the window that slots are asked for in. Where nothing is said of
// its end, it is as far as can be booked, or as long as a window may be.
func (u Unit) bookingWindow(in ListBookingSlots, b agendarecords.Bookable, problems *fault.Problems) interval.Interval {
	window := b.Query(u.Site.Zone, u.Now, interval.Interval{}).Window
	if in.To.Or("") != "" || in.From.Or("") == "" {
		return u.bounds(in.From, in.To, window, maxFree, problems)
	}
	window.Start = u.moment("from", in.From, problems)
	if longest := window.Start.Add(maxFree); longest.Before(window.End) {
		window.End = longest
	}
	return window
}

// closed is a Conflict while a product cannot be booked.
func closed(b agendarecords.Bookable) error {
	if b.Open {
		return nil
	}
	return fault.New(fault.Conflict, fault.CodeBookingClosed, "the product cannot be booked")
}

// free are the candidates who are free for a visit that begins at a start, with a
// Conflict where there is nobody. Calendars must be held. What but picks counts as
// free.
func (u Unit) free(b agendarecords.Bookable, start time.Time, but func(agendarecords.Taken) bool) ([]site.UserID, error) {
	slots, err := b.Slots(u.kernel(), interval.Interval{Start: start, End: start.Add(b.Duration())}, 0, but)
	if err != nil {
		return nil, err
	}
	for _, s := range slots {
		if s.Start.Equal(start) {
			return s.Users, nil
		}
	}
	return nil, slotTaken("nobody is free then")
}

// choose picks of some free users the one with the fewest busy events that begin on
// the day of a start, then the one with the lowest id.
func (u Unit) choose(users []site.UserID, start time.Time) (site.UserID, error) {
	day := calendar.On(start, u.Site.Zone)
	window := interval.Interval{Start: day.Start(u.Site.Zone), End: day.End(u.Site.Zone)}
	taken, err := agendarecords.TakenFrom(u.kernel(), users, window)
	if err != nil {
		return 0, err
	}
	busy := map[site.UserID]int{}
	for _, t := range taken {
		if t.Appointment != 0 && window.Contains(t.Start) {
			busy[t.User]++
		}
	}
	return slices.MinFunc(users, func(a, b site.UserID) int {
		if busy[a] != busy[b] {
			return busy[a] - busy[b]
		}
		return int(a - b)
	}), nil
}

func (u Unit) createHold(in CreateHold, token string) (CreatedHold, error) {
	p, err := u.asked(in.ID)
	if err != nil {
		return CreatedHold{}, err
	}
	var problems fault.Problems
	start := u.moment("start_at", in.StartAt, &problems)
	if err := problems.Err(); err != nil {
		return CreatedHold{}, err
	}
	b, err := u.bookable(p)
	if err := api.FirstError(err, closed(b)); err != nil {
		return CreatedHold{}, err
	}
	if err := u.Calendars().Hold(u.Site.ID, b.Candidates); err != nil {
		return CreatedHold{}, err
	}
	held, err := u.Holds().Count(u.Site.ID, p.ID, u.Grant.Credential, u.Now)
	if err != nil {
		return CreatedHold{}, err
	}
	if held >= booking.MaxHolds {
		return CreatedHold{}, fault.New(fault.Conflict, fault.CodeConflict, "the client holds %d times of the product already", held)
	}
	users, err := u.free(b, start, nil)
	if err != nil {
		return CreatedHold{}, err
	}
	h := booking.Hold{
		Site: u.Site.ID, Product: p.ID, Credential: u.Grant.Credential, Start: start, End: start.Add(b.Duration()),
		Expires: u.Now.Add(time.Duration(b.Settings.HoldSeconds) * time.Second), Token: u.Options.Pepper.Hash(token),
	}
	h.Before, h.After = b.Buffers()
	if h.User, err = u.choose(users, start); err != nil {
		return CreatedHold{}, err
	}
	if h.ID, err = api.NextID[booking.HoldID](u, port.HoldIDs); err != nil {
		return CreatedHold{}, err
	}
	return CreatedHold{
		Created: u.Created("/booking-holds/", int64(h.ID)), Token: token, StartAt: api.Instant{Time: h.Start}, EndAt: api.Instant{Time: h.End},
		ExpiresAt: api.Instant{Time: h.Expires},
	}, u.Holds().Put(h)
}

// errNoHold is also what somebody learns who has the wrong token.
func errNoHold() error { return api.Unknown("no hold has this id and token") }

// heldTime is a hold that a path names, for who has its token.
func (u Unit) heldTime(id int64, token string) (booking.Hold, error) {
	h, err := u.Holds().Get(u.Site.ID, booking.HoldID(id))
	if err == nil && (!h.Live(u.Now) || !u.proves(h.Token, token)) {
		err = errNoHold()
	}
	return h, api.AbsentIs(err, errNoHold())
}

func (u Unit) deleteHold(in DeleteHold) (api.None, error) {
	h, err := u.heldTime(in.ID, in.Token)
	if err != nil {
		return api.None{}, err
	}
	return api.None{}, u.Holds().Delete(u.Site.ID, h.ID)
}

// proves reports whether a token is the one behind a hash, which may have ended.
func (u Unit) proves(hash access.Hash, token string) bool {
	return hash != "" && token != "" && u.Options.Pepper.Hash(token).Matches(hash)
}

// visit is a visit that is about to be booked.
type visit struct {
	product product.Product
	what    agendarecords.Bookable
	lead    people.BuyerLead
	start   time.Time
	end     time.Time
	user    site.UserID
	// before and after are minutes.
	before, after int
}

func (u Unit) createBooking(in CreateBooking, token string) (CreatedBooking, error) {
	p, err := u.asked(in.ID)
	if err != nil {
		return CreatedBooking{}, err
	}
	v := visit{product: p}
	var problems fault.Problems
	v.start = u.moment("start_at", in.StartAt, &problems)
	f := form.Form{Problems: &problems}
	required(f, "hold_token", in.HoldID.Given() && in.HoldToken.Or("") == "")
	required(f, "hold_id", !in.HoldID.Given() && in.HoldToken.Or("") != "")
	var holdToken string
	f.Text("hold_token", &holdToken, in.HoldToken, form.MaxName)
	if v.lead, err = u.readContact(in, v, &problems); err != nil {
		return CreatedBooking{}, err
	}
	if err := problems.Err(); err != nil {
		return CreatedBooking{}, err
	}
	if v.what, err = u.bookable(p); err != nil {
		return CreatedBooking{}, err
	}
	if err := closed(v.what); err != nil {
		return CreatedBooking{}, err
	}
	if in.HoldID.Given() {
		err = u.redeem(&v, booking.HoldID(in.HoldID.Value), holdToken)
	} else {
		err = u.take(&v, nil)
	}
	if err != nil {
		return CreatedBooking{}, err
	}
	return u.book(v, token)
}

// readContact reads who books, as the lead that it makes.
func (u Unit) readContact(in CreateBooking, v visit, problems *fault.Problems) (people.BuyerLead, error) {
	if !in.Contact.Given() {
		problems.Add("contact", fault.CodeRequired, "contact is required")
		return people.BuyerLead{}, nil
	}
	of := in.Contact.Value
	var wish people.VisitWishInput
	if !v.start.IsZero() {
		local := v.start.In(u.Site.Zone)
		wish.Date, wish.Slot = opt.Of(local.Format(time.DateOnly)), opt.Of(local.Format("15:04"))
	}
	wanted := people.CreateBuyerLead{
		LeadInput: people.LeadInput{
			AgencyID: opt.Of(int64(v.product.Agency)), Civility: of.Civility, Firstname: of.Firstname, Lastname: of.Lastname, Email: of.Email, Phone: of.Phone,
			Message: in.Message, Consent: in.Consent,
		},
		ProductID: opt.Of(int64(v.product.ID)), VisitWish: opt.Of(wish),
	}
	var own fault.Problems
	l, err := u.ReadBuyerLead(wanted, v.product, planVisit, &own)
	if invalid := own.Err(); invalid != nil {
		for _, d := range fault.From(invalid).Details {
			if d.Field != "message" && !strings.HasPrefix(d.Field, "consent") {
				d.Field = "contact." + d.Field
			}
			problems.Append(d)
		}
	}
	return l, err
}

// planVisit says in a follow-up that a visit is planned, unless it has come further.
func planVisit(u people.Unit, f *demand.FollowUp) {
	switch f.Status {
	case people.FollowUpVisited, people.FollowUpOffer, people.FollowUpAcquired:
	default:
		u.Step(f, people.FollowUpVisitPlanned, f.User)
	}
}

// take finds a user for a visit, whose calendar is held from then on. What but picks
// counts as free.
func (u Unit) take(v *visit, but func(agendarecords.Taken) bool) error {
	if err := u.Calendars().Hold(u.Site.ID, v.what.Candidates); err != nil {
		return err
	}
	users, err := u.free(v.what, v.start, but)
	if err != nil {
		return err
	}
	v.end = v.start.Add(v.what.Duration())
	v.before, v.after = v.what.Buffers()
	v.user, err = u.choose(users, v.start)
	return err
}

// redeem gives a visit the user and time of a hold, which is used up.
func (u Unit) redeem(v *visit, id booking.HoldID, token string) error {
	expired := fault.New(fault.Conflict, fault.CodeHoldExpired, "the hold has expired, was used or ended, or its token is wrong")
	peeked, err := u.Holds().Many(u.Site.ID, []booking.HoldID{id})
	if err != nil {
		return err
	}
	if len(peeked) == 0 {
		return expired
	}
	if err := u.Calendars().Hold(u.Site.ID, []site.UserID{peeked[0].User}); err != nil {
		return err
	}
	h, err := u.Holds().Get(u.Site.ID, id)
	if err != nil {
		return api.AbsentIs(err, expired)
	}
	if !h.Live(u.Now) || h.Product != v.product.ID || !u.proves(h.Token, token) {
		return expired
	}
	if !h.Start.Equal(v.start) {
		return api.Invalid("start_at", fault.CodeOutOfRange, "start_at is not that of the hold")
	}
	v.user, v.end, v.before, v.after = h.User, h.End, h.Before, h.After
	return u.Holds().Delete(u.Site.ID, h.ID)
}

// book writes a visit down with everything that comes of it.
func (u Unit) book(v visit, token string) (CreatedBooking, error) {
	received, err := u.ReceiveBuyerLead(v.lead)
	if err != nil {
		return CreatedBooking{}, err
	}
	if err := u.checkNotBooked(received.Customer, v.product.ID); err != nil {
		return CreatedBooking{}, err
	}
	w := people.Wanted{Product: v.product.ID, By: []customer.ID{received.Customer}, Search: received.Search, User: received.User}
	if err := u.Reach(w, true, func(f *demand.FollowUp) { planVisit(u.Unit, f) }); err != nil {
		return CreatedBooking{}, err
	}
	id, err := api.NextID[booking.ID](u, port.BookingIDs)
	if err != nil {
		return CreatedBooking{}, err
	}
	made, err := u.appointments().Create(u, u.visitOf(v, id, received.Customer))
	if err != nil {
		return CreatedBooking{}, err
	}
	b := booking.Booking{
		ID: id, Site: u.Site.ID, Agency: v.product.Agency, Product: v.product.ID, Appointment: made.ID, Customer: received.Customer, Lead: received.ID,
		Start: v.start, End: v.end, Token: u.Options.Pepper.Hash(token), Added: u.Now, Modified: u.Now, Version: made.Version,
	}
	return CreatedBooking{
		Created: u.Created("/bookings/", int64(id)), Token: token, StartAt: api.Instant{Time: v.start}, EndAt: api.Instant{Time: v.end}, Status: string(made.Status),
	}, u.Bookings().Put(b)
}

// visitOf is the appointment of a visit that is booked.
func (u Unit) visitOf(v visit, id booking.ID, by customer.ID) appointment.Appointment {
	kind, _ := u.Site.AppointmentTypes.Find(v.what.Settings.Type)
	return appointment.Appointment{
		Site: u.Site.ID, Agency: v.product.Agency, Type: kind.Model, Title: strings.TrimSpace(kind.Label + " " + v.product.Reference),
		Location: addressOf(v.product), Status: statusOf(v.what.Settings), Start: v.start.UTC(), End: v.end.UTC(), Zone: u.Site.Settings().TimeZone,
		Attendees: []appointment.Attendee{
			{ID: 1, Kind: appointment.User, User: v.user, Role: appointment.Organiser, Answer: appointment.Waiting},
			{ID: 2, Kind: appointment.Customer, Customer: by, Role: appointment.Required, Answer: appointment.Accepted},
		},
		LastAttendee: 2, Products: []product.ID{v.product.ID}, Busy: true, Before: v.before, After: v.after, Visibility: appointment.Public,
		Booking: id, CreatedBy: u.Grant.Credential, Told: u.Now,
	}
}

// statusOf is the status of a visit that was booked with some settings.
func statusOf(s booking.Settings) appointment.Status {
	if s.Confirmation == booking.ByHand {
		return appointment.Planned
	}
	return appointment.Confirmed
}

// addressOf is where a product is visited: its address, or its town alone where the
// address is hidden.
func addressOf(p product.Product) string {
	town := p.Criteria.Text(criteria.KeyCity)
	if p.Criteria.Flag(criteria.KeyHideAddress) {
		return town
	}
	town = strings.TrimSpace(p.Criteria.Text(criteria.KeyPostalCode) + " " + town)
	return strings.Trim(p.Criteria.Text(criteria.KeyAddress)+", "+town, ", ")
}

// checkNotBooked is a Conflict when a customer has a booking of a product ahead of
// them.
func (u Unit) checkNotBooked(by customer.ID, about product.ID) error {
	theirs, err := u.Bookings().Of(u.Site.ID, by)
	if err != nil {
		return err
	}
	var ids []appointment.ID
	for _, b := range theirs {
		if b.Product == about {
			ids = append(ids, b.Appointment)
		}
	}
	found, err := u.Appointments().Many(u.Site.ID, ids)
	for _, a := range found {
		if a.Status != appointment.Cancelled && a.Start.After(u.Now) {
			return fault.New(fault.Conflict, fault.CodeAlreadyBooked, "the customer has a booking of the product ahead of them")
		}
	}
	return err
}

// errNoBooking is also what somebody learns who has the wrong token.
func errNoBooking() error { return api.Unknown("no booking has this id and token") }

// booked is a booking that a path names, with its appointment as far as that is
// there. Who does not see the agenda has to have the token. In a unit that writes
// both are held.
func (u Unit) booked(id int64, token string) (b booking.Booking, a appointment.Appointment, err error) {
	if b, err = u.Bookings().Get(u.Site.ID, booking.ID(id)); err != nil {
		return b, a, api.AbsentIs(err, errNoBooking())
	}
	if !u.Grant.Packs.Any(access.Agenda) && !u.proves(b.Token, token) {
		return b, a, errNoBooking()
	}
	if err := u.Sees(b.Agency); err != nil {
		return b, a, err
	}
	a, err = u.Appointments().Get(u.Site.ID, b.Appointment)
	return b, a, api.AbsentIs(err, nil)
}

func (u Unit) getBooking(in BookingPath) (Booking, error) {
	b, a, err := u.booked(in.ID, in.Token)
	if err != nil {
		return Booking{}, err
	}
	s, err := agendarecords.SettingsOf(u, u.Site.ID, b.Agency)
	return u.ofBooking(b, a, s), err
}

func (u Unit) ofBooking(b booking.Booking, a appointment.Appointment, s booking.Settings) Booking {
	times := agendarecords.OfBooking(b, a)
	record := Booking{
		ID: int64(b.ID), ProductID: api.Nullable(int64(b.Product)), StartAt: times.StartAt, EndAt: times.EndAt, Status: times.Status,
		CancelUntil: api.Instant{Time: s.CancelUntil(times.StartAt.Time)}, DateAdded: api.Instant{Time: b.Added}, Version: api.Version(max(b.Version, a.Version)),
	}
	agent, known := u.Site.Users[firstUser(a)]
	if u.SeesAgenda() {
		record.EventID, record.CustomerID, record.LeadID = api.Nullable(int64(a.ID)), api.Nullable(int64(b.Customer)), api.Nullable(int64(b.Lead))
	} else if !agent.WebVisible {
		known = false
	}
	if known {
		record.User = &BookedUser{ID: int64(agent.ID), Firstname: agent.Firstname, Lastname: agent.Lastname}
	}
	return record
}

// ahead is a Conflict when a booking is not ahead any more, or too near for a
// visitor to change it.
func (u Unit) ahead(b booking.Booking, a appointment.Appointment) error {
	if a.ID == 0 {
		return transition.Refused(appointment.Cancelled, "the event is gone")
	}
	if !a.Status.Ahead() {
		return transition.Refused(a.Status, "the event is not ahead any more")
	}
	s, err := agendarecords.SettingsOf(u, u.Site.ID, b.Agency)
	if err != nil {
		return err
	}
	late := !u.Now.Before(a.Start)
	if !u.Grant.Packs.Any(access.Agenda) {
		late = late || u.Now.After(s.CancelUntil(a.Start))
	}
	if late {
		return fault.New(fault.Conflict, fault.CodeBookingClosed, "it is too late to change the booking")
	}
	return nil
}

func (u Unit) cancelBooking(in CancelBooking) (api.Changed, error) {
	b, a, err := u.booked(in.ID, in.Token)
	if err != nil {
		return api.Changed{}, err
	}
	var problems fault.Problems
	form.Form{Problems: &problems}.Text("reason", &b.Reason, in.Reason, form.MaxComment)
	if err := api.FirstError(problems.Err(), u.ahead(b, a)); err != nil {
		return api.Changed{}, err
	}
	changed, err := agendarecords.Change(u.kernel(), a, api.IfMatch{}, func(a appointment.Appointment) (appointment.Appointment, error) {
		a.Status = appointment.Cancelled
		a.Sequence++
		return a, nil
	})
	if err != nil {
		return api.Changed{}, err
	}
	b.Modified, b.Version = u.Now, int64(changed.Version)
	return changed, u.Bookings().Put(b)
}

func (u Unit) rescheduleBooking(in RescheduleBooking) (api.Changed, error) {
	peeked, err := u.Bookings().Many(u.Site.ID, []booking.ID{booking.ID(in.ID)})
	if err != nil || len(peeked) == 0 {
		return api.Changed{}, api.FirstError(err, errNoBooking())
	}
	p, err := u.Products().Many(u.Site.ID, []product.ID{peeked[0].Product})
	if err != nil {
		return api.Changed{}, err
	}
	v := visit{}
	if len(p) > 0 {
		v.product = p[0]
	}
	if v.what, err = u.bookable(v.product); err != nil {
		return api.Changed{}, err
	}
	before, err := u.Appointments().Many(u.Site.ID, []appointment.ID{peeked[0].Appointment})
	if err != nil {
		return api.Changed{}, err
	}
	own := site.UserID(0)
	if len(before) > 0 {
		own = firstUser(before[0])
	}
	if u.Site.Users[own].Active && !slices.Contains(v.what.Candidates, own) {
		v.what.Candidates = append(v.what.Candidates, own)
		slices.Sort(v.what.Candidates)
	}
	if err := u.Calendars().Hold(u.Site.ID, v.what.Candidates); err != nil {
		return api.Changed{}, err
	}
	return u.reschedule(in, v)
}

// reschedule moves a booking, once the calendars of all whom it may concern are
// held. Its own time counts as free.
func (u Unit) reschedule(in RescheduleBooking, v visit) (api.Changed, error) {
	b, a, err := u.booked(in.ID, in.Token)
	if err != nil {
		return api.Changed{}, err
	}
	var problems fault.Problems
	v.start = u.moment("start_at", in.StartAt, &problems)
	if err := api.FirstError(problems.Err(), u.ahead(b, a), closed(v.what)); err != nil {
		return api.Changed{}, err
	}
	own := firstUser(a)
	users, err := u.free(v.what, v.start, func(t agendarecords.Taken) bool { return t.Appointment == a.ID })
	if err != nil {
		return api.Changed{}, err
	}
	if v.user = own; !slices.Contains(users, own) {
		if v.user, err = u.choose(users, v.start); err != nil {
			return api.Changed{}, err
		}
	}
	changed, err := agendarecords.Change(u.kernel(), a, api.IfMatch{}, func(a appointment.Appointment) (appointment.Appointment, error) {
		a = a.Clone()
		a.Start, a.End, a.Status = v.start.UTC(), v.start.Add(v.what.Duration()).UTC(), statusOf(v.what.Settings)
		a.Before, a.After = v.what.Buffers()
		a.Sequence++
		return a.Handed(own, v.user), nil
	})
	if err != nil {
		return api.Changed{}, err
	}
	b.Start, b.End, b.Modified, b.Version = v.start, v.start.Add(v.what.Duration()), u.Now, int64(changed.Version)
	return changed, u.Bookings().Put(b)
}
