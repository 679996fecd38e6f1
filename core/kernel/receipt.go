package kernel

import (
	"context"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// MaxIdempotencyKey is the largest number of characters of an idempotency key.
const MaxIdempotencyKey = 255

// IdempotencyKey makes a request safe to repeat: it has its effect once, and a repetition
// gets the answer of the first time.
type IdempotencyKey struct {
	// Operation is the id of the operation, Key the name that the client gave the request.
	Operation, Key string
	// Fingerprint is equal for equal requests, and differs for others.
	Fingerprint string
	// Encode returns the answer in the form in which it is stored. It runs inside the unit
	// of work, perhaps more than once, while the records that the request changed and the
	// ledger of the site are locked: it must be quick and must not wait.
	Encode func(answer any) (string, error)
}

// Answered is the error of a request that was answered before. It had no effect this time.
type Answered struct {
	// Answer is the former answer, as Encode wrote it.
	Answer string
}

// Error implements error.
func (a *Answered) Error() string { return "the request was answered before" }

// Once returns the caller for one request with an idempotency key. It fails as *Answered
// when the request was answered before, as does the use case when it was answered
// meanwhile, and as Invalid when the key is malformed or was the key of another request. A
// use case without effect ignores the key.
func (k *Kernel) Once(ctx context.Context, c Caller, key IdempotencyKey) (Caller, error) {
	if c.Site.SiteView == nil {
		return c, madeUp()
	}
	if err := checkKey(key.Key); err != nil {
		return c, err
	}
	mine := &claim{
		id:          port.ReceiptID{Site: c.Site.ID, Credential: c.Grant.Credential, Operation: key.Operation, Key: key.Key},
		fingerprint: key.Fingerprint, encode: key.Encode,
	}
	c.claim = mine
	return c, k.Store.View(ctx, func(tx port.Tx) error {
		kept, err := tx.Receipts().Get(mine.id)
		if err != nil {
			return AbsentIs(err, nil)
		}
		return mine.compare(kept)
	})
}

// Unclaimed returns the caller without its key, for further writes of the same use case.
func (c Caller) Unclaimed() Caller {
	c.claim = nil
	return c
}

func checkKey(key string) error {
	var problems fault.Problems
	if key == "" || len(key) > MaxIdempotencyKey {
		problems.Add("Idempotency-Key", fault.CodeOutOfRange, "a key has 1 to %d characters", MaxIdempotencyKey)
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

// through returns the claim of a request to an operation, which stores the answer with its
// envelope.
func (c *claim) through(envelope func(any) any) *claim {
	if c == nil || envelope == nil {
		return c
	}
	wrapped := *c
	wrapped.encode = func(answer any) (string, error) { return c.encode(envelope(answer)) }
	return &wrapped
}

// compare returns nil if a receipt has no answer yet, and otherwise the error of the claim.
func (c *claim) compare(kept port.Receipt) error {
	switch {
	case kept.Answer == "":
		return nil
	case kept.Fingerprint != c.fingerprint:
		return Invalid("Idempotency-Key", fault.CodeIdempotencyKeyReused, "another request was sent with this key")
	}
	return &Answered{kept.Answer}
}

// claimed runs the unit of a request with an idempotency key: only the first with
// its key runs it, and leaves a receipt.
func claimed(u Unit, seen *watchedTx, fn func(Unit) (any, error)) (out any, err error) {
	c := u.claim
	receipt := port.Receipt{ReceiptID: c.id, Fingerprint: c.fingerprint, At: u.Now}
	kept, err := u.Receipts().Claim(receipt)
	if err != nil {
		return out, err
	}
	if err := c.compare(kept); err != nil {
		return out, err
	}
	if out, err = fn(u); err != nil {
		return out, err
	}
	if receipt.Answer, err = c.encode(out); err != nil {
		return out, err
	}
	receipt.Customer = seen.customer
	return out, u.Receipts().Put(receipt)
}
