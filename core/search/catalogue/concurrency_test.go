package catalogue_test

import (
	"sync"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// TestSearchesSeeABatchWholeOrNotAtAll has one writer move a group of products
// from city to city, all at once, while readers count who lives where. Run it
// with -race.
func TestSearchesSeeABatchWholeOrNotAtAll(t *testing.T) {
	const n, group = 3000, 50
	builder := catalogue.NewBuilder(catalogue.Options{})
	var movers []product.Candidate
	for c := range cataloguetest.Products(n, 3) {
		if len(movers) < group {
			c.Product.Criteria[criteria.KeyCity] = criteria.Text("Ici")
			movers = append(movers, c)
		}
		builder.Add(c)
	}
	index := builder.Index(n)
	livesIn := func(cities ...string) product.Filter {
		return product.Filter{Agencies: cataloguetest.Agencies(), Criteria: []criteria.Condition{
			{Criterion: criteria.KeyCity, Type: criteria.TEXT, Operator: criteria.CONTIENT, Texts: cities},
		}}
	}
	queries := cataloguetest.Queries(50, n, 3)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for r := range 4 {
		readers.Go(func() {
			for i := r; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				index.Search(queries[i%len(queries)])
				if got := index.Count(livesIn("ici", "ailleurs")); got != group {
					t.Errorf("%d of %d products live here or elsewhere", got, group)
					return
				}
				if got := index.Count(livesIn("ici")); got != 0 && got != group {
					t.Errorf("%d of %d products live here", got, group)
					return
				}
				index.Entry(movers[0].Product.ID)
				index.Owned(movers[0].Product.Customer)
				index.Bytes()
			}
		})
	}
	cities := []string{"Ailleurs", "Ici"}
	for seq := range int64(200) {
		changes := make([]catalogue.Change, group)
		for i, c := range movers {
			c.Product = c.Product.Clone()
			c.Product.Version = n + seq
			c.Product.Criteria[criteria.KeyCity] = criteria.Text(cities[seq%2])
			changes[i] = catalogue.Change{ID: c.Product.ID, Now: &c}
		}
		index.Apply(n+seq, changes)
	}
	close(done)
	readers.Wait()
}
