package tokens_test

import (
	"context"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// counting is a store that counts what it is asked.
type counting struct {
	port.Store
	heads, units int
}

func (c *counting) Head(ctx context.Context, id site.ID) (port.Head, error) {
	c.heads++
	return c.Store.Head(ctx, id)
}

func (c *counting) View(ctx context.Context, fn func(port.Tx) error) error {
	c.units++
	return c.Store.View(ctx, fn)
}

func (c *counting) Update(ctx context.Context, fn func(port.Tx) error) error {
	c.units++
	return c.Store.Update(ctx, fn)
}

// A token that is known costs one read of the head, until something about access
// changes at the site.
func TestAKnownTokenCostsOneReadOfTheHead(t *testing.T) {
	store := &counting{Store: memstore.New()}
	w := apitest.Over(t, store)
	token := w.Token("full", 1).AccessToken
	cost := func() (int, int) {
		store.heads, store.units = 0, 0
		w.Bearer(token)
		return store.heads, store.units
	}
	cost() // the first use
	for range 2 {
		if heads, units := cost(); heads != 1 || units != 0 {
			t.Errorf("a known token costs %d reads of the head and %d units of work", heads, units)
		}
	}
	w.CreateProduct()
	if heads, units := cost(); heads != 1 || units != 0 {
		t.Errorf("after a product, and another token, it costs %d reads of the head and %d units of work", heads, units)
	}
	if _, err := w.Service.Tokens.CreateCredential(t.Context(), kernel.Caller{}, tokens.CredentialInput{ID: "portal", Sites: []int64{1}}); err != nil {
		t.Fatal(err)
	}
	if _, units := cost(); units == 0 {
		t.Error("after a change of access nothing is read anew")
	}
	if heads, units := cost(); heads != 1 || units != 0 {
		t.Errorf("then it costs %d reads of the head and %d units of work", heads, units)
	}
	if _, err := w.Service.Tokens.CreateCredential(t.Context(), kernel.Caller{}, tokens.CredentialInput{ID: "elsewhere", Sites: []int64{2}}); err != nil {
		t.Fatal(err)
	}
	if _, units := cost(); units != 0 {
		t.Error("a change of access at another site makes the token be read anew")
	}
}
