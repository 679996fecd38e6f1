package requests

import (
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// RequestPath names a request.
type RequestPath struct {
	ID string `path:"request_id" doc:"X-Request-Id of the answer, and request_id of an error"`
}

// RequestRecord is what is kept of a request and its answer.
type RequestRecord struct {
	ID         string         `json:"request_id"`
	ClientID   *string        `json:"client_request_id" doc:"X-Request-Id that was sent"`
	ReceivedAt kernel.Instant `json:"received_at"`
	Operation  string         `json:"operation" doc:"x-operation of what was called; none when the path is no operation's"`
	Method     string         `json:"method" doc:"HTTP method"`
	Path       *string        `json:"path" doc:"path that was called"`
	Query      *string        `json:"query" doc:"values that may be personal are replaced by their length"`
	Status     int            `json:"status"`
	Code       *string        `json:"code" doc:"that of the error"`
	DurationMS float64        `json:"duration_ms"`
	Bytes      int64          `json:"bytes" doc:"length of the answer's body as it was sent"`
	// DeprecatedFields are as they were written.
	DeprecatedFields []string `json:"deprecated_fields" doc:"camelCase names that the request used"`
	OneIn            int      `json:"one_in" doc:"how many requests such as this one it stands for; above 1 while many were sent"`
	Sent             *string  `json:"sent" doc:"body of a write or of a refused request, as JSON of which the end may be missing; values that may be personal are replaced by their length"`
	Answered         *string  `json:"answered" doc:"body of the answer to the same, in the same way"`
}

// ReadinessRecord is a deprecated name that a client still uses.
type ReadinessRecord struct {
	Operation string `json:"operation"`
	Name      string `json:"name" doc:"as it was written"`
	Count     int64  `json:"count" doc:"requests within the last 90 days"`
	FirstDay  string `json:"first_day" format:"date"`
	LastDay   string `json:"last_day" format:"date" doc:"last day it was seen"`
	// LastRequestID names the last request that used the name.
	LastRequestID string `json:"last_request_id"`
}
