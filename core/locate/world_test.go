package locate_test

import (
	"context"
	"crypto/rand"
	"strconv"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/locate"
	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// world is the engine over a store in memory, with a clock that stands still
// until it is moved.
type world struct {
	*locate.Service
	kernel *api.Kernel
	t      *testing.T
	store  port.Store
	clock  *apitest.Clock
}

// newWorld has the sites 1 and 2, each with an agency.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := serviceOver(t, memstore.New(), apitest.NewClock())
	err := w.store.Update(t.Context(), func(tx port.Tx) error {
		for _, id := range []site.ID{1, 2} {
			agency := site.Agency{ID: site.AgencyID(10 * id), Site: id, Active: true}
			of := site.Site{ID: id, Agencies: []site.AgencyID{agency.ID}}
			if err := api.FirstError(tx.Sites().Put(of), tx.Agencies().Put(agency)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// serviceOver is another process on the same store.
func serviceOver(t *testing.T, store port.Store, c *apitest.Clock) *world {
	t.Helper()
	kernel, err := api.NewKernel(
		api.Ports{Store: store, Now: c.Now, Rand: rand.Reader, Zone: time.LoadLocation, E164: func(number, _ string) string { return number }},
		api.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return &world{Service: locate.New(kernel), kernel: kernel, t: t, store: store, clock: c}
}

// write runs a unit of work of a request about a site.
func (w *world) write(id site.ID, unit func(api.Unit) error) {
	w.t.Helper()
	c, err := w.kernel.System(w.t.Context(), id)
	if err == nil {
		_, err = api.Write(w.t.Context(), w.kernel, c, func(u api.Unit) (api.None, error) { return api.None{}, unit(u) })
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(unit func(port.Tx) error) {
	w.t.Helper()
	if err := w.store.View(w.t.Context(), unit); err != nil {
		w.t.Fatal(err)
	}
}

// create adds a product to site 1.
func (w *world) create(given criteria.Values) product.ID {
	w.t.Helper()
	return w.createAt(1, given)
}

func (w *world) createAt(id site.ID, given criteria.Values) product.ID {
	w.t.Helper()
	p := product.Product{Site: id, Agency: site.AgencyID(10 * id), Criteria: given}
	w.write(id, func(u api.Unit) (err error) {
		if p.ID, err = api.NextID[product.ID](u, port.ProductIDs); err != nil {
			return err
		}
		p.Reference = strconv.FormatInt(int64(p.ID), 10)
		recorded, err := listing.Products.Record(u, event.ProductCreate, p)
		p.Version, p.Added, p.Modified = recorded.Seq, recorded.At, recorded.At
		return api.FirstError(err, u.Products().Add(p))
	})
	return p.ID
}

// patch changes criteria of a product of site 1; empty text takes one away.
func (w *world) patch(id product.ID, given criteria.Values) {
	w.t.Helper()
	w.write(1, func(u api.Unit) error {
		before, err := listing.Products.Get(u, id)
		if err != nil {
			return err
		}
		_, err = listing.Products.Change(u, before, api.IfMatch{}, func(p product.Product) (product.Product, error) {
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
	w.t.Helper()
	w.write(1, func(u api.Unit) error {
		p, err := listing.Products.Get(u, id)
		if err != nil {
			return err
		}
		recorded, err := listing.Products.Record(u, event.ProductDelete, p)
		p.Version, p.Deleted = recorded.Seq, recorded.At
		return api.FirstError(err, u.Products().Replace(p))
	})
}

// product is a product of site 1 as it is now.
func (w *world) product(id product.ID) (p product.Product) {
	w.t.Helper()
	w.read(func(tx port.Tx) (err error) {
		p, err = tx.Products().Get(1, id)
		return err
	})
	return p
}

// position is where a product of site 1 is, nil when that is not known.
func (w *world) position(id product.ID) *product.Place {
	w.t.Helper()
	if place, known := w.product(id).Place(); known {
		return &place
	}
	return nil
}

// events are the types of all events of a site after a sequence.
func (w *world) events(id site.ID, after int64) (types []string) {
	w.t.Helper()
	w.read(func(tx port.Tx) error {
		found, err := tx.Ledger().After(id, after, 1000)
		for _, e := range found {
			types = append(types, string(e.Type))
		}
		return err
	})
	return types
}

func (w *world) seq(id site.ID) int64 {
	w.t.Helper()
	head, err := w.store.Head(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return head.Seq
}

// eventually waits until a condition holds.
func (w *world) eventually(what string, holds func() bool) {
	w.t.Helper()
	for range 2000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	w.t.Fatalf("it never happens that %s", what)
}
