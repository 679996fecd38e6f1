package porttest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func receiptID(s site.ID, key string) port.ReceiptID {
	return port.ReceiptID{Site: s, Credential: "client", Operation: "product.create", Key: key}
}

func sampleReceipt(s site.ID, key string) port.Receipt {
	return port.Receipt{ReceiptID: receiptID(s, key), Fingerprint: "5ha", Answer: awkward + "\x00", At: instant(1), Customer: 1 << 40}
}

// oneAnswers lets many units claim the same receipt: all but one find its answer,
// whatever became of the others.
func oneAnswers(t *testing.T, w *world) {
	id := w.site(t)
	undone := errors.New("undone")
	for round := range rounds {
		var effects, answered atomic.Int64
		key := fmt.Sprint(round)
		together(t, workers, func(ctx context.Context, i int) error {
			first := false
			err := w.Update(ctx, func(tx port.Tx) error {
				receipt := sampleReceipt(id, key)
				receipt.Answer, first = "", false
				kept, err := tx.Receipts().Claim(receipt)
				if err != nil || kept.Answer != "" {
					return err
				}
				if i%3 == 0 {
					return undone
				}
				first, receipt.Answer = true, fmt.Sprint(i)
				return errors.Join(appends(tx, id, 1), tx.Receipts().Put(receipt))
			})
			switch {
			case errors.Is(err, undone):
				return nil
			case err == nil && first:
				effects.Add(1)
			case err == nil:
				answered.Add(1)
			}
			return err
		})
		if effects.Load() != 1 {
			t.Errorf("%d units had an effect, %d found an answer", effects.Load(), answered.Load())
		}
	}
	same(t, "head", port.Head{Seq: rounds}, w.head(t, id))
}

func (p program) receiptCommand() command {
	id := receiptID(p.site, draw(p, "key", "a", "A", awkward))
	id.Credential = draw(p, "credential", id.Credential, id.Credential, "Client", "clientp")
	id.Operation = draw(p, "operation", id.Operation, id.Operation, "hook.create", "roduct.create")
	made := port.Receipt{ReceiptID: id, Fingerprint: draw(p, "fingerprint", "x", "y"), Answer: draw(p, "answer", "", "{}", awkward+"\x00"), At: p.moment("at")}
	made.Customer = draw[customer.ID](p, "customer", 0, 1, 1<<40)
	claim := reads("claim", func(tx port.Tx) (port.Receipt, error) { return tx.Receipts().Claim(made) })
	return p.pick(with{"receipt": made}, []command{
		reads("receipt", func(tx port.Tx) (port.Receipt, error) { return tx.Receipts().Get(id) }),
	}, claim, claim,
		writes("put the receipt", func(tx port.Tx) error { return tx.Receipts().Put(made) }),
		writes("forget receipts", func(tx port.Tx) error { return tx.Receipts().Forget(p.site, made.Customer) }),
		p.purges("receipts", p.before(), func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Receipts().Purge(before, n) }))
}
