package transfer

import (
	"context"
	"fmt"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// SetupPicture is a public picture of a product to begin with.
type SetupPicture struct {
	Label string
	// Open answers with the content: a JPEG, PNG or WebP file. Several pictures are
	// opened at once.
	Open func(ctx context.Context) (listing.File, error)
}

// pictured is a described product whose pictures are kept already. It has the
// id that they are kept under.
type pictured struct {
	id       product.ID
	pictures []product.Picture
}

// reference names a product that a setup describes.
type reference struct {
	site   site.ID
	agency site.AgencyID
	model  string
}

// keeping bounds how many pictures are made ready at once.
const keeping = 4

// keepPictures keeps the content of the pictures of described products that are
// not there yet. As with every picture, content comes before its record: should
// the setup be refused, what was kept belongs to nobody, and SweepPictures
// removes it.
func (s *Service) keepPictures(ctx context.Context, setup Setup) (map[reference]pictured, error) {
	described := map[reference][]SetupPicture{}
	var wanted []reference
	for _, in := range setup.Sites {
		for _, p := range in.Products {
			if len(p.Pictures) > 0 {
				r := reference{site.ID(in.ID), site.AgencyID(p.AgencyID), p.Model}
				described[r] = p.Pictures
				wanted = append(wanted, r)
			}
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	ids, err := kernel.Writes(s.k, s.provisioner, provisioner.drawIDs)(ctx, kernel.Caller{}, wanted)
	if err != nil {
		return nil, err
	}
	var (
		kept   = map[reference]pictured{}
		group  sync.WaitGroup
		places = make(chan struct{}, keeping)
		mu     sync.Mutex
		failed error
	)
	for r, id := range ids {
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			pictures, err := s.keepPicturesOf(ctx, product.Product{ID: id, Site: r.site, Agency: r.agency}, described[r])
			mu.Lock()
			defer mu.Unlock()
			if err != nil && failed == nil {
				failed = fmt.Errorf("pictures of product %q of agency %d: %w", r.model, r.agency, err)
			}
			kept[r] = pictured{id, pictures}
		})
	}
	group.Wait()
	return kept, failed
}

// drawIDs returns an id to each described product that is not there.
func (p provisioner) drawIDs(wanted []reference) (map[reference]product.ID, error) {
	drawn := map[reference]product.ID{}
	for _, r := range wanted {
		_, err := p.Products().Holder(r.site, r.agency, r.model)
		if err == nil {
			continue
		}
		if !kernel.IsAbsent(err) {
			return nil, err
		}
		if drawn[r], err = kernel.NextID[product.ID](p, listing.Products.IDs); err != nil {
			return nil, err
		}
	}
	return drawn, nil
}

func (s *Service) keepPicturesOf(ctx context.Context, p product.Product, described []SetupPicture) ([]product.Picture, error) {
	for _, d := range described {
		file, err := d.Open(ctx)
		if err != nil {
			return nil, err
		}
		made, err := s.listing.KeepPicture(ctx, p, file, product.Public)
		if err != nil {
			return nil, explain(err)
		}
		made.Label = d.Label
		p.Pictures = append(p.Pictures, made)
	}
	return p.Pictures, nil
}
