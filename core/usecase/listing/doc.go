// Package listing has the use cases of products: writing and reading them,
// their pictures and actions, search and facets.
//
// A search reads the index, which is in memory and follows the ledger, and returns keys of
// records. A transport builds only the records that it has not cached, all in one unit of
// work. A write goes through Products, a kernel.Resource: it reads and locks the product,
// checks the change by the rules of package product, and stores it with its event.
//
// The content of a picture is stored before its record, and removed after it, so that no
// record is without content.
package listing
