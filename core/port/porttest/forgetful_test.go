package porttest_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// forgetful is a store that finds no attempts, rejections and lists of products, without an error.
type forgetful struct{ port.Store }

func (s forgetful) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.View(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: finds{tx.Roles}}) })
}

func (s forgetful) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: finds{tx.Roles}}) })
}

type (
	finds        struct{ port.Roles }
	noAttempts   struct{ port.Deliveries }
	noRejections struct{ port.Rejections }
	noProducts   struct {
		port.Products
		port.BulkProducts
	}
)

func (t finds) Deliveries() port.Deliveries { return noAttempts{t.Roles.Deliveries()} }
func (t finds) Rejections() port.Rejections { return noRejections{t.Roles.Rejections()} }
func (t finds) Products() port.Products {
	kept := t.Roles.Products()
	return noProducts{kept, kept.(port.BulkProducts)}
}

func (noAttempts) Attempts(site.ID, webhook.ID, []webhook.DeliveryID) (map[webhook.DeliveryID][]webhook.Attempt, error) {
	return nil, nil
}
func (noRejections) Many(site.ID, string, []int64) ([]webhook.Rejection, error) { return nil, nil }
func (noProducts) GetAll(site.ID, []product.ID) ([]product.Product, error)      { return nil, nil }

// TestAStoreThatFindsNothingFails runs the law on such a store in a process of its own: it fails, and goes on.
func TestAStoreThatFindsNothingFails(t *testing.T) {
	const variable = "VITRINE_TEST_FORGETFUL"
	if os.Getenv(variable) != "" {
		porttest.Suites(t, func(testing.TB) port.Store { return forgetful{memstore.New()} }, "Races", "WebhookRaces")
		return
	}
	test := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	test.Env = append(os.Environ(), variable+"=1")
	out, err := test.CombinedOutput()
	if err == nil || bytes.Contains(out, []byte("panic:")) || !bytes.Contains(out, []byte("--- FAIL")) {
		t.Errorf("%v: %s", err, out)
	}
}
