package kernel

import "github.com/vitrine-crm/vitrine/core/port"

// WithinSameCommit returns a caller whose use cases do something more by the same commit:
// where a store keeps tables of an embedding system as well, they change with the records
// of this one, or neither do.
//
// The function is called when the use case has done its work, with the unit of work
// and the answer, such as a Created. It may run more than once and must keep no state
// between runs; when it fails, nothing was done, and the use case ends with its error.
// A use case that has several units of work, as those that add pictures have, calls it
// in each. A request that is repeated with its idempotency key has no unit of work.
func (c Caller) WithinSameCommit(do func(tx port.Tx, answer any) error) Caller {
	c.sameCommit = do
	return c
}

// withinSameCommit returns a unit of work that ends with what the caller has done by the same
// commit.
func withinSameCommit(c Caller, fn func(Unit) (any, error)) func(Unit) (any, error) {
	if c.sameCommit == nil {
		return fn
	}
	return func(u Unit) (out any, err error) {
		if out, err = fn(u); err == nil {
			err = c.sameCommit(u.Tx, out)
		}
		return out, err
	}
}
