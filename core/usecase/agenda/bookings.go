package agenda

import (
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// asked returns the product that a path names, without holding it: many visitors may ask
// for one at once.
func (u Unit) asked(id int64) (product.Product, error) {
	found, err := u.Products().Many(u.Site.ID, []product.ID{product.ID(id)})
	if err != nil || len(found) == 0 {
		return product.Product{}, kernel.FirstError(err, kernel.Unknown("%s", listing.Products.Unknown))
	}
	return found[0], u.Sees(found[0].Agency)
}

// bookable returns what can be booked of a product.
func (u Unit) bookable(p product.Product) (agendarecords.Bookable, error) {
	s, err := agendarecords.SettingsOf(u.Tx, u.Site.ID, p.Agency)
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
		record := agendarecords.Slot{StartAt: kernel.Instant{Time: s.Start}, EndAt: kernel.Instant{Time: s.End}, UserIDs: []int64{}}
		if u.SeesAgenda() {
			record.UserIDs = agendarecords.Numbers(s.Users)
		}
		list.Data = append(list.Data, record)
	}
	return list, err
}

// bookingWindow returns the window that slots are asked for in. Where nothing is said of
// its end, it is as far as can be booked, or as long as a window may be.
func (u Unit) bookingWindow(in ListBookingSlots, b agendarecords.Bookable, problems *fault.Problems) calendar.Interval {
	window := b.Query(u.Now, calendar.Interval{}).Window
	if in.To.Or("") != "" || in.From.Or("") == "" {
		return bounds(b.Zone, in.From, in.To, window, maxFree, problems)
	}
	window.Start = moment(b.Zone, "from", in.From, problems)
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

// free returns the candidates who are free for a visit that begins at a start, with a
// Conflict where there is nobody. Calendars must be locked. What but picks counts as
// free.
func (u Unit) free(b agendarecords.Bookable, start time.Time, but func(agendarecords.Taken) bool) ([]site.UserID, error) {
	slots, err := b.Slots(u.kernel(), calendar.Interval{Start: start, End: start.Add(b.Duration())}, 0, but)
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
// the day of a start in a zone, then the one with the lowest id.
func (u Unit) choose(users []site.UserID, start time.Time, zone *time.Location) (site.UserID, error) {
	day := calendar.On(start, zone)
	window := calendar.Interval{Start: day.Start(zone), End: day.End(zone)}
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
	v.start = moment(u.Site.ZoneOf(p.Agency), "start_at", in.StartAt, &problems)
	f := form.Form{Problems: &problems}
	f.Required("hold_token", in.HoldID.Given() && in.HoldToken.Or("") == "")
	f.Required("hold_id", !in.HoldID.Given() && in.HoldToken.Or("") != "")
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
		err = u.redeem(&v, planning.HoldID(in.HoldID.Value), holdToken)
	} else {
		err = u.take(&v)
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
		local := v.start.In(u.Site.ZoneOf(v.product.Agency))
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

// take finds a user for a visit, whose calendar is locked from then on.
func (u Unit) take(v *visit) error {
	if err := u.Calendars().Hold(u.Site.ID, v.what.Candidates); err != nil {
		return err
	}
	users, err := u.free(v.what, v.start, nil)
	if err != nil {
		return err
	}
	v.end = v.start.Add(v.what.Duration())
	v.before, v.after = v.what.Buffers()
	v.user, err = u.choose(users, v.start, v.what.Zone)
	return err
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
	id, err := kernel.NextID[planning.BookingID](u, port.BookingIDs)
	if err != nil {
		return CreatedBooking{}, err
	}
	made, err := u.appointments().Create(u, u.visitOf(v, id, received.Customer))
	if err != nil {
		return CreatedBooking{}, err
	}
	b := planning.Booking{
		ID: id, Site: u.Site.ID, Agency: v.product.Agency, Product: v.product.ID, Appointment: made.ID, Customer: received.Customer, Lead: received.ID,
		Start: v.start, End: v.end, Token: u.Options.Pepper.Hash(token), Added: u.Now, Modified: u.Now, Version: made.Version,
	}
	return CreatedBooking{
		Created: u.Created("/bookings/", int64(id)), Token: token, StartAt: kernel.Instant{Time: v.start}, EndAt: kernel.Instant{Time: v.end}, Status: string(made.Status),
	}, u.Bookings().Put(b)
}

// visitOf returns the appointment of a visit that is booked.
func (u Unit) visitOf(v visit, id planning.BookingID, by customer.ID) planning.Appointment {
	kind, _ := u.Site.AppointmentTypes.Find(v.what.Settings.Type)
	return planning.Appointment{
		Site: u.Site.ID, Agency: v.product.Agency, Type: kind.Model, Title: strings.TrimSpace(kind.Label + " " + v.product.Reference),
		Location: addressOf(v.product), Status: statusOf(v.what.Settings), Start: v.start.UTC(), End: v.end.UTC(), Zone: u.Site.ZoneOf(v.product.Agency).String(),
		Attendees: []planning.Attendee{
			{ID: 1, Kind: planning.User, User: v.user, Role: planning.Organiser, Answer: planning.Waiting},
			{ID: 2, Kind: planning.Customer, Customer: by, Role: planning.Required, Answer: planning.Accepted},
		},
		LastAttendee: 2, Products: []product.ID{v.product.ID}, Busy: true, Before: v.before, After: v.after, Visibility: planning.Public,
		Booking: id, CreatedBy: u.Grant.Credential, Told: u.Now,
	}
}

// statusOf returns the status of a visit that was booked with some settings.
func statusOf(s planning.BookingSettings) planning.Status {
	if s.Confirmation == planning.ByHand {
		return planning.Planned
	}
	return planning.Confirmed
}

// addressOf returns where a product is visited: its address, or its town alone where the
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
	var ids []planning.ID
	for _, b := range theirs {
		if b.Product == about {
			ids = append(ids, b.Appointment)
		}
	}
	found, err := u.Appointments().Many(u.Site.ID, ids)
	for _, a := range found {
		if a.Status != planning.Cancelled && a.Start.After(u.Now) {
			return fault.New(fault.Conflict, fault.CodeAlreadyBooked, "the customer has a booking of the product ahead of them")
		}
	}
	return err
}
