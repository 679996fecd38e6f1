package kernel

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Version grows with every change of a record. Lots, settings and deliveries change what a
// record shows, and not its version.
type Version int64

// IfMatch is the condition of a write that the record has not changed since the caller read
// it. The zero value is no condition: the last write wins.
type IfMatch struct {
	Given bool
	// Any is met by every record that exists.
	Any bool
	// Versions are those that the caller may overwrite.
	Versions []Version
}

// Check returns Stale if the present version does not meet the condition. It is the last check
// of a write, after the problems of the request, while the record is locked.
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
