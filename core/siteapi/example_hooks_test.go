package siteapi_test

import (
	"context"
	"fmt"
	"log"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// printer is a port.Sender that prints what it is given. One that really sends
// bounds the attempt, follows no redirect and connects to permitted addresses
// only, as package sender of the adapters does.
type printer struct{ sent chan struct{} }

// Send implements port.Sender.
func (p printer) Send(_ context.Context, r webhook.Request) webhook.Answer {
	fmt.Printf("POST %s\n%s\n", r.URL, r.Body)
	p.sent <- struct{}{}
	return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
}

// The unit of work that records an event also puts it on its way to the webhooks
// that want it. Deliver.Run sends what is due, with a sender of your own, until
// its context ends. A webhook belongs to the credential that created it, and hears
// what that one may read; so the credential must be one the service knows.
func ExampleService_hooks() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	service, caller := exampleService(ctx)

	hook, err := service.Hooks.CreateHook(ctx, caller, hooks.CreateHook{
		URL:       opt.Of("https://partner.example.org/hook"),
		HookInput: hooks.HookInput{Origines: opt.Of([]string{"PRODUCT_CREATE"})},
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := service.Listing.CreateProduct(ctx, caller, listing.CreateProduct{}); err != nil {
		log.Fatal(err)
	}

	// In production the options also have a Tick, for retries and for what other
	// processes did.
	sender, done := printer{make(chan struct{}, 1)}, make(chan error)
	go func() { done <- service.Deliver.Run(ctx, sender, deliver.DefaultOptions()) }()
	<-sender.sent
	stop()
	if err := <-done; err != nil { // what was under way is finished and stored
		log.Fatal(err)
	}

	deliveries, err := service.Hooks.ListDeliveries(context.Background(), caller, hooks.ReadDeliveries{ID: hook.ID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(deliveries.Data[0].EventType, deliveries.Data[0].Status)

	// Output:
	// POST https://partner.example.org/hook
	// {"event_type":"PRODUCT_CREATE","resource_id":1,"timestamp":"2026-09-16T08:30:00.000Z"}
	// PRODUCT_CREATE succeeded
}
