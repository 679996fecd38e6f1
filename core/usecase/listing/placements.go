package listing

import (
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// placements reads on which portals products are.
func (u Unit) placements(products []product.Product) (map[product.ID]operator.Placements, error) {
	ids := make([]product.ID, len(products))
	for i, p := range products {
		ids[i] = p.ID
	}
	found, err := u.Placements().Many(u.Site.ID, ids)
	byProduct := make(map[product.ID]operator.Placements, len(found))
	for _, p := range found {
		byProduct[p.Product] = p
	}
	return byProduct, err
}

// addPlacements shows the portals that a product is on, each as a channel, and what portals rejected.
func (f *ProductFields) addPlacements(of operator.Placements, portals map[operator.TargetID]string) {
	for _, on := range of.On {
		name, known := portals[on.Target]
		if !known {
			continue
		}
		if f.Publications != nil {
			shown := Publication{Channel: name, Status: "published", Reference: kernel.Nullable(on.Reference), PublishedAt: &kernel.Instant{Time: on.Since}}
			if on.Rejected != "" {
				shown.Status, shown.Error = "error", kernel.Nullable(on.Rejected)
			}
			*f.Publications = append(*f.Publications, shown)
		}
		if f.CriteresPublicationErrors != nil && on.Rejected != "" {
			*f.CriteresPublicationErrors = append(*f.CriteresPublicationErrors, PublicationError{
				Code: "rejected_by_receiver", Message: on.Rejected, Channel: kernel.Nullable(name),
			})
		}
	}
}
