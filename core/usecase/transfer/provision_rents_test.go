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

// TestARentFollowsTheIndexOfWhereTheHomeIs computes with values that differ by
// territory since 2022-T3, and holds everywhere before.
func TestARentFollowsTheIndexOfWhereTheHomeIs(t *testing.T) {
	w := apitest.New(t)
	setup := apitest.Network()
	setup.Indices = []transfer.SetupIndexValue{
		{Index: "IRL", Quarter: "2022-T1", Value: 100}, {Index: "IRL", Quarter: "2022-T2", Value: 101},
		{Index: "IRL", Quarter: "2023-T1", Value: 103.5, Territory: "METROPOLE"}, {Index: "IRL", Quarter: "2023-T1", Value: 102.5, Territory: "OUTRE_MER"},
		{Index: "IRL", Quarter: "2023-T2", Value: 104}, {Index: "ILC", Quarter: "2022-T1", Value: 100}, {Index: "ILC", Quarter: "2023-T1", Value: 106},
	}
	w.Provision(setup)
	for _, c := range []struct {
		territory, index, reference, quarter string
		want                                 float64 // 0 is refused
	}{
		{"", "IRL", "2022-T1", "2023-T1", 1035}, {"METROPOLE", "IRL", "2022-T1", "2023-T1", 1035}, {"OUTRE_MER", "IRL", "2022-T1", "2023-T1", 1025},
		{"CORSE", "IRL", "2022-T1", "2023-T1", 0}, {"OUTRE_MER", "IRL", "2022-T1", "2023-T2", 0}, {"CORSE", "IRL", "2022-T1", "2022-T2", 1010},
		{"OUTRE_MER", "IRL", "2022-T1", "2022-T2", 1010}, {"CORSE", "ILC", "2022-T1", "2023-T1", 1060}, {"OUTRE_MER", "ILC", "2022-T1", "2023-T1", 1060},
		{"DOM", "IRL", "2022-T1", "2022-T2", 0},
	} {
		made, err := w.Deals.ComputeAmounts(t.Context(), w.As("full", 1), deals.ComputeAmounts{Items: opt.Of([]deals.AmountInput{{
			Kind: opt.Of("REVISION"), Rent: opt.Of(1000.0), Index: opt.Of(c.index), Reference: opt.Of(c.reference), Quarter: opt.Of(c.quarter), Territory: opt.Of(c.territory),
		}})})
		if (err == nil) != (c.want > 0) || err == nil && *made.Data[0].Rent != c.want {
			t.Errorf("%+v: %+v, %v", c, made.Data, err)
		}
	}
	found, err := w.Deals.ListIndexValues(t.Context(), w.As("full", 1), deals.IndexPath{Index: "IRL"})
	if err != nil || len(found.Data) != 5 || *found.Data[1].Territory != "METROPOLE" || *found.Data[2].Territory != "OUTRE_MER" || found.Data[4].Territory != nil {
		t.Errorf("%+v, %v", found.Data, err)
	}
}

func TestIndicesAndCapsThatCannotBeAreRefused(t *testing.T) {
	value := transfer.SetupIndexValue{Index: "IRL", Quarter: "2024-T3", Value: 144.51}
	for want, change := range map[string]func(*transfer.Setup){
		"no such index":   func(s *transfer.Setup) { s.Indices[0].Index = "ICC" },
		"not a quarter":   func(s *transfer.Setup) { s.Indices[0].Quarter = "2024-Q3" },
		"no territory":    func(s *transfer.Setup) { s.Indices[0].Territory = "DOM" },
		"holds everywher": func(s *transfer.Setup) { s.Indices[0].Quarter, s.Indices[0].Territory = "2022-T2", "OUTRE_MER" },
		"has no territor": func(s *transfer.Setup) { s.Indices[0].Index, s.Indices[0].Territory = "ILC", "CORSE" },
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
