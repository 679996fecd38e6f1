package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrNotModified is returned by a read with IfNoneMatch when nothing has changed.
var ErrNotModified = errors.New("client: not modified")

// Error is a refusal of the server. errors.As finds it in what calls return.
type Error struct {
	// Status is that of HTTP; Code is stable, and for programs.
	Status int
	Code   string
	// Message is for people.
	Message string
	// Details are there when fields are at fault.
	Details []Detail
	// RequestID names the request to the operator of the server.
	RequestID string
	// RetryAfter is how long the server asks to wait; 0 if it does not say.
	RetryAfter time.Duration
}

// Detail says what is wrong with a field.
type Detail struct {
	Field, Code, Message string
	Value                any
	AcceptedValues       []string `json:"accepted_values"`
}

// Error returns what the server says, with its details and the id of the request.
func (e *Error) Error() string {
	var out strings.Builder
	fmt.Fprintf(&out, "client: %d %s: %s", e.Status, e.Code, e.Message)
	for _, d := range e.Details {
		fmt.Fprintf(&out, "; %s: %s", d.Field, d.Message)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&out, " (request %s)", e.RequestID)
	}
	return out.String()
}

// refusal reads an answer that is no success. One that is no JSON of the API, as those of
// proxies, has an empty code and the text of its status.
func refusal(r *http.Response, body []byte) *Error {
	var said struct {
		Error struct {
			Code, Message string
			Details       []Detail
		}
		RequestID string `json:"request_id"`
	}
	e := &Error{Status: r.StatusCode, Message: http.StatusText(r.StatusCode), RequestID: r.Header.Get("X-Request-Id"), RetryAfter: retryAfter(r.Header)}
	if json.Unmarshal(body, &said) != nil || said.Error.Code == "" {
		return e
	}
	e.Code, e.Message, e.Details = said.Error.Code, said.Error.Message, said.Error.Details
	if said.RequestID != "" {
		e.RequestID = said.RequestID
	}
	return e
}

// retryAfter reads the header of that name, in seconds or as a date.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
