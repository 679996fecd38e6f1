package siteapi_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// The areas and engines work together: a lead about a product is taken in, shows
// in the matches of the product, and is delivered.
func TestALeadFromEndToEnd(t *testing.T) {
	w := apitest.New(t)
	checked, full := w.Service, w.As("full", 1)
	receiver := apitest.NewReceiver()
	w.Dispatch(receiver)
	if _, err := checked.Hooks.CreateHook(t.Context(), full, apitest.HookFor("LEAD_CREATE", "SEARCH_CREATE")); err != nil {
		t.Fatal(err)
	}
	in := apitest.InAgency(11)
	in.Criteria = apitest.Criteria("TypeTransaction", "Vente", "Statut", "EnCours", "Prix", 250_000)
	home, err := checked.Listing.CreateProduct(t.Context(), full, in)
	if err != nil {
		t.Fatal(err)
	}
	lead, err := checked.People.CreateBuyerLead(t.Context(), full, people.CreateBuyerLead{
		LeadInput: people.LeadInput{AgencyID: opt.Of(int64(11)), Email: opt.Of("ana@example.org")}, ProductID: opt.Of(home.ID),
	})
	if err != nil {
		t.Fatal(err)
	}
	full = w.Again(full)
	taken, err := checked.People.GetLead(t.Context(), full, people.LeadPath{ID: lead.ID})
	if err != nil || !taken.CustomerCreated {
		t.Fatalf("the lead is %+v, %v", taken, err)
	}
	matches, err := checked.People.ListMatchingSearches(t.Context(), full, people.MatchingSearches{ProductID: home.ID})
	if err != nil || matches.Count != 1 || matches.Data[0].SearchID != *taken.SearchID {
		t.Errorf("the product matches %+v, %v", matches, err)
	}
	w.Eventually("both events are delivered", func() bool { return len(receiver.Requests()) == 2 })
	found, err := checked.People.SearchCustomers(t.Context(), full, people.SearchCustomers{Email: opt.Of("ANA@example.org")})
	if err != nil || len(found.Data) != 1 {
		t.Errorf("the customer is found: %+v, %v", found.Data, err)
	}
	if _, err := checked.People.CreateCustomer(t.Context(), w.As("website", 1), people.CreateCustomer{Change: customer.Change{}}); err == nil {
		t.Error("a website creates customers")
	}
	_, err = checked.Listing.GetProduct(t.Context(), w.As("rival", 2), listing.ReadProduct{ID: home.ID})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
}

func TestEveryPortIsNeeded(t *testing.T) {
	fine, pepper := apitest.Ports(memstore.New(), apitest.NewClock()), make([]byte, 16)
	if _, err := siteapi.New(fine, kernel.Options{Pepper: pepper}); err != nil {
		t.Error(err)
	}
	for name, drop := range map[string]func(*kernel.Ports){
		"Store": func(p *kernel.Ports) { p.Store = nil }, "Now": func(p *kernel.Ports) { p.Now = nil }, "Rand": func(p *kernel.Ports) { p.Rand = nil },
		"Zone": func(p *kernel.Ports) { p.Zone = nil }, "E164": func(p *kernel.Ports) { p.E164 = nil },
	} {
		ports := fine
		drop(&ports)
		if _, err := siteapi.New(ports, kernel.Options{Pepper: pepper}); err == nil || !strings.Contains(err.Error(), "Ports."+name+" must be given") {
			t.Errorf("a service without %s: %v", name, err)
		}
	}
	if _, err := siteapi.New(fine, kernel.Options{Pepper: pepper[1:]}); err == nil {
		t.Error("a short pepper is taken")
	}
}

// What does not go through kernel.Write cannot be repeated safely, and no test of
// its own would notice.
func TestEveryEffectOfACallerGoesThroughWrite(t *testing.T) {
	allowed := []string{
		"../kernel/unit.go",                                                                       // Write itself
		"../kernel/retention.go", "../engine/deliver/dispatcher.go", "../kernel/follow/leases.go", // nobody calls them from outside
	}
	var found []string
	for _, folder := range []string{"kernel", "usecase", "engine", "siteapi"} {
		err := filepath.WalkDir("../"+folder, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.Contains(file, "test") {
				return err
			}
			text, err := os.ReadFile(file)
			if strings.Contains(string(text), "Store.Update(") {
				found = append(found, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(folder, err)
		}
	}
	slices.Sort(found)
	slices.Sort(allowed)
	if !slices.Equal(found, allowed) {
		t.Errorf("%q open units of work of their own, allowed are %q; use kernel.Write", found, allowed)
	}
}
