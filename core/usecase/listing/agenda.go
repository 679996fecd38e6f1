package listing

import (
	"net/url"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// maxNextSlots is how many of the next slots a block shows.
const maxNextSlots = 5

// agenda is what blocks show of the agenda about some products.
type agenda struct {
	liveVisits map[product.ID]planning.Appointment
	planned    map[product.ID]int // visits
	bookings   map[product.ID]OnlineBooking
}

// agenda reads what the blocks asked for need. The next slots are computed of a
// single product: in a list there are none.
func (u Unit) agenda(products []product.Product, parts product.Parts) (a agenda, err error) {
	ids := make([]product.ID, len(products))
	for i, p := range products {
		ids[i] = p.ID
	}
	if parts.Has(product.LiveVisit) {
		if a.liveVisits, err = agendarecords.LiveVisits(u.Unit, ids); err != nil {
			return a, err
		}
	}
	if parts.Has(product.Statistic) {
		if a.planned, err = agendarecords.PlannedVisits(u.Unit, ids); err != nil {
			return a, err
		}
	}
	if parts.Has(product.OnlineBooking) {
		a.bookings, err = u.onlineBookings(products)
	}
	return a, err
}

// onlineBookings report whether products can be booked, and where.
func (u Unit) onlineBookings(products []product.Product) (map[product.ID]OnlineBooking, error) {
	var agencies []site.AgencyID
	for _, p := range products {
		agencies = append(agencies, p.Agency)
	}
	settings, err := agendarecords.AllSettings(u.Tx, u.Site.ID, agencies)
	all := make(map[product.ID]OnlineBooking, len(products))
	for _, p := range products {
		b := agendarecords.BookableOf(u.Site.SiteView, p, settings(p.Agency))
		all[p.ID] = OnlineBooking{Enabled: b.Open, URL: kernel.Nullable(b.URL(p.ID)), NextSlots: []BookingSlot{}}
	}
	return all, err
}

// nextSlotsOf returns the next times at which a product can be booked.
func (u Unit) nextSlotsOf(id product.ID) ([]BookingSlot, error) {
	next := []BookingSlot{}
	found, err := u.Products().Many(u.Site.ID, []product.ID{id})
	if err != nil || len(found) == 0 {
		return next, err
	}
	p := found[0]
	settings, err := agendarecords.SettingsOf(u.Tx, u.Site.ID, p.Agency)
	if err != nil {
		return next, err
	}
	slots, err := agendarecords.BookableOf(u.Site.SiteView, p, settings).Slots(u.Unit, calendar.Interval{}, maxNextSlots, nil)
	for _, s := range slots {
		record := BookingSlot{StartAt: kernel.Instant{Time: s.Start}, EndAt: kernel.Instant{Time: s.End}}
		if u.SeesAgenda() {
			record.UserID = kernel.Nullable(int64(s.Users[0]))
		}
		next = append(next, record)
	}
	return next, err
}

// liveVisitAt returns the next remote visit for everybody of a product; nil without one.
func (a agenda) liveVisitAt(id product.ID) *LiveVisit {
	next, found := a.liveVisits[id]
	if !found {
		return nil
	}
	at, err := url.Parse(next.MeetingURL)
	if err != nil {
		return nil
	}
	return &LiveVisit{URL: next.MeetingURL, Provider: at.Hostname(), StartsAt: kernel.When(next.Start)}
}
