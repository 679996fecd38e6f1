package hooks

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// FindEvents looks for events in the ledger. What is given must all hold.
type FindEvents struct {
	// Types are event types; none is every one.
	Types []string
	// Resource is the id of what the event is about, whatever its kind.
	Resource opt.Field[int64]
	// Agency is one in scope.
	Agency opt.Field[int64]
	// From and To are date-times, From included.
	From, To opt.Field[string]
	// Before is the NextCursor of the page before.
	Before opt.Field[int64]
}

// FoundEvents is a page of events, latest first.
type FoundEvents struct {
	Data []FoundEvent
	// NextCursor is nil when there is nothing more. A page may be short, or empty, and
	// have one: only so much of the ledger is looked through at once.
	NextCursor *int64
}

// FoundEvent is an event, with the kind of resource it is about, such as PRODUCT.
type FoundEvent struct {
	EventRecord
	Kind string
}

const (
	foundPerPage = 50
	// lookedThrough bounds how much of the ledger one page looks through for events that
	// may be rare, searchWindow how much of it one query does.
	lookedThrough = 100_000
	searchWindow  = 10_000
)

// findEvents goes through the ledger window by window, from the latest event on, so
// that what is rare is looked for without reading all of it.
func (u unit) findEvents(in FindEvents) (FoundEvents, error) {
	q, err := u.eventQuery(in)
	if err != nil {
		return FoundEvents{}, err
	}
	page := FoundEvents{Data: []FoundEvent{}}
	for stop := q.Below - lookedThrough; q.Below > 1; {
		if q.Below <= stop {
			return page.goesOn(q.Below), nil
		}
		if q.Resource == 0 { // by what they are about events are found in any ledger
			q.Above = max(0, q.Below-searchWindow-1)
		}
		found, err := u.Ledger().Find(q)
		if err != nil {
			return FoundEvents{}, err
		}
		for _, e := range found {
			q.Below = e.Seq
			if !u.hears(e) {
				continue
			}
			if len(page.Data) == foundPerPage {
				return page.goesOn(e.Seq + 1), nil
			}
			page.Data = append(page.Data, FoundEvent{eventRecord(e), event.KindOf(e.Type, e.Subject)})
		}
		if len(found) < q.Limit {
			q.Below = q.Above + 1
		}
	}
	return page, nil
}

func (p FoundEvents) goesOn(before int64) FoundEvents {
	p.NextCursor = &before
	return p
}

func (u unit) eventQuery(in FindEvents) (port.EventQuery, error) {
	var problems fault.Problems
	q := port.EventQuery{Site: u.Site.ID, Below: u.Site.Head.Seq + 1, Limit: foundPerPage + 1}
	for _, name := range in.Types {
		t, known := event.Parse(name)
		if !known {
			problems.Wrong("types", fault.CodeUnknownEventType, name, "no event has this name")
		}
		q.Types = append(q.Types, t)
	}
	f := form.Form{Problems: &problems}
	form.ID(f, "resource_id", &q.Resource, in.Resource)
	before := q.Below
	form.ID(f, "before", &before, in.Before)
	q.Below = min(q.Below, before)
	outside := u.CheckAgency(in.Agency, &problems)
	form.ID(f, "agency_id", &q.Agency, in.Agency)
	q.From, q.To = u.Site.Since("from", in.From, &problems), u.Site.Since("to", in.To, &problems)
	slices.Sort(q.Types)
	return q, kernel.FirstError(outside, problems.Err())
}
