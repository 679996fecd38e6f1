package deliver_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// rejected is a world whose receiver rejects its first delivery, about a product
// that it names.
func rejected(t *testing.T) (w *world, hook webhook.ID, product int64) {
	t.Helper()
	w = newWorld(t)
	hook = w.subscribe(hookFor("PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE"))
	w.dispatching(apitest.NewReceiver(webhook.Refused))
	product = w.create()
	w.Eventually("the delivery is rejected", func() bool { return slices.Equal(w.statuses(hook), []string{"rejected"}) })
	return w, hook, product
}

func (w *world) rejectionCount() int64 {
	w.T.Helper()
	head, err := w.Store.Head(w.T.Context(), 1)
	if err != nil {
		w.T.Fatal(err)
	}
	return head.Rejections
}

func TestW21_ARejectionIsKeptUntilTheNextSuccess(t *testing.T) {
	w, hook, product := rejected(t)
	fine := w.create()
	w.Eventually("the other product is accepted", func() bool { return slices.Equal(w.statuses(hook), []string{"rejected", "succeeded"}) })
	want := []webhook.Rejection{{
		Site: 1, Hook: hook, Kind: "PRODUCT", Resource: product, Type: "PRODUCT_CREATE", Reason: "a duplicate", At: w.Clock.Now(),
	}}
	if got := w.rejections(product); !slices.Equal(got, want) {
		t.Errorf("the product shows %+v, want %+v", got, want)
	}
	if got := w.rejections(fine); len(got) > 0 {
		t.Errorf("a product that nobody rejected shows %+v", got)
	}
	if n := w.rejectionCount(); n != 1 {
		t.Errorf("after one rejection and one success rejections changed %d times", n)
	}

	// The next 2xx clears the rejection.
	w.change(product)
	w.Eventually("the receiver has heard of it", func() bool {
		return slices.Equal(w.statuses(hook), []string{"rejected", "succeeded", "succeeded"})
	})
	if got := w.rejections(product); len(got) > 0 || w.rejectionCount() != 2 {
		t.Errorf("after a success the product shows %+v, and rejections changed %d times", got, w.rejectionCount())
	}
}

// Who rejects that something was deleted leaves no rejection of what is gone.
func TestARejectedDeletionLeavesNoRejection(t *testing.T) {
	w := newWorld(t)
	id := w.create()
	hook := w.subscribe(hookFor("PRODUCT_DELETE"))
	w.dispatching(apitest.NewReceiver(webhook.Refused))
	w.remove(id)
	w.Eventually("the delivery is rejected", func() bool { return slices.Equal(w.statuses(hook), []string{"rejected"}) })
	if got := w.rejections(id); len(got) > 0 {
		t.Errorf("what is gone shows %+v", got)
	}
}
