package kernel

import (
	"errors"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// IsAbsent reports whether the error is NotFound.
func IsAbsent(err error) bool { return errors.Is(err, fault.NotFound) }

// AbsentIs returns another error in place of NotFound.
func AbsentIs(err, other error) error {
	if IsAbsent(err) {
		return other
	}
	return err
}

// Unknown returns the error about something that does not exist.
func Unknown(format string, args ...any) error {
	return fault.New(fault.NotFound, fault.CodeNotFound, format, args...)
}

// FirstError returns the first error that is not nil.
func FirstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Invalid returns the error of a request with one wrong field.
func Invalid(field string, code fault.Code, format string, args ...any) error {
	var problems fault.Problems
	problems.Add(field, code, format, args...)
	return problems.Err()
}
