// Package office has the use cases of records that change rarely: the site, its agencies
// and users, its criteria, its lists of values and its types of action.
//
// They only read, and all they read is in the view of the site that a caller has. So they do
// not read the store, and have no units of work. Operators change these records by Changes and
// by package transfer.
package office
