// Package hooks has the use cases of webhooks: subscriptions, the authentication of
// deliveries, the log of deliveries, and the ledger of events for clients that missed some.
//
// It sends no deliveries. The kernel enqueues them when an event is recorded, and TestHook,
// Redeliver and ReplayHook enqueue them again. Package deliver sends them.
//
// A unit of work that changes a webhook locks it first, before anything else of
// the site, and so does one that delivers to it: the two cannot deadlock.
package hooks
