package memstore

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

type actions struct{ *unit }

// aboutKey begins the keys of the actions about a subject.
func aboutKey(id site.ID, s customer.ActionSubject) string {
	return key(int64(id)) + string(s.Kind) + key(s.ID)
}

func (r actions) Append(a customer.Action) error {
	if a.Subject.Kind == customer.AimedAtCustomer {
		if err := r.meet(customer.ID(a.Subject.ID), a); err != nil {
			return err
		}
	}
	if a.Customer != 0 {
		if err := r.meet(a.Customer, a); err != nil {
			return err
		}
	}
	return put(r.unit, &r.state.actions, aboutKey(a.Site, a.Subject)+key(int64(a.ID)), a, same)
}

func (r actions) meet(who customer.ID, a customer.Action) error {
	return put(r.unit, &r.state.contacts, key(int64(a.Site), int64(who), int64(a.ID)), a, same)
}

// about are the actions about a subject, by id.
func (r actions) about(id site.ID, s customer.ActionSubject) ([]customer.Action, error) {
	return all(r.unit, r.state.actions, aboutKey(id, s), same)
}

// withCustomer are the actions about a customer or with them, by id.
func (r actions) withCustomer(id site.ID, who int64) ([]customer.Action, error) {
	return all(r.unit, r.state.contacts, key(int64(id), who), same)
}

func (r actions) Page(q port.ActionQuery) ([]customer.Action, error) {
	if q.Subject.Kind == customer.AimedAtCustomer {
		found, err := r.withCustomer(q.Site, q.Subject.ID)
		return cut(found, q), err
	}
	found, err := r.about(q.Site, q.Subject)
	return cut(found, q), err
}

// cut is the page of actions that is asked for.
func cut(found []customer.Action, q port.ActionQuery) []customer.Action {
	found = slices.DeleteFunc(found, func(a customer.Action) bool {
		return q.Before != 0 && a.ID >= q.Before || q.Types != nil && !slices.Contains(q.Types, a.Type)
	})
	slices.Reverse(found)
	return found[:min(len(found), max(q.Limit, 0))]
}

func (r actions) LastContact(id site.ID, of customer.ID, now time.Time) (last time.Time, err error) {
	found, err := r.withCustomer(id, int64(of))
	for _, a := range found {
		if a.Type != 0 && a.Performed.After(last) && !a.Performed.After(now) {
			last = a.Performed
		}
	}
	return last, err
}

func (r actions) Latest(id site.ID, k customer.ActionKind, subjects []int64, types []customer.ActionTypeID, n int) ([]customer.Action, error) {
	var latest []customer.Action
	for _, subject := range distinct(subjects) {
		found, err := r.about(id, customer.ActionSubject{Kind: k, ID: subject})
		if err != nil {
			return nil, err
		}
		latest = append(latest, cut(found, port.ActionQuery{Types: types, Limit: n})...)
	}
	return latest, r.reading()
}

func (r actions) Tally(id site.ID, k customer.ActionKind, subjects []int64, visits []customer.ActionTypeID, now time.Time) ([]customer.ActionTally, error) {
	var tallies []customer.ActionTally
	for _, subject := range distinct(subjects) {
		found, err := r.about(id, customer.ActionSubject{Kind: k, ID: subject})
		if err != nil {
			return nil, err
		}
		tally, met := customer.ActionTally{Subject: subject}, map[customer.ID]bool{}
		for _, a := range found {
			if a.Customer != 0 {
				met[a.Customer] = true
			}
			switch {
			case !slices.Contains(visits, a.Type):
			case a.Performed.Before(now):
				tally.VisitsDone++
			default:
				tally.VisitsPlanned++
			}
		}
		tally.Customers = len(met)
		if len(found) > 0 {
			tallies = append(tallies, tally)
		}
	}
	return tallies, r.reading()
}

func (r actions) Move(of site.ID, from, to customer.ID) (moved, doubles int, err error) {
	if err := r.writing(); err != nil {
		return 0, 0, err
	}
	theirs, err := r.withCustomer(of, int64(from))
	others, err2 := r.withCustomer(of, int64(to))
	for _, a := range theirs {
		err = errors.Join(err, r.remove(a))
		if a.Subject == (customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: int64(from)}) {
			a.Subject.ID = int64(to)
		}
		if a.Customer == from {
			a.Customer = to
		}
		if slices.ContainsFunc(others, a.Doubles) {
			doubles++
			continue
		}
		moved++
		err = errors.Join(err, r.Append(a))
	}
	return moved, doubles, errors.Join(err, err2)
}

func (r actions) remove(a customer.Action) error {
	r.state.actions = r.state.actions.without(aboutKey(a.Site, a.Subject) + key(int64(a.ID)))
	for _, who := range []customer.ID{a.Customer, customer.ID(a.Subject.ID)} {
		r.state.contacts = r.state.contacts.without(key(int64(a.Site), int64(who), int64(a.ID)))
	}
	return r.writing()
}

func (r actions) Forget(id site.ID, who customer.ID) ([]customer.ActionSubject, error) {
	if err := r.writing(); err != nil {
		return nil, err
	}
	found, err := r.withCustomer(id, int64(who))
	var about []customer.ActionSubject
	for _, a := range found {
		a.Result = ""
		if err := r.Append(a); err != nil {
			return nil, err
		}
		if !slices.Contains(about, a.Subject) {
			about = append(about, a.Subject)
		}
	}
	return about, err
}

func (r actions) ForgetAbout(id site.ID, k customer.ActionKind, subjects []int64) error {
	for _, subject := range subjects {
		found, err := r.about(id, customer.ActionSubject{Kind: k, ID: subject})
		for _, a := range found {
			if a.Result = ""; a.Customer == 0 && err == nil {
				err = r.Append(a)
			}
		}
		if err != nil {
			return err
		}
	}
	return r.writing()
}

// distinct are numbers in ascending order, each once.
func distinct[T cmp.Ordered](numbers []T) []T {
	numbers = slices.Clone(numbers)
	slices.Sort(numbers)
	return slices.Compact(numbers)
}
