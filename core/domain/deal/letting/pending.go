package letting

import (
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
)

// Pending is something that has to happen by a day.
type Pending struct {
	Kind calendar.DeadlineKind
	Day  calendar.Day
}

// Deadlines lists what is pending on a day in a lease that runs: its last day, or
// that of the present term, and until when the landlord can give notice for it.
func (l Lease) Deadlines(today calendar.Day) []Pending {
	if l.Notice.By != "" {
		return []Pending{{calendar.Term, l.Notice.Ends}}
	}
	var all []Pending
	term, k := l.Term(today), l.Type.kind()
	if term != 0 {
		all = append(all, Pending{calendar.Term, term})
	}
	if l.Type == Commercial {
		// The law lets both sides end it every three years.
		term = l.threeYears(Notice{Received: today, Months: k.landlord})
	}
	if term != 0 && k.landlord > 0 && k.end != ends {
		all = append(all, Pending{calendar.LatestNotice, calendar.LatestNotice.From(term, calendar.France, k.landlord).LastDay})
	}
	return all
}
