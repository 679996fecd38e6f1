// Package deals has the use cases of the contract's area Transactions: offers, sale
// agreements and leases, their deadlines, and calculators.
//
// A change of a record is one unit of work with all consequences: for the status of the
// product, follow-ups, search requests, and the offer of an agreement. It locks customers
// first, then the product, then the record. Of two requests about the same product one waits
// and sees the effect of the other.
//
// Some transitions happen at a time. Reads show them from that time on, and
// Service.FollowClock stores them.
package deals
