package listing

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// maxPlanned bounds the copies waiting to be made. Others are made when they are
// first asked for.
const maxPlanned = 1000

// derivation is a picture whose smaller copies are to be made.
type derivation struct {
	key    string
	widths []int
}

// derivations are those that wait, and those under way.
type derivations struct {
	planned chan derivation
	mu      sync.Mutex
	running map[string]chan struct{} // by key; closed at the end
}

func newDerivations() *derivations {
	return &derivations{planned: make(chan derivation, maxPlanned), running: map[string]chan struct{}{}}
}

// plan has the smaller copies of a new picture made soon.
func (s *Service) plan(p product.Product, q product.Picture) {
	select {
	case s.derivations.planned <- derivation{p.PictureKey(q), q.DerivedWidths()}:
	default:
	}
}

// MakeCopies makes the smaller copies of new pictures until ctx ends, one
// picture at a time. trouble is called with errors.
func (s *Service) MakeCopies(ctx context.Context, trouble func(error)) {
	for {
		select {
		case <-ctx.Done():
			return
		case d := <-s.derivations.planned:
			if err := s.derive(ctx, d.key, d.widths); err != nil && !errors.Is(err, fault.NotFound) && ctx.Err() == nil {
				trouble(err)
			}
		}
	}
}

// derive makes the copies of a picture, or waits for the request that is making them.
func (s *Service) derive(ctx context.Context, key string, widths []int) error {
	other, mine := s.derivations.begin(key)
	if !mine {
		select {
		case <-other:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer s.derivations.end(key)
	original, err := s.k.Blobs.Open(ctx, key)
	if err != nil {
		return err
	}
	defer original.Close()
	images, err := s.k.Images.Scale(ctx, original, widths)
	if err != nil {
		return err
	}
	// The client may be gone by now; the work is not lost.
	ctx = context.WithoutCancel(ctx)
	for i, image := range images {
		if err := s.k.Blobs.Put(ctx, derivedKey(key, widths[i]), image.Content); err != nil {
			return err
		}
	}
	return nil
}

func (d *derivations) begin(key string) (other <-chan struct{}, mine bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if running, ok := d.running[key]; ok {
		return running, false
	}
	d.running[key] = make(chan struct{})
	return nil, true
}

func (d *derivations) end(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.running[key])
	delete(d.running, key)
}

// discard removes the content of a picture that has no record any more. What it
// cannot remove is left to SweepPictures.
func (s *Service) discard(ctx context.Context, p product.Product, q product.Picture) {
	if s.k.Blobs == nil {
		return
	}
	key := p.PictureKey(q)
	for _, width := range q.DerivedWidths() {
		_ = s.k.Blobs.Delete(ctx, derivedKey(key, width))
	}
	_ = s.k.Blobs.Delete(ctx, key)
}

// sweepBatch bounds how much is looked at in one unit of work.
const sweepBatch = 500

var pictureKeys = regexp.MustCompile(`^(\d+)/(\d+)/(\d+-[0-9a-f]{64})(-\d+)?$`)

// SweepPictures removes content that was put before the given age and belongs to
// no picture: of uploads that ended before their record was kept, of deleted
// pictures and of purged products. What it does not know it leaves alone. It
// returns how much it removed.
//
// The age must be longer than any upload takes.
func (s *Service) SweepPictures(ctx context.Context, age time.Duration) (removed int, err error) {
	if s.k.Blobs == nil {
		return 0, nil
	}
	before := s.k.Moment().Add(-age)
	var batch []string
	sweep := func() error {
		n, err := s.sweep(ctx, batch)
		removed, batch = removed+n, nil
		return err
	}
	for blob, err := range s.k.Blobs.All(ctx) {
		if err != nil {
			return removed, err
		}
		if !blob.Modified.Before(before) || !pictureKeys.MatchString(blob.Key) {
			continue
		}
		if batch = append(batch, blob.Key); len(batch) == sweepBatch {
			if err := sweep(); err != nil {
				return removed, err
			}
		}
	}
	err = sweep()
	return removed, err
}

// sweep removes those of some keys that no picture has.
func (s *Service) sweep(ctx context.Context, keys []string) (removed int, err error) {
	bySite := map[site.ID]map[product.ID]bool{}
	for _, key := range keys {
		parts := pictureKeys.FindStringSubmatch(key)
		owner, _ := strconv.ParseInt(parts[1], 10, 64)
		id, _ := strconv.ParseInt(parts[2], 10, 64)
		if bySite[site.ID(owner)] == nil {
			bySite[site.ID(owner)] = map[product.ID]bool{}
		}
		bySite[site.ID(owner)][product.ID(id)] = true
	}
	wanted, err := reads(s, Unit.pictureKeys)(ctx, kernel.Caller{}, bySite)
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		parts := pictureKeys.FindStringSubmatch(key)
		if wanted[key[:len(key)-len(parts[4])]] {
			continue
		}
		if err := s.k.Blobs.Delete(ctx, key); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// pictureKeys returns the keys of all pictures of some products, deleted ones that can
// be restored among them.
func (u Unit) pictureKeys(bySite map[site.ID]map[product.ID]bool) (map[string]bool, error) {
	keys := map[string]bool{}
	for owner, ids := range bySite {
		products, err := u.Products().Kept(owner, slices.Sorted(maps.Keys(ids)))
		if err != nil {
			return nil, err
		}
		for _, p := range products {
			for _, q := range p.Pictures {
				keys[p.PictureKey(q)] = true
			}
		}
	}
	return keys, nil
}
