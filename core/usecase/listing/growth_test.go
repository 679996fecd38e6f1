package listing_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// everywhere is a store whose sites all have the same products.
type everywhere struct {
	port.Store
	products []product.Product
}

// View implements port.Store.
func (s everywhere) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.View(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: everywhereTx{tx.Roles, s.products}}) })
}

type everywhereTx struct {
	port.Roles
	products []product.Product
}

// Products implements port.Roles.
func (t everywhereTx) Products() port.Products {
	return everywhereProducts{t.Roles.Products(), t.products}
}

type everywhereProducts struct {
	port.Products
	all []product.Product
}

// Scan implements port.Products.
func (r everywhereProducts) Scan(_ site.ID, after product.ID, n int) ([]product.Product, error) {
	first, _ := slices.BinarySearchFunc(r.all, after+1, func(p product.Product, id product.ID) int { return int(p.ID - id) })
	return r.all[first:min(first+n, len(r.all))], nil
}

// manySites is a service whose sites have the same words and products.
func manySites(b *testing.B, sites, products int, budget int) *siteapi.Service {
	b.Helper()
	store := everywhere{Store: memstore.New()}
	for c := range cataloguetest.Products(products, 1) {
		c.Product.Customer = 0
		store.products = append(store.products, c.Product)
	}
	service, err := siteapi.New(apitest.Ports(store, apitest.NewClock()), kernel.Options{Pepper: make([]byte, 32), CatalogueBytes: budget})
	if err != nil {
		b.Fatal(err)
	}
	setup := apitest.Network()
	setup.Sites, setup.Credentials = setup.Sites[:1], nil
	if _, err := service.Transfer.Provision(b.Context(), setup); err != nil {
		b.Fatal(err)
	}
	for id := site.ID(2); id <= site.ID(sites); id++ {
		if err := store.Update(b.Context(), func(tx port.Tx) error { return copySite(tx, id) }); err != nil {
			b.Fatal(err)
		}
	}
	return service
}

// copySite makes a site with the words of site 1, and an agency of its own.
func copySite(tx port.Tx, id site.ID) error {
	agency := site.AgencyID(1000 + id)
	definitions, err1 := tx.Criteria().Of(1)
	lists, err2 := tx.Lists().Of(1)
	types, err3 := tx.ActionTypes().Of(1)
	err := errors.Join(err1, err2, err3,
		tx.Sites().Put(site.Site{ID: id, Name: fmt.Sprint("Site ", id), Agencies: []site.AgencyID{agency}}),
		tx.Agencies().Put(site.Agency{ID: agency, Site: id, Name: fmt.Sprint("Agence ", id), Active: true}))
	for _, d := range definitions {
		err = errors.Join(err, tx.Criteria().Put(id, d))
	}
	for _, l := range lists {
		err = errors.Join(err, tx.Lists().Put(id, l))
	}
	for _, t := range types {
		err = errors.Join(err, tx.ActionTypes().Put(id, t))
	}
	return err
}

// inTurn asks for every site once.
func inTurn(b *testing.B, service *siteapi.Service, sites int) {
	b.Helper()
	for id := 1; id <= sites; id++ {
		c, err := service.Admit(b.Context(), access.Grant{Site: site.ID(id), Packs: access.AllPacks})
		if err == nil {
			_, err = service.Listing.Index(b.Context(), c)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func heapBytes() int {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// BenchmarkSitesInTurn asks for as many sites of 2,000 products as the benchmark has
// iterations, twice, within 2 GiB: -benchtime 2000x is the promise, that none of them is
// loaded a second time.
func BenchmarkSitesInTurn(b *testing.B) { growth(b, 2_000) }

// BenchmarkSitesWithTheSameWords does so with sites without products.
func BenchmarkSitesWithTheSameWords(b *testing.B) { growth(b, 0) }

func growth(b *testing.B, products int) {
	service := manySites(b, b.N, products, 2<<30)
	before := heapBytes()
	b.ResetTimer()
	inTurn(b, service, b.N)
	b.StopTimer()
	b.ReportMetric(float64(heapBytes()-before)/float64(b.N), "B/site")
	loaded := service.Cached()
	inTurn(b, service, b.N)
	again := service.Cached()
	b.ReportMetric(float64(again["catalogue"].Loads-loaded["catalogue"].Loads), "loads-again")
	b.ReportMetric(float64(again["catalogue"].Bytes)/float64(b.N), "said-B/site")
	runtime.KeepAlive(service)
}
