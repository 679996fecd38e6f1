// Package trace says what is kept of the requests that were answered: one Request
// each, without what is personal or secret, and counts of all of them.
package trace

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// MaxBody is how many bytes are kept of what was sent, and of what was answered.
const MaxBody = 8 << 10

// Request is what is kept of one request and its answer.
type Request struct {
	// ID is the request_id that was answered.
	ID string
	// Site is whose site was acted on; 0 when nobody was identified.
	Site site.ID
	// At is when the request came.
	At time.Time
	// ClientID is the X-Request-Id that the client sent.
	ClientID string
	// Operation is its id in the table, or "none".
	Operation string
	Method    string
	// Path is as it is routed, with numbers in the places of ids: other parameters
	// stay in braces. It is empty when there is no such route.
	Path string
	// Query is redacted, without the question mark.
	Query string
	// Credential is who asked; empty when that is not certain.
	Credential access.CredentialID
	// Claimed is whom a request says it is from that was refused before that was certain:
	// the credential of the client id, token or key that it was sent with, or
	// access.UnknownClient. It is empty when it was sent with none, and unless Site is 0.
	Claimed access.CredentialID
	// UnknownClient is the client id it was sent with, as ShownClientID shows it, when there is
	// no such client.
	UnknownClient string
	Status        int
	// Code is that of the error that was answered, if it was one.
	Code fault.Code
	Took time.Duration
	// Bytes is the length of the answer's body as it was sent.
	Bytes int64
	// Peer is the address the request came from, Agent the User-Agent of the client.
	Peer, Agent string
	// Deprecated are the deprecated names of fields it used, in their order.
	Deprecated []string
	// OneIn is how many requests such as this one a kept one stands for; 1 when all
	// are kept.
	OneIn int
	// Customers are those the request is about.
	Customers []customer.ID
	// Sent and Answered are the bodies of writes and refusals, redacted; empty where
	// there were none, or none is kept.
	Sent, Answered string
}

// Class returns the first digit of a status: 2 for success, 4 for what the client did
// wrong, 5 for what went wrong here.
func Class(status int) int { return status / 100 }

// Refused reports whether the request was answered with an error.
func (r Request) Refused() bool { return Class(r.Status) > 3 }

// FailedSignIn reports whether the request was refused because of who it says it is from.
func (r Request) FailedSignIn() bool {
	return r.Site == 0 && r.Claimed != "" && Class(r.Status) == 4
}

// IsAbout reports whether the request is about a customer.
func (r Request) IsAbout(id customer.ID) bool {
	return slices.Contains(r.Customers, id)
}

// WithoutBodies returns the request without what was sent and answered.
func (r Request) WithoutBodies() Request {
	r.Query, r.Sent, r.Answered = "", "", ""
	return r
}

// Later orders requests for lists: the latest first, those of one moment by id.
func Later(a, b Request) int {
	return cmp.Or(b.At.Compare(a.At), strings.Compare(b.ID, a.ID))
}
