package people_test

import (
	"context"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// finding is a store that notes of which kinds records are looked for.
type finding struct {
	port.Store
	kinds map[string]bool
}

func (s finding) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: findingTx{tx.Roles, s.kinds}}) })
}

type findingTx struct {
	port.Roles
	kinds map[string]bool
}

func (t findingTx) Records() port.Records { return findingRecords{t.Roles.Records(), t.kinds} }

type findingRecords struct {
	port.Records
	kinds map[string]bool
}

func (r findingRecords) Find(k port.Kind, q port.Query) ([]any, error) {
	r.kinds[k.Name()] = true
	return r.Records.Find(k, q)
}

// A kind of record that the footprint does not read stays as it is when a person is anonymised.
func TestTheFootprintHasEveryKindThatIsFoundByCustomers(t *testing.T) {
	store := finding{memstore.New(), map[string]bool{}}
	w := &world{apitest.Over(t, store)}
	network := apitest.Network()
	network.Sites = network.Sites[:1]
	network.Sites[0].Lists = append(network.Sites[0].Lists, apitest.PeopleLists()...)
	w.Provision(network)
	id := w.addSeller("Martin", "martin@example.org")
	clear(store.kinds)
	w.anonymize(id)
	about := 0
	for _, k := range port.Kinds {
		if !isFoundByCustomer(k) {
			continue
		}
		about++
		if !store.kinds[k.Name()] {
			t.Errorf("records of the kind %s are found by a customer, and the footprint does not have them", k.Name())
		}
	}
	if about < 7 {
		t.Errorf("only %d kinds are found by customers", about)
	}
}

func isFoundByCustomer(k port.Kind) bool {
	fields := k.Found(k.New(port.Key{Site: 1, ID: 1})).Fields
	return slices.ContainsFunc(fields, func(f port.Field) bool { return f.Name == "customer_id" }) ||
		slices.Contains(k.Links(), "customer") || slices.Contains(k.Links(), "party")
}
