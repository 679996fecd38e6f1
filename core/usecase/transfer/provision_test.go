package transfer_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func described() transfer.Setup {
	setup := apitest.Network()
	setup.Sites[0].Products = []transfer.SetupProduct{
		{Model: "11-7", AgencyID: 11, UserID: 101, CustomerID: 1001, Criteria: map[string]any{"Prix": uint64(1000), "TypeBien": "Maison"}},
		{Model: "LOT", AgencyID: 11, Parent: "11-7", Rooms: []transfer.SetupRoom{{Type: "SEJOUR"}}},
	}
	return setup
}

func TestProvisioningTwiceChangesNothing(t *testing.T) {
	w := apitest.New(t)
	first, err := w.Transfer.Provision(t.Context(), described())
	if err != nil || first.Added != 2 || first.Changed != 0 {
		t.Fatalf("first: %+v, %v", first, err)
	}
	head, _ := w.Store.Head(t.Context(), 1)
	second, err := w.Transfer.Provision(t.Context(), described())
	if err != nil || second.Added != 0 || second.Changed != 0 || second.Unchanged == 0 {
		t.Errorf("second: %+v, %v", second, err)
	}
	if again, _ := w.Store.Head(t.Context(), 1); again != head {
		t.Errorf("the head went from %+v to %+v", head, again)
	}
}

func TestProvisioningLeavesProductsAlone(t *testing.T) {
	w := apitest.New(t)
	w.Provision(described())
	in := listing.SearchProducts{}
	in.Model = opt.Of("11-7")
	id := w.FindProducts(w.As("full", 1), in)[0]
	if err := w.UpdateProduct(id, func(in *listing.UpdateProduct) { in.Criteria = apitest.Criteria("Prix", 2) }); err != nil {
		t.Fatal(err)
	}
	w.Provision(described())
	if p := w.ReadProduct(w.As("full", 1), id, ""); *p.Price != 2 || p.LotsCount != 1 {
		t.Errorf("after provisioning again the product is %+v", p.ProductFields)
	}
	if p := w.ReadProduct(w.As("full", 1), w.CreateProduct(), ""); p.Model != "11-8" {
		t.Errorf("the next reference is %s, want 11-8", p.Model)
	}
}

func TestManyProductsAreProvisionedWithTheirLots(t *testing.T) {
	setup := apitest.Network()
	const houses = 130
	for i := range houses {
		house := fmt.Sprint("11-", 100+i)
		setup.Sites[0].Products = append(setup.Sites[0].Products,
			transfer.SetupProduct{Model: house, AgencyID: 11}, transfer.SetupProduct{Model: fmt.Sprint("LOT ", i), AgencyID: 11, Parent: house})
	}
	w := apitest.New(t)
	done, err := w.Transfer.Provision(t.Context(), setup)
	if err != nil || done.Added != 2*houses {
		t.Fatalf("%+v, %v", done, err)
	}
	w.View(func(tx port.Tx) error {
		all, err := tx.Products().Scan(1, 0, 1000)
		references := map[product.ID]string{}
		for _, p := range all {
			references[p.ID] = p.Reference
		}
		for _, p := range all {
			n, isLot := strings.CutPrefix(p.Reference, "LOT ")
			if house, _ := strconv.Atoi(n); isLot && references[p.Parent] != fmt.Sprint("11-", 100+house) || !isLot && p.Parent != 0 {
				t.Errorf("%s is a lot of %q", p.Reference, references[p.Parent])
			}
		}
		return err
	})
	ledgerHolds(w)
	if p := w.ReadProduct(w.As("full", 1), w.CreateProduct(), ""); p.Model != "11-230" {
		t.Errorf("the next reference is %s", p.Model)
	}
	if again, err := w.Transfer.Provision(t.Context(), setup); err != nil || again.Added != 0 || again.Changed != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
}

func TestProvisioningIsAllOrNothing(t *testing.T) {
	for want, spoil := range map[string]func(*transfer.Setup){
		"criteria[0].value": func(s *transfer.Setup) { s.Sites[0].Products[0].Criteria = map[string]any{"TypeBien": "Château"} },
		"parent":            func(s *transfer.Setup) { s.Sites[0].Products[1].Parent = "11-99" },
		"pack":              func(s *transfer.Setup) { s.Credentials[0].Packs = []string{"everything"} },
		"digits":            func(s *transfer.Setup) { s.Sites[0].Criteria[0].Key = "123" },
		"fr-2020":           func(s *transfer.Setup) { s.Sites[0].EnergyScales = []string{"fr-2021", "fr-2020"} },
		"there is no site":  func(s *transfer.Setup) { s.Credentials[0].Sites = []int64{7} },
		"site 1: user 101: agency_id: the site has no agency 99; its agencies are [11": func(s *transfer.Setup) { s.Sites[0].Users[0].AgencyID = 99 },
		"site 1: user 101: agency_id: one is needed; the site's agencies are [11":      func(s *transfer.Setup) { s.Sites[0].Users[0].AgencyID = 0 },
		"site 1: user 101: agency_id: the site has no agency 21; its":                  func(s *transfer.Setup) { s.Sites[0].Users[0].AgencyID = 21 },
		"user 0: id: id must be":                                                    func(s *transfer.Setup) { s.Sites[0].Users[0].ID = 0 },
		`user 101: type: there is no "BOSS"`:                                        func(s *transfer.Setup) { s.Sites[0].Users[0].Type = "BOSS" },
		`user 101: gender: there is no "XY"`:                                        func(s *transfer.Setup) { s.Sites[0].Users[0].Gender = "XY" },
		"user 101: group_id: the site has no user group 77":                         func(s *transfer.Setup) { s.Sites[0].Users[0].GroupID = 77 },
		"customer 1001: agency_id: the site has no agency 99; its agencies are [11": func(s *transfer.Setup) { s.Sites[0].Customers[0].AgencyID = 99 },
		`user group 3 "Vente": agency_id: the site has no agency 99; its agencies are [`: func(s *transfer.Setup) {
			s.Sites[0].UserGroups = append(s.Sites[0].UserGroups, transfer.SetupUserGroup{ID: 3, Name: "Vente", AgencyID: 99})
		},
		`product "11-7" of agency 99: agency_id: there is no agency 99 in the site's`: func(s *transfer.Setup) { s.Sites[0].Products[0].AgencyID = 99 },
		`product "" of agency 11: it needs a model`:                                   func(s *transfer.Setup) { s.Sites[0].Products[0].Model = "" },
		`agency 11: timezone: "Mars/Olympus" is not named`:                            func(s *transfer.Setup) { s.Sites[0].Agencies[0].Timezone = "Mars/Olympus" },
		`agency 12: timezone: "Local" is not named as the I`:                          func(s *transfer.Setup) { s.Sites[0].Agencies[1].Timezone = "Local" },
		`site 1: timezone: "Local" is not named as the IANA`:                          func(s *transfer.Setup) { s.Sites[0].Timezone = "Local" },
		"belongs to site": func(s *transfer.Setup) {
			s.Sites[1].Agencies[0].ID = 11
			s.Sites[1].Users = nil
			s.Sites[1].Customers = nil
		},
	} {
		w := apitest.Empty(t, memstore.New(), &apitest.Clock{})
		setup := described()
		spoil(&setup)
		_, err := w.Transfer.Provision(t.Context(), setup)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one about %q", err, want)
		}
		if _, err := w.Store.Head(t.Context(), 1); err == nil {
			t.Errorf("after the error about %q, site 1 exists", want)
		}
	}
}
