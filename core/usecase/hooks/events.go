package hooks

import (
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Page sizes of the ledger.
const (
	defaultEvents = 100
	maxEvents     = 1000
	// maxEventChunks bounds how much of the ledger one call looks through for
	// events that may be rare.
	maxEventChunks = 20
)

func (u unit) listEvents(in ListEvents) (EventPage, error) {
	var problems fault.Problems
	limit := in.Limit.Or(defaultEvents)
	if limit < 1 || limit > maxEvents {
		problems.Wrong("limit", fault.CodeOutOfRange, limit, "limit must be 1 to %d", maxEvents)
	}
	seq := in.After.Or(0)
	if seq < 0 {
		problems.Wrong("after", fault.CodeOutOfRange, seq, "after must be at least 0")
	}
	wanted := wantedEvents(string(in.Origines), &problems)
	if err := problems.Err(); err != nil {
		return EventPage{}, err
	}
	page := EventPage{Data: []EventRecord{}, LastID: u.Site.Head.Seq}
	for range maxEventChunks {
		events, err := u.Ledger().After(u.Site.ID, seq, maxEvents)
		if err != nil {
			return EventPage{}, err
		}
		for _, e := range events {
			if !wanted(e.Type) || !u.hears(e) {
				seq = e.Seq
				continue
			}
			if len(page.Data) == limit {
				return page.continued(seq), nil
			}
			page.Data, seq = append(page.Data, eventRecord(e)), e.Seq
		}
		if len(events) < maxEvents {
			return page, nil
		}
	}
	return page.continued(seq), nil
}

// continued returns the page with more to come after an event.
func (p EventPage) continued(seq int64) EventPage {
	next := strconv.FormatInt(seq, 10)
	p.NextCursor, p.HasMore = &next, true
	return p
}

// wantedEvents reads the origines parameter; empty means every event.
func wantedEvents(origines string, problems *fault.Problems) func(event.Type) bool {
	wanted := map[event.Type]bool{}
	for _, name := range strings.Split(origines, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		t, known := event.Parse(name)
		if !known {
			problems.Wrong("origines", fault.CodeUnknownEventType, name, "no event has this name")
		}
		wanted[t] = true
	}
	return func(t event.Type) bool { return len(wanted) == 0 || wanted[t] }
}

// hears reports whether the caller may know of the event.
func (u unit) hears(e event.Event) bool {
	return u.Reaches(e) && kernel.MayHear(u.Grant.Packs, e.Type)
}

func eventRecord(e event.Event) EventRecord {
	return EventRecord{
		ID: e.Seq, EventType: string(e.Type), ResourceID: e.Resource, Timestamp: kernel.Instant{Time: e.At}, AgencyID: kernel.Nullable(int64(e.Agency)),
	}
}
