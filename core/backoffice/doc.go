// Package backoffice is what operators do: who signs in to the console, and what they
// may do there. It stands on the Site API and calls its use cases with the grant of
// the operator's role, so that no rule is written twice.
//
// Its use cases are in a table of their own, a line each: which power of a role it
// needs, whether the operator has to show again who they are, and whether it leaves
// an entry in the audit. The checks are made from the table, and the entry is stored
// by the unit of work that has the effect.
package backoffice
