// Package follow calls a function with the events of every site, after their commit, from where
// the last call ended: for indexes, mirrors and feeds of an embedding system, which
// must neither miss a change nor ask for everything.
//
// A follower has a name, under which the store remembers how far it has come at each
// site. The sites are shared out among processes by leases:
//
//	take      the lease of the site that was not served for longest, among those
//	          with events that the follower has not seen
//	look      one snapshot: the next events
//	use       the caller's function, in no unit of work
//	release   give the lease up; the follower comes to where these events end
//
// What the function fails at comes again, when the lease has run out. So does what a
// process was at when it died: the function is called at least once for every event.
package follow
