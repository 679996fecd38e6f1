package agenda

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

func (u Unit) getEvent(in EventPath) (agendarecords.CalendarEvent, error) {
	found, err := u.appointments().Get(u, planning.ID(in.ID))
	return agendarecords.OfAppointment(found, u.Grant.Credential), err
}

func (u Unit) createEvent(in CreateEvent) (CreatedEvent, error) {
	var problems fault.Problems
	made := u.rules().Create(in.Change, &problems)
	refuse := readOnConflict(in.OnConflict, &problems)
	if err := u.holdPeople(made, planning.Appointment{}); err != nil {
		return CreatedEvent{}, err
	}
	if err := u.checkEvent(in.Change, planning.Appointment{}, made, &problems); err != nil {
		return CreatedEvent{}, err
	}
	conflicts, err := u.conflicts(made, refuse)
	if err != nil {
		return CreatedEvent{}, err
	}
	made.Site, made.CreatedBy, made.Told = u.Site.ID, u.Grant.Credential, u.Now
	added, err := u.appointments().Create(u, made)
	return CreatedEvent{u.Created("/agenda/events/", int64(added.ID)), conflicts}, err
}

// readOnConflict reports whether a request wants to be refused rather than overlap.
func readOnConflict(given opt.Field[string], problems *fault.Problems) (refuse bool) {
	choice := ""
	form.Form{Problems: problems}.Code("on_conflict", &choice, given, []string{"ALLOW", "REFUSE"})
	return choice == "REFUSE"
}

// holdPeople locks the calendars of users and then of customers who attend
// one of two states of an appointment, as far as they are there.
func (u Unit) holdPeople(states ...planning.Appointment) error {
	var users []site.UserID
	var customers []customer.ID
	for _, a := range states {
		users, customers = append(users, a.Users()...), append(customers, a.Customers()...)
	}
	if err := u.Calendars().Hold(u.Site.ID, users); err != nil {
		return err
	}
	slices.Sort(customers)
	for _, id := range slices.Compact(customers) {
		if _, err := u.Customers().Get(u.Site.ID, id); err != nil && !kernel.IsAbsent(err) {
			return err
		}
	}
	return nil
}

// checkEvent reports everything that a request names and that does not exist, next
// to what is wrong otherwise. Who attended before may go on to.
func (u Unit) checkEvent(in planning.Change, before, after planning.Appointment, problems *fault.Problems) error {
	outside := u.CheckAgency(in.AgencyID, problems)
	listed := in.Attendees.Set
	for n, one := range after.Attendees {
		field := func(kind string) string {
			if listed {
				return fmt.Sprintf("attendees[%d].%s", n, kind)
			}
			return kind + "s"
		}
		switch {
		case one.Kind == planning.User && one.User != 0 && !slices.Contains(before.Users(), one.User):
			u.checkUsers(field("user_id"), []site.UserID{one.User}, true, problems)
		case one.Kind == planning.Customer && one.Customer != 0 && !before.Attends(one.Customer):
			if err := u.CheckCustomer(field("customer_id"), one.Customer, problems); err != nil {
				return err
			}
		}
	}
	if err := u.checkProducts("product_ids", before.Products, after.Products, problems); err != nil {
		return err
	}
	if err := u.checkSearch(in.SearchID.Given(), before, after, problems); err != nil {
		return err
	}
	return invalid(outside, problems)
}

// checkProducts reports products that a new state names, were not named before, and
// do not exist in scope. They are not held: events outlive them.
func (u Unit) checkProducts(field string, before, after []product.ID, problems *fault.Problems) error {
	found, err := u.Products().Many(u.Site.ID, after)
	for n, id := range after {
		known := slices.ContainsFunc(found, func(p product.Product) bool { return p.ID == id && u.Scope.Has(p.Agency) })
		if !known && !slices.Contains(before, id) {
			problems.Wrong(fmt.Sprintf("%s[%d]", field, n), fault.CodeUnknownProduct, int64(id), "no product of the token's agencies has this id")
		}
	}
	return err
}

// checkSearch reports a search request that is not one of the customers who attend.
// One that is gone stands in nobody's way, unless it is named.
func (u Unit) checkSearch(named bool, before, after planning.Appointment, problems *fault.Problems) error {
	if after.Search == 0 || !named && slices.Equal(before.Customers(), after.Customers()) {
		return nil
	}
	found, err := u.SearchRequests().Many(u.Site.ID, []demand.SearchID{after.Search})
	if err == nil && (len(found) == 0 && named || len(found) > 0 && !after.Attends(found[0].Customer)) {
		problems.Wrong("search_id", fault.CodeUnknownSearch, int64(after.Search), "no customer who attends has a search request with this id")
	}
	return err
}

// heldEvent returns an appointment that is locked with everybody who attends it, and those
// that a request adds. Private ones of other clients are Forbidden.
func (u Unit) heldEvent(id int64, added planning.Appointment) (planning.Appointment, error) {
	peeked, err := u.Appointments().Many(u.Site.ID, []planning.ID{planning.ID(id)})
	if err != nil || len(peeked) == 0 {
		return planning.Appointment{}, kernel.FirstError(err, kernel.Unknown("%s", u.appointments().Unknown))
	}
	if err := u.holdPeople(peeked[0], added); err != nil {
		return planning.Appointment{}, err
	}
	return u.ownEvent(id)
}

// ownEvent returns an appointment that is locked, and that the caller may change.
func (u Unit) ownEvent(id int64) (planning.Appointment, error) {
	found, err := u.appointments().Get(u, planning.ID(id))
	if err == nil && found.IsHiddenFrom(u.Grant.Credential) {
		err = fault.New(fault.Forbidden, fault.CodeForbidden, "the event is private, and another client's")
	}
	return found, err
}

func (u Unit) updateEvent(in UpdateEvent) (ChangedEvent, error) {
	var wanted fault.Problems
	refuse := readOnConflict(in.OnConflict, &wanted)
	before, err := u.heldEvent(in.ID, named(in.Change))
	if err != nil {
		return ChangedEvent{}, err
	}
	conflicts := ""
	changed, err := agendarecords.Change(u.kernel(), before, in.IfMatch, func(a planning.Appointment) (planning.Appointment, error) {
		after, refused := u.rules().Update(a, in.Change)
		problems := wanted
		if errors.Is(refused, fault.Invalid) {
			problems.Append(fault.From(refused).Details...)
		}
		if err := kernel.FirstError(u.checkEvent(in.Change, a, after, &problems), refused); err != nil {
			return after, err
		}
		if !refuse && !takesOtherTime(a, after) {
			return after, nil
		}
		conflicts, err = u.conflicts(after, refuse)
		return after, err
	})
	return ChangedEvent{changed, conflicts}, err
}

// named returns an appointment that those attend whom a request names.
func named(c planning.Change) (a planning.Appointment) {
	add := func(kind planning.Kind, user, of int64) {
		a.Attendees = append(a.Attendees, planning.Attendee{Kind: kind, User: site.UserID(user), Customer: customer.ID(of)})
	}
	for _, one := range c.Attendees.Value {
		if one.UserID.Given() {
			add(planning.User, one.UserID.Value, 0)
		}
		if one.CustomerID.Given() {
			add(planning.Customer, 0, one.CustomerID.Value)
		}
	}
	for _, id := range c.UserIDs.Value {
		add(planning.User, id, 0)
	}
	for _, id := range c.CustomerIDs.Value {
		add(planning.Customer, 0, id)
	}
	return a
}

// takesOtherTime reports whether a new state takes time that the one before did
// not.
func takesOtherTime(before, after planning.Appointment) bool {
	return before.Sequence != after.Sequence || before.Busy != after.Busy || before.Before != after.Before || before.After != after.After ||
		before.Status.Occupies() != after.Status.Occupies() || !slices.Equal(before.Attending(), after.Attending())
}

func (u Unit) deleteEvent(in DeleteEvent) (kernel.None, error) {
	before, err := u.ownEvent(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	if err := in.IfMatch.Check(kernel.Version(before.Version)); err != nil {
		return kernel.None{}, err
	}
	if _, err := agendarecords.Remind(u.kernel(), before); err != nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.appointments().Remove(u, before, in.IfMatch)
}

// maxChecked is how many occurrences of a series are compared with what is taken.
const maxChecked = 100

// maxConflicts is how many events are named that an event overlaps.
const maxConflicts = 20

// conflicts returns the ids of the events that an appointment overlaps, with its buffers
// and theirs, separated by commas. With refuse anything that is taken already is a
// Conflict.
func (u Unit) conflicts(a planning.Appointment, refuse bool) (string, error) {
	users := a.Attending()
	if !a.Busy || !a.Status.Occupies() || len(users) == 0 {
		return "", nil
	}
	zone, err := u.zoneOf(a)
	if err != nil {
		return "", err
	}
	occurrences := firstOf(a, zone)
	if len(occurrences) == 0 {
		return "", nil
	}
	window := occurrences[0].Interval
	for _, o := range occurrences {
		if o.End.After(window.End) {
			window.End = o.End
		}
	}
	taken, err := agendarecords.TakenFrom(u.kernel(), users, window.Widen(planning.Minutes(a.Before), planning.Minutes(a.After)))
	if err != nil {
		return "", err
	}
	var ids []string
	seen := map[planning.ID]bool{}
	for _, o := range occurrences {
		if !o.Status.Occupies() {
			continue
		}
		mine := o.Widen(planning.Minutes(a.Before), planning.Minutes(a.After))
		attending := a.At(o, zone).Attending()
		for _, t := range taken {
			if t.Appointment == a.ID && a.ID != 0 || !slices.Contains(attending, t.User) || !t.Widen(t.Before, t.After).Meets(mine) {
				continue
			}
			if refuse {
				return "", slotTaken("the time is taken already")
			}
			if t.Appointment != 0 && !seen[t.Appointment] && len(ids) < maxConflicts {
				seen[t.Appointment] = true
				ids = append(ids, strconv.FormatInt(int64(t.Appointment), 10))
			}
		}
	}
	return strings.Join(ids, ","), nil
}

func slotTaken(format string, args ...any) error {
	return fault.New(fault.Conflict, fault.CodeSlotTaken, format, args...)
}
