package siteapi

import (
	"context"
	"strings"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// maxIdempotencyKey is how many characters an idempotency key may have.
const maxIdempotencyKey = 255

// IdempotencyKey makes a request safe to repeat: it has its effect once, and
// whoever repeats it gets the answer of the first time.
type IdempotencyKey struct {
	// Operation is the id of the operation, Key what the client chose to call
	// this request.
	Operation, Key string
	// Fingerprint is the same for the same request, and differs for any other.
	Fingerprint string
	// Encode turns what the operation answers into the form in which it is kept.
	// It runs inside the unit of work, perhaps more than once.
	Encode func(answer any) (string, error)
}

// Answered is the error of a request that was answered before: nothing was done
// again.
type Answered struct {
	// Answer is what was answered, as Encode wrote it.
	Answer string
}

// Error implements error.
func (a *Answered) Error() string { return "the request was answered before" }

// Once is the caller for one request with an idempotency key. It fails as
// *Answered when the request was answered before, as does the use case when the
// answer came meanwhile, and as Invalid when the key is malformed or was the key
// of another request. A use case without effect takes no notice of the key.
func (s *Service) Once(ctx context.Context, c Caller, k IdempotencyKey) (Caller, error) {
	if err := checkKey(k.Key); err != nil {
		return c, err
	}
	c.claim = &claim{
		id:          port.ReceiptID{Site: c.Site(), Credential: c.Grant.Credential, Operation: k.Operation, Key: k.Key},
		fingerprint: k.Fingerprint, encode: k.Encode,
	}
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		kept, err := tx.Receipts().Get(c.claim.id)
		if err != nil {
			return absentIs(err, nil)
		}
		return c.claim.compare(kept)
	})
	return c, err
}

func checkKey(key string) error {
	var problems fault.Problems
	if len(key) > maxIdempotencyKey {
		problems.Add("Idempotency-Key", fault.CodeOutOfRange, "a key can have at most %d characters", maxIdempotencyKey)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' }) {
		problems.Add("Idempotency-Key", fault.CodeInvalidFormat, "a key is of printable ASCII characters")
	}
	return problems.Err()
}

// claim is a request's claim to be the first with its key.
type claim struct {
	id          port.ReceiptID
	fingerprint string
	encode      func(answer any) (string, error)
}

// wrapping is the claim with answers put into something before they are kept.
func (c *claim) wrapping(wrap func(answer any) any) *claim {
	wrapped := *c
	wrapped.encode = func(answer any) (string, error) { return c.encode(wrap(answer)) }
	return &wrapped
}

// compare tells what a receipt means to the claim: nil if there is no answer yet.
func (c *claim) compare(kept port.Receipt) error {
	switch {
	case kept.Answer == "":
		return nil
	case kept.Fingerprint != c.fingerprint:
		return invalid("Idempotency-Key", fault.CodeIdempotencyKeyReused, "another request was sent with this key")
	}
	return &Answered{kept.Answer}
}

// write runs the unit of work that answers a request. Whatever has an effect on
// behalf of a caller goes through it, and Out is what the use case answers: with
// an idempotency key the answer is kept by the same commit as the effect. If the
// unit had to do with deliveries, the dispatcher wakes, and the locator if it
// left an address to look up.
func write[Out any](ctx context.Context, s *Service, c Caller, unit func(port.Tx) (Out, error)) (Out, error) {
	if c.claim != nil {
		// Whoever repeats too soon should not wait here with a connection in hand.
		if _, busy := s.underWay.LoadOrStore(c.claim.id, nil); busy {
			var none Out
			return none, fault.New(fault.Conflict, fault.CodeRequestInProgress, "the first request with this Idempotency-Key is still under way")
		}
		defer s.underWay.Delete(c.claim.id)
		unit = claimed(s, c.claim, unit)
	}
	var out Out
	var watched *watchedTx
	err := s.ports.Store.Update(ctx, func(tx port.Tx) (err error) {
		watched = &watchedTx{Tx: tx, outbox: map[webhook.Key]bool{}}
		out, err = unit(watched)
		return err
	})
	if err != nil {
		var none Out
		return none, err
	}
	if len(watched.outbox) > 0 {
		s.due.tell(watched.outbox)
	}
	if watched.addressed {
		ring(s.addressed)
	}
	return out, nil
}

// watchedTx is a unit of work that notices whether something may have become due.
type watchedTx struct {
	port.Tx
	outbox    map[webhook.Key]bool
	addressed bool
}

// Deliveries implements port.Tx.
func (w *watchedTx) Deliveries() port.Deliveries { return watchedDeliveries{w.Tx.Deliveries(), w} }

// Products implements port.Tx.
func (w *watchedTx) Products() port.Products { return watchedProducts{w.Tx.Products(), w} }

// watchedProducts notice a product that is stored with an address to look up.
type watchedProducts struct {
	port.Products
	unit *watchedTx
}

// Add implements port.Products.
func (p watchedProducts) Add(added product.Product) error {
	p.notice(added)
	return p.Products.Add(added)
}

// Replace implements port.Products.
func (p watchedProducts) Replace(changed product.Product) error {
	p.notice(changed)
	return p.Products.Replace(changed)
}

func (p watchedProducts) notice(stored product.Product) {
	if _, needed := stored.Unlocated(); needed && stored.Deleted.IsZero() {
		p.unit.addressed = true
	}
}

// claimed is a unit of work that only the first with its key runs, and that
// leaves a receipt.
func claimed[Out any](s *Service, c *claim, unit func(port.Tx) (Out, error)) func(port.Tx) (Out, error) {
	return func(tx port.Tx) (out Out, err error) {
		receipt := port.Receipt{ReceiptID: c.id, Fingerprint: c.fingerprint, At: s.now()}
		kept, err := tx.Receipts().Claim(receipt)
		if err != nil {
			return out, err
		}
		if err := c.compare(kept); err != nil {
			return out, err
		}
		concerned := &concernedTx{Tx: tx}
		if out, err = unit(concerned); err != nil {
			return out, err
		}
		if receipt.Answer, err = c.encode(out); err != nil {
			return out, err
		}
		receipt.Customer = concerned.customer
		return out, tx.Receipts().Put(receipt)
	}
}
