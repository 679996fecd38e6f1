package ownrecords_test

import (
	"crypto/rand"
	"errors"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore/ownrecords"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// replaced is a statement of the CRM's own about a column of a table of its own: it knows nothing
// of events and versions.
func replaced(table, column string, from, to any) func(port.Tx) error {
	return func(tx port.Tx) error {
		statements, err := sqlstore.StatementsOf(tx)
		if err == nil {
			_, err = statements.Exec("UPDATE "+table+" SET "+column+" = $2 WHERE "+column+" = $1", from, to)
		}
		return err
	}
}

// The CRM changes rows of its own by statements of its own: readers, searches, versions and
// the ledger tell the same.
func TestTheCRMChangesItsOwnTables(t *testing.T) {
	onEachEngine(t, func(t *testing.T, open func(testing.TB) *ownrecords.Store) {
		ctx, s := t.Context(), open(t)
		w := apitest.Over(t, s)
		full := w.As("full", 1)
		home, other := w.CreateProduct("TypeTransaction", "Vente", "Prix", 450000), w.CreateProduct("TypeTransaction", "Vente", "Prix", 100000)
		made, err := w.People.CreateCustomer(ctx, full, people.CreateCustomer{Change: customer.Change{
			AgencyID: opt.Of(int64(11)), Type: opt.Of("PROSPECT"), Lastname: opt.Of("Besson"),
		}})
		if err != nil {
			t.Fatal(err)
		}
		priced := func(price float64) []int64 {
			in := listing.SearchProducts{}
			in.Keyword = opt.Of(map[float64]string{450000: "450000", 390000: "390000"}[price])
			return w.FindProducts(w.Again(full), in)
		}
		if got := priced(450000); !slices.Equal(got, []int64{home}) { // the index is in memory from here on
			t.Fatalf("a search finds %d", got)
		}
		w.Clock.Advance(1000)

		law := porttest.RecordsProduct(ctx, s, 1, product.ID(home), func() error {
			return w.Service.Listing.Changed(ctx, full, []int64{other, home, home}, replaced("crm_product", "price", 450000, 390000))
		})
		if law != nil {
			t.Error(law)
		}
		if read := w.ReadProduct(w.Again(full), home, ""); *read.Price != 390000 || read.LastModified.Before(w.Clock.Now()) {
			t.Errorf("a read shows %v of %s", *read.Price, read.LastModified)
		}
		if got := append(priced(390000), priced(450000)...); !slices.Equal(got, []int64{home}) {
			t.Errorf("searches find %d", got)
		}
		if got := w.Events(1, w.Seq(1)-1); !slices.Equal(got, []string{string(event.ProductUpdate)}) {
			t.Errorf("events %q were recorded last", got)
		}

		law = porttest.RecordsCustomer(ctx, s, 1, customer.ID(made.ID), func() error {
			return w.Service.People.Changed(ctx, full, []int64{made.ID}, replaced("crm_customer", "lastname", "Besson", "Martin"))
		})
		if law != nil {
			t.Error(law)
		}

		// What changes nothing, fails or may not be done leaves nothing behind.
		seq, failed := w.Seq(1), errors.New("no")
		for name, c := range map[string]struct {
			as     kernel.Caller
			ids    []int64
			change func(port.Tx) error
			want   error
		}{
			"nothing":          {full, []int64{home}, func(port.Tx) error { return nil }, nil},
			"what fails":       {full, []int64{home}, func(tx port.Tx) error { return errors.Join(replaced("crm_product", "price", 390000, 1)(tx), failed) }, failed},
			"an unknown one":   {full, []int64{home, 9999}, replaced("crm_product", "price", 390000, 1), fault.NotFound},
			"without a caller": {kernel.Caller{}, []int64{home}, replaced("crm_product", "price", 390000, 1), fault.Unauthenticated},
		} {
			if err := w.Service.Listing.Changed(ctx, c.as, c.ids, c.change); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		gone := func(tx port.Tx) error {
			statements, err := sqlstore.StatementsOf(tx)
			if err == nil {
				_, err = statements.Exec("DELETE FROM crm_product WHERE id = $1", home)
			}
			return err
		}
		if err := w.Service.Listing.Changed(ctx, full, []int64{home}, gone); err == nil {
			t.Error("a product is removed as if it were changed")
		}
		if read := w.ReadProduct(w.Again(full), home, ""); *read.Price != 390000 || w.Seq(1) != seq {
			t.Errorf("a read shows %v, and there are events", *read.Price)
		}
	})
}

// Half of the law is not enough.
func TestAnEventWithoutAVersionBreaksTheLaw(t *testing.T) {
	s := onSQLite(t)
	w := apitest.Over(t, s)
	home := w.CreateProduct("Prix", 450000)
	for name, change := range map[string]func(tx port.Tx) error{
		"neither": func(port.Tx) error { return nil },
		"an event": func(tx port.Tx) error {
			_, err := tx.Ledger().Append(1, w.Clock.Now(), []event.Event{{Type: event.ProductUpdate, Resource: home}})
			return err
		},
		"an event about another": func(tx port.Tx) error {
			_, err := tx.Ledger().Append(1, w.Clock.Now(), []event.Event{{Type: event.ProductUpdate, Resource: home + 1}})
			return err
		},
		"a time": func(tx port.Tx) error {
			p, err := tx.Products().Get(1, product.ID(home))
			p.Modified = w.Clock.Now()
			return errors.Join(err, tx.Products().Replace(p))
		},
	} {
		broken := porttest.RecordsProduct(t.Context(), s, 1, product.ID(home), func() error {
			return s.Update(t.Context(), func(tx port.Tx) error {
				return errors.Join(replaced("crm_product", "price", 450000, 390000)(tx), change(tx))
			})
		})
		if broken == nil {
			t.Errorf("%s is enough", name)
		}
	}
}

// A unit of a use case has the statements of its store, whichever of its layers is asked.
func TestUnitsOfUseCasesHaveStatements(t *testing.T) {
	s := onSQLite(t)
	w := apitest.Over(t, s)
	apitest.NewEngine(t, s, w.Clock, rand.Reader).Write(1, func(u kernel.Unit) error {
		for _, tx := range []port.Tx{u.Tx, listing.NewUnit(u).Tx, people.NewUnit(u).Tx} {
			if _, err := sqlstore.StatementsOf(tx); err != nil {
				t.Errorf("%T: %v", tx, err)
			}
		}
		return nil
	})
}
