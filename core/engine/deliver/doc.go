// Package deliver is the engine that sends events to webhooks. It takes them from
// the outbox, which recording an event fills in the same unit of work, and
// stores what came of every attempt. Any number of processes may run it over one
// store.
//
// A dispatcher per process leases webhooks with due deliveries. A worker per
// lease makes jobs of them, one for each resource, and up to PerWebhook senders
// of its own make the attempts.
//
// Most attempts of a webhook with a backlog succeed, and nothing else follows
// from them. These are stored by one completer per process, those of several
// webhooks with one unit of work, and two units at a time.
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
//   - Order per resource. Only who holds the lease of a webhook sends. About one
//     resource there is one job at a time, a webhook.Lane: its pending deliveries
//     in event order, up to the first that is not due yet. A sender goes through
//     them until one fails or is deferred; the rest waits for that one. Jobs about
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
//   - Nobody waits for another's webhook: the completer takes hold only of
//     webhooks that are free, and gives up after commitTimeout.
//
// All units of work lock things in one order, so that they never wait for
// each other in a circle: the webhook, the counts of the site if rejections
// change, the lease, then rejections and deliveries. The code that runs in them is
// methods of unit, which can reach neither the store nor a context.
package deliver
