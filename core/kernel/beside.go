package kernel

import "github.com/vitrine-crm/vitrine/core/port"

// Also is the caller of a use case beside which something more is done, by the same
// commit: where a store keeps tables of an embedding system as well, they change
// with the records of this one, or neither do.
//
// The function is called when the use case has done its work, with the unit of work
// and the answer, such as a Created. It may run more than once and must keep no state
// between runs; when it fails, nothing was done, and the use case ends with its error.
// A use case that has several units of work, as those that add pictures have, calls it
// in each. A request that is repeated with its idempotency key has no unit of work.
func (c Caller) Also(do func(tx port.Tx, answer any) error) Caller {
	c.also = do
	return c
}

// beside is a unit of work with what the caller has done beside it.
func beside[Out any](c Caller, fn func(Unit) (Out, error)) func(Unit) (Out, error) {
	if c.also == nil {
		return fn
	}
	return func(u Unit) (out Out, err error) {
		if out, err = fn(u); err == nil {
			err = c.also(u.Tx, out)
		}
		return out, err
	}
}
