// Package appointment is the calendar events of the contract's area Agenda: who
// attends them, when they take place and how they repeat, what is asked of a
// change of one, and the report of a visit.
//
// The contract calls them events. Here an event is what the ledger tells of, such
// as APPOINTMENT_CREATE.
package appointment
