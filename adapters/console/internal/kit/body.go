package kit

import (
	"errors"
	"net/http"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// errUnreadable is the cause of the refusal of what is no form at all.
var errUnreadable = errors.New("the body or the address is no form")

// ReadForm reads the form that a request sent.
func ReadForm(r *http.Request) error { return unreadable(r.ParseForm()) }

// unreadable says what is wrong with a form that cannot be read; nil for nothing.
func unreadable(err error) error {
	if err == nil {
		return nil
	}
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		return fault.New(fault.TooLarge, fault.CodePayloadTooLarge, "the form has more than %d bytes", large.Limit).Because(err)
	}
	return fault.New(fault.Invalid, fault.CodeValidationError, "the form cannot be read").Because(errors.Join(errUnreadable, err))
}
