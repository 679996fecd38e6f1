// Package history has the use cases about what happened to a record: when, who, and which
// field got which value. It reads the ledger, where each update keeps what it changed. A kind
// of record is one entry of a table.
package history
