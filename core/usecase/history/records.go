package history

import (
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Page asks for a page of a history.
type Page struct {
	Cursor opt.Field[int64] `query:"cursor" minimum:"1" doc:"next_cursor of the previous page"`
}

// The requests for a history name the record.
type (
	// ReadProduct is GET /products/{productId}/history.
	ReadProduct struct {
		ID int64 `path:"productId"`
		Page
	}
	// ReadCustomer is GET /customers/{customerId}/history.
	ReadCustomer struct {
		ID int64 `path:"customerId"`
		Page
	}
	// ReadOffer is GET /sale-offers/{offerId}/history.
	ReadOffer struct {
		ID int64 `path:"offerId"`
		Page
	}
	// ReadAgreement is GET /sale-agreements/{agreementId}/history.
	ReadAgreement struct {
		ID int64 `path:"agreementId"`
		Page
	}
	// ReadLease is GET /leases/{leaseId}/history.
	ReadLease struct {
		ID int64 `path:"leaseId"`
		Page
	}
	// ReadEvent is GET /agenda/events/{eventId}/history.
	ReadEvent struct {
		ID int64 `path:"eventId"`
		Page
	}
	// ReadPermanence is GET /agenda/permanences/{permanenceId}/history.
	ReadPermanence struct {
		ID int64 `path:"permanenceId"`
		Page
	}
)

// RecordHistory is a page of a history, latest first.
type RecordHistory struct {
	Data       []RecordEvent `json:"data"`
	NextCursor *int64        `json:"next_cursor" doc:"id of the last entry looked at"`
	HasMore    bool          `json:"has_more"`
}

// RecordEvent is something that happened to a record.
type RecordEvent struct {
	ID        int64          `json:"id" doc:"that of the event"`
	EventType string         `json:"event_type"`
	Timestamp kernel.Instant `json:"timestamp"`
	By        EventActor     `json:"by"`
	RequestID *string        `json:"request_id" doc:"of the request that did it; null without one, and for credentials that only feed websites"`
	Changes   []FieldChange  `json:"changes" doc:"of an update; of others empty"`
}

// EventActor is who did something.
type EventActor struct {
	Kind *string `json:"kind" enum:"client,operator,source,import,system" doc:"null where it is not known any more"`
	ID   *string `json:"id" doc:"client id, id of the operator, of the import source or of the import, or what the system did; null for credentials that only feed websites"`
}

// FieldChange is a field with its value before and after.
type FieldChange struct {
	Field  string  `json:"field" doc:"a criterion, or the field of a request; fields within others after a dot"`
	Before *string `json:"before" doc:"as text, of at most 200 characters; ‹string, n› stands for a text of n characters that is not kept. null: none, or not kept any more"`
	After  *string `json:"after" doc:"as before"`
}

// RequestEvents asks which events a request caused.
type RequestEvents struct {
	ID string
	// From and To bound when they happened: the time of the request, and some time after it.
	From, To kernel.Instant
}

// RequestEvent is an event that a request caused, with the kind and the id of the record it
// is about.
type RequestEvent struct {
	RecordEvent
	Kind     string
	Resource int64
}
