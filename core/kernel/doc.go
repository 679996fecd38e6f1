// Package kernel is the kernel of the Site API: it has what all areas of use cases share,
// and nothing that belongs to one of them.
//
// A use case is a function of a caller and a request:
//
//	type UseCase[In, Out any] func(context.Context, Caller, In) (Out, error)
//
// Most use cases are one unit of work. They are methods of the area's unit,
// which embeds Unit, such as this one of package people:
//
//	func (u Unit) getLead(in LeadPath) (Lead, error)
//
// Reads makes a use case of such a method that is answered from one snapshot,
// Writes one that runs in one unit of work. Code outside use cases, such as the locator,
// opens its units with View and Write, of which these are made.
//
// A unit has the roles of the store (the parts of port.Tx), the time (one for all its
// effects) and the caller. It has neither the store nor a context. So no unit of work can
// be opened inside another: the inner one would wait for a connection while the outer one
// has one, for ever if the pool has no other.
//
// A request passes through:
//
//	Identify -> Caller   the credential, and the site as it is now (Site)
//	Operation.Call       checks pack, permission and right
//	Reads / Writes       one unit of work; with an idempotency key the receipt
//	                     is claimed first and stored by the same commit
//	Resource             get and lock the record; edit a copy; report problems;
//	                     check If-Match; end here if nothing changed;
//	                     record the event; set the version; store
//	Unit.Record          the ledger, and a delivery for each webhook that
//	                     wants the event
//	Wakeup               after the commit: the dispatcher, the locator
package kernel
