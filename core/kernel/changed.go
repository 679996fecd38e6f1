package kernel

import (
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Adopted has records of one kind and a function that changes them.
type Adopted struct {
	IDs    []int64
	Change func(port.Tx) error
}

// Adopt runs a function that changes records without the use cases, such as statements on
// tables of an embedding system, and does what Change does for each record that differs
// afterwards: an event, a new version and time. The records are locked in the order of
// their ids before the function runs. A record that is deleted afterwards is an error: only
// the use case for it deletes what belongs to it.
func (r Resource[ID, T]) Adopt(in AnyUnit, changed Adopted) (None, error) {
	u := in.kernelUnit()
	ids := make([]ID, len(changed.IDs))
	for i, id := range changed.IDs {
		ids[i] = ID(id)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	before := make([]T, len(ids))
	for i, id := range ids {
		var err error
		if before[i], err = r.Get(u, id); err != nil {
			return None{}, err
		}
	}
	if err := changed.Change(u.Tx); err != nil {
		return None{}, err
	}
	for i, id := range ids {
		after, err := r.Table(u.Tx).Get(u.Site.ID, id)
		if IsAbsent(err) {
			return None{}, fmt.Errorf("record %d is gone: remove it by its use case", id)
		}
		if err := FirstError(err, u.Sees(r.Agency(after))); err != nil {
			return None{}, err
		}
		// The version and the times are the kernel's, whatever was written.
		was, is := r.Stamp(&before[i]), r.Stamp(&after)
		*is.Version, *is.Added, *is.Modified = *was.Version, *was.Added, *was.Modified
		if _, err := r.Change(u, before[i], IfMatch{}, func(T) (T, error) { return after, nil }); err != nil {
			return None{}, err
		}
	}
	return None{}, nil
}
