package transfer

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// What is stored by one unit of work is bounded: others who write to the site wait for it.
const (
	// batchListings is how many listings it is at most, and batchLeast how many it may be
	// however long they take. An import begins with one, and then they are twice as many
	// each time. batchBytes is the size of all of them but the last.
	batchListings = 100
	batchLeast    = 20
	batchBytes    = 512 << 10
	// batchTime is how long storing them should take at most: next time it are fewer.
	batchTime = 200 * time.Millisecond
)

// ImportedListing is a listing, and what importing it did.
type ImportedListing struct {
	Listing Listing
	Imported
	// undo has what is needed to undo it, where the import keeps that.
	undo []edit.Edit
}

// All imports listings one after the other, as Listing does, but stores the products of up to
// a hundred of them in one unit of work. If one of these cannot be stored, they are stored one
// by one, so that the others are. Pictures come after the products.
//
// Errors that are a Damage are passed on in their place. After any other one it ends; the
// listings that were stored with the one it is about come with the same error.
func (i *Import) All(ctx context.Context, listings iter.Seq2[Listing, error]) iter.Seq2[ImportedListing, error] {
	return func(yield func(ImportedListing, error) bool) {
		b := batch{of: i, most: 1}
		for l, err := range listings {
			damage, beside := errors.AsType[Damage](err)
			if err != nil && !beside {
				if b.carryOut(ctx, yield) {
					yield(ImportedListing{}, err)
				}
				return
			}
			if err != nil {
				b.found = append(b.found, found{damage: &damage})
			} else {
				b.found, b.bytes = append(b.found, found{listing: l}), b.bytes+l.size()
			}
			if b.isFull() && !b.carryOut(ctx, yield) {
				return
			}
		}
		b.carryOut(ctx, yield)
	}
}

// found is what is at a place of a file.
type found struct {
	listing Listing
	damage  *Damage
}

// batch are listings that are stored together.
type batch struct {
	of    *Import
	found []found
	bytes int
	most  int
}

func (b *batch) isFull() bool { return len(b.found) >= b.most || b.bytes >= batchBytes }

// size estimates the size of a listing in bytes.
func (l Listing) size() int {
	n := len(l.Reference)
	for _, c := range l.Criteria {
		text, _ := c.Value.V.(string)
		n += len(c.Key) + len(text)
	}
	for _, d := range l.Descriptions {
		n += len(d.Title.Value) + len(d.Text.Value) + len(d.ShortText.Value)
	}
	return n
}

// carryOut imports the batch and empties it. It is false when the import is over.
func (b *batch) carryOut(ctx context.Context, yield func(ImportedListing, error) bool) bool {
	all := b.found
	b.found, b.bytes = nil, 0
	listings := make([]Listing, 0, len(all))
	for _, f := range all {
		if f.damage == nil {
			listings = append(listings, f.listing)
		}
	}
	plans, failed := b.store(ctx, listings)
	for _, f := range all {
		switch {
		case f.damage != nil:
			if !yield(ImportedListing{}, *f.damage) {
				return false
			}
			continue
		case len(plans) == 0: // the one that failed
			yield(ImportedListing{Listing: f.listing}, failed)
			return false
		}
		done, undo := plans[0].imported(), b.of.undoOf(plans[0])
		if failed == nil {
			failed = b.of.pictures(ctx, plans[0], f.listing.Pictures, &done)
		}
		plans = plans[1:]
		if !yield(ImportedListing{f.listing, done, undo}, failed) {
			return false
		}
	}
	return failed == nil
}

// store stores the products of listings, and says what became of those that it came to.
func (b *batch) store(ctx context.Context, listings []Listing) ([]plan, error) {
	if len(listings) == 0 {
		return nil, nil
	}
	plans, err := b.storeTogether(ctx, listings)
	if err == nil {
		b.of.note(plans)
		return plans, nil
	}
	if ctx.Err() != nil || fault.From(err).Kind == fault.Unavailable {
		return nil, err
	}
	for _, l := range listings {
		p, err := b.of.product(ctx, l)
		if err != nil {
			return plans, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// storeTogether reads and judges outside the unit of work that stores, which is short.
func (b *batch) storeTogether(ctx context.Context, listings []Listing) ([]plan, error) {
	k := b.of.service.k
	c, err := b.of.caller(ctx)
	if err != nil {
		return nil, err
	}
	plans, err := kernel.Reads(k, b.of.newUnit, unit.plan)(ctx, c, b.of.importing(listings))
	if err != nil {
		return nil, err
	}
	started := k.Moment()
	if !b.of.dryRun && slices.ContainsFunc(plans, plan.hasEffect) {
		plans, err = kernel.Writes(k, b.of.newUnit, unit.carryOutAsPlanned)(ctx, c, plans)
	}
	b.pace(k.Moment().Sub(started))
	return plans, err
}

// pace makes batches as large as they can be without anybody waiting long for one.
func (b *batch) pace(took time.Duration) {
	switch {
	case took > batchTime:
		b.most = max(b.most/2, min(b.most, batchLeast))
	case took < batchTime/2:
		b.most = min(2*b.most, batchListings)
	}
}

// errElse is that a product is not what it was when its change was planned.
var errElse = errors.New("a product has changed since")

// carryOutAsPlanned carries out what was planned before the unit of work, unless a product is
// another one now.
func (u unit) carryOutAsPlanned(plans []plan) ([]plan, error) {
	var ids []product.ID
	for _, p := range plans {
		if p.changesProduct() {
			ids = append(ids, p.before.ID)
		}
	}
	if len(ids) > 0 {
		held, err := port.GetAll(u.Products(), u.Site.ID, ids)
		if err != nil {
			return nil, err
		}
		versions := make(map[product.ID]int64, len(held))
		for _, p := range held {
			versions[p.ID] = p.Version
		}
		for _, p := range plans {
			if p.changesProduct() && versions[p.before.ID] != p.before.Version {
				return nil, errElse
			}
		}
	}
	return u.carryOut(plans)
}
