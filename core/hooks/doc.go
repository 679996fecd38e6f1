// Package hooks is the use cases about webhooks: subscriptions, how deliveries
// authenticate, what became of deliveries, and the ledger of events, for those
// who missed some.
//
// Deliveries are not made here. The kernel puts each event on its way to the
// webhooks that want it when the event is recorded; what is sent again from here
// (TestHook, Redeliver, ReplayHook) goes the same way. Package deliver sends
// them.
//
// Who changes a webhook holds it first, before anything else of the site, as
// does whoever delivers: so neither waits for the other in a circle.
package hooks
