package listing

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Changed is for a system that keeps products itself: change alters these products in its
// own tables, in the unit of work it is given, and each that came to differ gets an event,
// its version and its time by the same commit. Searches, ETags and webhooks follow these.
// What was written is not judged; a reference that another product of the agency has is
// refused as in UpdateProduct, and so is who may not change the products.
//
// change may run more than once and must keep no state between runs; when it fails,
// nothing was done. Products come and go by CreateProduct and DeleteProduct.
func (s *Service) Changed(ctx context.Context, c kernel.Caller, ids []int64, change func(port.Tx) error) error {
	_, err := s.changed(ctx, c, kernel.Adopted{IDs: ids, Change: change})
	return ReferenceTaken(err)
}

func (u Unit) changed(in kernel.Adopted) (kernel.None, error) { return Products.Adopt(u, in) }
