package porttest

import (
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Changes holds port.Changes to its law: it tells what units of work of the store would. open
// makes an empty store that lasts until the test it is given ends.
func Changes(t *testing.T, open func(testing.TB) (port.Store, port.Changes)) {
	t.Run("AsAUnitOfWork", func(t *testing.T) {
		t.Parallel()
		s, changes := open(t)
		changesAgree(t, &world{Store: s}, changes)
	})
	t.Run("AsOfOneMoment", func(t *testing.T) {
		t.Parallel()
		s, changes := open(t)
		changesAreWhole(t, &world{Store: s}, changes)
	})
	t.Run("OfNoSite", func(t *testing.T) {
		t.Parallel()
		_, changes := open(t)
		products, err := changes.Products(t.Context(), 1<<50, 0, 9)
		same(t, "products", port.ProductChanges{}, products)
		requests, err2 := changes.SearchRequests(t.Context(), 1<<50, 0, 9)
		same(t, "search requests", port.SearchChanges{}, requests)
		if err != nil || err2 != nil {
			t.Error(err, err2)
		}
	})
}

// changesAgree compares what is told of the changes of a site with what a view reads.
func changesAgree(t *testing.T, w *world, changes port.Changes) {
	rapid.Check(t, func(r *rapid.T) {
		id, other := w.site(t), w.site(t)
		last := int64(0)
		for range rapid.IntRange(1, 12).Draw(r, "units") {
			w.update(t, func(tx port.Tx) error {
				for _, of := range []site.ID{id, other} {
					if err := w.change(r, tx, of); err != nil {
						return err
					}
				}
				head, err := tx.Ledger().Head(id)
				last = head.Seq
				return err
			})
		}
		after, n := rapid.Int64Range(-1, last+1).Draw(r, "after"), rapid.OneOf(rapid.Just(100), rapid.IntRange(-1, 20)).Draw(r, "n")
		var wantProducts port.ProductChanges
		var wantRequests port.SearchChanges
		w.view(t, func(tx port.Tx) (err error) {
			if wantProducts, err = productChanges(tx, id, after, n); err == nil {
				wantRequests, err = searchChanges(tx, id, after, n)
			}
			return err
		})
		gotProducts, err := changes.Products(t.Context(), id, after, n)
		if d := difference(wantProducts, gotProducts); d != "" || err != nil {
			r.Fatalf("products, %v (-want +got):\n%s", err, d)
		}
		gotRequests, err := changes.SearchRequests(t.Context(), id, after, n)
		if d := difference(wantRequests, gotRequests); d != "" || err != nil {
			r.Fatalf("search requests, %v (-want +got):\n%s", err, d)
		}
	})
}

// change makes some changes to a site, with or without their events.
func (w *world) change(r *rapid.T, tx port.Tx, of site.ID) error {
	few := func(what string) int64 { return rapid.Int64Range(1, 5).Draw(r, what) }
	for range rapid.IntRange(1, 4).Draw(r, "changes") {
		happened := event.Event{Type: rapid.SampledFrom(event.Types()).Draw(r, "type"), Resource: few("resource")}
		var err error
		switch rapid.IntRange(0, 4).Draw(r, "change") {
		case 0:
			happened.Type, happened.Resource = event.ProductUpdate, few("product")
			p := sampleProduct(of, product.ID(happened.Resource))
			p.Customer, p.Version = customer.ID(few("owner")-1), w.id()
			if err = tx.Products().Replace(p); err != nil {
				happened.Resource, happened.Type = w.id(), event.ProductCreate
				p.ID = product.ID(happened.Resource)
				p.Reference = fmt.Sprint(happened.Resource)
				err = tx.Products().Add(p)
			}
		case 1:
			happened.Type, happened.Resource = event.ProductDelete, few("product")
			if p, err := tx.Products().Get(of, product.ID(happened.Resource)); err == nil {
				p.Deleted = instant(1)
				if err := tx.Products().Replace(p); err != nil {
					return err
				}
			}
		case 2:
			happened.Type, happened.Resource = event.CustomerUpdate, few("customer")
			c := sampleOf[customer.Customer]("customer", of, happened.Resource)
			c.Version = w.id()
			err = tx.Customers().Put(c)
		case 3:
			happened.Type, happened.Resource = event.SearchUpdate, few("search")
			s := sampleOf[demand.SearchRequest]("search_request", of, happened.Resource)
			s.Version = w.id()
			err = tx.SearchRequests().Put(s)
		}
		if err != nil {
			return err
		}
		if _, err := tx.Ledger().Append(of, instant(0), []event.Event{happened}); err != nil {
			return err
		}
	}
	return nil
}

// productChanges are those of a unit of work.
func productChanges(tx port.Tx, id site.ID, after int64, n int) (found port.ProductChanges, err error) {
	if found.Events, err = tx.Ledger().After(id, after, n); err != nil {
		return found, err
	}
	touched := map[product.ID]bool{}
	owners := map[customer.ID]bool{}
	for _, e := range found.Events {
		switch e.Type.Resource() {
		case event.ProductUpdate.Resource():
			touched[product.ID(e.Resource)] = true
		case event.CustomerUpdate.Resource():
			owners[customer.ID(e.Resource)] = true
		}
	}
	all, err := tx.Products().Scan(id, 0, 1000)
	if err != nil {
		return found, err
	}
	owning := map[customer.ID]bool{}
	for _, p := range all {
		if touched[p.ID] || owners[p.Customer] {
			found.Products = append(found.Products, p)
			owning[p.Customer] = true
		}
	}
	customers, err := tx.Customers().Scan(id, 0, 1000)
	for _, c := range customers {
		if owning[c.ID] {
			found.Owners = append(found.Owners, c)
		}
	}
	return found, err
}

// searchChanges are those of a unit of work.
func searchChanges(tx port.Tx, id site.ID, after int64, n int) (found port.SearchChanges, err error) {
	if found.Events, err = tx.Ledger().After(id, after, n); err != nil {
		return found, err
	}
	var touched []demand.SearchID
	for _, e := range found.Events {
		if e.Type.Resource() == event.SearchUpdate.Resource() {
			touched = append(touched, demand.SearchID(e.Resource))
		}
	}
	found.Requests, err = tx.SearchRequests().Many(id, touched)
	return found, err
}

// changesAreWhole reads changes while units of work change two products at a time: of each
// unit everything is told or nothing, and nothing that had committed is missing.
func changesAreWhole(t *testing.T, w *world, changes port.Changes) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		return each(tx.Products().Add, plainProduct(id, 1), plainProduct(id, 2))
	})
	const units = 60
	var work sync.WaitGroup
	work.Go(func() {
		for n := range int64(units) {
			var told []int64
			w.update(t, func(tx port.Tx) error {
				told = nil // a unit may run several times, and only the last one counts
				for p := range int64(2) {
					changed := plainProduct(id, product.ID(p+1))
					last, err := tx.Ledger().Append(id, instant(0), []event.Event{{Type: event.ProductUpdate, Resource: p + 1}})
					if err != nil {
						return err
					}
					told, changed.Version = append(told, last.Seq), last.Seq
					if err := tx.Products().Replace(changed); err != nil {
						return err
					}
				}
				return nil
			})
			same(t, "the sequences of a unit", []int64{2*n + 1, 2*n + 2}, told)
		}
	})
	for seen := int64(0); seen < 2*units && !t.Failed(); {
		head := w.head(t, id)
		found, err := changes.Products(t.Context(), id, seen, 1000)
		if err != nil {
			t.Error(err)
			break
		}
		if seen+int64(len(found.Events)) < head.Seq || len(found.Events)%2 != 0 {
			t.Errorf("behind %d there are %d events, with the head at %d", seen, len(found.Events), head.Seq)
		}
		seen += int64(len(found.Events))
		if len(found.Events) > 0 && (len(found.Products) != 2 || found.Products[0].Version != seen-1 || found.Products[1].Version != seen) {
			t.Errorf("at %d the products are %+v", seen, found.Products)
		}
	}
	work.Wait()
}
