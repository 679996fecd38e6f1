package transfer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestIndicesAndCapsOfFeesAreProvisioned(t *testing.T) {
	w := apitest.New(t)
	setup := apitest.Network()
	setup.Indices = []transfer.SetupIndexValue{{Index: "IRL", Quarter: "2024-T3", Value: 144.51}, {Index: "IRL", Quarter: "2025-T3", Value: 145}}
	setup.Sites[0].Indices = []transfer.SetupIndexValue{{Index: "IRL", Quarter: "2025-T3", Value: 145.77, PublishedOn: "2025-10-15"}}
	setup.Sites[0].FeeCaps = []transfer.SetupFeeCap{{From: "2020-01-01", VeryTight: 20, Tight: 15, Other: 10, Inventory: 5}}
	w.Provision(setup)
	values := func(credential string, of site.ID) (all []float64) {
		found, err := w.Deals.ListIndexValues(t.Context(), w.As(credential, of), deals.IndexPath{Index: "IRL"})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range found.Data {
			all = append(all, v.Value)
		}
		return all
	}
	if got := values("full", 1); !slices.Equal(got, []float64{145.77, 144.51}) {
		t.Errorf("site 1 has %v: its own value wins, the latest comes first", got)
	}
	if got := values("rival", 2); !slices.Equal(got, []float64{145, 144.51}) {
		t.Errorf("site 2 has %v", got)
	}
	// What a setup does not name stays.
	again := apitest.Network()
	again.Indices = []transfer.SetupIndexValue{{Index: "ILC", Quarter: "2024-T1", Value: 134.58}}
	w.Provision(again)
	if got := values("full", 1); !slices.Equal(got, []float64{145.77, 144.51}) {
		t.Errorf("after another setup site 1 has %v", got)
	}
	highest, err := w.Deals.ComputeAmounts(t.Context(), w.As("full", 1), deals.ComputeAmounts{Items: opt.Of([]deals.AmountInput{
		{Kind: opt.Of("FEES_CAP"), Zone: opt.Of("TENDUE"), Surface: opt.Of(10.0), Date: opt.Of("2026-05-01")},
	})})
	if err != nil || *highest.Data[0].FeesTenantMax != 150 || *highest.Data[0].InventoryTenantMax != 50 {
		t.Errorf("the caps of fees are %+v, %v", highest.Data, err)
	}
}

func TestIndicesAndCapsThatCannotBeAreRefused(t *testing.T) {
	value := transfer.SetupIndexValue{Index: "IRL", Quarter: "2024-T3", Value: 144.51}
	for want, change := range map[string]func(*transfer.Setup){
		"no such index":   func(s *transfer.Setup) { s.Indices[0].Index = "ICC" },
		"not a quarter":   func(s *transfer.Setup) { s.Indices[0].Quarter = "2024-Q3" },
		"not above 0":     func(s *transfer.Setup) { s.Indices[0].Value = 0 },
		"published_on":    func(s *transfer.Setup) { s.Indices[0].PublishedOn = "soon" },
		"fee cap: from":   func(s *transfer.Setup) { s.Sites[0].FeeCaps = []transfer.SetupFeeCap{{From: "2026"}} },
		"fee cap from 20": func(s *transfer.Setup) { s.Sites[0].FeeCaps = []transfer.SetupFeeCap{{From: "2026-01-01", Tight: 1}} },
	} {
		w := apitest.New(t)
		setup := apitest.Network()
		setup.Indices = []transfer.SetupIndexValue{value}
		change(&setup)
		if _, err := w.Transfer.Provision(t.Context(), setup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("refused with %v, want a word about %q", err, want)
		}
	}
}
