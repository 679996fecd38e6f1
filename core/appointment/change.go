package appointment

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/recurrence"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/transition"
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
	Title        opt.Field[string]          `json:"title" max:"appointment.MaxTitle" doc:"required for a new one"`
	Description  opt.Field[string]          `json:"description" max:"form.MaxComment"`
	Location     opt.Field[string]          `json:"location" max:"appointment.MaxLocation"`
	MeetingURL   opt.Field[string]          `json:"meeting_url" max:"form.MaxURL" doc:"http or https"`
	Latitude     opt.Field[float64]         `json:"latitude" doc:"with longitude"`
	Longitude    opt.Field[float64]         `json:"longitude" doc:"with latitude"`
	Status       opt.Field[string]          `json:"status" enum:"PREVU,CONFIRME,REALISE,ANNULE,ABSENT" doc:"PREVU where a new one says nothing; ANNULE is final"`
	AllDay       opt.Field[bool]            `json:"all_day"`
	StartAt      opt.Field[string]          `json:"start_at" format:"date-time" doc:"required unless all_day; in timezone where it has no offset"`
	EndAt        opt.Field[string]          `json:"end_at" format:"date-time" doc:"required unless all_day; after start_at, at most 31 days later"`
	StartDate    opt.Field[string]          `json:"start_date" format:"date" doc:"required with all_day, and only then"`
	EndDate      opt.Field[string]          `json:"end_date" format:"date" doc:"required with all_day; included, at most 366 days"`
	Timezone     opt.Field[string]          `json:"timezone" doc:"IANA name; the site's, where a new one has none"`
	RRule        opt.Field[string]          `json:"rrule" doc:"value of RRULE (RFC 5545), such as FREQ=WEEKLY;BYDAY=TU,TH;COUNT=6; null for none"`
	Exdates      opt.Field[[]string]        `json:"exdates" max:"appointment.MaxExcept" doc:"original starts that do not take place; in timezone where they have no offset"`
	AgencyID     opt.Field[int64]           `json:"agency_id" doc:"that of the first user, where a new one has none"`
	Attendees    opt.Field[[]AttendeeInput] `json:"attendees" max:"appointment.MaxAttendees" doc:"replaces the list; at least one is a USER"`
	UserIDs      opt.Field[[]int64]         `json:"user_ids" max:"appointment.MaxAttendees" doc:"instead of attendees: the users who attend"`
	CustomerIDs  opt.Field[[]int64]         `json:"customer_ids" max:"appointment.MaxAttendees" doc:"instead of attendees: the customers who attend"`
	ProductIDs   opt.Field[[]int64]         `json:"product_ids" max:"appointment.MaxProducts"`
	SearchID     opt.Field[int64]           `json:"search_id" doc:"a search request of one of the customers"`
	IsBusy       opt.Field[bool]            `json:"is_busy" doc:"that of the type, where a new one has none"`
	BufferBefore opt.Field[int]             `json:"buffer_before" minimum:"0" maximum:"240" doc:"minutes that are kept free before; those of the type, where a new one has none"`
	BufferAfter  opt.Field[int]             `json:"buffer_after" minimum:"0" maximum:"240" doc:"minutes that are kept free after; those of the type, where a new one has none"`
	Visibility   opt.Field[string]          `json:"visibility" enum:"PUBLIC,PRIVE" doc:"PRIVE: other clients see only that the time is taken"`
	IsLiveVisit  opt.Field[bool]            `json:"is_live_visit" doc:"a remote visit for everybody, at meeting_url"`
	Reminders    opt.Field[[]int]           `json:"reminders" max:"appointment.MaxReminders" doc:"minutes before the start, 0 to 40320"`
	ExternalID   opt.Field[string]          `json:"external_id" max:"form.MaxName" doc:"the sender's own id"`
}

// AttendeeInput describes somebody who attends.
type AttendeeInput struct {
	Kind       opt.Field[string] `json:"kind" required:"true" enum:"USER,CUSTOMER,GUEST"`
	UserID     opt.Field[int64]  `json:"user_id" doc:"of a USER"`
	CustomerID opt.Field[int64]  `json:"customer_id" doc:"of a CUSTOMER"`
	Name       opt.Field[string] `json:"name" max:"form.MaxName" doc:"of a GUEST, who has this or an email"`
	Email      opt.Field[string] `json:"email" max:"form.MaxName" format:"email" doc:"of a GUEST"`
	Role       opt.Field[string] `json:"role" enum:"ORGANISATEUR,REQUIS,OPTIONNEL" doc:"REQUIS where nothing is said"`
	Answer     opt.Field[string] `json:"answer" enum:"EN_ATTENTE,ACCEPTE,REFUSE,PEUT_ETRE" doc:"what they said before, or EN_ATTENTE, where nothing is said"`
}

// Rules is what a change is judged by.
type Rules struct {
	Types Types
	// Zone is the IANA name of the site's.
	Zone string
	// Location finds a zone by its IANA name.
	Location func(name string) (*time.Location, error)
	// Agency is that of a user of the site; 0 of nobody.
	Agency func(site.UserID) site.AgencyID
}

// Create makes the appointment that is described, without ids and times of its own,
// and reports everything wrong with the description.
func (r Rules) Create(c Change, problems *fault.Problems) Appointment {
	f := form.Form{Problems: problems}
	it := Appointment{Status: Planned, Zone: r.Zone, Visibility: Public}
	if kind, known := r.Types.Active(c.Type.Or("")); known {
		it.Busy, it.Before, it.After = kind.Busy, kind.Before, kind.After
	}
	if c.Status.Null {
		c.Status = opt.Field[string]{}
	}
	required(f, "type", c.Type.Or("") == "")
	required(f, "title", c.Title.Or("") == "")
	it = r.apply(it, c, f, true)
	if !c.AgencyID.Given() && len(it.Users()) > 0 {
		it.Agency = r.Agency(it.Users()[0])
	}
	return it
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

// rescheduled reports whether the time or the rule changed.
func rescheduled(before, after Appointment) bool {
	return !before.Start.Equal(after.Start) || !before.End.Equal(after.End) || before.AllDay != after.AllDay || before.Zone != after.Zone ||
		before.Rule != after.Rule || !slices.EqualFunc(before.Except, after.Except, time.Time.Equal) || len(before.Changed) != len(after.Changed)
}

func required(f form.Form, field string, missing bool) {
	if missing {
		f.Wrong(field, fault.CodeRequired, nil, "%s is required", field)
	}
}

func (r Rules) apply(it Appointment, c Change, f form.Form, fresh bool) Appointment {
	r.kind(f, &it, c)
	name(f, "title", &it.Title, c.Title, fresh)
	f.Text("description", &it.Description, c.Description, form.MaxComment)
	f.Text("location", &it.Location, c.Location, MaxLocation)
	Link(f, "meeting_url", &it.MeetingURL, c.MeetingURL)
	coordinates(f, &it, c)
	status(f, "status", &it.Status, c.Status)
	r.Timing(f, &it, c, fresh)
	if c.AgencyID.Given() {
		it.Agency = site.AgencyID(c.AgencyID.Value)
	}
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
	required(f, "meeting_url", it.LiveVisit && it.MeetingURL == "" && c.MeetingURL.Or("") == "")
	reminders(f, &it.Reminders, c.Reminders)
	f.Text("external_id", &it.ExternalID, c.ExternalID, form.MaxName)
	return it
}

// notNull is a field for which null says nothing.
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
		f.Refuse("type", fault.Detail{
			Code: fault.CodeUnknownAppointmentType, Value: model, Accepted: r.Types.ActiveModels(), Message: "no active type of event has this model",
		})
		return
	}
	if model == "" && it.Type != "" {
		required(f, "type", true)
		return
	}
	it.Type = model
}

// name sets a text that must not be empty. Of a new record somebody else reports
// that it is missing.
func name(f form.Form, field string, target *string, given opt.Field[string], fresh bool) {
	if given.Set && criteria.Normalise(given.Or("")) == "" {
		if !fresh || given.Or("") != "" {
			required(f, field, true)
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
		required(f, "latitude", true)
	case it.Longitude == nil && it.Latitude != nil && !c.Longitude.Given():
		required(f, "longitude", true)
	}
}

func status(f form.Form, field string, target *Status, given opt.Field[string]) {
	if given.Set && given.Or("") == "" {
		required(f, field, true)
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

// attend sets who attends.
func attend(f form.Form, it *Appointment, c Change, fresh bool) {
	if c.Attendees.Set && (c.UserIDs.Set || c.CustomerIDs.Set) {
		f.Wrong("attendees", fault.CodeAmbiguousField, nil, "attendees are given in attendees, or in user_ids and customer_ids")
		return
	}
	wanted := slices.Clone(it.Attendees)
	switch {
	case c.Attendees.Set:
		if !f.Few("attendees", len(c.Attendees.Value), MaxAttendees) {
			return
		}
		wanted = nil
		for n, given := range c.Attendees.Value {
			wanted = append(wanted, attendee(f.In("attendees[%d]", n), given))
		}
	case !c.UserIDs.Set && !c.CustomerIDs.Set:
		if fresh {
			required(f, "attendees", true)
		}
		return
	default:
		if !f.Few("user_ids", len(c.UserIDs.Value), MaxAttendees) || !f.Few("customer_ids", len(c.CustomerIDs.Value), MaxAttendees) {
			return
		}
		wanted = named(f, "user_ids", wanted, User, c.UserIDs, func(id int64) Attendee { return Attendee{Kind: User, User: site.UserID(id)} })
		wanted = named(f, "customer_ids", wanted, Customer, c.CustomerIDs, func(id int64) Attendee { return Attendee{Kind: Customer, Customer: customer.ID(id)} })
		f.Few("attendees", len(wanted), MaxAttendees)
	}
	checkAttendees(f, wanted, c.Attendees.Set)
	it.settle(wanted)
}

// named replaces the attendees of a kind by those with some ids.
func named(f form.Form, field string, all []Attendee, kind Kind, given opt.Field[[]int64], of func(int64) Attendee) []Attendee {
	if !given.Set {
		return all
	}
	before := slices.Clone(all)
	all = slices.DeleteFunc(all, func(a Attendee) bool { return a.Kind == kind })
	seen := map[int64]bool{}
	for _, id := range given.Value {
		if id < 1 {
			f.Wrong(field, fault.CodeOutOfRange, id, "an id is at least 1")
			continue
		}
		if !form.Once(f, field, id, seen) {
			continue
		}
		a := of(id)
		if at := slices.IndexFunc(before, a.same); at >= 0 {
			a = before[at]
		}
		all = append(all, a)
	}
	return all
}

// attendee reads one of attendees.
func attendee(f form.Form, in AttendeeInput) (a Attendee) {
	required(f, "kind", in.Kind.Or("") == "")
	form.OneOf(f, "kind", &a.Kind, in.Kind, []Kind{User, Customer, Guest})
	switch a.Kind {
	case User:
		required(f, "user_id", !in.UserID.Given())
		form.ID(f, "user_id", &a.User, in.UserID)
	case Customer:
		required(f, "customer_id", !in.CustomerID.Given())
		form.ID(f, "customer_id", &a.Customer, in.CustomerID)
	case Guest:
		f.Text("name", &a.Name, in.Name, form.MaxName)
		f.Text("email", &a.Email, in.Email, form.MaxName)
		required(f, "name", in.Name.Or("") == "" && in.Email.Or("") == "")
	}
	form.OneOf(f, "role", &a.Role, in.Role, []Role{Organiser, Required, Optional})
	form.OneOf(f, "answer", &a.Answer, in.Answer, Answers())
	return a
}

// checkAttendees reports attendees who are named twice, and a list without users.
func checkAttendees(f form.Form, all []Attendee, listed bool) {
	users := 0
	for n, a := range all {
		if a.Kind == User {
			users++
		}
		if listed && a.Kind != Guest && (a.User != 0 || a.Customer != 0) && slices.ContainsFunc(all[:n], a.same) {
			f.Wrong(fmt.Sprintf("attendees[%d]", n), fault.CodeAmbiguousField, nil, "the attendee is given twice")
		}
	}
	field := "user_ids"
	if listed {
		field = "attendees"
	}
	if users == 0 {
		f.Wrong(field, fault.CodeRequired, nil, "at least one user attends")
	}
}

// settle makes a list the one of those who attend: ids and answers of those who
// stay stay.
func (a *Appointment) settle(wanted []Attendee) {
	stayed := map[int64]bool{} // two guests may have one name
	for n := range wanted {
		w := &wanted[n]
		if at := slices.IndexFunc(a.Attendees, func(one Attendee) bool { return !stayed[one.ID] && one.same(*w) }); at >= 0 {
			w.ID = a.Attendees[at].ID
			stayed[w.ID] = true
			if w.Answer == "" {
				w.Answer = a.Attendees[at].Answer
			}
		} else {
			a.LastAttendee++
			w.ID = a.LastAttendee
		}
		if w.Role == "" {
			w.Role = Required
		}
		if w.Answer == "" {
			w.Answer = Waiting
		}
	}
	a.Attendees = wanted
	stays := func(id int64) bool { return slices.ContainsFunc(wanted, func(w Attendee) bool { return w.ID == id }) }
	for n := range a.Changed {
		a.Changed[n].Answers = slices.DeleteFunc(a.Changed[n].Answers, func(said OccurrenceAnswer) bool { return !stays(said.Attendee) })
	}
}

// Timing sets when an appointment takes place, in which zone, and how it repeats.
// fresh says that it is a new one. Sequence grows where that changed.
func (r Rules) Timing(f form.Form, it *Appointment, c Change, fresh bool) {
	before := it.Clone()
	zone := r.zone(f, &it.Zone, c.Timezone)
	if zone == nil {
		return
	}
	timed := fine(f, func(f form.Form) {
		f.Flag("all_day", &it.AllDay, notNull(c.AllDay))
		if it.AllDay {
			days(f, it, c, zone, before.AllDay && !fresh)
		} else {
			hours(f, it, c, zone, !before.AllDay && !fresh)
		}
	})
	if timed {
		recur(f, it, c.RRule, c.Exdates, zone, before, fresh)
	} else if _, problem := recurrence.Parse(c.RRule.Or(""), it.AllDay); c.RRule.Or("") != "" && problem != nil {
		f.Refuse("rrule", *problem)
	}
	if !fresh && rescheduled(before, *it) {
		it.Sequence++
	}
}

// fine reads a part of a request, and reports whether nothing is wrong with it.
func fine(f form.Form, read func(form.Form)) bool {
	var own fault.Problems
	read(form.Form{Problems: &own, At: f.At})
	if own.Empty() {
		return true
	}
	f.Problems.Append(fault.From(own.Err()).Details...)
	return false
}

// zone sets the zone, and finds it; nil where there is none.
func (r Rules) zone(f form.Form, target *string, given opt.Field[string]) *time.Location {
	wanted := *target
	if given.Null || given.Set && given.Value == "" {
		wanted = r.Zone
	} else if given.Set {
		wanted = given.Value
	}
	zone, err := r.Location(wanted)
	if err != nil || wanted == "Local" {
		f.Wrong("timezone", fault.CodeInvalidFormat, wanted, "timezone is an IANA name such as Europe/Paris")
		return nil
	}
	*target = wanted
	return zone
}

// days sets the days of whole days; had says that there are some.
func days(f form.Form, it *Appointment, c Change, zone *time.Location, had bool) {
	required(f, "start_date", c.StartDate.Or("") == "" && (!had || c.StartDate.Set))
	required(f, "end_date", c.EndDate.Or("") == "" && (!had || c.EndDate.Set))
	if !f.Problems.Empty() {
		return
	}
	f.CalendarDay("start_date", &it.First, c.StartDate)
	f.CalendarDay("end_date", &it.Last, c.EndDate)
	if it.First == 0 || it.Last == 0 {
		return
	}
	if it.Last < it.First || it.Last-it.First >= MaxDays {
		f.Wrong("end_date", fault.CodeOutOfRange, it.Last.String(), "end_date is not before start_date, and at most %d days with it", MaxDays)
		return
	}
	it.Start, it.End = it.First.Start(zone).UTC(), it.Last.End(zone).UTC()
}

// hours sets the times of what does not take whole days; had says that there are
// some.
func hours(f form.Form, it *Appointment, c Change, zone *time.Location, had bool) {
	for _, day := range []struct {
		field string
		given opt.Field[string]
	}{{"start_date", c.StartDate}, {"end_date", c.EndDate}} {
		if day.given.Given() {
			f.Wrong(day.field, fault.CodeAmbiguousField, day.given.Value, "%s goes with all_day alone", day.field)
		}
	}
	it.First, it.Last = 0, 0
	required(f, "start_at", c.StartAt.Or("") == "" && (!had || c.StartAt.Set))
	required(f, "end_at", c.EndAt.Or("") == "" && (!had || c.EndAt.Set))
	if f.Problems.Empty() {
		Span(f, &it.Start, &it.End, c.StartAt, c.EndAt, zone)
	}
}

// Span sets a start and an end, which comes after it.
func Span(f form.Form, start, end *time.Time, from, to opt.Field[string], zone *time.Location) {
	if !fine(f, func(f form.Form) {
		f.Moment("start_at", start, from, zone)
		f.Moment("end_at", end, to, zone)
	}) {
		return
	}
	if !start.Before(*end) || end.Sub(*start) > MaxLength {
		f.Wrong("end_at", fault.CodeOutOfRange, to.Or(end.Format(time.RFC3339)), "end_at is after start_at, at most 31 days later")
	}
}

// recur sets the rule of an appointment and what does not take place, once its
// times are set. What its rule has no more of is dropped, where rule or times have
// changed.
func recur(f form.Form, it *Appointment, rule opt.Field[string], exdates opt.Field[[]string], zone *time.Location, before Appointment, fresh bool) {
	if rule.Set {
		it.Rule = rule.Or("")
	}
	if it.Rule == "" {
		it.Changed = nil
		if before.Rule != "" {
			it.Except = nil
		}
	}
	if it.Rule != "" && (fresh || before.Rule != it.Rule || before.AllDay != it.AllDay || before.Zone != it.Zone || !before.Start.Equal(it.Start) || !before.End.Equal(it.End)) {
		if _, problem := recurrence.Parse(it.Rule, it.AllDay); problem != nil {
			f.Refuse("rrule", *problem)
			return
		}
		if problem := it.Series(zone).Check(); problem != nil {
			f.Refuse("rrule", *problem)
			return
		}
		if !fresh {
			it.keep(zone)
		}
	}
	if !exdates.Set || !f.Few("exdates", len(exdates.Value), MaxExcept) {
		return
	}
	it.Except = Moments(f, "exdates", exdates.Value, zone)
	it.Changed = slices.DeleteFunc(it.Changed, func(c Changed) bool { return slices.ContainsFunc(it.Except, c.Original.Equal) })
}

// keep drops the exceptions and changed occurrences that the rule does not have.
func (a *Appointment) keep(zone *time.Location) {
	s := a.Series(zone)
	s.Moved = nil
	for _, c := range a.Changed {
		s.Moved = append(s.Moved, recurrence.Occurrence{Original: c.Original})
	}
	s = s.Keep()
	a.Except = s.Except
	a.Changed = slices.DeleteFunc(a.Changed, func(c Changed) bool {
		return !slices.ContainsFunc(s.Moved, func(o recurrence.Occurrence) bool { return o.Original.Equal(c.Original) })
	})
}

// Moments reads a list of moments, in order and each once.
func Moments(f form.Form, field string, given []string, zone *time.Location) []time.Time {
	all := make([]time.Time, len(given))
	for n, text := range given {
		f.Moment(fmt.Sprintf("%s[%d]", field, n), &all[n], opt.Of(text), zone)
	}
	slices.SortFunc(all, time.Time.Compare)
	return slices.CompactFunc(all, time.Time.Equal)
}
