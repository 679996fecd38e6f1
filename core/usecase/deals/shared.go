package deals

import (
	"errors"
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// held returns a record that is locked with everything that its changes touch: its parties
// first, then its product, which may be gone.
func held[ID ~int64, T any](
	u Unit, life kernel.Resource[ID, T], in port.Deals[ID, T], id ID, facts func(T) deal.Facts,
) (record T, p product.Product, err error) {
	found, err := in.Many(u.Site.ID, []ID{id})
	if err != nil || len(found) == 0 {
		return record, p, kernel.FirstError(err, kernel.Unknown("%s", life.Unknown))
	}
	about := facts(found[0])
	if err := u.holdParties(about.Parties); err != nil {
		return record, p, err
	}
	if p, err = u.Products().Get(u.Site.ID, about.Product); err != nil && !kernel.IsAbsent(err) {
		return record, p, err
	}
	record, err = life.Get(u, id)
	return record, p, err
}

// judged returns what is wrong with a request for a change: what the rules and the check of what it
// names find Invalid, together, or that the status does not admit it, which comes before whether what
// it names exists.
func judged(refused error, check func(*fault.Problems) error) error {
	var problems fault.Problems
	if errors.Is(refused, fault.Invalid) {
		problems.Append(fault.From(refused).Details...)
	}
	unknown := check(&problems)
	if errors.Is(refused, fault.Conflict) && errors.Is(unknown, fault.Invalid) {
		return refused
	}
	return kernel.FirstError(unknown, refused)
}

// number returns the next one of an agency for records of a kind.
func (u Unit) number(agency site.AgencyID, kind deal.Kind) (string, error) {
	n, err := u.NextDeal(u.Site.ID, agency, kind)
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
func (u Unit) pastDay(by site.AgencyID, field string, given opt.Field[string], problems *fault.Problems) (day calendar.Day) {
	f := form.Form{Problems: problems}
	if f.CalendarDay(field, &day, given); day > u.today(by) {
		problems.Wrong(field, fault.CodeOutOfRange, given.Value, "%s is in the future", field)
	}
	return day
}

// requiredDay is pastDay for a field that a request must have.
func (u Unit) requiredDay(by site.AgencyID, field string, given opt.Field[string], problems *fault.Problems) calendar.Day {
	if given.Or("") == "" {
		problems.Add(field, fault.CodeRequired, "%s is required", field)
		return 0
	}
	return u.pastDay(by, field, given, problems)
}

func isConflict(err error) bool { return errors.Is(err, fault.Conflict) }

func live(a agreement.Agreement) bool { return a.Live() }
