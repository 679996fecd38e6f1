// Package dealtest makes up what agents do with offers, agreements and leases at a
// small site, does it on any store, and says what must be true after each step.
package dealtest
