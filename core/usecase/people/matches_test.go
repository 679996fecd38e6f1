package people_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// buyer is the customer whose search requests these tests make.
const buyer = 1001

// addSearch adds a search request for sales in agency 11.
func (w *world) addSearch(change func(*demand.Change)) int64 {
	w.T.Helper()
	in := people.CreateSearchRequest{CustomerID: buyer}
	in.TransactionType, in.AgencyID = opt.Of("Vente"), opt.Of(int64(11))
	change(&in.Change)
	created, err := w.People.CreateSearchRequest(w.T.Context(), w.As("full", 1), in)
	if err != nil {
		w.T.Fatal(err)
	}
	return created.ID
}

func (w *world) changeSearch(id int64, change func(*demand.Change)) {
	w.T.Helper()
	in := people.UpdateSearchRequest{CustomerID: buyer, ID: id}
	change(&in.Change)
	if _, err := w.People.UpdateSearchRequest(w.T.Context(), w.As("full", 1), in); err != nil {
		w.T.Fatal(err)
	}
}

func nearMisses(wanted bool) people.MatchQuery {
	return people.MatchQuery{NearMisses: wanted, Count: opt.Of(200)}
}

func (w *world) matchingSearches(c kernel.Caller, id int64, near bool) people.MatchPage[people.MatchingSearch] {
	w.T.Helper()
	page, err := w.People.ListMatchingSearches(w.T.Context(), w.Again(c), people.MatchingSearches{ProductID: id, MatchQuery: nearMisses(near)})
	if err != nil {
		w.T.Fatal(err)
	}
	return page
}

func (w *world) matchingProducts(c kernel.Caller, id int64, near bool) people.MatchPage[people.MatchingProduct] {
	w.T.Helper()
	page, err := w.People.ListMatchingProducts(w.T.Context(), w.Again(c), people.MatchingProducts{CustomerID: buyer, ID: id, MatchQuery: nearMisses(near)})
	if err != nil {
		w.T.Fatal(err)
	}
	return page
}

// naive holds every product of the store of a site against every search request.
func (w *world) naive(near bool) (ofProducts, ofSearches map[int64][]string) {
	w.T.Helper()
	var products []product.Product
	var searches []demand.SearchRequest
	err := w.Store.View(w.T.Context(), func(tx port.Tx) (err error) {
		if products, err = tx.Products().Scan(1, 0, 1000); err == nil {
			searches, err = tx.SearchRequests().Scan(1, 0, 1000)
		}
		return err
	})
	if err != nil {
		w.T.Fatal(err)
	}
	ofProducts, ofSearches = map[int64][]string{}, map[int64][]string{}
	var all []demand.Match
	open, active := map[demand.SearchID]bool{}, map[product.ID]bool{}
	for _, p := range products {
		ofProducts[int64(p.ID)], active[p.ID] = []string{}, p.Status() == "EnCours"
		for _, r := range searches {
			ofSearches[int64(r.ID)], open[r.ID] = []string{}, r.Open()
			if m := r.Match(p); m.Holds || near && m.Near {
				all = append(all, m)
			}
		}
	}
	slices.SortFunc(all, func(a, b demand.Match) int {
		rank := func(m demand.Match) int {
			if m.Holds {
				return 1000 + m.Score
			}
			return m.Score
		}
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a.Product, b.Product), cmp.Compare(a.Search, b.Search))
	})
	for _, m := range all {
		if open[m.Search] {
			ofProducts[int64(m.Product)] = append(ofProducts[int64(m.Product)], brief(int64(m.Search), m.Holds, m.Score, len(m.Reasons), len(m.Misses)))
		}
		if active[m.Product] {
			ofSearches[int64(m.Search)] = append(ofSearches[int64(m.Search)], brief(int64(m.Product), m.Holds, m.Score, len(m.Reasons), len(m.Misses)))
		}
	}
	return ofProducts, ofSearches
}

func brief(id int64, holds bool, score, reasons, misses int) string {
	return fmt.Sprintf("%d: %t, %d, %d reasons, %d misses", id, holds, score, reasons, misses)
}

// drawListing draws a listing of a small world.
func drawListing(t *rapid.T) []any {
	one := func(values ...any) any { return rapid.SampledFrom(values).Draw(t, "value") }
	return []any{
		"TypeTransaction", one("Vente", "Vente", "Location"), "TypeBien", one("Appartement", "Maison"),
		"Statut", one("EnCours", "EnCours", "EnCours", "Vendu"), "Prix", one("250000", "300000", "330000"),
		"NbPieces", one("2", "3", "4", nil), "Ascenseur", one("0", "1"), "CodePostal", one("69003", "69006", nil),
		"Alentour", one("45.7600,4.8500", "45.7700,4.8500", nil),
	}
}

// drawSearch draws a search request of the same world.
func drawSearch(t *rapid.T) func(*demand.Change) {
	return func(in *demand.Change) {
		in.PropertyTypes = opt.Of(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Appartement", "Maison"}), 0, 2, rapid.ID[string]).Draw(t, "types"))
		in.PriceMax = opt.Of(rapid.SampledFrom([]float64{240_000, 300_000, 400_000}).Draw(t, "most"))
		in.RoomsMin = opt.Of(rapid.SampledFrom([]float64{0, 3, 4}).Draw(t, "rooms"))
		in.KeyPoints = opt.Of([]demand.KeyPointInput{{
			ID: opt.Of("Ascenseur"), Importance: opt.Of(rapid.SampledFrom([]string{"SOUHAITE", "INDISPENSABLE", "EXCLU"}).Draw(t, "importance")),
		}})
		in.Areas = opt.Of(rapid.SampledFrom([][]demand.AreaInput{
			nil, {{Type: opt.Of("POSTAL_CODE"), Code: opt.Of("69003")}},
			{{Type: opt.Of("RADIUS"), Latitude: opt.Of(45.76), Longitude: opt.Of(4.85), RadiusKm: opt.Of(1.0)}},
		}).Draw(t, "areas"))
	}
}

// TestMatchingAgreesWithTheStoreWhateverIsWritten writes products and search
// requests and holds both ways of matching against all pairs there are: where
// the writes were made, and on another node.
func TestMatchingAgreesWithTheStoreWhateverIsWritten(t *testing.T) {
	compared := 0
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t)
		nodes, full := []*world{w, {apitest.Empty(t, w.Store, w.Clock)}}, w.As("full", 1)
		var products, searches []int64
		for range rapid.IntRange(1, 3).Draw(rt, "rounds") {
			for range rapid.IntRange(2, 8).Draw(rt, "writes") {
				switch kind := rapid.IntRange(0, 6).Draw(rt, "kind"); {
				case kind < 2 || len(products) == 0:
					products = append(products, w.CreateProduct(drawListing(rt)...))
				case kind < 4 || len(searches) == 0:
					searches = append(searches, w.addSearch(drawSearch(rt)))
				case kind == 4:
					id := rapid.SampledFrom(products).Draw(rt, "product")
					if err := w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria(drawListing(rt)...) }); err != nil {
						rt.Fatal(err)
					}
				case kind == 5:
					status := rapid.SampledFrom(demand.Statuses()).Draw(rt, "status")
					w.changeSearch(rapid.SampledFrom(searches).Draw(rt, "search"), func(in *demand.Change) { in.Status = opt.Of(status) })
				default:
					w.changeSearch(rapid.SampledFrom(searches).Draw(rt, "search"), drawSearch(rt))
				}
			}
			for _, near := range []bool{false, true} {
				ofProducts, ofSearches := w.naive(near)
				for i, node := range nodes {
					for _, id := range products {
						got := []string{}
						for _, m := range node.matchingSearches(full, id, near).Data {
							got = append(got, brief(m.SearchID, m.Match, m.Score, len(m.Reasons), len(m.Misses)))
						}
						if diff := gocmp.Diff(ofProducts[id], got); diff != "" {
							rt.Fatalf("node %d, product %d, near misses %t:\n%s", i, id, near, diff)
						}
						compared += len(got)
					}
					for _, id := range searches {
						got := []string{}
						for _, m := range node.matchingProducts(full, id, near).Data {
							got = append(got, brief(m.ProductID, m.Match, m.Score, len(m.Reasons), len(m.Misses)))
						}
						if diff := gocmp.Diff(ofSearches[id], got); diff != "" {
							rt.Fatalf("node %d, search request %d, near misses %t:\n%s", i, id, near, diff)
						}
						compared += len(got)
					}
				}
			}
		}
	})
	if compared < 500 {
		t.Errorf("only %d matches were compared", compared)
	}
}

func TestMatchesAreOfAgenciesInScope(t *testing.T) {
	w := newWorld(t)
	ours := w.addSearch(func(*demand.Change) {})
	var theirs demand.SearchRequest
	err := w.Store.Update(t.Context(), func(tx port.Tx) (err error) {
		theirs, err = tx.SearchRequests().Get(1, demand.SearchID(ours))
		theirs.ID, theirs.Agency = theirs.ID+1, 13
		return firstOf(err, tx.SearchRequests().Put(theirs))
	})
	if err != nil {
		t.Fatal(err)
	}
	flat := w.CreateProduct("TypeTransaction", "Vente", "Statut", "EnCours")
	if page := w.matchingSearches(w.As("full", 1), flat, true); page.Count != 1 || page.Data[0].SearchID != ours {
		t.Errorf("%+v", page)
	}
	_, err = w.People.ListMatchingSearches(t.Context(), w.As("rival", 2), people.MatchingSearches{ProductID: flat})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	_, err = w.People.ListMatchingProducts(t.Context(), w.As("rival", 2), people.MatchingProducts{CustomerID: buyer, ID: ours})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestACriterionThatCannotBeSearchedAnyMoreIsLeftToPeople: the catalogue knows
// nothing of it, so neither way of matching may insist on it.
func TestACriterionThatCannotBeSearchedAnyMoreIsLeftToPeople(t *testing.T) {
	w, no := newWorld(t), false
	search := w.addSearch(func(in *demand.Change) {
		in.KeyPoints = opt.Of([]demand.KeyPointInput{{ID: opt.Of("Ascenseur"), Importance: opt.Of("INDISPENSABLE")}})
	})
	flat, full := w.CreateProduct("TypeTransaction", "Vente", "Statut", "EnCours"), w.As("full", 1)
	if got := w.matchingSearches(full, flat, false).Count + w.matchingProducts(full, search, false).Count; got != 0 {
		t.Fatalf("%d matches without a lift", got)
	}
	changed := apitest.Network()
	for i, c := range changed.Sites[0].Criteria {
		if c.Key == "Ascenseur" {
			changed.Sites[0].Criteria[i].IsSearchable = &no
		}
	}
	w.Provision(changed)
	if got := w.matchingSearches(full, flat, false).Count + w.matchingProducts(full, search, false).Count; got != 2 {
		t.Errorf("%d matches, not one either way", got)
	}
}

func TestPagesOfMatches(t *testing.T) {
	w := newWorld(t)
	search, full := w.addSearch(func(*demand.Change) {}), w.As("full", 1)
	for range 3 {
		w.CreateProduct("TypeTransaction", "Vente", "Statut", "EnCours")
	}
	ask := func(skip, count int) (people.MatchPage[people.MatchingProduct], error) {
		return w.People.ListMatchingProducts(t.Context(), w.Again(full), people.MatchingProducts{
			CustomerID: buyer, ID: search, MatchQuery: people.MatchQuery{Skip: opt.Of(skip), Count: opt.Of(count)},
		})
	}
	for _, c := range []struct {
		skip, count, want int
		more              bool
	}{{0, 2, 2, true}, {2, 2, 1, false}, {1, 2, 2, false}, {9, 2, 0, false}, {1 << 62, 200, 0, false}} {
		page, err := ask(c.skip, c.count)
		if err != nil || len(page.Data) != c.want || page.HasMore != c.more || page.Count != 3 {
			t.Errorf("skipping %d of %d: %+v, %v", c.skip, c.count, page, err)
		}
	}
	_, err := ask(-1, 2)
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "skip")
	_, err = ask(0, 201)
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "count")
}

func TestBooksAndCataloguesShareTheirLimit(t *testing.T) {
	w := newWorld(t)
	w.addSearch(func(*demand.Change) {})
	flat := w.CreateProduct()
	service := apitest.Limited(t, w.Store, w.Clock, 1)
	if err := service.Service.Listing.Warm(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	catalogue := service.Cached()["catalogue"].Bytes
	caller, err := service.Admit(t.Context(), w.As("full", site.ID(1)).Grant)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.People.ListMatchingSearches(t.Context(), caller, people.MatchingSearches{ProductID: flat}); err != nil {
		t.Fatal(err)
	}
	kept := service.Cached()
	if index := kept["search_requests"].Bytes; index == 0 || index >= catalogue || kept["catalogue"].Bytes != 0 {
		t.Errorf("the index of one search request takes %d bytes, the catalogue took %d; both: %+v", index, catalogue, kept)
	}
}
