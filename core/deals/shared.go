package deals

import (
	"errors"
	"fmt"

	"github.com/vitrine-crm/vitrine/core/agreement"
	"github.com/vitrine-crm/vitrine/core/calendar"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/deal"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/site"
)

// number is the next one of an agency for records of a kind.
func (u Unit) number(agency site.AgencyID, kind deal.Kind) (string, error) {
	n, err := u.DealNumbers().Next(u.Site.ID, agency, kind)
	return fmt.Sprintf("%d-%s%d", agency, kind, n), err
}

// cancellationReason reads why something is given up, a code of list 17.
func (u Unit) cancellationReason(given opt.Field[string]) (reason string, err error) {
	var problems fault.Problems
	form.Form{Problems: &problems}.Listed("cancellation_reason", &reason, given, u.Site.Dictionary, criteria.CancellationReasons)
	if reason == "" && problems.Empty() {
		problems.Add("cancellation_reason", fault.CodeRequired, "cancellation_reason is required: a code of list 17")
	}
	return reason, problems.Err()
}

// pastDay reads a day of a request that is today or earlier; none where there is
// none.
func (u Unit) pastDay(field string, given opt.Field[string], problems *fault.Problems) (day calendar.Day) {
	f := form.Form{Problems: problems}
	if f.CalendarDay(field, &day, given); day > u.today() {
		problems.Wrong(field, fault.CodeOutOfRange, given.Value, "%s is in the future", field)
	}
	return day
}

// requiredDay is pastDay for a field that a request must have.
func (u Unit) requiredDay(field string, given opt.Field[string], problems *fault.Problems) calendar.Day {
	if given.Or("") == "" {
		problems.Add(field, fault.CodeRequired, "%s is required", field)
		return 0
	}
	return u.pastDay(field, given, problems)
}

// required reports a field that a request must have where it is missing.
func required(f form.Form, field string, missing bool) {
	if missing {
		f.Wrong(field, fault.CodeRequired, nil, "%s is required", field)
	}
}

func isConflict(err error) bool { return errors.Is(err, fault.Conflict) }

func live(a agreement.Agreement) bool { return a.Live() }
