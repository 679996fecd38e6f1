// Package agenda is the use cases of the contract's area Agenda: calendar events,
// working time, duty rosters, free time, online booking and calendar feeds.
//
// A use case that takes time of users locks their calendars first, then customers, then
// the records, so that of two who want the same time one comes second and sees what
// the first did.
package agenda
