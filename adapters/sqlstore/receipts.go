package sqlstore

import (
	"fmt"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (s *Store) receipts() mapping[port.Receipt] {
	const table = "receipt"
	return mapping[port.Receipt]{
		table: table,
		keys:  []string{"site_id", "credential_id", "operation", "request_key"},
		row: func(r *port.Receipt) row {
			sealed := sealing{s.keyring, table, &r.Site, func() string { return fmt.Sprintf("%q %q %q", r.Credential, r.Operation, r.Key) }}
			return row{
				{"site_id", whole(&r.Site)}, {"credential_id", text(&r.Credential)}, {"operation", text(&r.Operation)}, {"request_key", text(&r.Key)},
				{"fingerprint", text(&r.Fingerprint)}, sealed.column("answer", secret{&r.Answer}), {"added_at", instant(&r.At)},
				{"customer_id", whole(&r.Customer)},
			}
		},
	}
}

const ofReceipt = "site_id = ? AND credential_id = ? AND operation = ? AND request_key = ?"

// claimReceipt writes in any case: a row that is written is held, and a statement
// that had to wait for one sees what became of it.
func claimReceipt(m mapping[port.Receipt]) squirrel.Sqlizer {
	return m.insert().Suffix("ON CONFLICT (" + strings.Join(m.keys, ", ") + ") DO UPDATE SET fingerprint = receipt.fingerprint " +
		"RETURNING " + strings.Join(m.row(&port.Receipt{}).names(), ", "))
}

type receiptRole struct{ tx *tx }

func (r receiptRole) Get(id port.ReceiptID) (port.Receipt, error) {
	return one(r.tx, r.tx.store.receipts(), r.tx.store.hot.receiptGet, int64(id.Site), string(id.Credential), id.Operation, id.Key)
}

func (r receiptRole) Claim(claimed port.Receipt) (port.Receipt, error) {
	if err := r.tx.writing(); err != nil {
		return port.Receipt{}, err
	}
	m := r.tx.store.receipts()
	values, err := m.row(&claimed).values()
	if err != nil {
		return port.Receipt{}, r.tx.fail(fmt.Errorf("writing %s: %w", m.table, err))
	}
	return one(r.tx, m, r.tx.store.hot.receiptClaim, values...)
}

func (r receiptRole) Put(receipt port.Receipt) error {
	_, err := write(r.tx, r.tx.store.receipts(), r.tx.store.hot.receiptPut, receipt)
	return err
}

func (r receiptRole) Forget(id site.ID, c customer.ID) error {
	_, err := r.tx.exec(r.tx.store.text(squirrel.Delete("receipt").Where("site_id = ? AND customer_id = ? AND customer_id <> 0")), int64(id), int64(c))
	return err
}

func (r receiptRole) Purge(before time.Time, n int) (int, error) {
	return purge(r.tx, r.tx.store.receipts(), "added_at", before, n)
}
