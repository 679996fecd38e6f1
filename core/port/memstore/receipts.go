package memstore

import (
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

type receipts struct{ *unit }

func receiptKey(id port.ReceiptID) string {
	return key(int64(id.Site)) + strings.Join([]string{string(id.Credential), id.Operation, id.Key}, "\x00")
}

func (r receipts) Get(id port.ReceiptID) (port.Receipt, error) {
	return one(r.unit, r.state.receipts, receiptKey(id), "receipt", id.Key, same)
}

// Claim needs to hold nothing: units that write take turns.
func (r receipts) Claim(claimed port.Receipt) (port.Receipt, error) {
	if kept, found := r.state.receipts.get(receiptKey(claimed.ReceiptID)); found {
		return kept, r.writing()
	}
	return claimed, r.Put(claimed)
}

func (r receipts) Put(receipt port.Receipt) error {
	return put(r.unit, &r.state.receipts, receiptKey(receipt.ReceiptID), receipt, same)
}

func (r receipts) Forget(id site.ID, c customer.ID) error {
	return discard(r.unit, &r.state.receipts, key(int64(id)), func(receipt port.Receipt) bool { return c != 0 && receipt.Customer == c })
}

func (r receipts) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.receipts, before, n, func(receipt port.Receipt) time.Time { return receipt.At })
	return len(gone), err
}
