package porttest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func sampleAction(s site.ID, id customer.ActionID) customer.Action {
	return customer.Action{
		ID: id, Site: s, Subject: customer.ActionSubject{Kind: customer.AimedAtProduct, ID: 1}, Type: 2, Child: 3, Label: awkward, User: 4, Customer: 5,
		Result: awkward + awkward, Credential: "client", Performed: instant(1), Added: instant(2),
	}
}

// plainAction is about one of two kinds of subject, of a type, and nothing more.
func plainAction(s site.ID, id customer.ActionID, about customer.ActionSubject, kind customer.ActionTypeID) customer.Action {
	return customer.Action{ID: id, Site: s, Subject: about, Type: kind}
}

func listing(id int64) customer.ActionSubject {
	return customer.ActionSubject{Kind: customer.AimedAtProduct, ID: id}
}

func actionExamples() []example {
	return []example{
		{"ActionsComeBackAsTheyWentIn", actionsComeBack},
		{"ActionsArePagedLatestFirst", actionsArePaged},
		{"TheLatestActionsOfManySubjectsAreBounded", latestActions},
		{"ActionsAreTallied", actionsAreTallied},
		{"ActionsBelongToTheirCustomersToo", actionsBelongToCustomers},
		{"TheLastContactIsOver", lastContact},
		{"WhatIsForgottenAboutSubjectsWasWithNobody", forgottenAbout},
	}
}

func forgottenAbout(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	about := func(of site.ID, n int, subject customer.ActionSubject, with customer.ID) customer.Action {
		a := sampleAction(of, customer.ActionID(n))
		a.Subject, a.Customer = subject, with
		return a
	}
	kept := []customer.Action{
		about(id, 1, listing(7), 5), about(id, 2, listing(8), 0), about(id, 3, customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: 7}, 0), about(other, 4, listing(7), 0),
	}
	gone := []customer.Action{about(id, 5, listing(7), 0), about(id, 6, listing(9), 0)}
	w.update(t, func(tx port.Tx) error {
		return errors.Join(each(tx.Actions().Append, kept...), each(tx.Actions().Append, gone...))
	})
	w.update(t, func(tx port.Tx) error {
		return errors.Join(tx.Actions().ForgetAbout(id, customer.AimedAtProduct, []int64{7, 9}), tx.Actions().ForgetAbout(id, customer.AimedAtProduct, nil))
	})
	w.view(t, func(tx port.Tx) error {
		var failed error
		for i, a := range slices.Concat(kept, gone) {
			found, err := tx.Actions().Page(port.ActionQuery{Site: a.Site, Subject: a.Subject, Limit: 9})
			failed = errors.Join(failed, err)
			at := slices.IndexFunc(found, func(f customer.Action) bool { return f.ID == a.ID })
			if at < 0 || (found[at].Result != "") != (i < len(kept)) {
				t.Errorf("action %d comes back as %+v", a.ID, found)
			}
		}
		return failed
	})
}

func actionsComeBack(t *testing.T, w *world) {
	id := w.site(t)
	for _, want := range []customer.Action{sampleAction(id, 7), plainAction(id, 8, listing(9), 0)} {
		page := func(tx port.Tx) (customer.Action, error) {
			return only(tx.Actions().Page(port.ActionQuery{Site: id, Subject: want.Subject, Limit: 9}))
		}
		latest := func(tx port.Tx) (customer.Action, error) {
			return only(tx.Actions().Latest(id, customer.AimedAtProduct, []int64{want.Subject.ID}, nil, 9))
		}
		w.update(t, func(tx port.Tx) error { return tx.Actions().Append(want) })
		for what, read := range map[string]func(port.Tx) (customer.Action, error){"a page": page, "the latest": latest} {
			w.view(t, func(tx port.Tx) error {
				got, err := read(tx)
				same(t, "an action in "+what, want, got)
				return err
			})
		}
	}
}

// append stores actions about some subjects: their ids are 1, 2, 3 …, their types
// id modulo 3.
func (w *world) append(t *testing.T, id site.ID, about ...customer.ActionSubject) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		for i, s := range about {
			if err := tx.Actions().Append(plainAction(id, customer.ActionID(i+1), s, customer.ActionTypeID((i+1)%3))); err != nil {
				return err
			}
		}
		return nil
	})
}

func actionIDs(actions []customer.Action) []int64 {
	ids := []int64{}
	for _, a := range actions {
		ids = append(ids, int64(a.ID))
	}
	return ids
}

func actionsArePaged(t *testing.T, w *world) {
	id := w.site(t)
	person := customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: 1}
	w.append(t, id, listing(1), listing(1), listing(2), listing(1), person, listing(1), listing(1), listing(1))
	w.append(t, w.site(t), listing(1))
	for name, c := range map[string]struct {
		query port.ActionQuery
		want  []int64
	}{
		"all":           {port.ActionQuery{Subject: listing(1), Limit: 9}, []int64{8, 7, 6, 4, 2, 1}},
		"a page":        {port.ActionQuery{Subject: listing(1), Limit: 2}, []int64{8, 7}},
		"the next page": {port.ActionQuery{Subject: listing(1), Limit: 2, Before: 7}, []int64{6, 4}},
		"of a type":     {port.ActionQuery{Subject: listing(1), Limit: 2, Types: []customer.ActionTypeID{1}}, []int64{7, 4}},
		"of two types":  {port.ActionQuery{Subject: listing(1), Limit: 9, Types: []customer.ActionTypeID{0, 2}, Before: 8}, []int64{6, 2}},
		"of no type":    {port.ActionQuery{Subject: listing(1), Limit: 9, Types: []customer.ActionTypeID{}}, []int64{}},
		"of a customer": {port.ActionQuery{Subject: person, Limit: 9}, []int64{5}},
		"of nothing":    {port.ActionQuery{Subject: listing(3), Limit: 9}, []int64{}},
		"none":          {port.ActionQuery{Subject: listing(1)}, []int64{}},
	} {
		c.query.Site = id
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Actions().Page(c.query)
			same(t, name, c.want, actionIDs(got))
			return err
		})
	}
}

// metAt is a visit of a product with a customer.
func metAt(s site.ID, id customer.ActionID, who customer.ID, at time.Time) customer.Action {
	a := plainAction(s, id, listing(int64(id)), 1)
	a.Customer, a.Performed = who, at
	return a
}

// calledAt is an action about a customer, of a type.
func calledAt(s site.ID, id customer.ActionID, who customer.ID, kind customer.ActionTypeID, at time.Time) customer.Action {
	a := plainAction(s, id, customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: int64(who)}, kind)
	a.Performed = at
	return a
}

func (w *world) appendAll(t *testing.T, all ...customer.Action) {
	t.Helper()
	w.update(t, func(tx port.Tx) error { return each(tx.Actions().Append, all...) })
}

func actionsBelongToCustomers(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.appendAll(t,
		calledAt(id, 1, 5, 2, instant(1)), metAt(id, 2, 5, instant(1)), calledAt(id, 3, 5, 1, instant(1)), metAt(id, 4, 6, instant(1)),
		metAt(id, 5, 5, instant(1)), metAt(id, 6, 0, instant(1)), calledAt(id, 7, 5, 2, instant(1)), metAt(other, 8, 5, instant(1)),
	)
	person := customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: 5}
	for name, c := range map[string]struct {
		query port.ActionQuery
		want  []int64
	}{
		"all":           {port.ActionQuery{Subject: person, Limit: 9}, []int64{7, 5, 3, 2, 1}},
		"a page":        {port.ActionQuery{Subject: person, Limit: 2}, []int64{7, 5}},
		"the next page": {port.ActionQuery{Subject: person, Limit: 2, Before: 5}, []int64{3, 2}},
		"of a type":     {port.ActionQuery{Subject: person, Limit: 9, Types: []customer.ActionTypeID{1}}, []int64{5, 3, 2}},
		"of nobody":     {port.ActionQuery{Subject: customer.ActionSubject{Kind: customer.AimedAtCustomer}, Limit: 9}, []int64{}},
		"none":          {port.ActionQuery{Subject: person}, []int64{}},
	} {
		c.query.Site = id
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Actions().Page(c.query)
			same(t, name, c.want, actionIDs(got))
			return err
		})
	}
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Actions().Latest(id, customer.AimedAtCustomer, []int64{5}, nil, 9)
		same(t, "the latest about the customer", []int64{7, 3, 1}, actionIDs(got))
		return err
	})
}

func lastContact(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.appendAll(t,
		metAt(id, 1, 5, instant(2)), calledAt(id, 2, 5, 1, instant(1)), calledAt(id, 3, 6, 1, instant(3)), metAt(id, 4, 6, instant(1)),
		metAt(id, 5, 5, instant(9)), calledAt(id, 6, 5, 1, instant(9)), calledAt(id, 7, 5, 0, instant(4)), calledAt(id, 8, 7, 0, instant(1)),
		calledAt(id, 9, 8, 1, instant(5)), metAt(other, 10, 5, instant(4)), metAt(id, 11, 0, instant(4)),
	)
	for who, want := range map[customer.ID]time.Time{5: instant(2), 6: instant(3), 7: {}, 8: instant(5), 9: {}, 0: {}} {
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Actions().LastContact(id, who, instant(5))
			same(t, fmt.Sprint("the last contact of ", who), want, got)
			return err
		})
	}
}

func latestActions(t *testing.T, w *world) {
	id := w.site(t)
	w.append(t, id, listing(1), listing(1), listing(2), listing(1), customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: 1}, listing(1), listing(3), listing(2))
	for name, c := range map[string]struct {
		subjects []int64
		types    []customer.ActionTypeID
		n        int
		want     []int64
	}{
		"two of each":   {[]int64{3, 1, 2, 4, 1}, nil, 2, []int64{6, 4, 8, 3, 7}},
		"all of one":    {[]int64{1}, nil, 9, []int64{6, 4, 2, 1}},
		"of a type":     {[]int64{1, 2, 3}, []customer.ActionTypeID{1}, 1, []int64{4, 7}},
		"of no type":    {[]int64{1, 2}, []customer.ActionTypeID{}, 9, []int64{}},
		"of no subject": {nil, nil, 9, []int64{}},
		"none":          {[]int64{1}, nil, 0, []int64{}},
	} {
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Actions().Latest(id, customer.AimedAtProduct, c.subjects, c.types, c.n)
			same(t, name, c.want, actionIDs(got))
			return err
		})
	}
}

func actionsAreTallied(t *testing.T, w *world) {
	id := w.site(t)
	entry := func(n customer.ActionID, about int64, kind customer.ActionTypeID, met customer.ID, at time.Time) customer.Action {
		a := plainAction(id, n, listing(about), kind)
		a.Customer, a.Performed = met, at
		return a
	}
	w.appendAll(t,
		entry(1, 1, 5, 10, instant(1)), entry(2, 1, 5, 10, instant(3)), entry(3, 1, 6, 11, instant(2)), entry(4, 1, 7, 12, instant(1)),
		entry(5, 1, 5, 0, instant(0)), entry(6, 2, 7, 0, instant(0)), entry(7, 4, 5, 10, instant(0)),
	)
	tally := func(subjects []int64, visits ...customer.ActionTypeID) (found []customer.ActionTally) {
		w.view(t, func(tx port.Tx) (err error) {
			found, err = tx.Actions().Tally(id, customer.AimedAtProduct, subjects, visits, instant(2))
			return err
		})
		return found
	}
	same(t, "the tallies", []customer.ActionTally{{Subject: 1, Customers: 3, VisitsDone: 2, VisitsPlanned: 2}, {Subject: 2}}, tally([]int64{3, 2, 1, 2}, 5, 6))
	same(t, "without visits", []customer.ActionTally{{Subject: 1, Customers: 3}}, tally([]int64{1}))
	same(t, "of nothing", []customer.ActionTally{}, tally(nil, 5))
}

func (p program) actionCommand() command {
	n, kind := int(p.number("n", 3)), draw(p, "kind", customer.AimedAtProduct, customer.AimedAtCustomer)
	types := draw(p, "types", nil, []customer.ActionTypeID{}, []customer.ActionTypeID{1}, []customer.ActionTypeID{0, 2})
	switch draw(p, "command", "append", "append", "page", "latest", "tally", "contact", "forget", "move") {
	case "move":
		from := customer.ID(p.number("from", 3))
		to := from%3 + 1
		return command{fmt.Sprint("move ", from, " to ", to), func(tx port.Tx) (any, error) {
			moved, doubles, err := tx.Actions().Move(p.site, from, to)
			return []int{moved, doubles}, err
		}}
	case "forget":
		who := customer.ID(p.number("who", 3) - 1)
		return command{fmt.Sprint("forget ", who), func(tx port.Tx) (any, error) {
			about, err := tx.Actions().Forget(p.site, who)
			slices.SortFunc(about, func(a, b customer.ActionSubject) int {
				return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID))
			})
			return about, err
		}}
	case "append":
		*p.action++
		made := plainAction(p.site, *p.action, customer.ActionSubject{Kind: kind, ID: p.number("subject", 3)}, customer.ActionTypeID(p.number("type", 3)-1))
		made.Customer, made.Performed, made.Result = customer.ID(p.number("customer", 3)-1), instant(int(p.number("at", 3))), "said"
		return command{fmt.Sprintf("append %+v", made), func(tx port.Tx) (any, error) { return nil, tx.Actions().Append(made) }}
	case "page":
		q := port.ActionQuery{
			Site: p.site, Subject: customer.ActionSubject{Kind: kind, ID: p.number("subject", 3)}, Types: types,
			Before: customer.ActionID(p.number("before", 9) - 1), Limit: n,
		}
		return command{fmt.Sprintf("page %+v", q), func(tx port.Tx) (any, error) { return tx.Actions().Page(q) }}
	case "latest":
		subjects := p.numbers("subjects", 3)
		return command{fmt.Sprintf("latest %d of %s %v of %v", n, kind, subjects, types), func(tx port.Tx) (any, error) {
			return tx.Actions().Latest(p.site, kind, subjects, types, n)
		}}
	case "contact":
		who, now := customer.ID(p.number("customer", 3)), instant(int(p.number("now", 3)))
		return command{fmt.Sprintf("last contact of %d at %s", who, now), func(tx port.Tx) (any, error) {
			return tx.Actions().LastContact(p.site, who, now)
		}}
	}
	subjects := p.numbers("subjects", 3)
	return command{fmt.Sprintf("tally %s %v of %v", kind, subjects, types), func(tx port.Tx) (any, error) {
		return tx.Actions().Tally(p.site, kind, subjects, types, instant(2))
	}}
}
