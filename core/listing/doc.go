// Package listing is the use cases about products: writing and reading them,
// their pictures and actions, search and facets.
package listing
