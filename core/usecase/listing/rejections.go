package listing

import (
	"context"
	"net/url"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// maxRejected bounds how many rejected products of a site are remembered. Where
// there are more, every product is taken for rejected, and read.
const maxRejected = 10_000

// rejected are the products of a site that a receiver rejected, as of one
// revision. It is immutable; nil is none.
type rejected struct {
	revision int64
	ids      map[int64]bool
	many     bool // more than are remembered
}

// of returns the revision that names the rejections of a product, 0 when it has none.
// A revision never comes back, so that the key of a record with rejections never equals a
// later one.
func (r *rejected) of(id product.ID) int64 {
	if r == nil || !r.many && !r.ids[int64(id)] {
		return 0
	}
	return r.revision
}

// bytes estimates the memory it takes.
func (r *rejected) bytes() int { return 128 + 16*len(r.ids) }

// rejectedFor finds the products whose rejections the caller sees. They are about
// the site's subscribers, and shown to software of the agency that may see these.
func (s *Service) rejectedFor(ctx context.Context, c kernel.Caller) (*rejected, error) {
	if c.Site.Head.Rejections == 0 || c.IsPublic() || !c.Grant.Packs.Any(access.Webhooks) {
		return nil, nil
	}
	return s.rejected.At(ctx, s.k, c.Site.ID, c.Site.Head.Rejections)
}

// loadRejected reads which products of a site are rejected.
func loadRejected(store port.Store) func(context.Context, site.ID) (*rejected, error) {
	return func(ctx context.Context, id site.ID) (*rejected, error) {
		fresh := &rejected{ids: map[int64]bool{}}
		return fresh, store.View(ctx, func(tx port.Tx) error {
			head, err := tx.Ledger().Head(id)
			if err != nil {
				return err
			}
			found, err := tx.Rejections().Rejected(id, event.ProductUpdate.Resource(), maxRejected+1)
			fresh.revision, fresh.many = head.Rejections, len(found) > maxRejected
			for _, p := range found {
				fresh.ids[p] = true
			}
			return err
		})
	}
}

// rejections reads the rejections of those among the products that have any.
func (u Unit) rejections(known *rejected, products []product.Product) (map[product.ID][]webhook.Rejection, error) {
	var ids []int64
	for _, p := range products {
		if known.of(p.ID) != 0 {
			ids = append(ids, int64(p.ID))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := u.Rejections().Many(u.Site.ID, event.ProductUpdate.Resource(), ids)
	byProduct := map[product.ID][]webhook.Rejection{}
	for _, r := range found {
		byProduct[product.ID(r.Resource)] = append(byProduct[product.ID(r.Resource)], r)
	}
	return byProduct, err
}

// namingReceivers are the blocks that say which receiver rejected a product.
const namingReceivers = product.PublicationErrors | product.Publications

// receiverHosts names the receivers of the site by the hosts of their URLs.
func (u Unit) receiverHosts() (map[webhook.ID]string, error) {
	hooks, err := u.Webhooks().Of(u.Site.ID)
	hosts := make(map[webhook.ID]string, len(hooks))
	for _, w := range hooks {
		if target, err := url.Parse(w.URL); err == nil {
			hosts[w.ID] = target.Hostname()
		}
	}
	return hosts, err
}

// SyncErrorOf returns how records show a rejection.
func SyncErrorOf(r webhook.Rejection) SyncError {
	return SyncError{HookID: int64(r.Hook), EventType: r.Type, Reason: r.Reason, OccurredAt: kernel.Instant{Time: r.At}}
}

// addRejections shows what receivers rejected. In publications a receiver is a
// channel that failed.
func (f *ProductFields) addRejections(rejections []webhook.Rejection, hosts map[webhook.ID]string) {
	for _, r := range rejections {
		*f.SyncErrors = append(*f.SyncErrors, SyncErrorOf(r))
		if f.CriteresPublicationErrors != nil {
			*f.CriteresPublicationErrors = append(*f.CriteresPublicationErrors, PublicationError{
				Code: "rejected_by_receiver", Message: r.Reason, Channel: kernel.Nullable(hosts[r.Hook]),
			})
		}
		if host, known := hosts[r.Hook]; known && f.Publications != nil {
			*f.Publications = append(*f.Publications, Publication{
				Channel: host, Status: "error", Reference: kernel.Nullable(f.Model), Error: kernel.Nullable(r.Reason),
			})
		}
	}
}
