package agenda

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
)

// Limits of a search.
const (
	defaultFound = 100
	maxFound     = 500
	// batch is how many are read at a time of what has to be looked at one by one.
	batch = 200
)

// search is a search that was understood.
type search struct {
	filter planning.Filter
	expand bool
	after  position
	count  int
}

// position is where a page ends: an occurrence, or an appointment by its ID alone.
type position struct {
	start    time.Time
	id       planning.ID
	original time.Time
}

func (p position) compare(q position) int {
	return cmp.Or(p.start.Compare(q.start), cmp.Compare(p.id, q.id), p.original.Compare(q.original))
}

// found is an appointment as it is at one of its occurrences.
type found struct {
	planning.Appointment
	original time.Time
}

func (f found) position() position { return position{f.Start, f.ID, f.original} }

func (u Unit) searchEvents(in SearchEvents) (FoundEvents, error) {
	s, err := u.readSearch(in)
	if err != nil {
		return FoundEvents{}, err
	}
	var all []found
	if s.expand {
		all, err = u.occurrencesFound(s)
	} else {
		all, err = u.eventsFound(s)
	}
	if err != nil {
		return FoundEvents{}, err
	}
	result := FoundEvents{Data: []FoundEvent{}, HasMore: len(all) > s.count}
	if result.HasMore {
		all = all[:s.count]
		last := all[s.count-1].position()
		if !s.expand {
			last = position{id: last.id}
		}
		cursor := s.cursor(last)
		result.NextCursor = &cursor
	}
	for _, f := range all {
		result.Data = append(result.Data, FoundEvent{agendarecords.OfAppointment(f.Appointment, u.Grant.Credential), kernel.When(f.original)})
	}
	return result, nil
}

func (u Unit) readSearch(in SearchEvents) (search, error) {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	s := search{expand: in.Expand.Or(true), count: defaultFound}
	s.filter = planning.Filter{
		Users: userIDs(in.UserIDs), Customer: kernel.ID[customer.ID]("customer_id", in.CustomerID, &problems),
		Product:       kernel.ID[product.ID]("product_id", in.ProductID, &problems),
		ModifiedSince: u.Site.Since("last_modified", in.LastModified, &problems),
		Window:        window(u.zoneAsked(in.AgencyID), in.From, in.To, maxSearch, &problems),
	}
	f.Few("user_ids", len(s.filter.Users), MaxListedUsers)
	f.Text("external_id", &s.filter.ExternalID, in.ExternalID, form.MaxName)
	for _, model := range in.Types.Value {
		if _, known := u.Site.AppointmentTypes.Find(model); !known {
			f.Refuse("types", u.Site.AppointmentTypes.Unknown(model, fault.Textf("no type of event has this model")))
		}
		s.filter.Types = append(s.filter.Types, model)
	}
	for _, code := range in.Statuses.Value {
		var status planning.Status
		form.OneOf(f, "statuses", &status, opt.Of(code), planning.Statuses())
		s.filter.Statuses = append(s.filter.Statuses, status)
	}
	if in.Count.Given() {
		f.Between("count", &s.count, in.Count, 1, maxFound)
	}
	var outside error
	s.filter.Agencies, outside = u.ListedAgencies(in.AgencyID, &problems)
	if in.Cursor.Or("") != "" {
		after, fits := s.parse(in.Cursor.Value)
		if !fits {
			f.Wrong("cursor", fault.CodeInvalidCursor, in.Cursor.Value, "the cursor is not one this search gave for the same from, to and expand")
		}
		s.after = after
	}
	return s, invalid(outside, &problems)
}

// cursor is opaque: it holds what it fits, and where the page ended.
func (s search) cursor(p position) string {
	text := fmt.Sprintf("%t %d %d %d %d %d", s.expand, s.filter.Window.Start.UnixMicro(), s.filter.Window.End.UnixMicro(), micros(p.start), p.id, micros(p.original))
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

func (s search) parse(cursor string) (p position, fits bool) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return p, false
	}
	var expand bool
	var from, to, start, original int64
	if _, err := fmt.Sscanf(string(raw), "%t %d %d %d %d %d", &expand, &from, &to, &start, &p.id, &original); err != nil {
		return p, false
	}
	p.start, p.original = fromMicros(start), fromMicros(original)
	return p, expand == s.expand && from == s.filter.Window.Start.UnixMicro() && to == s.filter.Window.End.UnixMicro() && p.id > 0 && s.cursor(p) == cursor
}

// none means the zero time in a cursor.
const none = -1 << 63

func micros(at time.Time) int64 {
	if at.IsZero() {
		return none
	}
	return at.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == none {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// visible reports whether a search may find an appointment: by what a private one
// does not show, it is not found.
func (u Unit) visible(s search, a planning.Appointment) bool {
	named := s.filter.Customer != 0 || s.filter.Product != 0 || s.filter.ExternalID != ""
	return !named || !a.IsHiddenFrom(u.Grant.Credential)
}

// eventsFound returns the appointments that overlap the window, by id, one more than a
// page has.
func (u Unit) eventsFound(s search) ([]found, error) {
	var all []found
	q := port.AppointmentQuery{Site: u.Site.ID, Filter: s.filter, After: planning.Place{ID: s.after.id}, Limit: batch}
	for {
		some, err := u.Appointments().Find(q)
		if err != nil {
			return nil, err
		}
		for _, a := range some {
			q.After.ID = a.ID
			overlaps, err := u.overlaps(a, s)
			if err != nil {
				return nil, err
			}
			if overlaps && u.visible(s, a) {
				if all = append(all, found{a, time.Time{}}); len(all) > s.count {
					return all, nil
				}
			}
		}
		if len(some) < batch {
			return all, nil
		}
	}
}

// overlaps reports whether an appointment takes place in the window of a search,
// and has one of its statuses.
func (u Unit) overlaps(a planning.Appointment, s search) (bool, error) {
	if len(s.filter.Statuses) > 0 && !slices.Contains(s.filter.Statuses, a.Status) {
		return false, nil
	}
	zone, err := u.zoneOf(a)
	return err == nil && len(a.Overlapping(s.filter.Window, zone)) > 0, err
}

// occurrencesFound returns the occurrences that overlap the window, by start, one more
// than a page has. Single appointments come from the store in that order; of series
// only what comes before the last of those matters.
func (u Unit) occurrencesFound(s search) ([]found, error) {
	all, err := u.singlesFound(s)
	if err != nil {
		return nil, err
	}
	window := s.filter.Window
	if len(all) > s.count {
		if last := all[len(all)-1].Start.Add(time.Microsecond); last.Before(window.End) && last.After(window.Start) {
			window.End = last
		}
	}
	if s.after.start.After(window.Start) {
		window.Start = s.after.start
	}
	if window.Empty() {
		return all, nil
	}
	f := s.filter
	f.Recurring, f.Window = planning.Series, window
	series, err := u.Appointments().Find(port.AppointmentQuery{Site: u.Site.ID, Filter: f})
	if err != nil {
		return nil, err
	}
	for _, a := range series {
		if !u.visible(s, a) {
			continue
		}
		if all, err = u.appendOccurrences(all, a, s, window); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b found) int { return a.position().compare(b.position()) })
	return all[:min(len(all), s.count+1)], nil
}

// appendOccurrences adds the occurrences of a series that a search finds.
func (u Unit) appendOccurrences(all []found, a planning.Appointment, s search, window calendar.Interval) ([]found, error) {
	zone, err := u.zoneOf(a)
	if err != nil {
		return nil, err
	}
	for _, o := range a.Overlapping(window, zone) {
		at := found{a.At(o, zone), o.Original}
		if len(s.filter.Statuses) > 0 && !slices.Contains(s.filter.Statuses, o.Status) ||
			s.filter.Product != 0 && !slices.Contains(at.Products, s.filter.Product) || at.position().compare(s.after) <= 0 {
			continue
		}
		all = append(all, at)
	}
	return all, nil
}

// singlesFound returns the appointments that do not repeat, one more than a page has.
func (u Unit) singlesFound(s search) ([]found, error) {
	f := s.filter
	f.Recurring = planning.Single
	q := port.AppointmentQuery{Site: u.Site.ID, Filter: f, ByStart: true, After: planning.Place{Start: s.after.start, ID: s.after.id}, Limit: s.count + 1}
	var all []found
	for {
		some, err := u.Appointments().Find(q)
		if err != nil {
			return nil, err
		}
		for _, a := range some {
			q.After = planning.Place{Start: a.Start, ID: a.ID}
			if u.visible(s, a) {
				all = append(all, found{a, time.Time{}})
			}
		}
		if len(some) < q.Limit || len(all) > s.count {
			return all[:min(len(all), s.count+1)], nil
		}
	}
}
