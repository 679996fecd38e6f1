package tokens

import (
	"errors"

	"github.com/vitrine-crm/vitrine/core/domain/access"
)

// Claimed is the error of a request that was refused, with whom it says it is from, for the
// request log: clients are not told.
type Claimed struct {
	// Credential is that of the client id, token or key that was sent, or access.UnknownClient.
	Credential access.CredentialID
	error
}

// Unwrap returns the error of the request.
func (c Claimed) Unwrap() error { return c.error }

// claim returns an error with whom the request says it is from, unless it is known already, or
// there is no error.
func claim(of access.CredentialID, err error) error {
	if _, known := errors.AsType[Claimed](err); err == nil || known || of == "" {
		return err
	}
	return Claimed{of, err}
}
