// Package deals is the use cases of the contract's area Transactions: offers, sale
// agreements and leases, what is pending in them, and calculators.
//
// A change of a record is one unit of work with everything that it entails: the
// status of the product, follow-ups, search requests, and the offer that an
// agreement was made from. A change of one locks customers first, then the
// product, then the record, so that of two agents who promise the same product one
// comes second and sees what the first did.
//
// Some changes are made by the clock. They are seen from their moment on, and
// stored by Service.FollowClock.
package deals
