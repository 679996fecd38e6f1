package locate_test

import (
	"crypto/rand"
	"strconv"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/engine/locate"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// world is the engine over a store in memory, with a clock that stands still
// until it is moved.
type world struct {
	*locate.Service
	apitest.Engine
}

// newWorld has the sites of apitest.Engine.AddSites.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := serviceOver(t, memstore.New(), apitest.NewClock())
	w.AddSites()
	return w
}

// serviceOver is another process on the same store.
func serviceOver(t *testing.T, store port.Store, c *apitest.Clock) *world {
	t.Helper()
	e := apitest.NewEngine(t, store, c, rand.Reader)
	return &world{locate.New(e.Kernel), e}
}

// create adds a product to site 1.
func (w *world) create(given criteria.Values) product.ID {
	w.T.Helper()
	return w.createAt(1, given)
}

func (w *world) createAt(id site.ID, given criteria.Values) product.ID {
	w.T.Helper()
	p := product.Product{Site: id, Agency: apitest.AgencyOf(id), Criteria: given}
	w.Write(id, func(u kernel.Unit) (err error) {
		if p.ID, err = kernel.NextID[product.ID](u, port.ProductIDs); err != nil {
			return err
		}
		p.Reference = strconv.FormatInt(int64(p.ID), 10)
		recorded, err := listing.Products.Record(u, event.ProductCreate, p)
		p.Version, p.Added, p.Modified = recorded.Seq, recorded.At, recorded.At
		return kernel.FirstError(err, u.Products().Add(p))
	})
	return p.ID
}

// patch changes criteria of a product of site 1; empty text takes one away.
func (w *world) patch(id product.ID, given criteria.Values) {
	w.T.Helper()
	w.Write(1, func(u kernel.Unit) error {
		before, err := listing.Products.Get(u, id)
		if err != nil {
			return err
		}
		_, err = listing.Products.Change(u, before, kernel.IfMatch{}, func(p product.Product) (product.Product, error) {
			p = p.Clone()
			for key, value := range given {
				if p.Criteria[key] = value; value == criteria.Text("") {
					delete(p.Criteria, key)
				}
			}
			return p, nil
		})
		return err
	})
}

// remove deletes a product of site 1.
func (w *world) remove(id product.ID) {
	w.T.Helper()
	w.Write(1, func(u kernel.Unit) error {
		p, err := listing.Products.Get(u, id)
		if err != nil {
			return err
		}
		recorded, err := listing.Products.Record(u, event.ProductDelete, p)
		p.Version, p.Deleted = recorded.Seq, recorded.At
		return kernel.FirstError(err, u.Products().Replace(p))
	})
}

// product is a product of site 1 as it is now.
func (w *world) product(id product.ID) (p product.Product) {
	w.T.Helper()
	w.View(func(tx port.Tx) (err error) {
		p, err = tx.Products().Get(1, id)
		return err
	})
	return p
}

// position is where a product of site 1 is, nil when that is not known.
func (w *world) position(id product.ID) *product.Place {
	w.T.Helper()
	if place, known := w.product(id).Place(); known {
		return &place
	}
	return nil
}
