// Package listing is the use cases about products: writing and reading them,
// their pictures and actions, search and facets.
//
// A search asks the index, which is in memory and follows the ledger, and answers
// with renditions: names of records. Whoever shows them builds only those it has
// not kept, all in one unit of work. A write goes through Products, which is the
// life of a product: it is read and held, judged by the rules of package product,
// and stored with its event.
//
// The content of a picture is kept before its record, and removed after it, so
// that no record is ever without content.
package listing
