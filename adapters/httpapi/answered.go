package httpapi

import (
	"context"
	"net/http"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Observer is told of every request, besides the log and the metrics.
type Observer interface {
	// Begin is told that a request has come. It is worked on within the context that is
	// returned; end is told how it was answered.
	Begin(r *http.Request) (within context.Context, end func(Answered))
}

// Answered is how a request was answered. Nothing in it is what the client wrote, but for
// numbers in the places of ids.
type Answered struct {
	// ID is the X-Request-Id.
	ID string
	// Operation is the id of the operation, or of the page, and Route its path with
	// parameters in braces; both are empty when there is none of the method and path.
	Operation, Route string
	// Path is the path that was asked for: numbers stand for their parameters, whatever
	// else was in the place of one does not.
	Path   string
	Status int
	// Site and Credential are those of the caller, if one is known.
	Site       site.ID
	Credential access.CredentialID
	// Code is that of the error that was answered, if one was.
	Code fault.Code
}

// answered returns how a request was answered, so far.
func (x *exchange) answered() Answered {
	a := Answered{
		ID: x.id, Route: x.path, Path: new(redactor).path(x.path, x.vars), Status: x.seen(),
		Site: x.caller.Grant.Site, Credential: x.caller.Grant.Credential, Code: x.code,
	}
	if x.op != noOperation {
		a.Operation = x.op
	}
	return a
}
