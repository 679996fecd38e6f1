// Package locate is the engine that finds out where products are whose address
// is all that is known: after the commit of whatever gave them their address, in
// the background.
//
// It follows the ledger of every site, as a consumer with an offset:
//
//	take      the lease of the site that was not served for longest, among those
//	          with products it has yet to go through or events it has not seen
//	look      one snapshot: the next products that need a position, up to a batch
//	ask       the geocoder, several questions at a time, in no unit of work; each
//	          answer is stored in a unit of its own, if the product still has the
//	          address that was asked about
//	release   give the lease up, so that a site with ten thousand new addresses
//	          leaves room for others; the offset moves only past a batch of which
//	          every address was answered or given up
//
// A batch that was not answered comes again. When a geocoder answers nothing at
// all it is left alone for a while; when it fails on one address while it
// answers others, that address is given up after some failures. A process that
// dies loses its lease when that runs out, and another goes on from the offset.
//
// It wakes when a unit of work of this process leaves an address to look up, and
// at every tick for what other processes did.
package locate
