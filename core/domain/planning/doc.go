// Package planning has the records of the contract's area Agenda: calendar events
// with who attends them, when they take place and how they repeat; duty rosters;
// what visitors book online; and calendar feeds.
//
// The contract calls calendar events events. Here an event is an entry of the
// ledger, such as APPOINTMENT_CREATE.
package planning
