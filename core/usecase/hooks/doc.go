// Package hooks is the use cases about webhooks: subscriptions, how deliveries
// authenticate, what became of deliveries, and the ledger of events, for those
// who missed some.
//
// Deliveries are not made here. The kernel puts each event on its way to the
// webhooks that want it when the event is recorded; what is sent again from here
// (TestHook, Redeliver, ReplayHook) goes the same way. Package deliver sends
// them.
//
// A unit of work that changes a webhook locks it first, before anything else of
// the site, and so does one that delivers to it: the two cannot deadlock.
package hooks
