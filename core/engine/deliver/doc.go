// Package deliver is the engine that sends events to webhooks. It reads deliveries, which are
// stored in the unit of work that records their event, and stores the result of every attempt.
// Any number of processes may run it over one store.
//
// A dispatcher per process leases webhooks with due deliveries. A worker per
// lease makes jobs of them, one for each resource, and up to PerWebhook senders
// of its own make the attempts.
//
// Most attempts of a webhook with a backlog succeed without further consequences. One
// completer per process stores these, those of several webhooks in one unit of work, and two
// units at a time.
//
//	Wakeup, Tick ──▶ dispatcher ──lease──▶ worker ◀──wakeup── dispatcher
//	                                       │    ▲
//	              ┌────── jobs ────────────┘    └──── results ──────┐
//	              ▼                                                 │
//	           sender ──▶ port.Sender, one delivery after the other ┘
//
//	worker:  ┌─▶ collect   wait for results, briefly if most are still under way,
//	         │             or for a wakeup while a sender is free
//	         │   settle    one unit of work:
//	         │               hold the webhook
//	         │               hold the counts of the site, if rejections change
//	         │               hold the lease; if it was lost, store nothing and end
//	         │               store the results, rejections and deliveries:
//	         │                 webhook.Policy.Settle says what becomes of each
//	         │                 delivery and of the webhook
//	         │               look for more jobs, if a sender is free
//	         │               nothing under way, nothing found: release the lease
//	         └───────────  assign the jobs
//
//	completer:  gather the batches that are all successes, of several workers, and
//	            store them with one unit of work; a batch that it cannot store
//	            goes through settle
//
// What holds:
//
//   - Order per resource. Only the process with the lease of a webhook sends. For one
//     resource there is one job at a time, a webhook.Lane: its pending deliveries
//     in event order, up to the first that is not due yet. A sender sends
//     them until one fails or is deferred; the rest waits for that one. Jobs for
//     several resources are sent at the same time.
//   - At least once. A result is stored after its attempt; a process that dies in
//     between, or loses its lease, leaves the delivery pending for the next. So no
//     more attempts of a webhook are open, begun and not stored, than it has
//     senders; or, up to Unsettled, than twice as many as webhooks are served, or one
//     in a hundred of those that were stored under the lease.
//   - Nothing is stored under a lease that was lost: settle checks the lease in
//     the unit that stores, and so does the completer. Leases are extended on the
//     way.
//   - A webhook that never runs out of events yields its slot after maxHold if
//     others may be waiting.
//   - When ctx ends, what is under way is finished and stored, nothing else is
//     begun, and leases are released. The same is done for the webhooks of a site that
//     is about to move.
//   - No webhook waits for another one: the completer locks only
//     webhooks that are free, and gives up after commitTimeout.
//
// All units of work lock records in one order, so that they never deadlock: the webhook, the
// head of the site if rejections change, the lease, then rejections and deliveries. Their code
// is methods of unit, which has neither the store nor a context.
package deliver
