package planning

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// Limits of one appointment.
const (
	MaxAttendees = 50
	MaxProducts  = 20
	MaxExcept    = 500
	MaxTitle     = 255
	MaxLocation  = 1_000
	MaxDays      = 366
	MaxLength    = 31 * 24 * time.Hour
)

// Change is what a request wants of an appointment. Absent parts stay as they are.
// Whether what it names exists is for others to say.
type Change struct {
	Type         opt.Field[string]          `json:"type" doc:"model of an active type; required for a new one"`
	Title        opt.Field[string]          `json:"title" max:"planning.MaxTitle" doc:"required for a new one"`
	Description  opt.Field[string]          `json:"description" max:"form.MaxComment"`
	Location     opt.Field[string]          `json:"location" max:"planning.MaxLocation"`
	MeetingURL   opt.Field[string]          `json:"meeting_url" max:"form.MaxURL" doc:"http or https"`
	Latitude     opt.Field[float64]         `json:"latitude" doc:"with longitude"`
	Longitude    opt.Field[float64]         `json:"longitude" doc:"with latitude"`
	Status       opt.Field[string]          `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT" doc:"PREVU where a new one says nothing; ANNULE is final"`
	AllDay       opt.Field[bool]            `json:"all_day"`
	StartAt      opt.Field[string]          `json:"start_at" format:"date-time" doc:"required unless all_day; in timezone where it has no offset"`
	EndAt        opt.Field[string]          `json:"end_at" format:"date-time" doc:"required unless all_day; after start_at, at most 31 days later"`
	StartDate    opt.Field[string]          `json:"start_date" format:"date" doc:"required with all_day, and only then"`
	EndDate      opt.Field[string]          `json:"end_date" format:"date" doc:"required with all_day; included, at most 366 days"`
	Timezone     opt.Field[string]          `json:"timezone" doc:"IANA name; that of the agency, where a new one has none"`
	RRule        opt.Field[string]          `json:"rrule" doc:"value of RRULE (RFC 5545), such as FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6; null for none"`
	Exdates      opt.Field[[]string]        `json:"exdates" max:"planning.MaxExcept" doc:"original starts that do not take place; in timezone where they have no offset"`
	AgencyID     opt.Field[int64]           `json:"agency_id" doc:"that of the first user, where a new one has none"`
	Attendees    opt.Field[[]AttendeeInput] `json:"attendees" max:"planning.MaxAttendees" doc:"replaces the list; at least one is a USER"`
	UserIDs      opt.Field[[]int64]         `json:"user_ids" max:"planning.MaxAttendees" doc:"instead of attendees: the users who attend"`
	CustomerIDs  opt.Field[[]int64]         `json:"customer_ids" max:"planning.MaxAttendees" doc:"instead of attendees: the customers who attend"`
	ProductIDs   opt.Field[[]int64]         `json:"product_ids" max:"planning.MaxProducts"`
	SearchID     opt.Field[int64]           `json:"search_id" doc:"a search request of one of the customers"`
	IsBusy       opt.Field[bool]            `json:"is_busy" doc:"that of the type, where a new one has none"`
	BufferBefore opt.Field[int]             `json:"buffer_before" minimum:"0" maximum:"240" doc:"minutes that are kept free before; those of the type, where a new one has none"`
	BufferAfter  opt.Field[int]             `json:"buffer_after" minimum:"0" maximum:"240" doc:"minutes that are kept free after; those of the type, where a new one has none"`
	Visibility   opt.Field[string]          `json:"visibility" enum:"PUBLIC,PRIVE" doc:"PRIVE: other clients see only that the time is taken"`
	IsLiveVisit  opt.Field[bool]            `json:"is_live_visit" doc:"a remote visit for everybody, at meeting_url"`
	Reminders    opt.Field[[]int]           `json:"reminders" max:"planning.MaxReminders" doc:"minutes before the start, 0 to 40320"`
	ExternalID   opt.Field[string]          `json:"external_id" max:"form.MaxName" doc:"the sender's own id"`
}

// Rules is what a change is judged by.
type Rules struct {
	Types Types
	// Zone is the IANA name of the zone of an agency; of 0 it is the site's.
	Zone func(site.AgencyID) string
	// Location finds a zone by its IANA name.
	Location func(name string) (*time.Location, error)
	// Agency is that of a user of the site; 0 of nobody.
	Agency func(site.UserID) site.AgencyID
}

// Create makes the appointment that is described, without ids and times of its own,
// and reports everything wrong with the description.
func (r Rules) Create(c Change, problems *fault.Problems) Appointment {
	f := form.Form{Problems: problems}
	it := Appointment{Status: Planned, Agency: r.agencyOf(c), Visibility: Public}
	it.Zone = r.Zone(it.Agency)
	if kind, known := r.Types.Active(c.Type.Or("")); known {
		it.Busy, it.Before, it.After = kind.Busy, kind.Before, kind.After
	}
	if c.Status.Null {
		c.Status = opt.Field[string]{}
	}
	f.Required("type", c.Type.Or("") == "")
	f.Required("title", c.Title.Or("") == "")
	return r.apply(it, c, f, true)
}

// agencyOf returns the agency of an appointment that is described: the named one, or that of the
// first user.
func (r Rules) agencyOf(c Change) site.AgencyID {
	var it Appointment
	attend(form.Form{Problems: new(fault.Problems)}, &it, c, true)
	switch users := it.Users(); {
	case c.AgencyID.Given():
		return site.AgencyID(c.AgencyID.Value)
	case len(users) > 0:
		return r.Agency(users[0])
	}
	return 0
}

// Update applies a request to a copy of an appointment. What is wrong with the
// request is Invalid; a cancelled one stays so, which is a Conflict otherwise. Either
// way the copy has what can be applied, so that what it names can be checked as well.
func (r Rules) Update(before Appointment, c Change) (Appointment, error) {
	var problems fault.Problems
	after := r.apply(before.Clone(), c, form.Form{Problems: &problems}, false)
	if err := problems.Err(); err != nil {
		return after, err
	}
	if before.Status == Cancelled && after.Status != Cancelled {
		return after, transition.Refused(before.Status, "a cancelled event stays cancelled")
	}
	if (before.Status == Cancelled) != (after.Status == Cancelled) && before.Sequence == after.Sequence {
		after.Sequence++
	}
	return after, nil
}

func (r Rules) apply(it Appointment, c Change, f form.Form, fresh bool) Appointment {
	r.kind(f, &it, c)
	name(f, "title", &it.Title, c.Title, fresh)
	f.Text("description", &it.Description, c.Description, form.MaxComment)
	f.Text("location", &it.Location, c.Location, MaxLocation)
	Link(f, "meeting_url", &it.MeetingURL, c.MeetingURL)
	coordinates(f, &it, c)
	status(f, "status", &it.Status, c.Status)
	if c.AgencyID.Given() {
		it.Agency = site.AgencyID(c.AgencyID.Value)
	}
	r.Timing(f, &it, c, fresh)
	attend(f, &it, c, fresh)
	Products(f, "product_ids", &it.Products, c.ProductIDs)
	form.ID(f, "search_id", &it.Search, c.SearchID)
	f.Flag("is_busy", &it.Busy, notNull(c.IsBusy))
	f.Between("buffer_before", &it.Before, notNull(c.BufferBefore), 0, MaxBuffer)
	f.Between("buffer_after", &it.After, notNull(c.BufferAfter), 0, MaxBuffer)
	if form.OneOf(f, "visibility", &it.Visibility, c.Visibility, []Visibility{Public, Private}); it.Visibility == "" {
		it.Visibility = Public
	}
	f.Flag("is_live_visit", &it.LiveVisit, notNull(c.IsLiveVisit))
	f.Required("meeting_url", it.LiveVisit && it.MeetingURL == "" && c.MeetingURL.Or("") == "")
	reminders(f, &it.Reminders, c.Reminders)
	f.Text("external_id", &it.ExternalID, c.ExternalID, form.MaxName)
	return it
}

// notNull returns a field for which null says nothing.
func notNull[T any](field opt.Field[T]) opt.Field[T] {
	if field.Null {
		return opt.Field[T]{}
	}
	return field
}

// kind sets the type. One that is not active any more stays where it is not named.
func (r Rules) kind(f form.Form, it *Appointment, c Change) {
	if !c.Type.Set || c.Type.Or("") == it.Type && it.Type != "" {
		return
	}
	model := c.Type.Or("")
	if _, known := r.Types.Active(model); !known && model != "" {
		f.Refuse("type", r.Types.Unknown(model, fault.Textf("no active type of event has this model")))
		return
	}
	if model == "" && it.Type != "" {
		f.Required("type", true)
		return
	}
	it.Type = model
}

// name sets a text that must not be empty. Of a new record somebody else reports
// that it is missing.
func name(f form.Form, field string, target *string, given opt.Field[string], fresh bool) {
	if given.Set && criteria.Normalise(given.Or("")) == "" {
		if !fresh || given.Or("") != "" {
			f.Required(field, true)
		}
		return
	}
	f.Text(field, target, given, MaxTitle)
}

// Link sets the URL of a page, with http or https.
func Link(f form.Form, field string, target *string, given opt.Field[string]) {
	text := *target
	f.Text(field, &text, given, form.MaxURL)
	if !given.Given() || text == "" {
		*target = text
		return
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		f.Wrong(field, fault.CodeInvalidFormat, text, "%s is a URL with http or https", field)
		return
	}
	*target = text
}

func coordinates(f form.Form, it *Appointment, c Change) {
	within := func(field string, target **float64, given opt.Field[float64], most float64) {
		if given.Given() && !(given.Value >= -most && given.Value <= most) {
			f.Wrong(field, fault.CodeOutOfRange, given.Value, "%s must be -%g to %g", field, most, most)
			return
		}
		form.Maybe(target, given)
	}
	within("latitude", &it.Latitude, c.Latitude, 90)
	within("longitude", &it.Longitude, c.Longitude, 180)
	switch {
	case !c.Latitude.Set && !c.Longitude.Set:
	case it.Latitude == nil && it.Longitude != nil && !c.Latitude.Given():
		f.Required("latitude", true)
	case it.Longitude == nil && it.Latitude != nil && !c.Longitude.Given():
		f.Required("longitude", true)
	}
}

func status(f form.Form, field string, target *Status, given opt.Field[string]) {
	if given.Set && given.Or("") == "" {
		f.Required(field, true)
		return
	}
	form.OneOf(f, field, target, given, Statuses())
}

func reminders(f form.Form, target *[]int, given opt.Field[[]int]) {
	if !given.Set || !f.Few("reminders", len(given.Value), MaxReminders) {
		return
	}
	seen := map[int]bool{}
	for n, minutes := range given.Value {
		field := fmt.Sprintf("reminders[%d]", n)
		if minutes < 0 || minutes > MaxReminder {
			f.Wrong(field, fault.CodeOutOfRange, minutes, "reminders are 0 to %d minutes before the start", MaxReminder)
			return
		}
		if !form.Once(f, field, minutes, seen) {
			return
		}
	}
	*target = slices.Clone(given.Value)
}

// Products sets a list of products, each once.
func Products(f form.Form, field string, target *[]product.ID, given opt.Field[[]int64]) {
	if !given.Set || !f.Few(field, len(given.Value), MaxProducts) {
		return
	}
	products, seen := make([]product.ID, 0, len(given.Value)), map[int64]bool{}
	for _, id := range given.Value {
		if id < 1 {
			f.Wrong(field, fault.CodeOutOfRange, id, "an id is at least 1")
			return
		}
		if !form.Once(f, field, id, seen) {
			return
		}
		products = append(products, product.ID(id))
	}
	*target = products
}
