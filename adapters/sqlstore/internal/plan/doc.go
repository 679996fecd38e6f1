// Package plan stores what units of work write without a transaction, as they do on
// PostgreSQL if they can.
//
// A unit reads outside any transaction. Its Plan keeps what it assumes and what it writes,
// and one statement stores that if all it assumes is so. So the unit waits for the database
// once to write whatever it writes, and one flush serves all units that end at the same time.
//
// A client changes the price of product 5 of site 7:
//
//  1. The unit begins with an empty Plan. It reads the product with GetUnlocked, by a
//     statement of its own, and the plan keeps the version of the row (Seen).
//  2. The unit appends an event to the ledger of the site, and the plan is about that site
//     from then on (Plan.Assume): it assumes that the ledger ends at 41, as this process
//     knows from the head that it read for the request, or from what it stored last. So the
//     event is 42. No other unit of this process makes a plan about the site until this one
//     ends.
//  3. The unit asks for the webhooks of the site, and for their owners. What is not known
//     yet is read, and known from then on. The plan assumes that the webhooks are the same
//     (by a fingerprint) and that the site's count of changes of access is. A unit that
//     draws a reference assumes where the counter of the agency stands.
//  4. What the unit writes (the event, the product, a delivery) is kept in the plan as the
//     rows of parts of a statement (Part).
//  5. The unit ends, and Planner.Commit queues its plan. The next unit may make a plan about
//     the site at once: it assumes that the ledger ends at 42, as it does once the first plan
//     is stored. If no statement is under way, one is sent for the plan; otherwise the plan
//     waits, and goes with all that have come by then, of whatever sites.
//  6. The statement locks the heads of the sites, the counters and the records that plans
//     are based on, and compares them with what is assumed. What somebody else has locked is
//     skipped, as if it had changed. The statement stores what belongs to sites of which all is so, and
//     returns these sites.
//  7. The units of sites that were returned have succeeded. The other units of the statement
//     fail with ErrChanged.
//
// # When a unit is run again
//
// After ErrChanged nothing that this process knew of the site is known any more, and no plan
// that was made before is sent. The unit is run once more with a new plan, which begins with
// reading the head, and after a second ErrChanged with a transaction.
//
// # When a unit gets a transaction
//
// A unit that asks for what no plan can give, such as a record that is locked until it ends,
// gets a transaction at that moment. The records that it has read before are locked then, if
// they are still of the version that was seen. The first unit of a process that writes to a
// site gets one as well, for nothing is known of the site yet. A unit whose plan is about a site already
// fails with ErrNeedsTx, and is run again with a transaction from the start.
//
// While a unit with a transaction writes to a site, nothing is known of it. Plans about the
// site wait until it ends, for at most Planner.Patience.
//
// # The files
//
// plan.go is what one unit assumes and writes, site.go what this process knows of a site,
// queue.go which plans go with the next statement, and statement.go the SQL. planner.go has
// the sites, and what the package needs of the store around it.
package plan
