// Package people has the use cases of people: customers, their search requests and
// follow-ups, leads, matching, and the rights of persons (export, anonymisation).
//
// A lead is one unit of work: it claims its key, finds or creates its customer, and creates a
// search request, a follow-up or a product. Anonymising a person changes all records about
// them (footprint.go).
package people
