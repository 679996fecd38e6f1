// Package agendarecords is what areas share of the agenda: how answers show it, the
// lives of its records, when users are free, what visitors can book, and what
// becomes of appointments when a customer leaves.
package agendarecords
