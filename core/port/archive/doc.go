// Package archive carries a whole site out of a store and into another one,
// without loss: which kinds of record there are, in which order they go, what
// must not be there already, and where pictures belong. What an archive looks
// like as a file is an adapter's business.
package archive
