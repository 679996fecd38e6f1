// Package e2e holds the tests that meet the API as a client does: over HTTP,
// through the real router, on every store.
package e2e
