package deals_test

import (
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
)

// The days of a deal end at midnight where its agency is, in answers and for the clock.
func TestADayOfADealEndsWhereItsAgencyIs(t *testing.T) {
	for zone, hours := range map[string]int{"": -2, "Europe/Paris": -2, "America/Guadeloupe": 4, "Indian/Reunion": -4, "Pacific/Tahiti": 10, "Pacific/Noumea": -11} {
		t.Run(zone, func(t *testing.T) {
			w := &world{apitest.Over(t, memstore.New())}
			n := apitest.Network()
			n.Sites[0].Agencies[0].Timezone = zone
			w.Provision(n)
			day := w.today() // in Paris, where the test begins
			w.Update(func(tx port.Tx) error {
				return kernel.FirstError(w.putAgreement(tx, 1, 11, 1), w.putLease(tx, 1, 11, 1), w.putAgreement(tx, 1, 12, 2))
			})
			midnight := (day + 1).Start(time.UTC).Add(time.Duration(hours) * time.Hour)
			for _, late := range []bool{false, true} {
				at, want := midnight.Add(-time.Second), "RETRACTATION SIGNE"
				if late {
					at, want = midnight.Add(time.Second), "CONDITIONS_LEVEES EN_COURS"
				}
				w.Clock.Advance(at.Sub(w.Clock.Now()))
				a, err := w.Deals.GetAgreement(t.Context(), w.As("full", 1), deals.AgreementPath{ID: 1})
				l, err2 := w.Deals.GetLease(t.Context(), w.As("full", 1), deals.LeasePath{ID: 1})
				if got := a.Status + " " + l.Status; kernel.FirstError(err, err2) != nil || got != want {
					t.Errorf("at %s they are %s, %v %v, want %s", at, got, err, err2, want)
				}
				if _, err := w.Deals.StoreDue(t.Context()); err != nil {
					t.Error(err)
				}
				w.View(func(tx port.Tx) error {
					kept, err := tx.Agreements().Get(1, 1)
					running, err2 := tx.Lettings().Get(1, 1)
					if got := string(kept.Status) + " " + string(running.Status); got != want {
						t.Errorf("at %s %s is stored, want %s", at, got, want)
					}
					return kernel.FirstError(err, err2)
				})
			}
		})
	}
}
