package sqlstore_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

type unitKey struct{}

// witness remembers statements by the unit of work in whose context they ran, 0 for none.
type witness struct {
	mu         sync.Mutex
	units      int
	statements map[int][]string
	open       int
}

// Begin implements sqlstore.Observer.
func (w *witness) Begin(ctx context.Context, _ bool) (context.Context, func(bool, error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.units++
	w.open++
	return context.WithValue(ctx, unitKey{}, w.units), func(bool, error) { w.ended() }
}

// Statement implements sqlstore.StatementObserver.
func (w *witness) Statement(ctx context.Context, text string) func(error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	unit, _ := ctx.Value(unitKey{}).(int)
	w.statements[unit] = append(w.statements[unit], text)
	w.open++
	return func(error) { w.ended() }
}

func (w *witness) ended() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open--
}

// counter is an Observer that is told of no statements.
type counter struct{ units int }

// Begin implements sqlstore.Observer.
func (c *counter) Begin(ctx context.Context, _ bool) (context.Context, func(bool, error)) {
	c.units++
	return ctx, func(bool, error) {}
}

func TestObserversAreToldOfStatementsWithinTheirUnitsAndWithoutValues(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		store := p.migrated(t)
		w := apitest.Over(t, store)
		first, second := &witness{statements: map[int][]string{}}, &counter{}
		sqlstore.Observed(first)(store)
		sqlstore.Observed(second)(store)
		const canary = "canary-of-a-reference"
		in := apitest.InAgency(11)
		in.Model = opt.Of(canary)
		id := w.CreateProductAs(w.As("full", 1), in)
		w.View(func(tx port.Tx) error {
			found, err := tx.Products().Get(1, product.ID(id))
			if err == nil && found.Reference != canary {
				t.Errorf("the reference is %q", found.Reference)
			}
			return err
		})
		if _, err := store.Head(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if first.open != 0 || first.units != second.units {
			t.Errorf("%d units and statements did not end; one was told of %d units, the other of %d", first.open, first.units, second.units)
		}
		all := strings.Join(slices.Concat(slices.Collect(maps.Values(first.statements))...), "\n")
		if strings.Contains(all, canary) {
			t.Error("an observer was told of a value:", all)
		}
		view := first.statements[first.units]
		if len(view) != 1 || !strings.HasPrefix(view[0], "SELECT ") || !strings.Contains(view[0], "FROM product ") {
			t.Errorf("in the unit that reads the product there is %q", view)
		}
		if !strings.Contains(all, "INSERT INTO product ") || len(first.statements[0]) == 0 {
			t.Error("a statement is missing in:", all)
		}
	})
}
