package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// shaky is a store whose next unit of work goes wrong in its own way.
type shaky struct {
	port.Store
	next func(ctx context.Context, fn func(port.Tx) error) error
}

func (s *shaky) Update(ctx context.Context, fn func(port.Tx) error) error {
	if next := s.next; next != nil {
		s.next = nil
		return next(ctx, fn)
	}
	return s.Store.Update(ctx, fn)
}

// createOnce creates a product under a key: the answer, or that of the first time.
func createOnce(w *apitest.World, c kernel.Caller, name string) (created kernel.Created, before string, err error) {
	c, err = w.Once(w.T.Context(), c, apitest.Key(name))
	if err == nil {
		created, err = w.Listing.CreateProduct(w.T.Context(), c, listing.CreateProduct{Change: product.Change{AgencyID: opt.Of(int64(11))}})
	}
	if answered, ok := errors.AsType[*kernel.Answered](err); ok {
		return created, answered.Answer, nil
	}
	return created, "", err
}

func TestG24_NobodyKnowsWhetherTheFirstWasCommitted(t *testing.T) {
	store := &shaky{Store: memstore.New()}
	w := apitest.Over(t, store)
	lost := fmt.Errorf("lost: %w", fault.Unavailable)
	for name, c := range map[string]struct {
		next   func(ctx context.Context, fn func(port.Tx) error) error
		before bool
	}{
		"it was": {func(ctx context.Context, fn func(port.Tx) error) error {
			return errors.Join(store.Store.Update(ctx, fn), lost)
		}, true},
		"it was not": {func(ctx context.Context, fn func(port.Tx) error) error {
			return store.Store.Update(ctx, func(tx port.Tx) error { return errors.Join(fn(tx), lost) })
		}, false},
		"it ran twice": {func(ctx context.Context, fn func(port.Tx) error) error {
			_ = store.Store.Update(ctx, func(tx port.Tx) error { return errors.Join(fn(tx), lost) })
			return errors.Join(store.Store.Update(ctx, fn), lost)
		}, true},
	} {
		events, full := w.Seq(1), w.As("full", 1)
		store.next = c.next
		if _, _, err := createOnce(w, full, name); !errors.Is(err, fault.Unavailable) {
			t.Fatalf("%s: %v", name, err)
		}
		created, before, err := createOnce(w, full, name)
		if err != nil || (before != "") != c.before || (created.ID != 0) == c.before {
			t.Errorf("%s: the second time %+v, %q, %v", name, created, before, err)
		}
		if got := w.Seq(1) - events; got != 1 {
			t.Errorf("%s: %d products", name, got)
		}
	}
}

func TestG24_TheAnswerIsKeptInItsEnvelope(t *testing.T) {
	w := apitest.New(t)
	var create kernel.Operation
	for _, o := range w.Operations() {
		if o.ID == "product.create" {
			create = o
		}
	}
	call := func() (any, error) {
		c, err := w.Once(t.Context(), w.As("full", 1), apitest.Key("k"))
		if err != nil {
			return nil, err
		}
		return create.Call(t.Context(), c, listing.CreateProduct{Change: product.Change{AgencyID: opt.Of(int64(11))}})
	}
	first, err := call()
	if err != nil {
		t.Fatal(err)
	}
	_, err = call()
	answered, ok := errors.AsType[*kernel.Answered](err)
	if !ok || answered.Answer != fmt.Sprintf("%+v", first) || !strings.HasPrefix(answered.Answer, "{Data:{ID:") {
		t.Errorf("the second time %v, after %+v", err, first)
	}
}

func TestG24_AnAnswerThatCannotBeKeptIsNoEffect(t *testing.T) {
	w := apitest.New(t)
	events := w.Seq(1)
	bad := apitest.Key("k")
	bad.Encode = func(any) (string, error) { return "", errors.New("no") }
	c, err := w.Once(t.Context(), w.As("full", 1), bad)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Listing.CreateProduct(t.Context(), c, listing.CreateProduct{Change: product.Change{AgencyID: opt.Of(int64(11))}}); err == nil {
		t.Error("an answer that was not kept was given")
	}
	if w.Seq(1) != events {
		t.Error("there is an effect without a receipt")
	}
}

// A repetition that comes while the first is under way neither waits nor acts.
func TestG24_ARequestUnderWayIsNotDoneTwice(t *testing.T) {
	store := &shaky{Store: memstore.New()}
	w := apitest.Over(t, store)
	full := w.As("full", 1)
	var second error
	store.next = func(ctx context.Context, fn func(port.Tx) error) error {
		_, _, second = createOnce(w, full, "k")
		return store.Store.Update(ctx, fn)
	}
	created, before, err := createOnce(w, full, "k")
	if err != nil || before != "" || created.ID == 0 {
		t.Errorf("the first: %+v, %q, %v", created, before, err)
	}
	if told := fault.From(second); told == nil || told.Code != fault.CodeRequestInProgress {
		t.Errorf("the second: %v", second)
	}
	if _, before, err := createOnce(w, full, "k"); before == "" || err != nil {
		t.Errorf("the third: %q, %v", before, err)
	}
}

// Two processes meet in the store.
func TestG24_AProcessFindsTheAnswerOfAnother(t *testing.T) {
	store := &shaky{Store: memstore.New()}
	w := apitest.Over(t, store)
	other := apitest.Empty(t, store.Store, w.Clock)
	full, same := w.As("full", 1), other.As("full", 1)
	var first kernel.Created
	store.next = func(ctx context.Context, fn func(port.Tx) error) (err error) {
		// The look for an answer is over, and there was none.
		if first, _, err = createOnce(other, same, "k"); err != nil {
			t.Error(err)
		}
		return store.Store.Update(ctx, fn)
	}
	if _, before, err := createOnce(w, full, "k"); err != nil || before != fmt.Sprintf("%+v", first) {
		t.Errorf("%q, %v, after %+v", before, err, first)
	}
}

// Through the table the answer is kept in its envelope, and by the function of Go
// without.
func TestAReceiptKeepsWhatWasAnswered(t *testing.T) {
	var table struct {
		Note kernel.UseCase[greet, greeting]
	}
	k := newKernel(t)
	use := kernel.Writes(k.Kernel, func(u kernel.Unit) kernel.Unit { return u }, func(_ kernel.Unit, in greet) (greeting, error) { return greeting{in.Name}, nil })
	o := kernel.Op(&table.Note, "note", kernel.POST, "/notes", 201, access.Rule{}, "Note", use).InData()
	kernel.Check([]kernel.Operation{o})
	for name, c := range map[string]struct {
		call func(kernel.Caller) error
		want string
	}{
		"Call": {func(c kernel.Caller) error {
			_, err := o.Call(t.Context(), c, greet{"x"})
			return err
		}, "{Data:{Text:x}}"},
		"the field": {func(c kernel.Caller) error {
			_, err := table.Note(t.Context(), c, greet{"x"})
			return err
		}, "{Text:x}"},
	} {
		for range 2 {
			caller, err := k.Once(t.Context(), k.caller(1), apitest.Key(name))
			if err == nil {
				err = c.call(caller)
			}
			if answered, ok := errors.AsType[*kernel.Answered](err); ok && answered.Answer != c.want {
				t.Errorf("%s: kept is %s", name, answered.Answer)
			} else if !ok && err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		k.world.View(func(tx port.Tx) error {
			kept, err := tx.Receipts().Get(port.ReceiptID{Site: 1, Credential: "full", Operation: "product.create", Key: name})
			if kept.Answer != c.want {
				t.Errorf("%s: the receipt is %+v", name, kept)
			}
			return err
		})
	}
}

func TestKeysThatAreRefused(t *testing.T) {
	k := newKernel(t)
	once := func(key, fingerprint string) error {
		in := apitest.Key(key)
		in.Fingerprint = fingerprint
		c, err := k.Once(t.Context(), k.caller(1), in)
		if err == nil {
			_, err = kernel.Write(t.Context(), k.Kernel, c, func(kernel.Unit) (int, error) { return 1, nil })
		}
		return err
	}
	apitest.RefusedField(t, once(strings.Repeat("k", 256), "f"), fault.CodeOutOfRange, "Idempotency-Key")
	apitest.RefusedField(t, once("", "f"), fault.CodeOutOfRange, "Idempotency-Key")
	apitest.RefusedField(t, once("clé", "f"), fault.CodeInvalidFormat, "Idempotency-Key")
	apitest.RefusedField(t, once("a\nb", "f"), fault.CodeInvalidFormat, "Idempotency-Key")
	if err := once(strings.Repeat("~", 255), "f"); err != nil {
		t.Error(err)
	}
	if err := once("k", "f"); err != nil {
		t.Error(err)
	}
	apitest.RefusedField(t, once("k", "g"), fault.CodeIdempotencyKeyReused, "Idempotency-Key")
}

// What fails can be tried again, what has no effect leaves no receipt, and neither
// does what a use case writes besides its answer.
func TestWhatLeavesNoReceipt(t *testing.T) {
	k := newKernel(t)
	c, err := k.Once(t.Context(), k.caller(1), apitest.Key("k"))
	if err != nil {
		t.Fatal(err)
	}
	down := errors.New("down")
	for name, use := range map[string]func() error{
		"a failure": func() error {
			_, err := kernel.Write(t.Context(), k.Kernel, c, func(kernel.Unit) (int, error) { return 0, down })
			if !errors.Is(err, down) {
				return fmt.Errorf("got %w", err)
			}
			return nil
		},
		"a read": func() error { return kernel.View(t.Context(), k.Kernel, c, func(kernel.Unit) error { return nil }) },
		"what is written besides": func() error {
			_, err := kernel.Write(t.Context(), k.Kernel, c.Unclaimed(), func(kernel.Unit) (int, error) { return 1, nil })
			return err
		},
	} {
		if err := use(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		k.world.View(func(tx port.Tx) error {
			if _, err := tx.Receipts().Get(port.ReceiptID{Site: 1, Credential: "full", Operation: "product.create", Key: "k"}); !kernel.IsAbsent(err) {
				t.Errorf("%s leaves a receipt: %v", name, err)
			}
			return nil
		})
	}
	if _, err := kernel.Write(t.Context(), k.Kernel, c, func(kernel.Unit) (int, error) { return 1, nil }); err != nil {
		t.Errorf("after all that the key is good for nothing: %v", err)
	}
}
