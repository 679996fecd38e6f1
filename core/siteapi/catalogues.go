package siteapi

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// How much is read at a time.
const (
	scanChunk = 2000
	// replayLimit is the longest stretch of the ledger that is replayed; a
	// catalogue further behind is cheaper to load anew.
	replayLimit = 5000
)

// catalogues holds the search index of each site that was asked for.
type catalogues struct {
	limit int

	mu    sync.Mutex
	sites map[site.ID]*shelf
	clock int64
}

// shelf is the place of one site's index. Whoever loads or replays holds its
// mutex, so that a thousand searches cause one load.
type shelf struct {
	mu    sync.Mutex
	index *catalogue.Index
	// ignored are the criteria the index was built without.
	ignored map[string]bool

	// Guarded by the mutex of catalogues.
	lastUsed int64
	bytes    int
}

// usable returns the index unless it was built by other definitions.
func (h *shelf) usable(s *settings) *catalogue.Index {
	if h.index == nil || !maps.Equal(h.ignored, s.unsearchable) {
		return nil
	}
	return h.index
}

func newCatalogues(limit int) *catalogues {
	return &catalogues{limit: limit, sites: map[site.ID]*shelf{}}
}

func (c *catalogues) shelf(id site.ID) *shelf {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sites[id] == nil {
		c.sites[id] = &shelf{}
	}
	c.clock++
	c.sites[id].lastUsed = c.clock
	return c.sites[id]
}

// catalogue returns the index of the caller's site, holding everything that was
// committed when the caller was identified, and perhaps more.
func (s *Service) catalogue(ctx context.Context, c Caller) (*catalogue.Index, error) {
	shelf := s.catalogues.shelf(c.Site())
	shelf.mu.Lock()
	defer shelf.mu.Unlock()
	if index := shelf.usable(c.settings); index != nil {
		if index.Seq() >= c.head.Seq {
			return index, nil
		}
		if c.head.Seq-index.Seq() <= replayLimit {
			if err := s.replay(ctx, c.Site(), index); !errors.Is(err, errGap) {
				return index, err
			}
		}
	}
	index, err := s.loadCatalogue(ctx, c)
	if err != nil {
		return nil, err
	}
	shelf.index, shelf.ignored = index, c.settings.unsearchable
	s.catalogues.account(shelf, index.Bytes())
	return index, nil
}

// errGap tells that the ledger does not reach back to where the index stands,
// because old events were purged.
var errGap = errors.New("the ledger has a gap")

// replay applies what the ledger holds beyond the index.
func (s *Service) replay(ctx context.Context, id site.ID, index *catalogue.Index) error {
	return s.ports.Store.View(ctx, func(tx port.Tx) error {
		events, err := tx.Ledger().After(id, index.Seq(), replayLimit)
		if err != nil {
			return err
		}
		if len(events) == 0 || events[0].Seq != index.Seq()+1 {
			return errGap
		}
		touched := map[product.ID]bool{}
		for _, e := range events {
			switch e.Type.Resource() {
			case event.ProductUpdate.Resource():
				touched[product.ID(e.Resource)] = true
			case event.CustomerUpdate.Resource():
				for _, owned := range index.Owned(customer.ID(e.Resource)) {
					touched[owned] = true
				}
			}
		}
		changes, err := currentStates(tx, id, touched)
		if err != nil {
			return err
		}
		index.Apply(events[len(events)-1].Seq, changes)
		return nil
	})
}

func currentStates(tx port.Tx, id site.ID, touched map[product.ID]bool) ([]catalogue.Change, error) {
	ids := make([]product.ID, 0, len(touched))
	for p := range touched {
		ids = append(ids, p)
	}
	slices.Sort(ids)
	living, err := tx.Products().Many(id, ids)
	if err != nil {
		return nil, err
	}
	owners, err := ownersOf(tx, id, living)
	if err != nil {
		return nil, err
	}
	changes := make([]catalogue.Change, len(ids))
	for i, p := range ids {
		changes[i].ID = p
		if n, found := slices.BinarySearchFunc(living, p, func(l product.Product, id product.ID) int { return int(l.ID - id) }); found {
			changes[i].Now = &product.Candidate{Product: living[n], OwnerNames: owners[living[n].Customer].Names()}
		}
	}
	return changes, nil
}

// ownersOf reads the owners of some products.
func ownersOf(tx port.Tx, id site.ID, products []product.Product) (map[customer.ID]customer.Customer, error) {
	var ids []customer.ID
	for _, p := range products {
		if p.Customer != 0 {
			ids = append(ids, p.Customer)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	owners := make(map[customer.ID]customer.Customer, len(ids))
	if len(ids) == 0 {
		return owners, nil
	}
	found, err := tx.Customers().Many(id, ids)
	for _, c := range found {
		owners[c.ID] = c
	}
	return owners, err
}

// loadCatalogue reads all products of the site in one snapshot.
func (s *Service) loadCatalogue(ctx context.Context, c Caller) (*catalogue.Index, error) {
	var index *catalogue.Index
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		head, err := tx.Ledger().Head(c.Site())
		if err != nil {
			return err
		}
		names := map[customer.ID][]string{}
		for after, more := customer.ID(0), true; more; {
			chunk, err := tx.Customers().Scan(c.Site(), after, scanChunk)
			if err != nil {
				return err
			}
			for _, owner := range chunk {
				names[owner.ID], after = owner.Names(), owner.ID
			}
			more = len(chunk) == scanChunk
		}
		builder := catalogue.NewBuilder(catalogue.Options{Ignore: c.settings.unsearchable})
		for after, more := product.ID(0), true; more; {
			chunk, err := tx.Products().Scan(c.Site(), after, scanChunk)
			if err != nil {
				return err
			}
			for _, p := range chunk {
				builder.Add(product.Candidate{Product: p, OwnerNames: names[p.Customer]})
				after = p.ID
			}
			more = len(chunk) == scanChunk
		}
		index = builder.Index(head.Seq)
		return nil
	})
	return index, err
}

// account notes the size of a shelf and drops the least recently used others
// until the rest is within the limit.
func (c *catalogues) account(just *shelf, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	just.bytes = bytes
	for c.limit > 0 && c.bytes() > c.limit {
		var oldest *shelf
		var id site.ID
		for candidate, s := range c.sites {
			if s != just && s.bytes > 0 && (oldest == nil || s.lastUsed < oldest.lastUsed) {
				oldest, id = s, candidate
			}
		}
		if oldest == nil {
			return
		}
		delete(c.sites, id)
	}
}

func (c *catalogues) bytes() int {
	total := 0
	for _, s := range c.sites {
		total += s.bytes
	}
	return total
}

// CatalogueBytes is the memory all loaded catalogues take.
func (s *Service) CatalogueBytes() int {
	s.catalogues.mu.Lock()
	defer s.catalogues.mu.Unlock()
	return s.catalogues.bytes()
}

// Warm loads the catalogue of a site ahead of its first search.
func (s *Service) Warm(ctx context.Context, id site.ID) error {
	head, err := s.ports.Store.Head(ctx, id)
	if err != nil {
		return err
	}
	settings, err := s.settings.at(ctx, s, id, head.Settings)
	if err != nil {
		return err
	}
	caller := Caller{head: head, settings: settings}
	caller.Grant.Site = id
	_, err = s.catalogue(ctx, caller)
	return err
}
