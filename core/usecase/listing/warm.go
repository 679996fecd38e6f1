package listing

import (
	"cmp"
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Warm loads the search index of a site ahead of its first search.
func (s *Service) Warm(ctx context.Context, id site.ID) error {
	c, err := s.k.System(ctx, id)
	if err != nil {
		return err
	}
	_, err = s.Index(ctx, c)
	return err
}

// Largest lists the sites that are not disabled, those with the longest ledgers first:
// they have the most products, or the most that happens to them. Counting products
// would read all of them.
func (s *Service) Largest(ctx context.Context) ([]site.ID, error) {
	type sized struct {
		id  site.ID
		seq int64
	}
	var found []sized
	err := s.k.Store.View(ctx, func(tx port.Tx) error {
		found = nil
		sites, err := tx.Sites().All()
		if err != nil {
			return err
		}
		for _, one := range sites {
			if one.Disabled {
				continue
			}
			head, err := tx.Ledger().Head(one.ID)
			if err != nil {
				return err
			}
			found = append(found, sized{one.ID, head.Seq})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b sized) int { return cmp.Compare(b.seq, a.seq) })
	ids := make([]site.ID, len(found))
	for i, one := range found {
		ids[i] = one.id
	}
	return ids, nil
}
