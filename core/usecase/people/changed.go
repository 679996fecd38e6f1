package people

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Changed is for a system that keeps customers itself: change alters these customers in its
// own tables, in the unit of work it is given, and each that came to differ gets an event,
// its version and its time by the same commit. Searches, ETags and webhooks follow these.
// What was written is not judged, but for whom it mentions; who may not change the
// customers is refused as in UpdateCustomer.
//
// change may run more than once and must keep no state between runs; when it fails,
// nothing was done. Customers come and go by CreateCustomer and DeleteCustomer.
func (s *Service) Changed(ctx context.Context, c kernel.Caller, ids []int64, change func(port.Tx) error) error {
	_, err := s.changed(ctx, c, kernel.Adopted{IDs: ids, Change: change})
	return err
}

func (u Unit) changed(in kernel.Adopted) (kernel.None, error) { return Customers.Adopt(u, in) }
