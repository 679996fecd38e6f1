package hooks

import (
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// ListEvents is GET /events.
type ListEvents struct {
	After    opt.Field[int64] `query:"after" alias:"cursor" minimum:"0" doc:"only events with a greater id"`
	Origines EventNames       `query:"origines" doc:"event types; without it all"`
	Limit    opt.Field[int]   `query:"limit" minimum:"1" maximum:"1000" doc:"default 100"`
}

// EventNames names event types, separated by commas.
type EventNames string

// Choices implements Choices.
func (EventNames) Choices() []string {
	var names []string
	for _, t := range event.Types() {
		names = append(names, string(t))
	}
	return names
}

// EventPage is a page of the ledger, oldest first.
type EventPage struct {
	Data       []EventRecord `json:"data"`
	NextCursor *string       `json:"next_cursor"`
	HasMore    bool          `json:"has_more"`
	LastID     int64         `json:"last_id" doc:"id of the latest event of the site, whether or not it is shown"`
}

// Empty implements kernel.Emptiable.
func (p EventPage) Empty() bool { return len(p.Data) == 0 }

// EventRecord is one event.
type EventRecord struct {
	ID         int64          `json:"id"`
	EventType  string         `json:"event_type"`
	ResourceID int64          `json:"resource_id"`
	Timestamp  kernel.Instant `json:"timestamp"`
	AgencyID   *int64         `json:"agency_id" doc:"null: about the site as a whole"`
}
