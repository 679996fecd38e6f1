package cells

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// copyPictures copies the content of the pictures of a site that was not copied before.
// Most of it is copied while the site is open, the rest when nobody changes it any more.
// Smaller copies are made anew.
func (m Mover) copyPictures(ctx context.Context, v *move) error {
	if v.arrived || v.state == site.Moved {
		return nil
	}
	for p, err := range m.From.Store.KeptProducts(ctx, v.site) {
		if err == nil {
			err = m.copyPicturesOf(ctx, v, p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m Mover) copyPicturesOf(ctx context.Context, v *move, p product.Product) error {
	for _, q := range p.Pictures {
		key := p.PictureKey(q)
		if v.pictures[key] {
			continue
		}
		if m.From.Blobs == nil || m.To.Blobs == nil {
			return errors.New("it has pictures: say with --from-photos and --to-photos where they are kept, and where to")
		}
		switch err := copyBlob(ctx, m.From.Blobs, m.To.Blobs, key); {
		case errors.Is(err, fault.NotFound):
			m.Log("site %d: the content of the picture %d of the product %d is not where pictures are kept", v.site, q.ID, p.ID)
		case err != nil:
			return fmt.Errorf("the picture %s: %w", key, err)
		}
		v.pictures[key] = true
	}
	return nil
}

func copyBlob(ctx context.Context, from, to port.Blobs, key string) error {
	r, err := from.Open(ctx, key)
	if err != nil {
		return err
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return to.Put(ctx, key, content)
}
