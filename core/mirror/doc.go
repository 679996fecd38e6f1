// Package mirror decides how a copy of the catalogue of a site is kept true through the API
// alone: what to ask next, and what an answer changes. It performs no I/O, and works with any server
// of the contract; what a server offers beyond it makes the copy surer.
//
// A notification is a mark, never data: it says that a record must be read again. So deliveries
// that come twice, late or in another order cost a read and do no harm. The webhook is kept before
// anything is read, so that no change falls between the two. What was not delivered is found by catching up:
// by the log of events where there is one, by a sweep where there is none, and by a sweep each night.
//
//	State ──Task──▶ Remote ──Observation──▶ State.After ──Change──▶ Copy
//
// State.Task says what to ask for now; State.After says what follows from what was seen. Both are
// pure and total. A Change is stored whole, with the state after it: a process that is killed at any moment goes
// on where it was.
//
// Two rules make any interleaving safe. A mark has a generation, which each notification raises, and a
// read ends only a mark of the generation that it began with. And a record is stored only if it was
// not stored since it was asked for; otherwise it is marked, and read again.
package mirror
