package kernel

import (
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Adopted is records of one kind that a function changes.
type Adopted struct {
	IDs    []int64
	Change func(port.Tx) error
}

// Adopt has a function change records by other ways than the use cases, as statements about
// tables of an embedding system do, and does beside it all that Change does: what has come
// to differ gets an event, and its version and time. The records are held, in the order of
// their ids, before the function runs. One that is gone afterwards is an error: what
// else goes with it is known to the use case that removes it.
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
