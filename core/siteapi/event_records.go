package siteapi

// ListEvents is GET /events.
type ListEvents struct {
	After    Opt[int64] `query:"after" alias:"cursor" minimum:"0" doc:"only events with a greater id"`
	Origines string     `query:"origines" doc:"comma-separated event types"`
	Limit    Opt[int]   `query:"limit" minimum:"1" maximum:"1000" doc:"default 100"`
}

// EventPage is a page of the ledger, oldest first.
type EventPage struct {
	Data       []EventRecord `json:"data"`
	NextCursor *string       `json:"next_cursor"`
	HasMore    bool          `json:"has_more"`
	LastID     int64         `json:"last_id" doc:"id of the latest event of the site, whether or not it is shown"`
}

// EventRecord is one event.
type EventRecord struct {
	ID         int64   `json:"id"`
	EventType  string  `json:"event_type"`
	ResourceID int64   `json:"resource_id"`
	Timestamp  Instant `json:"timestamp"`
	AgencyID   int64   `json:"agency_id"`
}
