package kernel

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Version grows with every change of a record. Lots, settings and deliveries
// change what is shown of a record, and not its version.
type Version int64

// IfMatch is the condition of a write that the record is still what the caller
// saw. The zero value is no condition: the last write wins.
type IfMatch struct {
	Given bool
	// Any is met by every record there is.
	Any bool
	// Versions are those the caller would write over.
	Versions []Version
}

// Check is the last check of a write: it comes after everything that is wrong
// with the request itself, while the record is held.
func (m IfMatch) Check(present Version) error {
	if !m.Given || m.Any || slices.Contains(m.Versions, present) {
		return nil
	}
	return fault.New(fault.Stale, fault.CodePreconditionFailed, "the record has changed since it was read; read it again")
}

// Changed is the answer of a write that answers without a body.
type Changed struct {
	Version Version `json:"-" header:"ETag"`
}
