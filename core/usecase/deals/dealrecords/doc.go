// Package dealrecords is what offers, agreements and leases are to those who read
// and store them: their records as answers show them, their lives with events and
// versions, and whom and what they bind.
package dealrecords
