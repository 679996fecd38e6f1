package agreement

import (
	"cmp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
)

// Pending is something that has to happen by a day.
type Pending struct {
	Kind string
	Date calendar.Day
	// Condition and Customer say what it is about; 0 is nothing of the kind.
	Condition ConditionID
	Customer  customer.ID
}

// The kinds that are not those of a legal period.
const (
	ConditionDue = "CONDITION"
	DeedDue      = "ACTE"
)

// Deadlines lists what is pending, by date. What is settled is not.
func (a Agreement) Deadlines() []Pending {
	var all []Pending
	switch a.Status {
	case Completed, Failed, Cancelled:
	case Withdrawn:
		if a.Deposit.Holder != NoHolder {
			all = append(all, Pending{Kind: string(calendar.DepositReturn), Date: calendar.DepositReturn.From(a.Sent, calendar.France, 0).LastDay})
		}
	case Signed, Withdrawal:
		for _, n := range a.Notifications {
			all = append(all, Pending{Kind: string(calendar.Withdrawal), Date: n.LastDay, Customer: n.Customer})
		}
		fallthrough
	case Draft, Waiting, Cleared:
		for _, c := range a.Conditions {
			if c.Status == ConditionWaits && c.Due != 0 {
				all = append(all, Pending{Kind: ConditionDue, Date: c.Due, Condition: c.ID})
			}
		}
		if a.DeedExpected != 0 {
			all = append(all, Pending{Kind: DeedDue, Date: a.DeedExpected})
		}
	}
	slices.SortStableFunc(all, func(x, y Pending) int { return cmp.Compare(x.Date, y.Date) })
	return all
}

// Property is what of the product warnings depend on.
type Property struct {
	// Dwelling says that people live there, Labelled that it has an energy label.
	Dwelling, Labelled bool
	// Diagnosed is the day of its diagnosis, YYYY-MM-DD, where it is in France.
	Diagnosed string
}

// Warnings lists what should be mended. It prevents nothing.
func (a Agreement) Warnings(p Property, today calendar.Day) []string {
	var all []string
	warn := func(code string, when bool) {
		if when {
			all = append(all, code)
		}
	}
	warn("mandate_missing", a.Live() && a.Mandate == "")
	// CCH L271-2: before the end of that right only professionals take money.
	warn("deposit_before_retraction", a.MayWithdraw && a.Deposit.Holder == AnotherHolds && a.Deposit.Received != 0 &&
		(a.WithdrawalEnd == 0 || a.Deposit.Received <= a.WithdrawalEnd))
	warn("condition_overdue", (a.Live() || a.Status == Draft) && slices.ContainsFunc(a.Conditions, func(c Condition) bool { return c.Overdue(today) }))
	warn("notary_missing", a.Live() && (a.SellerNotary == 0 || a.BuyerNotary == 0))
	warn("dpe_missing", p.Dwelling && !p.Labelled)
	warn("dpe_void", p.Dwelling && p.Labelled && energy.Void(p.Diagnosed, cmp.Or(a.Date, today).String()))
	return all
}
