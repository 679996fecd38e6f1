package agreement

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
)

// Moment is when something is done, and where.
type Moment struct {
	Now    time.Time
	Zone   *time.Location
	Region calendar.Region
}

// Today returns the day of the moment.
func (m Moment) Today() calendar.Day { return calendar.On(m.Now, m.Zone) }

// check brings an agreement to the moment, and is a Conflict where its status
// does not admit what is to be done.
func (a Agreement) check(by string, m Moment) (Agreement, error) {
	a = a.At(m.Now, m.Zone)
	return a, Transitions().Check(a.Status, by)
}

// MaySign is a Conflict unless the agreement can be signed now. Whether the
// product may be sold is asked next, and then Sign.
func (a Agreement) MaySign(m Moment) error {
	_, err := a.check(Sign, m)
	return err
}

// Sign returns the agreement after both sides signed it on a day, under a mandate.
// Sellers who are missing and conditions of loans that end too soon are Invalid.
func (a Agreement) Sign(date calendar.Day, mandate string, m Moment) (Agreement, error) {
	a, err := a.check(Sign, m)
	if err != nil {
		return a, err
	}
	var problems fault.Problems
	if len(a.Sellers) == 0 {
		problems.Add("sellers", fault.CodeRequired, "nobody sells: sellers are required")
		return a, problems.Err()
	}
	a.Date, a.Mandate = date, mandate
	if a.checkLoans(&problems); !problems.Empty() {
		return a, problems.Err()
	}
	if a.Status = Signed; !a.MayWithdraw {
		a.Status = a.afterWithdrawal()
	}
	return a, nil
}

// checkLoans reports conditions of loans that have no end, or one before a month
// is over (Code de la consommation L313-41).
func (a Agreement) checkLoans(problems *fault.Problems) {
	least := calendar.LoanCondition.From(a.Date, calendar.France, 0).LastDay
	for n, c := range a.Conditions {
		at := fmt.Sprintf("conditions[%d].due_date", n)
		switch {
		case c.Type != Loan:
		case c.Due == 0:
			problems.Add(at, fault.CodeRequired, "a condition of a loan needs a due_date")
		case c.Due < least:
			problems.Wrong(at, fault.CodeConditionTooShort, c.Due.String(), "a condition of a loan lasts a month from the signature at least: %s", least)
		}
	}
}

// Notify returns the agreement after buyers were notified. A later notification of the
// same customer replaces the first. consumers are the buyers who may withdraw:
// once all of them are notified, the period runs.
func (a Agreement) Notify(notified []Notification, consumers []customer.ID, m Moment) (Agreement, error) {
	a, err := a.check(Notify, m)
	if err == nil && !a.MayWithdraw {
		err = transition.Refused(a.Status, "no buyer has a right of withdrawal")
	}
	if err != nil {
		return a, err
	}
	var problems fault.Problems
	a = a.Clone()
	for n, given := range notified {
		at := fmt.Sprintf("notifications[%d].", n)
		if !slices.Contains(consumers, given.Customer) {
			problems.Wrong(at+"customer_id", fault.CodeUnknownCustomer, int64(given.Customer), "this is not a buyer who may withdraw")
		}
		if given.Date < a.Date || given.Date > m.Today() {
			problems.Wrong(at+"date", fault.CodeOutOfRange, given.Date.String(), "a notification is from the signature to today")
		}
		given.LastDay = calendar.Withdrawal.From(given.Date, m.Region, 0).LastDay
		a.Notifications = slices.DeleteFunc(a.Notifications, func(old Notification) bool { return old.Customer == given.Customer })
		a.Notifications = append(a.Notifications, given)
	}
	if err := problems.Err(); err != nil {
		return a, err
	}
	slices.SortFunc(a.Notifications, func(x, y Notification) int { return cmp.Compare(x.Customer, y.Customer) })
	if a.notified(consumers) {
		a.Status, a.WithdrawalEnd = Withdrawal, 0
		for _, n := range a.Notifications {
			a.WithdrawalEnd = max(a.WithdrawalEnd, n.LastDay)
		}
	}
	return a.At(m.Now, m.Zone), nil
}

func (a Agreement) notified(consumers []customer.ID) bool {
	return !slices.ContainsFunc(consumers, func(id customer.ID) bool {
		_, found := a.notificationOf(id)
		return !found
	})
}

func (a Agreement) notificationOf(id customer.ID) (Notification, bool) {
	n := slices.IndexFunc(a.Notifications, func(n Notification) bool { return n.Customer == id })
	if n < 0 {
		return Notification{}, false
	}
	return a.Notifications[n], true
}

// Retract returns the agreement after a buyer withdrew: one ends it for all. It is the
// day of sending that counts (Cass. 3e civ., 5 December 2007, no 06-19.567); who
// has not been notified is in time.
func (a Agreement) Retract(by customer.ID, sent calendar.Day, consumers []customer.ID, m Moment) (Agreement, error) {
	a, err := a.check(Retract, m)
	if err == nil && !a.MayWithdraw {
		err = transition.Refused(a.Status, "no buyer has a right of withdrawal")
	}
	if err != nil {
		return a, err
	}
	var problems fault.Problems
	if !slices.Contains(consumers, by) {
		problems.Wrong("customer_id", fault.CodeUnknownCustomer, int64(by), "this is not a buyer who may withdraw")
	}
	if sent < a.Date || sent > m.Today() {
		problems.Wrong("date_sent", fault.CodeOutOfRange, sent.String(), "a withdrawal is sent from the signature to today")
	}
	if err := problems.Err(); err != nil {
		return a, err
	}
	if n, notified := a.notificationOf(by); notified && sent > n.LastDay {
		return a, fault.New(fault.Conflict, fault.CodeRetractionExpired, "the last day to withdraw was %s", n.LastDay).At("date_sent", sent.String())
	}
	a.Status, a.Sent = Withdrawn, sent
	return a, nil
}

// Settlement is what became of a condition. A day of none is today.
type Settlement struct {
	Date   calendar.Day
	Note   string
	Waived bool
}

// Lift returns the agreement after a condition came true, or was waived.
func (a Agreement) Lift(id ConditionID, s Settlement, m Moment) (Agreement, error) {
	to := ConditionLifted
	if s.Waived {
		to = ConditionWaived
	}
	a, err := a.endCondition(id, Lift, to, s, m)
	if err == nil && a.Status == Waiting && !a.Waits() {
		a.Status = Cleared
	}
	return a, err
}

// Fail returns the agreement after a condition did not come true.
func (a Agreement) Fail(id ConditionID, s Settlement, m Moment) (Agreement, error) {
	a, err := a.endCondition(id, Fail, ConditionFailed, s, m)
	if err == nil {
		a.Status = Failed
	}
	return a, err
}

func (a Agreement) endCondition(id ConditionID, by string, to ConditionStatus, s Settlement, m Moment) (Agreement, error) {
	a, err := a.check(by, m)
	if err != nil {
		return a, err
	}
	n := slices.IndexFunc(a.Conditions, func(c Condition) bool { return c.ID == id })
	if n < 0 {
		return a, fault.New(fault.NotFound, fault.CodeNotFound, "the agreement has no condition with this id")
	}
	if status := a.Conditions[n].Status; status != ConditionWaits {
		return a, transition.Refused(status, "the condition is settled already")
	}
	if s.Date == 0 {
		s.Date = m.Today()
	}
	if s.Date > m.Today() {
		var problems fault.Problems
		problems.Wrong("date", fault.CodeOutOfRange, s.Date.String(), "date is in the future")
		return a, problems.Err()
	}
	a = a.Clone()
	c := &a.Conditions[n]
	c.Status, c.Settled, c.Note = to, s.Date, s.Note
	return a, nil
}

// Notarise returns the agreement after the deed was signed on a day.
func (a Agreement) Notarise(deed calendar.Day, m Moment) (Agreement, error) {
	a, err := a.check(Notarise, m)
	if err != nil {
		return a, err
	}
	var problems fault.Problems
	if deed > m.Today() || deed < a.Date || deed <= a.WithdrawalEnd {
		problems.Wrong("date_deed", fault.CodeOutOfRange, deed.String(), "a deed is signed after the agreement and the right of withdrawal, and not in the future")
	}
	a.Status, a.Deed = Completed, deed
	return a, problems.Err()
}

// Cancel returns the agreement after both sides gave it up.
func (a Agreement) Cancel(reason string, m Moment) (Agreement, error) {
	a, err := a.check(Cancel, m)
	if err != nil {
		return a, err
	}
	a.Status, a.CancellationReason = Cancelled, reason
	return a, nil
}
