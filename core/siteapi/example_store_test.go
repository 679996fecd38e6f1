package siteapi_test

import (
	"context"
	"fmt"
	"log"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// mirrored is a port.Store that wraps another one, and tells of every product
// that was stored. A role that is not wrapped goes straight through; a store from
// scratch implements all of port.Tx, and passes porttest.Store.
type mirrored struct {
	port.Store
	stored func(product.Product)
}

// Update implements port.Store. The function may run more than once, so what a
// run did counts only when the unit was committed.
func (m mirrored) Update(ctx context.Context, fn func(port.Tx) error) error {
	var seen []product.Product
	err := m.Store.Update(ctx, func(tx port.Tx) error {
		seen = nil
		return fn(port.Tx{Roles: mirroredTx{tx.Roles, &seen}})
	})
	if err != nil {
		return err
	}
	for _, p := range seen {
		m.stored(p)
	}
	return nil
}

type mirroredTx struct {
	port.Roles
	seen *[]product.Product
}

// Products implements port.Roles.
func (tx mirroredTx) Products() port.Products { return mirroredProducts{tx.Roles.Products(), tx.seen} }

type mirroredProducts struct {
	port.Products
	seen *[]product.Product
}

// Add implements port.Products.
func (m mirroredProducts) Add(p product.Product) error {
	*m.seen = append(*m.seen, p)
	return m.Products.Add(p)
}

// The service knows its store as a port, so that one of your own, or one around
// another, does.
func ExampleService_ownStore() {
	ctx := context.Background()
	store := mirrored{memstore.New(), func(p product.Product) { fmt.Println("stored product", p.ID, p.Reference) }}
	service := exampleOver(store)
	if _, err := service.Transfer.Provision(ctx, exampleSetup); err != nil {
		log.Fatal(err)
	}

	_, err := service.Listing.CreateProduct(ctx, exampleCaller(ctx, service), listing.CreateProduct{})
	if err != nil {
		log.Fatal(err)
	}

	// What changes products by other ways says so: searches follow the events, and readers
	// the versions, which are stored by the same commit.
	err = service.Listing.Changed(ctx, exampleCaller(ctx, service), []int64{1}, func(tx port.Tx) error {
		p, err := tx.Products().Get(1, 1)
		if err != nil {
			return err
		}
		p.Color = 3
		return tx.Products().Replace(p)
	})
	if err != nil {
		log.Fatal(err)
	}
	head, err := store.Head(ctx, site.ID(1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("events", head.Seq)

	// Output:
	// stored product 1 11-1
	// events 2
}
