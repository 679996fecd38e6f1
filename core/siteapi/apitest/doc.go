// Package apitest is what tests of the Site API share: a World, which is a
// service over a store in memory with a small network in it, callers, and checks
// of refusals. What is below the use cases is tested over an Engine instead.
//
//	w := apitest.New(t)
//	id := w.CreateProduct("Ville", "Lyon", "Prix", 250_000)
//	_, err := w.Listing.GetProduct(t.Context(), w.As("rival", 2), listing.ReadProduct{ID: id})
//	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
package apitest
