package listing_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// rejected is a world whose receiver rejects its first delivery, about a product
// that it names.
func rejected(t *testing.T, store port.Store) (w *world, hook, product int64) {
	t.Helper()
	w = &world{apitest.Over(t, store)}
	full := w.As("full", 1)
	hook = w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE"))
	w.Dispatch(apitest.NewReceiver(webhook.Refused))
	product = w.CreateProduct("Prix", 1)
	w.Eventually("the delivery is rejected", func() bool { return slices.Equal(w.Statuses(full, hook), []string{"rejected"}) })
	return w, hook, product
}

// changeHeard changes a product and waits until the receiver has heard of it.
func (w *world) changeHeard(hook, product int64, price int) {
	w.T.Helper()
	full := w.Again(w.As("full", 1))
	known := len(w.Statuses(full, hook))
	in := listing.UpdateProduct{ID: product, ProductID: opt.Of(product)}
	in.Criteria = apitest.Criteria("Prix", criteria.Literal(strconv.Itoa(price)))
	if _, err := w.Listing.UpdateProduct(w.T.Context(), full, in); err != nil {
		w.T.Fatal(err)
	}
	w.Eventually("the receiver has heard of it", func() bool {
		all := w.Statuses(full, hook)
		return len(all) == known+1 && all[known] == "succeeded"
	})
}

func TestW21_AProductShowsWhatReceiversRejected(t *testing.T) {
	w, hook, id := rejected(t, memstore.New())
	full := w.As("full", 1)
	fine := w.CreateProduct("Prix", 2)
	want := []listing.SyncError{{HookID: hook, EventType: "PRODUCT_CREATE", Reason: "a duplicate", OccurredAt: kernel.Instant{Time: w.Clock.Now()}}}
	record := w.ReadProduct(full, id, "criteres_publication_errors,publications")
	if !slices.Equal(*record.SyncErrors, want) {
		t.Errorf("the product shows %+v, want %+v", record.SyncErrors, want)
	}
	errors := *record.CriteresPublicationErrors
	if last := errors[len(errors)-1]; last.Code != "rejected_by_receiver" || last.Message != "a duplicate" || *last.Channel != "portal.example.org" {
		t.Errorf("its publication errors are %+v", errors)
	}
	if all := *record.Publications; len(all) != 2 || all[1].Channel != "portal.example.org" || all[1].Status != "error" || *all[1].Error != "a duplicate" {
		t.Errorf("its publications are %+v", all)
	}
	if all := *w.ReadProduct(full, fine, "publications").Publications; len(all) != 1 {
		t.Errorf("a product that nobody rejected has the publications %+v", all)
	}
	if record := w.ReadProduct(full, fine, ""); record.SyncErrors == nil || len(*record.SyncErrors) > 0 {
		t.Errorf("a product that nobody rejected shows %+v", record.SyncErrors)
	}
	if record := w.ReadProduct(w.As("rival", 2), w.CreateProductAs(w.As("rival", 2), listing.CreateProduct{}), ""); len(*record.SyncErrors) > 0 {
		t.Errorf("a product of another site shows %+v", record.SyncErrors)
	}

	result, err := w.Listing.SearchProducts(t.Context(), w.Again(full), listing.SearchProducts{Fetch: "rooms"})
	if err != nil {
		t.Fatal(err)
	}
	products, err := result.Data.All(t.Context())
	if err != nil || len(products) != 2 || !slices.Equal(*products[0].SyncErrors, want) || len(*products[1].SyncErrors) != 0 {
		t.Errorf("the search shows %+v, %v", products, err)
	}

	// The next 2xx clears the rejection.
	w.changeHeard(hook, id, 3)
	if record := w.ReadProduct(full, id, ""); len(*record.SyncErrors) > 0 {
		t.Errorf("after a success the product shows %+v", record.SyncErrors)
	}
}

// Rejections are about other subscribers: who may not see these does not see them.
func TestW21_RejectionsAreForThoseWhoSeeWebhooks(t *testing.T) {
	w, _, id := rejected(t, memstore.New())
	setup := apitest.Network()
	rejections := func(packs ...string) *[]listing.SyncError {
		t.Helper()
		setup.Credentials[4].Packs = packs
		w.Provision(setup)
		p := w.ReadProduct(w.As("website", 1), id, "criteres_publication_errors,publications")
		told := slices.ContainsFunc(*p.CriteresPublicationErrors, func(e listing.PublicationError) bool { return e.Code == "rejected_by_receiver" }) ||
			slices.ContainsFunc(*p.Publications, func(p listing.Publication) bool { return p.Status == "error" })
		if sees := p.SyncErrors != nil && len(*p.SyncErrors) > 0; sees != told {
			t.Errorf("%q: shown as an error of synchronisation %t, in blocks %t", packs, sees, told)
		}
		return p.SyncErrors
	}
	if got := rejections("properties"); got == nil || len(*got) > 0 {
		t.Errorf("a credential without the pack webhooks sees %+v", got)
	}
	if got := rejections("properties", "webhooks"); got == nil || len(*got) != 1 {
		t.Errorf("a credential with the pack webhooks sees %+v", got)
	}
	for _, packs := range [][]string{{"websites"}, {"websites", "webhooks"}} {
		if got := rejections(packs...); got != nil {
			t.Errorf("a website with the packs %q sees %+v", packs, *got)
		}
	}
}

// A key differs with what a record shows: with a rejection, without, and never again
// the one of before.
func TestRejectionsArePartOfTheKeyOfARecord(t *testing.T) {
	w, hook, id := rejected(t, memstore.New())
	full := w.As("full", 1)
	key := func(id int64) listing.RenderKey {
		t.Helper()
		record, err := w.Listing.GetProduct(t.Context(), w.Again(full), listing.ReadProduct{ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return record.Keys()[0]
	}
	other := w.CreateProduct("Prix", 9)
	refused, accepted := key(id), key(other)
	if refused.Rejections == 0 || accepted.Rejections != 0 {
		t.Fatalf("the keys are %+v and %+v", refused, accepted)
	}
	w.changeHeard(hook, id, 4)
	if after := key(id); after.Rejections != 0 {
		t.Errorf("without a rejection the key is %+v", after)
	}
	if again := key(other); again != accepted {
		t.Errorf("the name of a product that nobody rejected becomes %+v", again)
	}
}

func TestRejectionsGoWithTheirWebhook(t *testing.T) {
	w, hook, id := rejected(t, memstore.New())
	full := w.As("full", 1)
	if record := w.ReadProduct(full, id, ""); len(*record.SyncErrors) != 1 {
		t.Fatalf("the product shows %+v", record.SyncErrors)
	}
	if _, err := w.Hooks.DeleteHook(t.Context(), full, hooks.DeleteHook{ID: hook}); err != nil {
		t.Fatal(err)
	}
	if record := w.ReadProduct(full, id, ""); len(*record.SyncErrors) > 0 {
		t.Errorf("after its webhook was deleted the product shows %+v", record.SyncErrors)
	}
	w.rejectedProducts(0)
}

func TestRejectionsGoWithTheirProduct(t *testing.T) {
	w, _, id := rejected(t, memstore.New())
	w.rejectedProducts(1)
	if _, err := w.Listing.DeleteProduct(t.Context(), w.As("full", 1), listing.DeleteProduct{ID: id}); err != nil {
		t.Fatal(err)
	}
	w.rejectedProducts(0)
}

// rejectedProducts checks how many products of site 1 have rejections.
func (w *world) rejectedProducts(want int) {
	w.T.Helper()
	err := w.Store.View(w.T.Context(), func(tx port.Tx) error {
		ids, err := tx.Rejections().Rejected(1, "PRODUCT", 100)
		if len(ids) != want {
			w.T.Errorf("%d products are rejected, not %d", len(ids), want)
		}
		return err
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// watched counts how often rejections are asked for.
type watched struct {
	port.Store
	asked *int
}

func (s watched) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.View(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: watchedTx{tx.Roles, s.asked}}) })
}

type watchedTx struct {
	port.Roles
	asked *int
}

func (t watchedTx) Rejections() port.Rejections {
	*t.asked++
	return t.Roles.Rejections()
}

func TestProductsWithoutRejectionsCostNoQueryForThem(t *testing.T) {
	asked := 0
	w := &world{apitest.Over(t, watched{memstore.New(), &asked})}
	full := w.As("full", 1)
	first := w.CreateProduct()
	w.ReadProduct(full, first, "rooms")
	if asked != 0 {
		t.Errorf("a site without rejections asks for them %d times", asked)
	}
	hook := w.Subscribe(full, apitest.HookFor("PRODUCT_UPDATE"))
	err := w.Store.Update(t.Context(), func(tx port.Tx) error {
		if err := tx.Rejections().Put(webhook.Rejection{Site: 1, Hook: webhook.ID(hook), Kind: "PRODUCT", Resource: first}); err != nil {
			return err
		}
		return tx.Ledger().Touch(1, port.AspectRejections)
	})
	if err != nil {
		t.Fatal(err)
	}
	second := w.CreateProduct()
	for range 3 {
		w.ReadProduct(full, second, "rooms")
	}
	if asked != 1 {
		t.Errorf("reading a product without rejections three times asks for them %d times, want once for which products have any", asked)
	}
	w.ReadProduct(full, first, "rooms")
	if asked != 2 {
		t.Errorf("reading a product with rejections asks for them %d times more", asked-1)
	}
}
