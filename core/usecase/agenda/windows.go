package agenda

import (
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Longest windows that can be asked for.
const (
	day       = 24 * time.Hour
	maxSearch = 366 * day
	maxFree   = 62 * day
	maxSeries = 20 * 366 * day
)

// window reads from and to in a zone, of which to comes later, at most so much.
func window(zone *time.Location, from, to opt.Field[string], longest time.Duration, problems *fault.Problems) (w calendar.Interval) {
	f := form.Form{Problems: problems}
	f.Required("from", from.Or("") == "")
	f.Required("to", to.Or("") == "")
	return bounds(zone, from, to, calendar.Interval{}, longest, problems)
}

// bounds is window for fields that may be left out.
func bounds(zone *time.Location, from, to opt.Field[string], w calendar.Interval, longest time.Duration, problems *fault.Problems) calendar.Interval {
	f := form.Form{Problems: problems}
	given := false
	for _, end := range []struct {
		field  string
		value  opt.Field[string]
		target *time.Time
	}{{"from", from, &w.Start}, {"to", to, &w.End}} {
		if end.value.Or("") != "" {
			f.Moment(end.field, end.target, opt.Of(strings.TrimSpace(end.value.Value)), zone)
			given = true
		}
	}
	if given && !w.Start.IsZero() && !w.End.IsZero() && (w.Empty() || w.End.Sub(w.Start) > longest) {
		f.Wrong("to", fault.CodeOutOfRange, to.Or(""), "to is after from, at most %d days later", int(longest/day))
	}
	return w
}

// moment reads a moment that a request must have.
func moment(zone *time.Location, field string, given opt.Field[string], problems *fault.Problems) (at time.Time) {
	f := form.Form{Problems: problems}
	if f.Required(field, given.Or("") == ""); given.Or("") != "" {
		f.Moment(field, &at, given, zone)
	}
	return at
}

// MaxListedUsers is how many users a list of ids can name.
const MaxListedUsers = 50

// listedUsers reads ids of users that are separated by commas.
func listedUsers(field string, given opt.Field[string], problems *fault.Problems) (ids []site.UserID) {
	f := form.Form{Problems: problems}
	if strings.TrimSpace(given.Or("")) == "" {
		return nil
	}
	seen := map[site.UserID]bool{}
	for text := range strings.SplitSeq(given.Value, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || id < 1 {
			f.Wrong(field, fault.CodeInvalidFormat, given.Value, "%s are ids, separated by commas", field)
			return nil
		}
		if !seen[site.UserID(id)] {
			seen[site.UserID(id)] = true
			ids = append(ids, site.UserID(id))
		}
	}
	f.Few(field, len(ids), MaxListedUsers)
	return ids
}

// userIDs are ids of users in the body of a request.
func userIDs(given opt.Field[[]int64]) []site.UserID {
	ids := make([]site.UserID, len(given.Value))
	for n, id := range given.Value {
		ids[n] = site.UserID(id)
	}
	return ids
}

// invalid is what is wrong with a request, and its agency outside the scope.
func invalid(outside error, problems *fault.Problems) error {
	return kernel.FirstError(outside, problems.Err())
}
