package calendar

import (
	"fmt"
	"slices"
)

// DeadlineKind is a legal period.
type DeadlineKind string

// The periods, and what they begin with.
const (
	// Withdrawal is in which a buyer who is no professional may withdraw: ten days
	// from the day after the first presentation of the letter.
	Withdrawal DeadlineKind = "RETRACTATION"
	// DepositReturn is in which a deposit is paid back after a withdrawal.
	DepositReturn DeadlineKind = "RESTITUTION_ACOMPTE"
	// LoanCondition is before which a condition of a loan cannot end, from the
	// signature.
	LoanCondition DeadlineKind = "CONDITION_PRET"
	// LoanReflection is in which a borrower cannot accept an offer, from its
	// receipt.
	LoanReflection DeadlineKind = "REFLEXION_PRET"
	// Preemption is in which a commune may buy instead, from its receipt of the
	// declaration.
	Preemption DeadlineKind = "PREEMPTION"
	// Notice ends a lease so many months after it was received.
	Notice DeadlineKind = "PREAVIS"
	// LatestNotice is the last day to receive a notice for the end of a term, so
	// many months before it.
	LatestNotice DeadlineKind = "CONGE"
	// Term is the last day of a lease of so many months, from its first.
	Term DeadlineKind = "TERME"
	// Revision is in which a revision of the rent can be asked for, from the day it
	// was due.
	Revision DeadlineKind = "REVISION"
	// SecurityReturn is in which the deposit of a lease is paid back, from the
	// return of the keys.
	SecurityReturn DeadlineKind = "RESTITUTION_DEPOT"
)

// deadlineRule is how a period is counted.
type deadlineRule struct {
	kind DeadlineKind
	law  string
	// extended periods that end on a Saturday, a Sunday or a public holiday go on to
	// the next working day (CPC art. 642).
	extended bool
	// maxMonths is the longest that can be asked for; 0 where the law sets the length.
	maxMonths int
	nominal   func(from Day, months int) Day
}

func days(n Day) func(Day, int) Day {
	return func(from Day, _ int) Day { return from + n }
}

func months(n int) func(Day, int) Day {
	return func(from Day, _ int) Day { return from.AddMonths(n) }
}

var deadlineRules = []deadlineRule{
	{kind: Withdrawal, law: "CCH L271-1; CPC 641, 642", extended: true, nominal: days(10)},
	{kind: DepositReturn, law: "CCH L271-2", nominal: days(21)},
	{kind: LoanCondition, law: "Code de la consommation L313-41", nominal: months(1)},
	{kind: LoanReflection, law: "Code de la consommation L313-34", nominal: days(10)},
	{kind: Preemption, law: "Code de l'urbanisme L213-2, R213-7", nominal: months(2)},
	{kind: Notice, law: "loi 89-462 art. 15 I, 25-8", maxMonths: 12, nominal: Day.AddMonths},
	{kind: LatestNotice, law: "loi 89-462 art. 15 I, 25-8", maxMonths: 12, nominal: latestBefore},
	{kind: Term, law: "loi 89-462 art. 10, 25-7; Code de commerce L145-4", maxMonths: 1200, nominal: Day.LastOfTerm},
	{kind: Revision, law: "loi 89-462 art. 17-1", nominal: months(12)},
	{kind: SecurityReturn, law: "loi 89-462 art. 22", maxMonths: 2, nominal: Day.AddMonths},
}

// latestBefore returns the latest day from which so many months end on the term or
// before it.
func latestBefore(term Day, months int) Day {
	day := term.AddMonths(-months)
	// Months that are shorter than the one of the term let later days end on it.
	for (day + 1).AddMonths(months) <= term {
		day++
	}
	return day
}

// DeadlineKinds lists the periods.
func DeadlineKinds() []DeadlineKind {
	kinds := make([]DeadlineKind, len(deadlineRules))
	for n, r := range deadlineRules {
		kinds[n] = r.kind
	}
	return kinds
}

func (k DeadlineKind) rule() (deadlineRule, bool) {
	n := slices.IndexFunc(deadlineRules, func(r deadlineRule) bool { return r.kind == k })
	if n < 0 {
		return deadlineRule{}, false
	}
	return deadlineRules[n], true
}

// Known reports whether there is such a period.
func (k DeadlineKind) Known() bool {
	_, known := k.rule()
	return known
}

// MaxMonths returns the most months that can be asked for, from 1; 0 where the law
// alone says how long the period is.
func (k DeadlineKind) MaxMonths() int {
	r, _ := k.rule()
	return r.maxMonths
}

// Law names what the period follows from.
func (k DeadlineKind) Law() string {
	r, _ := k.rule()
	return r.law
}

// DeadlineEnd is when a period ends.
type DeadlineEnd struct {
	// Nominal is the day it ends by its length alone, LastDay the one it ends on.
	Nominal, LastDay Day
}

// Extended reports whether the last day was moved.
func (e DeadlineEnd) Extended() bool { return e.LastDay != e.Nominal }

// From returns when a known period ends that begins with a day, in a region. months
// are those that MaxMonths asks for, and 0 otherwise.
func (k DeadlineKind) From(from Day, region Region, months int) DeadlineEnd {
	r, known := k.rule()
	if !known || (r.maxMonths > 0) != (months > 0) || months > r.maxMonths {
		panic(fmt.Sprintf("deadline: %q of %d months", k, months))
	}
	e := DeadlineEnd{Nominal: r.nominal(from, months)}
	e.LastDay = e.Nominal
	if r.extended {
		e.LastDay = region.NextWorkingDay(e.Nominal)
	}
	return e
}
