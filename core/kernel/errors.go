package kernel

import (
	"errors"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// IsAbsent reports whether a store has no such record.
func IsAbsent(err error) bool { return errors.Is(err, fault.NotFound) }

// AbsentIs puts another error in the place of NotFound.
func AbsentIs(err, other error) error {
	if IsAbsent(err) {
		return other
	}
	return err
}

// Unknown is the error about something that does not exist.
func Unknown(format string, args ...any) error {
	return fault.New(fault.NotFound, fault.CodeNotFound, format, args...)
}

// FirstError is the first of some errors, if there is any.
func FirstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Invalid is the error of a request of which one field is wrong.
func Invalid(field string, code fault.Code, format string, args ...any) error {
	var problems fault.Problems
	problems.Add(field, code, format, args...)
	return problems.Err()
}
