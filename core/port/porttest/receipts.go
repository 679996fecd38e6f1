package porttest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func receiptID(s site.ID, key string) port.ReceiptID {
	return port.ReceiptID{Site: s, Credential: "client", Operation: "product.create", Key: key}
}

func sampleReceipt(s site.ID, key string) port.Receipt {
	return port.Receipt{ReceiptID: receiptID(s, key), Fingerprint: "5ha", Answer: awkward + "\x00", At: instant(1), Customer: 1 << 40}
}

func receiptExamples() []example {
	return []example{
		{"ReceiptsComeBackAsTheyWentIn", receiptsComeBack},
		{"AClaimFindsWhatIsThere", claimsFind},
		{"ReceiptsAreToldApartByEveryPartOfTheirID", receiptsAreApart},
		{"OldReceiptsArePurged", oldReceiptsGo},
	}
}

func receiptsComeBack(t *testing.T, w *world) {
	id := w.site(t)
	get := func(tx port.Tx) (port.Receipt, error) { return tx.Receipts().Get(receiptID(id, awkward)) }
	bare := port.Receipt{ReceiptID: receiptID(id, awkward)}
	comesBack(t, w, "receipt", sampleReceipt(id, awkward), bare, func(tx port.Tx, r port.Receipt) error { return tx.Receipts().Put(r) }, get)
	w.view(t, func(tx port.Tx) error {
		if _, err := tx.Receipts().Get(receiptID(id, "another")); !errors.Is(err, fault.NotFound) {
			t.Errorf("an absent receipt is %v, want NotFound", err)
		}
		return nil
	})
}

func claimsFind(t *testing.T, w *world) {
	id := w.site(t)
	claimed := port.Receipt{ReceiptID: receiptID(id, "k"), Fingerprint: "first", At: instant(1)}
	later := port.Receipt{ReceiptID: receiptID(id, "k"), Fingerprint: "second", At: instant(2)}
	answered := sampleReceipt(id, "k")
	w.update(t, func(tx port.Tx) error {
		for _, c := range []struct{ put, claim, want port.Receipt }{
			{claim: claimed, want: claimed}, {claim: later, want: claimed}, {put: answered, claim: later, want: answered},
		} {
			if c.put != (port.Receipt{}) {
				if err := tx.Receipts().Put(c.put); err != nil {
					return err
				}
			}
			kept, err := tx.Receipts().Claim(c.claim)
			if err != nil {
				return err
			}
			same(t, "what a claim finds", c.want, kept)
		}
		return nil
	})
	w.update(t, func(tx port.Tx) error {
		kept, err := tx.Receipts().Claim(later)
		same(t, "what a later unit finds", answered, kept)
		return err
	})
}

func receiptsAreApart(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return tx.Receipts().Put(sampleReceipt(id, "k")) })
	another := func(change func(*port.ReceiptID)) port.ReceiptID {
		other := receiptID(id, "k")
		change(&other)
		return other
	}
	for what, other := range map[string]port.ReceiptID{
		"site":       receiptID(w.site(t), "k"),
		"credential": another(func(r *port.ReceiptID) { r.Credential = "Client" }),
		"operation":  another(func(r *port.ReceiptID) { r.Operation = "hook.create" }),
		"key":        another(func(r *port.ReceiptID) { r.Key = "K" }),
		"boundaries": another(func(r *port.ReceiptID) { r.Credential, r.Operation = "clientp", "roduct.create" }),
	} {
		claimed := port.Receipt{ReceiptID: other, Fingerprint: what, At: instant(3)}
		w.update(t, func(tx port.Tx) error {
			kept, err := tx.Receipts().Claim(claimed)
			same(t, "a claim with another "+what, claimed, kept)
			return err
		})
	}
}

func oldReceiptsGo(t *testing.T, w *world) {
	id := w.site(t)
	left := func() (keys []int) {
		w.view(t, func(tx port.Tx) error {
			for n := range 6 {
				if _, err := tx.Receipts().Get(receiptID(id, fmt.Sprint(n))); err == nil {
					keys = append(keys, n)
				}
			}
			return nil
		})
		return keys
	}
	w.update(t, func(tx port.Tx) error {
		for _, n := range []int{3, 0, 4, 1, 5, 2} {
			receipt := sampleReceipt(id, fmt.Sprint(n))
			receipt.At = old(n)
			if err := tx.Receipts().Put(receipt); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct {
		before, n, gone int
		left            []int
	}{{0, 9, 0, []int{0, 1, 2, 3, 4, 5}}, {4, 0, 0, []int{0, 1, 2, 3, 4, 5}}, {4, 2, 2, []int{2, 3, 4, 5}}, {4, 9, 2, []int{4, 5}}, {4, 9, 0, []int{4, 5}}} {
		w.update(t, func(tx port.Tx) error {
			gone, err := tx.Receipts().Purge(old(c.before), c.n)
			same(t, "the number that went", c.gone, gone)
			return err
		})
		same(t, "what is left", c.left, left())
	}
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
	id := receiptID(p.site, draw(p, "key", "a", "A", "b"))
	made := port.Receipt{ReceiptID: id, Fingerprint: draw(p, "fingerprint", "x", "y"), Answer: draw(p, "answer", "", "{}", awkward), At: instant(int(p.number("at", 9)))}
	made.Customer = customer.ID(p.number("customer", 3) - 1)
	switch draw(p, "command", "claim", "claim", "put", "get", "forget") {
	case "forget":
		return command{fmt.Sprint("forget receipts of ", made.Customer), func(tx port.Tx) (any, error) {
			return nil, tx.Receipts().Forget(p.site, made.Customer)
		}}
	case "claim":
		return command{fmt.Sprintf("claim %+v", made), func(tx port.Tx) (any, error) { return tx.Receipts().Claim(made) }}
	case "put":
		return command{fmt.Sprintf("put %+v", made), func(tx port.Tx) (any, error) { return nil, tx.Receipts().Put(made) }}
	}
	return command{fmt.Sprintf("receipt %+v", id), func(tx port.Tx) (any, error) { return tx.Receipts().Get(id) }}
}
