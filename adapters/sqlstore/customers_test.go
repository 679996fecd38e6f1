package sqlstore_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
)

// Numbers of departments overseas that were kept as those of the mainland get their own
// codes, also where a customer has the right one already.
func TestNumbersOverseasGetTheirOwnCodes(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.open(t)
		if err := sqlstore.MigrateTo(t.Context(), s, 102); err != nil {
			t.Fatal(err)
		}
		db := p.raw(t)
		for _, key := range []string{"+33596301234", "+596596301234", "+33263301234", "+33269601234", "+33508410123", "+33612345678", "a@x.fr"} {
			execute(t, db, "INSERT INTO customer_contact (site_id, contact_key, customer_id) VALUES (1, '"+key+"', 2)")
		}
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{"+262263301234", "+262269601234", "+33612345678", "+508410123", "+596596301234", "a@x.fr"}
		got := texts(t, db, "SELECT contact_key FROM customer_contact")
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("the keys are %q", got)
		}
	})
}
