package deliver

import (
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// rejections are resources of which one webhook has rejected the last event.
type rejections map[webhook.Resource]bool

// rejectedBy finds those of some resources that a webhook has rejected.
func (u unit) rejectedBy(hook webhook.Webhook, about []webhook.Resource) (rejections, error) {
	rejected := rejections{}
	byKind := map[string][]int64{}
	for _, r := range about {
		byKind[r.Kind] = append(byKind[r.Kind], r.ID)
	}
	for kind, ids := range byKind {
		found, err := u.Rejections().Many(hook.Site, kind, ids)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			if r.Hook == hook.ID {
				rejected[webhook.Resource{Kind: kind, ID: r.Resource}] = true
			}
		}
	}
	return rejected, nil
}

// rejectionsBehind returns which rejections the results of a webhook, which is
// held, may change, and counts the change in the head of the site. It does so
// before anything else is locked, in the order of those who write.
func (u unit) rejectionsBehind(hook webhook.Webhook, results []result) (rejections, error) {
	var about []webhook.Resource
	fresh := false
	for _, r := range results {
		refused := r.outcome.Verdict == webhook.Refused
		fresh = fresh || refused
		if refused || r.outcome.Verdict == webhook.Accepted && !r.routine {
			about = append(about, r.delivery.About())
		}
	}
	rejected, err := u.rejectedBy(hook, about)
	if err != nil || !fresh && len(rejected) == 0 {
		return rejected, err
	}
	return rejected, u.Ledger().Touch(hook.Site, port.AspectRejections)
}

// noteRejection stores the rejection of a resource, or clears it. A resource that
// was deleted has none, and a test is about no resource.
func (u unit) noteRejection(rejected rejections, d webhook.Delivery) error {
	about := d.About()
	switch {
	case d.Event == 0:
	case d.Status == webhook.Rejected && !d.Type.IsDelete():
		rejected[about] = true
		return u.Rejections().Put(webhook.Rejection{
			Site: d.Site, Hook: d.Hook, Kind: about.Kind, Resource: about.ID, Type: string(d.Type), Reason: d.Reason, At: u.now,
		})
	case rejected[about] && (d.Status == webhook.Rejected || d.Status == webhook.Succeeded):
		delete(rejected, about)
		_, err := u.Rejections().Clear(d.Site, d.Hook, about.Kind, about.ID)
		return err
	}
	return nil
}
