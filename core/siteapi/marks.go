package siteapi

import (
	"context"
	"net/url"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// maxMarked bounds how many marked products of a site are remembered. Where
// there are more, every product is taken for marked, and read.
const maxMarked = 10_000

// marks are the products of a site that a receiver rejected, as of one revision.
// It is immutable; nil is none.
type marks struct {
	revision int64
	ids      map[int64]bool
	many     bool // more than are remembered
}

// of is the revision that names the marks of a product, 0 when it has none. A
// revision never comes back, so that no reading with marks is taken for a later
// one.
func (m *marks) of(id product.ID) int64 {
	if m == nil || !m.many && !m.ids[int64(id)] {
		return 0
	}
	return m.revision
}

// marked finds the products whose marks the caller sees. They are about the
// site's subscribers, and shown to those who may see these.
func (s *Service) marked(ctx context.Context, c Caller) (*marks, error) {
	if c.head.Rejections == 0 || !c.Grant.Packs.Any(access.Webhooks) {
		return nil, nil
	}
	return s.marks.at(ctx, s, c.Site(), c.head.Rejections)
}

// loadMarks reads which products of a site are marked.
func (s *Service) loadMarks(ctx context.Context, id site.ID) (*marks, error) {
	fresh := &marks{ids: map[int64]bool{}}
	return fresh, s.ports.Store.View(ctx, func(tx port.Tx) error {
		head, err := tx.Ledger().Head(id)
		if err != nil {
			return err
		}
		marked, err := tx.Rejections().Rejected(id, event.ProductUpdate.Resource(), maxMarked+1)
		fresh.revision, fresh.many = head.Rejections, len(marked) > maxMarked
		for _, product := range marked {
			fresh.ids[product] = true
		}
		return err
	})
}

// marksOf reads the marks of those among the products that have any.
func marksOf(tx port.Tx, id site.ID, known *marks, products []product.Product) (map[product.ID][]webhook.Rejection, error) {
	var marked []int64
	for _, p := range products {
		if known.of(p.ID) != 0 {
			marked = append(marked, int64(p.ID))
		}
	}
	if len(marked) == 0 {
		return nil, nil
	}
	found, err := tx.Rejections().Many(id, event.ProductUpdate.Resource(), marked)
	byProduct := map[product.ID][]webhook.Rejection{}
	for _, j := range found {
		byProduct[product.ID(j.Resource)] = append(byProduct[product.ID(j.Resource)], j)
	}
	return byProduct, err
}

// namingReceivers are the blocks that say which receiver rejected a product.
const namingReceivers = product.PublicationErrors | product.Publications

// hostsOf names the receivers of a site by the hosts of their URLs.
func hostsOf(tx port.Tx, id site.ID) (map[webhook.ID]string, error) {
	hooks, err := tx.Webhooks().Of(id)
	hosts := make(map[webhook.ID]string, len(hooks))
	for _, w := range hooks {
		if u, err := url.Parse(w.URL); err == nil {
			hosts[w.ID] = u.Hostname()
		}
	}
	return hosts, err
}

// addMarks shows what receivers rejected. In publications a receiver is a
// channel that failed.
func (f *ProductFields) addMarks(marks []webhook.Rejection, hosts map[webhook.ID]string) {
	for _, j := range marks {
		f.SyncErrors = append(f.SyncErrors, syncError(j))
		if f.CriteresPublicationErrors != nil {
			*f.CriteresPublicationErrors = append(*f.CriteresPublicationErrors, PublicationError{
				Code: "rejected_by_receiver", Message: j.Reason, Channel: nullable(hosts[j.Hook]),
			})
		}
		if host, known := hosts[j.Hook]; known && f.Publications != nil {
			*f.Publications = append(*f.Publications, Publication{
				Channel: host, Status: "error", Reference: nullable(f.Model), Error: nullable(j.Reason),
			})
		}
	}
}

// marking are resources that carry the mark of one webhook.
type marking map[webhook.Resource]bool

// markedBy finds those of some resources that carry the mark of a webhook.
func markedBy(tx port.Tx, w webhook.Webhook, about []webhook.Resource) (marking, error) {
	marked := marking{}
	byKind := map[string][]int64{}
	for _, r := range about {
		byKind[r.Kind] = append(byKind[r.Kind], r.ID)
	}
	for kind, ids := range byKind {
		found, err := tx.Rejections().Many(w.Site, kind, ids)
		if err != nil {
			return nil, err
		}
		for _, j := range found {
			if j.Hook == w.ID {
				marked[webhook.Resource{Kind: kind, ID: j.Resource}] = true
			}
		}
	}
	return marked, nil
}

// prepareMarks finds out which marks the results of a webhook, which is held,
// may change, and announces the change. That comes before everything else is
// taken hold of, as with those who write.
func prepareMarks(tx port.Tx, w webhook.Webhook, batch []result) (marking, error) {
	var heard []webhook.Resource
	news := false
	for _, r := range batch {
		refused := r.outcome.Verdict == webhook.Refused
		news = news || refused
		if refused || r.outcome.Verdict == webhook.Accepted && !r.routine {
			heard = append(heard, r.delivery.About())
		}
	}
	marked, err := markedBy(tx, w, heard)
	if err != nil || !news && len(marked) == 0 {
		return marked, err
	}
	return marked, tx.Ledger().Touch(w.Site, port.AspectRejections)
}

// settle notes what a receiver thinks of a resource. Of one that is gone nothing
// is left to mark, and a test says nothing about any.
func (m marking) settle(tx port.Tx, d webhook.Delivery, now time.Time) error {
	about := d.About()
	switch {
	case d.Event == 0:
	case d.Status == webhook.Rejected && !d.Type.IsDelete():
		m[about] = true
		return tx.Rejections().Put(webhook.Rejection{
			Site: d.Site, Hook: d.Hook, Kind: about.Kind, Resource: about.ID, Type: string(d.Type), Reason: d.Reason, At: now,
		})
	case m[about] && (d.Status == webhook.Rejected || d.Status == webhook.Succeeded):
		delete(m, about)
		_, err := tx.Rejections().Clear(d.Site, d.Hook, about.Kind, about.ID)
		return err
	}
	return nil
}
