package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// counting is a store that counts the products that are added to it.
type counting struct {
	port.Store
	added *int
}

// Update implements port.Store.
func (s counting) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: countingTx{tx.Roles, s.added}}) })
}

type countingTx struct {
	port.Roles
	added *int
}

// Products implements port.Roles.
func (t countingTx) Products() port.Products { return countingProducts{t.Roles.Products(), t.added} }

type countingProducts struct {
	port.Products
	added *int
}

// Add implements port.Products.
func (p countingProducts) Add(added product.Product) error {
	*p.added++
	return p.Products.Add(added)
}

// withMore is a network to whose first site products are added one by one. spoil changes the one
// with a number.
func withMore(products int, asked func(n int), spoil func(n int, p *transfer.SetupProduct) error) transfer.Setup {
	setup := described()
	setup.Sites[0].MoreProducts = iter.Seq2[transfer.SetupProduct, error](func(yield func(transfer.SetupProduct, error) bool) {
		for n := range products {
			asked(n)
			p := transfer.SetupProduct{Model: fmt.Sprint("MORE ", n), AgencyID: 11, Line: 1000 + n}
			if n > 0 && n%3 == 0 {
				p.Parent = fmt.Sprint("MORE ", n-1)
			}
			if err := spoil(n, &p); !yield(p, err) {
				return
			}
		}
	})
	return setup
}

func nothing(int, *transfer.SetupProduct) error { return nil }

func TestProductsThatComeOneByOneAreStoredByTheHundred(t *testing.T) {
	added := 0
	w := apitest.Empty(t, counting{memstore.New(), &added}, apitest.NewClock())
	const products = 350
	setup := withMore(products, func(n int) {
		if held := n + 2 - added; held > 100 { // two are described as usual
			t.Errorf("%d products are held", held)
		}
	}, nothing)
	done, err := w.Transfer.Provision(t.Context(), setup)
	if err != nil || added != products+2 {
		t.Fatalf("%+v, %v: %d products are added", done, err, added)
	}
	w.View(func(tx port.Tx) error {
		lot, err1 := tx.Products().Holder(1, 11, "MORE 300")
		house, err2 := tx.Products().Holder(1, 11, "MORE 299")
		p, err3 := tx.Products().Get(1, lot)
		if p.Parent != house || house == 0 {
			t.Errorf("the lot belongs to %d, not to %d", p.Parent, house)
		}
		return errors.Join(err1, err2, err3)
	})
	ledgerHolds(w)
	setup = withMore(products+10, func(int) {}, nothing)
	if again, err := w.Transfer.Provision(t.Context(), setup); err != nil || again.Added != 10 || again.Changed != 0 {
		t.Errorf("with ten more: %+v, %v", again, err)
	}
}

func TestProductsThatComeOneByOneAreStoredAllOrNone(t *testing.T) {
	for want, spoil := range map[string]func(*transfer.SetupProduct) error{
		`line 1205, product "MORE 205" of agency 11: criteria[0].value`: func(p *transfer.SetupProduct) error {
			p.Criteria = map[string]any{"TypeBien": "Château"}
			return nil
		},
		`line 1205, product "MORE 205" of agency 11: there is no user 9`: func(p *transfer.SetupProduct) error { p.UserID = 9; return nil },
		"its parent": func(p *transfer.SetupProduct) error { p.Parent = "MORE 206"; return nil },
		"unreadable": func(*transfer.SetupProduct) error { return errors.New("unreadable") },
	} {
		w := apitest.Empty(t, memstore.New(), apitest.NewClock())
		_, err := w.Transfer.Provision(t.Context(), withMore(350, func(int) {}, func(n int, p *transfer.SetupProduct) error {
			if n == 205 {
				return spoil(p)
			}
			return nil
		}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
		if _, err := w.Store.Head(t.Context(), 1); err == nil {
			t.Errorf("after the error about %s, site 1 exists", want)
		}
	}
}
