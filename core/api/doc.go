// Package api is the kernel of the Site API: what every area of use cases
// stands on, and nothing that belongs to one of them.
//
// A use case is a function of a caller and a request:
//
//	type UseCase[In, Out any] func(context.Context, Caller, In) (Out, error)
//
// Most use cases are one unit of work. They are methods of the area's unit,
// which embeds Unit, and become use cases through Reads or Writes:
//
//	func (u unit) getLead(in LeadPath) (Lead, error)
//
// A unit has the roles of the store, the moment and the caller, but neither the
// store nor a context. So no unit of work can be opened inside another, which
// would wait for itself as soon as a pool of connections runs dry.
//
// A request takes this way:
//
//	Identify -> Caller   who asks, and the site as it is now (Site)
//	Operation.Call       pack, permission, right
//	Reads / Writes       one unit of work; under an idempotency key the receipt
//	                     is claimed first and kept by the same commit
//	Resource             get, hold, edit, problems, If-Match, no trace if the
//	                     same, event, version, store
//	Unit.Record          the ledger, and a delivery for each webhook that
//	                     wants the event
//	Wakeup               after the commit: the dispatcher, the locator
package api
