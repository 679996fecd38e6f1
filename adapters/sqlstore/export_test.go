package sqlstore

import "github.com/vitrine-crm/vitrine/core/port"

// PendingOf is the condition for the pending deliveries of a webhook.
const PendingOf = pendingOf

// OwnedProduct is the condition of the index of what customers own.
const OwnedProduct = ownedProduct

// LotProduct is that of the index of lots.
const LotProduct = lotProduct

// Numbers runs a query of one column of whole numbers within a unit of work.
func Numbers(unit port.Tx, query string) ([]int64, error) { return unit.(*tx).numbers(query) }
