// Package agenda has the use cases of the contract's area Agenda: calendar events,
// working time, duty rosters, free time, online booking and calendar feeds.
//
// A use case that takes time of users locks their calendars first, then customers, then
// the records. Of two requests for the same time one waits and sees the effect of the other.
package agenda
