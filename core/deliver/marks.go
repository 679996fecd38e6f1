package deliver

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

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
	return marked, tx.Ledger().Touch(w.Site, port.AspectMarks)
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
