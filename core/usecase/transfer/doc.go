// Package transfer imports and exports whole sites and portfolios: provisioning from a setup,
// import and export of listings. It has no operations of the contract; operators and command
// lines call it.
//
// Imports also run in the background: a dry run of a file first, then the real one,
// with progress, a report of each listing, and a way to stop. Runs are stored, so that every
// process shows them; the process that received the request carries a run out.
//
//	Start ──▶ file into Blobs, run into the store ──▶ job ──▶ Run: a listing after the other
//	                                                     ◀── Tick: a sign of life; is it to stop?
//
// The file is kept until it has been carried out to the end, or for a day.
package transfer
