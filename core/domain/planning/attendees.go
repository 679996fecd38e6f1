package planning

import (
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

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
			f.Required("attendees", true)
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
	it.setAttendees(wanted)
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
	f.Required("kind", in.Kind.Or("") == "")
	form.OneOf(f, "kind", &a.Kind, in.Kind, []Kind{User, Customer, Guest})
	switch a.Kind {
	case User:
		f.Required("user_id", !in.UserID.Given())
		form.ID(f, "user_id", &a.User, in.UserID)
	case Customer:
		f.Required("customer_id", !in.CustomerID.Given())
		form.ID(f, "customer_id", &a.Customer, in.CustomerID)
	case Guest:
		f.Name("name", &a.Name, in.Name, form.MaxName)
		customer.SetEmail(f, &a.Email, in.Email)
		f.Required("name", a.Name == "" && in.Email.Or("") == "")
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

// setAttendees replaces the attendees. The ids and answers of those who stay are
// kept.
func (a *Appointment) setAttendees(wanted []Attendee) {
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
