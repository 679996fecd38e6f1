package transfer

import (
	"context"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// sourcedAmong returns what is known of products that a source named which there is; nothing where the
// listings come from no source.
func (u unit) sourcedAmong(ids []product.ID) (map[product.ID]operator.SourcedProduct, error) {
	if u.source == nil {
		return nil, nil
	}
	found, err := u.SourcedProducts().Many(u.Site.ID, ids)
	known := make(map[product.ID]operator.SourcedProduct, len(found))
	deleted := map[operator.ImportSourceID]bool{u.source.ID: false}
	for _, s := range found {
		gone, asked := deleted[s.Source]
		if !asked && err == nil {
			_, err = u.ImportSources().Get(u.Site.ID, s.Source)
			gone, err = kernel.IsAbsent(err), kernel.AbsentIs(err, nil)
			deleted[s.Source] = gone
		}
		if !gone {
			known[s.Product] = s
		}
	}
	return known, err
}

// sourcing adds to a plan what it makes of the product as one of the source. A product that the
// source had withdrawn is on the web again. One that another source has stays that one's.
func (u unit) sourcing(p plan, known operator.SourcedProduct) plan {
	if u.source == nil || p.action == ImportRefused || p.gone || known.Source != 0 && known.Source != u.source.ID {
		return p
	}
	p.sourced = known
	p.sourced.Site, p.sourced.Product, p.sourced.Source = u.Site.ID, p.product.ID, u.source.ID
	if (p.action == ImportCreated || u.source.Settings.Adopt) && !known.Own {
		p.sourced.Own, p.noted = true, true
	}
	if known.Withdrawn.IsZero() {
		return p
	}
	p.sourced.Withdrawn, p.noted = time.Time{}, true
	if !p.product.WebStatus {
		p.product.WebStatus = true
		p.action, p.changes = ImportChanged, p.before.Differences(p.product)
	}
	return p
}

// noteSourced stores what plans make of products of the source, and says so in the plans.
func (u unit) noteSourced(plans []plan) error {
	for n := range plans {
		p := &plans[n]
		if p.sourced.Product = p.product.ID; !p.noted {
			continue
		}
		if err := u.SourcedProducts().Put(p.sourced); err != nil {
			return err
		}
	}
	return nil
}

// sourcedPictures are the pictures that a source brings to a product. A nil one is of no source.
type sourcedPictures struct {
	of     *Import
	record operator.SourcedProduct
	// named are the hashes of those that the listing has now.
	named map[string]bool
	// failed reports that one of them could not be looked at.
	failed bool
}

// sourcedPictures returns the pictures of the product of a plan; of none where no source or another
// one has it.
func (i *Import) sourcedPictures(of plan) *sourcedPictures {
	return &sourcedPictures{of: i, record: of.sourced, named: map[string]bool{}}
}

func (s *sourcedPictures) isOfSource() bool { return s.record.Source != 0 && !s.of.dryRun }

// has returns the hash of a picture of the product that the source brought under a name.
func (s *sourcedPictures) has(p product.Product, name string) (string, bool) {
	for _, known := range s.record.Pictures {
		if known.Name == name && slices.ContainsFunc(p.Pictures, func(q product.Picture) bool { return q.Sent == known.Hash }) {
			s.named[known.Hash] = true
			return known.Hash, true
		}
	}
	return "", false
}

// brings stores that a picture comes from the source, before it is added: an import that ends in
// between adds it again.
func (s *sourcedPictures) brings(ctx context.Context, c kernel.Caller, name, hash string) error {
	s.named[hash] = true
	brought := operator.SourcedPicture{Name: name, Hash: hash}
	if !s.isOfSource() || slices.Contains(s.record.Pictures, brought) {
		return nil
	}
	s.record.Pictures = append(slices.Clone(s.record.Pictures), brought)
	return s.store(ctx, c)
}

func (s *sourcedPictures) store(ctx context.Context, c kernel.Caller) error {
	_, err := kernel.Write(ctx, s.of.service.k, c, func(u kernel.Unit) (kernel.None, error) {
		return kernel.None{}, u.SourcedProducts().Put(s.record)
	})
	return err
}

// withdraw removes the pictures that a full source brought and the listing names no more. Where
// it names none, or one could not be looked at, all stay.
func (s *sourcedPictures) withdraw(ctx context.Context, c kernel.Caller, p product.Product, done *Imported) error {
	if !s.isOfSource() || s.failed || len(s.named) == 0 || s.of.source.Settings.Mode != operator.SourceFull {
		return nil
	}
	var left []operator.SourcedPicture
	for _, known := range s.record.Pictures {
		if s.named[known.Hash] {
			left = append(left, known)
			continue
		}
		for _, q := range p.Pictures {
			if q.Sent != known.Hash || q.ID == 0 || q.Visibility != product.Public {
				continue
			}
			gone := listing.DeletePicture{PicturePath: listing.PicturePath{ID: int64(p.ID), PictureID: int64(q.ID)}}
			if _, err := s.of.service.listing.Unchecked().DeletePicture(ctx, c, gone); err != nil && !kernel.IsAbsent(err) {
				return err
			}
			done.PicturesWithdrawn++
		}
	}
	if len(left) == len(s.record.Pictures) {
		return nil
	}
	s.record.Pictures = left
	return s.store(ctx, c)
}
