package siteapi_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// uncertain is a store of which some commits are not confirmed, whether or not they have
// happened, and which counts its views.
type uncertain struct {
	port.Store
	undone, unconfirmed bool
}

var errUncertain = errors.New("the commit was not confirmed")

// Update implements port.Store.
func (s *uncertain) Update(ctx context.Context, fn func(port.Tx) error) error {
	undone, unconfirmed := s.undone, s.unconfirmed
	s.undone, s.unconfirmed = false, false
	err := s.Store.Update(ctx, func(tx port.Tx) error {
		if err := fn(tx); err != nil || !undone {
			return err
		}
		return errUncertain
	})
	if err == nil && unconfirmed {
		err = errUncertain
	}
	return err
}

// cluster are two processes over one store, of which one can be made uncertain.
type cluster struct {
	*rapid.T
	store     *uncertain
	processes []*apitest.World
	products  []int64
	customers []int64
	searches  [][2]int64 // of a customer, and its id
	ignored   bool
}

// TestReplicasAreWhatIsLoadedAnew: whoever writes what, in which order, and whatever becomes of
// it, a process shows what one does that has just begun.
func TestReplicasAreWhatIsLoadedAnew(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		plain := memstore.New()
		var under port.Store = plain
		first := apitest.Over(t, under)
		c := &cluster{T: r, store: &uncertain{Store: under}}
		c.processes = []*apitest.World{apitest.Empty(t, c.store, first.Clock), apitest.Empty(t, plain, first.Clock)}
		c.read()
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			c.step()
		}
		for i, p := range c.processes {
			want, got := shown(apitest.Empty(t, plain, first.Clock), c.products), shown(p, c.products)
			if d := gocmp.Diff(want, got); d != "" {
				r.Fatalf("process %d shows (-loaded anew +kept):\n%s", i, d)
			}
		}
	})
}

// read has every process load what it keeps.
func (c *cluster) read() {
	for _, p := range c.processes {
		shown(p, c.products)
	}
}

func (c *cluster) one(what string, of []int64) int64 {
	if len(of) == 0 {
		return 1 << 40
	}
	return rapid.SampledFrom(of).Draw(c.T, what)
}

// step has one of the processes do something. What it answers is another test's concern.
func (c *cluster) step() {
	p := rapid.SampledFrom(c.processes).Draw(c.T, "process")
	ctx, caller := p.T.Context(), p.As("full", 1)
	words := rapid.SampledFrom([]string{"rue des Lilas", "quai Voltaire", "place Rouge"})
	kind := rapid.IntRange(0, 12).Draw(c.T, "kind")
	if kind < 9 {
		fate := rapid.IntRange(0, 9).Draw(c.T, "fate")
		c.store.undone, c.store.unconfirmed = fate == 0, fate == 1
	}
	switch kind {
	case 0, 1:
		in := apitest.InAgency(11)
		in.Criteria = apitest.Criteria("TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", rapid.IntRange(1, 3).Draw(c.T, "price"))
		if kind == 1 {
			in.CustomerID = opt.Of(c.one("owner", c.customers))
		}
		if created, err := p.Listing.CreateProduct(ctx, caller, in); err == nil {
			c.products = append(c.products, created.ID)
		}
	case 2, 3:
		id := c.one("product", c.products)
		in := listing.UpdateProduct{ID: id, ProductID: opt.Of(id)}
		in.Criteria = apitest.Criteria("Adresse", words.Draw(c.T, "address"))
		if kind == 3 {
			in.CustomerID = opt.Of(c.one("owner", c.customers))
		}
		_, _ = p.Listing.UpdateProduct(ctx, caller, in)
	case 4:
		_, _ = p.Listing.DeleteProduct(ctx, caller, listing.DeleteProduct{ID: c.one("product", c.products)})
	case 5:
		in := people.CreateCustomer{}
		in.Type, in.AgencyID, in.Lastname = opt.Of("VENDEUR"), opt.Of(int64(11)), opt.Of(words.Draw(c.T, "name"))
		if created, err := p.People.CreateCustomer(ctx, caller, in); err == nil {
			c.customers = append(c.customers, created.ID)
		}
	case 6:
		in := people.UpdateCustomer{ID: c.one("customer", c.customers)}
		in.Lastname = opt.Of(words.Draw(c.T, "name"))
		_, _ = p.People.UpdateCustomer(ctx, caller, in)
	case 7:
		in := people.CreateSearchRequest{CustomerID: c.one("customer", c.customers)}
		in.TransactionType, in.AgencyID = opt.Of("Vente"), opt.Of(int64(11))
		if created, err := p.People.CreateSearchRequest(ctx, caller, in); err == nil {
			c.searches = append(c.searches, [2]int64{in.CustomerID, created.ID})
		}
	case 8:
		if len(c.searches) > 0 {
			of := rapid.SampledFrom(c.searches).Draw(c.T, "search")
			in := people.UpdateSearchRequest{CustomerID: of[0], ID: of[1]}
			in.PropertyTypes = opt.Of([]string{rapid.SampledFrom([]string{"Maison", "Appartement"}).Draw(c.T, "type")})
			_, _ = p.People.UpdateSearchRequest(ctx, caller, in)
		}
	case 9:
		// Another program, which says nothing to any process.
		touched := c.one("product", c.products)
		p.Update(func(tx port.Tx) error {
			_, err := tx.Ledger().Append(1, p.Clock.Now(), []event.Event{{Type: event.ProductUpdate, Resource: touched, Agency: 11}})
			return err
		})
	case 10:
		c.ignored = !c.ignored
		searchable := !c.ignored
		p.Redefine(func(d *transfer.SetupCriterion) {
			if d.Key == "Adresse" || d.Key == "Prix" {
				d.IsSearchable = &searchable
			}
		})
	default:
		shown(p, c.products)
	}
	c.store.undone, c.store.unconfirmed = false, false
}

// shown is what a process shows of a site.
func shown(p *apitest.World, products []int64) (all map[string]any) {
	all = map[string]any{}
	caller := p.As("full", 1)
	for _, keyword := range []string{"", "lilas", "voltaire", "rouge"} {
		in := listing.SearchProducts{SortType: opt.Of("prix")}
		if keyword != "" {
			in.Keyword = opt.Of(keyword)
		}
		all["found "+keyword] = p.FindProducts(caller, in)
	}
	for _, id := range products {
		record, err := p.Listing.GetProduct(p.T.Context(), caller, listing.ReadProduct{ID: id})
		all[fmt.Sprint("version of ", id)] = fmt.Sprint(record.Version(), err)
		matching, err := p.People.ListMatchingSearches(p.T.Context(), caller, people.MatchingSearches{ProductID: id})
		if err == nil {
			all[fmt.Sprint("matches of ", id)] = fmt.Sprintf("%+v", matching.Data)
		}
	}
	return all
}
