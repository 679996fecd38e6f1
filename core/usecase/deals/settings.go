package deals

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// indexValues finds the values that a site has of the indices of rents, for a
// territory.
func indexValues(of site.Settings, where letting.Territory) func(letting.Index, letting.Quarter) (float64, bool) {
	return func(index letting.Index, quarter letting.Quarter) (float64, bool) {
		n := slices.IndexFunc(of.Indices, func(v site.IndexValue) bool {
			return v.Index == string(index) && v.Quarter == quarter.String() &&
				(!index.HasTerritories(quarter) || territoryOf(v) == where)
		})
		if n < 0 {
			return 0, false
		}
		return of.Indices[n].Value, true
	}
}

// territoryOf returns where a value holds; values that do not say so are of the mainland.
func territoryOf(v site.IndexValue) letting.Territory {
	return letting.Territory(cmp.Or(v.Territory, string(letting.Mainland)))
}

// feeCaps returns the caps of fees of a site, by the day they begin on.
func feeCaps(of site.Settings) money.FeeCaps {
	if len(of.FeeCaps) == 0 {
		return money.FrenchFeeCaps()
	}
	caps := make(money.FeeCaps, len(of.FeeCaps))
	for i, c := range of.FeeCaps {
		from, _ := calendar.Parse(c.From) // checked when it was stored
		caps[i] = money.FeeCap{
			From: from, Inventory: money.Of(c.Inventory),
			Fees: map[money.Zone]money.Amount{money.VeryTight: money.Of(c.VeryTight), money.Tight: money.Of(c.Tight), money.OtherZone: money.Of(c.Other)},
		}
	}
	slices.SortFunc(caps, func(a, b money.FeeCap) int { return int(a.From - b.From) })
	return caps
}

// IndexValue is what an index was in a quarter.
type IndexValue struct {
	Quarter     string  `json:"quarter" doc:"such as 2025-T3"`
	Value       float64 `json:"value" doc:"value of the index"`
	PublishedOn *string `json:"published_on" format:"date"`
	Territory   *string `json:"territory" enum:"METROPOLE,OUTRE_MER,CORSE" doc:"where it holds; null for everywhere"`
}

// IndexPath is an index, named in the path.
type IndexPath struct {
	Index string `path:"index"`
}

// IndexValues are the values of an index, the latest first.
type IndexValues struct {
	Data []IndexValue `json:"data"`
}

func (u Unit) listIndexValues(in IndexPath) (IndexValues, error) {
	list := IndexValues{Data: []IndexValue{}}
	if err := indexExists(in.Index); err != nil {
		return list, err
	}
	for _, v := range u.Site.Settings().Indices {
		if v.Index == in.Index {
			shown := IndexValue{v.Quarter, v.Value, kernel.Nullable(v.Published), nil}
			if quarter, _ := letting.ParseQuarter(v.Quarter); letting.Index(v.Index).HasTerritories(quarter) {
				shown.Territory = kernel.Nullable(string(territoryOf(v)))
			}
			list.Data = append(list.Data, shown)
		}
	}
	slices.SortStableFunc(list.Data, func(a, b IndexValue) int { return strings.Compare(b.Quarter, a.Quarter) })
	return list, nil
}
