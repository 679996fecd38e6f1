package agendarecords

import (
	"slices"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// SettingsOf returns the booking settings of an agency.
func SettingsOf(tx port.Tx, of site.ID, agency site.AgencyID) (planning.BookingSettings, error) {
	found, err := tx.BookingSettings().Many(of, []site.AgencyID{agency})
	if err != nil || len(found) == 0 {
		return planning.BookingDefaults(of, agency), err
	}
	return found[0], nil
}

// AllSettings finds the booking settings of some agencies.
func AllSettings(tx port.Tx, of site.ID, agencies []site.AgencyID) (func(site.AgencyID) planning.BookingSettings, error) {
	found, err := tx.BookingSettings().Many(of, agencies)
	return func(id site.AgencyID) planning.BookingSettings {
		n := slices.IndexFunc(found, func(s planning.BookingSettings) bool { return s.Agency == id })
		if n < 0 {
			return planning.BookingDefaults(of, id)
		}
		return found[n]
	}, err
}

// Bookable is what visitors can book of a product.
type Bookable struct {
	Settings planning.BookingSettings
	// Open is false where nothing can be booked.
	Open bool
	// Zone is that of the product's agency.
	Zone *time.Location
	// Candidates are the users who can be booked, in ascending order.
	Candidates              []site.UserID
	duration, before, after int
}

// BookableOf returns what can be booked of a product with some settings.
func BookableOf(v *kernel.SiteView, p product.Product, s planning.BookingSettings) Bookable {
	b := Bookable{Settings: s, Zone: v.ZoneOf(p.Agency)}
	b.duration, b.before, b.after = s.Timing(v.AppointmentTypes)
	var own []site.UserID
	if v.Users[p.User].Active && p.User != 0 {
		own = []site.UserID{p.User}
	}
	b.Candidates = s.Candidates(p.User, own, ActiveUsers(v, p.Agency))
	b.Open = s.Enabled && p.Status() == criteria.StatusActive && p.WebStatus && len(b.Candidates) > 0 && b.duration > 0
	return b
}

// Query asks for slots in a window, which may be empty: then in all that can be
// booked from now on.
func (b Bookable) Query(now time.Time, window calendar.Interval) slot.Query {
	if window.Start.IsZero() {
		window.Start = now
	}
	if window.End.IsZero() {
		window.End = now.AddDate(0, 0, b.Settings.HorizonDays)
	}
	horizon := b.Settings.HorizonDays
	return slot.Query{
		Zone: b.Zone, Now: now, Window: window, Duration: planning.Minutes(b.duration), Step: planning.Minutes(b.Settings.Step),
		Before: planning.Minutes(b.before), After: planning.Minutes(b.after), Notice: planning.Minutes(b.Settings.Notice), Horizon: &horizon,
	}
}

// Buffers returns the minutes that are kept free before and after a visit.
func (b Bookable) Buffers() (before, after int) { return b.before, b.after }

// Duration returns how long a visit takes.
func (b Bookable) Duration() time.Duration { return planning.Minutes(b.duration) }

// Slots returns those that can be booked in a window, at most limit; 0 is all of them.
// What is taken by what but picks counts as free.
func (b Bookable) Slots(u kernel.Unit, window calendar.Interval, limit int, but func(Taken) bool) ([]slot.Slot, error) {
	if !b.Open {
		return nil, nil
	}
	q := b.Query(u.Now, window)
	q.Limit = limit
	agents, err := Agents(u, b.Candidates, q, but)
	if err != nil {
		return nil, err
	}
	slots, _ := slot.Slots(q, agents)
	return slots, nil
}

// URL returns the page on which a product is booked; empty while it cannot be.
func (b Bookable) URL(id product.ID) string {
	if !b.Open {
		return ""
	}
	return b.Settings.URL(strconv.FormatInt(int64(id), 10))
}

// LiveVisits returns the next remote visits for everybody of some products, by product.
func LiveVisits(u kernel.Unit, products []product.ID) (map[product.ID]planning.Appointment, error) {
	next := map[product.ID]planning.Appointment{}
	err := eachAhead(u, products, func(a planning.Appointment) {
		if !a.LiveVisit || a.Visibility != planning.Public || a.MeetingURL == "" {
			return
		}
		for _, p := range a.Products {
			if before, found := next[p]; !found || a.Start.Before(before.Start) {
				next[p] = a
			}
		}
	})
	return next, err
}

// plannedWithin is how far ahead planned visits are counted.
const plannedWithin = 400 * 24 * time.Hour

// PlannedVisits counts the visits of some products that are ahead, by product.
func PlannedVisits(u kernel.Unit, products []product.ID) (map[product.ID]int, error) {
	planned := map[product.ID]int{}
	err := eachAhead(u, products, func(a planning.Appointment) {
		if a.Type != planning.VisitModel || !a.Start.After(u.Now) {
			return
		}
		for _, p := range a.Products {
			planned[p]++
		}
	})
	return planned, err
}

// eachAhead goes through what is meant to take place about some products, and is
// not over by now: each appointment as it is at each occurrence.
func eachAhead(u kernel.Unit, products []product.ID, do func(planning.Appointment)) error {
	window := calendar.Interval{Start: u.Now, End: u.Now.Add(plannedWithin)}
	found, err := u.Appointments().About(u.Site.ID, products, window)
	if err != nil {
		return err
	}
	for _, a := range found {
		zone, err := u.Location(a.Zone)
		if err != nil {
			return err
		}
		for _, o := range a.Overlapping(window, zone) {
			if at := a.At(o, zone); o.Status.Ahead() && slices.ContainsFunc(at.Products, func(p product.ID) bool { return slices.Contains(products, p) }) {
				do(at)
			}
		}
	}
	return nil
}
