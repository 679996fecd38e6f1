package e2e_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestAMandateIsTold(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c, public := w.network(t), w.website(t)
		ledger, ofSite := c.ledger(), public.ledger()
		id := c.create(object{"criteria": criteria("Prix", 250000)})
		told := func(events ...string) {
			t.Helper()
			var want []string
			for _, e := range events {
				want = append(want, fmt.Sprint(e, " ", id))
			}
			ledger.tells(want...)
		}
		change := func(pairs ...any) { t.Helper(); c.change(id, object{"criteria": criteria(pairs...)}).is(204) }
		told("PRODUCT_CREATE")
		change("NumeroMandat", "M-12", "DateMandat", "2026-01-01")
		told("PRODUCT_UPDATE", "MANDATE_CREATE")
		change("NumeroMandat", "M-12")
		told()
		change("Surface", 80)
		told("PRODUCT_UPDATE")
		change("TypeMandat", "EXCLUSIF")
		told("PRODUCT_UPDATE", "MANDATE_UPDATE")
		change("Prix", 240000)
		told("PRODUCT_UPDATE", "MANDATE_UPDATE")
		change("Statut", "Vendu")
		told("PRODUCT_UPDATE", "MANDATE_UPDATE")
		change("NumeroMandat", "M-13")
		told("PRODUCT_UPDATE", "MANDATE_CREATE")
		change("NumeroMandat", nil)
		told("PRODUCT_UPDATE", "MANDATE_UPDATE")
		id = c.create(object{"criteria": criteria("NumeroMandat", "M-14")})
		told("PRODUCT_CREATE", "MANDATE_CREATE")
		c.delete(product(id)).is(204)
		c.post(product(id, "/restore"), nil).is(204)
		told("PRODUCT_DELETE", "PRODUCT_CREATE")
		for _, e := range ofSite.news() {
			if strings.HasPrefix(e, "MANDATE_") {
				t.Errorf("a website hears %s", e)
			}
		}
	})
}
