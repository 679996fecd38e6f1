// Package requests is the area about the requests themselves: what became of one,
// how many there were, and who still uses deprecated names.
//
// What is shown is what a caller may know of. A client sees its own requests, of the
// site its token acts for. A caller without a credential, such as an operator, sees
// all of the site. Query and bodies, which are redacted anyway, are shown only to
// those whom the operation of the request would admit: who may only read is shown no
// body of a write, and who may not see customers none about customers.
package requests
