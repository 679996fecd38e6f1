// Package office is the use cases about what stands behind the listings and
// changes rarely: the site, its agencies and users, its criteria, its lists of
// values and its types of action.
//
// They only read, and all of what they read is in the view of the site that a
// caller comes with. So they ask the store nothing, and there is no unit of work
// here. Operators change these records, through package transfer.
package office
