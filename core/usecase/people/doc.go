// Package people is the use cases about people: customers, what they look for
// and think of products, the leads they come from, what matches whom, and the
// rights of persons (export, anonymisation).
//
// A lead is one unit of work: its key is claimed, the customer it is from is
// found or made, and what it asks for becomes a search request, a follow-up or a
// product. Removing a person goes the other way, through everything that tells
// of them (footprint.go).
package people
