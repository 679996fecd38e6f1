package siteapi_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/kernel/follow"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// An index of products of your own is kept up by following: it is filled when a site
// begins, and then told what happened. Where it came is kept in the store, so that a
// restart tells what happened meanwhile.
func ExampleService_follow() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	service, caller := exampleService(ctx)

	index, changed := map[int64]string{}, make(chan struct{}, 1)
	keep := func(_ context.Context, c follow.Changes) error {
		if c.Begins {
			clear(index) // here, read the site: Listing.SearchProducts
			fmt.Println("site", c.Site, "begins")
			return nil
		}
		for _, e := range c.Events {
			if e.Type.Resource() == event.ProductUpdate.Resource() {
				index[e.Resource] = string(e.Type) // here, read it: Listing.GetProduct
				changed <- struct{}{}
			}
		}
		return nil
	}

	tick, done := make(chan time.Time), make(chan error)
	go func() { done <- service.Follow.Run(ctx, follow.Options{Name: "index", Tick: tick}, keep) }()
	tick <- time.Time{} // in production the channel of a time.Ticker: once a second

	created, err := service.Listing.CreateProduct(ctx, caller, listing.CreateProduct{})
	if err != nil {
		log.Fatal(err)
	}
	tick <- time.Time{}
	<-changed
	stop()
	if err := <-done; err != nil {
		log.Fatal(err)
	}
	fmt.Println(index[created.ID])
	// Output:
	// site 1 begins
	// PRODUCT_CREATE
}
