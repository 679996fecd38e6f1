// Package kernel is the kernel of the Site API: what every area of use cases
// stands on, and nothing that belongs to one of them.
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
// Writes one that is carried out in one unit of work. What is no use case, such as
// the locator, opens its units with View and Write, which these are made of.
//
// A unit has the roles of the store (the parts of port.Tx), the moment (the one
// time at which all of it happens) and the caller. It has neither the store nor a
// context. So no unit of work can be opened inside another: that one would wait
// for a connection while the outer one holds one, for ever if the pool has no
// other.
//
// A request takes this way:
//
//	Identify -> Caller   who asks, and the site as it is now (Site)
//	Operation.Call       checks pack, permission and right
//	Reads / Writes       one unit of work; under an idempotency key the receipt
//	                     is claimed first and kept by the same commit
//	Resource             get the record, which holds it; edit a copy; report what
//	                     is wrong; check If-Match; end here if nothing changed;
//	                     record the event; set the version; store
//	Unit.Record          the ledger, and a delivery for each webhook that
//	                     wants the event
//	Wakeup               after the commit: the dispatcher, the locator
package kernel
